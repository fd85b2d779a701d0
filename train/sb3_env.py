"""Self-play for Stable-Baselines3: a VecEnv in which one seat of each game learns.

The other seats, partner and opponents, are members of a league (`league.py`).  From deal to deal
the learner sits elsewhere, so that it learns every seat.  One trajectory is one seat's: between two
of its observations the others have moved, and its reward is what its own side got.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from agents.base import Agent
from tuolaji_env.games import NUM_ACTIONS, GameBatch, is_over
from tuolaji_env.observe import Layout

from .returns import seat_levels, seat_share


class SeatVecEnv(VecEnv):
    """Deals of one rule set in which the learner has one seat and agents the others.

    Observations [N, D] float32, actions of the layout's view.  At the end of a deal the learner is
    paid `level_weight` times its levels and `point_weight` times hundreds of points above par,
    zero-sum over the seats; the next deal begins in the same step, and `infos` carry
    `terminal_observation` and `levels`.  `sit(agents)` changes who the others are: each game takes
    one of them, drawn when a deal begins.
    """

    def __init__(
        self,
        layout: Layout,
        num_games: int,
        agents: Sequence[Agent],
        seed: int = 0,
        level_weight: float = 1.0,
        point_weight: float = 0.5,
    ) -> None:
        box = gymnasium.spaces.Box(0.0, np.inf, (layout.size,), np.float32)
        super().__init__(num_games, box, gymnasium.spaces.Discrete(NUM_ACTIONS))
        self.layout, self.level_weight, self.point_weight = layout, level_weight, point_weight
        self.games = GameBatch(layout.rules, num_games)
        self.par = layout.rules.takeover
        self.rng = np.random.default_rng(seed)
        self.seats = np.zeros(num_games, np.int64)
        self.who = np.zeros(num_games, np.int64)
        self.seen = np.zeros((num_games, layout.size), np.float32)
        self.actions = np.zeros(num_games, np.int64)
        self.sit(agents)

    def sit(self, agents: Sequence[Agent]) -> None:
        """Let these agents take the other seats, from the next deals on (the rest goes on)."""
        if not agents:
            raise ValueError("agents: none given; allowed: one or more")
        self.agents = list(agents)
        self.who %= len(self.agents)

    def reset(self) -> NDArray[np.float32]:
        """Begin a deal in each game. [N, D]."""
        self._begin(self.games.everybody)
        return self._look(self.games.everybody)

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self.actions = np.asarray(actions, np.int64).copy()

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Observations [N, D], rewards [N], dones [N], infos."""
        if self.layout.canonical:
            self.games.real_actions(self.actions, self.games.everybody)
        self.games.step(self.actions, skip_forced=True)
        self._others_move(self.games.everybody)
        done = is_over(self.games.records)
        reward = np.zeros(self.num_envs, np.float32)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        (ended,) = np.nonzero(done)
        if len(ended):
            reward[ended], levels = self._paid(ended)
            for i, row, won in zip(ended, self._look(ended), levels, strict=True):
                infos[i] = {"terminal_observation": row, "levels": float(won)}
            self._begin(ended)
        return self._look(self.games.everybody), reward, done, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """What the learner may do in each game. [N, 63]."""
        return self.games.masks(canonical=self.layout.canonical) != 0

    def _begin(self, rows: NDArray[np.int64]) -> None:
        """Deals in which the learner has a decision, whatever the others do."""
        while len(rows):
            seeds = self.rng.integers(0, 2**62, len(rows))
            self.games.begin(seeds, rows, skip_forced=True)
            self.seats[rows] = self.rng.integers(0, self.games.players, len(rows))
            self.who[rows] = self.rng.integers(0, len(self.agents), len(rows))
            self._others_move(rows)
            rows = rows[is_over(self.games.records[rows])]

    def _others_move(self, rows: NDArray[np.int64]) -> None:
        """Play on in some games until the learner is to move or the deal is over."""
        records = self.games.records
        while True:
            theirs = (records["seat"][rows] != self.seats[rows]) & ~is_over(records[rows])
            rows = rows[theirs]
            if not len(rows):
                return
            actions = np.empty(len(rows), np.int64)
            for number in np.unique(self.who[rows]):
                (some,) = np.nonzero(self.who[rows] == number)
                actions[some] = self.agents[number].act(self.games, rows[some])
            self.games.step(actions, rows, skip_forced=True)

    def _look(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        out = np.empty((len(rows), self.layout.size), np.float32)
        self.games.observe(self.layout, rows, self.seats[rows], out=out)
        return out

    def _paid(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Rewards and levels of finished deals. [n] each."""
        last, mine = self.games.records[rows], (np.arange(len(rows)), self.seats[rows])
        levels = seat_levels(last, self.games.players)[mine]
        points = seat_share(last, self.games.players)[mine] * (last["score"] - self.par)
        paid = self.level_weight * levels + self.point_weight * points
        return paid.astype(np.float32), levels

    # what VecEnv asks of its environments; here the games have no objects of their own

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        rows = list(self._get_indices(indices))
        if method_name != "action_masks":
            raise AttributeError(f"method: {method_name!r} asked for; allowed: action_masks")
        masks = self.action_masks()
        return [masks[i] for i in rows]

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        if attr_name == "action_masks":
            return self.env_method("action_masks", indices=indices)
        if attr_name == "render_mode":
            return [None for _ in self._get_indices(indices)]
        raise AttributeError(f"attribute: {attr_name!r} asked for; allowed: action_masks")

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"attribute: {attr_name!r} cannot be set")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing is held open."""

"""Gymnasium face, ``gymnasium.make("tuolaji_env/Tuolaji-v0")``: one seat learns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .game import Game
from .games import NUM_ACTIONS, Episode, GameBatch, check_choice, game_seeds
from .observe import Layout, LayoutKind
from .policies import POLICIES
from .policies.player import PolicyPlayer
from .record import Record
from .render import FRAMES_PER_SECOND, MODES, Screen, check_viewer
from .rules import Rules
from .vector import DType, Reward


class Opponent(Protocol):
    """Anything that acts for seats, such as the players of `agents`."""

    def act(self, games: GameBatch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Actions [N] for the movers of games `rows` [N]."""


class TuolajiEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """One seat learns; the other seats are played by `opponents`.

    Parameters: rules; seat: the learner's, or None for one drawn at each reset; opponents: a
    policy's name, an object with `act`, or a sequence of these for the seats after the learner's;
    episode, reward, layout, canonical, dtype as for `VectorEnv`; render_mode and viewer
    as for `raw_env`, the viewer by default the learner.
    Observations are ``{"observation": row, "action_mask": int8 [63]}``; `reset(options=…)` takes
    the options of `Game.reset`. An illegal action raises IllegalActionError and changes nothing.
    """

    metadata = {"render_modes": list(MODES), "render_fps": FRAMES_PER_SECOND}  # noqa: RUF012

    def __init__(
        self,
        rules: str | Rules = "two_deck",
        *,
        seat: int | None = None,
        opponents: str | Opponent | Sequence[str | Opponent] = "random",
        episode: Episode = "deal",
        reward: Reward = "levels",
        layout: LayoutKind = "rules",
        canonical: bool = False,
        dtype: DType = "uint8",
        render_mode: str | None = None,
        viewer: int | Literal["learner"] | None = "learner",
    ) -> None:
        self._screen = Screen(render_mode)
        self.render_mode = render_mode
        self.game = Game(rules, 0, episode=episode)
        players = self.game.rules.players
        self.viewer = viewer if viewer == "learner" else check_viewer(viewer, players)
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"seat: {seat} given; allowed: 0 to {players - 1}, or None")
        self._seat, self.seat = seat, seat or 0
        given = (
            list(opponents)
            if isinstance(opponents, Sequence | tuple) and not isinstance(opponents, str)
            else [opponents] * (players - 1)
        )
        if len(given) != players - 1:
            raise ValueError(f"opponents: {len(given)} given; allowed: one, or {players - 1}")
        self._opponents = [_player(opponent) for opponent in given]
        self._reward = get_args(Reward).index(check_choice("reward", reward, Reward))
        self.layout = Layout(self.game.rules, layout, canonical)
        self._dtype = np.dtype(check_choice("dtype", dtype, DType))
        self._paid = np.zeros(players, np.float32)
        self._rows = np.array([0])
        high = 255 if dtype == "uint8" else np.inf
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, high, (self.layout.size,), self._dtype.type),
                "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(NUM_ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game and play the others up to the learner's first decision."""
        super().reset(seed=seed)
        words = self.np_random.integers(1 << 32, size=2)
        self.game.reset(int(game_seeds(int(words[0]), 1)[0]), **(options or {}))
        if self._seat is None:
            self.seat = int(words[1]) % self.game.rules.players
        self._total = 0.0
        self._play_others()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """The learner's action, and everybody else's until the learner is to act again."""
        chosen = np.array([action], np.int64)
        if self.layout.canonical:
            self.game.batch.real_actions(chosen, self._rows)
        self._total = 0.0
        self._apply(int(chosen[0]))
        self._play_others()
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._total, self._done(), False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions, as sb3-contrib asks for them. [63] bool."""
        mask: NDArray[np.int8] = self._observation()["action_mask"]
        return mask.astype(np.bool_)

    def render(self) -> Any:
        """The table, as the render mode has it: text, [880, 1200, 3] uint8, or None (`human`)."""
        viewer = self.seat if self.viewer == "learner" else self.viewer
        return self._screen.show(self.game, viewer)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._screen.close()

    def to_record(self, seats: Sequence[str] | None = None) -> Record:
        """The game so far as a `Record`. seats: the players' names, ``learner`` and the others'."""
        if seats is None:
            players = self.game.rules.players
            names = ["learner", *(str(getattr(p, "name", "player")) for p in self._opponents)]
            seats = [names[(seat - self.seat) % players] for seat in range(players)]
        return Record.of(self.game, seats)

    def _done(self) -> bool:
        over = self.game.is_over
        return over and (self.game.episode == "deal" or self.game.match_over)

    def _play_others(self) -> None:
        game = self.game
        while not self._done():
            if game.is_over:
                game.next_deal()
            if game.seat == self.seat:
                return
            player = self._opponents[(game.seat - self.seat - 1) % game.rules.players]
            self._apply(int(player.act(game.batch, self._rows)[0]))

    def _apply(self, action: int) -> None:
        if not self.game.pay(action, False, self._reward, self._paid):
            self.game.verify(action)
        self._total += float(self._paid[self.seat])

    def _observation(self) -> dict[str, Any]:
        games = self.game.batch
        out = np.empty((1, self.layout.size), self._dtype)
        games.observe(self.layout, seats=np.array([self.seat]), out=out)
        mask = games.masks(canonical=self.layout.canonical)[0]
        if self.game.is_over:
            mask = np.zeros(NUM_ACTIONS, np.int8)
        return {"observation": out[0], "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, "score": self.game.score}


def _player(opponent: str | Opponent) -> Opponent:
    if not isinstance(opponent, str):
        return opponent
    if opponent not in POLICIES:
        raise ValueError(f"opponents: {opponent!r} is not known; allowed: {', '.join(POLICIES)}")
    return PolicyPlayer(opponent)

"""`VectorEnv`, the training face: self-play in many games, one compiled pass a step."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .core import batch
from .core.record import GAME, copied, new_games
from .games import NUM_ACTIONS, Episode, GameBatch, check_choice, game_seeds
from .observe import Layout, LayoutKind
from .record import Record
from .recorder import Recorder
from .rules import Rules

Reward = Literal["levels", "points", "match"]
Autoreset = Literal["same_step", "disabled"]
DType = Literal["uint8", "float32"]


class Step(NamedTuple):
    """What `VectorEnv.step` returns: views of its buffers, overwritten by the next step."""

    observation: NDArray[Any]
    action_mask: NDArray[np.int8]
    reward: NDArray[np.float32]
    done: NDArray[np.bool_]


class VectorEnv:
    """Self-play in many games, for training: NumPy in and out, one buffer each, no copies.

    In every game the mover acts: `seat` says who he is, `observation` and `action_mask` are his.

    Parameters: rules (a preset, a YAML file or `Rules`); num_games B; seed; episode `deal` or
    `match`; reward, always zero-sum: `levels` (at the end of a deal, those that a seat's side
    rises), `points` (hundreds of points as they fall) or `match` (±1 at its end); layout `rules`
    or `universal`; canonical (see `Layout`); dtype `uint8` or `float32`; skip_forced (play on
    inside the core where one action is legal); autoreset `same_step` (a game that is done begins
    anew in the same step, and its row shows the new game) or `disabled` (it stays over until
    `reset_rows`; its action is then not read); threads that share the games, from a few thousand
    games up.

    Buffers, all [B, …]: `observation` [B, D], `action_mask` [B, 63] int8, `seat` [B] int64,
    `reward` [B, P] float32 by seat, `done` [B] bool, `last` [B]: the final record of each game that
    was done in this step.
    """

    def __init__(
        self,
        rules: str | Rules = "two_deck",
        num_games: int = 1024,
        seed: int | None = None,
        *,
        episode: Episode = "deal",
        reward: Reward = "levels",
        layout: LayoutKind | Layout = "rules",
        canonical: bool = False,
        dtype: DType = "uint8",
        skip_forced: bool = False,
        autoreset: Autoreset = "same_step",
        threads: int = 1,
    ) -> None:
        if threads < 1:
            raise ValueError(f"threads: {threads} given; allowed: 1 or more")
        self.games = GameBatch(rules, num_games)
        self.rules = self.games.rules
        self.num_games, self.players = num_games, self.rules.players
        self.episode: Episode = check_choice("episode", episode, Episode)
        self.reward_kind: Reward = check_choice("reward", reward, Reward)
        if reward == "match" and episode == "deal":
            raise ValueError("reward: 'match' given with episode 'deal'; allowed: levels, points")
        if not isinstance(layout, Layout):
            layout = Layout(self.rules, layout, canonical)
        self.layout = layout
        self.skip_forced = skip_forced
        self.autoreset: Autoreset = check_choice("autoreset", autoreset, Autoreset)
        check_choice("dtype", dtype, DType)
        self.observation = np.zeros((num_games, self.layout.size), np.dtype(dtype))
        self.action_mask = np.zeros((num_games, NUM_ACTIONS), np.int8)
        self.reward = np.zeros((num_games, self.players), np.float32)
        self.done = np.zeros(num_games, np.bool_)
        self.last = new_games(num_games)
        self._actions = np.zeros(num_games, np.int64)
        bounds = np.linspace(0, num_games, min(threads, num_games) + 1).astype(int)
        self._blocks = [
            _Block(self, slice(low, high)) for low, high in itertools.pairwise(bounds.tolist())
        ]
        self._recorder: Recorder | None = None
        self._pool = ThreadPoolExecutor(len(self._blocks)) if len(self._blocks) > 1 else None
        self.reset(seed)

    @property
    def records(self) -> NDArray[Any]:
        """The games' records [B] of `GAME`."""
        return self.games.records

    @property
    def seat(self) -> NDArray[np.int64]:
        """The mover of each game. [B] int64, a view."""
        return self.games.records["seat"]

    def reset(self, seed: int | None = None) -> Step:
        """Begin all games anew."""
        self.games.begin(
            game_seeds(seed, self.num_games), episode=self.episode, skip_forced=self.skip_forced
        )
        self.reward[:] = 0
        self.done[:] = False
        if self._recorder is not None:
            self._recorder.begin(self.games.everybody)
        return self._look()

    def reset_rows(self, rows: NDArray[np.int64], seeds: NDArray[np.int64]) -> Step:
        """Begin some games anew. rows, seeds: [N] int64."""
        self.games.begin(seeds, rows, self.episode, self.skip_forced)
        if self._recorder is not None:
            self._recorder.begin(rows)
        return self._look()

    def step(self, actions: ArrayLike) -> Step:
        """One action in every game. actions: [B] integers.

        Raises IllegalActionError, and moves no game, if any action is illegal.
        """
        self._actions[:] = actions
        if self.layout.canonical:
            self.games.real_actions(self._actions, self.games.everybody)
        wrong = batch.first_illegal(self.records, self._actions)
        if wrong >= 0:
            raise self.games.illegal(int(wrong), int(self._actions[wrong]))
        after = self._each(_Block.step)
        if self._recorder is not None:
            self._recorder.note(self._actions)
            self._recorder.end(np.flatnonzero(self.done))
            if self.autoreset == "same_step":
                self._recorder.begin(np.flatnonzero(self.done))
        return after

    def snapshot(self) -> NDArray[Any]:
        """A copy of all games; `restore` continues from it exactly."""
        return copied(self.records)

    def restore(self, snapshot: NDArray[Any]) -> Step:
        """Continue from a snapshot of games of these rules."""
        if snapshot.dtype != GAME or snapshot.shape != self.records.shape:
            raise ValueError(
                f"snapshot: {snapshot.shape} of {snapshot.dtype.itemsize}-byte records given; "
                f"allowed: {self.records.shape} of {GAME.itemsize} bytes"
            )
        self.records.view(np.uint8)[:] = snapshot.view(np.uint8)
        if self._recorder is not None:
            self._recorder.drop()
        return self._look()

    def log(self, row: int) -> NDArray[np.int16]:
        """The public events of a game's deal in order: type * 512 + seat * 64 + value."""
        record = self.records[row]
        return record["log"][: record["logged"]]

    def keep_records(
        self, rows: Sequence[int] | NDArray[np.int64], seats: Sequence[str] | None = None
    ) -> None:
        """Record some games from their beginnings on, for `take_records`. No rows: none any more.

        rows: [N] which games; seats: the players' names.
        """
        self._recorder = Recorder(
            self.games, rows, episode=self.episode, skip_forced=self.skip_forced, seats=seats
        )

    def take_records(self) -> list[Record]:
        """The records of the chosen games that were done since the last call, in that order."""
        return [] if self._recorder is None else self._recorder.take()

    def _look(self) -> Step:
        return self._each(_Block.look)

    def _each(self, work: Callable[[_Block], None]) -> Step:
        if self._pool is None:
            work(self._blocks[0])
        else:
            list(self._pool.map(work, self._blocks))
        return Step(self.observation, self.action_mask, self.reward, self.done)


class _Block:
    """Neighbouring games of a `VectorEnv` and their parts of its buffers: one thread's work."""

    def __init__(self, env: VectorEnv, part: slice) -> None:
        self.games = GameBatch.over(env.rules, env.games.table, env.records[part])
        self.layout = layout = env.layout
        self.observation, self.mask = env.observation[part], env.action_mask[part]
        matches, reset = env.episode == "match", env.autoreset == "same_step"
        reward = get_args(Reward).index(env.reward_kind)
        flat, none = self.observation.reshape(-1), np.empty(0, np.float32)
        if flat.dtype == np.uint8:
            rows, floats = flat, none
        else:
            rows, floats = np.empty(layout.size, np.uint8), flat
        self._stepping = (
            self.games.table,
            self.games.records,
            env._actions[part],
            (env.skip_forced, matches, reset, reward),
            env.reward[part],
            env.done[part],
            env.last[part],
            (layout.fixed.reshape(-1), layout.seats, layout.slots, layout.size, layout.canonical),
            rows,
            layout.scale,
            floats,
            self.mask,
        )

    def step(self) -> None:
        batch.vector_step(*self._stepping)
        if self.layout.advice:
            self.games.advise(
                self.layout, self.games.everybody, self.games.records["seat"], self.observation
            )

    def look(self) -> None:
        self.games.observe(self.layout, out=self.observation)
        self.games.masks(canonical=self.layout.canonical, out=self.mask)


def state_size(rules: Rules, layout: Layout) -> int:
    """Numbers in a row of `full_states`."""
    return layout.size + (rules.players + 2) * 54 + rules.players


def full_states(games: GameBatch, layout: Layout) -> NDArray[np.uint8]:
    """Everything there is in each game, hidden cards too: for critics, never for players.

    [B, state_size] uint8: seat 0's row (in real suits), the hands of seats 0 … P-1, the kitty, the
    cards picked so far (54 counts each), and the mover as one-hot.
    """
    records, players = games.records, games.players
    plain = Layout(games.rules, layout.kind) if layout.canonical else layout
    seen = games.observe(plain, seats=np.zeros(len(games), np.int64))
    planes = np.concatenate(
        [records["hand"][:, :players], records["kitty"][:, None], records["pick"][:, None]], axis=1
    )
    counts = (planes[..., None] >> np.arange(54) & 1).sum(axis=2).astype(np.uint8)
    mover = (records["seat"][:, None] == np.arange(players)).astype(np.uint8)
    return np.concatenate([seen, counts.reshape(len(games), -1), mover], axis=1)

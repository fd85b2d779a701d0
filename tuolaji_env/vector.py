"""Many games at once: `GameBatch`, a batch of any use, and `VectorEnv`, the training face.

Both hold an array of game records (`core/record.py`) and hand it to compiled loops. Neither
contains a rule.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .core import batch, see
from .core.record import ACTIONS, GAME, OVER, new_games
from .core.tables import compile_rules
from .notation import action_text, cards_text
from .observe import Layout, LayoutKind
from .policies import policy_id
from .policies.advise import advise
from .rules import Rules, load_rules

Episode = Literal["deal", "match"]
Reward = Literal["levels", "points", "match"]
Autoreset = Literal["same_step", "disabled"]
DType = Literal["uint8", "float32"]

NUM_ACTIONS = ACTIONS


class IllegalActionError(ValueError):
    """An action that the mover's mask forbids; nothing has changed."""


def check_choice(name: str, value: Any, allowed: Any) -> Any:
    """One of the values of a Literal, or ValueError naming the field and what is allowed."""
    choices = get_args(allowed)
    if value not in choices:
        raise ValueError(f"{name}: {value!r} is not known; allowed: {', '.join(map(str, choices))}")
    return value


def game_seeds(seed: int | None, count: int) -> NDArray[np.int64]:
    """Independent seeds for `count` games, fixed by one number. [count] int64."""
    words = np.random.SeedSequence(seed).generate_state(count, np.uint64)
    return (words >> np.uint64(1)).astype(np.int64)


def mask_text(mask: int) -> str:
    """A mask in notation: the cards and the other actions it allows."""
    cards = cards_text(k for k in range(54) if mask >> k & 1)
    others = [action_text(a) for a in range(54, NUM_ACTIONS) if mask >> a & 1]
    return " ".join([cards, *others]).strip() or "nothing"


class GameBatch:
    """A batch of games of one rule set, as records.

    Attributes: `rules`, `table` (the compiled rules, an array of one), `records` [B] of `GAME`:
    fields are read by name, such as ``games.records["seat"]``.
    """

    def __init__(self, rules: str | Rules, num_games: int) -> None:
        if num_games < 1:
            raise ValueError(f"num_games: {num_games} given; allowed: 1 or more")
        self.rules = load_rules(rules)
        self.table = compile_rules(self.rules)
        self.records = new_games(num_games)
        self.players = self.rules.players
        self.everybody = np.arange(num_games)

    def __len__(self) -> int:
        return len(self.records)

    def begin(
        self,
        seeds: ArrayLike,
        rows: NDArray[np.int64] | None = None,
        episode: Episode = "deal",
        skip_forced: bool = False,
    ) -> None:
        """Begin a deal by itself or a match in some games (all by default). seeds: [N] int64."""
        matches = check_choice("episode", episode, Episode) == "match"
        rows = self.everybody if rows is None else rows
        seeds = np.broadcast_to(np.asarray(seeds, np.int64), rows.shape)
        batch.reset_games(self.table, self.records, rows, np.array(seeds), matches, skip_forced)

    def next_deals(self, rows: NDArray[np.int64]) -> None:
        """Begin the next deal of matches whose deal is over."""
        batch.next_deals(self.table, self.records, rows)

    def step(
        self,
        actions: NDArray[np.int64],
        rows: NDArray[np.int64] | None = None,
        skip_forced: bool = False,
    ) -> None:
        """One action in each of some games; IllegalActionError before one that forbids it."""
        rows = self.everybody if rows is None else rows
        wrong = batch.step_games(self.table, self.records, rows, actions, skip_forced)
        if wrong >= 0:
            raise self.illegal(int(rows[wrong]), int(actions[wrong]))

    def illegal(self, row: int, action: int) -> IllegalActionError:
        """The error that says why an action is not allowed in a game."""
        s = self.records[row]
        what = action_text(action) if 0 <= action < NUM_ACTIONS else "no action"
        picked = cards_text(picked_cards(s))
        return IllegalActionError(
            f"game {row}, seat {s['seat']}: action {action} ({what}) is not allowed; "
            f"picked so far: {picked or 'nothing'}; allowed: {mask_text(int(s['mask']))}"
        )

    def observe(
        self,
        layout: Layout,
        rows: NDArray[np.int64] | None = None,
        seats: NDArray[np.int64] | None = None,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """What seats (by default the movers) see. [N, layout.size] uint8, or as `out` is."""
        rows = self.everybody if rows is None else rows
        if seats is None:
            seats = self.records["seat"][rows]
        if out is None:
            out = np.empty((len(rows), layout.size), np.uint8)
        arguments = (self.table, self.records, rows, seats, layout.fixed.reshape(-1))
        sizes = (layout.seats, layout.slots, layout.canonical)
        flat = out.view()
        flat.shape = (-1,)  # a view or an error, never a copy
        if out.dtype == np.uint8:
            see.see_bytes(*arguments, *sizes, layout.size, flat)
        else:
            scratch = np.empty(layout.size, np.uint8)
            see.see_floats(*arguments, *sizes, layout.scale, scratch, flat)
        if layout.advice:
            policy = policy_id(layout.advice)
            at = layout.segments["advice"].offset
            moving = (self.table, self.records, rows, seats, policy, layout.canonical)
            advise(*moving, at, out)
        return out

    def masks(
        self,
        rows: NDArray[np.int64] | None = None,
        canonical: bool = False,
        out: NDArray[np.int8] | None = None,
    ) -> NDArray[np.int8]:
        """Action masks of the movers. [N, 63] int8."""
        rows = self.everybody if rows is None else rows
        if out is None:
            out = np.empty((len(rows), NUM_ACTIONS), np.int8)
        see.turn_masks(self.records, rows, canonical, out)
        return out

    def real_actions(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Turn actions of the canonical view into real ones, in place."""
        see.turn_actions(self.records, rows, actions)


def picked_cards(record: Any) -> list[int]:
    """The cards picked so far in a game, ascending."""
    return cards_in(record["pick"])


def cards_in(planes: Any) -> list[int]:
    """Cards, ascending, of bit planes [4]."""
    return [k for k in range(54) for j in range(4) if int(planes[j]) >> k & 1]


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
    `reset_rows`; its action is then not read).

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
    ) -> None:
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
        return self._look()

    def reset_rows(self, rows: NDArray[np.int64], seeds: NDArray[np.int64]) -> Step:
        """Begin some games anew. rows, seeds: [N] int64."""
        self.games.begin(seeds, rows, self.episode, self.skip_forced)
        return self._look()

    def step(self, actions: ArrayLike) -> Step:
        """One action in every game. actions: [B] integers.

        Raises IllegalActionError, and moves no game, if any action is illegal.
        """
        self._actions[:] = actions
        if self.layout.canonical:
            self.games.real_actions(self._actions, self.games.everybody)
        wrong = batch.vector_step(
            self.games.table,
            self.records,
            self._actions,
            self.skip_forced,
            self.episode == "match",
            self.autoreset == "same_step",
            get_args(Reward).index(self.reward_kind),
            self.reward,
            self.done,
            self.last,
        )
        if wrong >= 0:
            raise self.games.illegal(int(wrong), int(self._actions[wrong]))
        return self._look()

    def snapshot(self) -> NDArray[Any]:
        """A copy of all games; `restore` continues from it exactly."""
        return self.records.copy()

    def restore(self, snapshot: NDArray[Any]) -> Step:
        """Continue from a snapshot of games of these rules."""
        if snapshot.dtype != GAME or snapshot.shape != self.records.shape:
            raise ValueError(
                f"snapshot: {snapshot.shape} of {snapshot.dtype.itemsize}-byte records given; "
                f"allowed: {self.records.shape} of {GAME.itemsize} bytes"
            )
        self.records[:] = snapshot
        return self._look()

    def log(self, row: int) -> NDArray[np.int16]:
        """The public events of a game's deal in order: type * 512 + seat * 64 + value."""
        record = self.records[row]
        return record["log"][: record["logged"]]

    def _look(self) -> Step:
        self.games.observe(self.layout, out=self.observation)
        self.games.masks(canonical=self.layout.canonical, out=self.action_mask)
        return Step(self.observation, self.action_mask, self.reward, self.done)


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


def is_over(records: NDArray[Any]) -> NDArray[np.bool_]:
    """Which games' deals are over."""
    return records["phase"] == OVER

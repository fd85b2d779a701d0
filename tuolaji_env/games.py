"""`GameBatch`: many games under one set of rules, for any use; helpers of every face.

An array of game records (`core/record.py`) is handed to compiled loops; no rule is here.
"""

from __future__ import annotations

import functools
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .core import batch, see
from .core.record import ACTIONS, OVER, new_games
from .core.tables import compile_rules
from .notation import action_text, cards_text
from .observe import Layout
from .policies import policy_id
from .policies.advise import advise
from .rules import Rules, load_rules

Episode = Literal["deal", "match"]

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


@functools.lru_cache(64)
def _compiled(rules: Rules) -> NDArray[Any]:
    """The rules' tables, which all games of these rules share and none changes."""
    return compile_rules(rules)


class GameBatch:
    """A batch of games of one rule set, as records.

    Attributes: `rules`, `table` (the compiled rules, an array of one), `records` [B] of `GAME`:
    fields are read by name, such as ``games.records["seat"]``.
    """

    def __init__(self, rules: str | Rules, num_games: int) -> None:
        if num_games < 1:
            raise ValueError(f"num_games: {num_games} given; allowed: 1 or more")
        self.rules = load_rules(rules)
        self.table = _compiled(self.rules)
        self.records = new_games(num_games)
        self.players = self.rules.players
        self.everybody = np.arange(num_games)

    @classmethod
    def over(cls, rules: Rules, table: NDArray[Any], records: NDArray[Any]) -> GameBatch:
        """The games that records hold. table: the compiled rules."""
        games = cls.__new__(cls)
        games.rules, games.table, games.records = rules, table, records
        games.players = rules.players
        games.everybody = np.arange(len(records))
        return games

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
        """What seats (by default the movers) see. [N, layout.size] uint8, or as `out` is.

        out: uint8 or float32, contiguous.  Raises ValueError for any other.
        """
        rows = self.everybody if rows is None else rows
        if seats is None:
            seats = self.records["seat"][rows]
        if out is None:
            out = np.empty((len(rows), layout.size), np.uint8)
        arguments = (self.table, self.records, rows, seats, layout.fixed.reshape(-1))
        sizes = (layout.seats, layout.slots, layout.canonical)
        flat = _flat(out, (len(rows), layout.size), (np.uint8, np.float32))
        if out.dtype == np.uint8:
            see.see_bytes(*arguments, *sizes, layout.size, flat)
        else:
            scratch = np.empty(layout.size, np.uint8)
            see.see_floats(*arguments, *sizes, layout.scale, scratch, flat)
        if layout.advice:
            self.advise(layout, rows, seats, out)
        return out

    def advise(
        self,
        layout: Layout,
        rows: NDArray[np.int64],
        seats: NDArray[np.int64],
        out: NDArray[Any],
    ) -> None:
        """Write the last segment of a layout with advice. rows, seats: [N]; out: [N, size]."""
        at, policy = layout.segments["advice"].offset, policy_id(layout.advice)
        advise(self.table, self.records, rows, seats, policy, layout.canonical, at, out)

    def masks(
        self,
        rows: NDArray[np.int64] | None = None,
        canonical: bool = False,
        out: NDArray[np.int8] | None = None,
    ) -> NDArray[np.int8]:
        """Action masks of the movers. [N, 63] int8.

        out: contiguous.  Raises ValueError for any other.
        """
        rows = self.everybody if rows is None else rows
        if out is None:
            out = np.empty((len(rows), NUM_ACTIONS), np.int8)
        flat = _flat(out, (len(rows), NUM_ACTIONS), (np.int8,))
        see.turn_masks(self.records, rows, canonical, flat)
        return out

    def real_actions(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Turn actions of the canonical view into real ones, in place."""
        see.turn_actions(self.records, rows, actions)


def _flat(out: NDArray[Any], shape: tuple[int, int], kinds: tuple[type, ...]) -> NDArray[Any]:
    """An array that kernels write to unchecked, as one row. Raises ValueError if they must not."""
    flags = out.flags
    if out.shape != shape or out.dtype not in kinds or not (flags.c_contiguous and flags.writeable):
        allowed = " or ".join(kind.__name__ for kind in kinds)
        raise ValueError(
            f"out: {out.dtype} {out.shape} given, contiguous: {flags.c_contiguous}, writable: "
            f"{flags.writeable}; allowed: {allowed} {shape}, contiguous and writable"
        )
    return out.reshape(-1)


def picked_cards(record: Any) -> list[int]:
    """The cards picked so far in a game, ascending."""
    return cards_in(record["pick"])


def cards_in(planes: Any) -> list[int]:
    """Cards, ascending, of bit planes [4]."""
    words = [int(word) for word in planes]
    return [k for k in range(54) if words[0] >> k & 1 for word in words if word >> k & 1]


def is_over(records: NDArray[Any]) -> NDArray[np.bool_]:
    """Which games' deals are over."""
    return records["phase"] == OVER

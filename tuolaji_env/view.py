"""What a seat may know, as an object, and worlds that agree with it: for rules of thumb and search.

A `View` is read from a game's record and keeps nothing that its seat may not know: two games that
look alike to a seat give equal views.  `View.worlds` deals the hidden cards anew (R-clauses as in
`core/hidden.py` and `core/facts.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .cards import NUM_KINDS
from .core.facts import FACTS, FOLLOWED
from .core.hidden import HIDDEN
from .core.record import (
    BID,
    HIDDEN_VALUE,
    LEAD,
    LOG_BID,
    LOG_FAIL,
    LOG_PLAY,
    OVER,
    new_games,
    records,
)
from .core.worlds import learn, sample_worlds
from .games import GameBatch, cards_in
from .rules import Rules

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Trick:
    """A trick as the table saw it: who led, each seat's cards in order, whether a throw failed."""

    leader: int
    plays: tuple[tuple[int, Cards], ...]
    failed: bool


def tricks_of(record: Any, players: int) -> tuple[Trick, ...]:
    """All tricks that the log of a game's record tells of, the last of them perhaps under way."""
    log = record["log"][: int(record["logged"])].tolist()
    found, at, failed = [], 0, False
    while at < len(log):
        if log[at] >> 9 != LOG_PLAY:
            failed |= log[at] >> 9 == LOG_FAIL
            at += 1
            continue
        size = 1
        while at + size < len(log) and log[at + size] >> 6 == log[at] >> 6:
            size += 1
        end = min(at + size * players, len(log))
        plays = [
            (log[play] >> 6 & 7, tuple(sorted(entry & 63 for entry in log[play : play + size])))
            for play in range(at, end, size)
        ]
        found.append(Trick(plays[0][0], tuple(plays), failed))
        at, failed = end, False
    return tuple(found)


class Cap(NamedTuple):
    """What following has proven about a seat's cards of an effective suit, as they are now.

    tuples: at most so many kinds with `width` or more copies (-1: not known); tractor: no tractor
    of this width with more links (-1: not known).
    """

    seat: int
    suit: int
    width: int
    tuples: int
    tractor: int


class Worlds(NamedTuple):
    """Games dealt anew: records [N] of `GAME`, and how many break no proven fact."""

    records: NDArray[Any]
    clean: int


class View:
    """What a seat knows of a game.

    Kinds are numbers 0..53, suits 0..4 with trump 4, seats absolute.  `record` is the game's
    record with everything hidden blanked out.
    """

    def __init__(self, games: GameBatch, row: int, seat: int) -> None:
        if not 0 <= seat < games.players:
            raise ValueError(f"seat: {seat} given; allowed: 0 to {games.players - 1}")
        self.rules: Rules = games.rules
        self.table = games.table
        self.seat = seat
        self.records = new_games(1)
        self.records[0] = games.records[row]
        self.record: Any = self.records[0]
        _blank(self.record, self.rules, seat)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and (self.rules, self.seat) == (other.rules, other.seat)
            and bytes(self.record) == bytes(other.record)
        )

    __hash__ = None  # type: ignore[assignment]

    # --- cards ----------------------------------------------------------------------------------

    @property
    def hand(self) -> Cards:
        """Own cards, ascending."""
        return tuple(cards_in(self.record["hand"][self.seat]))

    @property
    def picked(self) -> Cards:
        """Cards picked so far for the own decision."""
        return tuple(cards_in(self.record["pick"]))

    @property
    def kitty(self) -> Cards | None:
        """The kitty, if this seat buried it."""
        if int(self.record["burier"]) != self.seat:
            return None
        return tuple(cards_in(self.record["kitty"]))

    @property
    def unseen(self) -> Cards:
        """Cards in other hands, in a kitty that the seat does not know, or still to be drawn."""
        s, kinds = self.record, NUM_KINDS if self.rules.jokers else NUM_KINDS - 2
        counts = np.full(kinds, self.rules.decks)
        for planes in (s["gone"], s["hand"][self.seat], s["kitty"]):
            counts -= (planes[:, None] >> np.arange(kinds) & 1).sum(axis=0)
        return tuple(np.repeat(np.arange(kinds), np.maximum(counts, 0)).tolist())

    def held(self, seat: int) -> int:
        """Cards that a seat holds."""
        return int(self.record["held"][seat])

    def shown(self, seat: int) -> Cards:
        """Cards that a seat has shown in bids, most copies at once; hidden ones are left out."""
        if self._veiled(seat):
            return ()
        return tuple(cards_in(self.record["shown"][seat]))

    def exposed(self, seat: int) -> Cards:
        """Cards seen in a seat's failed throws and still held."""
        return tuple(cards_in(self.record["exposed"][seat]))

    def _veiled(self, seat: int) -> bool:
        hidden = self.rules.hidden_bids and int(self.record["phase"]) == BID
        return hidden and seat != self.seat

    # --- what happened --------------------------------------------------------------------------

    @property
    def bids(self) -> tuple[tuple[int, int], ...]:
        """Cards shown in bids, in order: (seat, kind), kind -1 where it is hidden."""
        entries = self.record["log"][: int(self.record["logged"])].tolist()
        shown = [(e >> 6 & 7, e & 63) for e in entries if e >> 9 == LOG_BID]
        return tuple((seat, -1 if kind == HIDDEN_VALUE else kind) for seat, kind in shown)

    @cached_property
    def tricks(self) -> tuple[Trick, ...]:
        """All tricks of this deal, the last of them perhaps under way."""
        return tricks_of(self.record, self.rules.players)

    def voids(self, seat: int) -> frozenset[int]:
        """Effective suits that a seat has shown to lack."""
        return frozenset(u for u in range(5) if int(self.record["void"][seat]) >> u & 1)

    @cached_property
    def caps(self) -> tuple[Cap, ...]:
        """What following has proven about tuples and tractors in other hands."""
        found: dict[tuple[int, int, int], tuple[int, int]] = {}
        for seat, suit, width, tuples, tractor in self._proofs():
            before = found.get((seat, suit, width), (-1, -1))
            both = zip(before, (tuples, tractor), strict=True)
            a, b = (max(pair) if min(pair) < 0 else min(pair) for pair in both)
            found[seat, suit, width] = a, b
        return tuple(Cap(*key, *most) for key, most in sorted(found.items()))

    def _proofs(self) -> Iterator[Cap]:
        """The caps of each follow of a single unit (R6.2-R6.4); none where wider is protected."""
        facts, rules = self._facts[0], self.rules
        link = self.table[0]["link"][int(self.record["combo"])]
        for i in range(int(facts["facts"]) if not rules.protect_wider else 0):
            shape = facts["shape"][i].tolist()
            if facts["what"][i] != FOLLOWED or shape[0] + sum(shape[1:5]) != 1:
                continue
            who, suit = int(facts["who"][i]), int(facts["suit"][i])
            lead, length = (shape[5], shape[6]) if shape[0] else (_width(shape), 1)
            play = cards_in(facts["play"][i])
            for width in range(2, lead + 1):
                kinds = [k for k in {*play} if play.count(k) >= width]
                run = _longest_run({int(link[k]) for k in kinds})
                tuples = 0 if sum(play.count(k) // width for k in kinds) < length else -1
                tractor = -1
                if width == lead and length > 1 and rules.follow == "longest" and run < length:
                    tractor = max(run, 1)
                if (tuples, tractor) != (-1, -1):
                    yield Cap(who, suit, width, tuples, tractor)

    @cached_property
    def _facts(self) -> NDArray[Any]:
        facts = records(1, FACTS)
        learn(self.table, self.records, self.seat, facts, new_games(1))
        return facts

    # --- worlds ---------------------------------------------------------------------------------

    def worlds(self, n: int, seed: int = 0, tries: int = 1000) -> Worlds:
        """Games that agree with all of this, the hidden cards dealt anew.

        All deals of physical cards that keep to hand sizes, voids, and cards known to be held are
        equally likely; those that contradict what follows and throws have proven (`core/facts.py`)
        are drawn again, up to `tries` times, after which the least contradictory is taken.
        Raises ValueError where the seat cannot know what is going on (another's bid, the deal
        over), or where nothing fits.
        """
        s = self.record
        if int(s["phase"]) == OVER:
            raise ValueError("worlds: the deal is over; nothing is hidden")
        if int(s["phase"]) == BID and int(s["seat"]) != self.seat:
            raise ValueError("worlds: while others are asked for bids, only they can be asked for")
        out = new_games(n)
        made, clean = sample_worlds(
            self.table,
            self.records,
            0,
            self.seat,
            records(1, HIDDEN),
            records(1, FACTS),
            new_games(1),
            seed,
            tries,
            out,
        )
        if made < n:
            raise ValueError("worlds: no deal agrees with what the seat knows")
        return Worlds(out, int(clean))


def determinize(
    games: GameBatch, row: int, seat: int, n: int, seed: int = 0, tries: int = 1000
) -> NDArray[Any]:
    """`n` records of games that agree with what a seat knows of one (`View.worlds`)."""
    return View(games, row, seat).worlds(n, seed, tries).records


def _width(shape: list[int]) -> int:
    return next((w for w in range(4, 0, -1) if shape[w]), 0)


def _longest_run(links: set[int]) -> int:
    best = 0
    for start in links - {-1}:
        length = 1
        while start + length in links:
            length += 1
        best = max(best, length)
    return best


def _blank(s: Any, rules: Rules, seat: int) -> None:
    """Blank out what a seat cannot know of a record, in place."""
    bidding, mine = int(s["phase"]) == BID, int(s["seat"]) == seat
    others = [p for p in range(len(s["hand"])) if p != seat]
    s["hand"][others] = 0
    s["bid_best"][others] = 0
    s["bid_passed"], s["bid_turn"], s["seed"], s["counter"] = 0, 0, 0, 0
    if int(s["burier"]) != seat:
        s["kitty"] = 0
    s["deck"] = 0
    if not mine:
        s["pick"], s["picked"], s["last"], s["mask"], s["lawful"] = 0, 0, -1, 0, 0
        s["owed"], s["owned"], s["owed_cards"], s["broke"] = 0, 0, 0, 0
        if int(s["phase"]) < LEAD:
            s["count"] = 0
    s["steps"] = 0  # passes while drawing count, and leave no trace
    s["moved"] = 0
    if int(s["phase"]) == LEAD and int(s["picked"]) == 0:
        s["suit"] = 0  # that of the trick before
    if bidding and not mine:
        # who is being asked, and how many cards are drawn, is not told
        s["seat"], s["drawing"] = -1, 0
        if int(s["burier"]) < 0:
            s["drawn"], s["held"] = 0, s["held"][seat]
    if bidding and rules.hidden_bids:
        if int(s["bid_seat"]) not in (-1, seat):
            s["bid_kind"], s["bid_trump"] = -1, -1
        if int(s["single_seat"]) != seat:
            s["single_kind"] = -1
        for p in others:
            planes = np.zeros_like(s["shown"][p])
            kind = int(s["level_rank"])
            jokers = s["shown"][p] & (3 << 52)
            count = sum(int(plane & ((1 << 52) - 1)).bit_count() for plane in s["shown"][p])
            for copy in range(count):
                planes[copy % 4] |= 1 << (kind + 13 * (copy // 4))
            s["shown"][p] = planes | jokers
            s["told"][p] &= 0xFFFF << 32  # the jokers
    for name in s.dtype.names:
        if name.startswith(("w_", "unit")):
            s[name] = 0

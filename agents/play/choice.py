"""Which cards may still be added to a selection, in whatever order they are picked.

The core builds a play card by card in ascending kinds, and its mask is exact for that order only.
A hand at a table is sorted otherwise, and people pick as they like.  So the legal plays of a
decision are put into a few *bounds*: the cards that a play must hold, those that it may hold, and
its size.  A play is legal if it keeps to one of them (under `throws: certain` it is part of a
legal one); whether it is whole, the core says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.cards import NUM_KINDS, cards_of, counts_of
from tuolaji_env.core import batch
from tuolaji_env.core.record import BURY, END, FOLLOW, LEAD, copied
from tuolaji_env.core.walk import MAX_PATH, walk
from tuolaji_env.core.worlds import rewind
from tuolaji_env.games import GameBatch, cards_in

Counts = NDArray[np.int64]  # copies of each kind, [54]

_OFF, _CERTAIN, _ATTEMPT = range(3)  # `throws` as the core counts them


class Choice(NamedTuple):
    """addable: kinds of which one more card may be added, ascending; whole: whether the selection
    is a legal play; possible: whether it is one, or part of one.
    """

    addable: tuple[int, ...]
    whole: bool
    possible: bool


class Choices:
    """The bury, lead or follow that the mover of games[0] is about to make.

    Raises ValueError in another phase: bids and calls are made whole.
    """

    def __init__(self, games: GameBatch) -> None:
        self.table, self.records = games.table, copied(games.records[:1])
        self.phase = int(self.records[0]["phase"])
        if self.phase not in (BURY, LEAD, FOLLOW):
            raise ValueError("Choices: bids and calls are made whole; allowed: bury, lead, follow")
        rewind(self.table, self.records)
        bounds = list(self._bounds())
        self._least = np.array([least for least, _, _ in bounds])  # [N, 54]
        self._most = np.array([most for _, most, _ in bounds])  # [N, 54]
        self._size = np.array([size for _, _, size in bounds])  # [N]

    def of(self, selection: Iterable[int]) -> Choice:
        """What may become of some cards of the hand, kinds in any order."""
        cards = sorted(selection)
        chosen = counts_of(cards).astype(np.int64)
        within = (chosen <= self._most).all(axis=1)
        needed = np.maximum(self._least, chosen).sum(axis=1)
        within &= needed <= self._size
        if not within.any():
            return Choice((), False, False)
        least, most, room = self._least[within], self._most[within], (self._size - needed)[within]
        more = (chosen < most) & ((chosen < least) | (room > 0)[:, None])
        addable = tuple(np.flatnonzero(more.any(axis=0)).tolist())
        return Choice(addable, self._whole(cards), True)

    def example(self) -> list[int]:
        """Some cards that every play of the first kind must hold, ascending."""
        return _cards(self._least[0])

    def only(self) -> list[int] | None:
        """The cards of the play, if there is but one."""
        plays = _walk(self.table, self.records, 2)
        return _cards(plays[0]) if len(plays) == 1 else None

    def _whole(self, cards: list[int]) -> bool:
        """Whether some cards are a legal play."""
        return _legal(self.table, self.records, cards)

    def _bounds(self) -> Iterator[tuple[Counts, Counts, int]]:
        """Cards that a play must hold, those it may hold, and its size (leads: at most)."""
        s = self.records[0]
        hand = _counts(s["hand"][int(s["seat"])])
        if self.phase == LEAD:
            yield from self._leads(hand)
            return
        count, nothing = int(s["count"]), np.zeros(NUM_KINDS, np.int64)
        if self.phase == BURY:
            yield nothing, hand, count
            return
        suit = hand * self._in_suit(int(s["suit"]))
        forfeit = bool(self.table[0]["forfeit"])  # R10.5: the mask allows any cards
        if forfeit or int(suit.sum()) <= count:
            yield nothing if forfeit else suit, hand, count
        elif count == 1 or int(s["owed_cards"]) == 0:
            yield nothing, suit, count
        else:
            protect = bool(self.table[0]["protect_wider"])
            for core in self._cores():
                yield core, np.where(core > 0, core, suit) if protect else suit, count

    def _in_suit(self, suit: int) -> NDArray[np.int64]:
        return (self.table[0]["suit_of"][int(self.records[0]["combo"])] == suit).astype(np.int64)

    def _cores(self) -> list[Counts]:
        """The sets of cards that are what the lead asks for (P* of R6.2) and nothing else."""
        records = copied(self.records)
        s = records[0]
        s["count"], s["lead_shape"][1] = s["owed_cards"], 0  # single cards ask for nothing
        rewind(self.table, records)
        return _plays(self.table, records)

    def _leads(self, hand: Counts) -> Iterator[tuple[Counts, Counts, int]]:
        throws = int(self.table[0]["throws"])
        if throws == _ATTEMPT:
            nothing = np.zeros(NUM_KINDS, np.int64)
            for suit in range(5):
                cards = hand * self._in_suit(suit)
                yield nothing, cards, int(cards.sum())
            return
        table = copied(self.table)
        table[0]["throws"] = _OFF
        units = _plays(table, self.records)
        for unit in units:
            yield unit, unit, int(unit.sum())
        if throws == _CERTAIN:
            yield from self._certain_throws(units)

    def _certain_throws(self, units: list[Counts]) -> Iterator[tuple[Counts, Counts, int]]:
        """R5.2 goes kind by kind: all cards of a suit that stand make the largest throw."""
        tuples = [unit for unit in units if np.count_nonzero(unit) == 1]
        whole = {unit.tobytes() for unit in units}
        for suit in range(5):
            largest = np.zeros(NUM_KINDS, np.int64)
            own = [each for each in tuples if (each * self._in_suit(suit)).any()]
            for a, b in combinations(own, 2):
                both = a + b
                kinds = np.flatnonzero(both)
                if len(kinds) == 1 or both.tobytes() in whole:
                    continue
                if self._whole(_cards(both)):
                    largest = np.maximum(largest, both)
            yield np.zeros(NUM_KINDS, np.int64), largest, int(largest.sum())


def _legal(table: NDArray[Any], records: NDArray[Any], cards: list[int]) -> bool:
    """Whether some cards, ascending, are a legal bury, lead or follow, nothing being picked."""
    s = records[0]
    actions = [*cards, END] if int(s["phase"]) == LEAD else cards
    if not cards or (int(s["phase"]) != LEAD and len(cards) != int(s["count"])):
        return False
    trial = copied(records)
    steps = np.array(actions, np.int64)
    *before, last = steps
    rows = np.zeros(len(before), np.int64)
    if batch.step_games(table, trial, rows, np.array(before, np.int64), False) >= 0:
        return False
    return bool(int(trial[0]["mask"]) >> int(last) & 1)


def _plays(table: NDArray[Any], records: NDArray[Any]) -> list[Counts]:
    """All legal plays of a decision, as cards."""
    limit = 1 << 9
    while len(plays := _walk(table, records, limit)) == limit:
        limit *= 4
    return plays


def _walk(table: NDArray[Any], records: NDArray[Any], limit: int) -> list[Counts]:
    paths, lengths = np.empty((limit, MAX_PATH), np.int8), np.empty(limit, np.int64)
    found = walk(table, records, paths, lengths, np.empty(MAX_PATH, np.int64))
    rows = (path[:length].tolist() for path, length in zip(paths, lengths[:found], strict=False))
    return [counts_of(a for a in row if a < END).astype(np.int64) for row in rows]


def _counts(planes: Any) -> Counts:
    return counts_of(cards_in(planes)).astype(np.int64)


def _cards(counts: Counts) -> list[int]:
    return list(cards_of(counts))

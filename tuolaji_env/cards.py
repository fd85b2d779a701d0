"""Cards as numbers (R1.1, R1.2): kinds, suits and ranks, their names, points, and counts.

A *kind* is a face, ``13 * suit + rank``: suits ♦0 ♣1 ♥2 ♠3, ranks 2 … A as 0 … 12, small joker 52,
big joker 53. A set of cards is an ascending tuple of kinds, copies repeated, or an array of copies
by kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

import numpy as np

from .core import record

RankName = Literal["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
LevelName = Literal[RankName, "NT"]

RANK_NAMES: tuple[RankName, ...] = get_args(RankName)
#: By level: the ranks, then no trump (R2.1).
LEVEL_NAMES: tuple[LevelName, ...] = get_args(LevelName)
SUIT_NAMES = ("diamonds", "clubs", "hearts", "spades")

NUM_KINDS: int = record.KINDS
NUM_RANKS = len(RANK_NAMES)
NUM_SUITS = len(SUIT_NAMES)
DIAMONDS, CLUBS, HEARTS, SPADES = range(NUM_SUITS)
SMALL_JOKER: int = record.SMALL_JOKER
BIG_JOKER: int = record.BIG_JOKER

TRUMP: int = record.TRUMP  # as an effective suit, after 0 … 3
NO_TRUMP: int = record.NO_TRUMP  # as a deal's trump, after 0 … 3
NO_LEVEL: int = record.NO_LEVEL  # as a deal's level rank, after 0 … 12: the level NT

#: Points of each kind.
POINTS = np.zeros(NUM_KINDS, np.int64)  # [54] int64
for _rank, _points in (("5", 5), ("10", 10), ("K", 10)):
    POINTS[RANK_NAMES.index(_rank) : SMALL_JOKER : NUM_RANKS] = _points
POINTS.flags.writeable = False


def kind_of(suit: int, rank: int) -> int:
    """The kind of a suit (0 … 3) and a rank (0 … 12). Jokers have neither."""
    return NUM_RANKS * suit + rank


def suit_of(kind: int) -> int | None:
    """The suit printed on a kind, 0 … 3; None for jokers. Whether it is trump is R3.4's matter."""
    return kind // NUM_RANKS if kind < SMALL_JOKER else None


def rank_of(kind: int) -> int | None:
    """The rank printed on a kind, 0 … 12; None for jokers."""
    return kind % NUM_RANKS if kind < SMALL_JOKER else None


def points_of(cards: Iterable[int]) -> int:
    """The points of some cards."""
    return sum(int(POINTS[kind]) for kind in cards)


def counts_of(cards: Iterable[int]) -> np.ndarray[Any, np.dtype[np.int8]]:
    """The copies by kind, of cards in any order."""
    kinds = np.fromiter(cards, np.int64)
    return np.bincount(kinds, minlength=NUM_KINDS).astype(np.int8)  # [54] int8


def cards_of(counts: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """The cards, ascending, of which there are ``counts`` copies by kind."""
    return tuple(np.repeat(np.arange(NUM_KINDS), counts).tolist())

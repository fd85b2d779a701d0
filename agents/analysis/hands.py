"""Numbers about hands: copies of each kind, trumps by what would be trump, pairs, points, voids."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.cards import NUM_KINDS, NUM_RANKS, NUM_SUITS, POINTS, SMALL_JOKER, TRUMP

#: By combo (level rank * 5 + trump) and effective suit, whether a kind is of it. [70, 5, 54].
Suits = NDArray[np.bool_]


def copies(planes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Copies of each kind in sets of cards as the core keeps them. planes: [N, 4]; [N, 54]."""
    bits = planes[:, :, None] >> np.arange(NUM_KINDS) & 1
    counts: NDArray[np.int64] = bits.sum(axis=1)
    return counts


def effective_suits(table: NDArray[Any]) -> Suits:
    """Which kinds are of each effective suit (♦ ♣ ♥ ♠ trump), by compiled rules."""
    bits = table[0]["suit_kinds"][:, :, None] >> np.arange(NUM_KINDS) & 1
    suits: Suits = bits.astype(np.bool_)
    return suits


def trumps(hands: NDArray[np.int64], suits: Suits, combo: NDArray[np.int64]) -> NDArray[np.int64]:
    """Trumps in each hand. hands: [N, 54]; combo: [N]; returns [N] cards."""
    count: NDArray[np.int64] = (hands * suits[combo, TRUMP]).sum(axis=1)
    return count


def trump_pairs(
    hands: NDArray[np.int64], suits: Suits, combo: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Pairs among the trumps: two copies of a kind, four count twice. [N] pairs."""
    count: NDArray[np.int64] = (hands // 2 * suits[combo, TRUMP]).sum(axis=1)
    return count


def jokers(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Jokers in each hand. [N] cards."""
    count: NDArray[np.int64] = hands[:, SMALL_JOKER:].sum(axis=1)
    return count


def level_cards(hands: NDArray[np.int64], rank: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cards of the level rank in each hand, of all suits; none at level NT. rank: [N]; [N]."""
    kinds = np.arange(NUM_KINDS)
    of_rank = (kinds % NUM_RANKS == rank[:, None]) & (kinds < SMALL_JOKER)
    count: NDArray[np.int64] = (hands * of_rank).sum(axis=1)
    return count


def points(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Points in each set of cards. [N] points."""
    count: NDArray[np.int64] = hands @ POINTS
    return count


def side_lengths(
    hands: NDArray[np.int64], suits: Suits, combo: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Cards of each side suit, 0 for the trump suit, whose cards are trumps. [N, 4] cards."""
    lengths = [(hands * suits[combo, suit]).sum(axis=1) for suit in range(NUM_SUITS)]
    return np.stack(lengths, axis=1)

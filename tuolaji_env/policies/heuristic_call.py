"""Whom `heuristic` calls for a friend (R9.1): holders of top cards of suits that it can lead."""

from __future__ import annotations

from ..core.jit import inline, kernel, lowest
from ..core.planes import copies, total
from ..core.record import ORDINAL
from .greedy import KINDS_MASK
from .heuristic_worth import CALL_HELD, CALL_RANK


@inline
def suit_to_reach(held):
    """How well a suit of so many cards reaches a friend: few losers to lead to the top card."""
    return held if held < 4 else 8 - held


@kernel
def call_worth(R, s, k):
    """How good a card is to call."""
    hand, suit = s.hand[s.seat], R.suit_of[s.combo, k]
    worth = CALL_RANK * R.power[s.combo, k] - CALL_HELD * copies(hand, k)
    return worth + suit_to_reach(total(hand, R.suit_kinds[s.combo, suit]))


@kernel
def _best_kind(R, s, kinds):
    best, most = lowest(kinds), -(1 << 40)
    while kinds:
        k = lowest(kinds)
        kinds &= kinds - 1
        worth = call_worth(R, s, k)
        if worth > most:
            best, most = k, worth
    return best


@kernel
def plan_call(R, s, mask):
    """The next action of a call: the best cards, each of another kind, the lower one first.

    Calls must go up.  The ordinal named is the first that the caller does not play himself.
    """
    kinds = mask & KINDS_MASK
    if kinds == 0:
        own = copies(s.hand[s.seat], s.last)
        later = mask & -(1 << (ORDINAL + own))
        return lowest(later) if later else lowest(mask)
    for i in range(s.calls):
        others = kinds & ~(1 << s.call_kind[i])
        kinds = others if others else kinds
    first = 64
    for _ in range(R.friends - s.calls):
        if kinds:
            best = _best_kind(R, s, kinds)
            kinds &= ~(1 << best)
            first = min(first, best)
    return first

"""What cards are worth to `greedy`: small numbers by which plays of one purpose are compared."""

from __future__ import annotations

from ..core.jit import inline
from ..core.record import TRUMP

# What a follow is for: to be rid of the least, to give points, to take the trick.
LOW, FEED, WIN = range(3)


@inline
def strength(R, combo, kind):
    """How good a card is to have: its place in a side suit; more for trumps."""
    power = R.power[combo, kind]
    if R.suit_of[combo, kind] == TRUMP:
        return 14 + 2 * power
    return power + 10 if R.higher[combo, kind] == 0 else power


@inline
def play_cost(R, combo, kind, purpose):
    """What it costs to play a card for a purpose."""
    worth = R.points[kind]
    if purpose == FEED:
        return strength(R, combo, kind) - 4 * worth
    if purpose == LOW:
        return strength(R, combo, kind) + 3 * worth
    return strength(R, combo, kind) - worth


@inline
def bury_cost(R, combo, kind, held):
    """What it costs to bury one of so many copies of a card."""
    power = R.power[combo, kind]
    if R.suit_of[combo, kind] == TRUMP:
        return 100 + 3 * power + R.points[kind]
    cost = power + 2 * R.points[kind]
    if R.higher[combo, kind] == 0:
        cost += 40
    return cost + 10 * (held > 1)

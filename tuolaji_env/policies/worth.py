"""What cards are worth to `greedy`: small numbers by which plays of one purpose are compared."""

from __future__ import annotations

from ..core.jit import inline, kernel, lowest
from ..core.planes import copies
from ..core.record import TRUMP

# What a play is for: to be rid of the least, to give points, to take the trick.  Each is the rate
# at which points are given (`fit.price`).
LOW, FEED, WIN = -3 * 128, 4 * 128, 128
BREAKS = 5, 6, 0  # a pair is broken late


@inline
def strength(R, combo, kind):
    """How good a card is to have: its place in a side suit; more for trumps."""
    power = R.power[combo, kind]
    if R.suit_of[combo, kind] == TRUMP:
        return 14 + 2 * power
    return power + 10 if R.higher[combo, kind] == 0 else power


@kernel
def weigh_play(R, s):
    """Fill the table of `fit` for the mover's hand."""
    rest = s.hand[s.seat, 0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        s.unit_kinds[k] = strength(R, s.combo, k)


@inline
def play_cost(R, combo, kind, purpose):
    """What it costs to play a card for a purpose."""
    return strength(R, combo, kind) - (R.points[kind] * purpose >> 7)


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


@kernel
def weigh_burial(R, s):
    """Fill the table of `fit` with what it costs to bury each card of the mover's hand."""
    hand = s.hand[s.seat]
    rest = hand[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        s.unit_kinds[k] = bury_cost(R, s.combo, k, copies(hand, k))

"""What `heuristic` buries (R8.7): whole side suits if cheap, winners and pairs kept."""

from __future__ import annotations

from ..core.jit import inline, kernel, lowest, popcount
from ..core.planes import copies, total
from ..core.record import TRUMP
from .bury import cheapest_burial
from .count import planes_of
from .fit import ALL_KINDS, finish_cheaply, strays
from .heuristic_worth import (
    BURY_PAIR,
    BURY_POINTS,
    BURY_POINTS_WITH_FRIENDS,
    BURY_RANK,
    BURY_STRONG,
    BURY_STRONG_WITH_FRIENDS,
    BURY_TOP,
    BURY_TRUMP,
    BURY_VOID,
)


@kernel
def bury_points(R, s):
    """Price of a buried point, in eighths: the stronger the trumps, the safer the last trick."""
    kinds = R.suit_kinds[s.combo, TRUMP]
    trumps = total(s.hand[s.seat], kinds)
    fair = s.held[s.seat] * popcount(kinds) * R.decks // R.deck_size
    if R.friends:  # many seats may take the last trick
        return BURY_POINTS_WITH_FRIENDS - BURY_STRONG_WITH_FRIENDS * (trumps - fair) // 4
    return BURY_POINTS - BURY_STRONG * (trumps - fair) // 4


@inline
def bury_cost(R, s, k, held, point):
    """What it costs to bury one of so many copies of a card."""
    power = R.power[s.combo, k]
    if R.suit_of[s.combo, k] == TRUMP:
        return BURY_TRUMP + 3 * power + R.points[k]
    cost = power * BURY_RANK // 8 + point * R.points[k] // 8
    if R.higher[s.combo, k] == 0:
        cost += BURY_TOP
    return cost + (BURY_PAIR if held > 1 else 0)


@kernel
def plan_bury(R, s):
    """The cards to bury: the best that hold what is picked."""
    hand = s.hand[s.seat]
    point = bury_points(R, s)
    rest = hand[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        s.unit_kinds[k] = bury_cost(R, s, k, copies(hand, k), point)
    plan = cheapest_burial(R, s, BURY_VOID)
    return finish_cheaply(R, s, planes_of(s.pick), ALL_KINDS, 0) if strays(s, plan) else plan

"""What `heuristic` buries (R8.7): whole side suits if cheap, winners and pairs kept."""

from __future__ import annotations

from ..core.jit import inline, kernel, lowest, popcount
from ..core.planes import copies, total
from ..core.record import TRUMP
from .count import NOTHING, with_copies
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
def _by_cost(R, s):
    """Sort the kinds in hand, cheapest to bury first, into `w_tops`; their number.

    The costs go to `unit_kinds`, by kind.
    """
    hand, order, cost = s.hand[s.seat], s.w_tops, s.unit_kinds
    point = bury_points(R, s)
    n = 0
    rest = hand[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        cost[k] = bury_cost(R, s, k, copies(hand, k), point)
        i = n
        while i > 0 and cost[order[i - 1]] > cost[k]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = k
        n += 1
    return n


@kernel
def plan_bury(R, s):
    """The cards to bury: some side suits wholly, then the cheapest cards, at least cost."""
    combo, hand = s.combo, s.hand[s.seat]
    kinds = _by_cost(R, s)
    best, best_cost = NOTHING, 1 << 40
    for voided in range(16):
        gone, cost = 0, 0
        for suit in range(4):
            if (voided >> suit) & 1:
                gone |= R.suit_kinds[combo, suit]
                cost -= BURY_VOID
        plan, room = NOTHING, s.count - total(hand, gone)
        for i in range(kinds if room >= 0 else 0):
            k = s.w_tops[i]
            held = copies(hand, k)
            n = held if (gone >> k) & 1 else min(held, room)
            if n:
                plan = with_copies(plan, k, n)
                cost += n * s.unit_kinds[k]
                room -= 0 if (gone >> k) & 1 else n
        if room == 0 and cost < best_cost:
            best, best_cost = plan, cost
    return best

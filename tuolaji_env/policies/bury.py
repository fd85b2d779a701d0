"""The cheapest burial by a table of costs, some suits buried wholly (R8.7)."""

from __future__ import annotations

from ..core.jit import kernel, lowest
from ..core.planes import copies, total
from .count import NOTHING, with_copies


@kernel
def _by_cost(s):
    """Sort the kinds in the mover's hand, cheapest first, into `w_tops`; their number."""
    order, cost = s.w_tops, s.unit_kinds
    n = 0
    rest = s.hand[s.seat, 0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        i = n
        while i > 0 and cost[order[i - 1]] > cost[k]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = k
        n += 1
    return n


@kernel
def cheapest_burial(R, s, void_worth):
    """The cards to bury: some side suits wholly, then the cheapest cards, at least cost.

    What each card costs lies in `unit_kinds`, by kind; void_worth: what a void takes off.
    """
    combo, hand = s.combo, s.hand[s.seat]
    kinds = _by_cost(s)
    best, best_cost = NOTHING, 1 << 40
    for voided in range(16):
        gone, cost = 0, 0
        for suit in range(4):
            if (voided >> suit) & 1:
                gone |= R.suit_kinds[combo, suit]
                cost -= void_worth
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

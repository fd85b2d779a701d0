"""The cheapest cards that make a play of some form, by the prices of `heuristic_keep`."""

from __future__ import annotations

from ..core.jit import kernel, lowest
from ..core.planes import copies, put, total
from ..core.record import PLANES
from ..core.shapes import FREE, place_next, top_of
from .count import NOTHING, planes_of, with_copies, without
from .heuristic_keep import plan_price, price
from .heuristic_worth import BREAK

DEAR = 1 << 40
_WAYS = 24  # placements of tractors looked at


@kernel
def cheapest_cards(R, s, planes, plan, count, rate):
    """A plan with the cheapest `count` cards of `planes` added; pairs are broken late."""
    for _ in range(count):
        best, least = -1, DEAR
        rest = planes[0]
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            left = copies(planes, k) - copies(plan, k)
            if left:
                cost = price(R, s, k, rate) + (BREAK if left > 1 else 0)
                if cost < least:
                    best, least = k, cost
        if best < 0:
            break
        plan = with_copies(plan, best, copies(plan, best) + 1)
    return plan


@kernel
def _cheapest_tuple(R, s, free, width, rate, above):
    """The kind of the cheapest tuple with a power above `above`; -1: none."""
    kind, least = -1, DEAR
    rest = free[width - 1]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        if R.power[s.combo, k] > above:
            cost = width * price(R, s, k, rate) + (BREAK if copies(free, k) > width else 0)
            if cost < least:
                kind, least = k, cost
    return kind


@kernel
def cheapest_shape(R, s, shape, suit, count, rate, above):
    """The cheapest play of `count` cards of a suit that holds a shape, its main unit above a top.

    Returns planes and the main unit's top; `NOTHING` if there is none.
    """
    combo = s.combo
    put(s.w_have, s.hand[s.seat], R.suit_kinds[combo, suit])
    best, best_cost, best_top = NOTHING, DEAR, -1
    fresh, ways = True, 0
    while ways < _WAYS and place_next(R, s, combo, suit, shape, FREE, fresh):
        fresh = False
        ways += 1
        plan, free = planes_of(s.w_need), planes_of(s.w_left)
        ok, main_top = True, -1
        if shape[0]:
            run = 0
            for i in range(shape[6]):
                run |= 1 << s.w_kind[i]
            main_top = top_of(R, combo, run, True)
            ok = main_top > above
        first = shape[0] == 0  # the main unit is still to be chosen
        for width in range(PLANES, 0, -1):
            for _ in range(shape[width] if ok else 0):
                kind = _cheapest_tuple(R, s, free, width, rate, above if first else -1)
                if kind < 0:
                    ok = False
                    break
                if first:
                    main_top = R.power[combo, kind]
                first = False
                plan = with_copies(plan, kind, copies(plan, kind) + width)
                free = without(free, kind, width)
        if ok:
            plan = cheapest_cards(R, s, planes_of(s.w_have), plan, count - total(plan, -1), rate)
            cost = plan_price(R, s, plan, rate)
            if cost < best_cost:
                best, best_cost, best_top = plan, cost, main_top
        if shape[0] == 0:
            break
    return best, best_top

"""The cheapest cards that make a play of some form: for every player who puts a price on each card.

What cards are worth to keep lies in the working row `unit_kinds`, indexed by kind, which the core
fills only while a lead is decomposed; each policy has its own.  `breaks` is what it costs to leave
a copy of a kind behind: for a single card, for a tuple, and (by kind) in a whole play.
"""

from __future__ import annotations

from ..core.jit import inline, kernel, lowest
from ..core.planes import copies, put, total
from ..core.record import PLANES, TRUMP
from ..core.shapes import FREE, place_next, top_of
from .count import NOTHING, higher_unit, lacks, planes_of, with_copies, without

ALL_KINDS = -1
DEAR = 1 << 40
_WAYS = 24  # placements of tractors looked at


@inline
def price(R, s, k, rate):
    """A card's price: what it is worth to keep, less its points at a rate (128: a unit each).

    The rate is what feeds the trick to the side likely to take it: above 0 points are given, below
    0 they are kept back.
    """
    return s.unit_kinds[k] - (R.points[k] * rate >> 7)


@kernel
def plan_price(R, s, plan, rate, broken):
    """The price of a plan, with so much for each kind of which it leaves a copy behind."""
    cost, hand = 0, s.hand[s.seat]
    rest = plan[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        n = copies(plan, k)
        cost += n * price(R, s, k, rate)
        if copies(hand, k) > n:
            cost += broken
    return cost


@kernel
def cheapest_cards(R, s, planes, plan, count, rate, breaks):
    """A plan with the cheapest `count` cards of `planes` added; pairs are broken late."""
    for _ in range(count):
        best, least = -1, DEAR
        rest = planes[0]
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            left = copies(planes, k) - copies(plan, k)
            if left:
                cost = price(R, s, k, rate) + (breaks[0] if left > 1 else 0)
                if cost < least:
                    best, least = k, cost
        if best < 0:
            break
        plan = with_copies(plan, best, copies(plan, best) + 1)
    return plan


@inline
def strays(s, plan):
    """Whether the play begun is none of a plan: cards are picked that it lacks, or passed over."""
    if s.picked == 0:
        return False
    passed = (1 << s.last) - 1
    for j in range(PLANES):
        if s.pick[j] & ~plan[j] or plan[j] & ~s.pick[j] & passed:
            return True
    return False


@kernel
def finish_cheaply(R, s, plan, kinds, rate):
    """A plan that holds what is picked, with the cheapest cards that can still be added to it."""
    hand, ahead = s.hand[s.seat], kinds & -(1 << s.last)
    rest = hand[0] & ahead, hand[1] & ahead, hand[2] & ahead, hand[3] & ahead
    return cheapest_cards(R, s, rest, plan, s.count - total(plan, -1), rate, (0, 0, 0))


@kernel
def safe_from(R, s, suit, width, length, top, others, left):
    """Whether a unit of `suit` would stand against the opponents still to play, as far as known.

    others: seats of these opponents as bits; left: the unseen cards.
    """
    led = s.suit
    in_led = left[0] & R.suit_kinds[s.combo, led]
    higher = higher_unit(R, s.combo, suit, left, width, length, top)
    trumps = total(left, R.suit_kinds[s.combo, TRUMP]) >= s.count
    while others:
        p = lowest(others)
        others &= others - 1
        without_led = in_led == 0 or lacks(s, p, led)
        if suit == led and not without_led:
            if higher:
                return False
        elif without_led and led != TRUMP and trumps and not lacks(s, p, TRUMP):
            if suit == led or higher:
                return False
    return True


@kernel
def _cheapest_tuple(R, s, free, suit, width, rate, breaks, above, others, left):
    """The kind of the cheapest tuple above a power and safe from `others`; -1: none."""
    kind, least = -1, DEAR
    rest = free[width - 1]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        top = R.power[s.combo, k]
        if top <= above:
            continue
        cost = width * price(R, s, k, rate) + (breaks[1] if copies(free, k) > width else 0)
        if cost < least:
            if others and not safe_from(R, s, suit, width, 1, top, others, left):
                continue
            kind, least = k, cost
    return kind


@kernel
def cheapest_shape(R, s, shape, suit, count, rate, breaks, above, others, left):
    """The cheapest play of `count` cards of a suit that holds a shape.

    Its main unit must have a top above `above`, and be safe from `others` (bits of seats; left: the
    unseen cards).  Returns planes and the main unit's top; `NOTHING` if there is none.
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
            if ok and others:
                ok = safe_from(R, s, suit, shape[5], shape[6], main_top, others, left)
        first = shape[0] == 0  # the main unit is still to be chosen
        for width in range(PLANES, 0, -1):
            for _ in range(shape[width] if ok else 0):
                floor, rivals = (above, others) if first else (-1, 0)
                kind = _cheapest_tuple(R, s, free, suit, width, rate, breaks, floor, rivals, left)
                if kind < 0:
                    ok = False
                    break
                if first:
                    main_top = R.power[combo, kind]
                first = False
                plan = with_copies(plan, kind, copies(plan, kind) + width)
                free = without(free, kind, width)
        if ok:
            rest = count - total(plan, -1)
            plan = cheapest_cards(R, s, planes_of(s.w_have), plan, rest, rate, breaks)
            cost = plan_price(R, s, plan, rate, breaks[2])
            if cost < best_cost:
                best, best_cost, best_top = plan, cost, main_top
        if shape[0] == 0:
            break
    return best, best_top


@kernel
def yield_cheaply(R, s, held, rate, breaks):
    """The cheapest lawful follow: it feeds a partner's trick and starves an opponent's, by `rate`.

    held: the mover's cards of the suit led.
    """
    combo, count, hand = s.combo, s.count, s.hand[s.seat]
    kinds = R.suit_kinds[combo, s.suit]
    here = (hand[0] & kinds, hand[1] & kinds, hand[2] & kinds, hand[3] & kinds)
    if held <= count:
        return cheapest_cards(R, s, planes_of(hand), here, count - held, rate, breaks)
    if count == 1:
        return cheapest_cards(R, s, here, NOTHING, 1, rate, breaks)
    plan, _ = cheapest_shape(R, s, s.owed, s.suit, count, rate, breaks, -1, 0, NOTHING)
    return plan


@inline
def suit_to_win(R, s, held, units):
    """The suit in which the mover may take the trick, his own or trump to ruff; -1: none."""
    if held >= s.count:
        return s.suit if s.best_suit == s.suit and units == 1 else -1
    if held or s.suit == TRUMP:
        return -1
    trumps = total(s.hand[s.seat], R.suit_kinds[s.combo, TRUMP])
    return TRUMP if trumps >= s.count else -1

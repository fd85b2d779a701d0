"""How `greedy` follows: take the trick, feed it, or be rid of the least (R6, R7)."""

from __future__ import annotations

from ..core.jit import inline, kernel, lowest
from ..core.planes import copies, points, put, seat_after, total
from ..core.record import PLANES, TRUMP
from ..core.shapes import FREE, place_next, top_of
from .count import NOTHING, higher_unit, lacks, own_side, planes_of, unseen, with_copies
from .worth import FEED, LOW, WIN, play_cost

DEAR = 1 << 40
_WAYS = 24  # placements of tractors looked at


@kernel
def cheapest_cards(R, combo, planes, plan, count, purpose):
    """A plan with the cheapest `count` cards of `planes` added; pairs are broken late."""
    for _ in range(count):
        best, least = -1, DEAR
        rest = planes[0]
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            left = copies(planes, k) - copies(plan, k)
            if left:
                cost = play_cost(R, combo, k, purpose) + 5 * (left > 1)
                if cost < least:
                    best, least = k, cost
        if best < 0:
            break
        plan = with_copies(plan, best, copies(plan, best) + 1)
    return plan


@kernel
def _plan_cost(R, combo, plan, purpose):
    cost = 0
    rest = plan[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        cost += copies(plan, k) * play_cost(R, combo, k, purpose)
    return cost


@kernel
def _safe_from(R, s, suit, width, length, top, others, left):
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
        without = in_led == 0 or lacks(s, p, led)
        if suit == led and not without:
            if higher:
                return False
        elif without and led != TRUMP and trumps and not lacks(s, p, TRUMP):
            if suit == led or higher:
                return False
    return True


@kernel
def _main_width(shape):
    if shape[0]:
        return shape[5]
    for width in range(PLANES, 0, -1):
        if shape[width]:
            return width
    return 0


@kernel
def solve(R, s, shape, suit, count, purpose, above, others, left):
    """The cheapest play of `count` cards of a suit that holds a shape; `NOTHING` if there is none.

    For `WIN` its main unit must be higher than `above`, and safe from `others` (bits of seats).
    """
    combo = s.combo
    put(s.w_have, s.hand[s.seat], R.suit_kinds[combo, suit])
    main = _main_width(shape)
    best, best_cost = NOTHING, DEAR
    fresh, ways = True, 0
    while ways < _WAYS and place_next(R, s, combo, suit, shape, FREE, fresh):
        fresh = False
        ways += 1
        plan = planes_of(s.w_need)
        ok = True
        if shape[0] and purpose == WIN:
            run = 0
            for i in range(shape[6]):
                run |= 1 << s.w_kind[i]
            top = top_of(R, combo, run, True)
            ok = top > above and _safe_from(R, s, suit, main, shape[6], top, others, left)
        free = planes_of(s.w_left)
        first = shape[0] == 0  # the main unit is still to be chosen
        for width in range(PLANES, 0, -1):
            for _ in range(shape[width] if ok else 0):
                kind, least = -1, DEAR
                rest = free[width - 1]
                while rest:
                    k = lowest(rest)
                    rest &= rest - 1
                    n = copies(free, k)
                    cost = width * play_cost(R, combo, k, purpose) + 6 * (n > width)
                    if cost >= least:
                        continue
                    if first and purpose == WIN:
                        top = R.power[combo, k]
                        if top <= above or not _safe_from(R, s, suit, width, 1, top, others, left):
                            continue
                    kind, least = k, cost
                if kind < 0:
                    ok = False
                    break
                first = False
                plan = with_copies(plan, kind, copies(plan, kind) + width)
                n = copies(free, kind) - width
                bit = ~(1 << kind)
                free = with_copies(
                    (free[0] & bit, free[1] & bit, free[2] & bit, free[3] & bit), kind, n
                )
        if ok:
            rest_count = count - total(plan, -1)
            if rest_count:
                plan = cheapest_cards(R, combo, planes_of(s.w_have), plan, rest_count, purpose)
            cost = _plan_cost(R, combo, plan, purpose)
            if cost < best_cost:
                best, best_cost = plan, cost
        if shape[0] == 0:
            break
    return best


@inline
def _in_suit(R, s, suit, count, purpose, above, others, left):
    """`solve` in the suit led: what is owed (R6.2), or for `WIN` the lead's own shape."""
    if purpose == WIN:
        return solve(R, s, s.lead_shape, suit, count, purpose, above, others, left)
    if count > 1:
        return solve(R, s, s.owed, suit, count, purpose, above, others, left)
    put(s.w_have, s.hand[s.seat], R.suit_kinds[s.combo, suit])
    return cheapest_cards(R, s.combo, planes_of(s.w_have), NOTHING, 1, purpose)


@kernel
def _without_winning(R, s, purpose, held, left):
    """The play that feeds the trick, or is rid of the least, within what must be followed."""
    combo, count, hand = s.combo, s.count, s.hand[s.seat]
    if held > count:
        return _in_suit(R, s, s.suit, count, purpose, 0, 0, left)
    kinds = R.suit_kinds[combo, s.suit]
    forced = (hand[0] & kinds, hand[1] & kinds, hand[2] & kinds, hand[3] & kinds)
    return cheapest_cards(R, combo, planes_of(hand), forced, count - held, purpose)


@kernel
def _winning(R, s, held, others, left):
    """The cheapest play that beats the standing one and is safe from `others`, or `NOTHING`."""
    suit, shape = s.suit, s.lead_shape
    main_only = shape[0] + shape[1] + shape[2] + shape[3] + shape[4] == 1
    if held >= s.count:
        if s.best_suit != suit or not main_only:
            return NOTHING
        return _in_suit(R, s, suit, s.count, WIN, s.tops[0], others, left)
    if held or suit == TRUMP or total(s.hand[s.seat], R.suit_kinds[s.combo, TRUMP]) < s.count:
        return NOTHING
    above = s.tops[0] if s.best_suit == TRUMP else -1
    return solve(R, s, shape, TRUMP, s.count, WIN, above, others, left)


@kernel
def plan_follow(R, s):
    """The whole play of a follower."""
    seat, winner = s.seat, s.winner
    left = unseen(R, s)
    held = total(s.hand[seat], R.suit_kinds[s.combo, s.suit])
    mine = own_side(R, s)
    others, p = 0, seat_after(seat, 1, R.players)
    while p != s.leader:
        if s.side[p] != mine:
            others |= 1 << p
        p = seat_after(p, 1, R.players)
    worth = 0
    for p in range(R.players):
        worth += points(s.trick[p])
    ruffing = held == 0
    if s.side[winner] == mine:
        length = s.lead_shape[6] if s.lead_shape[0] else 1
        width = _main_width(s.lead_shape)
        if _safe_from(R, s, s.best_suit, width, length, s.tops[0], others, left):
            return _without_winning(R, s, FEED, held, left)
        if not ruffing or worth >= 10:
            play = _winning(R, s, held, others, left)
            if play[0]:
                return play
        return _without_winning(R, s, LOW, held, left)
    if others == 0:
        if worth or not ruffing:
            play = _winning(R, s, held, 0, left)
            if play[0]:
                return play
    elif not ruffing or worth:
        play = _winning(R, s, held, others, left)
        if play[0]:
            return play
        if worth >= 10:
            play = _winning(R, s, held, 0, left)
            if play[0]:
                return play
    return _without_winning(R, s, LOW, held, left)

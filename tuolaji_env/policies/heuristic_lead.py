"""How `heuristic` leads: the candidate of all suits with the highest value (R5)."""

from __future__ import annotations

from ..core.jit import inline, kernel, lowest, popcount
from ..core.planes import copies, points, seat_after, total
from ..core.record import TRUMP
from ..core.shapes import top_of
from .count import NOTHING, own_side, planes_of, standing_cards, unseen, with_copies
from .fit import DEAR, cheapest_cards, plan_price, strays
from .greedy_lead import best_unit
from .heuristic_chance import ONE, chance_ours
from .heuristic_keep import ALL_SUITS, weigh
from .heuristic_sides import ALLY, write_allies
from .heuristic_worth import (
    BREAK,
    BREAKS,
    DRAW_TRUMPS,
    DRAW_WITH_FRIENDS,
    EVEN,
    LEAD_POINTS,
    OTHERS_TRUMP,
    SPEND,
    SPEND_WITH_FRIENDS,
    TEMPO,
    VOID_BY_LEAD,
)


@inline
def lead_trumps(R, mine):
    """What leading trump is worth by itself: a non-declarer leaves that to the declarers."""
    if mine:
        return -OTHERS_TRUMP
    return DRAW_WITH_FRIENDS if R.friends else DRAW_TRUMPS


@inline
def void_by_lead(R, s, suit, cards):
    """What a lead of side cards gains if it is the last of the suit: the next can be ruffed."""
    return VOID_BY_LEAD if total(s.hand[s.seat], R.suit_kinds[s.combo, suit]) == cards else 0


@kernel
def lead_value(R, s, left, mine, enemies, suit, plan, unit):
    """What a lead is worth: the chance of the trick, its points and tempo, less what it spends.

    enemies: how many they are, in parts of `ALLY`; unit: the plan's main unit.
    """
    combo = s.combo
    cards = total(plan, -1)
    width, length = copies(unit, lowest(unit[0])), popcount(unit[0])
    top = top_of(R, combo, unit[0], length > 1)
    extra = 0
    if cards > width * length:
        extra = 1 if popcount(plan[0]) == 2 else 2
    after = seat_after(s.seat, 1, R.players)
    chance = chance_ours(R, s, left, suit, suit, width, length, top, extra, ONE, after)
    worth = TEMPO + LEAD_POINTS * enemies * min(cards, 6) // ALLY
    spend = SPEND_WITH_FRIENDS if R.friends else SPEND
    value = (chance * worth >> 10) - (plan_price(R, s, plan, 0, BREAK) * spend >> 4)
    value += 8 * points(plan) * (chance - EVEN) >> 10
    if suit == TRUMP:
        return value + lead_trumps(R, mine)
    return value + void_by_lead(R, s, suit, cards)


@kernel
def _extreme(R, combo, kinds, highest):
    """The kind with the highest or the lowest power."""
    best = -1
    while kinds:
        k = lowest(kinds)
        kinds &= kinds - 1
        if best < 0 or (R.power[combo, k] > R.power[combo, best]) == highest:
            best = k
    return best


@kernel
def _candidate(R, s, suit, number, here, stands):
    """A lead of a suit by number, and its main unit; `NOTHING` where there is none.

    0: all that stands (R5.2), thrown; 1: its best unit; 2: the largest unit; 3, 4: the highest and
    the lowest pair; 5, 6: the cheapest single, points kept or given; 7: the highest single.
    """
    combo = s.combo
    if number < 2:
        if stands[0] == 0 or (number == 0 and R.throws == 0):
            return NOTHING, NOTHING
        unit = best_unit(R, combo, suit, stands)
        return (unit if number else stands), unit
    plan = NOTHING
    if number == 2:
        plan = best_unit(R, combo, suit, here)
    elif number < 5:
        if here[1]:
            plan = with_copies(NOTHING, _extreme(R, combo, here[1], number == 3), 2)
    elif number < 7:
        rate = ONE // 2 if number == 6 else -ONE // 2
        plan = cheapest_cards(R, s, here, NOTHING, 1, rate, BREAKS)
    else:
        plan = with_copies(NOTHING, _extreme(R, combo, here[0], True), 1)
    return plan, plan


@inline
def _as_begun(s):
    """A lead begun as no candidate is: with all copies of its card, if it has begun with one."""
    kinds = s.pick[0]
    held = copies(s.hand[s.seat], s.last) if kinds & (kinds - 1) == 0 else 0
    return with_copies(planes_of(s.pick), s.last, max(held, copies(s.pick, s.last)))


@kernel
def plan_lead(R, s):
    """The whole lead: the best candidate that holds what is picked."""
    hand = s.hand[s.seat]
    left = unseen(R, s)
    weigh(R, s, ALL_SUITS, left)
    mine = own_side(R, s)
    write_allies(R, s, mine)
    enemies = 0
    for p in range(R.players):
        enemies += ALLY - s.w_tops[p]
    best, best_value = NOTHING, -DEAR
    for suit in range(5):
        kinds = R.suit_kinds[s.combo, suit]
        if hand[0] & kinds == 0:
            continue
        here = (hand[0] & kinds, hand[1] & kinds, hand[2] & kinds, hand[3] & kinds)
        stands = standing_cards(R, s, suit, left)
        before = NOTHING
        for number in range(8):
            plan, unit = _candidate(R, s, suit, number, here, stands)
            if plan[0] and plan != before and not strays(s, plan):
                before = plan
                value = lead_value(R, s, left, mine, enemies, suit, plan, unit)
                if value > best_value:
                    best, best_value = plan, value
    return best if best[0] else _as_begun(s)

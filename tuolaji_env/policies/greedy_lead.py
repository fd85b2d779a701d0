"""How `greedy` leads: what nobody can beat, else pairs, else low cards (R5)."""

from __future__ import annotations

from ..core.jit import kernel, lowest, popcount
from ..core.planes import copies, points, total
from ..core.record import PLANES, TRUMP
from ..core.shapes import chain, longest_run, runs, top_of
from .count import (
    NOTHING,
    higher_unit,
    lacks,
    own_side,
    run_kinds,
    standing_cards,
    unseen,
    with_copies,
)
from .worth import LOW, play_cost


@kernel
def best_unit(R, combo, suit, planes):
    """The unit of a suit with most cards in planes, then wider, then highest; as planes."""
    width, length = 1, 1
    for w in range(PLANES, 1, -1):
        if planes[w - 1]:
            run = max(longest_run(chain(R, combo, suit, planes[w - 1])), 1)
            if w * run > width * length:
                width, length = w, run
    kinds = planes[width - 1]
    best, best_top = 0, -1
    if length == 1:
        while kinds:
            k = lowest(kinds)
            kinds &= kinds - 1
            if R.power[combo, k] > best_top:
                best, best_top = 1 << k, R.power[combo, k]
    else:
        starts = runs(chain(R, combo, suit, kinds), length)
        while starts:
            start = lowest(starts)
            starts &= starts - 1
            run = run_kinds(R, combo, suit, kinds, start, length)
            top = top_of(R, combo, run, True)
            if top > best_top:
                best, best_top = run, top
    return (
        best,
        best if width > 1 else 0,
        best if width > 2 else 0,
        best if width > 3 else 0,
    )


@kernel
def _ruffers(R, s, suit, left, mine):
    """Opponents and partners known to lack a suit and not known to lack trumps: o * 8 + p."""
    if suit == TRUMP:
        return 0
    opponents, partners = 0, 0
    nobody = left[0] & R.suit_kinds[s.combo, suit] == 0
    for p in range(R.players):
        if p == s.seat or lacks(s, p, TRUMP):
            continue
        if nobody or lacks(s, p, suit):
            if s.side[p] == mine:
                partners += 1
            else:
                opponents += 1
    return opponents * 8 + partners


@kernel
def plan_lead(R, s):
    """The whole lead: the candidate of all suits with the highest value."""
    combo, seat = s.combo, s.seat
    hand = s.hand[seat]
    left = unseen(R, s)
    mine = own_side(R, s)
    trumps_left = total(left, R.suit_kinds[combo, TRUMP])
    my_trumps = total(hand, R.suit_kinds[combo, TRUMP])
    my_cards = total(hand, -1)
    best, best_value = NOTHING, -(1 << 40)
    for suit in range(5):
        kinds = R.suit_kinds[combo, suit]
        mine_here = (hand[0] & kinds, hand[1] & kinds, hand[2] & kinds, hand[3] & kinds)
        held = total(mine_here, -1)
        if held == 0:
            continue
        ruffers = _ruffers(R, s, suit, left, mine)
        opponents, partners = ruffers // 8, ruffers % 8
        ruffed = opponents > 0 and trumps_left > 0
        # what stands
        plan = standing_cards(R, s, suit, left)
        if plan[0]:
            if R.throws == 0 or (suit == TRUMP and held < my_cards):
                plan = best_unit(R, combo, suit, plan)
            cards = total(plan, -1)
            value = 60 + 10 * cards + points(plan)
            if suit == TRUMP:
                value = 22 + 8 * cards + (8 if trumps_left > my_trumps else 0)
                if held == my_cards:
                    value = 200
                elif cards == 1 and my_trumps < 4:
                    value = 5
            if ruffed:
                value = 5 + 5 * cards - points(plan) - (20 if cards < 3 else 0)
            if value > best_value:
                best, best_value = plan, value
        # the largest unit, though it may be beaten
        plan = best_unit(R, combo, suit, mine_here)
        cards = total(plan, -1)
        if cards > 1 and not ruffed:
            width = copies(plan, lowest(plan[0]))
            length = popcount(plan[0])
            top = top_of(R, combo, plan[0], length > 1)
            beaten = higher_unit(R, combo, suit, left, width, length, top)
            value = 12 * cards + (0 if beaten else 30) - (points(plan) if beaten else 0)
            if suit == TRUMP:
                value -= 8
            if value > best_value:
                best, best_value = plan, value
        # a low card
        kind, least = -1, 1 << 40
        rest = mine_here[0]
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            cost = play_cost(R, combo, k, LOW) + 5 * (copies(hand, k) > 1)
            if cost < least:
                kind, least = k, cost
        value = 20 - least
        if suit == TRUMP:
            value += 14 if my_trumps > trumps_left // (R.players - 1) else 2
        else:
            value += 12 if partners and not opponents else 0
            value -= 8 if opponents and not partners else 0
            value -= held // 2
        if value > best_value:
            best, best_value = with_copies(NOTHING, kind, 1), value
    return best

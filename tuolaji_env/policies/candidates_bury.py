"""Burials and friend calls worth looking at."""

from __future__ import annotations

from ..core.jit import kernel, lowest
from ..core.planes import copies, total
from ..core.record import ORDINAL
from .count import NOTHING, joined, planes_of, with_copies, without
from .fit import DEAR, cheapest_cards
from .space import add_path, add_play, walk_all
from .worth import weigh_burial


@kernel
def list_burials(R, s, w):
    """Burials: some suits voided, then the policy's with one card changed, cheapest first."""
    combo, hand = s.combo, s.hand[s.seat]
    weigh_burial(R, s)
    base = NOTHING
    for i in range(w.lengths[0]):
        base = joined(base, with_copies(NOTHING, w.paths[0, i], 1))
    for voided in range(1, 16):
        gone = 0
        for suit in range(4):
            if (voided >> suit) & 1:
                gone |= R.suit_kinds[combo, suit]
        room = s.count - total(hand, gone)
        if room < 0 or (hand[0] & gone) == 0 or w.count > w.limit // 2:
            continue
        plan = (hand[0] & gone, hand[1] & gone, hand[2] & gone, hand[3] & gone)
        plan = cheapest_cards(R, s, planes_of(hand), plan, room, 0, (0, 0, 0))
        add_play(R, s, w, plan)
    floor, floor_code = -DEAR, -1
    while w.count < w.limit:
        # the next swap in order of cost
        best, least = -1, DEAR
        rest = base[0]
        while rest:
            a = lowest(rest)
            rest &= rest - 1
            others = hand[0] & ~(1 << a)
            while others:
                b = lowest(others)
                others &= others - 1
                if copies(hand, b) == copies(base, b):
                    continue
                cost = s.unit_kinds[b] - s.unit_kinds[a]
                code = a * 64 + b
                if (cost, code) > (floor, floor_code) and (cost, code) < (least, best):
                    best, least = code, cost
        if best < 0:
            break
        floor, floor_code = least, best
        a, b = best // 64, best % 64
        plan = without(base, a, 1)
        plan = joined(plan, with_copies(NOTHING, b, 1))
        add_play(R, s, w, plan)


@kernel
def list_calls(R, s, w):
    """Friend calls: the top cards of each suit, by their first two copies."""
    for i in range(walk_all(R, s, w)):
        above = 0
        rest = R.higher[s.combo, w.walked[i, 0]]
        while rest:
            rest &= rest - 1
            above += 1
        if above < 2 and w.sizes[i] > 1 and w.walked[i, 1] < ORDINAL + 2:
            add_path(w, w.walked[i], w.sizes[i])

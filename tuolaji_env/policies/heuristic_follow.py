"""How `heuristic` follows: weigh yielding against each way to take the trick (R6, R7)."""

from __future__ import annotations

from ..core.jit import highest, kernel
from ..core.planes import points, seat_after, total
from ..core.shapes import main_unit
from .count import own_side, planes_of, unseen
from .fit import (
    ALL_KINDS,
    cheapest_shape,
    finish_cheaply,
    plan_price,
    strays,
    suit_to_win,
    yield_cheaply,
)
from .heuristic_chance import ONE, chance_ours
from .heuristic_keep import ALL_SUITS, weigh
from .heuristic_sides import ALLY, write_allies
from .heuristic_worth import BREAK, BREAKS, EVEN, LATER, TEMPO, TEMPO_WINNER

_TRIES = 6  # ways to take a trick that are looked at


@kernel
def side_winners(R, s, left):
    """Side cards of the mover that no unseen card beats: the highest, by their order in a suit."""
    n, hand = 0, s.hand[s.seat]
    for suit in range(4):
        kinds = R.suit_kinds[s.combo, suit]
        out = left[0] & kinds
        above = -(2 << highest(out)) if out else -1
        n += total(hand, kinds & above)
    return n


@kernel
def trick_worth(R, s, left):
    """What taking the trick is worth: its points, those to come, and the lead after it."""
    worth = TEMPO + TEMPO_WINNER * min(side_winners(R, s, left), 6)
    p = s.leader
    for _ in range(R.players):
        if s.trick[p, 0]:
            worth += 8 * points(s.trick[p])
        elif p != s.seat:
            worth += LATER * min(s.count, 4)
        p = seat_after(p, 1, R.players)
    return worth


@kernel
def finish_follow(R, s, held, rate):
    """The cheapest cards to go with what is picked. held: the mover's cards of the suit led."""
    pick, hand = s.pick, s.hand[s.seat]
    kinds = R.suit_kinds[s.combo, s.suit]
    if held > s.count:
        return finish_cheaply(R, s, planes_of(pick), kinds, rate)
    here = hand[0] & kinds, hand[1] & kinds, hand[2] & kinds, hand[3] & kinds
    plan = pick[0] | here[0], pick[1] | here[1], pick[2] | here[2], pick[3] | here[3]
    return finish_cheaply(R, s, plan, ALL_KINDS, rate)


@kernel
def plan_follow(R, s):
    """The whole play of a follower: the best that holds what is picked."""
    shape, seat, hand = s.lead_shape, s.seat, s.hand[s.seat]
    kinds = R.suit_kinds[s.combo, s.suit]
    held = total(hand, kinds)
    if held == s.count:
        return hand[0] & kinds, hand[1] & kinds, hand[2] & kinds, hand[3] & kinds
    left = unseen(R, s)
    weigh(R, s, 1 << s.suit if held > s.count else ALL_SUITS, left)
    mine = own_side(R, s)
    write_allies(R, s, mine)
    after = seat_after(seat, 1, R.players)
    worth = trick_worth(R, s, left)
    width, length = main_unit(shape) // 64, main_unit(shape) % 64
    units = shape[0] + shape[1] + shape[2] + shape[3] + shape[4]
    extra = min(units - 1, 7)
    ours = s.w_tops[s.winner] * ONE // ALLY
    chance = chance_ours(
        R, s, left, s.suit, s.best_suit, width, length, s.tops[0], extra, ours, after
    )
    best = yield_cheaply(R, s, held, chance - EVEN, BREAKS)
    if strays(s, best):
        best = finish_follow(R, s, held, chance - EVEN)
    value = (chance * worth >> 10) - plan_price(R, s, best, chance - EVEN, BREAK)
    suit = suit_to_win(R, s, held, units)
    above = s.tops[0] if suit == s.best_suit else -1
    for _ in range(_TRIES if suit >= 0 else 0):
        plan, top = cheapest_shape(R, s, shape, suit, s.count, ONE - EVEN, BREAKS, above, 0, left)
        if plan[0] == 0:
            break
        chance = chance_ours(R, s, left, s.suit, suit, width, length, top, extra, ONE, after)
        now = (chance * worth >> 10) - plan_price(R, s, plan, chance - EVEN, BREAK)
        if now > value and not strays(s, plan):
            best, value = plan, now
        if chance == ONE:
            break  # nothing dearer is surer
        above = top
    return best

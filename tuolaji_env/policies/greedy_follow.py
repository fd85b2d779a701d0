"""How `greedy` follows: take the trick, feed it, or be rid of the least (R6, R7)."""

from __future__ import annotations

from ..core.jit import kernel
from ..core.planes import points, seat_after, total
from ..core.shapes import main_unit, unit_count
from .count import NOTHING, own_side, unseen
from .fit import cheapest_shape, safe_from, suit_to_win, yield_cheaply
from .worth import BREAKS, FEED, LOW, WIN, weigh_play


@kernel
def cheapest_win(R, s, held, units, others, left):
    """The cheapest play that beats the standing one and is safe from `others`, or `NOTHING`.

    held: the mover's cards of the suit led; units: of the lead; others: bits of seats; left: the
    unseen cards.
    """
    suit = suit_to_win(R, s, held, units)
    if suit < 0:
        return NOTHING
    above = s.tops[0] if suit == s.best_suit else -1
    plan, _ = cheapest_shape(R, s, s.lead_shape, suit, s.count, WIN, BREAKS, above, others, left)
    return plan


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
    weigh_play(R, s)
    units = unit_count(s.lead_shape)
    if s.side[winner] == mine:
        width, length = main_unit(s.lead_shape) // 64, main_unit(s.lead_shape) % 64
        if safe_from(R, s, s.best_suit, width, length, s.tops[0], others, left):
            return yield_cheaply(R, s, held, FEED, BREAKS)
        if not ruffing or worth >= 10:
            play = cheapest_win(R, s, held, units, others, left)
            if play[0]:
                return play
        return yield_cheaply(R, s, held, LOW, BREAKS)
    if others == 0:
        if worth or not ruffing:
            play = cheapest_win(R, s, held, units, 0, left)
            if play[0]:
                return play
    elif not ruffing or worth:
        play = cheapest_win(R, s, held, units, others, left)
        if play[0]:
            return play
        if worth >= 10:
            play = cheapest_win(R, s, held, units, 0, left)
            if play[0]:
                return play
    return yield_cheaply(R, s, held, LOW, BREAKS)

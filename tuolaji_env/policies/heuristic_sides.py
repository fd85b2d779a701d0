"""How far `heuristic` takes each seat for an ally: certain with fixed teams, a chance with friends.

Until the called cards are played (R9.1) a seat that is not known to be with the declarer is his
friend as likely as any other, unless it is void in the suits called.
"""

from __future__ import annotations

from ..core.jit import inline, kernel
from ..core.record import GAME, SEATS
from .count import lacks
from .heuristic_worth import FRIEND_ODDS

ALLY = 64  # a sure ally; an unknown seat has less

assert GAME["w_tops"].shape[0] >= SEATS


@inline
def may_answer(R, s, p, i):
    """Whether a seat may still answer a friend call."""
    return s.call_left[i] > 0 and not lacks(s, p, R.suit_of[s.combo, s.call_kind[i]])


@inline
def holds_answer(s, i):
    """Whether the mover holds a card of a call that nobody has answered."""
    return s.call_left[i] > 0 and (s.hand[s.seat, 0] >> s.call_kind[i]) & 1


@kernel
def friend_chance(R, s, p):
    """The chance, of `ALLY`, that a seat not known to be with the declarer is his friend."""
    none = ALLY
    for i in range(s.calls):
        if not may_answer(R, s, p, i) or holds_answer(s, i):
            continue
        unknown = 0
        for other in range(R.players):
            if other != s.seat and s.side[other] and may_answer(R, s, other, i):
                unknown += 1
        none -= none * FRIEND_ODDS // (64 * unknown)
    return ALLY - none


@kernel
def write_allies(R, s, mine):
    """Put into `w_tops` how far each seat is an ally of the mover, who is of side `mine`."""
    for p in range(R.players):
        ally = ALLY if s.side[p] == mine else 0
        if R.friends and s.side[p] and p != s.seat:
            friend = friend_chance(R, s, p)
            ally = ALLY - friend if mine else friend
        s.w_tops[p] = ally

"""`greedy`: a plain player. It plans its whole play anew at each card and walks towards it.

It leads what nobody can beat, feeds a partner whose play stands, takes points as cheaply as it can,
throws low cards away, bids on long trumps, and buries to be rid of a suit.
"""

from __future__ import annotations

from ..core.jit import boundary, inline, kernel, lowest, popcount
from ..core.planes import copies, total
from ..core.record import (
    BID,
    BURY,
    END,
    END_BIT,
    FOLLOW,
    GAME,
    LEAD,
    PLANES,
    RULES,
    SMALL_JOKER,
    TRUMP,
    TRUMP_OF,
)
from .bury import cheapest_burial
from .greedy_follow import plan_follow
from .greedy_lead import plan_lead
from .worth import weigh_burial

KINDS_MASK = (1 << 54) - 1
VOID_WORTH = 14


@inline
def towards(mask, pick, plan):
    """The next card of a plan; where the mask does not have it, the end, or the nearest card.

    A lead that was begun otherwise than planned is ended: what is added to it would be thrown.
    """
    missing, odd = 0, 0
    for j in range(PLANES):
        missing |= plan[j] & ~pick[j]
        odd |= pick[j] & ~plan[j]
    ahead = mask & missing
    if mask & END_BIT and (odd or ahead == 0):
        return END
    if ahead:
        return lowest(ahead)
    cards = mask & KINDS_MASK
    return lowest(cards) if cards else lowest(mask)


@kernel
def plan_bury(R, s):
    """The cards to bury."""
    weigh_burial(R, s)
    return cheapest_burial(R, s, VOID_WORTH)


@inline
def _trumps_with(R, s, hand, level, suit):
    """Trumps in a hand if a suit becomes trump at a level."""
    return total(hand, R.suit_kinds[level * 5 + suit, TRUMP])


@kernel
def bid_on(R, s, mask):
    """The next action of a bid that is begun: all copies of its card, then its end."""
    level_kind = lowest(s.pick[0])
    if mask & END_BIT and (level_kind >= SMALL_JOKER or (mask >> level_kind) & 1 == 0):
        return free_suit(R, s, mask) if mask >> TRUMP_OF else END
    return lowest(mask & KINDS_MASK) if mask & KINDS_MASK else lowest(mask)


@kernel
def _bid(R, s, mask):
    """R8.2: show the level cards of the suit in which the hand is long enough, else pass."""
    hand, seat = s.hand[s.seat], s.seat
    held = total(hand, -1)
    if s.picked:
        return bid_on(R, s, mask)
    best, best_extra = -1, 0
    rest = mask & ((1 << SMALL_JOKER) - 1)
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        level, suit = k % 13, k // 13
        trumps = _trumps_with(R, s, hand, level, suit)
        kinds = popcount(R.suit_kinds[level * 5 + suit, TRUMP])
        # twelfths of a card above the fair share
        extra = 12 * trumps - 12 * held * kinds * R.decks // R.deck_size
        if extra > best_extra or best < 0:
            best, best_extra = k, extra
    if best < 0:
        return END
    needed = 6
    if s.bid_seat >= 0:
        needed = 24 if (s.bid_seat - seat) % 2 else 48
    elif not s.drawing:
        needed = -1000
    return best if best_extra >= needed else END


@kernel
def free_suit(R, s, mask):
    """The trump suit of a bid that leaves it free: the longest."""
    hand = s.hand[s.seat]
    best, most = END, -1
    for suit in range(4):
        trumps = _trumps_with(R, s, hand, s.level_rank, suit)
        if (mask >> (TRUMP_OF + suit)) & 1 and trumps > most:
            best, most = TRUMP_OF + suit, trumps
    return best


@kernel
def call_friend(R, s, mask):
    """R9.1: call the top card of side suits that the hand lacks, by its first copy to come."""
    cards = mask & KINDS_MASK
    if cards == 0:
        return lowest(mask)  # the first ordinal that may be named
    hand = s.hand[s.seat]
    best, best_score = lowest(cards), -(1 << 40)
    rest = cards
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        suit = R.suit_of[s.combo, k]
        held = total(hand, R.suit_kinds[s.combo, suit])
        score = 20 * R.power[s.combo, k] - 300 * copies(hand, k) + (held if held < 4 else 8 - held)
        if score > best_score:
            best, best_score = k, score
    return best


@boundary(RULES, GAME, returns=int)
def greedy_act(R, s):
    """The next action of `greedy`."""
    mask = s.lawful if s.lawful else s.mask
    if s.phase == FOLLOW:
        return towards(mask, s.pick, plan_follow(R, s))
    if s.phase == LEAD:
        return towards(mask, s.pick, plan_lead(R, s))
    if s.phase == BURY:
        return towards(mask, s.pick, plan_bury(R, s))
    if s.phase == BID:
        return _bid(R, s, mask)
    return call_friend(R, s, mask)

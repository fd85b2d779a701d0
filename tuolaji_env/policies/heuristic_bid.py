"""How `heuristic` bids (R8.2): by the hand's strength and who stands and declares."""

from __future__ import annotations

from ..core.jit import kernel, lowest, popcount
from ..core.planes import copies, total
from ..core.record import END, SMALL_JOKER, TRUMP
from .greedy import bid_on
from .heuristic_worth import (
    BID_FIRST,
    BID_FRIENDS,
    BID_FRIENDS_DECLARE,
    BID_FRIENDS_OVER,
    BID_OVER_OPPONENT,
    BID_OVER_PARTNER,
    BID_PAIR,
    BID_REINFORCE,
    BID_TO_DECLARE,
    BID_TO_TAKE_OVER,
    BID_TOP,
)


@kernel
def bid_worth(R, s, kind):
    """How good the hand is with a level card's suit as trump, in twelfths of a trump over fair."""
    hand = s.hand[s.seat]
    combo = kind % 13 * 5 + kind // 13
    kinds = R.suit_kinds[combo, TRUMP]
    fair = 12 * total(hand, -1) * popcount(kinds) * R.decks // R.deck_size
    worth = 12 * total(hand, kinds) - fair
    worth += BID_PAIR * popcount(hand[1] & kinds)
    for suit in range(4):
        rest = hand[0] & R.suit_kinds[combo, suit]
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            if R.higher[combo, k] == 0:
                worth += BID_TOP * copies(hand, k)
    return worth


@kernel
def bid_needed(R, s):
    """What `bid_worth` must reach: more over a partner, any hand where nobody else has bid."""
    seat = s.seat
    if s.bid_seat == seat:
        return BID_REINFORCE
    if R.friends and s.drawing:
        needed = BID_FRIENDS if s.bid_seat < 0 else BID_FRIENDS_OVER
        return needed + (BID_FRIENDS_DECLARE if s.declarer < 0 else 0)
    if s.bid_seat >= 0:
        needed = BID_OVER_OPPONENT if (s.bid_seat - seat) % 2 else BID_OVER_PARTNER
        return needed + (BID_TO_TAKE_OVER if s.declarer < 0 else 0)
    if not s.drawing:
        return -1000
    return BID_FIRST + (BID_TO_DECLARE if s.declarer < 0 else 0)


@kernel
def plan_bid(R, s, mask):
    """The next action of a bid, or a pass."""
    if s.picked:
        return bid_on(R, s, mask)
    best, best_worth = -1, 0
    rest = mask & ((1 << SMALL_JOKER) - 1)
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        worth = bid_worth(R, s, k)
        if best < 0 or worth > best_worth:
            best, best_worth = k, worth
    return best if best >= 0 and best_worth >= bid_needed(R, s) else END

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
from .count import NOTHING, with_copies
from .greedy_follow import plan_follow
from .greedy_lead import plan_lead
from .worth import bury_cost

KINDS_MASK = (1 << 54) - 1
VOID_WORTH = 14


@inline
def towards(mask, pick, plan):
    """The next card of a plan; where the mask does not have it, the nearest one it has."""
    missing = 0
    for j in range(PLANES):
        missing |= plan[j] & ~pick[j]
    if missing == 0 and mask & END_BIT:
        return END
    ahead = mask & missing
    if ahead:
        return lowest(ahead)
    cards = mask & KINDS_MASK
    return lowest(cards) if cards else lowest(mask)


@kernel
def _by_bury_cost(R, s):
    """Sort the kinds in the mover's hand, cheapest to bury first, into `w_tops`; their number."""
    combo, hand, order = s.combo, s.hand[s.seat], s.w_tops
    n = 0
    rest = hand[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        cost = bury_cost(R, combo, k, copies(hand, k))
        i = n
        while i > 0 and bury_cost(R, combo, order[i - 1], copies(hand, order[i - 1])) > cost:
            order[i] = order[i - 1]
            i -= 1
        order[i] = k
        n += 1
    return n


@kernel
def plan_bury(R, s):
    """R8.7: the cards to bury: some side suits wholly, then the cheapest cards, at least cost."""
    combo, hand = s.combo, s.hand[s.seat]
    kinds = _by_bury_cost(R, s)
    best, best_cost = NOTHING, 1 << 40
    for voided in range(16):
        gone, cost = 0, 0
        for suit in range(4):
            if (voided >> suit) & 1:
                gone |= R.suit_kinds[combo, suit]
                cost -= VOID_WORTH
        plan, room = NOTHING, s.count - total(hand, gone)
        for i in range(kinds if room >= 0 else 0):
            k = s.w_tops[i]
            held = copies(hand, k)
            n = held if (gone >> k) & 1 else min(held, room)
            if n:
                plan = with_copies(plan, k, n)
                cost += n * bury_cost(R, combo, k, held)
                room -= 0 if (gone >> k) & 1 else n
        if room == 0 and cost < best_cost:
            best, best_cost = plan, cost
    return best


@inline
def _trumps_with(R, s, hand, level, suit):
    """Trumps in a hand if a suit becomes trump at a level."""
    return total(hand, R.suit_kinds[level * 5 + suit, TRUMP])


@kernel
def _bid(R, s, mask):
    """R8.2: show the level cards of the suit in which the hand is long enough, else pass."""
    hand, seat = s.hand[s.seat], s.seat
    held = total(hand, -1)
    if s.picked:
        level_kind = lowest(s.pick[0])
        if mask & END_BIT and (level_kind >= SMALL_JOKER or (mask >> level_kind) & 1 == 0):
            if mask >> TRUMP_OF:
                return free_suit(R, s, mask)
            return END
        return lowest(mask & KINDS_MASK) if mask & KINDS_MASK else lowest(mask)
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

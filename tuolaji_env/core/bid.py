"""Bidding (R8.1-R8.3): which bids a seat may make, and the mask of the bid being shown."""

from __future__ import annotations

from .jit import boundary, inline, kernel, lowest
from .planes import copies, total
from .record import (
    BIG_JOKER,
    END_BIT,
    GAME,
    HIDDEN_VALUE,
    LOG,
    LOG_BID,
    LOG_TRUMP,
    NO_LEVEL,
    NO_TRUMP,
    PLANES,
    RULES,
    SMALL_JOKER,
    TRUMP_OF,
)

FREE_TRUMP = END_BIT | 15 << TRUMP_OF


@inline
def log(s, kind, seat, value):
    """Append to the public event log; a full log keeps its first entries."""
    if s.logged < LOG:
        s.log[s.logged] = kind * 512 + seat * 64 + value
        s.logged += 1


@inline
def shown_kinds(R, s):
    """The level cards that a bid may show, as a bit set."""
    kinds, ranks = 0, s.bid_ranks & ((1 << NO_LEVEL) - 1)
    while ranks:
        kinds |= R.rank_kinds[lowest(ranks)]
        ranks &= ranks - 1
    return kinds


@inline
def _reinforces(s, kind, level, small, big):
    """R8.2: more copies of the one kind that stands."""
    if level:
        return s.bid_copies > 0 and kind == s.bid_kind and level > s.bid_copies
    if s.bid_copies:
        return False
    return (big == 0 and s.bid_big == 0 and small > s.bid_small) or (
        small == 0 and s.bid_small == 0 and big > s.bid_big
    )


@inline
def _reclaims(R, s, seat, kind, level):
    """R8.2 `reclaim`: the second copy of one's single, over another's pair."""
    return (
        R.reclaim
        and level == 2
        and s.bid_copies == 2
        and s.single_seat == seat
        and s.single_kind == kind
    )


@inline
def _allowed(R, s, seat, form, kind):
    """Whether a bid that the hand holds may be made over the standing one (R8.2)."""
    level, small, big = R.form_cards[form, 0], R.form_cards[form, 1], R.form_cards[form, 2]
    strength = R.form_strength[form, kind // 13 if level else 0]
    if strength == 0:
        return False
    if s.bid_seat == seat:
        return R.reinforce and strength > s.bid_strength and _reinforces(s, kind, level, small, big)
    return strength > s.bid_strength or _reclaims(R, s, seat, kind, level)


@boundary(RULES, GAME, int, returns=int)
def bid_mask(R, s, seat):
    """Mask of the next card of a bid, END for a pass or a whole bid, a suit for a free choice.

    0 when the seat has no legal bid.
    """
    hand, pick = s.hand[seat], s.pick
    jokers = (1 << SMALL_JOKER) | (1 << BIG_JOKER)
    picked_small, picked_big = copies(pick, SMALL_JOKER), copies(pick, BIG_JOKER)
    picked_level, picked_kind = s.picked - picked_small - picked_big, -1
    if picked_level:
        picked_kind = lowest(pick[0] & ~jokers)
    held_small, held_big = copies(hand, SMALL_JOKER), copies(hand, BIG_JOKER)
    mask = 0
    for form in range(R.forms):
        level, small, big = R.form_cards[form, 0], R.form_cards[form, 1], R.form_cards[form, 2]
        if small > held_small or big > held_big or picked_level > level:
            continue
        kinds = 1
        if level:
            kinds = shown_kinds(R, s) & hand[level - 1]
        while kinds:
            kind = lowest(kinds)
            kinds &= kinds - 1
            if (picked_level and kind != picked_kind) or not _allowed(R, s, seat, form, kind):
                continue
            if picked_level < level:
                if picked_small == 0 and picked_big == 0:
                    mask |= 1 << kind
            elif picked_small < small:
                if picked_big == 0:
                    mask |= 1 << SMALL_JOKER
            elif picked_small == small and picked_big < big:
                mask |= 1 << BIG_JOKER
            elif picked_small == small and picked_big == big:
                mask |= FREE_TRUMP if R.form_trump[form] == 2 else END_BIT
    if mask and s.picked == 0:
        mask |= END_BIT
    return mask


@boundary(RULES, GAME, int, returns=int)
def best_bid(R, s, seat):
    """Strength of the strongest bid that a hand holds, whatever stands; 0: none."""
    hand = s.hand[seat]
    held_small, held_big = copies(hand, SMALL_JOKER), copies(hand, BIG_JOKER)
    level_kinds = shown_kinds(R, s)
    best = 0
    for form in range(R.forms):
        level = R.form_cards[form, 0]
        if R.form_cards[form, 1] > held_small or R.form_cards[form, 2] > held_big:
            continue
        kinds = level_kinds & hand[level - 1] if level else 1
        while kinds:
            best = max(best, R.form_strength[form, lowest(kinds) // 13])
            kinds &= kinds - 1
    return best


@inline
def may_bid(R, s, seat):
    """Whether a seat has a legal bid now."""
    if s.bid_seat == seat:
        return s.bid_best[seat] > s.bid_strength and R.reinforce and bid_mask(R, s, seat) != 0
    if s.bid_best[seat] > s.bid_strength:
        return True
    return R.reclaim and s.single_seat == seat and s.bid_count > 0 and bid_mask(R, s, seat) != 0


@kernel
def tell(s, seat):
    """Note what a seat has shown as bytes: cards of the four suits, small jokers, big ones."""
    told = total(s.shown[seat], 1 << SMALL_JOKER) << 32 | total(s.shown[seat], 1 << BIG_JOKER) << 40
    for suit in range(4):
        told |= total(s.shown[seat], 0x1FFF << (13 * suit)) << (8 * suit)
    s.told[seat] = told


@boundary(RULES, GAME, int)
def make_bid(R, s, action):
    """Let the shown cards stand as the bid; `action` is END or the suit chosen."""
    seat, pick = s.seat, s.pick
    jokers = (1 << SMALL_JOKER) | (1 << BIG_JOKER)
    small, big = copies(pick, SMALL_JOKER), copies(pick, BIG_JOKER)
    level = s.picked - small - big
    kind = lowest(pick[0] & ~jokers) if level else -1
    strength, trump = 0, NO_TRUMP
    for form in range(R.forms):
        cards = R.form_cards[form]
        if cards[0] == level and cards[1] == small and cards[2] == big:
            power = R.form_strength[form, kind // 13 if level else 0]
            if power:
                strength = power
                if R.form_trump[form] == 0:
                    trump = kind // 13
                elif action >= TRUMP_OF:
                    trump = action - TRUMP_OF
    if level == 1 and small == 0 and big == 0:
        s.single_seat, s.single_kind = seat, kind
    if level:
        s.level_bidder = seat
    if s.bid_count == 0:
        s.first_bidder = seat
    s.bid_seat, s.bid_strength, s.bid_kind = seat, strength, kind
    s.bid_copies, s.bid_small, s.bid_big, s.bid_trump = level, small, big, trump
    s.bid_count += 1
    s.bid_passed = 0
    for j in range(PLANES):
        s.shown[seat, j] |= pick[j]
    tell(s, seat)
    for _ in range(level):
        log(s, LOG_BID, seat, HIDDEN_VALUE if R.hidden_bids else kind)
    for _ in range(small):
        log(s, LOG_BID, seat, SMALL_JOKER)
    for _ in range(big):
        log(s, LOG_BID, seat, BIG_JOKER)
    log(s, LOG_TRUMP, seat, HIDDEN_VALUE if R.hidden_bids else trump)

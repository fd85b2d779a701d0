"""From the last card drawn to the kitty buried (R8.1, R8.4-R8.7): last rounds of bids, trump."""

from __future__ import annotations

from .bid import best_bid, bid_mask, log, may_bid
from .calls import begin_calls
from .follow import ALL, room_mask
from .jit import boundary, inline, kernel
from .planes import add, clear, join, remove, seat_after
from .play import start_pick
from .record import BID, BURY, GAME, LOG_FLIP, PLANES, RULES, SMALL_JOKER


@inline
def ask(R, s, seat):
    s.phase, s.seat = BID, seat
    start_pick(s)
    s.mask = bid_mask(R, s, seat)
    s.lawful = s.mask


@boundary(RULES, GAME)
def ask_round(R, s):
    """Ask the next seat in turn that has a legal bid and has not passed since the last bid."""
    for i in range(R.players):
        seat = seat_after(s.bid_turn, i, R.players)
        if (s.bid_passed >> seat) & 1 or (s.rebidding and seat == s.burier):
            continue
        if may_bid(R, s, seat):
            s.bid_turn = seat_after(seat, 1, R.players)
            ask(R, s, seat)
            return
    if s.rebidding:
        begin_calls(R, s)
    else:
        _end_bidding(R, s)


@kernel
def _no_bid(R, s):
    """R8.5 where bidding took place and nobody bid; True if the deal goes on."""
    if s.bid_ranks == 0:
        return True
    if R.no_bid == 0 or (R.no_bid == 1 and R.kitty == 0):
        return False
    if R.no_bid == 1:
        best_rank = -1
        for i in range(R.deck_size - R.kitty, R.deck_size):
            card = s.deck[i]
            log(s, LOG_FLIP, s.first_drawer, card)
            add(s.flipped, card)
            if card >= SMALL_JOKER:
                continue
            if card % 13 == s.level_rank:
                s.trump = card // 13
                break
            if card % 13 > best_rank:
                best_rank, s.trump = card % 13, card // 13
    if s.declarer < 0:
        s.declarer = s.first_drawer
    return True


@boundary(RULES, GAME)
def _end_bidding(R, s):
    """Trump, declarer and kitty after the last round (R8.4-R8.7)."""
    burier = -1
    if s.bid_seat < 0:
        if not _no_bid(R, s):
            s.redeals += 1
            s.mask = 0  # `advance` deals again
            return
    else:
        s.trump = s.bid_trump
        jokers_only = s.bid_copies == 0
        if R.friends and s.declarer < 0 and s.winners:
            _friends_declarer(R, s)
        elif s.declarer < 0:
            s.declarer = s.bid_seat if R.first_declarer == 0 else s.first_bidder
            if R.henan and jokers_only and s.level_bidder >= 0 and R.first_declarer == 0:
                s.declarer = s.level_bidder
        if R.henan and jokers_only:
            burier = s.bid_seat
        if R.hidden_bids:
            for _ in range(s.bid_copies):
                log(s, 1, s.bid_seat, s.bid_kind)
    s.redeals = 0
    if burier < 0:
        burier = s.declarer
    settle(R, s)
    if R.kitty:
        for i in range(R.deck_size - R.kitty, R.deck_size):
            add(s.kitty, s.deck[i])
        take_kitty(R, s, burier)
    else:
        begin_calls(R, s)


@kernel
def _friends_declarer(R, s):
    """R9.3: the winner whose level was shown: the bidder himself, else the next such after him."""
    rank = s.bid_kind % 13
    for i in range(R.players):
        seat = (s.bid_seat + i) % R.players
        if (s.winners >> seat) & 1 and R.ladder[s.level[seat]] == rank:
            s.declarer = seat
            break
    s.level_rank = rank


@inline
def set_order(s):
    s.combo = s.level_rank * 5 + s.trump


@inline
def settle(R, s):
    """Sides and order of the cards, once declarer and trump are known (R1.4, R3)."""
    for p in range(R.players):
        s.side[p] = 1 if R.friends else (p - s.declarer) % 2
    s.side[s.declarer] = 0
    set_order(s)


@boundary(RULES, GAME, int)
def take_kitty(R, s, seat):
    if s.burier >= 0:
        s.parted |= 1 << s.burier
    s.burier = seat
    join(s.hand[seat], s.kitty)
    clear(s.kitty)
    s.held[seat] += R.kitty
    s.phase, s.seat, s.count = BURY, seat, R.kitty
    start_pick(s)
    bury_mask(s)


@inline
def bury_mask(s):
    s.mask = room_mask(s.hand[s.seat], s.pick, ALL, s.last, s.count - s.picked)
    s.lawful = s.mask


@kernel
def buried(R, s):
    seat = s.seat
    for j in range(PLANES):
        s.kitty[j] = s.pick[j]
    remove(s.hand[seat], s.kitty)
    s.held[seat] -= R.kitty
    start_pick(s)
    if R.rebid_after_bury and s.bid_ranks:
        s.rebidding = 1
        s.bid_passed = 0
        for p in range(R.players):
            s.bid_best[p] = best_bid(R, s, p)
        s.bid_turn = (seat + 1) % R.players
        ask_round(R, s)
    else:
        begin_calls(R, s)

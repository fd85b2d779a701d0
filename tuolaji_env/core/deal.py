"""From the shuffle to the first lead (R8, R9.1): drawing, bids, kitty, friend calls."""

from __future__ import annotations

from .bid import best_bid, bid_mask, log, make_bid, may_bid, shown_kinds
from .follow import ALL, room_mask
from .jit import below, boundary, inline, kernel
from .planes import add, clear, join, remove, seat_after, total
from .play import begin_lead, end_without_bids, start_pick
from .record import (
    BID,
    BIG_JOKER,
    BURY,
    CALL,
    END,
    GAME,
    LOG_CALL,
    LOG_FLIP,
    LOG_ORDINAL,
    NO_LEVEL,
    NO_TRUMP,
    NOT_ENDED,
    ORDINAL,
    PLANES,
    RULES,
    SEATS,
    SMALL_JOKER,
    TRUMP,
)


@kernel
def draw_number(s, n):
    """The game's next random integer 0 <= x < n."""
    s.counter += 1
    return below(s.seed, s.counter, n)


@boundary(RULES, GAME)
def shuffle(R, s):
    """Put the whole deck in a random order before anybody acts."""
    size = 0
    for k in range(54 if R.jokers else 52):
        for _ in range(R.decks):
            s.deck[size] = k
            size += 1
    for i in range(size - 1, 0, -1):
        j = draw_number(s, i + 1)
        s.deck[i], s.deck[j] = s.deck[j], s.deck[i]


@boundary(RULES, GAME)
def clear_deal(R, s):
    for p in range(SEATS):
        clear(s.hand[p])
        clear(s.trick[p])
        clear(s.played[p])
        clear(s.exposed[p])
        clear(s.shown[p])
        s.void[p] = 0
        s.taken[p] = 0
        s.fined[p] = 0
        s.held[p] = 0
        s.rise[p] = 0
        s.bid_best[p] = 0
        s.side[p] = 1
    clear(s.gone)
    clear(s.kitty)
    clear(s.flipped)
    s.worth, s.tricks, s.moved, s.paid, s.score, s.capture = 0, 0, 0, 0, 0, 0
    s.drawn, s.bid_strength, s.bid_copies, s.bid_small, s.bid_big = 0, 0, 0, 0, 0
    s.bid_count, s.bid_passed, s.rebidding, s.calls, s.count = 0, 0, 0, 0, 0
    s.owned, s.owed_cards, s.logged, s.exposed_seats = 0, 0, 0, 0
    s.burier, s.bid_seat, s.bid_kind, s.first_bidder = -1, -1, -1, -1
    s.level_bidder, s.single_seat, s.single_kind = -1, -1, -1
    s.suit, s.leader, s.winner = -1, -1, -1
    s.bid_trump, s.trump = NO_TRUMP, NO_TRUMP
    s.drawing = 1
    s.ended = NOT_ENDED
    for i in range(2):
        s.call_kind[i], s.call_seat[i] = -1, -1
        s.call_ordinal[i], s.call_left[i] = 0, 0
    start_pick(s)


@boundary(RULES, GAME)
def start_deal(R, s):
    """Begin a deal with the deck as it lies, `next_declarer`, `first_drawer` and levels as set.

    -1 for the declarer: the bidding finds one (or the seed, where nobody bids); -1 for the first
    drawer: the declarer, else the seed.
    """
    clear_deal(R, s)
    s.declarer = s.next_declarer
    top = R.ladder_length - 1
    place = s.level[0] if s.declarer < 0 else s.level[s.declarer]
    s.level_rank = R.ladder[place]
    unbid = s.level_rank == NO_LEVEL or (R.top_no_trump and place == top)
    if s.declarer < 0 and (unbid or R.first_declarer == 2):
        s.declarer = s.next_declarer = draw_number(s, R.players)
        s.level_rank = R.ladder[s.level[s.declarer]]
    if s.first_drawer < 0:
        s.first_drawer = s.declarer if s.declarer >= 0 else draw_number(s, R.players)
    if R.friends and s.declarer < 0 and s.winners:
        s.bid_ranks, s.level_rank = 0, NO_LEVEL  # the bidding will find one of them
        for p in range(R.players):
            if (s.winners >> p) & 1:
                s.bid_ranks |= 1 << R.ladder[s.level[p]]
    else:
        s.bid_ranks = 0 if unbid else 1 << s.level_rank
    s.combo = s.level_rank * 5 + NO_TRUMP
    _draw(R, s)


@inline
def _hold(R, s, drawn):
    """Note how many cards are drawn, and by whom."""
    s.drawn = drawn
    for i in range(R.players):
        seat = (s.first_drawer + i) % R.players
        s.held[seat] = (drawn - i + R.players - 1) // R.players


@boundary(RULES, GAME)
def _draw(R, s):
    """Draw on until a seat must be asked for a bid (R8.1); after the last card, the last round."""
    dealt = R.deck_size - R.kitty
    telling = 0
    if s.bid_ranks:
        telling = shown_kinds(R, s) | (1 << SMALL_JOKER) | (1 << BIG_JOKER)
    seat = (s.first_drawer + s.drawn) % R.players
    for drawn in range(s.drawn, dealt):
        card = s.deck[drawn]
        add(s.hand[seat], card)
        if (telling >> card) & 1:
            s.bid_best[seat] = best_bid(R, s, seat)
        if R.poll_draw and s.bid_best[seat] and may_bid(R, s, seat):
            _hold(R, s, drawn + 1)
            _ask(R, s, seat)
            return
        seat = seat_after(seat, 1, R.players)
    _hold(R, s, dealt)
    s.drawing = 0
    s.bid_passed = 0
    s.bid_turn = s.first_drawer
    _ask_round(R, s)


@inline
def _ask(R, s, seat):
    s.phase, s.seat = BID, seat
    start_pick(s)
    s.mask = bid_mask(R, s, seat)
    s.lawful = s.mask


@boundary(RULES, GAME)
def _ask_round(R, s):
    """Ask the next seat in turn that has a legal bid and has not passed since the last bid."""
    for i in range(R.players):
        seat = (s.bid_turn + i) % R.players
        if (s.bid_passed >> seat) & 1 or (s.rebidding and seat == s.burier):
            continue
        if may_bid(R, s, seat):
            s.bid_turn = (seat + 1) % R.players
            _ask(R, s, seat)
            return
    if s.rebidding:
        _begin_calls(R, s)
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
    _settle(R, s)
    if R.kitty:
        for i in range(R.deck_size - R.kitty, R.deck_size):
            add(s.kitty, s.deck[i])
        _take_kitty(R, s, burier)
    else:
        _begin_calls(R, s)


@inline
def _set_order(s):
    s.combo = s.level_rank * 5 + s.trump


@inline
def _settle(R, s):
    """Sides and order of the cards, once declarer and trump are known (R1.4, R3)."""
    for p in range(R.players):
        s.side[p] = 1 if R.friends else (p - s.declarer) % 2
    s.side[s.declarer] = 0
    _set_order(s)


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


@boundary(RULES, GAME, int)
def _take_kitty(R, s, seat):
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
def _buried(R, s):
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
        _ask_round(R, s)
    else:
        _begin_calls(R, s)


@boundary(RULES, GAME)
def _begin_calls(R, s):
    if R.friends:
        s.phase, s.seat, s.calls = CALL, s.declarer, 0
        start_pick(s)
        call_mask(R, s)
    else:
        begin_lead(R, s, s.declarer)


@kernel
def start_after_bury(R, s):
    """Go on from hands, kitty, trump and declarer that were set by hand."""
    s.drawn, s.drawing = R.deck_size - R.kitty, 0
    s.burier = s.declarer if R.kitty else -1
    s.level_rank = R.ladder[s.level[s.declarer]]
    for p in range(R.players):
        s.held[p] = total(s.hand[p], ALL)
    _settle(R, s)
    _begin_calls(R, s)


@boundary(RULES, GAME)
def call_mask(R, s):
    """R9.1: distinct (kind, ordinal) pairs in ascending order, none of them trump."""
    i = s.calls
    more = R.friends - i - 1  # calls after this one
    floor, used = -1, R.decks
    if i:
        floor, used = s.call_kind[i - 1], s.call_ordinal[i - 1]
    mask = 0
    if s.picked:
        k = s.last
        first = used + 1 if k == floor else 1
        for ordinal in range(first, R.decks + 1):
            if R.decks - ordinal + _callable_above(R, s, k) * R.decks >= more:
                mask |= 1 << (ORDINAL + ordinal - 1)
    else:
        for k in range(max(floor, 0), 52):
            if R.suit_of[s.combo, k] == TRUMP:
                continue
            ordinals = R.decks - used if k == floor else R.decks
            if ordinals and ordinals - 1 + _callable_above(R, s, k) * R.decks >= more:
                mask |= 1 << k
    s.mask = mask
    s.lawful = mask


@kernel
def _callable_above(R, s, kind):
    n = 0
    for k in range(kind + 1, 52):
        n += R.suit_of[s.combo, k] != TRUMP
    return n


@kernel
def _call_step(R, s, action):
    if action < END:
        s.last, s.picked = action, 1
        call_mask(R, s)
        return
    i = s.calls
    s.call_kind[i] = s.last
    s.call_ordinal[i] = s.call_left[i] = action - ORDINAL + 1
    log(s, LOG_CALL, s.seat, s.last)
    log(s, LOG_ORDINAL, s.seat, action - ORDINAL + 1)
    s.calls = i + 1
    s.picked = 0
    if s.calls == R.friends:
        begin_lead(R, s, s.declarer)
    else:
        call_mask(R, s)


@kernel
def _bid_step(R, s, action):
    seat = s.seat
    if action < END:
        add(s.pick, action)
        s.picked += 1
        s.last = action
        s.mask = bid_mask(R, s, seat)
        s.lawful = s.mask
        return
    if s.picked == 0:
        s.bid_passed |= 1 << seat
    else:
        make_bid(R, s, action)
        if s.rebidding:
            s.trump = s.bid_trump
            _set_order(s)
            _take_kitty(R, s, seat)
            return
    start_pick(s)  # who may bid next is asked of hands, not of what was shown
    if s.drawing:
        _draw(R, s)
    else:
        _ask_round(R, s)


@boundary(RULES, GAME, int)
def prepare_step(R, s, action):
    """One action of a bid, a bury or a call; deals again where nobody bid."""
    if s.phase == BID:
        _bid_step(R, s, action)
    elif s.phase == BURY:
        add(s.pick, action)
        s.picked += 1
        s.last = action
        if s.picked == s.count:
            _buried(R, s)
        else:
            bury_mask(s)
    else:
        _call_step(R, s, action)


@kernel
def redeal_while_unbid(R, s):
    """R8.5: deal again after a deal without a bid, at most `max_redeals` times in a row."""
    while s.mask == 0 and s.redeals > 0 and s.ended == NOT_ENDED:
        if s.redeals > R.max_redeals:
            end_without_bids(R, s)
            return
        shuffle(R, s)
        start_deal(R, s)

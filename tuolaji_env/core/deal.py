"""From the shuffle to the last card drawn (R8.1), and how a deal goes on from there."""

from __future__ import annotations

from .auction import ask, ask_round, buried, bury_mask, set_order, settle, take_kitty
from .bid import best_bid, bid_mask, make_bid, may_bid, shown_kinds
from .calls import begin_calls, call_step
from .follow import ALL
from .jit import below, boundary, inline, kernel
from .planes import add, clear, seat_after, total
from .play import end_without_bids, start_pick
from .record import (
    BID,
    BIG_JOKER,
    BURY,
    END,
    GAME,
    NO_LEVEL,
    NO_TRUMP,
    NOT_ENDED,
    RULES,
    SEATS,
    SMALL_JOKER,
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
    seed, counter = s.seed, s.counter
    for i in range(size - 1, 0, -1):
        counter += 1
        j = below(seed, counter, i + 1)
        s.deck[i], s.deck[j] = s.deck[j], s.deck[i]
    s.counter = counter


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
        s.told[p] = 0
        s.side[p] = 1
    clear(s.gone)
    clear(s.kitty)
    clear(s.flipped)
    s.worth, s.tricks, s.moved, s.paid, s.score, s.capture = 0, 0, 0, 0, 0, 0
    s.drawn, s.bid_strength, s.bid_copies, s.bid_small, s.bid_big = 0, 0, 0, 0, 0
    s.bid_count, s.bid_passed, s.rebidding, s.parted, s.calls, s.count = 0, 0, 0, 0, 0, 0
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
    each = drawn // R.players
    more = drawn - each * R.players
    for i in range(R.players):
        s.held[seat_after(s.first_drawer, i, R.players)] = each + (i < more)


@inline
def _asked_at_once(R, s, seat):
    """1 if a seat would be asked for a bid after a card it drew, else 0."""
    if R.poll_draw and s.bid_best[seat] and may_bid(R, s, seat):
        return 1
    return 0


@boundary(RULES, GAME)
def _draw(R, s):
    """Draw on until a seat must be asked for a bid (R8.1); after the last card, the last round."""
    dealt = R.deck_size - R.kitty
    telling = 0
    if s.bid_ranks:
        telling = shown_kinds(R, s) | (1 << SMALL_JOKER) | (1 << BIG_JOKER)
    ready = 0  # seats that would be asked, as bits: other cards than those telling change nothing
    for p in range(R.players):
        ready |= _asked_at_once(R, s, p) << p
    seat = (s.first_drawer + s.drawn) % R.players
    for drawn in range(s.drawn, dealt):
        card = s.deck[drawn]
        add(s.hand[seat], card)
        if (telling >> card) & 1:
            s.bid_best[seat] = best_bid(R, s, seat)
            ready = ready & ~(1 << seat) | _asked_at_once(R, s, seat) << seat
        if (ready >> seat) & 1:
            _hold(R, s, drawn + 1)
            ask(R, s, seat)
            return
        seat = seat_after(seat, 1, R.players)
    _hold(R, s, dealt)
    s.drawing = 0
    s.bid_passed = 0
    s.bid_turn = s.first_drawer
    ask_round(R, s)


@kernel
def start_after_bury(R, s):
    """Go on from hands, kitty, trump and declarer that were set by hand."""
    s.drawn, s.drawing = R.deck_size - R.kitty, 0
    s.burier = s.declarer if R.kitty else -1
    s.level_rank = R.ladder[s.level[s.declarer]]
    for p in range(R.players):
        s.held[p] = total(s.hand[p], ALL)
    settle(R, s)
    begin_calls(R, s)


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
            set_order(s)
            take_kitty(R, s, seat)
            return
    start_pick(s)  # who may bid next is asked of hands, not of what was shown
    if s.drawing:
        _draw(R, s)
    else:
        ask_round(R, s)


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
            buried(R, s)
        else:
            bury_mask(s)
    else:
        call_step(R, s, action)


@kernel
def redeal_while_unbid(R, s):
    """R8.5: deal again after a deal without a bid, at most `max_redeals` times in a row."""
    while s.mask == 0 and s.redeals > 0 and s.ended == NOT_ENDED:
        if s.redeals > R.max_redeals:
            end_without_bids(R, s)
            return
        shuffle(R, s)
        start_deal(R, s)

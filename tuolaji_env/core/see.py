"""What a seat sees, written into a row of small numbers (the segments of `observe.Layout`).

A row depends only on what its seat may know: never on other hands, on the kitty unless the seat
buried it, on what another seat has picked so far, or on who is being asked for a bid.
"""

from __future__ import annotations

import numpy as np

from .ahead import read_ahead_for_row
from .jit import (
    BYTES,
    boundary,
    copy_bytes,
    driver,
    inline,
    kernel,
    popcount,
    seat_bytes,
    seat_fives,
    store_byte,
    store_counts,
    store_counts_2,
    store_word,
)
from .planes import points, remove, seat_after
from .record import (
    BID,
    BIG_JOKER,
    BURY,
    CALL,
    COMBOS,
    FOLLOW,
    GAME,
    HIDDEN_VALUE,
    LOG_BID,
    NO_TRUMP,
    OVER,
    PLANES,
    RULES,
    SMALL_JOKER,
    TRUMP,
    TRUMP_OF,
)

UNTURNED = 0 | 1 << 2 | 2 << 4 | 3 << 6  # places of the suits, two bits each
EACH = 0x01010101010101  # a one in the byte of each seat
VOIDS = np.array([sum((bits >> q & 1) << 8 * q for q in range(5)) for bits in range(32)])


@inline
def _turned(plane, turn):
    """A plane with its suits at other places."""
    if turn == UNTURNED:
        return plane
    out = plane & (3 << 52)
    for suit in range(4):
        out |= ((plane >> (13 * suit)) & 0x1FFF) << (13 * ((turn >> (2 * suit)) & 3))
    return out


@inline
def _counts(row, at, planes, turn, wide):
    """Copies of each kind, 54 numbers (and ten zeros, for what follows to write over).

    wide: there may be more than two copies.
    """
    p0, p1 = _turned(planes[0], turn), _turned(planes[1], turn)
    if wide:
        store_counts(row, at, p0, p1, _turned(planes[2], turn), _turned(planes[3], turn))
    else:
        store_counts_2(row, at, p0, p1)
    return at + 54


@inline
def _one_hot(row, at, place, size):
    known = 0 <= place < size
    store_byte(row, at + (place if known else 0), known)  # no branch: these are hard to predict
    return at + size


@inline
def _byte(row, at, value):
    store_byte(row, at, min(max(value, 0), 255))
    return at + 1


@inline
def _seats(R, row, at, word, viewer, seats):
    """Numbers by relative seat, from the bytes of a word (and zeros, to be written over)."""
    bits = 8 * R.players
    word &= (1 << bits) - 1
    around = word >> (8 * viewer) | word << (bits - 8 * viewer)
    store_word(row, at, around & ((1 << bits) - 1))
    return at + seats


@inline
def suit_turn(s, canonical):
    """Places of the four suits, two bits each: in the canonical view trump comes last."""
    if not canonical or s.trump == NO_TRUMP:
        return UNTURNED
    turn, place = 0, 0
    for suit in range(4):
        if suit == s.trump:
            turn |= 3 << (2 * suit)
        else:
            turn |= place << (2 * suit)
            place += 1
    return turn


@inline
def _suit_place(suit, turn):
    return (turn >> (2 * suit)) & 3 if 0 <= suit < 4 else suit


@inline
def _shape(row, at, shape):
    """Tuples by width 1..4, then number and total length of tractors by width 2..4."""
    store_word(row, at, (seat_bytes(shape) >> 8) & 0xFFFFFFFF)
    for t in range(shape[0]):
        place = at + 4 + 2 * (shape[5 + 2 * t] - 2)
        row[place] += 1
        row[place + 1] += shape[6 + 2 * t]
    return at + 10


@inline
def _relative(seat, viewer, players):
    if seat < 0:
        return -1
    return seat - viewer if seat >= viewer else seat - viewer + players


@inline
def _by_seat(R, sets, viewer, turn, wide, row, at):
    """Counts of each seat's cards, by relative seat."""
    for i in range(R.players):
        _counts(row, at + 54 * i, sets[seat_after(viewer, i, R.players)], turn, wide)


@inline
def _unseen(R, s, viewer):
    """Into `w_left` what is neither played nor in the viewer's hand nor buried by him."""
    left = s.w_left
    deck = (1 << 54) - 1 if R.jokers else (1 << 52) - 1
    for j in range(PLANES):
        left[j] = deck if j < R.decks else 0
    remove(left, s.gone)
    remove(left, s.hand[viewer])
    if s.burier == viewer:
        remove(left, s.kitty)


@inline
def _cards(R, s, viewer, seats, turn, row, at):
    """The segments that hold cards."""
    wide = R.decks > 2
    at = _counts(row, at, s.hand[viewer], turn, wide)
    if viewer == s.seat and s.phase != OVER and s.phase != CALL:
        _counts(row, at, s.pick, turn, wide)
    at += 54
    if s.phase == FOLLOW:
        _by_seat(R, s.trick, viewer, turn, wide, row, at)
    if s.tricks:
        _by_seat(R, s.played, viewer, turn, wide, row, at + 54 * seats)
    if s.exposed_seats:
        _by_seat(R, s.exposed, viewer, turn, wide, row, at + 108 * seats)
    at += 3 * 54 * seats
    _unseen(R, s, viewer)
    at = _counts(row, at, s.w_left, turn, wide)
    return _counts(row, at, s.kitty if s.burier == viewer else s.flipped, turn, wide)


@inline
def _voids(R, s, viewer, seats, turn, row, at):
    """Effective suits that seats have shown to lack."""
    for i in range(R.players):
        bits = s.void[seat_after(viewer, i, R.players)]
        if turn != UNTURNED:
            real, bits = bits, bits & (1 << TRUMP)
            for suit in range(4):
                bits |= ((real >> suit) & 1) << _suit_place(suit, turn)
        store_word(row, at + 5 * i, VOIDS[bits])
    return at + 5 * seats


@inline
def _few(planes, kinds):
    """Cards of some kinds in a set that seldom has two of any."""
    n = popcount(planes[0] & kinds)
    if planes[1]:
        for j in range(1, PLANES):
            n += popcount(planes[j] & kinds)
    return n


@inline
def _shown(planes, turn, row, at):
    """Cards that a seat has shown: four suits, jokers."""
    for suit in range(4):
        place = at + _suit_place(suit, turn)
        store_byte(row, place, _few(planes, 0x1FFF << (13 * suit)))
    store_byte(row, at + 4, _few(planes, 1 << SMALL_JOKER))
    store_byte(row, at + 5, _few(planes, 1 << BIG_JOKER))


@kernel
def _veiled(s, seat, row, at):
    """The same where bids are hidden: level cards as often as bids had them, suits untold.

    Whether two bids of a seat were of one suit is not told either: the log is counted.
    """
    hidden = 0
    for i in range(s.logged):
        event = s.log[i]
        if event >> 9 == LOG_BID and (event >> 6) & 7 == seat and event & 63 == HIDDEN_VALUE:
            hidden += 1
    planes = s.shown[seat]
    store_byte(row, at + 4, _few(planes, 1 << SMALL_JOKER))
    store_byte(row, at + 5, _few(planes, 1 << BIG_JOKER))
    store_byte(row, at + 6, min(hidden, 255))


@inline
def _bids(R, s, viewer, seats, turn, row, at):
    """Shown cards by seat (four suits, jokers, hidden copies), the standing bid."""
    hidden = R.hidden_bids and s.phase == BID
    for i in range(R.players if s.bid_count else 0):
        seat = seat_after(viewer, i, R.players)
        if s.shown[seat, 0] and hidden and i > 0:
            _veiled(s, seat, row, at + 7 * i)
        elif s.shown[seat, 0]:
            _shown(s.shown[seat], turn, row, at + 7 * i)
    at += 7 * seats
    at = _one_hot(row, at, _relative(s.bid_seat, viewer, R.players), seats)
    veiled = hidden and s.bid_seat != viewer
    standing = s.bid_seat >= 0 and not veiled
    at = _one_hot(row, at, _suit_place(s.bid_trump, turn) if standing else -1, 5)
    at = _byte(row, at, s.bid_strength)
    return _byte(row, at, s.bid_copies + s.bid_small + s.bid_big)


@inline
def _trick(R, s, viewer, turn, row, at):
    """The lead, what the mover owes, the standing play."""
    playing = s.phase == FOLLOW
    mine = playing and s.seat == viewer
    at = _one_hot(row, at, _suit_place(s.suit, turn) if playing else -1, 5)
    at = _byte(row, at, s.count if playing or (s.phase == BURY and s.seat == viewer) else 0)
    if playing:
        _shape(row, at, s.lead_shape)
    at += 10
    if mine and s.count > 1:
        _shape(row, at, s.owed)
    at += 10
    if playing:
        store_byte(row, at, s.best_suit == TRUMP)
        store_byte(row, at + 1, s.tops[0] + 1)
        store_byte(row, at + 2, s.best_width)
    return _byte(row, at + 3, s.worth // 5 if playing else 0)


@inline
def _roles(R, s, viewer, seats, row, at):
    """Who is what, by relative seat; cards held; known sides."""
    playing = s.phase >= FOLLOW
    for who in (s.declarer, s.burier, s.leader if playing else -1, s.winner if playing else -1):
        at = _one_hot(row, at, _relative(who, viewer, R.players), seats)
    if s.burier < 0:
        # while cards are drawn all hands grow alike: who is asked must not show
        return _seats(R, row, at, s.held[viewer] * EACH, viewer, seats) + 2 * seats
    at = _seats(R, row, at, seat_bytes(s.held), viewer, seats)
    against = seat_bytes(s.side) & EACH
    at = _seats(R, row, at, against ^ EACH, viewer, seats)
    return _seats(R, row, at, 0 if R.friends else against, viewer, seats)


@inline
def _numbers(R, s, viewer, seats, row, at):
    """Points in fives, levels, and the course of the deal and match."""
    at = _seats(R, row, at, seat_fives(s.taken), viewer, seats)
    at = _seats(R, row, at, seat_fives(s.fined), viewer, seats)
    at = _seats(R, row, at, seat_bytes(s.level) + EACH, viewer, seats)
    at = _seats(R, row, at, seat_bytes(s.gained), viewer, seats)
    score = 0 if R.friends else s.paid
    if s.phase == OVER and not R.friends:  # without the kitty, as before
        score = 0
        for p in range(R.players if s.declarer >= 0 else 0):
            score += s.taken[p] - s.fined[p] if s.side[p] else s.fined[p]
    at = _byte(row, at, score // 5 + 64)
    at = _byte(row, at, points(s.kitty) // 5 if s.burier == viewer else 0)
    at = _byte(row, at, s.tricks)
    at = _byte(row, at, s.deal)
    return _byte(row, at, s.redeals)


@inline
def _calls(R, s, viewer, seats, slots, turn, row, at):
    """Friend calls: the kind, the ordinal, copies still to come, who was found."""
    for i in range(slots):
        if i < s.calls:
            k = s.call_kind[i]
            store_byte(row, at + 13 * _suit_place(k // 13, turn) + k % 13, 1)
            store_byte(row, at + 54, s.call_ordinal[i])
            store_byte(row, at + 55, s.call_left[i])
            _one_hot(row, at + 56, _relative(s.call_seat[i], viewer, R.players), seats)
        at += 56 + seats
    return at


@boundary(RULES, GAME, int, BYTES, int, int, bool, BYTES, int, int)
def write_row(R, s, viewer, fixed, seats, slots, canonical, out, at, size):
    """Write one row: `viewer` is the seat whose knowledge it is.

    fixed: [70 * F] uint8, by combo the end of the row, which hangs on level, trump and rules alone
    (the order of kinds, the level, the options); seats, slots: room for both; out: flat, the row
    begins at `at`.  Segments are written in order: some write zeros beyond their end.
    """
    for i in range(at, at + size):
        store_byte(out, i, 0)
    turn = suit_turn(s, canonical)
    at = _cards(R, s, viewer, seats, turn, out, at)
    at = _voids(R, s, viewer, seats, turn, out, at)
    known = (s.declarer >= 0 and s.phase != BID) or s.rebidding
    at = _one_hot(out, at, _suit_place(s.trump, turn) if known else -1, 5)
    at = _one_hot(out, at, s.trump if known else -1, 5)
    mine = s.seat == viewer
    at = _one_hot(out, at, s.phase if mine or s.phase > CALL else -1, OVER + 1)
    at = _byte(out, at, s.phase == BID and mine and s.drawing)
    at = _bids(R, s, viewer, seats, turn, out, at)
    at = _trick(R, s, viewer, turn, out, at)
    at = _roles(R, s, viewer, seats, out, at)
    at = _numbers(R, s, viewer, seats, out, at)
    at = _calls(R, s, viewer, seats, slots, turn, out, at)
    length = len(fixed) // COMBOS
    copy_bytes(out, at, fixed, s.combo * length, length)


@inline
def scale_row(row, at, scale, out, to):
    """The float32 numbers of a row of bytes. row, out: flat; at, to: where it begins in each."""
    numbers, scaled = row[at : at + len(scale)], out[to : to + len(scale)]
    for k in range(len(scale)):
        scaled[k] = np.float32(numbers[k]) * scale[k]


@driver
def see_bytes(rules, games, rows, viewers, fixed, seats, slots, canonical, size, out):
    """Rows of uint8. rows, viewers: [N] int64; out: [N * size] uint8."""
    R = rules[0]
    for i in range(len(rows)):
        read_ahead_for_row(R, games, rows[min(i + 2, len(rows) - 1)])
        s = games[rows[i]]
        write_row(R, s, viewers[i], fixed, seats, slots, canonical, out, i * size, size)


@driver
def see_floats(rules, games, rows, viewers, fixed, seats, slots, canonical, scale, row, out):
    """Rows of float32: the bytes times `scale` [D]. row: [D] uint8 working space; out: [N * D]."""
    R = rules[0]
    size = len(scale)
    for i in range(len(rows)):
        read_ahead_for_row(R, games, rows[min(i + 2, len(rows) - 1)])
        s = games[rows[i]]
        write_row(R, s, viewers[i], fixed, seats, slots, canonical, row, 0, size)
        scale_row(row, 0, scale, out, i * size)


@inline
def write_mask(s, canonical, out, i):
    """Write the mover's action mask as row i of [N, 63] int8."""
    turn = suit_turn(s, canonical)
    mask = _turned(s.mask & ((1 << 54) - 1), turn) | (s.mask & (31 << 54))
    for suit in range(4):
        mask |= ((s.mask >> (TRUMP_OF + suit)) & 1) << (TRUMP_OF + ((turn >> (2 * suit)) & 3))
    for action in range(63):
        out[i, action] = (mask >> action) & 1


@driver
def turn_masks(games, rows, canonical, out):
    """Action masks of the movers. out: [N, 63] int8, by canonical actions if asked."""
    for i in range(len(rows)):
        write_mask(games[rows[i]], canonical, out, i)


@driver
def turn_actions(games, rows, actions):
    """Canonical actions of the movers as real ones, in place. actions: [N] int64."""
    for i in range(len(rows)):
        turn = suit_turn(games[rows[i]], True)
        action = actions[i]
        for suit in range(4):
            place = (turn >> (2 * suit)) & 3
            if action < 52 and action // 13 == place:
                actions[i] = 13 * suit + action % 13
                break
            if action == TRUMP_OF + place:
                actions[i] = TRUMP_OF + suit
                break

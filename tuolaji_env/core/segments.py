"""The segments of a row of observations, in the order of `observe.Layout`.

Each writer stores its segment of `row` from `at` on and returns where the next one begins.  Most
do so without branches, which would be hard to predict; some write zeros beyond their end.
"""

from __future__ import annotations

import numpy as np

from .jit import boundary, inline, kernel
from .planes import points, seat_after, without
from .record import (
    BID,
    BURY,
    CALL,
    FOLLOW,
    GAME,
    HIDDEN_VALUE,
    LOG_BID,
    OVER,
    RULES,
    TRUMP,
)
from .rowbytes import (
    BYTES,
    clear_bytes,
    seat_bytes,
    seat_fives,
    store_byte,
    store_counts,
    store_counts_2,
    store_word,
)
from .turn import UNTURNED, suit_place, turned

EACH = 0x01010101010101  # a one in the byte of each seat
VOIDS = np.array([sum((bits >> q & 1) << 8 * q for q in range(5)) for bits in range(32)])


@inline
def _where(truth):
    """All bits, or none."""
    return -1 if truth else 0


@inline
def _counts(row, at, planes, keep, turn, wide):
    """Copies of each kind, 54 numbers (and ten zeros).

    keep: -1, or 0 for none of the cards; wide: there may be more than two copies.
    """
    p0, p1 = turned(planes[0] & keep, turn), turned(planes[1] & keep, turn)
    if wide and planes[2] & keep:
        p2, p3 = turned(planes[2], turn), turned(planes[3], turn)
        store_counts(row, at, p0, p1, p2, p3)
    else:
        store_counts_2(row, at, p0, p1)
    return at + 54


@inline
def one_hot(row, at, place, size):
    """A one at a place below eight, none if that is negative."""
    store_word(row, at, 1 << (8 * place) if place >= 0 else 0)
    return at + size


@inline
def byte(row, at, value):
    """One number, at most 255."""
    store_byte(row, at, min(max(value, 0), 255))
    return at + 1


@inline
def _seats(row, at, word, viewer, players, seats):
    """Numbers by relative seat, from the bytes of a word (and zeros)."""
    bits = 8 * players
    word &= (1 << bits) - 1
    around = word >> (8 * viewer) | word << (bits - 8 * viewer)
    store_word(row, at, around & ((1 << bits) - 1))
    return at + seats


@inline
def _relative(seat, viewer, players):
    if seat < 0:
        return -1
    return seat - viewer if seat >= viewer else seat - viewer + players


@inline
def _by_seat(sets, viewer, players, seats, keep, turn, wide, row, at):
    """Counts of each seat's cards, by relative seat."""
    for i in range(players):
        _counts(row, at + 54 * i, sets[seat_after(viewer, i, players)], keep, turn, wide)
    for i in range(players, seats):
        store_counts_2(row, at + 54 * i, 0, 0)
    return at + 54 * seats


@inline
def _unseen(R, s, viewer, buried, wide):
    """Planes of what is neither played nor in the viewer's hand nor buried by him."""
    deck = (1 << 54) - 1 if R.jokers else (1 << 52) - 1
    left = (
        deck,
        deck if R.decks > 1 else 0,
        deck if wide and R.decks > 2 else 0,
        deck if wide and R.decks > 3 else 0,
    )
    left = without(left, s.gone, -1)
    left = without(left, s.hand[viewer], -1)
    return without(left, s.kitty, buried)


@inline
def cards(R, s, viewer, players, seats, turn, wide, row, at):
    """The segments that hold cards."""
    at = _counts(row, at, s.hand[viewer], -1, turn, wide)
    picking = viewer == s.seat and s.phase != OVER and s.phase != CALL
    at = _counts(row, at, s.pick, _where(picking), turn, wide)
    at = _by_seat(s.trick, viewer, players, seats, _where(s.phase == FOLLOW), turn, wide, row, at)
    at = _by_seat(s.played, viewer, players, seats, -1, turn, wide, row, at)
    if s.exposed_seats:
        at = _by_seat(s.exposed, viewer, players, seats, -1, turn, wide, row, at)
    else:
        for i in range(seats):
            store_counts_2(row, at + 54 * i, 0, 0)
        at += 54 * seats
    buried = _where(s.burier == viewer)
    at = _counts(row, at, _unseen(R, s, viewer, buried, wide), -1, turn, wide)
    if buried:
        return _counts(row, at, s.kitty, -1, turn, wide)
    return _counts(row, at, s.flipped, -1, turn, wide)


@boundary(RULES, GAME, int, int, int, BYTES, int, returns=int)
def turned_cards(R, s, viewer, seats, turn, row, at):
    """`cards` with the suits at other places."""
    return cards(R, s, viewer, R.players, seats, turn, True, row, at)


@inline
def voids(s, viewer, players, seats, turn, row, at):
    """Effective suits that seats have shown to lack."""
    for i in range(players):
        bits = s.void[seat_after(viewer, i, players)]
        if turn != UNTURNED:
            real, bits = bits, bits & (1 << TRUMP)
            for suit in range(4):
                bits |= ((real >> suit) & 1) << suit_place(suit, turn)
        store_word(row, at + 5 * i, VOIDS[bits])
    for i in range(players, seats):
        store_word(row, at + 5 * i, 0)
    return at + 5 * seats


@inline
def stage(s, viewer, turn, row, at):
    """Trump once it is settled, and the phase as far as the viewer may know it."""
    known = (s.declarer >= 0 and s.phase != BID) or s.rebidding
    trump = s.trump if known else -1
    at = one_hot(row, at, suit_place(trump, turn), 5)
    at = one_hot(row, at, trump, 5)
    mine = s.seat == viewer
    at = one_hot(row, at, s.phase if mine or s.phase > CALL else -1, OVER + 1)
    return byte(row, at, s.phase == BID and mine and s.drawing)


@kernel
def _veiled(s, seat, row, at):
    """What a seat has shown where bids are hidden: jokers, and how often there were level cards.

    Whether two bids of a seat were of one suit is not told either: the log is counted.
    """
    hidden = 0
    for i in range(s.logged):
        event = s.log[i]
        if event >> 9 == LOG_BID and (event >> 6) & 7 == seat and event & 63 == HIDDEN_VALUE:
            hidden += 1
    store_word(row, at, s.told[seat] & (0xFFFF << 32) | min(hidden, 255) << 48)


@kernel
def _turned_bytes(word, turn):
    out = word & (0xFFFF << 32)
    for suit in range(4):
        out |= (word >> (8 * suit) & 255) << (8 * suit_place(suit, turn))
    return out


@inline
def bids(R, s, viewer, players, seats, turn, row, at):
    """Shown cards by seat (four suits, jokers, hidden copies), the standing bid."""
    hidden = R.hidden_bids and s.phase == BID
    for i in range(players):
        seat = seat_after(viewer, i, players)
        if hidden and i > 0 and s.bid_count:
            _veiled(s, seat, row, at + 7 * i)
        elif turn == UNTURNED:
            store_word(row, at + 7 * i, s.told[seat])
        else:
            store_word(row, at + 7 * i, _turned_bytes(s.told[seat], turn))
    for i in range(players, seats):
        store_word(row, at + 7 * i, 0)
    at += 7 * seats
    at = one_hot(row, at, _relative(s.bid_seat, viewer, players), seats)
    standing = s.bid_seat >= 0 and not (hidden and s.bid_seat != viewer)
    at = one_hot(row, at, suit_place(s.bid_trump, turn) if standing else -1, 5)
    at = byte(row, at, s.bid_strength)
    return byte(row, at, s.bid_copies + s.bid_small + s.bid_big)


@inline
def _shape(row, at, shape, told):
    """Tuples by width 1..4, then number and total length of tractors by width 2..4."""
    store_word(row, at + 2, 0)
    store_word(row, at, (seat_bytes(shape) >> 8) & 0xFFFFFFFF & _where(told))
    if told:
        for t in range(shape[0]):
            place = at + 4 + 2 * (shape[5 + 2 * t] - 2)
            row[place] += 1
            row[place + 1] += shape[6 + 2 * t]
    return at + 10


@inline
def trick(s, viewer, turn, row, at):
    """The lead, what the mover owes, the standing play."""
    playing = s.phase == FOLLOW
    mine = s.seat == viewer
    at = one_hot(row, at, suit_place(s.suit, turn) if playing else -1, 5)
    at = byte(row, at, s.count if playing or (s.phase == BURY and mine) else 0)
    at = _shape(row, at, s.lead_shape, playing)
    at = _shape(row, at, s.owed, playing and mine and s.count > 1)
    best = (s.best_suit == TRUMP) | (s.tops[0] + 1) << 8 | s.best_width << 16
    store_word(row, at, (best | (s.worth // 5) << 24) & _where(playing))
    return at + 4


@inline
def roles(R, s, viewer, players, seats, row, at):
    """Who is what, by relative seat; cards held; known sides."""
    playing = s.phase >= FOLLOW
    leader, winner = _relative(s.leader, viewer, players), _relative(s.winner, viewer, players)
    at = one_hot(row, at, _relative(s.declarer, viewer, players), seats)
    at = one_hot(row, at, _relative(s.burier, viewer, players), seats)
    at = one_hot(row, at, leader if playing else -1, seats)
    at = one_hot(row, at, winner if playing else -1, seats)
    if s.burier < 0:
        # while cards are drawn all hands grow alike: who is asked must not show
        at = _seats(row, at, s.held[viewer] * EACH, viewer, players, seats)
        at = _seats(row, at, 0, viewer, players, seats)
        return _seats(row, at, 0, viewer, players, seats)
    at = _seats(row, at, seat_bytes(s.held), viewer, players, seats)
    against = seat_bytes(s.side) & EACH
    at = _seats(row, at, against ^ EACH, viewer, players, seats)
    return _seats(row, at, 0 if R.friends else against, viewer, players, seats)


@inline
def numbers(R, s, viewer, players, seats, row, at):
    """Points in fives, levels, and the course of the deal and match."""
    at = _seats(row, at, seat_fives(s.taken), viewer, players, seats)
    at = _seats(row, at, seat_fives(s.fined), viewer, players, seats)
    at = _seats(row, at, seat_bytes(s.level) + EACH, viewer, players, seats)
    at = _seats(row, at, seat_bytes(s.gained), viewer, players, seats)
    score = 0 if R.friends else s.paid
    if s.phase == OVER and not R.friends:  # without the kitty, as before
        score = 0
        for p in range(players if s.declarer >= 0 else 0):
            score += s.taken[p] - s.fined[p] if s.side[p] else s.fined[p]
    at = byte(row, at, score // 5 + 64)
    at = byte(row, at, points(s.kitty) // 5 if s.burier == viewer else 0)
    at = byte(row, at, s.tricks)
    at = byte(row, at, s.deal)
    return byte(row, at, s.redeals)


@inline
def calls(s, viewer, players, seats, slots, turn, row, at):
    """Friend calls: the kind, the ordinal, copies still to come, who was found."""
    if slots:
        clear_bytes(row, at, slots * (56 + seats))
    for i in range(slots):
        if i < s.calls:
            k = s.call_kind[i]
            store_byte(row, at + 13 * suit_place(k // 13, turn) + k % 13, 1)
            store_byte(row, at + 54, s.call_ordinal[i])
            store_byte(row, at + 55, s.call_left[i])
            store_byte(
                row,
                at + 56 + _relative(max(s.call_seat[i], 0), viewer, players),
                s.call_seat[i] >= 0,
            )
        at += 56 + seats
    return at

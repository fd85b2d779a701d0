"""What a seat sees, written into a row of small numbers (the segments of `observe.Layout`).

A row depends only on what its seat may know: never on other hands, on the kitty unless the seat
buried it, on what another seat has picked so far, or on who is being asked for a bid.
"""

from __future__ import annotations

import numpy as np

from .jit import driver, inline, kernel, store_counts, store_counts_2
from .planes import points, seat_after, total
from .record import (
    BID,
    BIG_JOKER,
    BURY,
    CALL,
    FOLLOW,
    NO_TRUMP,
    OVER,
    PLANES,
    SMALL_JOKER,
    TRUMP,
    TRUMP_OF,
)

UNTURNED = 0 | 1 << 2 | 2 << 4 | 3 << 6  # places of the suits, two bits each


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
def _counts(row, at, planes, turn):
    """Copies of each kind, 54 numbers (and ten zeros, for what follows to write over)."""
    p0, p1 = _turned(planes[0], turn), _turned(planes[1], turn)
    if planes[2]:
        store_counts(row, at, p0, p1, _turned(planes[2], turn), _turned(planes[3], turn))
    else:
        store_counts_2(row, at, p0, p1)
    return at + 54


@inline
def _one_hot(row, at, place, size):
    known = 0 <= place < size
    row[at + (place if known else 0)] = known  # without a branch: these are hard to predict
    return at + size


@inline
def _byte(row, at, value):
    row[at] = min(max(value, 0), 255)
    return at + 1


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
def _shape(row, at, shape):
    """Tuples by width 1..4, then number and total length of tractors by width 2..4."""
    for width in range(1, 5):
        row[at + width - 1] = shape[width]
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
def _cards(R, s, viewer, seats, turn, row):
    """The segments that hold cards."""
    at = _counts(row, 0, s.hand[viewer], turn)
    if viewer == s.seat and s.phase != OVER and s.phase != CALL:
        _counts(row, at, s.pick, turn)
    at += 54
    for sets in (s.trick, s.played, s.exposed):
        for i in range(R.players):
            planes = sets[seat_after(viewer, i, R.players)]
            if planes[0]:
                _counts(row, at + 54 * i, planes, turn)
        at += 54 * seats
    seen = s.w_have
    for j in range(PLANES):
        seen[j] = s.gone[j]
    _join(seen, s.hand[viewer])
    for p in range(R.players):
        if s.trick[p, 0]:
            _join(seen, s.trick[p])
    if s.burier == viewer:
        _join(seen, s.kitty)
    unseen = s.w_left
    deck = (1 << 54) - 1 if R.jokers else (1 << 52) - 1
    for j in range(PLANES):
        unseen[j] = deck & ~seen[R.decks - 1 - j] if j < R.decks else 0
    at = _counts(row, at, unseen, turn)
    return _counts(row, at, s.kitty if s.burier == viewer else s.flipped, turn)


@inline
def _join(target, planes):
    """Add cards to a set and keep them."""
    for j in range(PLANES):
        bits = planes[j]
        for i in range(PLANES):
            room = bits & ~target[i]
            target[i] |= room
            bits ^= room


@inline
def _suit_place(suit, turn):
    return (turn >> (2 * suit)) & 3 if 0 <= suit < 4 else suit


@inline
def _bids(R, s, viewer, seats, turn, row, at):
    """Shown cards by seat (four suits, jokers, hidden copies), the standing bid."""
    hidden = R.hidden_bids and s.phase == BID
    for i in range(R.players):
        seat = seat_after(viewer, i, R.players)
        shown = s.shown[seat]
        jokers = (1 << SMALL_JOKER) | (1 << BIG_JOKER)
        if shown[0] == 0:
            continue
        veiled = hidden and i > 0
        if veiled:
            row[at + 7 * i + 6] = total(shown, ~jokers)
        else:
            for suit in range(4):
                place = at + 7 * i + _suit_place(suit, turn)
                row[place] = total(shown, 0x1FFF << (13 * suit))
        row[at + 7 * i + 4] = total(shown, 1 << SMALL_JOKER)
        row[at + 7 * i + 5] = total(shown, 1 << BIG_JOKER)
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
    worth = 0
    if playing:
        row[at] = s.best_suit == TRUMP
        row[at + 1] = s.tops[0] + 1
        row[at + 2] = s.best_width
        for p in range(R.players):
            worth += points(s.trick[p])
    return _byte(row, at + 3, worth // 5)


@inline
def _roles(R, s, viewer, seats, row, at):
    """Who is what, by relative seat; cards held; known sides; suits shown to be void."""
    playing = s.phase >= FOLLOW
    for who in (s.declarer, s.burier, s.leader if s.phase >= FOLLOW else -1):
        at = _one_hot(row, at, _relative(who, viewer, R.players), seats)
    at = _one_hot(row, at, _relative(s.winner if playing else -1, viewer, R.players), seats)
    for i in range(R.players):
        seat = seat_after(viewer, i, R.players)
        # while cards are drawn all hands grow alike: who is asked must not show
        known = seat if s.burier >= 0 else viewer
        row[at + i] = s.held[known]
        if s.burier >= 0:
            row[at + seats + i] = s.side[seat] == 0
            row[at + 2 * seats + i] = s.side[seat] == 1 and not R.friends
    return at + 3 * seats


@inline
def _numbers(R, s, viewer, seats, row, at):
    """Points in fives, levels, and the course of the deal and match."""
    score = 0
    for i in range(R.players):
        seat = seat_after(viewer, i, R.players)
        row[at + i] = s.taken[seat] // 5
        row[at + seats + i] = min(s.fined[seat] // 5, 255)
        row[at + 2 * seats + i] = s.level[seat] + 1
        row[at + 3 * seats + i] = min(s.gained[seat], 255)
        if not R.friends and s.declarer >= 0:
            score += s.taken[seat] - s.fined[seat] if s.side[seat] else s.fined[seat]
    at += 4 * seats
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
            row[at + 13 * _suit_place(k // 13, turn) + k % 13] = 1
            row[at + 54] = s.call_ordinal[i]
            row[at + 55] = s.call_left[i]
            _one_hot(row, at + 56, _relative(s.call_seat[i], viewer, R.players), seats)
        at += 56 + seats
    return at


@kernel
def write_row(R, s, viewer, blanks, seats, slots, canonical, row):
    """Write one row: `viewer` is the seat whose knowledge it is.

    blanks: [70, D] uint8, rows by combo with all that hangs on level, trump and rules alone (the
    order of kinds, the options); seats, slots: room for both.
    """
    blank = blanks[s.combo]
    for i in range(len(row)):
        row[i] = blank[i]
    turn = suit_turn(s, canonical)
    at = _cards(R, s, viewer, seats, turn, row)
    for i in range(R.players):
        for suit in range(5):
            place = at + 5 * i + _suit_place(suit, turn)
            row[place] = (s.void[seat_after(viewer, i, R.players)] >> suit) & 1
    at += 5 * seats
    at += 2 * 54  # the order of kinds
    known = (s.declarer >= 0 and s.phase != BID) or s.rebidding
    at = _one_hot(row, at, _suit_place(s.trump, turn) if known else -1, 5)
    at = _one_hot(row, at, s.trump if known else -1, 5)
    at += 14  # the level rank
    mine = s.seat == viewer
    at = _one_hot(row, at, s.phase if mine or s.phase > CALL else -1, OVER + 1)
    row[at] = s.phase == BID and mine and s.drawing
    at += 1
    at = _bids(R, s, viewer, seats, turn, row, at)
    at = _trick(R, s, viewer, turn, row, at)
    at = _roles(R, s, viewer, seats, row, at)
    at = _numbers(R, s, viewer, seats, row, at)
    return _calls(R, s, viewer, seats, slots, turn, row, at)


@inline
def scale_row(row, scale, out):
    """The float32 numbers of a row of bytes."""
    for k in range(len(scale)):
        out[k] = np.float32(row[k]) * scale[k]


@driver
def see_bytes(rules, games, rows, viewers, blanks, seats, slots, canonical, out):
    """Rows of uint8. rows, viewers: [N] int64; out: [N, D] uint8."""
    R = rules[0]
    for i in range(len(rows)):
        write_row(R, games[rows[i]], viewers[i], blanks, seats, slots, canonical, out[i])


@driver
def see_floats(rules, games, rows, viewers, blanks, seats, slots, canonical, scale, row, out):
    """Rows of float32: the bytes times `scale` [D]. row: [D] uint8 working space."""
    R = rules[0]
    for i in range(len(rows)):
        write_row(R, games[rows[i]], viewers[i], blanks, seats, slots, canonical, row)
        scale_row(row, scale, out[i])


@driver
def turn_masks(games, rows, canonical, out):
    """Action masks of the movers. out: [N, 63] int8, by canonical actions if asked."""
    for i in range(len(rows)):
        s = games[rows[i]]
        turn = suit_turn(s, canonical)
        mask = _turned(s.mask & ((1 << 54) - 1), turn) | (s.mask & (31 << 54))
        for suit in range(4):
            mask |= ((s.mask >> (TRUMP_OF + suit)) & 1) << (TRUMP_OF + ((turn >> (2 * suit)) & 3))
        for action in range(63):
            out[i, action] = (mask >> action) & 1


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

"""What a seat sees: rows of small numbers (the segments of `observe.Layout`), action masks.

A row depends only on what its seat may know: never on other hands, on the kitty unless the seat
buried it, on what another seat has picked so far, or on who is being asked for a bid.
"""

from __future__ import annotations

import numpy as np

from .ahead import read_ahead_for_row
from .jit import boundary, driver, inline
from .record import ACTIONS, COMBOS, END, GAME, RULES, TRUMP_OF
from .rowbytes import BYTES, copy_32, start_of, store_32_bits
from .segments import bids, calls, cards, numbers, roles, stage, trick, turned_cards, voids
from .turn import UNTURNED, suit_place, suit_turn, turned


@inline
def _all_but_cards(R, s, viewer, players, seats, slots, turn, fixed, length, out, at):
    at = voids(s, viewer, players, seats, turn, out, at)
    at = stage(s, viewer, turn, out, at)
    at = bids(R, s, viewer, players, seats, turn, out, at)
    at = trick(s, viewer, turn, out, at)
    at = roles(R, s, viewer, players, seats, out, at)
    at = numbers(R, s, viewer, players, seats, out, at)
    at = calls(s, viewer, players, seats, slots, turn, out, at)
    first, last = s.combo * length, length - 32
    for k in range(0, last, 32):
        copy_32(out, at + k, fixed, first + k)
    copy_32(out, at + last, fixed, first + last)


@boundary(RULES, GAME, int, BYTES, int, int, int, bool, BYTES, int)
def write_row(R, s, viewer, fixed, length, seats, slots, canonical, out, at):
    """Write one row: `viewer` is the seat whose knowledge it is.

    fixed: [70 * length] uint8, by combo the end of the row, which hangs on level, trump and rules
    alone (the order of kinds, the level, the options), at least 32 numbers; seats, slots: room for
    both; out: the row begins at `at`.  Segments are written in order: some write zeros beyond
    their end.
    """
    turn, players = suit_turn(s, canonical), R.players
    if players == 4 and seats == 4 and slots == 0 and R.decks <= 2 and turn == UNTURNED:
        # what most rules need, from constants: without loops and branches
        at = cards(R, s, viewer, 4, 4, UNTURNED, False, out, at)
        _all_but_cards(R, s, viewer, 4, 4, 0, UNTURNED, fixed, length, out, at)
        return
    if turn == UNTURNED:
        at = cards(R, s, viewer, players, seats, UNTURNED, True, out, at)
    else:
        at = turned_cards(R, s, viewer, seats, turn, out, at)
    _all_but_cards(R, s, viewer, players, seats, slots, turn, fixed, length, out, at)


@inline
def scale_row(row, scale, size, out, at):
    """The float32 numbers of a row of bytes, from `at` on in `out`; all by `start_of`."""
    for k in range(size):
        out[at + k] = np.float32(row[k]) * scale[k]


@driver
def see_bytes(rules, games, rows, viewers, fixed, seats, slots, canonical, size, out):
    """Rows of uint8. rows, viewers: [N] int64; out: [N * size] uint8."""
    R, last = rules[0], len(rows) - 1
    ends, length, seen = start_of(fixed), len(fixed) // COMBOS, start_of(out)
    for i in range(len(rows)):
        read_ahead_for_row(R, games, rows[min(i + 4, last)], rows[min(i + 2, last)])
        s = games[rows[i]]
        write_row(R, s, viewers[i], ends, length, seats, slots, canonical, seen, i * size)


@driver
def see_floats(rules, games, rows, viewers, fixed, seats, slots, canonical, scale, row, out):
    """Rows of float32: the bytes times `scale` [D]. row: [D] uint8 working space; out: [N * D]."""
    R, size, last = rules[0], len(scale), len(rows) - 1
    ends, length, seen = start_of(fixed), len(fixed) // COMBOS, start_of(row)
    scales, scaled = start_of(scale), start_of(out)
    for i in range(len(rows)):
        read_ahead_for_row(R, games, rows[min(i + 4, last)], rows[min(i + 2, last)])
        s = games[rows[i]]
        write_row(R, s, viewers[i], ends, length, seats, slots, canonical, seen, 0)
        scale_row(seen, scales, size, scaled, i * size)


@inline
def write_mask(s, canonical, out, at):
    """Write the mover's action mask, 63 numbers from `at` on. out: int8, by `start_of`."""
    turn, mask = suit_turn(s, canonical), s.mask
    if turn != UNTURNED:
        mask = turned(s.mask, turn) | (s.mask & (31 << END))
        for suit in range(4):
            mask |= ((s.mask >> (TRUMP_OF + suit)) & 1) << (TRUMP_OF + suit_place(suit, turn))
    store_32_bits(out, at, mask)
    store_32_bits(out, at + ACTIONS - 32, mask >> (ACTIONS - 32))


@driver
def turn_masks(games, rows, canonical, out):
    """Action masks of the movers. out: [N * 63] int8, by canonical actions if asked."""
    masks = start_of(out)
    for i in range(len(rows)):
        write_mask(games[rows[i]], canonical, masks, i * ACTIONS)


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

"""The two records of the core: a game (`GAME`) and compiled rules (`RULES`), and their constants.

One dtype of maximum sizes (7 seats, 54 kinds, 4 decks) serves every rule system, so that each
kernel is compiled once; numbers that kernels hand to each other are int64, so that none is
compiled twice for their types.  Sets of cards are *planes*: plane j is an int64 whose bit k says
that at least j+1 copies of kind k are there.

Shapes (a lead's units, the pattern a follower owes) are rows of `SHAPE` small numbers: [0] the
number of tractors, [1..4] the number of tuples of width 1..4, then (width, length) per tractor,
most cards first, then wider.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .jit import COMPILED, MEDIUM, SHORT, SMALL

SEATS = 7
KINDS = 54
PLANES = 4
MAX_DECK = 216
COMBOS = 70  # 14 level ranks (13 = NT) x 5 trumps (4 = none): index level * 5 + trump
LINKS = 32
LINE = 64  # bytes of a cache line
MAX_TRACTORS = 16
SHAPE = 5 + 2 * MAX_TRACTORS
UNITS = 56
LOG = 428
FORMS = 20

NO_LEVEL = 13
NO_TRUMP = 4
TRUMP = 4  # the effective suit
SMALL_JOKER = 52
BIG_JOKER = 53

# Phases
BID, BURY, CALL, LEAD, FOLLOW, OVER = range(6)

# Actions beyond the 54 kinds
END = 54
ORDINAL = 55  # 55..58: the 1st .. 4th copy of a called friend card
TRUMP_OF = 59  # 59..62: finish a bid naming the suit
ACTIONS = 63
END_BIT = 1 << END

# Log entries: type * 512 + seat * 64 + value
LOG_PLAY, LOG_BID, LOG_TRUMP, LOG_FAIL, LOG_CALL, LOG_ORDINAL, LOG_FLIP = range(7)
HIDDEN_VALUE = 63

# How a deal came to its end
NOT_ENDED, PLAYED_OUT, REVOKED, NO_BIDS = range(4)

SHAPE_ROW = np.dtype((SMALL, SHAPE))


def _of_whole_lines(fields: list[Any]) -> np.dtype:
    """A dtype of an odd number of cache lines: a batch spreads evenly over the sets of a cache.

    What is missing is a field, for NumPy drops bytes that are not when it joins arrays.
    """
    size = np.dtype(fields, align=True).itemsize
    lines = -(-size // LINE) | 1
    return np.dtype([*fields, ("w_rest", np.uint8, lines * LINE - size)], align=True)


GAME = _of_whole_lines(
    [
        # Line by line what every step touches, then what rows of observations tell beside it: a
        # batch goes through memory, and reads few lines of each game.
        ("mask", np.int64),  # what the mover may do
        ("seat", np.int64),
        ("suit", np.int64),  # effective suit led
        ("combo", np.int64),
        ("pick", np.int64, PLANES),
        ("gone", np.int64, PLANES),  # all cards played, those in this trick too
        ("lawful", np.int64),  # in forfeit games the lawful part of `mask`
        ("moved", MEDIUM),  # points in the last micro-step, for dense rewards (of side 1)
        ("worth", SHORT),  # points in this trick
        ("logged", SHORT),
        ("phase", SMALL),
        ("picked", SMALL),  # cards in `pick`
        ("last", SMALL),  # highest kind picked; -1 before any
        ("count", SMALL),  # cards led; or cards to bury
        ("owned", SMALL),  # the follower's cards of the led suit when he starts
        ("owed_cards", SMALL),
        ("broke", SMALL),  # this follow has left the lawful path (forfeit games)
        ("leader", SMALL),
        ("winner", SMALL),  # seat of the standing play of the trick
        ("best_suit", SMALL),  # effective suit of the standing play
        ("best_width", SMALL),
        ("exposed_seats", SMALL),  # seats with cards in `exposed`, once and for all, as bits
        ("tricks", SMALL),
        ("trump", SMALL),
        ("declarer", SMALL),  # -1 before there is one
        ("burier", SMALL),  # who knows the kitty; -1: nobody
        ("paid", MEDIUM),  # what `moved` came to so far
        ("steps", MEDIUM),
        ("held", SHORT, SEATS),
        ("taken", SHORT, SEATS),  # trick points
        ("void", SMALL, SEATS),  # effective suits a seat has shown to lack, as bits
        ("side", SMALL, SEATS),  # 0: known to be with the declarer; 1: not
        ("level", SMALL, SEATS),  # index into the ladder
        ("drawing", SMALL),  # 1 while cards are drawn, 0 in the last round
        ("rebidding", SMALL),
        ("bid_seat", SMALL),  # standing bidder; -1: none
        ("bid_trump", SMALL),
        ("bid_copies", SMALL),
        ("bid_small", SMALL),
        ("bid_big", SMALL),
        ("lead_shape", SMALL, SHAPE),
        ("tops", SMALL, UNITS),  # the standing play's units' powers, main unit first
        ("owed", SMALL, SHAPE),  # P* of R6.2
        ("level_rank", SMALL),
        ("bid_strength", SMALL),
        ("calls", SMALL),
        ("gained", SHORT, SEATS),
        ("bid_count", SHORT),
        ("fined", MEDIUM, SEATS),  # throw penalties
        ("deal", MEDIUM),  # deals finished in this match
        ("redeals", MEDIUM),
        # friends
        ("call_kind", SMALL, 2),
        ("call_ordinal", SMALL, 2),
        ("call_left", SMALL, 2),  # copies still to come; 0: found
        ("call_seat", SMALL, 2),  # who was found; -1
        ("told", np.int64, SEATS),  # `shown` as rows tell it: `bid.tell`
        # Seven seats and one set more are four lines.
        ("hand", np.int64, (SEATS, PLANES)),
        ("kitty", np.int64, PLANES),
        ("trick", np.int64, (SEATS, PLANES)),
        ("flipped", np.int64, PLANES),  # kitty cards turned up where nobody bid (R8.5)
        ("played", np.int64, (SEATS, PLANES)),  # by seat, before this trick
        # results
        ("score", np.int64),  # the non-declarers' points as read by R10.4
        ("capture", np.int64),
        # randomness
        ("seed", np.int64),
        ("counter", np.int64),
        ("exposed", np.int64, (SEATS, PLANES)),  # seen in failed throws, still held
        ("rise", SHORT, SEATS),  # levels this deal was worth to each seat's side
        ("winners", SMALL),  # last winning side as bits of seats; 0 before
        ("ended", SMALL),
        ("next_declarer", SMALL),
        ("match_over", SMALL),
        ("match_winners", SMALL),  # bits of seats; 0: drawn
        # deck and bidding
        ("first_drawer", SMALL),
        ("drawn", SHORT),
        ("bid_ranks", SHORT),  # level ranks that may be shown, as bits
        ("bid_best", SHORT, SEATS),  # the strongest bid each hand holds
        ("bid_kind", SMALL),  # the standing bid's level kind; -1: jokers only
        ("bid_passed", SMALL),  # seats that passed since the last bid, as bits
        ("bid_turn", SMALL),  # who is asked next once all cards are drawn
        ("first_bidder", SMALL),
        ("level_bidder", SMALL),  # last who showed a level card
        ("single_seat", SMALL),  # who showed the single that may be reclaimed
        ("single_kind", SMALL),
        ("parted", SMALL),  # seats that have buried a kitty which another then took, as bits
        ("deck", SMALL, MAX_DECK),
        ("shown", np.int64, (SEATS, PLANES)),
        # history
        ("log", SHORT, LOG),
        # working space, without meaning between calls
        ("w_left", np.int64, PLANES),
        ("w_need", np.int64, PLANES),
        ("w_have", np.int64, PLANES),
        ("units", np.int64),
        ("unit_width", SMALL, UNITS),
        ("unit_length", SMALL, UNITS),
        ("unit_top", SMALL, UNITS),
        ("unit_kinds", np.int64, UNITS),
        ("w_kind", SMALL, LINKS),
        ("w_shape", SMALL, SHAPE),
        ("w_tops", SMALL, UNITS),
        ("w_try", SMALL, UNITS),
    ]
)


RULES = np.dtype(
    [
        ("players", np.int64),
        ("decks", np.int64),
        ("kitty", np.int64),
        ("jokers", np.int64),
        ("friends", np.int64),  # number of friends called; 0: fixed teams
        ("deck_size", np.int64),
        ("hand_size", np.int64),
        ("ladder_length", np.int64),
        ("ladder", SMALL, 14),  # level ranks
        ("mandatory", SMALL, 14),
        ("defending", np.int64),
        ("cyclic", np.int64),
        ("max_deals", np.int64),
        ("top_no_trump", np.int64),
        ("top_needs_trump_capture", np.int64),
        ("natural", np.int64),  # tractors go by tractor_power
        ("throws", np.int64),  # 0 off, 1 certain, 2 attempt
        ("failed_lowest", np.int64),
        ("penalty_per_card", np.int64),
        ("penalty_points", np.int64),
        ("follow", np.int64),  # 0 longest, 1 exact, 2 cards
        ("prefers_width", np.int64),
        ("same_count", np.int64),
        ("protect_wider", np.int64),
        ("throw_compare", np.int64),  # 0 main, 1 lexicographic, 2 all
        ("wider_beats", np.int64),  # 0 off, 1 tractor, 2 all
        ("poll_draw", np.int64),
        ("reinforce", np.int64),
        ("reclaim", np.int64),
        ("henan", np.int64),
        ("first_declarer", np.int64),  # 0 bidder, 1 first bidder, 2 drawn or given
        ("no_bid", np.int64),  # 0 redeal, 1 flip, 2 no-trump
        ("max_redeals", np.int64),
        ("hidden_bids", np.int64),
        ("rebid_after_bury", np.int64),
        ("forms", np.int64),
        ("form_cards", SMALL, (FORMS, 3)),  # level copies, small jokers, big jokers
        ("form_strength", SHORT, (FORMS, 4)),  # by the suit of the level card; 0: no bid
        ("form_trump", SMALL, FORMS),  # 0 the card's suit, 1 no-trump, 2 free
        ("capture", np.int64),  # index into R10.1's list, `unit_cards` first
        ("capture_factor", np.int64),
        ("capture_bonus", np.int64),
        ("all_pairs", np.int64),
        ("capture_needs_trump", np.int64),
        ("last_trick_multiplies", np.int64),
        ("clamped", np.int64),
        ("clamp", SHORT, 2),
        ("base_points", np.int64),
        ("step_points", np.int64),
        ("rows", np.int64),
        ("row", SHORT, (24, 3)),  # from points, 0 declarers / 1 others, rise
        ("below_zero_step", np.int64),
        ("max_rise", np.int64),
        ("forfeit", np.int64),
        ("points", SMALL, KINDS),
        ("suit_kinds", np.int64, (COMBOS, 5)),  # kinds of each effective suit
        ("suit_of", SMALL, (COMBOS, KINDS)),
        ("power", SMALL, (COMBOS, KINDS)),
        ("tractor_power", SMALL, (COMBOS, KINDS)),
        ("height", SMALL, (COMBOS, KINDS)),  # power on the scale of tractor_power
        ("link", SMALL, (COMBOS, KINDS)),  # -1: links to nothing
        ("link_kinds", np.int64, (COMBOS, 5, LINKS)),
        ("higher", np.int64, (COMBOS, KINDS)),  # kinds of the same suit that beat this one
        ("rank_kinds", np.int64, 13),
    ],
    align=True,
)


def new_games(count: int) -> np.ndarray:
    """An array of `count` blank games (`GAME`); the reset drivers fill them."""
    return records(count, GAME)


def records(count: int, dtype: np.dtype) -> np.ndarray:
    """Zeroed records that kernels take, from the beginning of a cache line.

    Without the compiler they need attribute access.
    """
    space = np.zeros(count * dtype.itemsize + LINE, np.uint8)
    first = -space.ctypes.data % LINE
    blank = space[first : first + count * dtype.itemsize].view(dtype)
    return blank if COMPILED else blank.view(np.recarray)


def copied(games: np.ndarray) -> np.ndarray:
    """A copy of records; as such NumPy would copy them field by field, fifty times slower.

    A copy of a copy is the quickest: its bytes need not be asked for.
    """
    raw = games.base if isinstance(games.base, memoryview) else games.view(np.uint8)
    copy = np.frombuffer(bytearray(raw), games.dtype)
    return copy if COMPILED else copy.view(np.recarray)

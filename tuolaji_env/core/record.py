"""The two records of the core: a game (`GAME`) and compiled rules (`RULES`), and their constants.

One dtype of maximum sizes (7 seats, 54 kinds, 4 decks) serves every rule system, so that each
kernel is compiled once; single numbers are int64, so that no kernel is compiled twice for their
types.  Sets of cards are *planes*: plane j is an int64 whose bit k says that at least j+1 copies
of kind k are there.

Shapes (a lead's units, the pattern a follower owes) are rows of `SHAPE` small numbers: [0] the
number of tractors, [1..4] the number of tuples of width 1..4, then (width, length) per tractor,
most cards first, then wider.
"""

from __future__ import annotations

import numpy as np

from .jit import COMPILED, SHORT, SMALL

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

GAME = np.dtype(
    [
        # What every step touches comes first: few cache lines, read ahead in batches.
        # what the mover may do; in forfeit games `lawful` is the lawful part of `mask`
        ("mask", np.int64),
        ("lawful", np.int64),
        ("phase", np.int64),
        ("seat", np.int64),
        ("suit", np.int64),  # effective suit led
        ("combo", np.int64),
        ("picked", np.int64),  # cards in `pick`
        ("last", np.int64),  # highest kind picked; -1 before any
        ("pick", np.int64, PLANES),
        ("count", np.int64),  # cards led; or cards to bury
        ("owned", np.int64),  # the follower's cards of the led suit when he starts
        ("broke", np.int64),  # this follow has left the lawful path (forfeit games)
        ("leader", np.int64),
        ("winner", np.int64),  # seat of the standing play of the trick
        ("best_suit", np.int64),  # effective suit of the standing play
        ("best_width", np.int64),
        # points that moved in the last micro-step, for dense rewards (side 1 = non-declarers)
        ("moved", np.int64),
        ("paid", np.int64),  # what `moved` came to so far
        ("steps", np.int64),
        ("logged", np.int64),
        ("tricks", np.int64),
        ("exposed_seats", np.int64),  # seats with cards in `exposed`, once and for all, as bits
        ("owed_cards", np.int64),
        ("worth", np.int64),  # points in this trick
        ("held", SHORT, SEATS),
        ("taken", SHORT, SEATS),  # trick points
        ("void", SMALL, SEATS),  # effective suits a seat has shown to lack, as bits
        ("side", SMALL, SEATS),  # 0: known to be with the declarer; 1: not
        ("tops", SMALL, UNITS),  # the standing play's units' powers, main unit first
        ("gone", np.int64, PLANES),  # all cards played, those in this trick too
        ("hand", np.int64, (SEATS, PLANES)),
        ("trick", np.int64, (SEATS, PLANES)),
        ("played", np.int64, (SEATS, PLANES)),  # by seat, before this trick
        ("lead_shape", SMALL, SHAPE),
        ("owed", SMALL, SHAPE),  # P* of R6.2
        # what rows of observations tell beside it
        ("trump", np.int64),
        ("declarer", np.int64),  # -1 before there is one
        ("level_rank", np.int64),
        ("burier", np.int64),  # who knows the kitty; -1: nobody
        ("drawing", np.int64),  # 1 while cards are drawn, 0 in the last round
        ("rebidding", np.int64),
        ("bid_seat", np.int64),  # standing bidder; -1: none
        ("bid_strength", np.int64),
        ("bid_copies", np.int64),
        ("bid_small", np.int64),
        ("bid_big", np.int64),
        ("bid_trump", np.int64),
        ("bid_count", np.int64),
        ("deal", np.int64),  # deals finished in this match
        ("redeals", np.int64),
        ("level", SMALL, SEATS),  # index into the ladder
        ("fined", np.int64, SEATS),  # throw penalties
        ("gained", np.int64, SEATS),
        ("kitty", np.int64, PLANES),
        ("flipped", np.int64, PLANES),  # kitty cards turned up where nobody bid (R8.5)
        ("shown", np.int64, (SEATS, PLANES)),
        ("exposed", np.int64, (SEATS, PLANES)),  # seen in failed throws, still held
        # friends
        ("calls", np.int64),
        ("call_kind", SMALL, 2),
        ("call_ordinal", SMALL, 2),
        ("call_left", SMALL, 2),  # copies still to come; 0: found
        ("call_seat", SMALL, 2),  # who was found; -1
        # deck and bidding
        ("deck", SMALL, MAX_DECK),
        ("drawn", np.int64),
        ("first_drawer", np.int64),
        ("bid_ranks", np.int64),  # level ranks that may be shown, as bits
        ("bid_kind", np.int64),  # the standing bid's level kind; -1: jokers only
        ("bid_best", SHORT, SEATS),  # the strongest bid each hand holds
        ("bid_passed", np.int64),  # seats that passed since the last bid, as bits
        ("bid_turn", np.int64),  # who is asked next once all cards are drawn
        ("first_bidder", np.int64),
        ("level_bidder", np.int64),  # last who showed a level card
        ("single_seat", np.int64),  # who showed the single that may be reclaimed
        ("single_kind", np.int64),
        # results
        ("winners", np.int64),  # last winning side as bits of seats; 0 before
        ("ended", np.int64),
        ("score", np.int64),  # the non-declarers' points as read by R10.4
        ("capture", np.int64),
        ("rise", SHORT, SEATS),  # levels this deal was worth to each seat's side
        ("next_declarer", np.int64),
        ("match_over", np.int64),
        ("match_winners", np.int64),  # bits of seats; 0: drawn
        # randomness and history
        ("seed", np.int64),
        ("counter", np.int64),
        ("log", SHORT, LOG),
        # working space, without meaning between calls
        ("w_left", np.int64, PLANES),
        ("w_need", np.int64, PLANES),
        ("w_have", np.int64, PLANES),
        ("w_kind", SMALL, LINKS),
        ("w_shape", SMALL, SHAPE),
        ("w_tops", SMALL, UNITS),
        ("w_try", SMALL, UNITS),
        ("units", np.int64),
        ("unit_width", SMALL, UNITS),
        ("unit_length", SMALL, UNITS),
        ("unit_top", SMALL, UNITS),
        ("unit_kinds", np.int64, UNITS),
    ],
    align=True,
)

# An odd number of whole lines: a batch spreads evenly over the sets of a cache.
assert not COMPILED or GAME.itemsize % (2 * LINE) == LINE

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
    """A copy of records; as such NumPy would copy them field by field, fifty times slower."""
    copy: np.ndarray = np.ndarray(games.shape, games.dtype, games.view(np.uint8).copy())
    return copy if COMPILED else copy.view(np.recarray)

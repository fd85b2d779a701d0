"""What each card in hand is worth to keep: the table by which `fit` puts a price on plays."""

from __future__ import annotations

from ..core.jit import boundary, inline, lowest
from ..core.planes import copies, total
from ..core.record import GAME, RULES, TRUMP
from .heuristic_worth import (
    JOIN_DECLARER,
    LAST_CARDS,
    LAST_PAIR,
    LAST_TRICK,
    SHORT,
    SIDE_PAIR,
    SIDE_RANK,
    SIDE_SECOND,
    SIDE_TOP,
    TRUMP_BASE,
    TRUMP_PAIR,
    TRUMP_RANK,
    TRUMP_TOP,
)


@inline
def guard_last_trick(s, higher, held):
    """What a trump is worth, when few cards are left, to take the last trick with (R10.1, R10.2).

    The top trump takes it; a pair, though not the top, multiplies what it captures.
    """
    if s.held[s.seat] > LAST_CARDS:
        return 0
    return (LAST_TRICK if higher == 0 else 0) + (LAST_PAIR if held > 1 else 0)


@inline
def keep_trump(s, higher, lower, held):
    """A trump: it ruffs, the higher the surer; a pair is worth more.

    higher, lower: unseen trumps above it, and not above it.
    """
    value = TRUMP_BASE + TRUMP_RANK * lower // (lower + higher + 1)
    value += guard_last_trick(s, higher, held)
    if higher == 0:
        value += TRUMP_TOP
    if held > 1:
        value += TRUMP_PAIR
    return value


@inline
def keep_side(higher, lower, held):
    """A side card: what nobody beats, or soon, takes a trick; a pair is worth more."""
    value = SIDE_RANK * lower // (lower + higher + 1)
    if higher == 0:
        value += SIDE_TOP
    elif higher == 1:
        value += SIDE_SECOND
    if held > 1:
        value += SIDE_PAIR
    return value


@inline
def join_declarer(s):
    """Under friends: the card whose next copy is called makes its player the declarer's friend."""
    for i in range(s.calls):
        if s.call_left[i] == 1 and s.side[s.seat]:
            s.unit_kinds[s.call_kind[i]] -= JOIN_DECLARER


ALL_SUITS = 31


@boundary(RULES, GAME, int, int, int, int, int)
def _weigh(R, s, suits, a, b, c, d):
    left = a, b, c, d
    combo, hand = s.combo, s.hand[s.seat]
    trumps = total(hand, R.suit_kinds[combo, TRUMP])
    for suit in range(5):
        kinds = R.suit_kinds[combo, suit]
        rest = hand[0] & kinds if (suits >> suit) & 1 else 0
        if rest == 0:
            continue
        out, in_suit = total(left, kinds), total(hand, kinds)
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            higher, held = total(left, R.higher[combo, k]), copies(hand, k)
            if suit == TRUMP:
                value = keep_trump(s, higher, out - higher, held)
            else:
                value = keep_side(higher, out - higher, held)
                if trumps and in_suit < 3:
                    value -= SHORT // in_suit  # soon void, and able to ruff
            s.unit_kinds[k] = value
    if R.friends:
        join_declarer(s)


@inline
def weigh(R, s, suits, left):
    """Fill the table for the mover's cards of some suits (bits). left: the unseen cards."""
    a, b, c, d = left
    _weigh(R, s, suits, a, b, c, d)

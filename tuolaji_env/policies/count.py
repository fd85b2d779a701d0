"""Counting cards: what is unseen, which units can still be beaten, who is on whose side.

Sets of cards are planes; here they are also passed as four numbers in a tuple.
"""

from __future__ import annotations

from ..core.jit import inline, kernel, lowest
from ..core.planes import copies
from ..core.record import PLANES
from ..core.shapes import chain, runs, top_of

NOTHING = (0, 0, 0, 0)


@inline
def planes_of(row):
    """Planes in a record as a tuple."""
    return row[0], row[1], row[2], row[3]


@inline
def with_copies(planes, kind, count):
    """Planes with so many copies of a kind (and no others of it) put in."""
    bit = 1 << kind
    return (
        planes[0] | (bit if count > 0 else 0),
        planes[1] | (bit if count > 1 else 0),
        planes[2] | (bit if count > 2 else 0),
        planes[3] | (bit if count > 3 else 0),
    )


@inline
def without(planes, kind, count):
    """Planes with so many copies of a kind taken away."""
    n = copies(planes, kind) - count
    bit = ~(1 << kind)
    rest = (planes[0] & bit, planes[1] & bit, planes[2] & bit, planes[3] & bit)
    return with_copies(rest, kind, n)


@inline
def joined(a, b):
    """The cards of both sets together."""
    p0, p1, p2, p3 = a[0], a[1], a[2], a[3]
    for j in range(PLANES):
        bits = b[j]
        room = bits & ~p0
        p0 |= room
        bits ^= room
        room = bits & ~p1
        p1 |= room
        bits ^= room
        room = bits & ~p2
        p2 |= room
        bits ^= room
        p3 |= bits
    return p0, p1, p2, p3


@kernel
def unseen(R, s):
    """The cards that the mover has not seen: in other hands, or in a kitty buried by another."""
    seen = joined(s.gone, s.hand[s.seat])
    if s.burier == s.seat:
        seen = joined(seen, s.kitty)
    deck = (1 << 54) - 1 if R.jokers else (1 << 52) - 1
    d = R.decks
    return (
        deck & ~seen[d - 1],
        deck & ~seen[d - 2] if d > 1 else 0,
        deck & ~seen[d - 3] if d > 2 else 0,
        deck & ~seen[d - 4] if d > 3 else 0,
    )


@inline
def run_kinds(R, combo, suit, kinds, start, length):
    """Of so many links from `start` on, one of `kinds` each, as bits."""
    run = 0
    for link in range(start, start + length):
        on_link = R.link_kinds[combo, suit, link] & kinds
        run |= on_link & -on_link
    return run


@kernel
def higher_unit(R, combo, suit, planes, width, length, top):
    """Whether planes hold a unit (width, length) of the suit with a top above `top`."""
    kinds = planes[width - 1] & R.suit_kinds[combo, suit]
    if kinds == 0:
        return False
    if length == 1:
        return top_of(R, combo, kinds, False) > top
    starts = runs(chain(R, combo, suit, kinds), length)
    while starts:
        start = lowest(starts)
        starts &= starts - 1
        run = 0
        for link in range(start, start + length):
            run |= R.link_kinds[combo, suit, link] & kinds
        if top_of(R, combo, run, True) > top:
            return True
    return False


@kernel
def standing_cards(R, s, suit, planes):
    """The mover's cards of a suit that no other can beat, by R5.2's count; `planes`: unseen."""
    combo = s.combo
    hand = s.hand[s.seat]
    found = NOTHING
    rest = hand[0] & R.suit_kinds[combo, suit]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        above = R.higher[combo, k]
        most = 0  # copies of one higher kind that are not seen
        for j in range(PLANES):
            most += (planes[j] & above) != 0
        held = copies(hand, k)
        if most < held and (held < 3 or most == 0):
            found = with_copies(found, k, held)
    return found


@inline
def holds_call(s, seat):
    """Whether a seat holds a card of a friend call that nobody has answered yet (R9.1)."""
    for i in range(s.calls):
        if s.call_left[i] > 0 and (s.hand[seat, 0] >> s.call_kind[i]) & 1:
            return True
    return False


@inline
def own_side(R, s):
    """The mover's side: 0 with the declarer, 1 not; under friends as far as he can tell."""
    if R.friends and s.side[s.seat] and holds_call(s, s.seat):
        return 0
    return s.side[s.seat]


@inline
def lacks(s, seat, suit):
    """Whether a seat has shown to be void in an effective suit."""
    return (s.void[seat] >> suit) & 1

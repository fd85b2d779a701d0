"""Sets of cards as bit planes: plane j holds the kinds of which there are at least j+1 copies."""

from __future__ import annotations

from .jit import inline, popcount
from .record import PLANES


@inline
def add(planes, kind):
    """Add one copy of a kind."""
    bit = 1 << kind
    second = bit & planes[0]
    planes[0] |= bit
    third = second & planes[1]
    planes[1] |= second
    if third:
        fourth = third & planes[2]
        planes[2] |= third
        planes[3] |= fourth


@inline
def take(planes, kind):
    """Take one copy of a kind away."""
    bit = 1 << kind
    for j in range(PLANES - 1, -1, -1):
        gone = bit & planes[j]
        planes[j] ^= gone
        bit ^= gone


@inline
def copies(planes, kind):
    """Copies of a kind."""
    n = 0
    for j in range(PLANES):
        n += (planes[j] >> kind) & 1
    return n


@inline
def total(planes, kinds):
    """Cards of the kinds in the bit set `kinds`."""
    n = 0
    for j in range(PLANES):
        n += popcount(planes[j] & kinds)
    return n


@inline
def put(target, source, kinds):
    """Make `target` the part of `source` that lies on `kinds`."""
    for j in range(PLANES):
        target[j] = source[j] & kinds


@inline
def clear(planes):
    for j in range(PLANES):
        planes[j] = 0


# With two decks the upper two planes stay empty: both ways below end early there.


@inline
def join(target, source):
    """Add the cards of `source` to `target`."""
    a0, a1, b0, b1 = target[0], target[1], source[0], source[1]
    target[0] = a0 | b0
    target[1] = a1 | b1 | a0 & b0
    a2, b2 = target[2], source[2]
    third = a2 | b2 | a1 & b0 | a0 & b1
    if third:
        target[2] = third
        target[3] |= source[3] | a2 & b0 | a1 & b1 | a0 & b2


@inline
def remove(target, source):
    """Take the cards of `source` away from `target`, as far as they are there."""
    a0, a1, a2 = target[0], target[1], target[2]
    b0, b1 = ~source[0], ~source[1]
    if a2 == 0:
        target[0] = a0 & b0 | a1 & b1
        target[1] = a1 & b0
    else:
        a3, b2, b3 = target[3], ~source[2], ~source[3]
        target[0] = a0 & b0 | a1 & b1 | a2 & b2 | a3 & b3
        target[1] = a1 & b0 | a2 & b1 | a3 & b2
        target[2] = a2 & b0 | a3 & b1
        target[3] = a3 & b0


@inline
def without(planes, source, keep):
    """`remove` for four planes as numbers, of the cards of `source` or, if `keep` is 0, of none."""
    a0, a1, a2, a3 = planes
    b0, b1, b2, b3 = (
        ~(source[0] & keep),
        ~(source[1] & keep),
        ~(source[2] & keep),
        ~(source[3] & keep),
    )
    return (
        a0 & b0 | a1 & b1 | a2 & b2 | a3 & b3,
        a1 & b0 | a2 & b1 | a3 & b2,
        a2 & b0 | a3 & b1,
        a3 & b0,
    )


FIVES = sum(1 << (13 * suit + 3) for suit in range(4))
TENS = sum(1 << (13 * suit + rank) for suit in range(4) for rank in (8, 11))  # 10 and K


@inline
def points(planes):
    """Points of a set of cards (R1.2)."""
    n = 0
    for j in range(PLANES):
        if planes[j] == 0:
            break
        n += 5 * popcount(planes[j] & FIVES) + 10 * popcount(planes[j] & TENS)
    return n


@inline
def seat_after(seat, steps, players):
    """The seat so many places on, fewer than once around the table (R1.3)."""
    seat += steps
    return seat - players if seat >= players else seat

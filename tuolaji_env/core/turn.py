"""The canonical view: suits at other places, so that the trump suit comes last."""

from __future__ import annotations

from .jit import inline
from .record import NO_TRUMP

UNTURNED = 0 | 1 << 2 | 2 << 4 | 3 << 6  # places of the suits, two bits each


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
def suit_place(suit, turn):
    """The place of a suit; what is no suit keeps its number."""
    return (turn >> (2 * suit)) & 3 if turn != UNTURNED and 0 <= suit < 4 else suit


@inline
def turned(plane, turn):
    """A plane with its suits at their places."""
    if turn == UNTURNED:
        return plane
    out = plane & (3 << 52)
    for suit in range(4):
        out |= ((plane >> (13 * suit)) & 0x1FFF) << (13 * ((turn >> (2 * suit)) & 3))
    return out

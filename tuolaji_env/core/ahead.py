"""Reading ahead: in a batch of games, ask for the memory of the next ones while one is at work.

In two parts: whose turn it will be is only known once the first lines are here.
"""

from __future__ import annotations

from .jit import inline, prefetch
from .record import GAME, LINE, PLANES

_TOPS, _HAND, _KITTY, _TRICK, _PLAYED, _EXPOSED, _LOG, _WORK, _UNITS = (
    GAME.fields[name][1]
    for name in "tops hand kitty trick played exposed log w_left unit_kinds".split()
)
_SET = 8 * PLANES  # bytes of a seat's cards


@inline
def read_ahead(games, soon, sooner):
    """Ask for the cache lines that steps of two games to come will touch."""
    for at in range(0, _TOPS, LINE):
        prefetch(games, soon, at)
    s = games[sooner]
    prefetch(games, sooner, _HAND)
    prefetch(games, sooner, _HAND + _SET * s.seat)
    prefetch(games, sooner, _HAND + _SET * (s.seat + 1))
    prefetch(games, sooner, _TRICK + _SET * s.seat)
    prefetch(games, sooner, _EXPOSED + _SET * s.seat)
    prefetch(games, sooner, _PLAYED)
    prefetch(games, sooner, _PLAYED + LINE)
    prefetch(games, sooner, _LOG + 2 * s.logged)
    _read_ahead_for_several(games, sooner, s)


@inline
def _read_ahead_for_several(games, sooner, s):
    """What only plays of several cards touch, and working space; without a branch."""
    several = -1 if s.picked > 1 or s.count > 1 else 0
    for at in range(_TOPS // LINE * LINE + LINE, _HAND, LINE):
        prefetch(games, sooner, at & several)
    for at in range(_WORK, _UNITS + LINE, LINE):
        prefetch(games, sooner, at & several)


@inline
def read_ahead_for_row(R, games, soon, sooner):
    """Ask for the cache lines that the rows of two games to come are written from."""
    for at in range(0, _HAND, LINE):
        prefetch(games, soon, at)
    s = games[sooner]
    prefetch(games, sooner, _KITTY)
    prefetch(games, sooner, _LOG + 2 * s.logged)
    for at in range(0, _SET * R.players, LINE):
        prefetch(games, sooner, _HAND + at)
        prefetch(games, sooner, _TRICK + at)
        prefetch(games, sooner, _PLAYED + at)
        prefetch(games, sooner, _EXPOSED + at)
    _read_ahead_for_several(games, sooner, s)

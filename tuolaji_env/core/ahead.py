"""Reading ahead: in a batch of games, ask for the memory of the next ones while one is at work."""

from __future__ import annotations

from .jit import inline, prefetch
from .record import GAME, LINE, PLANES

_HAND, _TRICK, _PLAYED, _SHAPE, _SHOWN, _EXPOSED, _LOG, _WORK = (
    GAME.fields[name][1] for name in "hand trick played lead_shape shown exposed log w_left".split()
)
_SET = 8 * PLANES  # bytes of a seat's cards


@inline
def read_ahead(games, soon, sooner):
    """Ask for the cache lines that steps of two games to come will touch.

    In two parts: whose hand it will be is only known once the first lines are here.
    """
    for at in range(0, _HAND, LINE):
        prefetch(games, soon, at)
    s = games[sooner]
    prefetch(games, sooner, _HAND + _SET * s.seat)
    prefetch(games, sooner, _TRICK + _SET * s.seat)
    prefetch(games, sooner, _EXPOSED + _SET * s.seat)
    prefetch(games, sooner, _PLAYED)
    prefetch(games, sooner, _PLAYED + LINE)
    prefetch(games, sooner, _WORK)
    prefetch(games, sooner, _LOG + 2 * s.logged)


@inline
def read_ahead_for_row(R, games, soon):
    """Ask for the cache lines that the row of a game to come is written from."""
    for at in range(0, _HAND, LINE):
        prefetch(games, soon, at)
    for at in range(0, _SET * R.players, LINE):
        prefetch(games, soon, _HAND + at)
        prefetch(games, soon, _TRICK + at)
        prefetch(games, soon, _PLAYED + at)
    for at in range(_SHAPE, _SHOWN + _SET * 4, LINE):
        prefetch(games, soon, at)

"""The end of a deal with open cards: what it comes to if all play their best.

Alpha-beta over the actions of one world.  Each side does its best for the levels and points by
which search values a deal; under friends, sides are those of the moment.
"""

from __future__ import annotations

from ..core.jit import boundary, inline, lowest
from ..core.record import NO_BIDS, OVER, RULES
from ..core.step import step
from .space import DEPTH, ENDGAME, ROLLOUT, SEARCH

NODES = 20_000  # positions looked at before it is given up
_MOST = 1e9


@inline
def deal_value(R, s, seat, levels, points):
    """What a finished deal is worth to a seat: signed levels and points, by these weights.

    Points are the non-declarers', with their sign, in units of 20 a deck.
    """
    if s.ended == NO_BIDS:
        return 0.0
    rise = 0
    for p in range(R.players):
        rise = max(rise, s.rise[p])
    value = levels * rise if (s.winners >> seat) & 1 else -levels * rise
    scored = points * s.score / (20.0 * R.decks)
    return value + (scored if s.side[seat] else -scored)


@inline
def _enter(w, depth, seat, low, high):
    """Begin to look at the position at a depth, whose value matters from `low` to `high`."""
    s = w.games[ENDGAME + depth]
    w.open[depth] = s.lawful if s.lawful else s.mask
    w.low[depth], w.high[depth] = low, high
    w.best[depth] = -_MOST if s.side[s.seat] == s.side[seat] else _MOST


@boundary(RULES, SEARCH, int, returns=bool)
def solve_endgame(R, w, seat):
    """Set `value` to what the game in `games[ROLLOUT]` comes to; False if it takes too long."""
    depth, nodes = 0, 0
    w.games[ENDGAME] = w.games[ROLLOUT]
    _enter(w, 0, seat, -_MOST, _MOST)
    while True:
        s = w.games[ENDGAME + depth]
        low, high = w.low[depth], w.high[depth]
        if s.side[s.seat] == s.side[seat]:
            low = max(low, w.best[depth])
        else:
            high = min(high, w.best[depth])
        value = w.best[depth]
        if w.open[depth] and low < high:
            action = lowest(w.open[depth])
            w.open[depth] &= w.open[depth] - 1
            nodes += 1
            if nodes > NODES or depth == DEPTH - 1:
                return False
            depth += 1
            w.games[ENDGAME + depth] = s
            t = w.games[ENDGAME + depth]
            step(R, t, action)
            if t.phase != OVER:
                _enter(w, depth, seat, low, high)
                continue
            value = deal_value(R, t, seat, w.levels, w.points)
        if depth == 0:
            w.value = value
            return True
        depth -= 1
        above = w.games[ENDGAME + depth]
        if above.side[above.seat] == above.side[seat]:
            w.best[depth] = max(w.best[depth], value)
        else:
            w.best[depth] = min(w.best[depth], value)

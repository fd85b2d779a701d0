"""Actions tried: what each is worth when the same deal is played on by a policy after it."""

from __future__ import annotations

from ..core.jit import driver, lowest
from ..core.record import OVER
from ..core.step import step
from .drive import play_on
from .endgame import deal_value


@driver
def vine_values(rules, games, tried, work, policy, levels, points, par, out):
    """What some actions of each game's mover are worth to him, all cards where they are.

    games: [M]; tried: [M] int64, masks of lawful actions; work: [1], overwritten; policy: number of
    who plays on, for all seats; levels, points: weights of the deal's levels, and of the
    non-declarers' points above `par` in units of 20 a deck (`deal_value`); out: [M, 63] float32,
    NaN where an action was not tried.
    """
    R, s = rules[0], work[0]
    for i in range(len(games)):
        seat = games[i].seat
        left = tried[i]
        for action in range(63):
            out[i, action] = float("nan")
        while left:
            action = lowest(left)
            left &= left - 1
            work[0] = games[i]
            step(R, s, action)
            while s.phase != OVER:
                play_on(R, s, policy, 0)
            above = points * par / (20.0 * R.decks)
            out[i, action] = deal_value(R, s, seat, levels, points)
            out[i, action] += -above if s.side[seat] else above

"""Actions tried: what each is worth when the same deal is played on by a policy after it."""

from __future__ import annotations

from ..core.jit import driver, inline, lowest
from ..core.planes import copies
from ..core.record import LEAD, NO_BIDS, OVER
from ..core.see import suit_turn
from ..core.step import step
from .drive import play_on
from .endgame import deal_value


@inline
def _worth(R, s, seat, levels, points, par):
    """What a finished deal is worth to a seat: `deal_value`, with points above par alone."""
    if s.ended == NO_BIDS:
        return 0.0
    above = points * par / (20.0 * R.decks)
    return deal_value(R, s, seat, levels, points) + (-above if s.side[seat] else above)


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
            out[i, action] = _worth(R, s, seat, levels, points, par)


@driver
def branch_out(rules, games, tried, policy, tricks, ends):
    """Each game after each action tried and so many tricks by a policy, or at the deal's end.

    games, tried: as above; ends: at least as many records as actions are tried, written in order.
    """
    R, n = rules[0], 0
    for i in range(len(games)):
        left = tried[i]
        until = games[i].tricks + tricks
        while left:
            action = lowest(left)
            left &= left - 1
            ends[n] = games[i]
            s = ends[n]
            step(R, s, action)
            while s.phase != OVER and not (s.phase == LEAD and s.picked == 0 and s.tricks >= until):
                play_on(R, s, policy, 0)
            n += 1


@driver
def outcomes(rules, games, seats, wanted, policy, levels, points, par, out):
    """Play some games on to their end, in place; what they are worth to a seat each.

    seats: [N] int64; wanted: [N] bool; out: [N] float32, left as it is where none is wanted; for
    the rest see `vine_values`.
    """
    R = rules[0]
    for i in range(len(games)):
        if wanted[i]:
            s = games[i]
            while s.phase != OVER:
                play_on(R, s, policy, 0)
            out[i] = _worth(R, s, seats[i], levels, points, par)


@inline
def _write_cards(planes, turn, row):
    """Copies of each kind. row: [54] uint8, zero before."""
    rest = planes[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        suit = k // 13
        row[13 * ((turn >> (2 * suit)) & 3) + k % 13 if suit < 4 else k] = copies(planes, k)


@driver
def see_hands(rules, games, rows, viewers, canonical, out):
    """All hands, from each viewer's on, then the kitty; seats that there are not stay empty.

    rows, viewers: [N] int64; out: [N, S + 1, 54] uint8, copies of each kind.
    """
    R, seats = rules[0], out.shape[1] - 1
    for i in range(len(rows)):
        s = games[rows[i]]
        turn = suit_turn(s, canonical)
        out[i] = 0
        for p in range(R.players):
            _write_cards(s.hand[(viewers[i] + p) % R.players], turn, out[i, p])
        _write_cards(s.kitty, turn, out[i, seats])

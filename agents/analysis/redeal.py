"""What a bid gains: the same hand, all that is hidden dealt anew, played with and without it.

From a moment (`bids.py`) come worlds that agree with all that the bidder knows (`View.worlds`).  In
each of them the deal is played to its end twice by the same player in all seats, once after the
cheapest bid in the suit with most trumps and once after a pass; the difference is the bid's gain.
After the pass the seat may bid later: the gain is of bidding now rather than waiting.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.core.record import BID, END, END_BIT, copied, new_games
from tuolaji_env.games import GameBatch
from tuolaji_env.view import determinize

from ..base import Agent
from .bids import Moments
from .playing import deal, finish, games_of, levels_of


def bid_gains(moments: Moments, agent: Agent, worlds: int, seed: int) -> NDArray[np.float64]:
    """Levels gained by bidding now rather than passing. [M, worlds].

    Means over the worlds of a moment estimate what the bid is worth; the worlds do not know what
    others' passes would tell, since passing leaves no trace.
    """
    table = deal(moments.rules, 1, 0)
    dealt = new_games(len(moments) * worlds)
    for i in range(len(moments)):
        one = games_of(table, copied(moments.records[i : i + 1]))
        part = slice(i * worlds, (i + 1) * worlds)
        dealt[part] = determinize(one, 0, int(moments.seat[i]), worlds, seed + i)
    seat, kind = np.repeat(moments.seat, worlds), np.repeat(moments.kind, worlds)
    gave = []
    for bidding in (True, False):
        games = games_of(table, copied(dealt))
        if bidding:
            show(games, kind)
        else:
            games.step(np.full(len(games), END))
        agent.reset(seed)
        finish(games, agent)
        gave.append(levels_of(games.records, games.players, seat, games.everybody))
    return (gave[0] - gave[1]).reshape(len(moments), worlds)


def show(games: GameBatch, kind: NDArray[np.int64]) -> None:
    """Bid as cheaply as can be with these level cards, in place. kind: [N]."""
    games.step(kind)
    rows = games.everybody
    while len(rows):
        # the bid is not complete while cards of it are picked
        rows = rows[(games.records["phase"][rows] == BID) & (games.records["picked"][rows] > 0)]
        if len(rows):
            mask: Any = games.records["mask"][rows]
            lowest = np.log2((mask & -mask).astype(np.float64)).astype(np.int64)
            games.step(np.where(mask & END_BIT, END, lowest), rows)

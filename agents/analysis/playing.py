"""Games to their end by one player in all seats, with an onlooker who sees each decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.games import Episode, GameBatch, game_seeds, is_over
from tuolaji_env.rules import Rules

from ..base import Agent

#: Told before each step: the games, the rows in which it is made [N], the actions chosen [N].
Look = Callable[[GameBatch, NDArray[np.int64], NDArray[np.int64]], None]


def deal(rules: str | Rules, deals: int, seed: int, episode: Episode = "deal") -> GameBatch:
    """Fresh games, fixed by the seed; more of them begin with the same ones."""
    games = GameBatch(rules, deals)
    games.begin(game_seeds(seed, deals), episode=episode)
    return games


def games_of(games: GameBatch, records: NDArray[Any]) -> GameBatch:
    """Other records of the same rules as a batch. records: [N] of `GAME`."""
    return GameBatch.over(games.rules, games.table, records)


def finish(
    games: GameBatch,
    agent: Agent,
    look: Look | None = None,
    until: Callable[[NDArray[Any]], NDArray[np.bool_]] = is_over,
) -> None:
    """Let an agent play all seats of each game until its deal is over, in place.

    until: says of records [N] which have come far enough, [N] bool; no deal goes on after its end.
    """
    rows = games.everybody
    while True:
        records = games.records[rows]
        rows = rows[~(until(records) | is_over(records))]
        if not len(rows):
            return
        actions = agent.act(games, rows)
        if look is not None:
            look(games, rows, actions)
        games.step(actions, rows)


def levels_of(
    records: NDArray[Any], players: int, seat: NDArray[np.int64], row: NDArray[np.int64]
) -> NDArray[np.float64]:
    """What finished deals gave to seats: levels of its side's seats less the others', in the mean.

    records: [G] of `GAME`; seat, row: [M], a seat of a game.  Returns [M] levels.
    """
    return _lead(records["rise"][row, :players], _same_side(records, players, seat, row))


def points_of(
    records: NDArray[Any], players: int, seat: NDArray[np.int64], row: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The non-declarers' score as a seat likes it: + where it is one of them, else -. [M]."""
    other = records["side"][row, seat] != 0
    score: NDArray[np.float64] = records["score"][row] * np.where(other, 1.0, -1.0)
    return score


def _same_side(
    records: NDArray[Any], players: int, seat: NDArray[np.int64], row: NDArray[np.int64]
) -> NDArray[np.bool_]:
    side = records["side"][row, :players]
    same: NDArray[np.bool_] = side == records["side"][row, seat][:, None]
    return same


def _lead(values: NDArray[Any], ours: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean over some seats less the mean over the others; those of nobody are 0. [M, P]; [M]."""
    a = (values * ours).sum(axis=1) / np.maximum(ours.sum(axis=1), 1)
    b = (values * ~ours).sum(axis=1) / np.maximum((~ours).sum(axis=1), 1)
    lead: NDArray[np.float64] = a - b
    return lead

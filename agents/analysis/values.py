"""What a player with a network thinks its actions are worth, in the actions of the real game."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.games import NUM_ACTIONS, GameBatch
from tuolaji_env.observe import Layout


@runtime_checkable
class Valuer(Protocol):
    """An agent that has values of actions, by its layout's actions."""

    layout: Layout

    def values(self, games: GameBatch, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Values of the movers' allowed actions; others may be anything. [N, 63] float32."""
        ...


def real_values(agent: object, games: GameBatch, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Values of the movers' actions; NaN where they are forbidden, or the agent has none. [N, 63].

    Their unit is what the network was trained to foretell: as a rule the levels of the deal and
    hundreds of points, tricks to come counting less.
    """
    out = np.full((len(rows), NUM_ACTIONS), np.nan)
    if not isinstance(agent, Valuer) or not len(rows):
        return out
    values = agent.values(games, rows)
    if agent.layout.canonical:
        everything = np.arange(len(rows))
        for action in range(NUM_ACTIONS):
            real = np.full(len(rows), action)
            games.real_actions(real, rows)
            out[everything, real] = values[:, action]
    else:
        out[:] = values
    out[games.masks(rows) == 0] = np.nan
    return out

"""What a player is to the arena, to training and to the single-seat face."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.games import GameBatch


@runtime_checkable
class Agent(Protocol):
    """A player of any number of games at once.

    `act` gives one action for the mover of each of some games of a batch: rows [N] int64 in,
    actions [N] int64 out, each allowed by its game's mask.  It may use only what that mover may
    know, changes no game, and depends on nothing but the agent's seed and the game itself: not on
    the other rows or their order.  `reset` begins anew with a seed: after it the same games are
    played the same way.
    """

    @property
    def name(self) -> str:
        """What the agent is called in reports."""
        ...

    def act(self, games: GameBatch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """One action for the mover of each game. rows: [N] int64; returns [N] int64."""
        ...

    def reset(self, seed: int) -> None:
        """Begin anew with a seed."""
        ...

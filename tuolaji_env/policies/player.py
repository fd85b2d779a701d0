"""A built-in policy as a player: the `act` that faces and the arena ask for."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import act_games, policy_id


class PolicyPlayer:
    """A policy by name, with a seed of its own."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self._policy = policy_id(name)
        self._seed = seed

    def reset(self, seed: int) -> None:
        """Begin anew with a seed."""
        self._seed = seed

    def act(self, games: Any, rows: np.ndarray) -> np.ndarray:
        """One action for the mover of each game. rows: [N] int64; returns [N] int64."""
        out = np.empty(len(rows), np.int64)
        act_games(games.table, games.records, rows, self._policy, self._seed, out)
        return out

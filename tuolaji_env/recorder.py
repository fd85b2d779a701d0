"""Records of chosen games of a batch: their actions are noted as they are made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .games import Episode, GameBatch, check_choice
from .record import Record


class Recorder:
    """Notes the actions of some games of a batch, from their beginnings on.

    rows: [N] which games; a game counts as new where it has made no step yet, and whenever
    `begin` says so.  seats: the players' names; episode, skip_forced: as the games are played.
    """

    def __init__(
        self,
        games: GameBatch,
        rows: Sequence[int] | NDArray[np.int64],
        *,
        episode: Episode = "deal",
        skip_forced: bool = False,
        seats: Sequence[str] | None = None,
    ) -> None:
        wrong = [int(row) for row in rows if not 0 <= row < len(games)]
        if wrong:
            raise ValueError(f"rows: {wrong[0]} given; allowed: 0 to {len(games) - 1}")
        self._games, self._seats = games, seats
        self._episode: Episode = check_choice("episode", episode, Episode)
        self._skip_forced = skip_forced
        self._seeds: dict[int, int] = {}
        # by row; None: the game was not seen from its beginning, or is over
        self._actions: dict[int, list[int] | None] = {int(row): None for row in rows}
        self._done: list[Record] = []
        self.begin([row for row in self._actions if self._is_new(row)])

    def _is_new(self, row: int) -> bool:
        """Whether a game is where its seed begins."""
        fresh = GameBatch.over(self._games.rules, self._games.table, self._games.records[:1].copy())
        fresh.begin(self._games.records["seed"][row], None, self._episode, self._skip_forced)
        names = ("steps", "deal", "counter")
        return all(fresh.records[name][0] == self._games.records[name][row] for name in names)

    def begin(self, rows: Sequence[int] | NDArray[np.int64]) -> None:
        """Games have begun anew, each by its seed; what was noted of them is dropped."""
        for row in map(int, rows):
            if row in self._actions:
                self._seeds[row] = int(self._games.records["seed"][row])
                self._actions[row] = []

    def drop(self) -> None:
        """Forget the games under way: they have come from elsewhere."""
        self._actions = dict.fromkeys(self._actions)

    def note(self, actions: NDArray[np.int64], rows: NDArray[np.int64] | None = None) -> None:
        """Legal actions were made in some games (by default in all), real suits. [N] int64."""
        if rows is None:
            chosen = np.fromiter(self._actions, np.int64)
            rows, actions = chosen, actions[chosen]
        for row, action in zip(rows, actions, strict=True) if self._actions else ():
            noted = self._actions.get(int(row))
            if noted is not None:
                noted.append(int(action))

    def end(self, rows: Sequence[int] | NDArray[np.int64]) -> None:
        """Games are over: their records are kept for `take`."""
        for row in map(int, rows):
            if self._actions.get(row) is not None:
                self._done.append(self.record(row))
                self._actions[row] = None

    def record(self, row: int) -> Record:
        """The record of a game so far. Raises ValueError for one not seen from its beginning."""
        actions = self._actions.get(row)
        if actions is None:
            raise ValueError(f"row: game {row} was not recorded from its beginning")
        return Record.of_actions(
            self._games.rules,
            self._seeds[row],
            actions,
            episode=self._episode,
            skip_forced=self._skip_forced,
            seats=self._seats,
        )

    def take(self) -> list[Record]:
        """The records of the games that have ended since the last call, in that order."""
        done, self._done = self._done, []
        return done

"""Records on disk, for the page that replays them: listed, and shown decision by decision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tuolaji_env.game import Game, Play
from tuolaji_env.record import Record, RecordError

from .messages import Refused
from .review import DealReview
from .thinking import Players

LISTED = 500  # files at most
_KEPT = 8  # records that stay read
_SUFFIXES = (".txt", ".json")


class Archive:
    """The records under a folder: the table's own, the arena's, anybody's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._read: dict[str, _Reading] = {}

    def names(self) -> list[str]:
        """The files by their place under the folder, in order."""
        found = (path for path in self.folder.rglob("*") if path.suffix in _SUFFIXES)
        names = sorted(path.relative_to(self.folder).as_posix() for path in found)
        return names[:LISTED]

    def show(self, name: str, deal: int, step: int, by: str) -> dict[str, Any]:
        """A decision of a deal of a record, as `DealReview.show` gives it, with what it is from.

        Raises Refused for a record that is not there, or that does not hold.
        """
        reading = self._reading(name)
        deal = min(deal, len(reading.deals) - 1)
        told = reading.deals[deal].show(reading.players, by, step)
        record = reading.record
        return told | {
            "rules": record.rules.name,
            "names": list(record.seats),
            "deal": deal,
            "deals": len(reading.deals),
        }

    def _reading(self, name: str) -> _Reading:
        if name not in self._read:
            if name not in self.names():  # and so no path leads out of the folder
                raise Refused("unknown_record")
            try:
                reading = _Reading(Record.load(self.folder / name))
            except (OSError, RecordError) as error:
                raise Refused("bad_record", why=str(error)[:300]) from None
            while len(self._read) >= _KEPT:
                self._read.pop(next(iter(self._read)))
            self._read[name] = reading
        return self._read[name]


class _Reading:
    """A record replayed."""

    def __init__(self, record: Record) -> None:
        self.record, self.players = record, Players(record.rules, record.seed)
        games: list[list[Game]] = []
        for moment in record.replay():
            if moment.number == 0:
                games.append([])
            games[moment.deal].append(moment.game)
        self.deals = [
            DealReview.over(states, _plays(states, [d.play for d in deal.decisions]))
            for states, deal in zip(games, record.deals, strict=True)
        ]


def _plays(states: list[Game], texts: list[str]) -> list[Play]:
    return [game.actions_of(text) for game, text in zip(states, texts, strict=False)]

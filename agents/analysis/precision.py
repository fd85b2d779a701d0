"""What duplicate deals save: how much of a deal's luck cancels when it is played from all sides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..arena.store import Results, load
from .parameters import ROOT

LEADERBOARD = ROOT / "docs" / "results" / "leaderboard"


class Saving(NamedTuple):
    """Of a pairing: deals; standard deviation of levels of a play, and of a deal's mean; plays
    needed without duplicate deals for each one with them, at the same standard error."""

    preset: str
    a: str
    b: str
    deals: int
    play: float
    deal: float
    factor: float


def summary(folder: str | Path = LEADERBOARD) -> dict[str, Any]:
    """The summary of a round robin that lies in a folder; the leaderboard's by default."""
    found: dict[str, Any] = json.loads((Path(folder) / "results.json").read_text("utf-8"))
    return found


def rows(folder: str | Path = LEADERBOARD) -> Results:
    """All plays of a round robin that lies in a folder."""
    return load(Path(folder) / "plays.parquet")


def savings(results: Results, least: int = 100) -> list[Saving]:
    """What duplicate deals save in each pairing of at least so many deals."""
    found = []
    for pairing in results.plan.pairings():
        units = results.units(pairing)
        if units.count < least:
            continue
        levels = units.levels.reshape(units.count, -1)
        ways = levels.shape[1]
        # levels as one side sees a deal that is played once, whichever side that is
        single = float(levels.var(axis=0, ddof=1).mean())
        paired = float(levels.mean(axis=1).var(ddof=1))
        if paired == 0:
            continue
        found.append(
            Saving(
                pairing.preset,
                pairing.a.name,
                pairing.b.name,
                units.count,
                float(np.sqrt(single)),
                float(np.sqrt(paired)),
                single / (ways * paired),
            )
        )
    return found

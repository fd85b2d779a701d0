"""Ratings of agents by the model of Bradley and Terry, with bootstrap intervals.

The chance that one beats another is a logistic function of the difference of their ratings: 400
points are odds of ten to one, as in Elo's scale.  A draw counts as half a win of both.  One more
drawn game is given to every two agents that have met, so that one who has lost every game has a
rating too.  The first agent's rating is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import choix
import numpy as np
from numpy.typing import NDArray

_SCALE = 400 / log(10)


@dataclass(frozen=True)
class Rating:
    """A rating, its interval of 95 %, and the games it rests on."""

    agent: str
    rating: float
    low: float
    high: float
    games: int

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "agent": self.agent,
            "rating": self.rating,
            "interval95": [self.low, self.high],
            "games": self.games,
        }


def rate(
    agents: Sequence[str],
    won: Mapping[tuple[str, str], NDArray[np.int64]],
    samples: int = 1000,
    seed: int = 0,
) -> list[Rating]:
    """Ratings from the games of pairs, best first; none for those whom nothing links to the first.

    won: for each pair, what came of each of its games: 1, 0 or -1 for its first.  samples: of the
    bootstrap, which draws as many games anew from each pair's.
    """
    linked = [name for name in agents if name in _linked(agents[0], won)]
    if len(linked) < 2:
        return []
    number = {name: i for i, name in enumerate(linked)}
    pairs = [
        (number[a], number[b], each) for (a, b), each in won.items() if a in number and len(each)
    ]
    counts = [np.array([(each == x).sum() for x in (1, 0, -1)]) for *_, each in pairs]
    best = _fit(len(linked), pairs, counts)
    rng = np.random.default_rng(seed)
    drawn = [rng.multinomial(c.sum(), c / c.sum(), size=samples) for c in counts]
    anew = np.array([_fit(len(linked), pairs, [d[k] for d in drawn]) for k in range(samples)])
    low, high = np.percentile(anew, [2.5, 97.5], axis=0)
    games = np.zeros(len(linked), np.int64)
    for i, j, each in pairs:
        games[[i, j]] += len(each)
    return [
        Rating(linked[i], float(best[i]), float(low[i]), float(high[i]), int(games[i]))
        for i in np.argsort(-best, kind="stable")
    ]


def _fit(
    agents: int,
    pairs: Sequence[tuple[int, int, Any]],
    counts: Sequence[NDArray[np.int64]],
) -> NDArray[np.float64]:
    """Ratings; the first is 0. counts: of each pair [3], games its first won, drew and lost."""
    wins = np.zeros((agents, agents))
    for (i, j, _), (won, drawn, lost) in zip(pairs, counts, strict=True):
        wins[i, j] += won + (drawn + 1) / 2
        wins[j, i] += lost + (drawn + 1) / 2
    params = choix.ilsr_pairwise_dense(wins)
    return _SCALE * (params - params[0])


def _linked(first: str, won: Mapping[tuple[str, str], NDArray[np.int64]]) -> set[str]:
    """Those whom games connect to the first."""
    found, before = {first}, 0
    while len(found) > before:
        before = len(found)
        for pair, each in won.items():
            if len(each) and found & {*pair}:
                found |= {*pair}
    return found

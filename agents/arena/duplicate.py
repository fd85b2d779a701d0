"""Games between two agents A and B, seated in turn in every way: the duplicate deals (计副制).

Each deal (one deck, level and declarer, as its seed draws them) is played once for each way to seat
the agents, so that the luck of the cards cancels.  With fixed teams A has one team, then the other;
under friends A has every other seat, P // 2 of them, rotating P times.  The plays of a deal are one
unit of all statistics.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.games import Episode, GameBatch, game_seeds
from tuolaji_env.rules import Rules

from ..base import Agent
from .play import Keep, Progress, play_games


@dataclass(frozen=True)
class Plays:
    """M games that two agents have played, from A's side.

    seeds: [M]; seating: [M, P], 0 where A sits and 1 where B; levels: A's side's levels less the
    other's (the rise of one of them is 0); points: the non-declarers' score, + where A's side are
    they, else −; under friends the mean of A's seats less that of B's.  won: [M] 1 where A's side
    are the winners (those who rise or take over the declaring, or who have won the match), -1 where
    the other's are, 0 where nobody or both.  deals: [M] deals of the match.  Levels and points of a
    match are those of its last deal.  seconds: processor time in `act`; decisions: whole plays,
    bids, burials and calls; both for A and B.
    """

    seeds: NDArray[np.int64]
    seating: NDArray[np.int64]
    levels: NDArray[np.float64]
    points: NDArray[np.float64]
    won: NDArray[np.int64]
    deals: NDArray[np.int64]
    seconds: NDArray[np.float64]
    decisions: NDArray[np.int64]

    @property
    def decision_us(self) -> tuple[float, float]:
        """Microseconds of processor time for a decision of A, and of B."""
        a, b = 1e6 * self.seconds / np.maximum(self.decisions, 1)
        return float(a), float(b)


def seatings(rules: Rules) -> NDArray[np.int64]:
    """The ways to seat A (0) and B (1) for a deal. [K, P] int64."""
    players = rules.players
    if rules.teams == "fixed":
        even = np.arange(players) % 2
        return np.stack([even, 1 - even])
    first = np.ones(players, np.int64)
    first[0 : 2 * (players // 2) : 2] = 0
    return np.stack([np.roll(first, shift) for shift in range(players)])


def make_fresh(agents: tuple[Agent, Agent], rules: Rules, seed: int) -> None:
    """Reset both agents, with seeds of their own, after a first move that is not timed."""
    trial = GameBatch(rules, 1)
    trial.begin(0)
    for agent, word in zip(agents, game_seeds(seed, 2), strict=True):
        agent.act(trial, trial.everybody)
        agent.reset(int(word >> 1))


def play_deals(
    agents: tuple[Agent, Agent],
    rules: Rules,
    seed: int,
    first: int,
    last: int,
    *,
    batch: int = 256,
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> Plays:
    """Play the deals first … last-1 of those that a seed fixes, each in every seating.

    keep: takes the record of each of these games, counted from 0.
    """
    ways = seatings(rules)
    seeds = np.repeat(game_seeds(seed, last)[first:], len(ways))
    seating = np.tile(ways, (last - first, 1))
    return _play(agents, rules, seeds, seating, "deal", batch, progress, keep)


def play_matches(
    agents: tuple[Agent, Agent],
    rules: Rules,
    seed: int,
    first: int,
    last: int,
    *,
    batch: int = 256,
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> Plays:
    """Play the matches first … last-1 of those that a seed fixes, from the bottom to their end.

    As many of them as there are ways to seat the agents begin with the same deal.
    """
    ways = seatings(rules)
    number = np.arange(first, last)
    seeds = game_seeds(seed, last)[number // len(ways)]
    return _play(agents, rules, seeds, ways[number % len(ways)], "match", batch, progress, keep)


def _play(
    agents: tuple[Agent, Agent],
    rules: Rules,
    seeds: NDArray[np.int64],
    seating: NDArray[np.int64],
    episode: Episode,
    batch: int,
    progress: Progress | None,
    keep: Keep | None,
) -> Plays:
    outcome = play_games(
        agents, rules, seeds, seating, episode=episode, batch=batch, progress=progress, keep=keep
    )
    kept, players = outcome.fields, rules.players
    winners = kept["winners" if episode == "deal" else "match_winners"]
    won = winners[:, None] >> np.arange(players) & 1
    score = kept["score"][:, None] * kept["side"][:, :players]
    return Plays(
        seeds,
        seating,
        _lead(kept["rise"][:, :players], seating),
        _lead(score, seating),
        np.sign(_lead(won, seating)).astype(np.int64),
        kept["deal"],
        outcome.seconds,
        outcome.decisions,
    )


def _lead(values: NDArray[np.int64], seating: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean of A's seats less the mean of B's, for each play. values, seating: [M, P]; [M]."""
    ours = seating == 0
    a = (values * ours).sum(axis=1) / ours.sum(axis=1)
    b = (values * ~ours).sum(axis=1) / (~ours).sum(axis=1)
    return a - b

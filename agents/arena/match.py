"""Two agents against each other: duplicate deals (计副制), and whole matches.

Duplicate: each deal (one deck, level and declarer, as its seed draws them) is played once for each
way to seat the agents, so that the luck of the cards cancels.  With fixed teams A has one team,
then the other; under friends A has every other seat, P // 2 of them, rotating P times.  The plays
of a deal are one unit of all statistics.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

import tuolaji_env
from tuolaji_env.rules import Rules, load_rules
from tuolaji_env.vector import GameBatch, game_seeds

from ..base import Agent
from .play import Outcome, Progress, play_games
from .stats import Estimate, Rate, estimate, wilson

FORMAT = 1


@dataclass(frozen=True)
class MatchResult:
    """What came of duplicate deals between A and B, from A's side.

    levels_per_deal: A's side's levels less the other's (the rise of one of them is 0);
    points_per_deal: the non-declarers' score, + where A's side are they, else −; under friends
    the mean of A's seats less that of B's.  Means over the plays of a deal; standard errors over
    deals.  win_rate: the share of plays whose winners, the side that rises or takes over the
    declaring, are A's (half of a play that nobody wins); its interval takes plays as independent,
    which is cautious, since the two plays of a deal lean apart.  decision_us: microseconds in
    `act` for a whole play, bid, bury or call.  levels, points: [deals] float64, the units.
    """

    agents: tuple[str, str]
    preset: str
    rules_digest: str
    seed: int
    deals: int
    plays: int
    levels_per_deal: Estimate
    points_per_deal: Estimate
    win_rate: Rate
    decision_us: tuple[float, float]
    levels: NDArray[np.float64] = field(repr=False)
    points: NDArray[np.float64] = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """Everything but the units, in plain values."""
        return _head("deals", self) | {
            "deals": self.deals,
            "plays": self.plays,
            "levels_per_deal": _numbers(self.levels_per_deal),
            "points_per_deal": _numbers(self.points_per_deal),
            "win_rate": _rate(self.win_rate),
            "decision_us": list(self.decision_us),
        }


@dataclass(frozen=True)
class WholeMatches:
    """What came of whole matches, from the bottom of the ladder to their end.

    win_rate: the share of matches that A's side wins, a drawn one as half.  Every other match
    begins as the one before, with seats swapped.  deals: mean number of deals of a match.
    """

    agents: tuple[str, str]
    preset: str
    rules_digest: str
    seed: int
    matches: int
    drawn: int
    deals: float
    win_rate: Rate
    decision_us: tuple[float, float]

    def to_json(self) -> dict[str, Any]:
        """Everything in plain values."""
        return _head("matches", self) | {
            "matches": self.matches,
            "drawn": self.drawn,
            "deals_per_match": self.deals,
            "win_rate": _rate(self.win_rate),
            "decision_us": list(self.decision_us),
        }


def seatings(rules: Rules) -> NDArray[np.int64]:
    """The ways to seat A (0) and B (1) for a deal. [K, P] int64."""
    players = rules.players
    if rules.teams == "fixed":
        even = np.arange(players) % 2
        return np.stack([even, 1 - even])
    first = np.ones(players, np.int64)
    first[0 : 2 * (players // 2) : 2] = 0
    return np.stack([np.roll(first, shift) for shift in range(players)])


def play_match(
    agent_a: Agent,
    agent_b: Agent,
    rules: str | Rules = "two_deck",
    deals: int = 1000,
    seed: int = 0,
    *,
    batch: int = 256,
    progress: Progress | None = None,
) -> MatchResult:
    """Play duplicate deals between two agents, which are reset first.

    The deals are fixed by `seed`; more deals begin with the same ones.  progress is called with
    the plays done and all plays.
    """
    rules = load_rules(rules)
    _check_count("deals", deals)
    ways = seatings(rules)
    seating = np.tile(ways, (deals, 1))
    seeds = np.repeat(game_seeds(seed, deals), len(ways))
    agents = _fresh(agent_a, agent_b, rules, seed)
    outcome = play_games(agents, rules, seeds, seating, batch=batch, progress=progress)
    seats = np.arange(rules.players)
    rise = outcome.fields["rise"][:, : rules.players]
    score = outcome.fields["score"][:, None] * outcome.fields["side"][:, : rules.players]
    won = outcome.fields["winners"][:, None] >> seats & 1
    levels = _lead(rise, seating).reshape(deals, -1).mean(axis=1)
    points = _lead(score, seating).reshape(deals, -1).mean(axis=1)
    return MatchResult(
        (agent_a.name, agent_b.name),
        rules.name,
        rules.digest,
        seed,
        deals,
        len(seeds),
        estimate(levels),
        estimate(points),
        _wins(_lead(won, seating)),
        _decision_us(outcome),
        levels,
        points,
    )


def play_whole_matches(
    agent_a: Agent,
    agent_b: Agent,
    rules: str | Rules = "two_deck",
    matches: int = 100,
    seed: int = 0,
    *,
    batch: int = 256,
    progress: Progress | None = None,
) -> WholeMatches:
    """Play whole matches between two agents, which are reset first."""
    rules = load_rules(rules)
    _check_count("matches", matches)
    ways = seatings(rules)
    seating = ways[np.arange(matches) % len(ways)]
    seeds = game_seeds(seed, matches)[np.arange(matches) // len(ways)]
    agents = _fresh(agent_a, agent_b, rules, seed)
    outcome = play_games(
        agents, rules, seeds, seating, episode="match", batch=batch, progress=progress
    )
    winners = outcome.fields["match_winners"]
    won = winners[:, None] >> np.arange(rules.players) & 1
    return WholeMatches(
        (agent_a.name, agent_b.name),
        rules.name,
        rules.digest,
        seed,
        matches,
        int((winners == 0).sum()),
        float(outcome.fields["deal"].mean()),
        _wins(_lead(won, seating)),
        _decision_us(outcome),
    )


def _check_count(name: str, count: int) -> None:
    if count < 1:
        raise ValueError(f"{name}: {count} given; allowed: 1 or more")


def _fresh(agent_a: Agent, agent_b: Agent, rules: Rules, seed: int) -> tuple[Agent, Agent]:
    """Both agents reset, with seeds of their own, after a first move that is not timed."""
    trial = GameBatch(rules, 1)
    trial.begin(0)
    words = game_seeds(seed, 2)
    for agent, word in zip((agent_a, agent_b), words, strict=True):
        agent.act(trial, trial.everybody)
        agent.reset(int(word >> 1))
    return agent_a, agent_b


def _lead(values: NDArray[np.int64], seating: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean of A's seats less the mean of B's, for each play. values, seating: [N, P]; [N]."""
    first = seating == 0
    ours = (values * first).sum(axis=1) / first.sum(axis=1)
    theirs = (values * ~first).sum(axis=1) / (~first).sum(axis=1)
    return ours - theirs


def _wins(leads: NDArray[np.float64]) -> Rate:
    wins = (leads > 0).sum() + (leads == 0).sum() / 2
    return wilson(float(wins), len(leads))


def _decision_us(outcome: Outcome) -> tuple[float, float]:
    a, b = 1e6 * outcome.seconds / np.maximum(outcome.decisions, 1)
    return float(a), float(b)


def _head(what: str, result: MatchResult | WholeMatches) -> dict[str, Any]:
    return {
        "what": what,
        "format": FORMAT,
        "agents": list(result.agents),
        "preset": result.preset,
        "rules_digest": result.rules_digest,
        "seed": result.seed,
        "versions": {
            "tuolaji_env": tuolaji_env.__version__,
            "numpy": np.__version__,
            "numba": numba.__version__,
        },
    }


def _numbers(value: Estimate) -> dict[str, Any]:
    """As JSON, which knows no NaN."""
    known = value.se == value.se
    return {
        "mean": value.mean,
        "se": value.se if known else None,
        "interval95": list(value.interval95) if known else None,
    }


def _rate(value: Rate) -> dict[str, Any]:
    return {"value": value.value, "interval95": [value.low, value.high], "count": value.count}

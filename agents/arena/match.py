"""Two agents against each other: the results of duplicate deals, and of whole matches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.rules import Rules, load_rules

from ..base import Agent
from .duplicate import make_fresh, play_deals, play_matches
from .play import Progress
from .stats import Estimate, Rate, estimate, share, win_rate
from .versions import versions

FORMAT = 1


@dataclass(frozen=True)
class MatchResult:
    """What came of duplicate deals between A and B, from A's side.

    levels_per_deal, points_per_deal: see `Plays`; means over the plays of a deal, standard errors
    over deals.  level_share: of all levels that anybody gained, those of A's side.  win_rate: the
    share of plays whose winners, the side that rises or takes over the declaring, are A's (half of
    a play that nobody wins); its interval takes plays as independent, which is cautious, since the
    two plays of a deal lean apart.  decision_us: microseconds of processor time in `act` for a
    whole play, bid, bury or call.  levels, points: [deals] float64, the units.
    """

    agents: tuple[str, str]
    preset: str
    rules_digest: str
    seed: int
    deals: int
    plays: int
    levels_per_deal: Estimate
    points_per_deal: Estimate
    level_share: Estimate
    win_rate: Rate
    decision_us: tuple[float, float]
    levels: NDArray[np.float64] = field(repr=False)
    points: NDArray[np.float64] = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """Everything but the units, in plain values."""
        return _head("deals", self) | {
            "deals": self.deals,
            "plays": self.plays,
            "levels_per_deal": self.levels_per_deal.to_json(),
            "points_per_deal": self.points_per_deal.to_json(),
            "level_share": self.level_share.to_json(),
            "win_rate": self.win_rate.to_json(),
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
            "win_rate": self.win_rate.to_json(),
            "decision_us": list(self.decision_us),
        }


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
    agents = agent_a, agent_b
    make_fresh(agents, rules, seed)
    plays = play_deals(agents, rules, seed, 0, deals, batch=batch, progress=progress)
    each = plays.levels.reshape(deals, -1)
    levels = each.mean(axis=1)
    points = plays.points.reshape(deals, -1).mean(axis=1)
    return MatchResult(
        (agent_a.name, agent_b.name),
        rules.name,
        rules.digest,
        seed,
        deals,
        len(plays.won),
        estimate(levels),
        estimate(points),
        share(np.maximum(each, 0).sum(axis=1), np.abs(each).sum(axis=1)),
        win_rate(plays.won),
        plays.decision_us,
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
    agents = agent_a, agent_b
    make_fresh(agents, rules, seed)
    plays = play_matches(agents, rules, seed, 0, matches, batch=batch, progress=progress)
    return WholeMatches(
        (agent_a.name, agent_b.name),
        rules.name,
        rules.digest,
        seed,
        matches,
        int((plays.won == 0).sum()),
        float(plays.deals.mean()),
        win_rate(plays.won),
        plays.decision_us,
    )


def _check_count(name: str, count: int) -> None:
    if count < 1:
        raise ValueError(f"{name}: {count} given; allowed: 1 or more")


def _head(what: str, result: MatchResult | WholeMatches) -> dict[str, Any]:
    return {
        "what": what,
        "format": FORMAT,
        "agents": list(result.agents),
        "preset": result.preset,
        "rules_digest": result.rules_digest,
        "seed": result.seed,
        "versions": versions(),
    }

"""What a rule changes: figures of deals under rule sets, played by one agent from equal seeds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.core.record import LEAD
from tuolaji_env.games import GameBatch
from tuolaji_env.rules import Rules, load_rules

from ..arena.stats import Estimate, estimate
from ..base import Agent
from ..registry import make_agent
from .playing import deal, finish
from .tables import Table

#: What is measured of each deal, and its unit as axes call it.
MEASURES = {
    "score": "the non-declarers' points",
    "others win": "share of deals that they take over",
    "rise": "levels that the winners rise",
    "captured": "share of deals in which the kitty scores",
    "capture": "points that the kitty scores",
    "tricks": "tricks",
    "choices": "decisions with a choice while cards are played",
    "bids": "bids",
}


def measure(rules: str | Rules, agent: Agent, deals: int, seed: int) -> dict[str, NDArray[Any]]:
    """Each of `MEASURES` by deal, [deals] float64; one agent plays all seats."""
    games = deal(rules, deals, seed)
    agent.reset(seed)
    choices = np.zeros(deals)

    def look(games: GameBatch, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        mask, phase = games.records["mask"][rows], games.records["phase"][rows]
        choices[rows] += (mask & (mask - 1) != 0) & (phase >= LEAD)

    finish(games, agent, look)
    s = games.records
    won = (s["winners"] >> np.maximum(s["declarer"], 0) & 1) == 0
    return {
        "score": s["score"].astype(np.float64),
        "others win": won.astype(np.float64),
        "rise": s["rise"][:, : games.players].max(axis=1).astype(np.float64),
        "captured": (s["capture"] != 0).astype(np.float64),
        "capture": s["capture"].astype(np.float64),
        "tricks": s["tricks"].astype(np.float64),
        "choices": choices,
        "bids": s["bid_count"].astype(np.float64),
    }


def compare(
    variants: Mapping[str, str | Rules], spec: str, deals: int, seed: int
) -> dict[str, dict[str, Estimate]]:
    """Means of `MEASURES` under each rule set, by name; spec: the agent that plays all seats."""
    found = {}
    for name, rules in variants.items():
        agent = make_agent(spec, load_rules(rules), allow_other_rules=True)
        each = measure(rules, agent, deals, seed)
        found[name] = {what: estimate(values) for what, values in each.items()}
    return found


def change(rules: str | Rules, **fields: Any) -> Rules:
    """A rule set with some fields changed; raises RulesError where they contradict others."""
    return load_rules(rules).replace(**fields)


def table(found: Mapping[str, Mapping[str, Estimate]]) -> Table:
    """The means with standard errors, a rule set a row."""
    rows = [["rules", *MEASURES]]
    for name, each in found.items():
        rows.append([name, *(f"{each[what].mean:.2f} ± {each[what].se:.2f}" for what in MEASURES)])
    return Table(rows)

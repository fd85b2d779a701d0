"""What a round robin has shown: from its rows to means, intervals and ratings, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .plan import Pairing, settled
from .ratings import Rating, rate
from .stats import Estimate, estimate, win_rate
from .store import Results
from .versions import versions

FORMAT = 1


def summarize(results: Results) -> dict[str, Any]:
    """Everything that reports show, as JSON knows it.

    pairs: one for each pairing that has been played, from the side of `a`; intervals hold at all
    looks together (`plan.py`).  overall: the same two agents over all tables that they have met at,
    each table with the same weight.  boards: deals won, drawn and lost by levels.  ratings: over
    boards, and over whole matches; agents: time for a decision and the audit, by table.
    """
    plan = results.plan
    pairs = [_pair(results, each) for each in plan.pairings() if results.units(each).count]
    names = [entrant.name for entrant in plan.agents]
    rated = {
        kind: _ratings(results, names, kind, plan.bootstrap, plan.seed)
        for kind in ("deal", "match")
    }
    best_first = [each.agent for each in rated["deal"]] or names
    return {
        "what": "round robin",
        "format": FORMAT,
        "plan": plan.to_json(),
        "rules": plan.rules_digests(),
        "versions": versions(),
        "order": best_first,
        "ratings": {
            "deals": [each.to_json() for each in rated["deal"]],
            "matches": [each.to_json() for each in rated["match"]],
        },
        "overall": _overall(pairs),
        "pairs": pairs,
        "agents": _agents(results),
    }


def seen_from(pairs: Sequence[dict[str, Any]], us: str, them: str) -> dict[str, Any] | None:
    """A pair's levels per deal from one side, with the interval; None if they have not met."""
    for pair in pairs:
        if {pair["a"], pair["b"]} != {us, them}:
            continue
        value: dict[str, Any] = pair["levels_per_deal"]
        if pair["a"] == us or value["se"] is None:
            return value
        low, high = value["interval95"]
        return {"mean": -value["mean"], "se": value["se"], "interval95": [-high, -low]}
    return None


def _pair(results: Results, pairing: Pairing) -> dict[str, Any]:
    units = results.units(pairing)
    value = estimate(units.by_deal(units.levels))
    width = pairing.width(units.count)
    matches = results.units(pairing, "match")
    return {
        "preset": pairing.preset,
        "a": pairing.a.name,
        "b": pairing.b.name,
        "deals": units.count,
        "plays": len(units.won),
        "looks": list(pairing.looks),
        "width": width,
        "settled": settled(results.plan, pairing, units.count, value),
        "levels_per_deal": value.to_json(width),
        "points_per_deal": estimate(units.by_deal(units.points)).to_json(width),
        "win_rate": win_rate(units.won).to_json(),
        "boards": [int((units.boards == sign).sum()) for sign in (1, 0, -1)],
        "matches": {
            "matches": matches.count,
            "deals_per_match": float(matches.deals.mean()),
            "win_rate": win_rate(matches.won).to_json(),
        }
        if matches.count
        else None,
    }


def _overall(pairs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each two agents over all tables, as if each table had the same weight."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for pair in pairs:
        found.setdefault((pair["a"], pair["b"]), []).append(pair)
    out = []
    for (a, b), each in found.items():
        values = [pair["levels_per_deal"] for pair in each]
        se = sqrt(sum((v["se"] or 0) ** 2 for v in values)) / len(values)
        mean = sum(v["mean"] for v in values) / len(values)
        out.append(
            {
                "a": a,
                "b": b,
                "presets": [pair["preset"] for pair in each],
                "deals": sum(pair["deals"] for pair in each),
                "levels_per_deal": Estimate(mean, se).to_json(max(pair["width"] for pair in each)),
            }
        )
    return out


def _ratings(
    results: Results, names: Sequence[str], kind: str, samples: int, seed: int
) -> list[Rating]:
    won: dict[tuple[str, str], NDArray[np.int64]] = {}
    for pairing in results.plan.pairings():
        units = results.units(pairing, kind)
        # the plays of a deal are one board, won by who has more levels; a match stands alone
        games = units.boards if kind == "deal" else units.won
        pair = pairing.a.name, pairing.b.name
        won[pair] = np.append(won.get(pair, np.zeros(0, np.int64)), games)
    return rate(names, won, samples, seed)


def _agents(results: Results) -> list[dict[str, Any]]:
    out = []
    for preset in results.plan.presets:
        for entrant in results.plan.entrants(preset):
            audit = results.audits.get(preset, {}).get(entrant.name)
            seconds, decisions = results.seconds.get(preset, {}).get(entrant.name, [0.0, 0])
            out.append(
                {
                    "preset": preset,
                    "agent": entrant.name,
                    "spec": entrant.spec,
                    "audit": audit,
                    "in_play_us": 1e6 * seconds / decisions if decisions else None,
                }
            )
    return out

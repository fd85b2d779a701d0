"""Do results come out again: the first deals of every pairing, played anew."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow.compute as pc

from tuolaji_env.rules import load_rules

from .duplicate import make_fresh, play_deals
from .plan import Pairing
from .roundrobin import registered
from .store import Results


def differing(
    results: Results, deals: int = 2, told: Callable[[Pairing], None] = lambda pairing: None
) -> list[Pairing]:
    """The pairings whose first deals do not come out as they are written.

    An agent that has changed does that, one with a clock or with chance of its own, and rows that
    were never played.  told is called before each pairing.
    """
    plan, found = results.plan, []
    for pairing in plan.pairings():
        count = min(deals, results.units(pairing).count)
        if count == 0:
            continue
        told(pairing)
        rules = load_rules(pairing.preset)
        a, b = (registered(plan, each, pairing.preset) for each in (pairing.a, pairing.b))
        make_fresh((a, b), rules, plan.seed)
        anew = Results(plan)
        anew.add(pairing, "deal", 0, play_deals((a, b), rules, plan.seed, 0, count))
        if anew.rows.to_pylist() != _first(results, pairing, count):
            found.append(pairing)
    return found


def _first(results: Results, pairing: Pairing, count: int) -> list[dict[str, object]]:
    """A pairing's rows of its first deals."""
    rows = results.of(pairing)
    return rows.filter(pc.less(rows["number"], np.int32(count))).to_pylist()

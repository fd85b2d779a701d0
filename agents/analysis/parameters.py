"""What notebooks may be told from outside: the agent looked at, and how many deals are played.

Environment: `TUOLAJI_AGENT`, a spec such as ``ckpt:runs/demo/model.zip``; `TUOLAJI_DEALS`, by what
the numbers of deals are multiplied (0.05 for a quick look).
"""

from __future__ import annotations

import os
from pathlib import Path

from tuolaji_env.rules import Rules, load_rules

from ..published import best
from ..registry import BEST

ROOT = Path(__file__).resolve().parents[2]


def agent_spec(rules: str | Rules = "two_deck") -> str:
    """The agent to look at: the one asked for, else the best network published, or `heuristic`."""
    if spec := os.environ.get("TUOLAJI_AGENT", ""):
        return spec
    try:
        best(load_rules(rules))
    except ValueError:
        return "heuristic"
    return BEST


def deals(count: int, least: int = 20) -> int:
    """A number of deals, multiplied as asked for. Raises ValueError for what is no factor."""
    text = os.environ.get("TUOLAJI_DEALS", "1")
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not 0 < factor < float("inf"):
        raise ValueError(f"TUOLAJI_DEALS: {text!r} given; allowed: a number above 0")
    return max(round(count * factor), least)

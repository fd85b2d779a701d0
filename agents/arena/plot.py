"""Pictures of results; needs matplotlib."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .match import MatchResult
from .stats import Z95


def plot_match(result: MatchResult, path: str | Path) -> None:
    """Write a picture of the levels per deal: their distribution, and the mean as deals come in.

    The format is by the path's suffix, such as .png or .svg.
    """
    from matplotlib.figure import Figure

    a, b = result.agents
    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    values, counts = np.unique(np.round(result.levels, 6), return_counts=True)
    step = float(np.diff(values).min()) if len(values) > 1 else 1.0
    left.bar(values, counts / len(result.levels), width=0.9 * step, color="tab:blue")
    left.axvline(result.levels_per_deal.mean, color="black", linewidth=1)
    left.set(xlabel="levels of a deal, mean of its plays", ylabel="share of deals")
    n = np.arange(1, len(result.levels) + 1)
    mean = np.cumsum(result.levels) / n
    square = np.cumsum(result.levels**2) / n
    se = np.sqrt(np.maximum(square - mean**2, 0) / np.maximum(n - 1, 1))
    right.plot(n, mean, color="tab:blue")
    right.fill_between(n, mean - Z95 * se, mean + Z95 * se, alpha=0.25, color="tab:blue")
    right.axhline(0, color="black", linewidth=1)
    right.set(xlabel="deals", ylabel="levels per deal, with 95 % band")
    figure.suptitle(f"{a} against {b}, {result.preset or 'own rules'}, seed {result.seed}")
    figure.savefig(path, dpi=120)

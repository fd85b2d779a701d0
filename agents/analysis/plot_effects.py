"""Pictures of what rules change: each measure under each rule set, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.rules import Rules

from ..arena.stats import Z95, Estimate
from .effects import MEASURES
from .plot_base import COLOURS, Picture, panels

_COLUMNS = 4


def measures(
    found: Mapping[str, Mapping[str, Estimate]], title: str, shown: Sequence[str] = tuple(MEASURES)
) -> Picture:
    """One panel a measure, one line a rule set; the first rule set is the one compared with."""
    rows = -(-len(shown) // _COLUMNS)
    picture = Picture(14, rows * (1.5 + 0.36 * len(found)) + 0.4)
    axes = panels(picture, rows, _COLUMNS, sharey=True)
    for each, what in zip(axes, shown, strict=False):
        for number, estimates in enumerate(found.values()):
            value = estimates[what]
            colour = COLOURS[-1] if number == 0 else COLOURS[0]
            each.errorbar(
                value.mean, number, xerr=Z95 * value.se, fmt="o", markersize=5, capsize=3,
                color=colour,
            )  # fmt: skip
        each.axvline(next(iter(found.values()))[what].mean, color=COLOURS[-1], linewidth=0.8)
        each.set(title=what, xlabel=MEASURES[what])
        each.xaxis.label.set_fontsize(9)
        each.grid(axis="x", alpha=0.25)
        each.margins(x=0.15)
    for each in axes[len(shown) :]:
        each.set_visible(False)
    axes[0].set_yticks(range(len(found)), list(found))
    axes[0].set_ylim(len(found) - 0.5, -0.5)
    picture.suptitle(f"{title} (means over deals, 95 % intervals)")
    return picture


def scores(values: NDArray[np.float64], rules: Rules) -> Picture:
    """How many points the non-declarers make, and where the others take over or rise.

    values: [deals] points.
    """
    picture = Picture(9, 3.8)
    (axes,) = panels(picture, 1, 1)
    points, counts = np.unique(values, return_counts=True)
    axes.bar(points, counts / len(values), width=4, color=COLOURS[0])
    low, high = float(points.min()), float(points.max())
    marks = [rules.base + k * rules.step for k in range(-10, 10)] if rules.table is None else [
        row[0] for row in rules.table
    ]  # fmt: skip
    for mark in marks:
        if low < mark <= high:
            axes.axvline(mark - 2.5, color=COLOURS[-1], linewidth=0.8, linestyle=":")
    others = np.mean(values >= rules.takeover)
    axes.set(
        title=f"{rules.name}, {len(values):,} deals: the others take over in {100 * others:.0f} %",
        xlabel="the non-declarers' points (dotted: where the rise changes)",
        ylabel="share of deals",
    )
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    return picture

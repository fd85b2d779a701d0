"""Pictures of the ladder of agents: each rung under every preset, and what duplicate deals save."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tuolaji_env.rules import preset_names

from ..arena.ladder import PAIRS, read_result
from .plot_base import COLOURS, MARKS, Picture, panels
from .precision import Saving


def rungs() -> Picture:
    """Each rung of the ladder under every preset, from the published results."""
    names = preset_names()
    picture = Picture(11, 1.4 + 0.3 * len(names))
    axes = panels(picture, 1, len(PAIRS), sharey=True)
    for number, (first, second) in enumerate(PAIRS):
        found = [read_result(first, second, name)["levels_per_deal"] for name in names]
        mean = np.array([each["mean"] for each in found])
        ends = np.array([each["interval95"] for each in found]).T
        each = axes[number]
        each.errorbar(
            mean, range(len(names)), xerr=np.abs(ends - mean), fmt=MARKS[number],
            color=COLOURS[number], markersize=5, capsize=2,
        )  # fmt: skip
        each.set(title=f"{first} over {second}", xlabel="levels a deal, 95 % intervals")
        each.set_xlim(0, None)
        each.grid(axis="x", alpha=0.25)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set_ylim(len(names) - 0.4, -0.6)
    return picture


def saved(found: Sequence[Saving]) -> Picture:
    """How many times as many plays would be needed if each deal were played once."""
    picture = Picture(9, 1.3 + 0.32 * len(found))
    (axes,) = panels(picture, 1, 1)
    found = sorted(found, key=lambda each: each.factor)
    axes.barh(range(len(found)), [each.factor for each in found], color=COLOURS[0], height=0.6)
    for i, each in enumerate(found):
        axes.text(each.factor, i, f" {each.factor:.1f}", va="center", fontsize=9)
    labels = [f"{each.a} – {each.b}, {each.preset} ({each.deals:,} deals)" for each in found]
    axes.set_yticks(range(len(found)), labels, fontsize=9)
    axes.set_ylim(-0.6, len(found) - 0.4)
    axes.axvline(1, color="black", linewidth=1)
    axes.grid(axis="x", alpha=0.25)
    axes.set(
        title="What duplicate deals save",
        xlabel="plays needed without them, for each one with them, at the same standard error",
    )
    return picture

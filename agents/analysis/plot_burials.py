"""Pictures of burials: what goes under, how many suits with it, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from tuolaji_env.cards import RANK_NAMES

from ..arena.stats import Z95, Estimate
from .burials import Burials
from .plot_base import (
    COLOURS,
    MARKS,
    Picture,
    as_percent,
    draw_groups,
    legend_below,
    name_ticks,
    panels,
)
from .rates import means


def what(burials: Mapping[str, Burials]) -> Picture:
    """Of the side cards held, how many go under, by rank; voids made; points by trump length."""
    picture = Picture(13, 4.2)
    ranks, voids, points = panels(picture, 1, 3)
    width = 0.8 / len(burials)
    for number, (name, each) in enumerate(burials.items()):
        shift = width * (number - (len(burials) - 1) / 2)
        colour = COLOURS[number]
        at = np.arange(len(RANK_NAMES)) + shift
        ranks.bar(at, each.share_by_rank(), width, color=colour, label=name)
        counts = np.bincount(each.voids, minlength=5)[:5] / len(each.voids)
        voids.bar(np.arange(5) + shift, counts, width, color=colour)
        deals = np.arange(len(each.points))
        length = each.trumps // 3 * 3 + 1.0  # the middle of three
        found = means(each.points, length, deals)
        draw_groups(points, found, name, number)
        points.set_xticks(found.at)
    name_ticks(ranks, RANK_NAMES)
    for axes in (ranks, voids):
        as_percent(axes)
        axes.set_ylim(0, None)
    ranks.set(title="Side cards buried, of those held", ylabel="share")
    voids.set(title="Side suits emptied", xlabel="suits", ylabel="share of burials")
    points.set(
        title="Points buried, 95 % intervals",
        xlabel="trumps held, kitty included (by threes)",
        ylabel="points",
    )
    points.set_ylim(0, None)
    legend_below(picture, ranks)
    return picture


def worth(gains: Mapping[str, tuple[Estimate, Estimate]], other: str, player: str) -> Picture:
    """What each burier's choice gains over another's, in levels and in points."""
    picture = Picture(10, 1.5 + 0.5 * len(gains))
    left, right = panels(picture, 1, 2, sharey=True)
    for axes, part, unit in ((left, 0, "levels"), (right, 1, "points")):
        _forest(axes, {name: each[part] for name, each in gains.items()})
        axes.set_xlabel(f"{unit} a deal for the declarers, 95 % intervals")
    picture.suptitle(f"Burials against those of {other}, played on by {player} in all seats")
    return picture


def _forest(axes: Axes, found: Mapping[str, Estimate]) -> None:
    for number, each in enumerate(found.values()):
        axes.errorbar(
            each.mean, number, xerr=Z95 * each.se, fmt=MARKS[number], color=COLOURS[number],
            capsize=3,
        )  # fmt: skip
        axes.annotate(
            f"{each.mean:+.2f}", (each.mean, number), (0, 7), textcoords="offset points",
            ha="center", fontsize=9, bbox={"color": "white", "pad": 0.5},
        )  # fmt: skip
    axes.set_yticks(range(len(found)), list(found))
    axes.set_ylim(len(found) - 0.4, -0.7)
    axes.axvline(0, color="black", linewidth=1)
    axes.grid(axis="x", alpha=0.25)

"""Pictures of a round robin, as SVG; needs matplotlib."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .markdown import duration
from .summary import seen_from

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOUR = "#2b6cb0"
_MARKS = "osD^vP*X"


def charts(summary: dict[str, Any]) -> list[tuple[str, bytes]]:
    """What each picture shows, and the picture."""
    out = [
        ("Ratings over deals, with intervals of 95 %", _ratings(summary)),
        ("Levels per deal of the row against the column", _cross(summary)),
        ("Levels per deal, preset by preset", _presets(summary)),
        ("Time for a decision: median, and 95th percentile", _times(summary)),
    ]
    return [(title, picture) for title, picture in out if picture]


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Figure) -> bytes:
    import matplotlib as mpl

    buffer = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "tuolaji"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()


def _ratings(summary: dict[str, Any]) -> bytes:
    rated = summary["ratings"]["deals"][::-1]
    if not rated:
        return b""
    figure, axes = _figure(7, 0.8 + 0.42 * len(rated))
    for i, each in enumerate(rated):
        low, high = each["interval95"]
        axes.plot([low, high], [i, i], color=_COLOUR, linewidth=2)
        axes.plot(each["rating"], i, "o", color=_COLOUR)
        axes.annotate(
            f"{each['rating']:+.0f}", (each["rating"], i), (0, 7), textcoords="offset points",
            ha="center", fontsize=9,
        )  # fmt: skip
    axes.set_yticks(range(len(rated)), [each["agent"] for each in rated])
    axes.set_ylim(-0.5, len(rated) - 0.3)
    axes.set_xlabel(
        f"rating ({next(iter(summary['plan']['agents']))} has 0; 400 points are odds of ten to one)"
    )
    axes.grid(axis="x", alpha=0.3)
    return _svg(figure)


def _cross(summary: dict[str, Any]) -> bytes:
    order = summary["order"]
    values = np.full((len(order), len(order)), np.nan)
    for i, us in enumerate(order):
        for j, them in enumerate(order):
            if us != them and (value := seen_from(summary["overall"], us, them)):
                values[i, j] = value["mean"]
    if np.isnan(values).all():
        return b""
    side = 1.6 + 0.95 * len(order)
    figure, axes = _figure(side + 1.2, side)
    most = float(np.nanmax(np.abs(values))) or 1.0
    axes.imshow(values, cmap="RdBu", vmin=-2 * most, vmax=2 * most)
    for (i, j), value in np.ndenumerate(values):
        if value == value:
            axes.text(j, i, f"{value:+.2f}", ha="center", va="center", fontsize=10)
    axes.set_xticks(range(len(order)), order, rotation=30, ha="right")
    axes.set_yticks(range(len(order)), order)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return _svg(figure)


def _presets(summary: dict[str, Any]) -> bytes:
    """Each two neighbours in the order, at every table."""
    presets, order = summary["plan"]["presets"], summary["order"]
    neighbours = list(pairwise(order))
    figure, axes = _figure(8, 1.2 + 0.42 * len(presets))
    drawn = False
    for k, (us, them) in enumerate(neighbours):
        at, mean, low, high = [], [], [], []
        for i, preset in enumerate(reversed(presets)):
            pairs = [pair for pair in summary["pairs"] if pair["preset"] == preset]
            value = seen_from(pairs, us, them)
            if value and value["interval95"]:
                at.append(i + 0.5 * ((k + 0.5) / len(neighbours) - 0.5))
                mean.append(value["mean"])
                low.append(value["mean"] - value["interval95"][0])
                high.append(value["interval95"][1] - value["mean"])
        if at:
            drawn = True
            axes.errorbar(
                mean, at, xerr=[low, high], fmt=_MARKS[k % len(_MARKS)], capsize=2, markersize=5,
                label=f"{us} over {them}",
            )  # fmt: skip
    if not drawn:
        return b""
    axes.axvline(0, color="black", linewidth=1)
    axes.set_yticks(range(len(presets)), presets[::-1])
    axes.set_ylim(-0.6, len(presets) - 0.4)
    axes.set_xlabel("levels per deal, with intervals of 95 %")
    axes.grid(axis="x", alpha=0.3)
    figure.legend(loc="outside lower center", ncols=min(len(neighbours), 3), frameon=False)
    return _svg(figure)


def _times(summary: dict[str, Any]) -> bytes:
    order = summary["order"][::-1]
    figure, axes = _figure(7, 0.9 + 0.42 * len(order))
    drawn = False
    for i, name in enumerate(order):
        audits = [e["audit"] for e in summary["agents"] if e["agent"] == name and e["audit"]]
        if audits:
            drawn = True
            median = float(np.median([a["median_us"] for a in audits]))
            p95 = float(np.median([a["p95_us"] for a in audits]))
            axes.plot([median, p95], [i, i], color=_COLOUR, linewidth=2)
            axes.plot(median, i, "o", color=_COLOUR)
            axes.plot(p95, i, "|", color=_COLOUR, markersize=12)
    if not drawn:
        return b""
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda us, _: duration(us))
    axes.xaxis.set_minor_formatter("")
    axes.set_yticks(range(len(order)), order)
    axes.set_ylim(-0.5, len(order) - 0.5)
    axes.set_xlabel("time for a decision, median over the presets")
    axes.grid(axis="x", alpha=0.3)
    return _svg(figure)

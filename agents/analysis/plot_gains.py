"""Pictures and a table of what bids are worth: the player's values, and what re-deals say."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from .bids import STANDS, Moments
from .plot_base import COLOURS, Picture, draw_groups, legend_below, panels
from .rates import clustered, fitted, interval, means, quantile_groups
from .tables import Table


def calibration(m: Moments, sample: Moments, gains: NDArray[np.float64]) -> Picture:
    """A player's values against what came: of its decision, and of a bid rather than a pass.

    m: all moments; sample: those that were dealt anew, with their gains [M, worlds].
    """
    picture = Picture(11, 4.6)
    left, right = panels(picture, 1, 2)
    told = _against(left, m.value, m.levels, m.deal)
    left.set(
        title=f"What it did: bids and passes{told}",
        xlabel="the player's value of its decision",
        ylabel="levels that the deal then gave",
    )
    slope = _against(right, sample.gap, gains.mean(axis=1), sample.deal)
    right.set(
        title=f"Bidding rather than passing{slope}",
        xlabel="the player's value of its best bid, less that of a pass",
        ylabel="levels gained by the bid, in re-deals",
    )
    picture.suptitle("Values against outcomes: equal groups of moments, 95 % intervals over deals")
    if told:
        legend_below(picture, left)
    return picture


def _against(
    axes: Axes, said: NDArray[np.float64], came: NDArray[np.float64], deal: NDArray[np.int64]
) -> str:
    """Draw what came by what was said; returns the slope between them, to be told in the title."""
    known = ~np.isnan(said)
    said, came, deal = said[known], came[known], deal[known]
    if len(np.unique(deal)) < 3 or said.std() == 0:
        axes.text(0.5, 0.5, "the player has no values", ha="center", transform=axes.transAxes)
        axes.set(xticks=[], yticks=[])
        return ""
    groups = quantile_groups(said, min(12, max(len(said) // 25, 2)))
    draw_groups(axes, means(came, groups, deal), "moments")
    start, slope = fitted(said, came, deal)
    ends = np.array([groups.min(), groups.max()])
    line = start + slope.mean * ends
    axes.plot(ends, line, color=COLOURS[1], linewidth=1, label="line of least squares")
    axes.plot(ends, ends, color="black", linewidth=1, linestyle=":", label="as said")
    return f" (slope {interval(slope)})"


def gains_by_surplus(sample: Moments, gains: NDArray[np.float64]) -> Picture:
    """What a bid gains over a pass by trumps above a fair share, one line for what stands."""
    picture = Picture(9, 4.6)
    (axes,) = panels(picture, 1, 1)
    each = gains.mean(axis=1)
    strength = np.clip(np.round(sample.surplus), -3, 5)
    for number, stands in enumerate(STANDS):
        inside = sample.stands == number
        if inside.sum() > 1:
            found = means(each[inside], strength[inside], sample.deal[inside])
            label = f"{stands} ({inside.sum():,})"
            draw_groups(axes, found, label, number, 0.08 * (number - 1.5))
    axes.axhline(0, color="black", linewidth=1)
    axes.set(
        title="What bidding now gains over passing: below the line it is over-bidding",
        xlabel="trumps above a fair share of the cards drawn (ends: or less, or more)",
        ylabel="levels a deal, 95 % intervals",
    )
    legend_below(picture, axes, columns=2)
    return picture


def verdicts(sample: Moments, gains: NDArray[np.float64], name: str, other: str) -> Table:
    """What bids gain where two players agree, and where they do not.

    A gain below 0 where a player bids is what its over-bids cost, a moment; above 0 where it
    passes, what it leaves.
    """
    each = gains.mean(axis=1)
    rows = [[f"`{name}`", f"`{other}`", "moments", "share", "levels gained by bidding (95 %)"]]
    for ours in (True, False):
        for theirs in (True, False):
            inside = (sample.bids[name] == ours) & (sample.bids[other] == theirs)
            found = clustered(each[inside], sample.deal[inside])
            rows.append(
                [
                    "bids" if ours else "passes",
                    "bids" if theirs else "passes",
                    f"{inside.sum():,}",
                    f"{100 * inside.mean():.0f} %",
                    interval(found) if found.se == found.se else "–",
                ]
            )
    return Table(rows)


def costs(sample: Moments, gains: NDArray[np.float64]) -> Table:
    """What each player's bids gain and its passes leave, a moment; for all players asked."""
    each = gains.mean(axis=1)
    rows = [["player", "bids", "gain of its bids (95 %)", "gain that its passes leave (95 %)"]]
    for name, bid in sample.bids.items():
        cells = [
            interval(clustered(each[part], sample.deal[part])) if part.sum() > 1 else "–"
            for part in (bid, ~bid)
        ]
        rows.append([f"`{name}`", f"{100 * bid.mean():.0f} %", *cells])
    return Table(rows)

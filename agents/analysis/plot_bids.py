"""Pictures of bidding: when in the race, by what in the hand, and where players differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from tuolaji_env.cards import LEVEL_NAMES

from .bids import ROLES, STANDS, Moments
from .logit import Worths
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
from .rates import shares
from .shown import Shown

_SHARES = "share of moments with a bid"


def timing(races: Mapping[str, Moments]) -> Picture:
    """How soon a deal's first bid comes, and how ready a seat is to open, each in its own play."""
    picture = Picture(11, 4)
    left, right = panels(picture, 1, 2)
    for number, (name, m) in enumerate(races.items()):
        bid = m.bids[name]
        first = np.full(m.deals, np.inf)
        np.minimum.at(first, m.deal[bid], m.drawn[bid])
        steps = np.linspace(0, 1, m.rules.hand_size + 1)
        left.step(
            steps * m.rules.hand_size,
            [(first <= step + 1e-9).mean() for step in steps],
            where="post",
            color=COLOURS[number],
            label=name,
        )
        opening = m.stands == 0
        cards = np.ceil(m.drawn * m.rules.hand_size / 2) * 2
        found = shares(bid[opening], cards[opening], m.deal[opening])
        draw_groups(right, found, name, number)
    left.set(
        title="How soon somebody has bid",
        xlabel="cards drawn by the bidder",
        ylabel="share of deals",
    )
    right.set(
        title="Readiness to open, 95 % intervals",
        xlabel="cards drawn by the seat asked (by twos)",
        ylabel=_SHARES,
    )
    for axes in (left, right):
        as_percent(axes)
    legend_below(picture, left)
    return picture


def shown(found: Mapping[str, Shown]) -> Picture:
    """What bids show, by what they open or over-bid; each player in its own play."""
    names = sorted({name for each in found.values() for name in each.names}, key=_strength(found))
    picture = Picture(12, 4.2)
    width = 0.8 / len(found)
    for what, axes in enumerate(panels(picture, 1, 3, sharey=True)):
        # a bid over an opponent, or over the partner, are both over-bids of another
        kinds = ((0,), (1, 2), (3,))[what]
        for number, (name, each) in enumerate(found.items()):
            inside = np.isin(each.stands, kinds)
            counts = [sum(n == kind for n in np.array(each.names)[inside]) for kind in names]
            at = np.arange(len(names)) + width * (number - (len(found) - 1) / 2)
            axes.bar(at, np.array(counts) / each.deals, width, color=COLOURS[number], label=name)
        axes.set_title(("opening bids", "over-bids", "reinforcements")[what])
        name_ticks(axes, names, rotation=25)
    picture.axes[0].set_ylabel("bids a deal")
    legend_below(picture, picture.axes[0])
    picture.suptitle("What is shown")
    return picture


def by_trumps(m: Moments) -> Picture:
    """Bids by trump length, one panel for what stands; all players at the same moments."""
    picture = Picture(12, 4)
    for what, axes in enumerate(panels(picture, 1, 3, sharey=True)):
        inside = m.stands == what
        for number, (name, bid) in enumerate(m.bids.items()):
            found = shares(bid[inside], np.minimum(m.trumps[inside], 12), m.deal[inside])
            draw_groups(axes, found, name, number)
        axes.set(title=f"{STANDS[what]} ({inside.sum():,} moments)", xlabel="trumps in hand")
        as_percent(axes)
        if what == 0:
            axes.set_ylabel(_SHARES)
            legend_below(picture, axes)
    picture.suptitle("Who bids on how many trumps (12: 12 or more), 95 % intervals")
    return picture


def by_features(m: Moments) -> Picture:
    """Bids by what else there is, each feature by itself; moments at which nobody has bid."""
    m = m.where(m.stands == 0)
    ranks = np.unique(m.level)
    places = np.searchsorted(ranks, m.level)
    shown: list[tuple[str, NDArray[np.int64], list[str]]] = [
        ("pairs of trumps", np.minimum(m.pairs, 4), ["0", "1", "2", "3", "4+"]),
        ("jokers", np.minimum(m.jokers, 4), ["0", "1", "2", "3", "4+"]),
        ("level cards", np.minimum(m.level_cards, 5), ["0", "1", "2", "3", "4", "5+"]),
        ("trumps above a fair share", np.clip(np.round(m.surplus), -3, 5).astype(np.int64), []),
        (
            "seat, from the first to draw",
            m.place,
            [str(place + 1) for place in range(m.rules.players)],
        ),
        ("level played", places, [LEVEL_NAMES[rank] for rank in ranks]),
        ("who declares", m.role, ["nobody yet", "own side", "others"]),
        ("quarter of the draw", np.ceil(m.drawn * 4).astype(np.int64) - 1, list("1234")),
    ]
    picture = Picture(14, 6.5)
    for axes, (title, group, names) in zip(panels(picture, 2, 4, sharey=True), shown, strict=True):
        _by_feature(axes, m, group, names)
        axes.set_xlabel(title)
    for axes in picture.axes[::4]:
        axes.set_ylabel(_SHARES)
    legend_below(picture, picture.axes[0])
    picture.suptitle(f"Opening bids by one feature at a time ({len(m):,} moments, 95 % intervals)")
    return picture


def by_standing(m: Moments, most: int = 4) -> Picture:
    """Bids by how far the own side is ahead in the match, one panel for who declares."""
    picture = Picture(12, 4)
    ahead = np.clip(m.ahead, -most, most)
    for what, axes in enumerate(panels(picture, 1, 3, sharey=True)):
        inside = (m.role == what) & (m.stands == 0)
        for number, (name, bid) in enumerate(m.bids.items()):
            draw_groups(axes, shares(bid[inside], ahead[inside], m.deal[inside]), name, number)
        axes.set(
            title=f"{ROLES[what]} ({inside.sum():,} moments)",
            xlabel="levels ahead in the match",
            xlim=(-most - 0.5, most + 0.5),
        )
        as_percent(axes)
        if what == 0:
            axes.set_ylabel(_SHARES)
            legend_below(picture, axes)
    picture.suptitle(f"Opening bids by the standing of whole matches (±{most}: or more)")
    return picture


def heat(m: Moments, names: Sequence[str]) -> Picture:
    """Opening bids by trump length and progress of the draw, one map for each player."""
    m = m.where(m.stands == 0)
    picture = Picture(5.2 * len(names) + 0.8, 4.6)
    trumps = np.minimum(m.trumps, 10)
    column = np.minimum((m.drawn * 8).astype(np.int64), 7)
    axes = panels(picture, 1, len(names), sharey=True)
    for each, name in zip(axes, names, strict=True):
        grid = np.full((11, 8), np.nan)
        for row, col in {*zip(trumps.tolist(), column.tolist(), strict=True)}:
            inside = (trumps == row) & (column == col)
            if inside.sum() >= 5:
                grid[row, col] = m.bids[name][inside].mean()
        seen = each.imshow(grid, origin="lower", aspect="auto", cmap="Blues", vmin=0, vmax=1)
        for (row, col), share in np.ndenumerate(grid):
            if share == share:
                colour = "white" if share > 0.6 else "#2d3748"
                each.text(col, row, f"{100 * share:.0f}", ha="center", va="center", color=colour)
        each.grid(visible=False)
        size = m.rules.hand_size
        name_ticks(each, [f"{round((i + 0.5) / 8 * size)}" for i in range(8)])
        each.set(title=name, xlabel="cards drawn (middle of an eighth)")
        each.set_yticks(range(1, 11), [*map(str, range(1, 10)), "10+"])
        each.set_ylim(0.5, np.flatnonzero((grid == grid).any(axis=1)).max(initial=1) + 0.5)
    axes[0].set_ylabel("trumps in hand")
    bar = picture.colorbar(seen, ax=axes, label=_SHARES)
    bar.ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    picture.suptitle("Opening bids, percent of moments (of at least five)")
    return picture


def weights(found: Mapping[str, Worths]) -> Picture:
    """What one more of each feature is worth in trumps, when a seat decides whether to open."""
    names = next(iter(found.values())).names[1:]
    picture = Picture(8, 1.3 + 0.62 * len(names))
    (axes,) = panels(picture, 1, 1)
    for number, (name, each) in enumerate(found.items()):
        at = np.arange(len(names)) + 0.16 * (number - (len(found) - 1) / 2)
        bars = np.maximum([each.value - each.low, each.high - each.value], 0)
        axes.errorbar(
            each.value[1:], at, xerr=bars[:, 1:], fmt=MARKS[number], color=COLOURS[number],
            capsize=2, markersize=5, label=name,
        )  # fmt: skip
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.5, len(names) - 0.5)
    axes.invert_yaxis()
    axes.axvline(0, color="black", linewidth=1)
    axes.grid(axis="x", alpha=0.25)
    axes.set(title="What else counts for an opening bid", xlabel="worth in trumps, 95 % intervals")
    legend_below(picture, axes)
    return picture


def _strength(found: Mapping[str, Shown]) -> Callable[[str], tuple[int, int, int]]:
    """A key that orders what bids show: level cards, more of them, then jokers alone."""
    order = {
        name: (int(copies == 0), int(copies), int(big))
        for each in found.values()
        for name, copies, big in zip(each.names, each.copies, each.big, strict=True)
    }
    return order.__getitem__


def _by_feature(axes: Axes, m: Moments, group: NDArray[np.int64], names: list[str]) -> None:
    for number, (name, bid) in enumerate(m.bids.items()):
        draw_groups(axes, shares(bid, group, m.deal), name, number)
    if names:
        names = names[: int(group.max(initial=0)) + 1]
        name_ticks(axes, names)
        axes.set_xlim(-0.5, len(names) - 0.5)
    as_percent(axes)

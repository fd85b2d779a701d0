"""Shares and means by group, with intervals that know moments of one deal to lean together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arena.stats import Z95, Estimate, wilson


@dataclass(frozen=True)
class Groups:
    """A figure by group: at [K] where it is drawn, value, low, high (95 %) and count of moments.

    Groups that nothing falls into are left out.
    """

    at: NDArray[np.float64]
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    count: NDArray[np.int64]

    @property
    def bars(self) -> NDArray[np.float64]:
        """Lengths of error bars below and above. [2, K]."""
        return np.maximum([self.value - self.low, self.high - self.value], 0)


def shares(
    flags: NDArray[Any], group: NDArray[Any], deal: NDArray[np.int64], least: int = 5
) -> Groups:
    """How often something happens, by group; flags, group, deal: [M].

    least: deals below which a group is left out.  The interval is Wilson's with as many trials as
    there are deals in the group: a deal may lend several moments, anything but independent.
    """
    found = []
    for value in np.unique(group[~np.isnan(group.astype(np.float64))]):
        inside = group == value
        deals = len(np.unique(deal[inside]))
        if deals < least:
            continue
        rate = wilson(float(flags[inside].mean()) * deals, deals)
        found.append((value, rate.value, rate.low, rate.high, inside.sum()))
    return _groups(found)


def means(
    values: NDArray[Any], group: NDArray[Any], deal: NDArray[np.int64], least: int = 5
) -> Groups:
    """Means by group, with normal intervals over deals; least: deals that a group needs. [M]."""
    found = []
    for value in np.unique(group[~np.isnan(group.astype(np.float64))]):
        inside = group == value
        if len(np.unique(deal[inside])) < max(least, 2):
            continue
        each = clustered(values[inside], deal[inside])
        found.append((value, each.mean, *each.interval95, inside.sum()))
    return _groups(found)


def clustered(values: NDArray[Any], deal: NDArray[np.int64]) -> Estimate:
    """Mean of values and its standard error over deals, each of which may lend several. [M]."""
    if not len(values):
        return Estimate(float("nan"), float("nan"))
    mean = float(values.mean())
    _, which = np.unique(deal, return_inverse=True)
    sums = np.bincount(which, values - mean)
    count = len(sums)
    if count < 2:
        return Estimate(mean, float("nan"))
    variance = float(sums @ sums) / len(values) ** 2 * count / (count - 1)
    return Estimate(mean, float(np.sqrt(variance)))


def quantile_groups(values: NDArray[Any], groups: int) -> NDArray[np.float64]:
    """For each value the mean of its group, of `groups` equally large ones. [M]; [M] float64."""
    if not len(values):
        return np.zeros(0)
    edges = np.quantile(values, np.linspace(0, 1, groups + 1)[1:-1])
    place = np.searchsorted(edges, values, side="right")
    _, which = np.unique(place, return_inverse=True)
    means_of = np.bincount(which, values) / np.bincount(which)
    at: NDArray[np.float64] = means_of[which]
    return at


def fitted(x: NDArray[Any], y: NDArray[Any], deal: NDArray[np.int64]) -> tuple[float, Estimate]:
    """The line of least squares: its value at 0, and its slope with a standard error over deals."""
    spread = x - x.mean()
    square = float(spread @ spread)
    slope = float(spread @ y) / square
    rest = y - y.mean() - slope * spread
    _, which = np.unique(deal, return_inverse=True)
    sums = np.bincount(which, spread * rest)
    count = len(sums)
    error = float(np.sqrt(sums @ sums * count / max(count - 1, 1))) / square
    return float(y.mean() - slope * x.mean()), Estimate(slope, error)


def interval(value: Estimate) -> str:
    """A mean and half its interval of 95 %, as text."""
    return f"{value.mean:+.2f} ± {Z95 * value.se:.2f}"


def _groups(found: Iterable[tuple[Any, ...]]) -> Groups:
    rows = np.array(list(found), np.float64).reshape(-1, 5)
    at, value, low, high, count = rows.T
    return Groups(at, value, low, high, count.astype(np.int64))

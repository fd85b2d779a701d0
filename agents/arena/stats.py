"""Means with standard errors, and rates with Wilson's interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959964


@dataclass(frozen=True)
class Estimate:
    """A mean over independent units and its standard error (NaN for a single unit)."""

    mean: float
    se: float

    @property
    def interval95(self) -> tuple[float, float]:
        """The normal interval of 95 %."""
        return self.interval(Z95)

    def interval(self, z: float) -> tuple[float, float]:
        """The mean and z standard errors on either side."""
        return self.mean - z * self.se, self.mean + z * self.se

    def to_json(self, z: float = Z95) -> dict[str, Any]:
        """As plain values for JSON, which knows no NaN."""
        known = self.se == self.se
        return {
            "mean": self.mean,
            "se": self.se if known else None,
            "interval95": list(self.interval(z)) if known else None,
        }


@dataclass(frozen=True)
class Rate:
    """A share of `count` trials and its interval of 95 %."""

    value: float
    low: float
    high: float
    count: int

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"value": self.value, "interval95": [self.low, self.high], "count": self.count}


def estimate(values: NDArray[np.float64]) -> Estimate:
    """Mean and standard error of independent values [N]."""
    n = len(values)
    se = float(values.std(ddof=1)) / sqrt(n) if n > 1 else float("nan")
    return Estimate(float(values.mean()), se)


def share(parts: NDArray[np.float64], wholes: NDArray[np.float64]) -> Estimate:
    """The ratio of two sums over independent units [N] each, its error to first order.

    Half where there is nothing to share.
    """
    n, whole = len(parts), float(wholes.sum())
    if whole == 0:
        return Estimate(0.5, float("nan"))
    ratio = float(parts.sum()) / whole
    se = float((parts - ratio * wholes).std(ddof=1)) * sqrt(n) / whole if n > 1 else float("nan")
    return Estimate(ratio, se)


def wilson(wins: float, count: int) -> Rate:
    """Wilson's interval for `wins` of `count` trials; a draw may count as half a win."""
    share, z = wins / count, Z95 * Z95 / count
    centre = (share + z / 2) / (1 + z)
    half = sqrt(z * (share * (1 - share) + z / 4)) / (1 + z)
    return Rate(share, max(centre - half, 0.0), min(centre + half, 1.0), count)


def win_rate(won: NDArray[np.int64]) -> Rate:
    """The share of games won. won: [N] 1, 0 (counts as half) or -1."""
    return wilson(float((won > 0).sum() + (won == 0).sum() / 2), len(won))

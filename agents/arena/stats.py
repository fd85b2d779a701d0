"""Means with standard errors, and rates with Wilson's interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

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
        return self.mean - Z95 * self.se, self.mean + Z95 * self.se


@dataclass(frozen=True)
class Rate:
    """A share of `count` trials and its interval of 95 %."""

    value: float
    low: float
    high: float
    count: int


def estimate(values: NDArray[np.float64]) -> Estimate:
    """Mean and standard error of independent values [N]."""
    n = len(values)
    se = float(values.std(ddof=1)) / sqrt(n) if n > 1 else float("nan")
    return Estimate(float(values.mean()), se)


def wilson(wins: float, count: int) -> Rate:
    """Wilson's interval for `wins` of `count` trials; a draw may count as half a win."""
    share, z = wins / count, Z95 * Z95 / count
    centre = (share + z / 2) / (1 + z)
    half = sqrt(z * (share * (1 - share) + z / 4)) / (1 + z)
    return Rate(share, max(centre - half, 0.0), min(centre + half, 1.0), count)

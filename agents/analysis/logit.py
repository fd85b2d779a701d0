"""What weighs how much in a yes or no: logistic regression, in units of one of its features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Worths:
    """What one more of each feature is worth, in units of the first; 95 % intervals over deals."""

    names: tuple[str, ...]
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def worths(
    features: dict[str, NDArray[np.float64]],
    flags: NDArray[np.bool_],
    deal: NDArray[np.int64],
    samples: int = 100,
    seed: int = 0,
) -> Worths:
    """Weights of a logistic regression over that of the first feature.

    features, flags, deal: [M].  Intervals come from drawing whole deals anew.
    """
    names = tuple(features)
    table = np.stack([features[name].astype(np.float64) for name in names], axis=1)
    rng = np.random.default_rng(seed)
    _, which = np.unique(deal, return_inverse=True)
    drawn = []
    for _ in range(samples):
        times = np.bincount(rng.integers(0, which.max() + 1, which.max() + 1))
        times = np.append(times, np.zeros(which.max() + 1 - len(times), np.int64))
        drawn.append(_relative(table, flags, times[which].astype(np.float64)))
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return Worths(names, _relative(table, flags, np.ones(len(flags))), low, high)


def fit(
    table: NDArray[np.float64],
    flags: NDArray[np.bool_],
    times: NDArray[np.float64],
    ridge: float = 1.0,
    steps: int = 30,
) -> NDArray[np.float64]:
    """Weights of a logistic regression, the constant last, by Newton's steps.

    table: [M, F]; times: [M], how often each moment counts; ridge: pull towards 0 of the weights of
    standardised features, without which a player of sharp thresholds has none.
    """
    mean, spread = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-9)
    x = np.column_stack([(table - mean) / spread, np.ones(len(table))])
    pull = np.append(np.full(table.shape[1], ridge), 0.0)
    weights = np.zeros(x.shape[1])
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (times * (flags - chance)) - pull * weights
        curve = (x * (times * np.maximum(chance * (1 - chance), 1e-9))[:, None]).T @ x
        change = np.linalg.solve(curve + np.diag(pull + 1e-9), slope)
        weights += np.clip(change, -5, 5)
        if np.abs(change).max() < 1e-8:
            break
    real = weights[:-1] / spread
    return np.append(real, weights[-1] - float(real @ mean))


def _relative(
    table: NDArray[np.float64], flags: NDArray[np.bool_], times: NDArray[np.float64]
) -> NDArray[np.float64]:
    weights = fit(table, flags, times)[:-1]
    relative: NDArray[np.float64] = weights / weights[0]
    return relative

"""Results as tables of plain text."""

from __future__ import annotations

from .match import MatchResult, WholeMatches
from .stats import Estimate, Rate


def table(result: MatchResult | WholeMatches) -> str:
    """A result as lines of text, from A's side."""
    a, b = result.agents
    preset = result.preset or result.rules_digest
    if isinstance(result, MatchResult):
        title = f"{a} against {b}: {preset}, {result.deals} deals, {result.plays} plays"
        rows = [
            ("levels per deal", *_mean(result.levels_per_deal, 3)),
            ("points per deal", *_mean(result.points_per_deal, 1)),
            ("of all levels", *_share(result.level_share.mean, *result.level_share.interval95)),
            ("plays won", *_rate(result.win_rate)),
        ]
    else:
        title = f"{a} against {b}: {preset}, {result.matches} matches"
        rows = [
            ("matches won", *_rate(result.win_rate)),
            ("deals per match", f"{result.deals:.1f}", ""),
            ("drawn", f"{result.drawn}", ""),
        ]
    rows += [
        (f"µs per decision, {name}", f"{us:.1f}", "")
        for name, us in zip(("A", "B"), result.decision_us, strict=True)
    ]
    width = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = [
        f"  {row[0]:<{width[0]}}  {row[1]:>{width[1]}}  {row[2]:<{width[2]}}".rstrip()
        for row in rows
    ]
    return "\n".join([title, f"  seed {result.seed}; A is {a}, B is {b}", *lines])


def _mean(value: Estimate, digits: int) -> tuple[str, str]:
    low, high = value.interval95
    return (
        f"{value.mean:+.{digits}f} ± {value.se:.{digits}f}",
        f"95 %: {low:+.{digits}f} to {high:+.{digits}f}",
    )


def _rate(value: Rate) -> tuple[str, str]:
    return _share(value.value, value.low, value.high)


def _share(value: float, low: float, high: float) -> tuple[str, str]:
    return f"{value:.1%}", f"95 %: {low:.1%} to {high:.1%}"

"""Agents against each other, on the same deals from both sides of the table.

`play_match` plays duplicate deals, `play_whole_matches` whole matches; `report` and `plot` show
what came of it.
"""

from .match import MatchResult, WholeMatches, play_match, play_whole_matches
from .stats import Estimate, Rate

__all__ = [
    "Estimate",
    "MatchResult",
    "Rate",
    "WholeMatches",
    "play_match",
    "play_whole_matches",
]

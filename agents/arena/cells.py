"""Tables and their cells, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

NONE = "–"


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows as a table, the first its head."""
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def mean(value: dict[str, Any] | None, digits: int = 2) -> str:
    """A mean with its standard error."""
    if value is None or value["se"] is None:
        return NONE
    return f"{value['mean']:+.{digits}f} ± {value['se']:.{digits}f}"


def interval(value: dict[str, Any] | None, digits: int) -> str:
    """An interval of 95 %."""
    if value is None or value["interval95"] is None:
        return NONE
    low, high = value["interval95"]
    if low == high == 0:  # the rating that all others are measured from
        return NONE
    return f"{low:+.{digits}f} to {high:+.{digits}f}"

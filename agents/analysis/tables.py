"""Small tables that notebooks show as such, and terminals as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from ..arena.cells import table


class Table:
    """Rows of text, the first of them the head."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self.rows = [list(map(str, row)) for row in rows]

    def __str__(self) -> str:
        return table(self.rows)

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return str(self)

"""Pictures of a table, by render mode."""

from __future__ import annotations


def show(table: str, render_mode: str | None) -> str | None:
    """Hand a table over as the mode asks: `ansi` returns it, `human` prints it."""
    if render_mode == "human":
        print(table, end="\n\n")
    return table if render_mode == "ansi" else None

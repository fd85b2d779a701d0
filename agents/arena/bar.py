"""The progress bar of long evaluations, on stderr."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


def progress_bar(count: ProgressColumn, quiet: bool = False) -> Progress:
    """What is done, a column that counts, time gone and time left; nothing where nobody looks."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        count,
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=quiet or not sys.stderr.isatty(),
    )

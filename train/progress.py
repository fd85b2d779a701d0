"""A progress bar with an estimate of the time left; plain lines where there is no terminal."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

PLAIN_EVERY = 30.0  # seconds between lines without a terminal


class Bar:
    """Counts `done` of `total` units and says what it is told; a context manager."""

    def __init__(self, what: str, total: int, done: int = 0, quiet: bool = False) -> None:
        self.what, self.total, self.first = what, total, done
        self.console = Console(quiet=quiet, highlight=False)
        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=self.console,
            disable=quiet or not self.console.is_terminal,
        )
        self.task = self.bar.add_task(what, total=total, completed=done, note="")
        self.began = self.spoke = time.monotonic()

    def __enter__(self) -> Bar:
        self.bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.bar.stop()

    def update(self, done: int, note: str) -> None:
        """Show how far it is, with a short note."""
        self.bar.update(self.task, completed=done, note=note)
        now = time.monotonic()
        if self.console.is_terminal or now - self.spoke < PLAIN_EVERY:
            return
        self.spoke = now
        rate = (done - self.first) / (now - self.began)
        left = (self.total - done) / rate if rate > 0 else float("inf")
        self.say(f"{self.what} {done / self.total:.0%}, {left / 60:.1f} min left, {note}")

    def say(self, text: str) -> None:
        """A line that stays."""
        self.console.print(text)

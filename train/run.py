"""The folder of a training run: settings, state to resume from, metrics, checkpoint.

    config.yaml     the settings, as they were
    state.pt        all that an interrupted run needs to go on exactly (tensors and numbers)
    metrics.jsonl   one line for each time that metrics were written, TensorBoard's beside it
    about.jsonl     one line for each time that it was begun or gone on with: command, versions, …
    model.zip       the checkpoint to play with (`agents.checkpoint`)

`config.yaml` and `state.pt` are written whole or not at all.
"""

from __future__ import annotations

import io
import json
import os
import platform
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch.utils.tensorboard.writer import SummaryWriter

from agents.arena.versions import processor, versions
from agents.checkpoint import git_revision
from agents.files import write_whole

CHECKPOINT = "model.zip"


class RunError(ValueError):
    """A folder that holds no run, a damaged one, or one already."""


class Run:
    """A run's folder: `begin` a new run in it, or `resume` the one it holds."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.checkpoint = self.folder / CHECKPOINT
        self._writer: SummaryWriter | None = None
        self._began, self._hours = time.monotonic(), 0.0

    def begin(self, config: str) -> None:
        """Write the settings into a new folder. Raises RunError where there is a run already."""
        if (self.folder / "config.yaml").exists():
            raise RunError(
                f"{self.folder}: holds a run already; go on with it by --resume {self.folder}, "
                "or name another folder with --run"
            )
        write_whole(self.folder / "config.yaml", config.encode())
        self._open(0, 0.0)

    def resume(self) -> dict[str, Any]:
        """The state last saved; metrics written after it are dropped. Raises RunError."""
        state = self.read_state()
        path = self.folder / "metrics.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        kept = [line for line in lines if _step_of(line) <= state["decisions"]]
        write_whole(path, "".join(line + "\n" for line in kept).encode())
        hours = json.loads(kept[-1]).get("speed/hours", 0.0) if kept else 0.0
        self._open(state["decisions"] + 1, hours)
        return state

    def read_state(self) -> dict[str, Any]:
        path = self.folder / "state.pt"
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
        except OSError as error:
            raise RunError(f"{path}: cannot be read: {error.strerror or error}") from None
        except Exception as error:
            raise RunError(f"{path}: is damaged: {error}") from None
        if not isinstance(state, dict) or "decisions" not in state:
            raise RunError(f"{path}: holds no state of a run")
        return state

    def save_state(self, state: Mapping[str, Any]) -> None:
        packed = io.BytesIO()
        torch.save(dict(state), packed)
        write_whole(self.folder / "state.pt", packed.getvalue())

    def log(self, decisions: int, metrics: Mapping[str, float]) -> None:
        """Write numbers by name, to TensorBoard and as a line of JSON; with the hours so far."""
        hours = self._hours + (time.monotonic() - self._began) / 3600
        metrics = {**metrics, "speed/hours": round(hours, 5)}
        line = json.dumps({"decisions": decisions, **metrics})
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        if self._writer is not None:
            for name, value in metrics.items():
                self._writer.add_scalar(name, value, decisions)

    def metrics(self) -> list[dict[str, float]]:
        """All that `log` has written."""
        text = (self.folder / "metrics.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def about(self) -> list[dict[str, Any]]:
        """What was noted each time that the run was begun or gone on with."""
        text = (self.folder / "about.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def _open(self, purge: int, hours: float) -> None:
        self._began, self._hours = time.monotonic(), hours
        command = " ".join(["python", "-m", *_module(), *sys.argv[1:]])
        note = {"command": command, "hours": hours, "git": git_revision()} | machine()
        with (self.folder / "about.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(note) + "\n")
        folder = str(self.folder / "tensorboard")
        self._writer = SummaryWriter(folder, purge_step=purge or None)


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """A list that is no longer empty once Ctrl-C was pressed; the second press is as ever."""
    pressed: list[int] = []

    def note(number: int, frame: Any) -> None:
        pressed.append(number)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def machine() -> dict[str, Any]:
    """What the run computes on: processor, cores, versions."""
    here = {"processor": processor(), "cores": os.cpu_count(), "python": platform.python_version()}
    return here | versions() | {"torch": torch.__version__}


def _module() -> list[str]:
    """The module that was called by ``python -m``, if one was."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return [spec.name] if spec is not None else []


def _step_of(line: str) -> float:
    try:
        return float(json.loads(line)["decisions"])
    except (ValueError, KeyError, TypeError):
        return float("inf")  # a line cut short

"""``python -m tests.bench``: measure everything in one run and write RESULTS.md, results.json.

The process is pinned to one core (two for the figure of two threads).  All measurements are taken
in turn, several rounds of them, so that a slow spell of the machine meets them alike; medians and
ranges are written.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from agents.arena.versions import processor
from agents.files import write_whole
from tuolaji_env import bench
from tuolaji_env.rules import preset_names

from . import ours, peers, report

HERE = Path(__file__).resolve().parent
BATCHES = tuple(4**k for k in range(8))  # 1 .. 16,384


def measurements(seconds: float) -> dict[str, Callable[[], float]]:
    """What is measured, by name; each call takes about so many seconds."""
    out: dict[str, Callable[[], float]] = {"calibration": ours.calibration}

    def kernel(preset: str, mode: str, games: int = 1024, forced: bool = False) -> float:
        steps = max(int(seconds * 2e6 / games), 20)
        figures = bench.measure(preset, games, steps, 1, forced, (mode,))[mode]
        return figures["decisions_per_s" if forced else "micro_steps_per_s"]

    for preset in preset_names():
        for mode in bench.MODES:
            out[f"kernel/{preset}/{mode}"] = lambda p=preset, m=mode: kernel(p, m)
    for mode in bench.MODES:
        out[f"forced/two_deck/{mode}"] = lambda m=mode: kernel("two_deck", m, forced=True)
        out[f"batch/4096/{mode}"] = lambda m=mode: kernel("two_deck", m, 4096)
    for games in BATCHES:
        out[f"batch/{games}/mask"] = lambda g=games: kernel("two_deck", "mask", g)
        out[f"batch/{games}/uint8"] = lambda g=games: kernel("two_deck", "uint8", g)
    for dtype in ("uint8", "float32"):
        out[f"vector/{dtype}/1"] = lambda d=dtype: ours.vector_env(1, d)
    for policy in ("random", "greedy", "heuristic"):
        out[f"rollout/{policy}"] = lambda p=policy: ours.rollout(p)
    out["worlds"] = ours.hidden_worlds
    for name, run in peers.installed():
        out[f"peer/{name}"] = lambda r=run: r(seconds)
    return out


def two_threads(rounds: int, cores: set[int]) -> list[float]:
    """How much faster two threads step than one, where two cores may be had; else nothing."""
    if len(cores) < 2 or not hasattr(os, "sched_setaffinity"):
        return []
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(cores)[:2]))
    try:
        return [ours.vector_env(2, "uint8") / ours.vector_env(1, "uint8") for _ in range(rounds)]
    finally:
        os.sched_setaffinity(0, before)


def machine() -> dict[str, Any]:
    """Where it ran."""
    packages = ("numpy", "numba", "llvmlite", "pettingzoo", "open_spiel", "rlcard")
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except ImportError:
            found[package] = "not installed"
    return {
        "processor": processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": found,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each measurement")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to")
    options = parser.parse_args()
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    faces = [bench.faces()]  # not pinned: compiling takes what there is
    bench.pin()
    work = measurements(options.seconds)
    samples: dict[str, list[float]] = {name: [] for name in work}
    columns = (TextColumn("{task.description}"), BarColumn())
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn()) as progress:
        task = progress.add_task("measuring", total=options.rounds * len(work))
        for _ in range(options.rounds):
            for name, run in work.items():
                samples[name].append(run())
                progress.update(task, advance=1, description=f"{name:44}")
    faces += [bench.faces(start=False) for _ in range(options.rounds - 1)]
    for name in faces[0]:
        samples[f"face/{name}"] = [row[name] for row in faces if name in row]
    if ratios := two_threads(options.rounds, cores):
        samples["vector/two threads"] = ratios
    figures = {
        name: {"median": statistics.median(row), "low": min(row), "high": max(row)}
        for name, row in samples.items()
    }
    result = {"machine": machine(), "rounds": options.rounds, "figures": figures}
    write_whole(options.out / "results.json", json.dumps(result, indent=1).encode() + b"\n")
    report.draw(figures, options.out / "growth.png")
    write_whole(options.out / "RESULTS.md", report.markdown(result).encode())
    print(f"written: {options.out / 'RESULTS.md'}")


if __name__ == "__main__":
    main()

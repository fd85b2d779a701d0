"""Speed of random legal play: ``python -m tuolaji_env.bench --preset two_deck --json``.

One process pinned to one core; per mode (exact masks alone, with uint8 rows, with float32 rows of
the mover) the median of several runs. A micro-step is one action: one card, or the end of a lead
or bid. A decision is a micro-step at which there was a choice.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from typing import Any

import numpy as np

from .core import batch
from .observe import Layout
from .rules import load_rules
from .vector import GameBatch, game_seeds

MODES = ("mask", "uint8", "float32")
Figures = dict[str, float]


def pin() -> int | None:
    """Pin this process to one of its cores; its number, or None where that cannot be done."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def measure(
    preset: str = "two_deck",
    games: int = 1024,
    steps: int = 1000,
    runs: int = 5,
    skip_forced: bool = False,
    modes: tuple[str, ...] = MODES,
) -> dict[str, Figures]:
    """Median figures by mode: micro_steps_per_s, decisions_per_s, deals_per_s, and the range."""
    rules = load_rules(preset)
    layout = Layout(rules)
    sizes = {"mask": (0, 0), "uint8": (games, 0), "float32": (games, games)}
    out = {}
    for mode in modes:
        rows, floats = sizes[mode]
        arguments: Any = (
            (layout.blanks, layout.seats, layout.slots),
            np.zeros((rows, layout.size), np.uint8),
            layout.scale,
            np.zeros((floats, layout.size), np.float32),
        )
        table = GameBatch(rules, games)
        table.begin(game_seeds(0, games), skip_forced=skip_forced)
        samples = []
        for run in range(-1, runs):
            count = steps if run >= 0 else 20
            begun = time.perf_counter()
            deals, choices = batch.random_steps(
                table.table, table.records, 1000 * run + 7, count, skip_forced, *arguments
            )
            seconds = time.perf_counter() - begun
            if run >= 0:
                samples.append((games * count / seconds, choices / seconds, deals / seconds))
        medians = [statistics.median(column) for column in zip(*samples, strict=True)]
        out[mode] = {
            "micro_steps_per_s": medians[0],
            "decisions_per_s": medians[1],
            "deals_per_s": medians[2],
            "slowest_micro_steps_per_s": min(sample[0] for sample in samples),
            "fastest_micro_steps_per_s": max(sample[0] for sample in samples),
        }
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of random legal play on one core.")
    parser.add_argument("--preset", default="two_deck", help="a preset or a rules file")
    parser.add_argument("--batch", type=int, default=1024, help="games")
    parser.add_argument("--steps", type=int, default=1000, help="micro-steps a game and run")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--skip-forced", action="store_true")
    parser.add_argument("--json", action="store_true", help="one JSON object, nothing else")
    options = parser.parse_args()
    core = pin()
    figures = measure(
        options.preset, options.batch, options.steps, options.runs, options.skip_forced
    )
    if options.json:
        print(
            json.dumps({"preset": options.preset, "batch": options.batch, "core": core} | figures)
        )
        return
    print(f"{options.preset}, {options.batch} games, core {core}, median of {options.runs}")
    print(f"{'':10}{'micro-steps/s':>16}{'decisions/s':>16}{'deals/s':>12}")
    for mode, row in figures.items():
        print(
            f"{mode:10}{row['micro_steps_per_s']:>16,.0f}{row['decisions_per_s']:>16,.0f}"
            f"{row['deals_per_s']:>12,.0f}"
        )


if __name__ == "__main__":
    main()

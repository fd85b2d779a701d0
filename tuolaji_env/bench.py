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
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

from .core import batch
from .games import GameBatch, game_seeds
from .observe import Layout
from .rules import load_rules

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
            (layout.fixed.ravel(), layout.seats, layout.slots, layout.size),
            np.zeros(rows * layout.size, np.uint8),
            layout.scale,
            np.zeros(floats * layout.size, np.float32),
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


def faces(preset: str = "two_deck", steps: int = 4000, start: bool = True) -> dict[str, float]:
    """Steps a second of the Python faces, random legal play, and seconds until a first deal.

    aec_raw, aec_wrapped: PettingZoo's loop; game_copy_step_us: copy a `Game` and make one action,
    microseconds; cold_start_s, cached_start_s: a new process that imports the package and plays a
    deal through `VectorEnv`, with an empty and a filled cache of compiled kernels (if `start`).
    """
    from .aec import env, raw_env
    from .game import Game

    rng = np.random.default_rng(0)
    out = {}
    for name, maker in (("aec_raw", raw_env), ("aec_wrapped", env)):
        aec: Any = maker(preset)
        aec.reset(seed=0)
        _aec_steps(aec, steps // 10, rng)  # kernels are loaded
        begun = time.perf_counter()
        _aec_steps(aec, steps, rng)
        out[name] = steps / (time.perf_counter() - begun)
    game = Game(preset, 0)
    action = game.legal_actions()[0]
    game.copy().do(action)
    begun = time.perf_counter()
    for _ in range(steps):
        game.copy().do(action)
    out["game_copy_step_us"] = 1e6 * (time.perf_counter() - begun) / steps
    if not start:
        return out
    code = (
        f"from tuolaji_env import VectorEnv; e = VectorEnv({preset!r}, 1, 0)\n"
        "while not e.done[0]: e.step(e.action_mask.argmax(axis=1))"
    )
    with tempfile.TemporaryDirectory() as cache:
        for name in ("cold_start_s", "cached_start_s"):
            begun = time.perf_counter()
            environment = {**os.environ, "TUOLAJI_CACHE_DIR": cache}
            subprocess.run([sys.executable, "-c", code], check=True, env=environment)
            out[name] = time.perf_counter() - begun
    return out


def _aec_steps(aec: Any, steps: int, rng: np.random.Generator) -> None:
    """PettingZoo's loop with random legal actions."""
    for _ in range(steps):
        seen, _, over, _, _ = aec.last()
        if over:
            aec.reset()
            seen, *_ = aec.last()
        mask = seen["action_mask"]
        aec.step(int((mask * rng.random(len(mask))).argmax()))


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of random legal play on one core.")
    parser.add_argument("--preset", default="two_deck", help="a preset or a rules file")
    parser.add_argument("--batch", type=int, default=1024, help="games")
    parser.add_argument("--steps", type=int, default=1000, help="micro-steps a game and run")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--skip-forced", action="store_true")
    parser.add_argument("--faces", action="store_true", help="the Python faces and start-up too")
    parser.add_argument("--json", action="store_true", help="one JSON object, nothing else")
    options = parser.parse_args()
    core = pin()
    figures = measure(
        options.preset, options.batch, options.steps, options.runs, options.skip_forced
    )
    others = faces(options.preset) if options.faces else {}
    if options.json:
        head: dict[str, Any] = {"preset": options.preset, "batch": options.batch, "core": core}
        print(json.dumps(head | figures | ({"faces": others} if others else {})))
        return
    print(f"{options.preset}, {options.batch} games, core {core}, median of {options.runs}")
    print(f"{'':10}{'micro-steps/s':>16}{'decisions/s':>16}{'deals/s':>12}")
    for mode, row in figures.items():
        print(
            f"{mode:10}{row['micro_steps_per_s']:>16,.0f}{row['decisions_per_s']:>16,.0f}"
            f"{row['deals_per_s']:>12,.0f}"
        )
    for name, value in others.items():
        print(f"{name:18}{value:>12,.1f}")


if __name__ == "__main__":
    main()

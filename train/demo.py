"""A few minutes from nothing to a player: ``make demo``, or ``python -m train.demo``.

Trains by configs/train/demo.yaml, plays the result against the built-in players on duplicate deals
that training has not seen, and leaves in the run's folder (runs/demo, or the next free runs/demo-2
…) the checkpoint `model.zip`, the picture `demo.png` and the results `demo.json`.
"""

from __future__ import annotations

import argparse
import json
from itertools import count
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agents.arena import MatchResult, play_match
from agents.arena.stats import Z95
from agents.files import write_whole
from agents.registry import make_agent

from . import config as settings
from .dmc import DMC, Config
from .learner import Learner, resolve
from .loop import train
from .run import Run

HERE = Path(__file__).resolve().parent.parent
CONFIG = HERE / "configs" / "train" / "demo.yaml"
OPPONENTS = ("random", "greedy")
SEED = 30_000  # of the deals of the final matches


def final_matches(learner: Learner, deals: int) -> list[MatchResult]:
    """The trained player against each built-in one."""
    return [
        play_match(
            learner.agent(), make_agent(name, learner.rules[0]), learner.rules[0], deals, SEED
        )
        for name in OPPONENTS
    ]


def show(results: list[MatchResult], console: Console) -> None:
    """The results as a table."""
    table = Table(title="levels a deal, on duplicate deals (positive: the trained player is ahead)")
    for column in ("opponent", "levels a deal", "standard error", "95 % interval", "deals"):
        table.add_column(column, justify="left" if column == "opponent" else "right")
    for result in results:
        levels = result.levels_per_deal
        low, high = levels.interval95
        table.add_row(
            result.agents[1],
            f"{levels.mean:+.3f}",
            f"{levels.se:.3f}",
            f"{low:+.2f} … {high:+.2f}",
            f"{result.deals}",
        )
    console.print(table)


def draw(run: Run, results: list[MatchResult], path: Path) -> None:
    """A picture of how it learned, and of what came of it."""
    from matplotlib.figure import Figure

    lines = run.metrics()
    figure = Figure(figsize=(11, 4), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    known = [(line["decisions"] / 1e6, line["train/explained"]) for line in lines]
    left.plot(*zip(*known, strict=True), color="tab:gray")
    left.set(xlabel="million decisions", ylabel="explained share of the returns", title="values")
    for name in OPPONENTS:
        met = [line for line in lines if f"eval/{name}" in line]
        x = [line["decisions"] / 1e6 for line in met]
        y = [line[f"eval/{name}"] for line in met]
        bars = [Z95 * line[f"eval/{name}_se"] for line in met]
        middle.errorbar(x, y, bars, marker="o", markersize=3, capsize=2, label=f"against {name}")
    middle.axhline(0, color="black", linewidth=1)
    middle.set(xlabel="million decisions", ylabel="levels a deal", title="while training")
    if middle.get_legend_handles_labels()[0]:
        middle.legend()
    means = [result.levels_per_deal.mean for result in results]
    bars = [Z95 * result.levels_per_deal.se for result in results]
    right.bar(OPPONENTS, means, yerr=bars, capsize=4, color=["tab:blue", "tab:orange"])
    right.axhline(0, color="black", linewidth=1)
    right.set(ylabel="levels a deal, 95 % intervals", title=f"at the end, {results[0].deals} deals")
    figure.savefig(path, dpi=120)


def free_folder(base: Path) -> Path:
    """The folder, or the next one beside it that holds nothing yet."""
    names = (base if n == 1 else base.with_name(f"{base.name}-{n}") for n in count(1))
    return next(folder for folder in names if not folder.exists())


def main(argv: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m train.demo", description=__doc__)
    parser.add_argument("--config", default=CONFIG, help="settings of the training run")
    parser.add_argument("--run", type=Path, default=Path("runs/demo"), help="where to write")
    parser.add_argument("--deals", type=int, default=500, help="duplicate deals at the end")
    options = parser.parse_args(argv)
    console = Console(highlight=False)
    console.print("compiling the rules (under a minute, once), then training …")
    run = Run(free_folder(options.run))
    learner = DMC(resolve(settings.load(Config, options.config)))
    train(learner, run)
    results = final_matches(learner, options.deals)
    show(results, console)
    picture = run.folder / "demo.png"
    draw(run, results, picture)
    text = json.dumps([result.to_json() for result in results], indent=2, ensure_ascii=False)
    write_whole(run.folder / "demo.json", (text + "\n").encode())
    console.print(f"checkpoint  {run.checkpoint}")
    console.print(f"picture     {picture}")
    console.print(f"play it     python -m train.evaluate ckpt:{run.checkpoint} greedy")


if __name__ == "__main__":
    main()

"""Set a checkpoint's margin: ``python -m train.margin runs/NAME/model.zip --out best.zip``.

A network that is shown advice leaves it only for actions that it values higher by a margin
(`agents.networks.Network`).  Too small, and it follows the noise of its values; too large, and it
learns for nothing.  Here the same deals are played with several margins against one opponent, by
each rule set it was trained on, and the best is written.  To say how strong it is afterwards, take
other deals: the best of several is flattered by the deals that chose it.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from rich.progress import MofNCompleteColumn

from agents import checkpoint
from agents.arena import play_match
from agents.arena.bar import progress_bar
from agents.neural import NeuralAgent
from agents.registry import make_agent
from tuolaji_env.rules import load_rules


def levels(
    path: Path, margins: list[float], opponent: str, deals: int, seed: int, quiet: bool = False
) -> dict[float, tuple[float, float]]:
    """Levels a deal and their standard error by margin, means over the rule sets trained on."""
    names = [entry["name"] for entry in checkpoint.read_meta(path).rules]
    out: dict[float, tuple[float, float]] = {}
    with progress_bar(MofNCompleteColumn(), quiet) as bar:
        task = bar.add_task(f"against {opponent}", total=len(margins) * len(names))
        for margin in margins:
            mean = square = 0.0
            for name in names:
                rules = load_rules(name)
                agent = NeuralAgent.from_checkpoint(path, rules)
                agent.network.margin = margin
                met = play_match(agent, make_agent(opponent, rules), rules, deals, seed)
                mean += met.levels_per_deal.mean / len(names)
                square += (met.levels_per_deal.se / len(names)) ** 2
                bar.advance(task)
            out[margin] = mean, square**0.5
    return out


def write(path: Path, margin: float, out: Path) -> None:
    """Write a checkpoint with another margin."""
    weights, meta = checkpoint.load(path)
    checkpoint.save(out, weights, replace(meta, network=meta.network | {"margin": margin}))


def main(argv: list[str] | None = None) -> None:
    """The command line."""
    about = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m train.margin", description=about)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--margins", default="0.03,0.05,0.07,0.1,0.15", help="to be compared")
    parser.add_argument("--opponent", default="heuristic", help="an agent")
    parser.add_argument("--deals", type=int, default=2000, help="duplicate deals for each")
    parser.add_argument("--seed", type=int, default=30_000, help="of the deals")
    parser.add_argument("--out", type=Path, help="where to write the checkpoint with the best")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    options = parser.parse_args(argv)
    try:
        margins = [float(word) for word in options.margins.split(",")]
        if not all(margin > 0 for margin in margins):
            raise ValueError(f"--margins: {options.margins} given; allowed: numbers above 0")
        if not checkpoint.read_meta(options.checkpoint).layout.get("advice"):
            raise ValueError(f"{options.checkpoint}: is not shown advice, and has no margin")
        where = options.opponent, options.deals, options.seed, options.quiet
        met = levels(options.checkpoint, margins, *where)
    except ValueError as error:
        sys.exit(f"margin: {error}")
    for margin, (mean, se) in met.items():
        print(f"margin {margin:g}: {mean:+.3f} ± {se:.3f} levels a deal")
    best = max(met, key=lambda margin: met[margin][0])
    if options.out:
        write(options.checkpoint, best, options.out)
        print(f"{options.out}: margin {best:g}")


if __name__ == "__main__":
    main()

"""How strength grows with the budget: ``python -m agents.arena.budget``.

`search`, with one budget of milliseconds after another, plays another agent on the same duplicate
deals.  A folder gets the figures and a picture; the same command again plays what is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import MofNCompleteColumn

from tuolaji_env.rules import load_rules

from ..files import write_whole
from ..registry import make_agent
from .bar import progress_bar
from .cells import mean, table
from .match import play_match
from .stats import estimate
from .versions import versions

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "results" / "budget"
FIGURES, PICTURE = "curve.json", "curve.png"
COMMAND = "python -m agents.arena.budget"


def spec_of(milliseconds: int) -> str:
    """The search with a budget; its worlds grow with it, so that time is what runs out."""
    worlds = max(3 * milliseconds // 2, 10)
    return f"search:ms={milliseconds},worlds={worlds},confirm={10 * worlds}"


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--ms", type=int, nargs="+", default=[5, 15, 50, 150], help="budgets")
    parser.add_argument("--against", default="heuristic", help="the other agent")
    parser.add_argument("--preset", default="two_deck", help="rules: a preset or a YAML file")
    parser.add_argument("--deals", type=int, default=40, help="duplicate deals for each budget")
    parser.add_argument("--seed", type=int, default=20261133, help="of the deals and the agents")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    options = parser.parse_args(arguments)
    if min(options.ms) < 1 or options.deals < 2:
        parser.error("--ms: allowed: 1 or more; --deals: allowed: 2 or more")
    return options


def curve(options: argparse.Namespace) -> dict[str, Any]:
    """Play what is missing of a curve; returns the whole of it, as it is written."""
    rules = load_rules(options.preset)
    what = {
        "what": "budget",
        "against": options.against,
        "preset": options.preset,
        "rules_digest": rules.digest,
        "seed": options.seed,
        "deals": options.deals,
        "versions": versions(),
    }
    path = options.out / FIGURES
    points = _played(path, what)
    for milliseconds in sorted(set(options.ms) - {point["ms"] for point in points}):
        points.append(_point(milliseconds, options))
        points.sort(key=lambda point: int(point["ms"]))
        whole = what | {"points": with_gains(points)}
        write_whole(path, f"{json.dumps(whole, indent=1, allow_nan=False)}\n".encode())
    return what | {"points": with_gains(points)}


def with_gains(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Points in ascending order, each with its gain over the one before on the same deals."""
    out = [{name: value for name, value in point.items() if name != "gain"} for point in points]
    for before, now in pairwise(out):
        paired = np.array(now["levels"]) - np.array(before["levels"])
        now["gain"] = estimate(paired).to_json()
    return out


def budget_table(whole: dict[str, Any]) -> str:
    """A curve as Markdown: levels a deal, what is gained from one line to the next, points."""
    rows = [["a decision", "levels a deal", "more than the line above", "points a deal"]]
    for point in whole["points"]:
        levels, gain = point["levels_per_deal"], point.get("gain")
        cells = mean(levels), mean(gain), mean(point["points_per_deal"], 1)
        rows.append([f"{point['ms']} ms", *cells])
    return table(rows)


def plot(whole: dict[str, Any], path: Path) -> None:
    """Write the picture of a curve; its format is by the path's suffix."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    at = [point["ms"] for point in whole["points"]]
    levels = [point["levels_per_deal"] for point in whole["points"]]
    means = np.array([each["mean"] for each in levels])
    low, high = np.array([each["interval95"] for each in levels]).T
    axes.errorbar(at, means, (means - low, high - means), fmt="o-", capsize=3, color="tab:blue")
    axes.axhline(0, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_xticks(at, [str(each) for each in at])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    deals = whole["deals"]
    axes.set(
        xlabel="milliseconds of processor time for a decision, at most",
        ylabel=f"levels a deal over {whole['against']}",
        title=f"search, {whole['preset']}, the same {deals} duplicate deals: 95 % intervals",
    )
    figure.savefig(path, dpi=120)


def _played(path: Path, what: dict[str, Any]) -> list[dict[str, Any]]:
    """The points that a file has already; ValueError where it is of something else."""
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return []
    differ = [name for name in what if found.get(name) != what[name]]
    if differ:
        raise ValueError(f"{path}: is other than asked for in: {', '.join(differ)}")
    points: list[dict[str, Any]] = found["points"]
    return points


def _point(milliseconds: int, options: argparse.Namespace) -> dict[str, Any]:
    """Play one budget."""
    rules = load_rules(options.preset)
    spec = spec_of(milliseconds)
    a, b = (make_agent(each, rules, options.seed) for each in (spec, options.against))
    with progress_bar(MofNCompleteColumn(), options.quiet) as bar:
        task = bar.add_task(f"{milliseconds} ms", total=None)
        result = play_match(
            a,
            b,
            rules,
            options.deals,
            options.seed,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    return {
        "ms": milliseconds,
        "spec": spec,
        "levels_per_deal": result.levels_per_deal.to_json(),
        "points_per_deal": result.points_per_deal.to_json(),
        "decision_us": result.decision_us[0],
        "levels": result.levels.tolist(),
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 2 where an argument or a file is refused."""
    options = parse(arguments)
    try:
        whole = curve(options)
    except ValueError as error:
        print(f"budget: {error}", file=sys.stderr)
        return 2
    plot(whole, options.out / PICTURE)
    print(budget_table(whole))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The report of a run: ``python -m train.report runs/dmc_two_deck``.

Writes `report.md` (what it came to, how it was made, all settings) and `curves.png` into the run's
folder, from what the run has written there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import yaml

from agents.arena.stats import Z95
from agents.files import write_whole

from .run import Run

#: Panels besides the evaluations: the metrics that each draws, if the run has them.
PANELS = {
    "values": ("train/explained", "train/gain", "train/regret", "train/difference"),
    "policy": ("train/entropy", "train/divergence", "train/clipped"),
    "deals": ("deal/declarers_win", "deal/rise"),
}


def opponents(lines: list[dict[str, float]]) -> list[str]:
    """Whom the run met in its evaluations, in the order of the metrics."""
    names = {key[5:]: None for line in lines for key in line if key.startswith("eval/")}
    return [name for name in names if f"{name}_se" in names]


def curves(lines: list[dict[str, float]], path: Path) -> None:
    """Draw evaluations with 95 % intervals, and how learning went."""
    from matplotlib.figure import Figure

    panels = {
        title: [name for name in names if any(name in line for line in lines)]
        for title, names in PANELS.items()
    }
    panels = {title: names for title, names in panels.items() if names}
    figure = Figure(figsize=(4 * (1 + len(panels)), 3.6), layout="constrained")
    axes = figure.subplots(1, 1 + len(panels), squeeze=False)[0]
    for name in opponents(lines):
        met = [line for line in lines if f"eval/{name}" in line]
        x = [line["decisions"] / 1e6 for line in met]
        y = [line[f"eval/{name}"] for line in met]
        bars = [Z95 * line[f"eval/{name}_se"] for line in met]
        axes[0].errorbar(x, y, bars, marker="o", markersize=3, capsize=2, label=f"against {name}")
    axes[0].axhline(0, color="black", linewidth=1)
    axes[0].set(title="strength", ylabel="levels a deal, 95 % intervals")
    if opponents(lines):
        axes[0].legend()
    for axis, (title, names) in zip(axes[1:], panels.items(), strict=True):
        for name in names:
            seen = [line for line in lines if name in line]
            x = [line["decisions"] / 1e6 for line in seen]
            axis.plot(x, smooth([line[name] for line in seen]), label=name)
        axis.set(title=title)
        axis.legend()
    for axis in axes:
        axis.set_xlabel("million decisions")
        axis.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


def smooth(values: list[float], keep: float = 0.9) -> list[float]:
    """An exponential average, begun at the first value."""
    out: list[float] = []
    for value in values:
        out.append(value if not out else keep * out[-1] + (1 - keep) * value)
    return out


def describe(run: Run, picture: str) -> str:
    """The report as Markdown."""
    lines, about = run.metrics(), run.about()
    last = lines[-1]
    settings = yaml.safe_load((run.folder / "config.yaml").read_text(encoding="utf-8"))
    hours = last["speed/hours"]
    parts = [
        f"# {run.folder.name}",
        f"{last['decisions'] / 1e6:.2f} M decisions in {hours:.1f} hours "
        f"({last['decisions'] / hours / 3600:,.0f} a second, evaluations included).",
        f"![curves]({picture})",
        "## Strength while training",
        _table(
            ["M decisions", *(f"over {name}" for name in opponents(lines))],
            [
                [f"{line['decisions'] / 1e6:.2f}", *(_met(line, n) for n in opponents(lines))]
                for line in lines
                if any(f"eval/{name}" in line for name in opponents(lines))
            ],
        ),
        "Levels a deal on the same duplicate deals each time, ± standard error.",
        "## How it was made",
        _table(
            ["from hour", "command", "on", "source"],
            [
                [
                    f"{note['hours']:.1f}",
                    f"`{note['command']}`",
                    f"{note['processor']}, {note['cores']} cores, Python {note['python']}, "
                    f"torch {note['torch']}, numba {note['numba']}, numpy {note['numpy']}",
                    f"`{(note['git'] or 'unknown')[:12]}`",
                ]
                for note in about
            ],
        ),
        "## Settings",
        _table(["setting", "value"], [[f"`{k}`", f"`{v}`"] for k, v in settings.items()]),
    ]
    return "\n\n".join(parts) + "\n"


def _met(line: dict[str, float], name: str) -> str:
    if f"eval/{name}" not in line:
        return ""
    return f"{line[f'eval/{name}']:+.3f} ± {line[f'eval/{name}_se']:.3f}"


def _table(head: list[str], rows: list[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def write(run: Run) -> Path:
    """Write the report into the run's folder; returns its path."""
    curves(run.metrics(), run.folder / "curves.png")
    path = run.folder / "report.md"
    write_whole(path, describe(run, "curves.png").encode())
    return path


def main(argv: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m train.report", description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a run")
    options = parser.parse_args(argv)
    run = Run(options.run)
    try:
        print(write(run))
    except OSError as error:
        sys.exit(f"{options.run}: holds no run that has begun: {error}")


if __name__ == "__main__":
    main()

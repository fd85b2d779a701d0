"""The built-in players against each other under every preset: ``python -m agents.arena.ladder``.

Prints the table of docs/ladder.md from the results in docs/results/ladder, each of them written by

    python -m train.evaluate heuristic greedy --preset P --deals 1200 --seed 20261130 --out FILE
    python -m train.evaluate greedy random --preset P --deals 1000 --seed 20261131 --out FILE
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tuolaji_env.rules import preset_names

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "results" / "ladder"
PAIRS = (("greedy", "random"), ("heuristic", "greedy"))


def read_result(first: str, second: str, preset: str) -> dict[str, Any]:
    """A committed result, of `first` against `second`."""
    path = RESULTS / f"{first}_{second}_{preset}.json"
    result: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if result["agents"] != [first, second] or result["preset"] != preset:
        raise ValueError(f"{path}: is of {result['agents']} under {result['preset']}")
    return result


def table() -> str:
    """Levels a deal by preset, as Markdown."""
    head = ["preset", *(f"`{first}` over `{second}`" for first, second in PAIRS)]
    lines = [head, ["---", "---:", "---:"]]
    for preset in preset_names():
        cells = [f"`{preset}`"]
        for first, second in PAIRS:
            levels = read_result(first, second, preset)["levels_per_deal"]
            cells.append(f"{levels['mean']:+.2f} ± {levels['se']:.2f}")
        lines.append(cells)
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    print(table())

"""The built-in players against each other, preset by preset: ``python -m agents.arena.ladder``.

Prints the tables of docs/ladder.md.  The results in docs/results/ladder were each written by

    python -m train.evaluate heuristic greedy --preset P --deals 1200 --seed 20261130 --out FILE
    python -m train.evaluate greedy random --preset P --deals 1000 --seed 20261131 --out FILE

and those of `search` in docs/results/search by

    python -m agents.arena play --config configs/eval/search_presets.yaml --out docs/results/search
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tuolaji_env.rules import preset_names

from .cells import interval, mean, table

_ROOT = Path(__file__).resolve().parents[2] / "docs" / "results"
RESULTS = _ROOT / "ladder"
SEARCH = _ROOT / "search" / "results.json"
PAIRS = (("greedy", "random"), ("heuristic", "greedy"))


def read_result(first: str, second: str, preset: str) -> dict[str, Any]:
    """A committed result, of `first` against `second`."""
    path = RESULTS / f"{first}_{second}_{preset}.json"
    result: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if result["agents"] != [first, second] or result["preset"] != preset:
        raise ValueError(f"{path}: is of {result['agents']} under {result['preset']}")
    return result


def read_search() -> list[dict[str, Any]]:
    """The committed pairs of `search` against `heuristic`, one for each preset."""
    pairs: list[dict[str, Any]] = json.loads(SEARCH.read_text("utf-8"))["pairs"]
    for pair in pairs:
        if (pair["a"], pair["b"]) != ("search", "heuristic"):
            raise ValueError(f"{SEARCH}: is of {pair['a']} and {pair['b']}")
    return pairs


def search_table() -> str:
    """Levels and points a deal of `search` over `heuristic` by preset, as Markdown."""
    rows = [["preset", "deals", "levels a deal", "95 %", "points a deal"]]
    for pair in read_search():
        levels, points = pair["levels_per_deal"], pair["points_per_deal"]
        cells = mean(levels), interval(levels, 2), mean(points, 1)
        rows.append([f"`{pair['preset']}`", str(pair["deals"]), *cells])
    return table(rows)


def ladder_table() -> str:
    """Levels a deal by preset, as Markdown."""
    rows = [["preset", *(f"`{first}` over `{second}`" for first, second in PAIRS)]]
    for preset in preset_names():
        found = [read_result(*pair, preset)["levels_per_deal"] for pair in PAIRS]
        rows.append([f"`{preset}`", *map(mean, found)])
    return table(rows)


if __name__ == "__main__":
    print(ladder_table(), search_table(), sep="\n\n")

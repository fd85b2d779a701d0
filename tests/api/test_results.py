"""Figures in the README are those of the committed results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULTS = sorted((ROOT / "docs" / "results").glob("*.json"))


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_readme_quotes_the_result(path: Path) -> None:
    result = json.loads(path.read_text("utf-8"))
    levels, points = result["levels_per_deal"], result["points_per_deal"]
    figures = (
        f"{levels['mean']:+.2f} ± {levels['se']:.2f} | {points['mean']:+.1f} ± {points['se']:.1f} "
        f"| {result['deals']:,} |"
    )
    assert figures in (ROOT / "README.md").read_text("utf-8").replace("−", "-")


def test_there_are_results() -> None:
    assert RESULTS

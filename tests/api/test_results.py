"""Figures in the README are those of the committed results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from agents.arena import budget, ladder
from agents.arena.commands import MARKS
from agents.arena.markdown import leaderboard, markdown
from agents.arena.plan import plan_of, read_plan
from agents.arena.stats import estimate
from agents.arena.store import load
from agents.arena.summary import summarize
from tests.bench import report
from tuolaji_env.rules import preset_names

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


@pytest.mark.parametrize("name", ["leaderboard", "search"])
def test_a_round_robin_is_what_its_rows_say(name: str) -> None:
    folder = ROOT / "docs" / "results" / name
    results = load(folder / "plays.parquet")
    quoted = json.loads((folder / "results.json").read_text("utf-8"))
    fresh = summarize(results)
    for part in ("plan", "rules", "order", "overall", "pairs", "agents"):
        assert quoted[part] == json.loads(json.dumps(fresh[part])), part
    for kind, ratings in fresh["ratings"].items():
        for ours, theirs in zip(ratings, quoted["ratings"][kind], strict=True):
            assert ours["agent"] == theirs["agent"]
            assert ours["rating"] == pytest.approx(theirs["rating"], abs=1e-3)
            assert ours["interval95"] == pytest.approx(theirs["interval95"], abs=1e-3)
    assert (folder / "report.md").read_text("utf-8") == markdown(quoted)


def test_the_leaderboard_in_the_readme_is_that_of_the_results() -> None:
    quoted = json.loads((ROOT / "docs" / "results" / "leaderboard" / "results.json").read_text())
    assert f"{MARKS[0]}\n{leaderboard(quoted)}\n{MARKS[1]}" in (ROOT / "README.md").read_text(
        "utf-8"
    )


def test_the_leaderboard_is_complete_and_nobody_looks_at_hidden_cards() -> None:
    plan = plan_of(read_plan(ROOT / "configs" / "eval" / "leaderboard.yaml"))
    quoted = json.loads((ROOT / "docs" / "results" / "leaderboard" / "results.json").read_text())
    assert quoted["plan"] == plan.to_json()
    assert len(quoted["pairs"]) == len(plan.pairings())
    assert all(pair["settled"] for pair in quoted["pairs"])
    assert all(each["audit"]["seen"] == each["audit"]["shaky"] == 0 for each in quoted["agents"])


def test_the_ladder_in_the_docs_is_that_of_the_results() -> None:
    assert ladder.ladder_table() in (ROOT / "docs" / "ladder.md").read_text("utf-8")


@pytest.mark.parametrize(("first", "second"), ladder.PAIRS)
@pytest.mark.parametrize("preset", preset_names())
def test_the_better_player_is_ahead_under_every_preset(
    first: str, second: str, preset: str
) -> None:
    low, _ = ladder.read_result(first, second, preset)["levels_per_deal"]["interval95"]
    assert low > 0


def test_search_is_ahead_of_its_own_policy_under_presets_of_different_kinds() -> None:
    plan = plan_of(read_plan(ROOT / "configs" / "eval" / "search_presets.yaml"))
    assert json.loads(ladder.SEARCH.read_text("utf-8"))["plan"] == plan.to_json()
    pairs = ladder.read_search()
    assert [pair["preset"] for pair in pairs] == list(plan.presets)
    assert len(pairs) >= 6
    assert all(pair["levels_per_deal"]["interval95"][0] > 0 for pair in pairs)
    assert ladder.search_table() in (ROOT / "docs" / "ladder.md").read_text("utf-8")


def test_the_curve_of_strength_is_that_of_its_deals() -> None:
    whole = json.loads((budget.FOLDER / budget.FIGURES).read_text("utf-8"))
    points = whole["points"]
    assert budget.with_gains(points) == points
    for point in points:
        assert len(point["levels"]) == whole["deals"]
        assert point["spec"] == budget.spec_of(point["ms"])
        assert point["levels_per_deal"] == estimate(np.array(point["levels"])).to_json()
    options = budget.parse([])
    assert [point["ms"] for point in points] == options.ms
    assert all(whole[name] == getattr(options, name) for name in ("deals", "seed", "preset"))
    assert budget.budget_table(whole) in (ROOT / "docs" / "ladder.md").read_text("utf-8")


def test_the_speed_in_the_readme_is_what_was_measured() -> None:
    folder = ROOT / "tests" / "bench"
    result = json.loads((folder / "results.json").read_text("utf-8"))
    assert report.markdown(result) == (folder / "RESULTS.md").read_text("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"<!-- speed -->\n{report.readme(result['figures'])}<!-- /speed -->" in readme

"""The curve of strength against budget: its points, what it goes on with, what it refuses."""

import json

import numpy as np
import pytest

from agents.arena import budget
from agents.search import parse_options

TINY = ["--deals", "3", "--seed", "8", "--against", "greedy", "--preset", "one_deck", "--quiet"]


def command(folder, *budgets, more=()):
    return [*TINY, "--ms", *map(str, budgets), "--out", str(folder), *more]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("budget")
    assert budget.main(command(folder, 1, 3)) == 0
    return folder


def test_points_are_means_over_the_same_deals_and_gains_are_paired(folder):
    whole = json.loads((folder / budget.FIGURES).read_text())
    assert (whole["preset"], whole["against"], whole["deals"]) == ("one_deck", "greedy", 3)
    few, many = whole["points"]
    assert [few["ms"], many["ms"]] == [1, 3]
    assert "gain" not in few
    for point in (few, many):
        assert len(point["levels"]) == 3
        assert point["levels_per_deal"]["mean"] == pytest.approx(np.mean(point["levels"]))
        options = parse_options(point["spec"].partition(":")[2])
        assert options.ms == point["ms"]
    paired = np.array(many["levels"]) - np.array(few["levels"])
    assert many["gain"]["mean"] == pytest.approx(paired.mean())
    assert many["gain"]["se"] == pytest.approx(paired.std(ddof=1) / 3**0.5)
    assert (folder / budget.PICTURE).read_bytes().startswith(b"\x89PNG")


def test_a_curve_is_gone_on_with(folder, monkeypatch, capsys):
    before = json.loads((folder / budget.FIGURES).read_text())["points"]
    played = []
    play = budget.play_match

    def noting(a, *rest, **how):
        played.append(a.name)
        return play(a, *rest, **how)

    monkeypatch.setattr(budget, "play_match", noting)
    assert budget.main(command(folder, 1, 2, 3)) == 0
    assert played == [budget.spec_of(2)]
    points = json.loads((folder / budget.FIGURES).read_text())["points"]
    assert [point["ms"] for point in points] == [1, 2, 3]
    assert [points[0]["levels"], points[2]["levels"]] == [each["levels"] for each in before]
    paired = np.array(points[2]["levels"]) - np.array(points[1]["levels"])
    assert points[2]["gain"]["mean"] == pytest.approx(paired.mean())
    shown = capsys.readouterr().out
    assert shown.strip() == budget.budget_table({"points": points})
    assert shown.count("\n") == 5


def test_refusals(folder, capsys):
    assert budget.main(command(folder, 1, more=("--seed", "9"))) == 2
    assert "is other than asked for in: seed" in capsys.readouterr().err
    assert budget.main(command(folder / "new", 1, more=("--against", "nobody"))) == 2
    assert "agent: 'nobody' is not known" in capsys.readouterr().err
    for wrong in (["--ms", "0"], ["--deals", "1"]):
        with pytest.raises(SystemExit):
            budget.main(wrong)
        assert "allowed" in capsys.readouterr().err

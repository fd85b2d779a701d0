"""Setting a margin: the same matches as by hand, and a checkpoint that plays by it."""

from pathlib import Path

import pytest

from agents import checkpoint
from agents.arena import play_match
from agents.networks import SuitNetwork
from agents.neural import NeuralAgent
from agents.registry import make_agent
from train.margin import levels, main
from tuolaji_env.observe import Layout
from tuolaji_env.rules import load_rules

RULES = load_rules("two_deck")


def saved(path: Path, advice: str = "heuristic") -> Path:
    """An untrained network whose values are noise."""
    layout = Layout(RULES, "rules", True, advice)
    network = SuitNetwork.for_layout(layout, (16,), 4)  # without a margin its head is random
    meta = checkpoint.describe(network.spec, layout, [RULES])
    checkpoint.save(path, network.state_dict(), meta)
    return path


def test_levels_are_those_of_matches_by_hand(tmp_path: Path) -> None:
    path = saved(tmp_path / "model.zip")
    met = levels(path, [0.01, 9.0], "heuristic", 20, 5, quiet=True)
    assert met[9.0] == (0.0, 0.0)  # nothing is that much better: it plays as advised
    agent = NeuralAgent.from_checkpoint(path, RULES)
    agent.network.margin = 0.01
    want = play_match(agent, make_agent("heuristic", RULES), RULES, 20, 5).levels_per_deal
    assert met[0.01] == pytest.approx((want.mean, want.se))
    assert want.mean < 0


def test_the_best_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = saved(tmp_path / "model.zip"), tmp_path / "best.zip"
    main([str(path), "--margins", "0.01,9", "--deals", "20", "--out", str(out), "--quiet"])
    assert checkpoint.read_meta(out).network["margin"] == 9
    assert NeuralAgent.from_checkpoint(out, RULES).network.margin == 9
    assert "margin 9: +0.000 ± 0.000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("advice", "words", "message"),
    [
        ("", [], "is not shown advice"),
        ("heuristic", ["--margins", "0,1"], "--margins: 0,1 given; allowed: numbers above 0"),
        ("heuristic", ["--opponent", "nobody"], "nobody"),
    ],
)
def test_refusals(tmp_path: Path, advice: str, words: list[str], message: str) -> None:
    with pytest.raises(SystemExit, match=message):
        main([str(saved(tmp_path / "model.zip", advice)), "--deals", "2", "--quiet", *words])

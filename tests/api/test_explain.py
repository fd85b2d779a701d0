"""Rules in words: every preset explained, differences named, the README's table current."""

from __future__ import annotations

from pathlib import Path

import pytest

from tuolaji_env.explain import diff, explain, main, preset_table
from tuolaji_env.rules import Rules, load_rules, preset_names

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", preset_names())
def test_explains_every_preset(name: str) -> None:
    text = explain(load_rules(name))
    assert text.startswith(name)
    assert "{" not in text
    assert text.count("\n\n") == 6


def test_every_choice_is_explained_by_words_of_its_own() -> None:
    """Changing any option changes the explanation, unless it cannot matter."""
    base = load_rules("guangzhou")
    text = explain(base)
    for changes in (
        {"follow": "exact"},
        {"throws": "certain"},
        {"throw_compare": "all"},
        {"capture": "bonus"},
        {"wider_beats": "all"},
        {"no_bid": "flip"},
        {"bid_poll": "end"},
        {"clamp": (0, 300)},
        {"max_rise": 3},
        {"permanent_trumps": ("2",)},
        {"win_by": "defending"},
        {"revoke": "forfeit"},
        {"protect_wider": True},
        {"rebid_after_bury": True},
        {"mandatory": ("5",)},
    ):
        assert explain(base.replace(name="guangzhou", **changes)) != text, changes


def test_diff() -> None:
    assert diff(load_rules("two_deck"), Rules()) == "the same rules"
    text = diff(load_rules("two_deck"), load_rules("henan"))
    assert text.split() == ["R8.3", "bids:", "'standard'", "->", "'henan'"]


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(preset_names())
    assert main(["explain", "configs/rules/three_deck_house.yaml"]) == 0
    assert "three_deck_house" in capsys.readouterr().out
    assert main(["nonsense"]) == 2


def test_readme_table_is_current() -> None:
    assert preset_table() in (ROOT / "README.md").read_text("utf-8")

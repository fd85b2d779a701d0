"""The best response: it faces the agent on one side of each game, and beats a weak one."""

import json
from pathlib import Path

import numpy as np
import pytest

from train import config as settings
from train.best_response import main
from train.dmc import DMC, Config

TINY = ["--games=8", "--workers=1", "--hidden=8", "--suit=4", "--batch=64", "--evaluate-deals=2"]


@pytest.mark.parametrize("rules", ["two_deck", "find_friends_5"])
def test_the_agent_has_one_side_of_every_game(rules: str) -> None:
    given = {"rules": [rules], "games": 64, "workers": 1, "opposed": True, "hidden": [8]}
    player = DMC(settings.build(Config, given)).players[0]
    theirs = player.sides(np.random.default_rng(1), 0)
    players = player.games.players
    first = theirs[:, :1] ^ (np.arange(players) % 2 == 1)
    assert np.array_equal(theirs, first)
    assert 10 < theirs[:, 0].sum() < 54


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    main(["random", "--run", str(folder), "--deals", "4", "--decisions=600", *TINY])
    assert "levels a deal from random" in capsys.readouterr().out
    found = json.loads((folder / "best_response.json").read_text(encoding="utf-8"))
    assert found["agent"] == "random"
    assert found["decisions"] >= 600
    assert (folder / "model.zip").stat().st_size
    with pytest.raises(SystemExit, match="agent: none given"):
        main(["--deals", "4"])
    with pytest.raises(SystemExit, match="'nobody' is not known; allowed"):
        main(["nobody", "--run", str(tmp_path / "other"), "--decisions=600", *TINY])


@pytest.mark.slow
def test_wins_from_random(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = ["--decisions=200000", "--games=128", "--hidden=64", "--batch=512", "--workers=1"]
    main(["random", "--run", str(folder), "--deals", "300", *words, "--evaluate-every=0"])
    found = json.loads((folder / "best_response.json").read_text(encoding="utf-8"))
    levels = found["levels_per_deal"]
    assert levels["mean"] > 3 * levels["se"]

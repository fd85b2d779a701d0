"""What an agent makes of its decisions: against rollouts by hand, and what must hold."""

import json

import numpy as np
import pytest

from agents.registry import make_agent
from tests.agents.test_card_eyes import stages
from train.probe import judged, main, probe, summary
from tuolaji_env.core.record import LEAD
from tuolaji_env.games import GameBatch
from tuolaji_env.policies import policy_id
from tuolaji_env.rules import load_rules
from tuolaji_env.view import View

RULES = load_rules("two_deck")


def a_lead() -> tuple[GameBatch, int, int]:
    """A game whose mover leads late in the deal, his seat, what heuristic does."""
    for seen in stages("two_deck", every=1):
        for i, game in enumerate(seen.live):
            record = seen.games.records[game]
            late = record["phase"] == LEAD and record["tricks"] > 12 and record["picked"] == 0
            if late and (seen.at == i).sum() > 2:
                one = GameBatch.over(RULES, seen.games.table, record.reshape(1).copy())
                (act,) = make_agent("heuristic", RULES).act(one, one.everybody).tolist()
                return one, int(record["seat"]), act
    raise AssertionError("no such lead")


def test_a_decision_is_valued_as_by_playing_it_out_by_hand() -> None:
    one, seat, advised = a_lead()
    chosen = next(a for a in one.masks()[0].nonzero()[0].tolist() if a != advised)
    found = judged(one, seat, advised, chosen, policy_id("heuristic"), 8, 5)
    worlds = View(one, 0, seat).worlds(8, 5).records
    heuristic, sums = make_agent("heuristic", RULES), {}
    for action in (advised, chosen):
        games = GameBatch.over(RULES, one.table, worlds.copy())
        games.step(np.full(8, action), games.everybody)
        for i in range(8):
            game = GameBatch.over(RULES, one.table, games.records[i : i + 1])
            while int(game.records["phase"][0]) < 5:
                game.step(heuristic.act(game, game.everybody), game.everybody)
        sums[action] = games.records
    assert found.kind == "lead"
    assert found.differs
    values = {}
    for action, ends in sums.items():
        side = ends["side"][:, seat] > 0
        rise = ends["rise"][:, :4].astype(float)
        others = (ends["side"][:, :4] > 0) != side[:, None]
        levels = rise[:, seat] - np.where(others, rise, 0).max(1)
        points = np.where(side, 1, -1) * (ends["score"] - 80.0) / 40
        values[action] = (levels + points).mean() / 2
    assert found.gain == pytest.approx(values[chosen] - values[advised], abs=1e-5)


def test_of_the_built_in_player_nothing_is_gained() -> None:
    found = probe(make_agent("heuristic", RULES), RULES, decisions=30, worlds=4, quiet=True)
    assert len(found) >= 30
    assert not any(f.differs or f.gain for f in found)
    assert np.mean([f.within for f in found if f.kind == "lead"]) > 0.1


def test_random_play_loses() -> None:
    found = probe(make_agent("random", RULES), RULES, decisions=400, worlds=8, quiet=True)
    everything = summary(found)[-1]
    assert everything["kind"] == "all"
    assert everything["decisions"] == len(found)
    assert everything["gain"] < -3 * everything["gain_se"]
    assert everything["possible"] > everything["gain"]


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["greedy", "--decisions", "12", "--worlds", "4", "--json", "--quiet"])
    told = json.loads(capsys.readouterr().out)
    assert told["agent"] == "greedy"
    again = probe(make_agent("greedy", RULES), RULES, "heuristic", 12, 4, quiet=True)
    assert told["kinds"] == json.loads(json.dumps(summary(again)))
    with pytest.raises(SystemExit, match="--worlds: 3 given"):
        main(["greedy", "--worlds", "3"])

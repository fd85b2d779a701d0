"""`neural-search`: the network's decision stands first, its best candidates are compared."""

from pathlib import Path

import numpy as np
import pytest
import torch

from agents import checkpoint
from agents.networks import QNetwork
from agents.neural import NeuralAgent
from agents.neural_search import NeuralSearchAgent
from agents.published import best
from agents.registry import make_agent
from tuolaji_env.game import Game
from tuolaji_env.games import GameBatch
from tuolaji_env.observe import Layout
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import load_rules
from tuolaji_env.view import View


def network(rules, canonical: bool) -> NeuralAgent:
    torch.manual_seed(5)
    layout = Layout(rules, canonical=canonical)
    return NeuralAgent(QNetwork(layout.size, (32,), layout.scale), layout)


def decisions(preset: str, count: int):
    """Games at the beginning of a decision with a choice."""
    games = GameBatch(preset, 24)
    games.begin(np.arange(24))
    player = PolicyPlayer("greedy")
    found = 0
    while found < count:
        (open_,) = np.nonzero((games.records["picked"] == 0) & (games.masks().sum(1) > 2))
        for row in open_[: count - found]:
            yield games, int(row)
            found += 1
        for _ in range(9):
            games.step(player.act(games, games.everybody))


@pytest.mark.parametrize("preset", ["two_deck", "find_friends_5"])
@pytest.mark.parametrize("canonical", [False, True])
def test_candidates_begin_with_the_networks_decision(preset: str, canonical: bool) -> None:
    net = network(load_rules(preset), canonical)
    agent = NeuralSearchAgent(net, keep=4)
    for games, row in decisions(preset, 30):
        view = View(games, row, int(games.records[row]["seat"]))
        found = agent.candidates(view)
        assert found[0] == agent.decision(view)
        assert 1 <= len(found) <= 4
        assert len(set(found)) == len(found)
        one = GameBatch.over(games.rules, games.table, games.records[row : row + 1].copy())
        for action in found[0]:
            assert net.act(one, one.everybody)[0] == action
            one.step(np.array([action]))
        assert int(one.records["picked"][0]) == 0
        # ranked by the value of each play's last choice
        values = agent.path_values(view, found[1:])
        assert np.array_equal(values, np.sort(values)[::-1])


def test_path_values_against_single_games() -> None:
    rules = load_rules("two_deck")
    net = network(rules, True)
    agent = NeuralSearchAgent(net)
    for games, row in decisions("two_deck", 12):
        view = View(games, row, int(games.records[row]["seat"]))
        paths = super(NeuralSearchAgent, agent).candidates(view)
        for path, value in zip(paths, agent.path_values(view, paths), strict=True):
            one = GameBatch.over(rules, games.table, games.records[row : row + 1].copy())
            want = -np.inf
            for action in path:
                if one.masks().sum() > 1:
                    turned = np.arange(63)
                    one.real_actions(turned, np.zeros(63, np.int64))
                    want = net.values(one, one.everybody)[0, turned == action][0]
                one.step(np.array([action]))
            assert value == pytest.approx(want, abs=1e-5)


def test_specs(tmp_path: Path) -> None:
    rules = load_rules("two_deck")
    net = network(rules, True)
    path = tmp_path / "model.zip"
    checkpoint.save(
        path, net.network.state_dict(), checkpoint.describe(net.network.spec, net.layout, [rules])
    )
    agent = make_agent(f"neural-search:network={path},keep=3,worlds=5,confirm=0", rules, 9)
    assert isinstance(agent, NeuralSearchAgent)
    assert (agent.keep, agent.options.worlds, agent.options.confirm) == (3, 5, 0)
    game = Game("two_deck", seed=3)
    action = agent.act(game.batch, game.batch.everybody)
    assert game.action_mask()[action[0]] == 1
    with pytest.raises(ValueError, match="keep: 'few' is no int"):
        make_agent(f"neural-search:network={path},keep=few", rules)
    with pytest.raises(ValueError, match="keep: 1 given; allowed: 2 or more"):
        make_agent(f"neural-search:network={path},keep=1", rules)
    with pytest.raises(ValueError, match="'wrlds' is not known; allowed"):
        make_agent(f"neural-search:network={path},wrlds=1", rules)


def test_best(tmp_path: Path) -> None:
    rules = load_rules("two_deck")
    (tmp_path / "best.yaml").write_text("two_deck: strong\n", encoding="utf-8")
    assert best(rules, tmp_path) == tmp_path / "strong" / "model.zip"
    with pytest.raises(ValueError, match="no checkpoint is published for one_deck; allowed: two"):
        best(load_rules("one_deck"), tmp_path)
    (tmp_path / "best.yaml").write_text("two_deck: strong\nother: all\n", encoding="utf-8")
    assert best(load_rules("one_deck"), tmp_path) == tmp_path / "all" / "model.zip"

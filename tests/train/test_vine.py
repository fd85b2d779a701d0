"""The vine: what actions are worth against single games, and that its values improve on advice."""

import numpy as np
import pytest

from agents.neural import turned_actions
from agents.registry import make_agent
from train import config as settings
from train.vine import Config, Vine, VinePlayer, drawn
from tuolaji_env.core.record import copied
from tuolaji_env.games import GameBatch, is_over

TINY = {
    "games": 6,
    "workers": 1,
    "hidden": [32],
    "suit": 8,
    "batch": 64,
    "decisions": 60_000,
    "epsilon": 0.2,
    "precision": "fp32",
    "advice": "heuristic",
    "margin": 0.05,
}


def player(**over: object) -> VinePlayer:
    return Vine(settings.build(Config, TINY | over)).players[0]


@pytest.mark.parametrize("rules", ["two_deck", "find_friends_5"])
def test_values_against_single_games(rules: str) -> None:
    """Each branch played on by the policy, one game at a time, from the deal's seed."""
    p = player(rules=[rules], branched=1.0, level_weight=0.7, point_weight=0.3, epsilon=0.0)
    games = p.games
    games.begin(np.arange(6), skip_forced=True)
    for _ in range(12):
        games.step(games.masks().argmax(1), skip_forced=True)
    worth = p.values(games.records, np.tile(np.arange(63), (6, 1)))
    turned = turned_actions()
    heuristic = make_agent("heuristic", games.rules)
    for i, record in enumerate(games.records):
        seat, seen = record["seat"], turned[record["trump"]]
        mask = games.masks(np.array([i]))[0]
        assert np.array_equal(~np.isnan(worth[i, seen]), mask == 1)
        for action in np.flatnonzero(mask):
            branch = GameBatch.over(games.rules, games.table, copied(games.records[i : i + 1]))
            one = branch.everybody
            branch.step(np.array([action]))
            while not is_over(branch.records)[0]:
                branch.step(heuristic.act(branch, one))
            last = branch.records[0]
            rise = last["rise"].max()
            levels = rise if last["winners"] >> seat & 1 else -rise
            points = (last["score"] - p.par) / (20 * games.rules.decks)
            want = 0.7 * levels + 0.3 * (points if last["side"][seat] else -points)
            assert worth[i, seen[action]] == pytest.approx(want, abs=1e-5)


def test_tries_what_the_network_likes_best() -> None:
    p = player(most=3, margin=1.0, epsilon=0.0, spread=0.0)
    branches = p.play([1], 0, None).data
    count = (~np.isnan(branches.worth)).sum(1)
    assert set(count) == {2, 3}
    advice = branches.rows[:, -63:].argmax(1)  # liked best by an untrained network
    assert not np.isnan(branches.worth[np.arange(len(advice)), advice]).any()


def test_actions_tried_are_drawn_by_softmax_without_replacement() -> None:
    liked = np.tile(np.array([0.0, 0.1, -np.inf, 0.3], np.float32), (20_000, 1))
    tried = drawn(liked, 2, 0.1, np.random.default_rng(1))
    weights = np.exp(np.array([0, 1, -np.inf, 3]))
    share = weights / weights.sum()
    assert np.bincount(tried[:, 0], minlength=4) / 20_000 == pytest.approx(share, abs=0.012)
    assert (tried[:, 0] != tried[:, 1]).all()
    assert (drawn(liked, 2, 0.0, np.random.default_rng(1)) == [3, 1]).all()


def test_learns_differences_between_actions() -> None:
    learner = Vine(settings.build(Config, TINY | {"games": 64, "rate": 3e-3, "batch": 256}))
    first = learner.iterate()
    for _ in range(5):
        last = learner.iterate()
    assert last["train/difference"] < 0.9 * first["train/difference"]

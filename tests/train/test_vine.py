"""The vine: what actions are worth against single games, and that its values improve on advice."""

import copy

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

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
EVERYTHING = np.tile(np.arange(63), (512, 1))  # all actions of many games


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
    worth, *_ = p.valued(games.records, EVERYTHING[:6], np.random.default_rng(0))
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


@pytest.mark.parametrize("rules", ["two_deck", "find_friends_5"])
def test_a_horizon_values_branches_by_the_critic_and_the_ends_by_what_they_are(rules: str) -> None:
    p = player(rules=[rules], branched=1.0, epsilon=0.0, horizon=2)
    with torch.no_grad():
        p.nets["critic"].out.bias.fill_(7.0)  # type: ignore[operator, union-attr]
    games = p.games
    games.begin(np.arange(6), skip_forced=True)
    for count in range(400):
        live = np.flatnonzero(~is_over(games.records))
        if count in (10, 60) or len(live) < 6:
            states = copied(games.records[live])
            everything = EVERYTHING[: len(live)]
            exact = p.as_seen(states, p.values(states, p.lawful(states, everything)))
            worth, rows, ends = p.valued(states, everything, np.random.default_rng(1))
            assert np.array_equal(np.isnan(worth), np.isnan(exact))
            told = ~np.isnan(worth) & (worth != 7)
            assert np.array_equal(worth[told], exact[told])
            assert all(
                np.isclose(end, row[~np.isnan(row)]).any()
                for end, row in zip(ends, exact, strict=True)
            )
            assert told.any() == (len(live) < 6)  # the ends of deals are within the horizon
            assert rows.shape == (len(live), p.open[0].size + 54 * (games.players + 1))
        if len(live) < 6:
            break
        games.step(games.masks(live).argmax(1), live, skip_forced=True)
    assert len(live) < 6


def test_what_a_critic_sees_are_all_hands_after_the_horizon() -> None:
    """A branch followed by single steps; the critic's row is that of the trick reached."""
    p = player(branched=1.0, epsilon=0.0, horizon=1)
    games = p.games
    games.begin(np.arange(6), skip_forced=True)
    while (games.records["tricks"] < 3).any():
        live = np.flatnonzero(games.records["tricks"] < 3)
        games.step(games.masks(live).argmax(1), live, skip_forced=True)
    states = copied(games.records)
    advised = act(games)
    seen = turned_actions()[states["trump"], advised]
    _, rows, _ = p.valued(states, seen[:, None], np.random.default_rng(1))
    seats = states["seat"].astype(np.int64)
    while (games.records["tricks"] < 4).any():
        live = np.flatnonzero(games.records["tricks"] < 4)
        games.step(act(games, live), live, skip_forced=True)
    assert np.array_equal(rows[:, : p.open[0].size], games.observe(p.open[0], None, seats))
    hands = rows[:, p.open[0].size :].reshape(6, 5, 54)
    assert np.array_equal(
        hands[:, :4].sum(2),
        np.stack([games.records["held"][i][(seats[i] + np.arange(4)) % 4] for i in range(6)]),
    )
    assert (hands[:, 4].sum(1) == 8).all()


@pytest.mark.parametrize("horizon", [0, 2])
def test_values_are_means_over_worlds_of_the_mover(horizon: int) -> None:
    """The first world is the truth; in all of them the mover sees the same."""
    p = player(worlds=5, horizon=horizon, epsilon=0.0)
    games = p.games
    games.begin(np.arange(6), skip_forced=True)
    for _ in range(40):
        games.step(games.masks().argmax(1), skip_forced=True)
    states = copied(games.records)
    seats = states["seat"].astype(np.int64)
    redealt = p.redealt(states, 7)
    before = games.observe(p.layout, None, seats)
    for i in range(5):
        world = GameBatch.over(games.rules, games.table, redealt[np.arange(i, 30, 5)])
        assert np.array_equal(world.observe(p.layout, None, seats), before)
        assert np.array_equal(world.masks(), games.masks())
        others = world.records["hand"][np.arange(6), (seats + 1) % 4]
        same = np.array_equal(others, states["hand"][np.arange(6), (seats + 1) % 4])
        assert same == (i == 0)
    if horizon:
        with torch.no_grad():
            p.nets["critic"].out.bias.fill_(7.0)  # type: ignore[operator, union-attr]
    worth, rows, ends = p.valued(states, EVERYTHING[:6], np.random.default_rng(3))
    key = int(np.random.default_rng(3).integers(1 << 62))
    worlds = p.redealt(states, key)
    tried = np.repeat(p.lawful(states, EVERYTHING[:6]), 5)
    each = p.values(worlds, tried).reshape(6, 5, 63)
    if horizon:
        assert (worth[~np.isnan(worth)] == 7).all(), "the critic is asked in every world"
        assert len(rows) == len(ends) == 6, "and learns from one of them"
        assert all(np.isclose(end, each[i][~np.isnan(each[i])]).any() for i, end in enumerate(ends))
    else:
        assert np.allclose(worth, p.as_seen(states, each.mean(1)), equal_nan=True)


def act(games: GameBatch, rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    rows = games.everybody if rows is None else rows
    return make_agent("heuristic", games.rules).act(games, rows)


def test_a_critic_may_learn_from_the_deals_played() -> None:
    p = player(horizon=1, critic_from="deals")
    data = p.play([1], 0, None).data
    results, last = p.results(), p.games.records
    assert len(data.states) == len(data.ends) > 6 * 10
    assert np.isin(data.ends, results).all()
    assert np.allclose(results[:, 0], results[:, 2])
    assert np.allclose(results[:, 0], -results[:, 1])
    levels = np.where(last["winners"] & 1, 1, -1) * last["rise"].max(1)
    points = (last["score"] - p.par) / 40 * np.where(last["side"][:, 0], 1, -1)
    assert np.allclose(results[:, 0], 0.5 * levels + 0.5 * points)
    hands = data.states[:, p.open[0].size :].reshape(len(data.states), 5, 54)
    own = data.states[:, p.open[0].segments["hand"].slice]
    assert np.array_equal(hands[:, 0], own)
    assert (hands[:, :4].sum(2) == hands[:, :1].sum(2)).all()  # a trick begins: hands are equal


@pytest.mark.parametrize("source", ["branches", "deals"])
def test_a_critic_learns_what_states_are_worth(source: str) -> None:
    over = {"games": 64, "rate": 3e-3, "batch": 256, "horizon": 1, "critic_hidden": [32]}
    over["critic_from"] = source
    learner = Vine(settings.build(Config, TINY | over))
    first = learner.iterate()
    for _ in range(12):
        last = learner.iterate()
    assert 0 < last["train/critic"] < 0.9 * first["train/critic"]


def test_at_first_the_critic_alone_may_learn() -> None:
    over = {"games": 32, "horizon": 1, "critic_hidden": [32], "critic_alone": 3000}
    learner = Vine(settings.build(Config, TINY | over))
    first = {name: value.clone() for name, value in learner.nets.state_dict().items()}

    def changed(which: str) -> bool:
        now = learner.nets.state_dict()
        return any(not torch.equal(now[n], first[n]) for n in first if n.startswith(which))

    learner.iterate()
    assert changed("critic")
    assert not changed("play")
    while not changed("play"):
        assert learner.decisions < 9000
        learner.iterate()
    assert learner.decisions > 3000


def test_a_run_with_a_critic_over_several_rule_sets_goes_on_exactly() -> None:
    over = {"rules": ["two_deck", "find_friends_5"], "layout": "universal", "horizon": 3}
    over |= {"network": "cards", "critic_hidden": [16], "critic_suit": 4}
    first, again = (Vine(settings.build(Config, TINY | over)) for _ in range(2))
    first.iterate()
    again.restore(copy.deepcopy(first.state()))
    assert again.table(0) == first.table(0) == 1  # the other rule set's turn
    told, retold = first.iterate(), again.iterate()
    assert told["train/critic"] == retold["train/critic"] > 0
    for mine, theirs in zip(first.nets.parameters(), again.nets.parameters(), strict=True):
        assert torch.equal(mine, theirs)

"""Decisions beside their alternatives: as search, a network and a plain policy value them."""

import random
from pathlib import Path

import numpy as np
import pytest

from agents.play import lobby
from agents.play.lobby import Offer
from agents.play.review import DealReview, alternatives
from agents.play.thinking import Players, decide
from agents.search import SearchAgent
from tuolaji_env.game import Game
from tuolaji_env.notation import parse_cards
from tuolaji_env.observe import Layout
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import load_rules
from tuolaji_env.view import View

RULES = load_rules("one_deck")
ROW = np.zeros(1, np.int64)


@pytest.fixture(scope="module")
def review():
    game, player = Game(RULES, 5), PolicyPlayer("greedy")
    while not game.is_over:
        game.play(decide(player, game))
    return DealReview(game)


class Fixed(Players):
    """One agent under every name."""

    def __init__(self, agent):
        super().__init__(RULES)
        self._one = agent

    def agent(self, spec):
        return self._one


def choices_of(review):
    """Decisions with more than one way, in the middle of the deal."""
    pairs = zip(review.states, review.plays, strict=False)
    return [(game, play) for game, play in pairs if len(game.legal_plays(3)) > 1][4:24:4]


def test_the_states_are_those_before_each_decision(review):
    for before, play, after in zip(
        review.states[:-1], review.plays, review.states[1:], strict=True
    ):
        again = before.copy()
        again.play(play)
        assert again.record.tobytes() == after.record.tobytes()
    assert review.states[-1].is_over


def test_search_values_what_was_made_beside_the_rest(review):
    agent = SearchAgent("worlds=3,confirm=0")
    for game, play in choices_of(review):
        found = alternatives(game, play, Fixed(agent), "search")
        assert [each["actions"] for each in found if each["made"]] == [list(play)]
        values = [each["value"] for each in found if each["value"] is not None]
        assert values == sorted(values, reverse=True)
        assert 0.0 in values  # the policy's own, which the others are compared with
        assert found == alternatives(game, play, Fixed(agent), "search")


def test_weighing_agrees_with_paired_rollouts_of_each_candidate(review):
    agent = SearchAgent("worlds=1")
    game, _ = choices_of(review)[0]
    view = View(game.batch, 0, game.seat)
    paths, means, errors = agent.weigh(view, 30)
    assert len(paths) == len(means) == len(errors) > 1
    assert means[0] == errors[0] == 0.0
    assert len({tuple(path) for path in paths}) == len(paths)
    assert (errors[1:] >= 0).all()
    assert np.array_equal(agent.weigh(view, 30)[1], means)


@pytest.mark.parametrize("canonical", [False, True])
def test_a_networks_best_alternative_is_what_it_plays(review, canonical):
    torch = pytest.importorskip("torch")
    from agents.networks import QNetwork
    from agents.neural import NeuralAgent

    torch.manual_seed(1)
    layout = Layout(RULES, canonical=canonical)
    agent = NeuralAgent(QNetwork(layout.size, (16,), layout.scale), layout)
    singles = 0
    for game, play in choices_of(review):
        found = alternatives(game, play, Fixed(agent), "network")
        if not all(len(each["actions"]) == 1 for each in found):
            continue
        options = {each["actions"][0] for each in found if each["value"] is not None}
        action = int(agent.act(game.batch, ROW)[0])
        if action in options:
            singles += 1
            assert found[0]["actions"] == [action]
    assert singles


def test_who_may_value_has_values():
    offer = Offer(agents=("greedy", "search:ms=5", "heuristic"), valuers=("search:worlds=3",))
    offer.check()
    assert offer.valued_by[:2] == ("search:worlds=3", "search:ms=5")
    assert not {"greedy", "heuristic"} & set(offer.valued_by)
    assert "search" in Offer(agents=("greedy",)).valued_by
    with pytest.raises(ValueError, match="valuers: 'greedy' gives no values"):
        Offer(valuers=("greedy",)).check()
    with pytest.raises(ValueError, match="'nobody' is not known"):
        Offer(valuers=("nobody",)).check()


def test_best_is_offered_where_one_is_published(monkeypatch):
    monkeypatch.setattr(lobby, "best", lambda rules: Path(__file__))
    assert Offer().valued_by[-1] == "best"
    monkeypatch.setattr(lobby, "best", lambda rules: Path("/nothing"))
    assert "best" not in Offer().valued_by


def test_a_failed_throw_is_told_with_what_was_led():
    game, rng = Game("two_deck", 5, episode="deal"), random.Random(5)
    while not game.is_over:
        game.do(rng.choice(game.legal_actions()))
    deal = DealReview(game)
    marks = [d.failed for d in game.to_record().deals[0].decisions]
    at = next(i for i, mark in enumerate(marks) if mark)
    players = Fixed(PolicyPlayer("greedy"))
    told = deal.show(players, "greedy", at)
    assert told["failed"] == {"led": parse_cards(marks[at].led), "penalty": 0}
    assert deal.states[at].record.tobytes() == DealReview(game).states[at].record.tobytes()
    assert "failed" not in deal.show(players, "greedy", at + 1)


def test_a_policy_names_its_choice_alone(review):
    game, play = choices_of(review)[0]
    found = alternatives(game, play, Players(RULES), "heuristic")
    assert {each["value"] for each in found} == {None}
    assert [each for each in found if each["made"]]
    chosen = list(decide(PolicyPlayer("heuristic"), game))
    assert chosen in [each["actions"] for each in found]

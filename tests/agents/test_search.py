"""`search`: its options, its plans, and that it beats the policy it searches with."""

from statistics import median
from time import thread_time

import numpy as np
import pytest

from agents.arena import play_match
from agents.registry import make_agent
from agents.search import SearchAgent, draws_of, parse_options
from tuolaji_env.core.record import BID, BURY, FOLLOW, LEAD, OVER
from tuolaji_env.games import GameBatch, game_seeds
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import load_rules
from tuolaji_env.testing import hidden_twins
from tuolaji_env.view import View

ROW = np.arange(1)
OF_GREEDY = "policy=greedy,rollout=greedy,worlds=20,confirm=100"


def positions(rules, count, phases):
    """Single games at the beginning of decisions of some phases, one after another."""
    player = PolicyPlayer("greedy")
    for seed in game_seeds(4, count):
        games = GameBatch(rules, 1)
        games.begin(seed)
        turn = 0
        while games.records["phase"][0] != OVER:
            s = games.records[0]
            if s["phase"] in phases and s["picked"] == 0:
                turn += 1
                if turn % 7 == 1:
                    yield games
            games.step(player.act(games, ROW), ROW)


def decision(agent, games):
    """The actions of the whole decision that an agent makes, step by step."""
    trial = GameBatch(games.rules, 1)
    trial.records[:] = games.records
    actions = []
    while True:
        action = int(agent.act(trial, ROW)[0])
        actions.append(action)
        trial.step(np.array([action]), ROW)
        s = trial.records[0]
        if s["picked"] == 0 or s["phase"] == OVER:
            return actions


@pytest.mark.parametrize("policy", ["greedy", "heuristic"])
def test_the_first_candidate_is_the_policys_own_choice(policy):
    agent, player = SearchAgent(f"policy={policy},worlds=1,confirm=0"), PolicyPlayer(policy)
    for games in positions(load_rules("two_deck"), 3, (BURY, LEAD, FOLLOW)):
        view = View(games, 0, int(games.records["seat"][0]))
        candidates = agent.candidates(view)
        assert list(candidates[0]) == decision(player, games)
        assert len(set(candidates)) == len(candidates)


def test_a_decision_is_the_same_from_the_middle_as_from_its_beginning():
    options = "worlds=6,confirm=6,bound=0"
    agent = SearchAgent(options, 5)
    longer = 0
    for games in positions(load_rules("two_deck"), 4, (LEAD, FOLLOW)):
        actions = decision(agent, games)
        if len(actions) < 3:
            continue
        longer += 1
        trial = GameBatch(games.rules, 1)
        trial.records[:] = games.records
        for action in actions[:-1]:
            assert decision(SearchAgent(options, 5), trial)[0] == action
            trial.step(np.array([action]), ROW)
    assert longer


def laid_out_anew(record):
    """The same record with its fields in another order, of other sizes, and one more of them."""
    fields = [(name, np.int64, record.dtype[name].shape) for name in reversed(record.dtype.names)]
    other = np.zeros(1, np.dtype([("new", np.int8, 3), *fields]))[0]
    for name in record.dtype.names:
        other[name] = record[name]
    return other


@pytest.mark.parametrize("preset", ["two_deck", "chaodipi_2", "henan", "find_friends_5"])
def test_chance_comes_from_what_the_seat_knows_not_from_the_layout_of_records(preset):
    rng, moments, drawn = np.random.default_rng(1), 0, set()
    for games in positions(load_rules(preset), 3, (BID, BURY, LEAD, FOLLOW)):
        seat = int(games.records["seat"][0])
        view = View(games, 0, seat)
        draws = draws_of(view)
        for what, twin in hidden_twins(games, seat, rng):
            assert draws_of(View(twin, 0, seat)) == draws, what
        view.record = laid_out_anew(view.record)
        assert draws_of(view) == draws
        moments += 1
        drawn.add(draws)
    assert len(drawn) == moments > 20


def test_the_last_card_and_forced_ones_cost_no_search():
    agent = SearchAgent("worlds=1,confirm=0")
    for games in positions(load_rules("two_deck"), 2, (FOLLOW,)):
        mask = int(games.records["mask"][0])
        before = agent.tally[0]
        agent.act(games, ROW)
        assert agent.tally[0] == before + (mask & (mask - 1) != 0)


def test_milliseconds_bound_a_decision():
    agent = SearchAgent("ms=20,worlds=100000,confirm=100000")
    times = []
    for games in positions(load_rules("two_deck"), 2, (LEAD,)):
        began = thread_time()
        agent.act(games, ROW)
        times.append(thread_time() - began)
    # all these worlds would take minutes
    assert median(times) < 0.03
    assert max(times) < 0.2


def test_options_are_refused_with_what_is_allowed():
    assert parse_options("") == parse_options("policy=heuristic,worlds=30")
    rules = load_rules("two_deck")
    assert make_agent("search:worlds=7", rules).name == "search:worlds=7"
    for text, words in {
        "speed=3": "'speed' is not known; allowed: policy, rollout, opening",
        "worlds=many": "worlds: 'many' is no int",
        "policy=best": "policy: 'best' is not known; allowed: random, greedy",
        "rollout=best": "rollout: 'best' is not known; allowed: random, greedy",
        "candidates=1": "candidates: 1 given; allowed: 2 to",
        "worlds=0": "must be positive",
        "ms=nan": "must be positive",
    }.items():
        with pytest.raises(ValueError, match=words):
            make_agent(f"search:{text}", rules)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["two_deck", "find_friends_5"])
def test_search_beats_the_policy_of_its_rollouts(preset):
    deals = 40 if preset == "two_deck" else 16
    result = play_match(SearchAgent(OF_GREEDY), PolicyPlayer("greedy"), preset, deals)
    assert result.levels_per_deal.interval95[0] > 0

"""Duplicate deals and whole matches: what must come out whatever the players are."""

import json

import numpy as np
import pytest

from agents.arena import play_match, play_whole_matches
from agents.arena.duplicate import play_deals, seatings
from agents.arena.play import play_games
from agents.arena.plot import plot_match
from agents.arena.report import table
from agents.arena.stats import estimate, wilson
from tuolaji_env.games import IllegalActionError
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import load_rules


class First:
    """Plays the lowest action allowed: a second deterministic player."""

    name = "first"

    def reset(self, seed):
        pass

    def act(self, games, rows):
        mask = games.records["mask"][rows]
        return np.log2((mask & -mask).astype(np.float64)).astype(np.int64)


greedy, random = PolicyPlayer("greedy"), PolicyPlayer("random")


@pytest.fixture(scope="module")
def over_random():
    return play_match(greedy, random, deals=200, seed=1)


def test_greedy_is_clearly_above_random(over_random):
    low, _ = over_random.levels_per_deal.interval95
    assert low > 1.0
    assert over_random.points_per_deal.interval95[0] > 0
    assert over_random.win_rate.low > 0.9
    assert over_random.level_share.interval95[0] > 0.9


def test_the_share_of_levels_is_that_of_the_plays(over_random):
    levels = play_deals((greedy, random), load_rules("two_deck"), 1, 0, 200).levels
    share = over_random.level_share
    assert share.mean == pytest.approx(levels[levels > 0].sum() / np.abs(levels).sum())
    redrawn = np.random.default_rng(0).integers(200, size=(2000, 200))
    pairs = levels.reshape(200, 2)[redrawn]
    shares = np.maximum(pairs, 0).sum((1, 2)) / np.abs(pairs).sum((1, 2))
    assert share.se == pytest.approx(shares.std(), rel=0.15), "as the bootstrap has it"


def test_a_deterministic_player_against_itself_comes_out_at_zero():
    result = play_match(greedy, PolicyPlayer("greedy"), deals=60, seed=2)
    assert not result.levels.any()
    assert not result.points.any()
    assert result.win_rate.value == result.level_share.mean == 0.5


def test_two_random_players_differ_by_chance_only():
    result = play_match(random, PolicyPlayer("random"), deals=400, seed=3)
    assert result.levels.any()
    assert abs(result.levels_per_deal.mean) < 3 * result.levels_per_deal.se
    assert abs(result.points_per_deal.mean) < 3 * result.points_per_deal.se


def test_players_that_change_places_get_the_negative():
    one = play_match(greedy, First(), deals=40, seed=4)
    other = play_match(First(), greedy, deals=40, seed=4)
    assert np.array_equal(one.levels, -other.levels)
    assert np.array_equal(one.points, -other.points)
    assert one.win_rate.value == pytest.approx(1 - other.win_rate.value)


def test_results_do_not_depend_on_the_batch(over_random):
    result = play_match(greedy, random, deals=30, seed=1, batch=7)
    assert np.array_equal(result.levels, over_random.levels[:30])
    assert np.array_equal(result.points, over_random.points[:30])


def test_the_same_seed_gives_the_same_result_and_another_seed_another(over_random):
    again = play_match(PolicyPlayer("greedy", 9), PolicyPlayer("random", 9), deals=200, seed=1)
    assert np.array_equal(again.levels, over_random.levels)
    assert np.array_equal(again.points, over_random.points)
    other = play_match(greedy, random, deals=200, seed=2)
    assert not np.array_equal(other.points, over_random.points)


def test_standard_errors_agree_with_a_bootstrap(over_random):
    values = over_random.points
    draws = np.random.default_rng(0).integers(len(values), size=(2000, len(values)))
    assert values[draws].mean(axis=1).std() == pytest.approx(
        over_random.points_per_deal.se, rel=0.1
    )


def test_statistics():
    assert estimate(np.array([1.0, 3.0])).se == pytest.approx(1.0)
    rate = wilson(8, 10)
    assert (rate.value, rate.count) == (0.8, 10)
    assert (rate.low, rate.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 5).low == 0


def test_signs_and_sides_of_a_play():
    """A's levels are what its seats rise, less the others'; points count for non-declarers."""
    rules = load_rules("two_deck")
    seating = seatings(rules)
    outcome = play_games([greedy, random], rules, np.full(2, 5), seating)
    result = play_match(greedy, First(), rules, deals=1, seed=5)
    assert result.plays == 2
    assert np.isnan(result.levels_per_deal.se)
    assert result.to_json()["levels_per_deal"]["se"] is None
    for play in range(2):
        team = seating[play].tolist().index(0)
        fields = {name: values[play] for name, values in outcome.fields.items()}
        won = int(fields["winners"]) >> team & 1
        assert (fields["rise"][team] > 0) <= won
        declares = fields["side"][team] == 0
        assert won == (declares == (fields["score"] < rules.base))


@pytest.mark.parametrize("preset", ["find_friends_5", "six_player"])
def test_other_tables_seat_everybody_everywhere(preset):
    rules = load_rules(preset)
    ways = seatings(rules)
    a_seats = (ways == 0).sum(axis=0)
    assert len(set(a_seats.tolist())) == 1
    result = play_match(greedy, random, rules, deals=15, seed=1)
    assert result.plays == 15 * len(ways)
    assert result.levels_per_deal.mean > 0


def test_whole_matches():
    result = play_whole_matches(greedy, random, matches=10, seed=1, batch=4)
    assert result.win_rate.value > 0.8
    assert result.deals > 3
    again = play_whole_matches(greedy, random, matches=10, seed=1)
    assert (again.win_rate, again.deals) == (result.win_rate, result.deals)
    assert "10 matches" in table(result)
    json.dumps(result.to_json(), allow_nan=False)


def test_reports(over_random, tmp_path):
    text = table(over_random)
    assert "greedy against random: two_deck, 200 deals, 400 plays" in text
    json.dumps(over_random.to_json(), allow_nan=False)
    plot_match(over_random, tmp_path / "levels.png")
    assert (tmp_path / "levels.png").read_bytes().startswith(b"\x89PNG")


def test_progress_and_decisions_are_counted():
    told = []
    rules, seating = load_rules("two_deck"), np.zeros((5, 4), np.int64)
    outcome = play_games(
        [greedy], rules, np.arange(5), seating, progress=lambda *now: told.append(now)
    )
    assert told[-1] == (5, 5)
    # four plays to each trick of at most 25, one burial, a few bids
    assert 5 * 40 < outcome.decisions[0] < 5 * 130


def test_a_player_that_breaks_its_mask_is_named():
    class Rogue(First):
        name = "rogue"

        def act(self, games, rows):
            return np.full(len(rows), 62)

    with pytest.raises(IllegalActionError, match="agent rogue: game"):
        play_games([Rogue()], load_rules("two_deck"), np.arange(2), np.zeros((2, 4), np.int64))


def test_counts_are_checked():
    with pytest.raises(ValueError, match="deals: 0 given; allowed: 1 or more"):
        play_match(greedy, random, deals=0)

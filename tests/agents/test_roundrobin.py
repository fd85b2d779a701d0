"""Round robins: what is found must be there, what is resumed must be as if never stopped."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from agents.arena import play_match
from agents.arena.audit import audit
from agents.arena.duplicate import play_deals, seatings
from agents.arena.plan import plan_of, settled
from agents.arena.ratings import rate
from agents.arena.roundrobin import RoundRobin
from agents.arena.stats import Estimate, estimate
from agents.arena.store import go_on, load
from agents.arena.summary import summarize
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import load_rules

TWO = load_rules("two_deck")


class Handicapped:
    """Greedy, but plays at random with some probability."""

    def __init__(self, chance):
        self.name, self._chance = f"handicap {chance}", chance
        self._plain, self._random = PolicyPlayer("greedy"), PolicyPlayer("random")

    def reset(self, seed):
        self._plain.reset(seed)
        self._random.reset(seed)

    def act(self, games, rows):
        s = games.records[rows]
        number = (s["seed"] ^ (s["steps"] << 32)).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        lost = (number >> np.uint64(40)) % np.uint64(1000) < 1000 * self._chance
        return np.where(lost, self._random.act(games, rows), self._plain.act(games, rows))


class Peeper:
    """Acts by the cards of the next seat."""

    name = "peeper"

    def reset(self, seed):
        pass

    def act(self, games, rows):
        s = games.records[rows]
        behind = s["hand"][np.arange(len(rows)), (s["seat"] + 1) % games.players, 0]
        mask = s["mask"]
        low = mask & -mask
        rest = mask & ~low
        return np.log2(np.where((behind % 7 < 3) & (rest > 0), rest & -rest, low)).astype(int)


class Fickle(Peeper):
    """Has chance of its own, which no seed brings back."""

    name = "fickle"
    chance = np.random.default_rng(0)

    def act(self, games, rows):
        options = games.masks(rows)
        return (options * self.chance.random(options.shape)).argmax(axis=1)


class Hasty(Fickle):
    """Chooses the same but now and then, as one whose clock has run out a little earlier."""

    name = "hasty"

    def act(self, games, rows):
        options = games.masks(rows)
        first = options.argmax(axis=1)
        return super().act(games, rows) if self.chance.random() < 0.2 else first


def a_plan(**options):
    return plan_of(
        {"agents": ["random", "greedy"], "first": 6, "most": 24, "audit": 5, "bootstrap": 50}
        | options
    )


def rows_of(path):
    return load(path).rows.to_pylist()


# what the statistics promise


def test_the_same_agent_twice_has_its_mean_within_its_interval():
    within = 0
    for seed in range(8):
        value = play_match(PolicyPlayer("random"), PolicyPlayer("random"), TWO, 60, seed)
        low, high = value.levels_per_deal.interval95
        within += low <= 0 <= high
    assert within >= 7


def test_a_known_handicap_is_found_and_a_greater_one_is_greater():
    found = [
        play_match(PolicyPlayer("greedy"), Handicapped(chance), TWO, 120, 1).levels_per_deal
        for chance in (0.0, 0.1, 0.4)
    ]
    assert found[0] == Estimate(0.0, 0.0)
    assert found[1].interval95[0] > 0
    assert found[2].interval95[0] > found[1].mean


def test_the_standard_error_is_that_of_a_bootstrap_and_of_repetition():
    agents = PolicyPlayer("greedy"), Handicapped(0.2)
    levels = play_match(*agents, TWO, 800, 3).levels
    draws = np.random.default_rng(0).integers(len(levels), size=(2000, len(levels)))
    assert levels[draws].mean(axis=1).std() == pytest.approx(estimate(levels).se, rel=0.08)
    means = levels.reshape(40, 20).mean(axis=1)  # as if 40 evaluations of 20 deals
    assert means.std(ddof=1) == pytest.approx(estimate(levels[:400]).se * np.sqrt(20), rel=0.3)


@pytest.mark.parametrize("preset", ["two_deck", "find_friends_5"])
def test_luck_of_seats_and_cards_cancels(preset):
    """What a seat or a hand is worth weighs the same for A and B in every deal."""
    rules = load_rules(preset)
    agents = PolicyPlayer("greedy"), PolicyPlayer("greedy")
    plays = play_deals(agents, rules, 5, 0, 30)
    ways = len(seatings(rules))
    assert np.abs(plays.points).sum() > 0
    assert np.allclose(plays.points.reshape(-1, ways).mean(axis=1), 0)
    assert np.allclose(plays.levels.reshape(-1, ways).mean(axis=1), 0)
    # duplicate pays: the same plays taken as independent would be far less certain
    greedy, other = PolicyPlayer("greedy"), Handicapped(0.1)
    plays = play_deals((greedy, other), rules, 5, 0, 60)
    by_deal = estimate(plays.points.reshape(-1, ways).mean(axis=1)).se
    assert by_deal < estimate(plays.points).se


# when a pairing is settled


def test_looks_are_fixed_and_their_intervals_hold_together():
    pairing = a_plan(first=64, most=1000).pairings()[0]
    assert pairing.looks == (64, 128, 256, 512, 1000)
    assert pairing.width(1000) == pytest.approx(2.5809, abs=1e-3)  # 99 %, one for each look
    once = a_plan(first=64, most=64).pairings()[0]
    assert once.looks == (64,)
    assert once.width(64) == pytest.approx(1.9983, abs=1e-3)
    assert a_plan(first=64, most=10).pairings()[0].looks == (10,)


def test_a_pairing_is_settled_at_looks_only():
    plan = a_plan(first=64, most=256, precision=0.05)
    pairing = plan.pairings()[0]
    sure, precise, open_ = Estimate(1.0, 0.1), Estimate(0.0, 0.04), Estimate(0.2, 0.1)
    assert settled(plan, pairing, 64, sure) == "clear"
    assert settled(plan, pairing, 65, sure) == ""
    assert settled(plan, pairing, 128, precise) == "precise"
    assert settled(plan, pairing, 128, open_) == ""  # clear for a single look, not for three
    assert settled(plan, pairing, 256, open_) == "most"
    assert settled(replace(plan, clear=False), pairing, 64, sure) == ""


def test_false_alarms_of_all_looks_together_stay_below_five_percent():
    plan = a_plan(first=16, most=256, precision=0.0)
    pairing = plan.pairings()[0]
    rng = np.random.default_rng(1)
    alarms = 0
    for _ in range(1500):
        levels = rng.normal(size=256)
        alarms += any(
            settled(plan, pairing, n, estimate(levels[:n])) == "clear" for n in pairing.looks
        )
    assert 0.015 < alarms / 1500 < 0.05


def test_a_clear_pairing_stops_at_its_first_look_and_a_null_one_goes_on(tmp_path):
    plan = plan_of(
        {
            "agents": {"one": "random", "two": "random", "greedy": "greedy"},
            "first": 8,
            "most": 32,
            "precision": 0.01,
            "audit": 2,
        }
    )
    results = RoundRobin(plan, tmp_path / "plays.parquet").run()
    counts = {pairing.key[1:]: results.units(pairing).count for pairing in plan.pairings()}
    assert counts[("greedy", "one")] == counts[("greedy", "two")] == 8
    assert counts[("two", "one")] == 32
    pair = next(p for p in summarize(results)["pairs"] if p["b"] == "one" and p["a"] == "two")
    low, high = pair["levels_per_deal"]["interval95"]
    assert pair["settled"] == "most"
    assert low < 0 < high


# files


class StopError(Exception):
    pass


@pytest.mark.parametrize("after", [1, 4])
def test_an_interrupted_round_robin_goes_on_where_it_stopped(tmp_path, after, monkeypatch):
    plan = a_plan(presets=["two_deck", "find_friends_5"], first=8, most=8, matches=1)
    RoundRobin(plan, tmp_path / "whole.parquet").run()
    monkeypatch.setattr("agents.arena.roundrobin._TRIAL", 3)
    monkeypatch.setattr("agents.arena.roundrobin._STEP", 1e-3)  # a step is a deal or a few
    path, told = tmp_path / "plays.parquet", []

    def stop(work):
        told.append(work)
        if len(told) > 4 + after:
            raise StopError

    with pytest.raises(StopError):
        RoundRobin(plan, path, progress=stop).run()
    assert 0 < len(rows_of(path)) < len(rows_of(tmp_path / "whole.parquet"))
    RoundRobin(plan, path, batch=3).run()
    assert rows_of(path) == rows_of(tmp_path / "whole.parquet")
    ours, whole = (summarize(load(p)) for p in (path, tmp_path / "whole.parquet"))
    for name in ("ratings", "pairs", "overall", "order"):
        assert ours[name] == whole[name]


def test_progress_nears_the_whole_and_settled_pairings_count_no_more(tmp_path):
    told = []
    plan = a_plan(agents=["random", "greedy", "heuristic"], first=6, most=96, matches=1)
    RoundRobin(plan, tmp_path / "plays.parquet", progress=told.append).run()
    assert told[0].done == 0
    assert all(work.done <= work.all for work in told)
    assert told[-1].all < told[0].all
    assert told[-1].done > told[-1].all / 2


def test_rows_say_who_sat_where_and_give_the_figures(tmp_path):
    plan = a_plan(first=6, most=6, matches=2)
    results = RoundRobin(plan, tmp_path / "plays.parquet").run()
    rows = rows_of(tmp_path / "plays.parquet")
    deals = [row for row in rows if row["kind"] == "deal"]
    assert [row["seats"] for row in deals] == ["ABAB", "BABA"] * 6
    assert (deals[0]["a"], deals[0]["b"]) == ("greedy", "random")
    assert deals[0]["seed"] == deals[1]["seed"] != deals[2]["seed"]
    one = play_match(PolicyPlayer("greedy"), PolicyPlayer("random"), TWO, 6)
    assert np.mean([row["levels"] for row in deals]) == pytest.approx(one.levels_per_deal.mean)
    assert results.units(plan.pairings()[0], "match").count == 2
    assert all(row["levels"] is None and row["deals"] > 1 for row in rows if row["kind"] == "match")


def test_agents_can_be_added_but_nothing_else_may_change(tmp_path):
    path = tmp_path / "plays.parquet"
    plan = a_plan(first=4, most=4)
    RoundRobin(plan, path).run()
    before = rows_of(path)
    more = a_plan(agents=["random", "greedy", "heuristic"], first=4, most=4)
    RoundRobin(more, path).run()
    assert [row for row in rows_of(path) if {row["a"], row["b"]} == {"random", "greedy"}] == before
    assert len(rows_of(path)) == 3 * len(before)
    for other, words in (
        (replace(more, seed=1), "seed"),
        (replace(more, most=8), "most"),
        (
            a_plan(agents={"random": "greedy", "greedy": "greedy"}, first=4, most=4),
            "agents: random",
        ),
        (a_plan(agents=["greedy", "random"], first=4, most=4), "order of agents"),
    ):
        with pytest.raises(ValueError, match=f"other than before: {words}"):
            go_on(path, other)


def test_files_that_hold_no_results_are_refused(tmp_path):
    path = tmp_path / "plays.parquet"
    path.write_bytes(b"PAR1 but no more")
    with pytest.raises(ValueError, match="holds no results of a round robin"):
        load(path)
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(ValueError, match="holds no results of a round robin"):
        load(path)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"agents": ["random"]}, "agents: 1 given; allowed: 2 or more"),
        ({"agents": {"a": 3, "b": "greedy"}}, "agents: a: 3 given; allowed: a spec"),
        ({"deals": 3}, "deals: no such option; allowed: agents, presets"),
        ({"first": 1}, "first: 1 given; allowed: 2 or more"),
        (
            {"agents": {"a": {"spec": "greedy", "most": 1}, "b": "greedy"}},
            "a: most: 1 given; allowed: 2 or more",
        ),
        ({"precision": "high"}, "precision: 'high' given; allowed: a float"),
        ({"clear": 1}, "clear: 1 given; allowed: a bool"),
        ({"presets": "two_deck"}, "presets: 'two_deck' given; allowed: a list of names"),
        ({"presets": ["henan", "henan"]}, "presets: given twice"),
        (
            {"agents": {"a": {"spec": "greedy", "presets": ["henan"]}, "b": "greedy"}},
            "a: presets: 'henan'; allowed: two_deck",
        ),
    ],
)
def test_plans_are_refused_with_what_is_allowed(options, words):
    with pytest.raises(ValueError, match=words):
        a_plan(**options)


def test_plans_come_back_from_plain_values():
    plan = a_plan(
        agents={
            "a": {"spec": "greedy", "presets": ["henan"], "first": 2, "most": 5},
            "b": "random",
        },
        presets=["two_deck", "henan"],
        precision=1,
    )
    assert plan_of(json.loads(json.dumps(plan.to_json()))) == plan
    assert [pairing.key for pairing in plan.pairings()] == [("henan", "b", "a")]
    assert plan.pairings()[0].looks == (2, 4, 5)


# ratings


def test_ratings_recover_a_known_order_with_their_intervals():
    true = np.array([0.0, 120.0, 200.0, 420.0])
    rng = np.random.default_rng(4)
    won = {}
    for i in range(4):
        for j in range(i):
            chance = 1 / (1 + 10 ** ((true[j] - true[i]) / 400))
            won[(f"{i}", f"{j}")] = np.where(rng.random(400) < chance, 1, -1)
    ratings = rate(["0", "1", "2", "3"], won, samples=300)
    assert [each.agent for each in ratings] == ["3", "2", "1", "0"]
    for each in ratings:
        assert each.low <= each.rating <= each.high
        assert each.low - 15 < true[int(each.agent)] < each.high + 15
        assert each.games == 1200
    assert (ratings[-1].low, ratings[-1].high) == (0, 0)
    assert ratings[0].high - ratings[0].low < 100


def test_ratings_of_few_games_are_finite_and_of_none_are_not_given():
    always = {("b", "a"): np.ones(10, np.int64), ("d", "c"): np.ones(10, np.int64)}
    ratings = rate(["a", "b", "c", "d"], always, samples=20)
    assert [each.agent for each in ratings] == ["b", "a"]
    assert 400 < ratings[0].rating < 600
    draws = rate(["a", "b"], {("b", "a"): np.zeros(10, np.int64)}, samples=20)
    assert draws[0].rating == pytest.approx(0, abs=1e-6)
    assert rate(["a", "b"], {}, samples=20) == []


# audit


@pytest.mark.parametrize("preset", ["two_deck", "find_friends_5"])
def test_the_audit_passes_those_who_are_blind_and_catches_one_who_peeps(preset):
    rules = load_rules(preset)
    for name in ("random", "greedy"):
        found = audit(PolicyPlayer(name), rules, 40)
        assert found.clean
        assert found.moments == 40
        assert found.twins >= 80
        assert 0 < found.median_us <= found.p95_us
        assert found.decisions > 40
    found = audit(Peeper(), rules, 40)
    assert found.seen > 5
    assert not found.clean


@pytest.mark.parametrize("agent", [Fickle(), Hasty()], ids=lambda agent: agent.name)
def test_the_audit_tells_chance_from_peeping(agent):
    found = audit(agent, TWO, 80)
    assert found.shaky > 10
    assert found.seen == 0
    assert not found.clean

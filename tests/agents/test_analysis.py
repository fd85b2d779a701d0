"""Analysis: numbers that can be checked by hand, and promises that hold on real deals."""

from __future__ import annotations

import numpy as np
import pytest

from agents.analysis import burials, effects, hands, precision, rates
from agents.analysis.bids import opening_features, watch_bids
from agents.analysis.logit import fit, worths
from agents.analysis.parameters import agent_spec, deals
from agents.analysis.playing import deal, finish, games_of, levels_of, points_of
from agents.analysis.redeal import bid_gains, show
from agents.analysis.shown import watch_shown
from agents.analysis.tables import Table
from agents.analysis.values import real_values
from agents.registry import make_agent
from tuolaji_env.core.record import BID, copied
from tuolaji_env.games import cards_in, is_over
from tuolaji_env.notation import parse_cards
from tuolaji_env.observe import Layout
from tuolaji_env.rules import load_rules
from tuolaji_env.setup import planes_of

GREEDY = make_agent("greedy", load_rules("two_deck"))


@pytest.fixture(scope="module")
def moments():
    others = {"random": make_agent("random", load_rules("two_deck"), 3)}
    return watch_bids("two_deck", GREEDY, 40, 1, others)


def hand_of(text):
    return hands.copies(planes_of(parse_cards(text))[None])


def combo(level, suit):
    return np.array([parse_cards(f"♦{level}")[0] * 5 + "♦♣♥♠".index(suit)])


def test_numbers_about_a_hand():
    suits = hands.effective_suits(deal("two_deck", 1, 0).table)
    hand = hand_of("♦55K♣5♥A10♥33♠779☆★★")
    hearts = combo("5", "♥")
    assert hands.trumps(hand, suits, hearts) == [10]  # three 5s, four hearts, three jokers
    assert hands.trump_pairs(hand, suits, hearts) == [3]  # ♦55, ♥33, ★★
    assert hands.jokers(hand) == [3]
    assert hands.level_cards(hand, np.array([3])) == [3]
    assert hands.level_cards(hand, np.array([13])) == [0]  # NT: no level rank
    assert hands.points(hand) == [35]  # K, 10, three 5s
    assert hands.side_lengths(hand, suits, hearts).tolist() == [[1, 0, 0, 3]]


def test_four_copies_are_two_pairs():
    suits = hands.effective_suits(deal("nanning", 1, 0).table)
    assert hands.trump_pairs(hand_of("♥AAAA♥KKK"), suits, combo("5", "♥")) == [3]


# --- rates ----------------------------------------------------------------------------------------


def test_a_standard_error_over_deals_is_that_of_their_means():
    deals_of = np.repeat(np.arange(50), 4)
    values = np.repeat(np.random.default_rng(0).normal(size=50), 4)  # four times the same
    found = rates.clustered(values, deals_of)
    assert found.mean == pytest.approx(values.mean())
    assert found.se == pytest.approx(values[::4].std(ddof=1) / np.sqrt(50))
    alone = rates.clustered(values, np.arange(200))
    assert alone.se < 0.6 * found.se


def test_shares_have_wilsons_interval_over_deals():
    flags = np.array([True] * 6 + [False] * 14)
    group = np.array([1] * 10 + [2] * 10)
    found = rates.shares(flags, group, np.arange(20))
    assert found.at.tolist() == [1, 2]
    assert found.value.tolist() == [0.6, 0.0]
    assert found.low[1] == 0
    assert 0.2 < found.high[1] < 0.35
    assert (found.bars >= 0).all()
    wider = rates.shares(flags, group, np.arange(20) // 2)
    assert wider.low[0] < found.low[0]
    assert rates.shares(flags, group, np.arange(20) // 3).at.tolist() == []  # too few deals


def test_a_line_of_least_squares_and_its_groups():
    rng = np.random.default_rng(2)
    x = rng.normal(size=4000)
    y = 0.5 + 2 * x + rng.normal(size=4000)
    start, slope = rates.fitted(x, y, np.arange(4000))
    assert start == pytest.approx(0.5, abs=0.1)
    assert slope.mean == pytest.approx(2, abs=4 * slope.se)
    assert slope.se == pytest.approx(1 / np.sqrt(4000), rel=0.1)
    groups = rates.quantile_groups(x, 8)
    _, counts = np.unique(groups, return_counts=True)
    assert counts.tolist() == [500] * 8
    assert groups.mean() == pytest.approx(x.mean())


def test_a_logistic_regression_finds_what_a_joker_is_worth():
    rng = np.random.default_rng(3)
    trumps = rng.integers(0, 10, 6000).astype(float)
    jokers = rng.integers(0, 3, 6000).astype(float)
    chance = 1 / (1 + np.exp(-(1.0 * trumps + 0.5 * jokers - 5)))
    bids = rng.random(6000) < chance
    weights = fit(np.stack([trumps, jokers], axis=1), bids, np.ones(6000), ridge=0)
    assert weights == pytest.approx([1.0, 0.5, -5], abs=0.35)
    found = worths({"trump": trumps, "joker": jokers}, bids, np.arange(6000) // 2, samples=40)
    assert found.value[0] == 1
    assert found.low[1] < 0.5 < found.high[1]
    assert found.low[1] > 0


# --- playing --------------------------------------------------------------------------------------


def test_levels_and_points_are_zero_sum_over_the_seats():
    for preset in ("two_deck", "find_friends_5"):
        games = deal(preset, 20, 4)
        finish(games, make_agent("greedy", games.rules))
        assert is_over(games.records).all()
        everybody, players = games.everybody, games.players
        levels = np.stack(
            [
                levels_of(games.records, players, everybody * 0 + p, everybody)
                for p in range(players)
            ]
        )
        side = games.records["side"][:, :players].T
        rise = games.records["rise"][:, :players].max(axis=1)
        won = games.records["winners"] >> np.arange(players)[:, None] & 1
        assert (np.abs(levels) == rise).all()
        assert ((levels > 0) == (won == 1))[:, rise > 0].all()
        points = points_of(games.records, players, games.records["declarer"], everybody)
        assert (points == -games.records["score"]).all()
        assert side.min() == 0


# --- bids -----------------------------------------------------------------------------------------


def test_moments_are_those_at_which_a_suit_may_be_bid(moments):
    s = moments.records
    assert (s["phase"] == BID).all()
    assert (s["picked"] == 0).all()
    assert (s["mask"] >> moments.kind & 1 == 1).all()
    assert (np.diff(moments.deal) >= 0).all()
    for i in range(0, len(moments), 7):
        hand = cards_in(s["hand"][i][moments.seat[i]])
        rank, suit = moments.kind[i] % 13, moments.kind[i] // 13
        trumps = [k for k in hand if k >= 52 or k % 13 == rank or k // 13 == suit]
        assert moments.trumps[i] == len(trumps)
        assert moments.jokers[i] == sum(k >= 52 for k in hand)
        assert moments.drawn[i] == len(hand) / 25
        fair = len(hand) * (2 + 4 + 12) * 2 / 108
        assert moments.surplus[i] == pytest.approx(len(trumps) - fair)


def test_who_is_asked_beside_the_player_changes_nothing(moments):
    alone = watch_bids("two_deck", GREEDY, 40, 1)
    assert (alone.records == moments.records).all()
    assert list(moments.bids) == ["greedy", "random"]
    assert (alone.bids["greedy"] == moments.bids["greedy"]).all()
    assert (alone.levels == moments.levels).all()


def test_every_bid_in_a_suit_is_a_moment():
    watched = watch_bids("one_deck", GREEDY, 40, 2)  # no bids of jokers alone
    games = deal("one_deck", 40, 2)
    finish(games, GREEDY)
    kept = games.records["redeals"] == 0
    bids = np.bincount(watched.deal[watched.bids["greedy"]], minlength=40)
    assert (bids[kept] == games.records["bid_count"][kept]).all()
    assert bids.sum() > 30


def test_what_is_shown_adds_up_to_the_bids_of_the_deals():
    found = watch_shown("two_deck", GREEDY, 60, 2)
    games = deal("two_deck", 60, 2)
    finish(games, GREEDY)
    kept = games.records["redeals"] == 0
    bids = np.bincount(found.deal, minlength=60)
    assert (bids[kept] == games.records["bid_count"][kept]).all()
    last = np.flatnonzero(np.diff(np.append(found.deal, -1)))  # the bid that stood at the end
    for i in last:
        record = games.records[found.deal[i]]
        if record["redeals"] == 0:
            assert found.copies[i] == record["bid_copies"]
            assert (found.small[i], found.big[i]) == (record["bid_small"], record["bid_big"])
    assert set(found.stands[np.append(True, np.diff(found.deal) > 0)]) == {0}
    assert set(found.names) >= {"1 level card"}
    assert not found.longest[found.copies == 0].any()
    assert 0.3 < found.longest[found.copies > 0].mean() <= 1


def test_in_matches_sides_come_to_stand_apart():
    watched = watch_bids("two_deck", GREEDY, 12, 3, episode="match", rounds=4)
    assert watched.deals == 48
    assert watched.deal.max() < 48
    assert (watched.ahead[watched.deal < 12] == 0).all()
    assert np.abs(watched.ahead[watched.deal >= 24]).max() > 0
    assert set(watched.role[watched.deal < 12]) == {0}
    assert 0 not in watched.role[watched.deal >= 12]


def test_friends_bid_too():
    watched = watch_bids("find_friends_6", make_agent("greedy", load_rules("find_friends_6")), 5, 1)
    assert 1 not in watched.stands  # nobody knows a partner
    assert set(opening_features(watched)) >= {"a trump", "a joker"}


# --- re-deals -------------------------------------------------------------------------------------


def test_the_bid_that_is_tried_is_the_cheapest_in_its_suit(moments):
    opening = moments.where(moments.stands == 0)
    games = games_of(deal("two_deck", 1, 0), copied(opening.records))
    show(games, opening.kind)
    s = games.records
    assert (s["bid_seat"] == opening.seat).all()
    assert (s["bid_copies"] == 1).all()
    assert (s["bid_trump"] == opening.kind // 13).all()


def test_jokers_are_shown_where_they_must_be():
    rules = load_rules("joker_backed")
    watched = watch_bids(rules, make_agent("greedy", rules), 30, 2)
    opening = watched.where(watched.stands == 0)
    games = games_of(deal(rules, 1, 0), copied(opening.records))
    show(games, opening.kind)
    s = games.records
    assert (s["bid_seat"] == opening.seat).all()
    alone = s["bid_copies"] == 1
    assert (s["bid_small"] + s["bid_big"])[alone].tolist() == [1] * alone.sum()


def test_gains_are_fixed_by_the_seed_and_keep_the_hand(moments):
    few = moments.where(np.arange(0, len(moments), 25))
    before = few.records.copy()
    gains = bid_gains(few, GREEDY, 3, 5)
    assert gains.shape == (len(few), 3)
    assert (gains == bid_gains(few, GREEDY, 3, 5)).all()
    assert gains.any()
    assert (few.records == before).all()


def test_values_are_those_of_real_actions():
    from agents.networks import QNetwork
    from agents.neural import NeuralAgent

    rules = load_rules("two_deck")
    layout = Layout(rules, "rules", canonical=True)
    agent = NeuralAgent(QNetwork(layout.size, (16,), layout.scale), layout)
    games = deal(rules, 30, 5)
    finish(games, GREEDY, until=lambda s: s["tricks"] >= 2)
    values = real_values(agent, games, games.everybody)
    best = np.nanargmax(values, axis=1)
    assert (best == agent.act(games, games.everybody)).all()
    assert (np.isnan(values) == (games.masks() == 0)).all()
    assert np.isnan(real_values(GREEDY, games, games.everybody)).all()


# --- burials --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def buried():
    games = burials.hands_to_bury("two_deck", GREEDY, 30, 6)
    players = {"greedy": GREEDY, "again": GREEDY, "random": make_agent("random", games.rules, 1)}
    return games, burials.duel(games, players, GREEDY)


def test_what_is_buried_was_held(buried):
    games, results = buried
    for found, _, _ in results.values():
        assert (found.buried >= 0).all()
        assert (found.buried <= found.held).all()
        assert (found.buried.sum(axis=1) == 8).all()
        assert (found.held.sum(axis=1) == 33).all()
    assert (games.records["phase"] == 1).all()  # still to bury: the given games stay
    share = results["random"][0].share_by_rank()
    assert 0.15 < share.mean() < 0.35


def test_equal_burials_are_worth_the_same_and_random_ones_less(buried):
    _, results = buried
    against = burials.against(results, "greedy")
    assert against["again"][0].mean == against["again"][1].mean == 0
    assert against["random"][1].mean < 0


def test_without_a_kitty_there_is_nothing_to_bury():
    with pytest.raises(ValueError, match="nanning have no kitty"):
        burials.hands_to_bury("nanning", make_agent("greedy", load_rules("nanning")), 3, 1)


# --- rules, precision, parameters -----------------------------------------------------------------


def test_a_higher_base_is_reached_less_often_and_alters_nothing_else():
    easy = effects.measure("two_deck", GREEDY, 60, 1)
    hard = effects.measure(effects.change("two_deck", base=120), GREEDY, 60, 1)
    assert (easy["score"] == hard["score"]).all()
    assert hard["others win"].sum() < easy["others win"].sum()
    assert set(easy) == set(effects.MEASURES)
    assert (easy["others win"] == (easy["score"] >= 80)).all()


def test_effects_as_a_table():
    found = effects.compare(
        {"a": "two_deck", "b": effects.change("two_deck", throws="off")}, "greedy", 20, 1
    )
    assert found["b"]["choices"].mean < found["a"]["choices"].mean
    assert str(effects.table(found)).startswith("| rules | score |")


@pytest.mark.parametrize(
    ("preset", "points"), [("two_deck", 80), ("next_level_trump", 80), ("nanning", 160)]
)
def test_where_the_others_take_over(preset, points):
    assert load_rules(preset).takeover == points


def test_what_duplicate_deals_save_is_a_ratio_of_variances():
    results = precision.rows()
    found = {each[:3]: each for each in precision.savings(results)}
    pairing = next(p for p in results.plan.pairings() if p.key in found)
    units = results.units(pairing)
    levels = units.levels.reshape(units.count, -1)
    single = np.mean([levels[:, way].var(ddof=1) for way in range(levels.shape[1])])
    paired = levels.mean(axis=1).var(ddof=1) * levels.shape[1]
    assert found[pairing.key].factor == pytest.approx(single / paired)
    assert all(each.deals >= 100 for each in found.values())


def test_numbers_of_deals_are_asked_for_by_a_factor(monkeypatch):
    monkeypatch.delenv("TUOLAJI_DEALS", raising=False)
    assert deals(300) == 300
    monkeypatch.setenv("TUOLAJI_DEALS", "0.1")
    assert deals(300) == 30
    assert deals(100) == 20
    monkeypatch.setenv("TUOLAJI_DEALS", "many")
    with pytest.raises(ValueError, match="TUOLAJI_DEALS: 'many' given; allowed: a number above 0"):
        deals(300)


def test_the_agent_is_the_one_asked_for_or_one_that_plays(monkeypatch):
    monkeypatch.setenv("TUOLAJI_AGENT", "greedy")
    assert agent_spec() == "greedy"
    monkeypatch.delenv("TUOLAJI_AGENT")
    assert make_agent(agent_spec(), load_rules("two_deck")).name

    def none(rules):
        raise ValueError("none is published")

    monkeypatch.setattr("agents.analysis.parameters.best", none)
    assert agent_spec() == "heuristic"
    monkeypatch.setattr("agents.analysis.parameters.best", lambda rules: "model.zip")
    assert agent_spec() == "best"


def test_a_table_is_markdown():
    assert str(Table([["a", "b"], [1, 2]])) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


# --- pictures -------------------------------------------------------------------------------------


def test_pictures_are_drawn_and_say_what_they_show(moments, buried, tmp_path):
    from agents.analysis import plot_bids, plot_burials, plot_effects, plot_gains, plot_ladder

    games, results = buried
    gains = np.zeros((len(moments), 2))
    nanning = make_agent("greedy", load_rules("nanning"))
    scores = effects.measure("nanning", nanning, 10, 1)["score"]
    weighed = worths(opening_features(moments), moments.bids["greedy"], moments.deal, samples=5)
    found = effects.compare({"two_deck": "two_deck"}, "greedy", 10, 1)
    pictures = [
        plot_bids.timing({"greedy": moments}),
        plot_bids.shown({"greedy": watch_shown("two_deck", GREEDY, 30, 1)}),
        plot_bids.by_trumps(moments),
        plot_bids.by_features(moments),
        plot_bids.by_standing(moments),
        plot_bids.heat(moments, list(moments.bids)),
        plot_bids.weights({"greedy": weighed}),
        plot_gains.gains_by_surplus(moments, gains),
        plot_gains.calibration(moments, moments, gains),
        plot_burials.what({name: each[0] for name, each in results.items()}),
        plot_burials.worth(burials.against(results, "greedy"), "greedy", "greedy"),
        plot_effects.measures(found, "Rules"),
        plot_effects.scores(scores, load_rules("nanning")),
        plot_ladder.rungs(),
        plot_ladder.saved(precision.savings(precision.rows())),
    ]  # fmt: skip
    for picture in pictures:
        assert picture.png(dpi=30).startswith(b"\x89PNG")
        assert picture.title
    data, told = pictures[0]._repr_png_()
    assert data.startswith(b"\x89PNG")
    assert told == {"alt": "How soon somebody has bid; Readiness to open, 95 % intervals"}
    pictures[0].save(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000
    assert "bids" in str(plot_gains.verdicts(moments, gains, "greedy", "random"))
    assert "`random`" in str(plot_gains.costs(moments, gains))
    assert len(burials.example(games, 0, {"greedy": results["greedy"][0]})) == 3

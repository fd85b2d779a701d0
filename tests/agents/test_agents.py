"""What every agent keeps to: legal, repeatable, and blind to what is hidden."""

import numpy as np
import pytest

from agents.base import Agent
from agents.networks import CardNetwork, QNetwork
from agents.neural import NeuralAgent
from agents.neural_search import NeuralSearchAgent
from agents.registry import make_agent
from agents.search import SearchAgent
from tuolaji_env.casefile import planes_of
from tuolaji_env.core.record import BID, OVER
from tuolaji_env.games import GameBatch, cards_in, game_seeds
from tuolaji_env.observe import Layout
from tuolaji_env.policies import POLICIES, play_out, policy_id
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import load_rules, preset_names
from tuolaji_env.testing import WORKING_FIELDS

GAMES = 48


def neural(rules, canonical=False):
    import torch

    torch.manual_seed(0)
    layout = Layout(rules, canonical=canonical)
    return NeuralAgent(QNetwork(layout.size, (32,), layout.scale), layout)


def counting(rules):
    """A network that judges each card by what is counted, and is shown advice."""
    import torch

    torch.manual_seed(0)
    layout = Layout(rules, canonical=True, advice="heuristic")
    return NeuralAgent(CardNetwork.for_layout(layout, (16,), 4), layout)


MAKERS = {
    "random": lambda rules: PolicyPlayer("random", 3),
    "greedy": lambda rules: PolicyPlayer("greedy", 3),
    "heuristic": lambda rules: PolicyPlayer("heuristic", 3),
    "search": lambda rules: SearchAgent("worlds=4,confirm=6,bound=0"),
    "neural search": lambda rules: NeuralSearchAgent(
        neural(rules, True), "worlds=4,confirm=6,bound=0"
    ),
    "neural": neural,
    "neural counting": counting,
    "neural canonical": lambda rules: neural(rules, True),
}


def positions(rules, seed):
    """Games at all stages of a deal: each one played on for a number of steps of its own."""
    games = GameBatch(rules, GAMES)
    games.begin(game_seeds(seed, GAMES))
    player = PolicyPlayer("greedy")
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 170, GAMES)
    while True:
        rows = np.flatnonzero((left > 0) & (games.records["phase"] != OVER))
        if len(rows) == 0:
            break
        actions = player.act(games, rows)
        chance = rng.random(len(rows)) < 0.2
        actions[chance] = PolicyPlayer("random", seed).act(games, rows)[chance]
        games.step(actions, rows)
        left[rows] -= 1
    return games, np.flatnonzero(games.records["phase"] != OVER)


def hide_anew(games, row, rng):
    """Change what the mover of a game cannot know: others' cards, the kitty, the deck to come."""
    rules, table, s = games.rules, games.table[0], games.records[row]
    mover, players = int(s["seat"]), rules.players
    holders = [s["hand"][p] for p in range(players) if p != mover]
    seats = [p for p in range(players) if p != mover]
    if s["burier"] != mover and s["burier"] >= 0:
        holders.append(s["kitty"])
        seats.append(-1)
    cards = [cards_in(planes) for planes in holders]
    known = [cards_in(s["exposed"][p]) + cards_in(s["shown"][p]) if p >= 0 else [] for p in seats]
    suit_of = table["suit_of"][s["combo"]]
    swaps = 0
    for _ in range(100):
        p, q = rng.permutation(len(cards))[:2]
        if not cards[p] or not cards[q]:
            continue
        i, j = rng.integers(len(cards[p])), rng.integers(len(cards[q]))
        x, y = cards[p][i], cards[q][j]
        if x in known[p] or y in known[q]:
            continue
        if any(
            seats[h] >= 0 and s["void"][seats[h]] >> suit_of[k] & 1 for h, k in ((p, y), (q, x))
        ):
            continue
        cards[p][i], cards[q][j] = y, x
        swaps += x != y
    for planes, held in zip(holders, cards, strict=True):
        planes[:] = planes_of(held)
    s["deck"] = rng.permutation(s["deck"])
    for name in WORKING_FIELDS:
        s[name] = rng.integers(0, 50, s[name].shape)
    for p in seats:
        if p >= 0:
            s["bid_best"][p] = rng.integers(0, 9)
    if rules.hidden_bids and s["phase"] == BID and s["bid_seat"] not in (-1, mover):
        s["bid_trump"] = rng.integers(4)
        s["bid_kind"] = 13 * s["bid_trump"] + s["level_rank"]
        shown = s["shown"][s["bid_seat"]]
        shown[:] = planes_of([int(s["bid_kind"])] * len(cards_in(shown)))
    return swaps


def twins_apart(agent, rules):
    """In how many games an agent acts otherwise when only hidden things have changed."""
    apart = 0
    for seed in range(2):
        games, rows = positions(rules, seed)
        before = agent.act(games, rows)
        rng = np.random.default_rng(seed)
        swaps = sum(hide_anew(games, row, rng) for row in rows)
        assert swaps > 10 * len(rows)
        apart += int((agent.act(games, rows) != before).sum())
    return apart


@pytest.mark.parametrize("preset", ["two_deck", "find_friends_5", "nanning"])
@pytest.mark.parametrize("maker", MAKERS)
def test_hidden_twins_are_played_alike(maker, preset):
    rules = load_rules(preset)
    agent = MAKERS[maker](rules)
    assert twins_apart(agent, rules) == 0


def test_the_twins_catch_a_player_that_looks_at_the_next_hand():
    class Peeper:
        def act(self, games, rows):
            s = games.records[rows]
            following = (s["seat"] + 1) % games.players
            return s["hand"][np.arange(len(rows)), following, 0] % 63

    assert twins_apart(Peeper(), load_rules("two_deck")) > GAMES


@pytest.mark.parametrize("maker", MAKERS)
def test_agents_are_legal_repeatable_and_leave_games_alone(maker):
    rules = load_rules("two_deck")
    agent = MAKERS[maker](rules)
    assert isinstance(agent, Agent)
    games, rows = positions(rules, 11)
    meant = [name for name in games.records.dtype.names if name not in WORKING_FIELDS]
    before = games.records.copy()
    agent.reset(5)
    actions = agent.act(games, rows)
    assert all(games.records["mask"][rows] >> actions & 1)
    for name in meant:
        assert np.array_equal(games.records[name], before[name]), name
    agent.reset(5)
    assert agent.act(games, rows[::-1].copy()).tolist() == actions[::-1].tolist()
    one_by_one = [int(agent.act(games, rows[i : i + 1])[0]) for i in range(len(rows))]
    assert one_by_one == actions.tolist()


def test_random_follows_its_seed_and_covers_the_mask():
    games = GameBatch("two_deck", 400)
    games.begin(7)  # the same game everywhere
    games.records["steps"] = np.arange(400)
    rows = games.everybody
    one, other = (
        PolicyPlayer("random", 1).act(games, rows),
        PolicyPlayer("random", 2).act(games, rows),
    )
    assert not np.array_equal(one, other)
    mask = int(games.records["mask"][0])
    options = [a for a in range(63) if mask >> a & 1]
    assert sorted(set(one.tolist())) == options
    counts = np.array([(one == a).sum() for a in options])
    expected = 400 / len(options)
    assert ((counts - expected) ** 2 / expected).sum() < 20


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_policies_play_every_rule_set_to_its_end(preset):
    rules = load_rules(preset)
    games = GameBatch(rules, 60)
    games.begin(game_seeds(1, 60))
    policies = np.arange(60 * rules.players).reshape(60, -1) % len(POLICIES)
    made = play_out(games.table, games.records, games.everybody, policies, policies + 5)
    assert (games.records["phase"] == OVER).all()
    assert made == games.records["steps"].sum()


def test_where_revoking_is_possible_policies_do_not():
    rules = load_rules("two_deck").replace(revoke="forfeit")
    games = GameBatch(rules, 40)
    games.begin(game_seeds(1, 40))
    policies = np.arange(160).reshape(40, 4) % len(POLICIES)
    play_out(games.table, games.records, games.everybody, policies, policies)
    assert (games.records["ended"] != 2).all()


def test_unknown_agents_are_refused_with_what_is_allowed(tmp_path):
    rules = load_rules("two_deck")
    for spec in ("gready", "", "ckpt:", "Random"):
        with pytest.raises(ValueError, match=r"allowed: random, greedy, .*, ckpt:PATH"):
            make_agent(spec, rules)
    with pytest.raises(ValueError, match="cannot be read"):
        make_agent(f"ckpt:{tmp_path / 'none.ckpt'}", rules)
    with pytest.raises(ValueError, match="policy: 'best' is not known; allowed: random, greedy"):
        policy_id("best")
    assert [make_agent(name, rules).name for name in POLICIES] == list(POLICIES)

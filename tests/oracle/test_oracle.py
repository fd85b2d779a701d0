"""The reference against the examples of the rule text, brute force, and its own self-play."""

import random
from collections import Counter
from itertools import combinations
from types import SimpleNamespace

import pytest

from .bid import legal_bids
from .follow import holds, is_legal_follow, legal_follows, pattern
from .game import OracleGame
from .lead import deck, try_throw
from .order import RANKS, Order, kind, points
from .play import random_decision, random_deck
from .score import capture, last_trick, result, rise
from .shapes import decompose, of_suit, shape_of, units
from .trick import winner

DEFAULTS = {
    "decks": 2,
    "jokers": True,
    "players": 4,
    "teams": "fixed",
    "kitty": 8,
    "ladder": RANKS,
    "mandatory": (),
    "win_by": "passing",
    "cyclic": False,
    "max_deals": 200,
    "top_no_trump": False,
    "top_needs_trump_capture": False,
    "permanent_trumps": (),
    "links": "standard",
    "permanent_links": "order",
    "level3_with_2": False,
    "throws": "attempt",
    "failed_throw_plays": "widest",
    "throw_penalty_per_card": 0,
    "throw_penalty_points": 0,
    "follow": "longest",
    "follow_prefers": "tractor",
    "same_count": False,
    "protect_wider": False,
    "throw_compare": "main",
    "wider_beats": "off",
    "bid_poll": "draw",
    "reinforce": True,
    "reclaim": False,
    "bids": "standard",
    "single_by_suit": False,
    "first_declarer": "bidder",
    "no_bid": "redeal",
    "max_redeals": 3,
    "hidden_bids": False,
    "rebid_after_bury": False,
    "friends_called": 0,
    "capture": "pow2_pairs",
    "capture_factor": 2,
    "capture_bonus": 40,
    "all_pairs": False,
    "capture_needs_trump": False,
    "last_trick_multiplies": False,
    "clamp": None,
    "base": 80,
    "step": 40,
    "table": None,
    "below_zero_step": 0,
    "max_rise": None,
    "revoke": "impossible",
}
GUANGXI = {"decks": 4, "kitty": 0, "bids": "count", "links": "guangxi", "throws": "off"} | {
    "permanent_links": "natural",
    "permanent_trumps": ("2",),
    "follow": "cards",
    "wider_beats": "all",
    "last_trick_multiplies": True,
    "cyclic": True,
    "ladder": RANKS[1:],
}
FRIENDS = {"teams": "friends", "players": 5, "decks": 3, "kitty": 7, "friends_called": 1} | {
    "bids": "count",
    "failed_throw_plays": "lowest",
    "throw_penalty_per_card": 10,
    "capture": "unit_cards",
    "capture_needs_trump": True,
    "wider_beats": "tractor",
}
CHAODI = {"bids": "chaodi2", "rebid_after_bury": True, "throws": "certain", "no_bid": "flip"}
LEVEL_5, HEARTS, SPADES = 3, 2, 3


def rules(**over):
    return SimpleNamespace(**(DEFAULTS | over))


def cards(suit, *names):
    return [kind(suit, RANKS.index(name)) for name in names]


def shapes(order, led):
    return [shape_of(unit) for unit in decompose(order, led)]


def test_r4_2_tractors():
    order = Order(rules(), LEVEL_5, HEARTS)
    yes = ["3K3A", "2426", "2535", "2A15"]
    no = ["2425", "0314", "1505", "2A22"]
    for text in yes + no:
        a, b = (cards(int(s), r)[0] for s, r in (text[:2], text[2:]))
        assert (shapes(order, [a, a, b, b]) == [(2, 2)]) is (text in yes)


def test_r4_6_takes_most_cards_first():
    order = Order(rules(decks=3), LEVEL_5, HEARTS)
    assert shapes(order, cards(SPADES, *"AAAKKQ")) == [(2, 2), (1, 1), (1, 1)]


def test_r5_3_failed_throw():
    order = Order(rules(), LEVEL_5, HEARTS)
    thrown = cards(SPADES, *"99844")
    assert try_throw(rules(), order, thrown, [cards(SPADES, *"66")]).led == cards(SPADES, *"44")
    assert try_throw(rules(), order, thrown, [cards(SPADES, "10")]).led == cards(SPADES, *"8")


@pytest.mark.parametrize(
    ("over", "lead", "hand", "asked"),
    [
        ({}, "777888", "333449J", [(2, 2)]),
        ({"follow_prefers": "width"}, "777888", "333449J", [(3, 1), (2, 1)]),
        ({}, "777888999", "333444JJQA", [(3, 2), (2, 1)]),
        (GUANGXI, "KKKK", "555888", [(2, 1), (2, 1)]),
        (GUANGXI, "AAAA", "3388999J", [(2, 2)]),
        (GUANGXI, "4455", "AQJ9953", [(2, 1)]),
        (GUANGXI, "KKKK", "3344888", [(2, 2)]),
    ],
)
def test_r6_pattern(over, lead, hand, asked):
    order = Order(rules(**over), RANKS.index("10"), HEARTS)
    assert pattern(rules(**over), order, cards(SPADES, *lead), cards(SPADES, *hand)) == asked


def test_r6_5_protect_wider():
    shy = rules(protect_wider=True, decks=3)
    order = Order(shy, LEVEL_5, SPADES)
    lead, hand = cards(HEARTS, *"AAKK"), cards(HEARTS, *"77789", "10", "10")
    legal = legal_follows(shy, order, lead, hand)
    tens = cards(HEARTS, "10", "10")
    assert tuple(cards(HEARTS, *"77") + tens) in legal
    assert tuple(cards(HEARTS, *"7778")) not in legal


@pytest.mark.parametrize("seed", range(12))
def test_r6_2_all_follows_by_brute_force(seed):
    rng = random.Random(seed)
    over = rng.choice(
        [{}, {"follow": "exact"}, {"protect_wider": True}, {"follow_prefers": "width"}]
    )
    some = rules(**{"decks": 4} | rng.choice([over, GUANGXI]))
    order = Order(some, rng.randrange(13), rng.choice([0, None]))
    pool = list(range(5)) * 4 + [20, 30, 52, 52, 53]
    hand = sorted(rng.sample(pool, 11))
    suit = order.suit[rng.choice(hand)]
    counts = of_suit(order, deck(some).elements(), suit)
    unit = rng.choice([u for w in (1, 2, 3) for n in (1, 2) for u in units(order, counts, w, n)])
    lead = [card for card in unit.kinds for _ in range(unit.w)]
    every = {tuple(sorted(play)) for play in combinations(hand, len(lead))}
    lawful = {play for play in every if is_legal_follow(some, order, lead, hand, list(play))}
    assert legal_follows(some, order, lead, hand) == lawful != set()


def test_r6_2_pieces_are_disjoint():
    order = Order(rules(decks=4), LEVEL_5, HEARTS)
    quad = Counter(cards(SPADES, *"7777"))
    assert holds(order, quad, [(2, 1), (2, 1)])
    assert not holds(order, quad, [(3, 1), (2, 1)])
    assert not holds(order, quad, [(2, 2)])


def test_r7_3_wider_beats():
    wide, plain = rules(**GUANGXI), rules(decks=4)
    order = Order(wide, RANKS.index("10"), HEARTS)
    plays = [cards(SPADES, *"AAKK"), cards(SPADES, *"6666"), cards(HEARTS, *"QQJJ"), [0, 1, 2, 3]]
    assert winner(wide, order, plays) == 1
    assert winner(plain, order, plays) == 2


def test_r8_2_reclaim():
    held = cards(0, *"55") + cards(1, *"555")
    history = [(0, ((3,), 0)), (1, ((29, 29), 2))]
    back = (tuple(cards(0, *"55")), 0)
    assert back in legal_bids(rules(bids="count", reclaim=True), [LEVEL_5], history, 0, held)
    assert back not in legal_bids(rules(bids="count"), [LEVEL_5], history, 0, held)


def test_r10_scores():
    order = Order(rules(), LEVEL_5, HEARTS)
    assert capture(rules(), order, cards(SPADES, *"AAKK"), cards(SPADES, *"AAKK"), 10) == 80
    assert last_trick(rules(**GUANGXI), 4, 60, True) == 240
    steps = [result(rules(base=120), p) for p in (0, 39, 40, 79, 80, 119, 120, 160)]
    assert [levels for _, levels in steps] == [4, 3, 2, 2, 1, 1, 0, 1]


def test_r2_2_mandatory():
    some = rules(mandatory=("5",))
    assert rise(some, "3", 4, True, False) == ("5", 2, False)
    assert rise(some, "5", 2, False, False) == ("5", 0, False)
    assert rise(some, "5", 2, True, False) == ("7", 2, False)


@pytest.mark.parametrize(
    "over",
    [{}, GUANGXI, FRIENDS, CHAODI, GUANGXI | {"revoke": "forfeit"}],
    ids=["two_deck", "guangxi", "friends", "chaodi", "forfeit"],
)
def test_self_play_conserves_cards_and_points(over):
    rng = random.Random(7)
    some = rules(**over)
    parties = some.players if some.teams == "friends" else 2
    game = OracleGame(some, random_deck(some, rng), [some.ladder[0]] * parties)
    for _ in range(2):
        while game.to_move[0] != "over":
            game.apply(random_decision(game, rng))
            undealt = game.deck[game.drawn : len(game.deck) - some.kitty]
            held = sum(game.hands, game.played) + Counter(game.kitty) + Counter(undealt)
            assert held == deck(some)
        end = game.result
        if end.forfeit is None:
            taken = sum(points(play) for trick in game.tricks for play in trick.plays)
            assert taken + points(game.kitty) == 100 * some.decks
        assert not end.match_over
        game = game.next_deal(random_deck(some, rng))

"""`heuristic`: each tactic in a position where it shows, and its place above `greedy`."""

import numpy as np
import pytest

from agents.arena import play_match
from agents.registry import make_agent
from tuolaji_env.casefile import planes_of
from tuolaji_env.game import Game
from tuolaji_env.notation import parse_cards
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import load_rules
from tuolaji_env.vector import cards_in

PLAYER = PolicyPlayer("heuristic")
ROW = np.zeros(1, np.int64)
END = 54
CLUBS = 1


def cards(text):
    return sorted(parse_cards("".join(text.split())))


def position(text, voids=()):
    """A position in which every card that is nowhere else has been played.

    voids: (seat, suit) that have been shown.
    """
    game = Game.from_position(text)
    s = game.record
    gone = [k for k in range(54) for _ in range(2)]
    for planes in (*s["hand"], s["kitty"]):
        for k in cards_in(planes):
            gone.remove(k)
    s["gone"] = planes_of(gone)
    for seat, suit in voids:
        s["void"][seat] |= 1 << suit
    return game


def chosen(game):
    """The cards of the whole decision that the policy makes, ascending."""
    plays = len(game.history[-1])
    while len(game.history[-1]) == plays:
        game.do(int(PLAYER.act(game.batch, ROW)[0]))
    return sorted(action for action in game.history[-1][-1] if action < END)


FOLLOWS = [
    ("feed a partner whose trick is safe", "♠K♠4♦7", "♠9♣8♦7|♠A♣9♦8|♠6♣6♦6", "♠9,♠A,♠6", "♠K"),
    ("starve an opponent who wins", "♠K♠4♦7", "♠9♣8♦7|♠6♣9♦8|♠A♣6♦6", "♠9,♠6,♠A", "♠4"),
    ("the last seat wins as cheaply as it can", "♠Q♠A♦7", "♠10♣8♦7|♠6♣9♦8|♠J♣6♦6",
     "♠10,♠6,♠J", "♠Q"),
    ("the last seat ruffs with points", "♥10♥4♦7", "♠K♣8♦9|♠6♣9♦8|♠J♣6♦6", "♠K,♠6,♠J", "♥10"),
    ("a partner's winner is not ruffed but fed", "♥4♦K♦7", "♠9♣8♦9|♠A♣9♦8|♠6♣6♦6",
     "♠9,♠A,♠6", "♦K"),
    ("a pair is kept whole", "♠8♠8♠7♦7", "♠9♣8♦9♦9|♠6♣9♦8♦8|♠A♣6♦6♦6", "♠9,♠6,♠A", "♠7"),
    ("a partner's pair is fed", "♠10♠10♠7♠7", "♠33♦99|♠AA♦88|♠44♦66", "♠33,♠AA,♠44", "♠10♠10"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("hand", "others", "trick", "expected"), [f[1:] for f in FOLLOWS], ids=[f[0] for f in FOLLOWS]
)
def test_following(hand, others, trick, expected):
    text = f"level 5; trump ♥; declarer 0; leader 1; hands {hand}|{others}; trick {trick}"
    assert chosen(position(text)) == cards(expected)


LEADS = [
    ("a pair that stands first", "♠AA♦3♣4", "♠34♦78|♠67♦9♣9|♠89♦6♣6", "", (), "♠AA"),
    ("all that stands is thrown", "♠AAK♦3", "♠34♦78|♠67♦9♣9|♠89♦6♣6", "", (), "♠AAK"),
    ("a tractor before its pairs", "♠QQKK♦3", "♠34♦788|♠67♦99♣9|♠89♦66♣6", "", (), "♠QQKK"),
    ("the top trump is kept for the last trick", "♥A♠3", "♥K♠4|♠6♠7|♥Q♠8", "♦KK", (), "♠3"),
    ("the partner's void is fed", "♣K♠3♦4", "♣A♣3♠4|♥4♥6♠6|♣A♣4♠7", "", ((2, CLUBS),), "♣K"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("hand", "others", "kitty", "voids", "expected"),
    [lead[1:] for lead in LEADS],
    ids=[lead[0] for lead in LEADS],
)
def test_leading(hand, others, kitty, voids, expected):
    text = f"level 5; trump ♥; declarer 0; leader 0; hands {hand}|{others}; kitty {kitty}"
    assert chosen(position(text, voids)) == cards(expected)


def test_others_leave_trumps_to_the_declarers():
    hands = "♥K♠3♠8♣4|♥A♠4♠9♦7|♥9♠6♠7♦8|♥Q♠10♠J♦9"
    game = position(f"level 5; trump ♥; declarer 1; leader 0; hands {hands}")
    assert not set(chosen(game)) & set(cards("♥K"))


def dealt(hand, kitty, *, declarer=None):
    """A deal at level 5 in which seat 0 draws first and gets this hand, and finds this kitty."""
    left = [k for k in range(54) for _ in range(2)]
    mine = parse_cards("".join(hand.split()))
    bottom = cards(kitty)
    for k in (*mine, *bottom):
        left.remove(k)
    rest = iter(np.random.default_rng(0).permutation(left).tolist())
    deck = [mine[i // 4] if i % 4 == 0 else next(rest) for i in range(100)]
    return Game(
        "two_deck", 0, episode="deal", levels="5", declarer=declarer, first_drawer=0,
        deck=deck + bottom,
    )  # fmt: skip


STRONG = "♥5 ♥33 ♥66 ♥77 ♥88 ♥AA ♥K ♥Q ♥J ★★ ♠A ♠A ♠3 ♠4 ♣K ♣10 ♣3 ♣6 ♦7"
WEAK = "♠33 ♠44 ♠66 ♠77 ♣99 ♣88 ♣66 ♣JJ ♦33 ♦44 ♦66 ♦9 ♥3 ♥5"
KITTY = "♣3 ♣4 ♣7 ♦7 ♦8 ♦Q ♠9 ♠10"


def first_bid(hand):
    """What seat 0 shows the first time it is asked: kinds, empty for a pass."""
    game = dealt(hand, KITTY)
    while game.seat != 0:
        game.do(END)
    return chosen(game)


def test_long_trumps_are_bid_and_short_ones_are_not():
    assert first_bid(STRONG) == cards("♥5")
    assert first_bid(WEAK) == []


def test_a_partners_bid_is_respected():
    game = dealt(WEAK.replace("♥3", "♥5"), KITTY, declarer=0)
    seen = False
    while game.phase == "bid":
        s = game.record
        if game.seat == 2 and s["bid_seat"] < 0:
            plays = len(game.history[-1])
            shown = [k for k in game.legal_actions() if k < END][:1]
            for action in shown:
                game.do(action)
            if len(game.history[-1]) == plays:
                game.do(END)
            seen = True
        elif game.seat == 0 and s["bid_seat"] == 2:
            assert chosen(game) == []
        else:
            game.do(END)
    assert seen


def buried(hand):
    """What seat 0 holds before it buries, and what it buries, after bidding alone."""
    game = dealt(hand, KITTY)
    while game.phase == "bid":
        if game.seat == 0:
            chosen(game)
        else:
            game.do(END)
    assert (game.phase, game.seat) == ("bury", 0)
    return list(game.hand(0)), chosen(game)


def test_burying_voids_a_suit_and_keeps_trumps_and_winners():
    held, away = buried(STRONG)
    assert not set(away) & set(cards("♥5 ♥3 ♥6 ♥7 ♥8 ♥A ♥K ♥Q ♥J ★ ♠A"))
    for k in away:
        held.remove(k)
    assert len({k // 13 for k in held if k < 52}) < 4


def test_burying_leaves_no_points_where_the_last_trick_is_not_safe():
    _, away = buried(WEAK.replace("♣JJ", "♣K ♣10"))
    assert [k for k in away if k % 13 in (3, 8, 11)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "preset", ["two_deck", "one_deck", "guangzhou", "find_friends_5", "nanning", "six_player"]
)
def test_heuristic_beats_greedy(preset):
    rules = load_rules(preset)
    a, b = make_agent("heuristic", rules), make_agent("greedy", rules)
    result = play_match(a, b, rules, 1500, 77)
    assert result.levels_per_deal.interval95[0] > 0

"""`heuristic`: each tactic in a position where it shows, and its place above `greedy`."""

import numpy as np
import pytest

from agents.arena import play_match
from agents.registry import make_agent
from tuolaji_env.casefile import planes_of
from tuolaji_env.core.record import BURY, OVER
from tuolaji_env.game import Game
from tuolaji_env.games import NUM_ACTIONS, GameBatch, cards_in, game_seeds
from tuolaji_env.notation import parse_cards
from tuolaji_env.policies import POLICIES, play_out
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import load_rules

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


def chosen(game, player=PLAYER):
    """The cards of the whole decision that the policy makes, ascending."""
    plays = len(game.history[-1])
    while len(game.history[-1]) == plays:
        game.do(int(player.act(game.batch, ROW)[0]))
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


BEGUN = [
    ("a card of another suit", "♠AA♦37♣4|♠346♦88|♠677♣99|♠89J♦66", "♠AA", "♦3", "♦3"),
    ("a card of the same suit", "♠34AA♦3|♠36♦78♣7|♠677♦9♣9|♠89♦66♣6", "♠AA", "♠3", "♠3"),
    ("one of a pair", "♠AAKK♣8|♠346♦78|♠677♣99|♠89J♦66", "♠KKAA", "♠A", "♠AA"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("hands", "plan", "begun", "expected"), [b[1:] for b in BEGUN], ids=[b[0] for b in BEGUN]
)
def test_a_lead_begun_otherwise_than_planned_is_not_made_a_throw(hands, plan, begun, expected):
    text = f"level 5; trump ♥; declarer 0; leader 0; hands {hands}"
    assert chosen(position(text)) == cards(plan)
    game = position(text)
    game.do(*cards(begun))
    assert chosen(game) == cards(expected)


@pytest.mark.parametrize(("hands", "_plan", "begun", "_finished"), [b[1:] for b in BEGUN[:2]])
def test_greedy_ends_a_lead_begun_otherwise_than_planned(hands, _plan, begun, _finished):
    game = position(f"level 5; trump ♥; declarer 0; leader 0; hands {hands}")
    game.do(*cards(begun))
    assert chosen(game, PolicyPlayer("greedy")) == cards(begun)


def test_a_follow_begun_otherwise_than_planned_is_finished_cheaply():
    hands = "♠49KA♦7|♠88♦788|♠67♦966|♠JQ♦3♣78"
    text = f"level 5; trump ♥; declarer 0; leader 1; hands {hands}; trick ♠88,♠67,♠JQ"
    assert chosen(position(text)) == cards("♠49")
    game = position(text)
    game.do(*cards("♠9"))
    assert chosen(game) == cards("♠9A")  # no points for the opponents


def test_others_leave_trumps_to_the_declarers():
    hands = "♥K♠3♠8♣4|♥A♠4♠9♦7|♥9♠6♠7♦8|♥Q♠10♠J♦9"
    game = position(f"level 5; trump ♥; declarer 1; leader 0; hands {hands}")
    assert not set(chosen(game)) & set(cards("♥K"))


def test_a_top_pair_of_trumps_is_kept_for_the_last_trick_which_it_multiplies():
    hands = "♥AA♠3♠4|♥J♥Q♠Q♦7|♥9♠6♠7♦8|♥10♠10♠J♦9"
    game = Game.from_position(f"level 5; trump ♥; declarer 1; leader 0; hands {hands}", "nanning")
    assert not set(chosen(game)) & set(cards("♥A"))


def dealt(hand, kitty, preset="two_deck", *, declarer=None):
    """A deal at level 5 in which seat 0 draws first and gets this hand, and finds this kitty."""
    left = [k for k in range(54) for _ in range(2)]
    mine = [k for word in hand.split() for k in parse_cards(word)]
    bottom = cards(kitty)
    for k in (*mine, *bottom):
        left.remove(k)
    rest = iter(np.random.default_rng(0).permutation(left).tolist())
    deck = [mine[i // 4] if i % 4 == 0 else next(rest) for i in range(100)]
    return Game(
        preset, 0, episode="deal", levels="5", declarer=declarer, first_drawer=0, deck=deck + bottom
    )


STRONG = "♥5 ♥33 ♥66 ♥77 ♥88 ♥AA ♥K ♥Q ♥J ★★ ♠A ♠A ♠3 ♠4 ♣K ♣10 ♣3 ♣6 ♦7"
WEAK = "♠33 ♠44 ♠66 ♠77 ♣99 ♣88 ♣66 ♣JJ ♦33 ♦44 ♦66 ♦9 ♥3 ♥5"
STRONG_PAIR = STRONG.replace("♥5 ", "♥55 ").replace(" ♦7", "")
WEAK_PAIR = WEAK.replace("♥3 ♥5", "♥55")
FAIR_PAIR = "♠3 ♠4 ♠6 ♠7 ♠8 ♣9 ♣8 ♣6 ♣J ♣Q ♦3 ♦4 ♦6 ♦9 ♦J ♥3 ♥6 ♥7 ♥8 ♥9 ♥K ♥Q ♥J ♥55"
MIDDLING = "♠3 ♠4 ♠6 ♠7 ♠8 ♣9 ♣8 ♣6 ♣J ♣Q ♣10 ♦3 ♦4 ♦6 ♦9 ♦J ♦K ♦10 ♥3 ♥4 ♥6 ♥7 ♥8 ♥9 ♥5"
KITTY = "♣3 ♣4 ♣7 ♦7 ♦8 ♦Q ♠9 ♠10"


def first_bid(hand, **options):
    """What seat 0 shows the first time it is asked: kinds, empty for a pass."""
    game = dealt(hand, KITTY, **options)
    while game.seat != 0:
        game.do(END)
    return chosen(game)


def test_long_trumps_are_bid_and_short_ones_are_not():
    assert first_bid(STRONG) == cards("♥5")
    assert first_bid(WEAK) == []


def answer(hand, bidder, preset="two_deck", *, rebid=False, **options):
    """Who stands, with how many copies, once `bidder` has shown a single and seat 0 has answered.

    rebid: seat 0 waits until the kitty is buried.
    """
    game = dealt(hand, KITTY, preset, **options)
    s = game.record
    while s["phase"] <= BURY and not (s["rebidding"] and s["bid_seat"] == 0):
        if game.phase == "bury":
            if s["bid_seat"] != bidder or s["rebidding"] or not rebid:
                break
            game.do(game.legal_actions()[0])
        elif game.seat == bidder and s["bid_seat"] < 0:
            game.do(game.legal_actions()[0])
            game.do(END)
        elif game.seat == 0 and s["bid_seat"] == bidder and s["rebidding"] == rebid:
            chosen(game)
        else:
            game.do(END)
    return int(s["bid_seat"]), int(s["bid_copies"])


def test_an_opponent_is_over_bid_with_a_strong_hand_only():
    assert answer(STRONG_PAIR, 3) == (0, 2)
    assert answer(WEAK_PAIR, 3) == (3, 1)


def test_a_partners_bid_is_respected():
    assert answer(FAIR_PAIR, 3) == (0, 2)
    assert answer(FAIR_PAIR, 2) == (2, 1)


def test_rebidding_after_the_burial_takes_a_strong_hand():
    assert answer(STRONG_PAIR, 3, "chaodipi_2", rebid=True, declarer=3) == (0, 2)
    assert answer(WEAK_PAIR, 3, "chaodipi_2", rebid=True, declarer=3) == (3, 1)


def test_a_strong_bid_is_reinforced():
    game = dealt(STRONG_PAIR, KITTY)
    while game.phase == "bid":
        if game.seat == 0:
            chosen(game)
        else:
            game.do(END)
    assert (game.record["bid_seat"], game.record["bid_copies"]) == (0, 2)


def test_a_bid_that_declares_takes_less_than_one_that_makes_trumps():
    assert first_bid(MIDDLING) == cards("♥5")
    assert first_bid(MIDDLING, declarer=1) == []


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


FRIENDS = "level 5; trump ♥; declarer 0; leader 0; hands "
CLUB_ACE, SPADE_ACE, FIRST, SECOND = 25, 51, 55, 56


def test_friends_are_called_by_top_cards_that_the_caller_lacks():
    mine = "♠K♠3♣A♣A♣A♣4♦7♦9♥3♥4"
    rest = ["♠4♠6♠7♠8♠9♠J♠Q♣3♣6♣7", *["♦3♦4♦6♦8♦J♦Q♣8♣9♣J♣Q"] * 4]

    def calls(preset, hands):
        game = Game.from_position(FRIENDS + "|".join(hands), preset)
        made = []
        while game.phase == "call":
            made.append(int(PLAYER.act(game.batch, ROW)[0]))
            game.do(made[-1])
        return made

    assert calls("find_friends_6", [mine, *rest]) == [12, FIRST, SPADE_ACE, FIRST]
    own = [mine.replace("♦7", "♦A").replace("♠3", "♠A"), *rest[:4]]
    assert calls("find_friends_5", own)[1] == SECOND  # he plays the first himself


def test_a_declarer_with_friends_draws_trumps():
    hands = "♥A♥K♠J♣Q|♥34♠4♦7|♥9♠6♠7♦8|♥7♠10♠J♦9|♥8♠9♣3♣4"
    game = Game.from_position(FRIENDS + hands, "find_friends_5")
    for action in (CLUB_ACE, FIRST):
        game.do(action)
    assert chosen(game) == cards("♥A")


@pytest.mark.parametrize(("card", "expected"), [("♠A", "♣K"), ("♠6", "♣4")])
def test_a_hidden_friend_feeds_the_declarer_and_others_starve_him(card, expected):
    hands = f"♣A♦3♦4|♣6♦6♦7|♣7♦8♦9|♣8♦J♦Q|{card}♣K♣4"
    game = Game.from_position(FRIENDS + hands, "find_friends_5")
    for action in (SPADE_ACE, FIRST):
        game.do(action)
    for play in ("♣A", "♣6", "♣7", "♣8"):
        game.play(play)
    assert chosen(game) == cards(expected)


def test_a_kept_plan_is_the_plan_made_anew_at_each_card():
    for preset in ("two_deck", "find_friends_6", "nanning"):
        kept, anew = GameBatch(preset, 8), GameBatch(preset, 8)
        for games in (kept, anew):
            games.begin(game_seeds(9, 8))
        policies = np.full((8, kept.players), POLICIES["heuristic"])
        rng = np.random.default_rng(0)
        for _ in range(150):  # others have begun some of the plays
            masks = kept.masks()
            actions, odd = PLAYER.act(kept, kept.everybody), rng.random(8) < 0.2
            odd &= masks.any(1)
            actions[odd] = np.where(masks, rng.random((8, NUM_ACTIONS)), -1).argmax(1)[odd]
            rows = np.flatnonzero(masks.any(1))
            for games in (kept, anew):
                games.step(actions[rows], rows)
        play_out(kept.table, kept.records, kept.everybody, policies, policies)
        while len(rows := np.flatnonzero(anew.records["phase"] != OVER)):
            anew.step(PLAYER.act(anew, rows), rows)
        for name in ("log", "score", "rise", "steps"):
            assert np.array_equal(kept.records[name], anew.records[name])


@pytest.mark.slow
@pytest.mark.parametrize(
    "preset",
    ["two_deck", "one_deck", "guangzhou", "find_friends_5", "find_friends_6x4", "nanning"],
)
def test_heuristic_beats_greedy(preset):
    rules = load_rules(preset)
    a, b = make_agent("heuristic", rules), make_agent("greedy", rules)
    result = play_match(a, b, rules, 1500, 77)
    assert result.levels_per_deal.interval95[0] > 0

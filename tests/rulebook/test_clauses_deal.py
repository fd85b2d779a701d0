"""R1.3, R8, R9 and R10.5 by clause, in dealt games: drawing, bids, kitty, friends, revokes."""

from collections import Counter
from itertools import combinations

import pytest

from tests.kernels import Kernels, bits_of, compiled, step, walked
from tests.oracle.lead import deck as all_cards
from tests.rulebook.clauses import SUITS, cards, clauses, rules
from tuolaji_env.core import batch
from tuolaji_env.core.record import END, HIDDEN_VALUE, LOG_BID, TRUMP_OF, new_games
from tuolaji_env.game import Game
from tuolaji_env.notation import cards_text, parse_bid


def deal(table, hands, kitty="", first_drawer=0, level="2", **options):
    """A game whose seats draw these cards first, in this order.

    What else could be bid lies, as far as there is room, in the kitty, then in the last draws.
    """
    rank = cards(f"♦{level}")[0]
    *wanted, bottom = [
        [card for word in text.split() for card in cards(word)] for text in (*hands, kitty)
    ]
    wanted += [[]] * (table.players - len(wanted))
    left = all_cards(table) - Counter(card for hand in (*wanted, bottom) for card in hand)
    rest = sorted(left.elements(), key=lambda card: (card >= 52, card % 13 == rank, card))
    order = []
    for turn in range(table.players * table.hand_size):
        hand = wanted[(first_drawer + turn) % table.players]
        order.append((hand or rest).pop(0))
    deck = [*order, *bottom, *rest]
    return Game(table, 1, deck=deck, levels=level, first_drawer=first_drawer, **options)


def bidding(game, planned):
    """Bid as planned by seat as soon as it is legal, else pass, till the bidding is over."""
    planned = {seat: list(bids) for seat, bids in planned.items()}
    while game.phase == "bid":
        bids = planned.get(game.seat, [])
        game.play(bids.pop(0) if bids and game.can_play(bids[0]) else "-")
    return game


def bury(game):
    """The next to bury keeps what may be bid."""
    hand = [card for card in game.hand(game.seat) if card < 52 and card % 13]
    game.play(hand[: game.rules.kitty])


def legal_bids(table, level, history, bidder, hand):
    """The bids a seat may make, as a set of texts."""
    kernels = Kernels(table)
    made = []
    for seat, text in history:
        shown, trump = parse_bid(text)
        suit = trump if trump is not None else shown[0] // 13 if shown[0] < 52 else None
        made.append((seat, (shown, suit)))
    games = kernels.bid([cards(f"♦{level}")[0]], made, bidder, cards(hand))
    return {
        cards_text(path[:-1]) + (f"={SUITS[path[-1] - TRUMP_OF]}" if path[-1] > END else "")
        for path in walked(table, games)
    } - {""}


ONE_DECK, TWO_DECK, THREE = rules("one_deck"), rules(), rules("guangzhou")
COUNT_4 = rules("guigang")

# Drawing (R8.1)


def test_r8_1_who_draws_a_bid_is_asked_at_once():
    game = deal(ONE_DECK, ["", "♥2"])
    assert (game.phase, game.seat, game.record["drawn"]) == ("bid", 1, 2)
    game.play("-")
    assert (game.seat, game.record["drawn"]) == (1, 6)  # after each own draw, again


def test_r8_1_all_are_asked_again_after_the_last_draw():
    game = deal(ONE_DECK.replace(bid_poll="end"), ["", "♥2", "", "♠2"], first_drawer=2)
    asked = []
    while game.phase == "bid" and len(asked) < 2:
        asked.append((game.seat, int(game.record["drawn"])))
        game.play("-")
    assert asked == [(3, 48), (1, 48)]  # in turn from the first drawer, 2


def test_r8_1_a_round_goes_on_until_all_pass_in_a_row():
    game = deal(THREE.replace(bid_poll="end"), ["♥2 ♥2 ♥2", "♠2 ♠2", "♣2 ♣2"])
    asked = []
    for bid in ("-", "♠2", "♣22", "♥222"):
        asked.append(game.seat)
        game.play(bid)
    assert asked == [0, 1, 2, 0]
    assert (game.phase, game.seat) == ("bury", 0)  # nobody is left who could over-bid


def test_r8_1_only_a_seat_with_a_legal_bid_is_asked():
    game = deal(ONE_DECK, ["♥2", "♠2"])
    game.play("♥2")
    assert game.phase == "bury"


def test_r1_3_the_next_seat_is_the_next_number():
    game = bidding(deal(TWO_DECK, ["", "", "", "♥2"]), {3: ["♥2"]})
    bury(game)
    leads = [game.seat]
    for _ in range(3):
        game.play(game.legal_plays(limit=1)[0])
        leads.append(game.seat)
    assert leads == [3, 0, 1, 2]


# Which bids (R8.2, R8.3)


@clauses(
    ("table", "history", "bidder", "hand", "legal"),
    [
        ("R8.2-any-number-of-copies", THREE, [], 0, "♥222", "♥2 ♥22 ♥222"),
        ("R8.2-stronger", THREE, [(1, "♠22")], 0, "♥222♣2", "♥222"),
        ("R8.2-nobody-over-bids-himself", THREE, [(0, "♥2")], 0, "♥2♠222", ""),
        ("R8.2-reinforce", THREE, [(0, "♥2")], 0, "♥222♠22", "♥22 ♥222"),
        ("R8.2-reinforce-off", THREE.replace(reinforce=False), [(0, "♥2")], 0, "♥222", ""),
        ("R8.2-reclaim", THREE, [(0, "♥2"), (1, "♠22")], 0, "♥22♣22", "♥22"),
        ("R8.2-reclaim-his-kind", THREE, [(0, "♥2"), (1, "♠22")], 2, "♥22♣22", ""),
        ("R8.2-three-beat-a-pair-reclaimed", THREE,
         [(0, "♥2"), (1, "♠22"), (0, "♥22")], 1, "♠222", "♠222"),
        ("R8.2-no-pair-is-reclaimed", THREE, [(0, "♥22"), (1, "♠222")], 0, "♥222", ""),
        ("R8.2-reclaim-off", rules("guigang"), [(0, "♥2"), (1, "♠22")], 0, "♥22", ""),
        ("R8.3-count-no-jokers", THREE, [], 0, "☆☆☆★★", ""),
        ("R8.3-joker-backed", rules("joker_backed"), [], 0, "♥2♠2☆", "♠2☆"),
        ("R8.3-joker-backed", rules("joker_backed"), [], 0, "♥22♣2★", "♥2★ ♥22"),
        ("R8.3-joker-backed-any-may-open", rules("joker_backed"), [], 0, "☆☆", "☆☆"),
        ("R8.3-henan-any-joker", rules("henan"), [], 0, "♥22☆★", "♥2☆ ♥2★ ♥22☆ ♥22★"),
        ("R8.3-free-choice", rules("chaodipi_2"), [], 0, "☆★★",
         "★★ ☆★★ ☆★★=♦ ☆★★=♣ ☆★★=♥ ☆★★=♠"),
        ("R8.3-three-jokers-make-no-trump", rules("chaodipi_3"), [], 0, "☆☆★", "☆☆ ☆☆★"),
        ("dispute-level-pair-over-big-jokers", TWO_DECK, [(1, "★★")], 0, "♥22☆☆", ""),
    ],
)  # fmt: skip
def test_legal_bids(table, history, bidder, hand, legal):
    assert legal_bids(table, "2", history, bidder, hand) == set(legal.split())


LADDERS = [
    ("count", COUNT_4, "♥2,♠2 ♦22,♥22 ♣222 ♥2222"),
    ("standard", TWO_DECK, "♥2,♠2 ♦22,♥22 ☆☆ ★★"),
    ("standard", rules("six_player"), "♥2 ♦22 ♠222 ♣2222 ☆☆ ★★"),
    ("joker_backed", rules("joker_backed"), "♥2★,♠2☆ ♦22,♥22 ☆☆ ★★"),
    ("henan", rules("henan"), "♥2☆,♠2★ ♦22☆,♥22★ ☆☆ ★★"),
    ("chaodi2", rules("chaodipi_2"), "♦2,♠2 ♦22 ♣22 ♥22 ♠22 ☆☆ ★★ ☆☆★=♠,☆★★"),
    ("single-by-suit", rules("chaodipi_2", single_by_suit=True), "♦2 ♣2 ♥2 ♠2 ♦22"),
    ("chaodi3", rules("chaodipi_3"),
     "♦2,♠2 ♦22 ♣22 ♥22 ♠22 ☆☆ ★★ ♦222 ♣222 ♥222 ♠222 ☆☆☆,☆☆★ ☆★★,★★★ ☆☆☆★=♥,☆★★★"),
]  # fmt: skip


@clauses(("table", "ladder"), [(f"R8.3-{name}", *row) for name, *row in LADDERS])
def test_strength_of_bids(table, ladder):
    tiers = [tier.split(",") for tier in ladder.split()]
    everything = cards_text(all_cards(table).elements())
    over = {
        bid: legal_bids(table, "2", [(0, bid)], 1, everything) for tier in tiers for bid in tier
    }
    for low, high in combinations(tiers, 2):
        for a in low:
            for b in high:
                assert b in over[a]
                assert a not in over[b]
    for tier in tiers:
        assert not set(tier) & {bid for other in tier for bid in over[other]}


# Declarer, trump and kitty (R8.4 - R8.7)

OVERBID = {1: ["♥2"], 2: ["♠22"]}


@clauses(
    ("table", "declarer", "planned", "outcome"),
    [
        ("R8.4-bidder", TWO_DECK, None, OVERBID, (2, "♠", 2)),
        ("R8.4-first-bidder", TWO_DECK.replace(first_declarer="first_bidder"), None, OVERBID,
         (1, "♠", 1)),
        ("R8.4-given-bids-make-trump-only", TWO_DECK, 3, OVERBID, (3, "♠", 3)),
        ("R8.4-competition-given", rules("competition"), 0, OVERBID, (0, "♠", 0)),
        ("R8.4-reinforced", TWO_DECK, None, {2: ["♠2", "♠22"]}, (2, "♠", 2)),
        ("R8.3-henan-jokers-take-the-kitty", rules("henan"), None,
         {1: ["♥2☆"], 2: ["★★"]}, (1, "NT", 2)),
        ("R8.3-henan-declarer-if-no-level-card", rules("henan"), None, {2: ["★★"]}, (2, "NT", 2)),
        ("R8.3-no-trump", TWO_DECK, None, {2: ["★★"]}, (2, "NT", 2)),
    ],
)  # fmt: skip
def test_declarer_trump_and_burier(table, declarer, planned, outcome):
    game = deal(table, ["", "♥2 ☆", "♠2 ♠2 ★ ★"], declarer=declarer)
    bidding(game, planned)
    assert game.phase == "bury"
    assert (game.record["declarer"], game.trump, game.seat) == outcome
    assert len(game.hand(game.seat)) == table.hand_size + table.kitty


def test_r8_5_redeals_then_a_drawn_match():
    game = deal(TWO_DECK.replace(max_redeals=2), ["♥2"])
    redeals = set()
    while not game.is_over:
        redeals.add(int(game.record["redeals"]))
        game.play("-")
    assert redeals == {0, 1, 2}
    assert game.match_over
    assert game.record["match_winners"] == 0
    assert game.record["deal"] == 0


@clauses(
    ("kitty", "trump"),
    [
        ("R8.5-flip-first-level-card", "♠A ☆ ♥2 ♣2 ♦3456", "♥"),
        ("R8.5-flip-highest-rank", "♠K ☆ ♥A ♣QQ ♦345", "♥"),
        ("R8.5-flip-first-turned-on-ties", "♣A ♥A ♠A ♦34567", "♣"),
    ],
)
def test_flip(kitty, trump):
    game = bidding(deal(TWO_DECK.replace(no_bid="flip"), ["♠2"], kitty), {})
    assert (game.trump, game.record["declarer"]) == (trump, 0)


def test_r8_5_no_trump_and_the_first_drawer_declares():
    game = bidding(deal(TWO_DECK.replace(no_bid="no_trump"), ["♠2"], first_drawer=3), {})
    assert (game.trump, game.record["declarer"]) == ("NT", 3)


def test_r8_5_flip_with_jokers_only_is_no_trump():
    table = TWO_DECK.replace(no_bid="flip", kitty=4)
    game = bidding(deal(table, ["♠2"], kitty="☆☆★★"), {})
    assert game.trump == "NT"


def test_r8_6_the_suit_of_a_hidden_bid_comes_out_when_bidding_is_over():
    game = deal(rules("guigang"), ["♥3 ♥3"], level="3")
    game.play("♥3" if game.can_play("♥3") else "-")
    logged = [int(entry) for entry in game.record["log"][: game.record["logged"]]]
    assert [entry % 64 for entry in logged if entry // 512 == LOG_BID] == [HIDDEN_VALUE]
    bidding(game, {})
    logged = [int(entry) for entry in game.record["log"][: game.record["logged"]]]
    assert cards("♥3")[0] in [entry % 64 for entry in logged if entry // 512 == LOG_BID]


def test_r8_7_after_each_bury_the_others_may_over_bid():
    game = deal(rules("chaodipi_2"), ["♥2", "♠2 ♠2", "♣2 ☆ ☆"])
    bidding(game, {0: ["♥2"]})
    assert (game.phase, game.seat, game.trump) == ("bury", 0, "♥")
    bury(game)
    assert (game.phase, game.seat) == ("bid", 1)
    game.play("♠22")
    assert (game.phase, game.seat, game.trump) == ("bury", 1, "♠")
    bury(game)
    game.play("☆☆")
    assert (game.phase, game.seat, game.trump) == ("bury", 2, "NT")
    bury(game)
    bidding(game, {})
    assert (game.phase, game.seat, game.record["declarer"], game.trump) == ("lead", 0, 0, "NT")


def test_r8_2_who_may_reclaim_is_asked_while_drawing():
    """Once the cards that the last bidder had shown hid that another may bid."""
    game = deal(THREE, ["", "♠2 ♠2", "♥2 ♦3 ♥2"])
    bidding(game, {1: ["♠22"], 2: ["♥2", "♥22"]})
    assert (game.trump, game.record["declarer"]) == ("♥", 2)


def test_r8_7_the_bidder_may_reinforce_after_the_declarers_bury():
    """Once the cards just buried hid that the bidder may bid."""
    game = deal(TWO_DECK.replace(rebid_after_bury=True), ["", "♥2 ♥2"], declarer=0)
    bidding(game, {1: ["♥2"]})
    bury(game)
    assert (game.phase, game.seat) == ("bid", 1)
    game.play("♥22")
    assert (game.phase, game.seat, game.record["declarer"]) == ("bury", 1, 0)


def test_r1_5_the_largest_kitty():
    """Once a bury of more than 64 cards was walked past the end of the path."""
    game = deal(rules("six_player", players=4, kitty=100), ["", "♥2"])
    bidding(game, {1: ["♥2"]})
    (first,) = game.legal_plays(limit=1)
    assert len(first) == 100
    game.play(first)
    assert (game.phase, len(game.hand(1))) == ("lead", 29)


# Friends (R9)

FRIENDS = rules("find_friends_6")
HANDS = ["♠3 ♠4", "♠A ♠A ♠K", "♠5 ♠6", "♠7 ♠8", "♠9 ♠9", "♠J ♠Q"]


def called(*calls, hands=HANDS):
    """A game of six in which seat 0 declares at trump ♥ and has called these cards."""
    game = deal(FRIENDS, hands, declarer=0, trump="♥")
    for call in calls:
        game.play(call)
    return game


def side(game):
    """The seats known to be with the declarer."""
    return {p for p in range(game.rules.players) if game.record["side"][p] == 0}


def follow(game, play):
    """This play if it is legal, else the first that is."""
    game.play(play if game.can_play(play) else game.legal_plays(limit=1)[0])


def test_r9_1_calls_ascend_are_distinct_and_no_trumps():
    game = called("♠A#2")
    assert {k for k in bits_of(game.record["mask"]) if k < END} == {cards("♠A")[0]}
    game = called("♠K#1")
    assert not game.can_play("♠K#1")
    assert game.can_play("♠K#2")
    assert not game.can_play("♥A#1")
    assert not game.can_play("♠2#1")


@clauses(
    ("calls", "plays", "found"),
    [
        ("R9.1-the-first-copy", ["♠A#1", "♦4#1"], ["♠3", "♠A"], {0, 1}),
        ("R9.1-the-second-copy", ["♠J#1", "♠A#2"], ["♠3", "♠A"], {0}),
        ("R9.1-the-declarer-himself", ["♠3#1", "♠A#3"], ["♠3"], {0}),
    ],
)
def test_friend_found(calls, plays, found):
    game = called(*sorted(calls, key=lambda call: cards(call[:-2])))
    for play in plays:
        follow(game, play)
    assert side(game) == found


def test_r9_1_copies_of_one_play_count_in_turn():
    game = called("♠A#2", "♠A#3", hands=["♠4 ♠4", "♠A ♠A", "♠5"])
    game.play("♠44")
    follow(game, "♠AA")
    assert side(game) == {0, 1}


def test_dispute_a_friend_found_twice_counts_once():
    game = called("♠K#1", "♠A#1", hands=["♠4 ♠4", "♠A ♠K ♠Q", "♠5"])
    game.play("♠4")
    follow(game, "♠A")
    for _ in range(4):
        game.play(game.legal_plays(limit=1)[0])
    assert game.seat == 1
    game.play("♠K")
    assert side(game) == {0, 1}


@clauses(
    ("winners", "bidder", "declarer"),
    [
        ("R9.3-the-bidder-himself", {0, 1, 3}, 1, 1),
        ("R9.3-the-next-winner-at-that-level", {0, 3, 4}, 1, 3),
        ("R9.3-not-a-winner-of-another-level", {0, 2, 4}, 1, 4),
    ],
)
def test_declarer_of_later_deals(winners, bidder, declarer):
    games = new_games(1)
    table = compiled(FRIENDS)
    batch.prepare(table, games, 1, True)
    games["winners"] = sum(1 << seat for seat in winners)
    games["level"][0, :6] = [5, 4, 0, 4, 4, 0]  # level 6 in seats 1, 3, 4
    six = cards("♠6")[0]
    deck = sorted(all_cards(FRIENDS).elements(), key=lambda card: (card != six, card))
    games["deck"][0, : len(deck)] = deck
    games["first_drawer"] = bidder  # and he draws a six at once
    batch.start(table, games)
    while games["phase"][0] == 0:
        seat = games["seat"][0]
        shown = (six,) if seat == bidder and games["bid_seat"][0] < 0 else ()
        for action in (*shown, END):
            step(FRIENDS, games, [action])
    assert (games["declarer"][0], games["level_rank"][0]) == (declarer, 4)


# Revokes (R10.5)


@pytest.mark.parametrize(("guilty", "next_declarer", "risen"), [(1, 2, (0, 2)), (2, 1, (1, 3))])
def test_r10_5_an_illegal_follow_ends_the_deal(guilty, next_declarer, risen):
    table = TWO_DECK.replace(revoke="forfeit")
    game = deal(table, ["♠3", "♠4 ♦4", "♠5 ♦5", "♠6 ♦6"], declarer=0, trump="♥")
    game.play("♠3")
    for seat in range(1, guilty):
        game.play(f"♠{3 + seat}")
    wrong = cards(f"♦{3 + guilty}")[0]
    assert game.can(wrong)
    assert not int(game.record["lawful"]) >> wrong & 1
    game.play([wrong])
    assert game.is_over
    assert game.record["next_declarer"] == next_declarer
    assert [p for p in range(4) if game.record["level"][p] == 3] == list(risen)

"""R5, R6 and R7 by clause: leads and throws, what a follower owes, who takes the trick."""

import pytest

from tests.rulebook.clauses import at, cards, clauses
from tuolaji_env.refusals import RulesError
from tuolaji_env.rules import Rules

OFF, CERTAIN = at("5♥", throws="off"), at("5♥", throws="certain")
THREE = at("5♥", throws="certain", decks=3, kitty=6)
LOWEST = at("5♥", "guangzhou")


@clauses(
    ("table", "hand", "seen", "led", "legal"),
    [
        ("R5.1-one-suit", at("5♥"), "♠34♦6", {}, "♠3♦6", False),
        ("R5.1-one-unit", OFF, "♠334466", {}, "♠334466", True),
        ("R5.1-part-of-a-tuple", OFF, "♠334466", {}, "♠4", True),
        ("R5.1-throws-off", OFF, "♠AAKQ", {}, "♠AAK", False),
        ("R5.3-attempt-tries-anything", at("5♥"), "♠334466", {}, "♠3346", True),
        ("R5.2-nothing-higher", CERTAIN, "♠AAK", {}, "♠AAK", True),
        ("R5.2-a-higher-single-is-out", CERTAIN, "♠AKK", {}, "♠AKK", True),
        ("R5.2-a-higher-single-is-out", CERTAIN, "♠AKK", {}, "♠AK", False),
        ("R5.2-cards-played", CERTAIN, "♠AK", {"gone": "♠A"}, "♠AK", True),
        ("R5.2-kitty-he-buried", CERTAIN, "♠AK", {"buried": "♠A"}, "♠AK", True),
        ("R5.2-all-others-void", CERTAIN, "♠3499", {"voids": [3]}, "♠3499", True),
        ("R5.2-void-in-another-suit", CERTAIN, "♠3499", {"voids": [2]}, "♠3499", False),
        ("R5.2-one-higher-splits-a-triple", THREE, "♠AAKKK", {}, "♠AAKKK", False),
        ("R5.2-no-higher-one", THREE, "♠AAAKKK", {}, "♠AAAKKK", True),
        ("R5.2-decided-kind-by-kind", CERTAIN, "♠KKQQA", {}, "♠QQA", True),
        ("R5.2-decided-kind-by-kind", CERTAIN, "♠KKQQA", {}, "♠QA", False),
    ],
)
def test_lead(table, hand, seen, led, legal):
    seen = {name: value if name == "voids" else cards(value) for name, value in seen.items()}
    assert (cards(led) in table.leads(cards(hand), **seen)) is legal


def test_r5_5_cards_requires_throws_off():
    with pytest.raises(RulesError, match=r"R5\.5"):
        Rules(follow="cards", throws="attempt")


PENALTY = {"throw_penalty_points": 7}


@clauses(
    ("table", "thrown", "other", "led", "penalty"),
    [
        ("R5.3-S3", at("5♥"), "♠99844", "♠66", "♠44", 0),
        ("R5.3-S3", at("5♥"), "♠99844", "♠10", "♠8", 0),
        ("R5.3-stands", at("5♥"), "♠99844", "♠637", "♠99844", 0),
        ("R5.3-widest-before-lowest", at("5♥"), "♠99844", "♠66K", "♠44", 0),
        ("R5.3-lowest", LOWEST, "♠99844", "♠66K", "♠44", 30),
        ("R5.3-lowest", LOWEST, "♠99 3", "♠KK", "♠3", 30),
        ("R5.3-a-tractor-is-stopped-by-a-tractor", at("5♥"), "♠QQKKA", "♠AA", "♠QQKKA", 0),
        ("R5.3-an-equal-card-stops-nothing", at("5♥"), "♣5★★", "♦5♠5", "♣5★★", 0),
        ("R5.3-an-equal-card-stops-nothing", at("5♥"), "♣5★★", "♥5", "♣5", 0),
        (
            # the 7 of the tractor and the 8 are of different shapes, and compared all the same
            "R5.3-lowest-across-shapes",
            at("5♥", "guangzhou", permanent_trumps=["6"], permanent_links="natural"),
            "♥66778", "♥JJQQ", "♥6677", 50,
        ),
        ("R5.4-each-card-of-beaten-units", LOWEST, "♠3344 9", "♠6677", "♠3344", 40),
        ("R5.4-points-add-up", at("5♥", "guangzhou", **PENALTY), "♠34", "♠A", "♠3", 27),
        ("R5.4-flat", at("5♥", **PENALTY), "♠34", "♠A", "♠3", 7),
    ],
)  # fmt: skip
def test_throw(table, thrown, other, led, penalty):
    hands = [cards(thrown), cards(other), [], []]
    assert table.throw(hands, cards(thrown)) == (list(cards(led)), penalty)


TEN = "10♥"
TRACTOR, WIDTH = at(TEN, decks=3, kitty=6), at(TEN, decks=3, kitty=6, follow_prefers="width")
EXACT, QUADS = at(TEN, "six_player", follow="exact"), at(TEN, "six_player")
CARDS, SAME_COUNT = at(TEN, "nanning"), at(TEN, "guigang")


@clauses(
    ("table", "lead", "hand", "pattern"),
    [
        ("R6.3-then-what-is-left", at("2♥"), "♠QQKKAA", "♠33448899J", "2x2 2"),
        ("R6.2-singles-ask-nothing", at("2♥"), "♠AK", "♠3344", ""),
        ("R6.2-no-more-than-led", at("2♥"), "♠QQKK", "♠33♦44", ""),
        ("R6.3-longest", at("2♥"), "♠QQKKAA", "♠334477J", "2x2 2"),
        ("R6.3-longest", at("2♥"), "♠QQKKAA", "♠3355774", "2 2 2"),
        ("R6.3-tractor-first", TRACTOR, "♠777888", "♠33344 9J", "2x2"),
        ("R6.3-width-first", WIDTH, "♠777888", "♠33344 9J", "3 2"),
        ("R6.3-the-rest-asks-on", TRACTOR, "♠555666777", "♠33344477 8A", "3x2 2"),
        ("R6.3-unlinked-triples", TRACTOR, "♠777888", "♠333555J", "3 3"),
        ("R6.3-triple-and-pair", TRACTOR, "♠777888", "♠33355J4", "3 2"),
        ("R6.3-a-tuple-asks-no-tractor", QUADS, "♠KKKK", "♠33445 6", "2 2"),
        ("R6.3-quad-triple-pairs", QUADS, "♠KKKK", "♠3335 67", "3"),
        ("R6.3-quad", QUADS, "♠KKKK", "♠3333567", "4"),
        ("R6.4-exact", EXACT, "♠QQKKAA", "♠33447 8899J", "2 2 2"),
        ("R6.4-exact-itself", EXACT, "♠QQKKAA", "♠334455J", "2x3"),
        ("R6.4-exact-narrower-tractors", EXACT, "♠777888", "♠3344JQK", "2x2"),
        ("R6.4-exact-as-many-as-fit", EXACT, "♠777888", "♠33344JQK", "3 2"),
        ("R6.4-exact-a-missing-quad", EXACT, "♠KKKK", "♠33455 6", "2 2"),
        ("R6.4-cards-S3", CARDS, "♠KKKK", "♠555888", "2 2"),
        ("R6.4-cards-S3", CARDS, "♠AAAA", "♠3388999J", "2x2"),
        ("R6.4-cards-S3", CARDS, "♠4455", "♠AQJ9953", "2"),
        ("R6.4-cards-S3", CARDS, "♠KKKK", "♠3344888", "2x2"),
        ("R6.4-cards-biggest-tractor", CARDS, "♠334455", "♠666777JQ", "3x2"),
        ("R6.4-same-count-off", CARDS, "♠QQKK", "♠3333 8", "2 2"),
        ("R6.4-same-count", SAME_COUNT, "♠QQKK", "♠3333 8", "4"),
        ("R6.4-same-count-wider-first", SAME_COUNT, "♠QQKKAA", "♠3334447788J", "3x2"),
        ("dispute-six-singles-while-holding-a-pair", at("2♥"), "♥778899", "♥KK34 6JQA", "2"),
    ],
)
def test_pattern(table, lead, hand, pattern):
    shapes = [f"{w}x{n}" if n > 1 else str(w) for w, n in table.pattern(cards(lead), cards(hand))]
    assert " ".join(shapes) == pattern


PROTECT = at("5♠", decks=3, kitty=6, protect_wider=True)


@clauses(
    ("table", "lead", "hand", "play", "legal"),
    [
        ("R6.1-all-of-the-suit", at("2♥"), "♠QQK", "♠34♦567", "♠34♦6", True),
        ("R6.1-all-of-the-suit", at("2♥"), "♠QQK", "♠34♦567", "♠3♦56", False),
        ("R6.1-none", at("2♥"), "♠QQ", "♦567♥3", "♦5♥3", True),
        ("R6.2-only-the-tractor", at("2♥", "nanning"), "♠KKAA", "♠33446666", "♠3344", True),
        ("R6.2-wider-only-with-it", at("2♥", "nanning"), "♠KKAA", "♠33446666", "♠6666", False),
        ("R6.2-more-is-allowed", TRACTOR, "♠77889", "♠333444", "♠33344", True),
        ("R6.3-tractor", TRACTOR, "♠777888", "♠33344 9J", "♠3344 9J", True),
        ("R6.3-tractor", TRACTOR, "♠777888", "♠33344 9J", "♠33349J", False),
        ("R6.3-width", WIDTH, "♠777888", "♠33344 9J", "♠33344 9", True),
        ("R6.3-width", WIDTH, "♠777888", "♠33344 9J", "♠3344 9J", False),
        ("R6.3-the-rest", TRACTOR, "♠555666777", "♠33344477 8A", "♠33344477A", True),
        ("R6.4-S3", CARDS, "♠KKKK", "♠555888", "♠5588", True),
        ("R6.4-S3", CARDS, "♠KKKK", "♠555888", "♠5558", False),
        ("R6.4-S3", CARDS, "♠KKKK", "♠3344888", "♠3388", False),
        ("R6.5-protect", PROTECT, "♥KKAA", "♥77789 10 10", "♥89 10 10", True),
        ("R6.5-protect", PROTECT, "♥KKAA", "♥77789 10 10", "♥77 10 10", True),
        ("R6.5-protect", PROTECT, "♥KKAA", "♥77789 10 10", "♥7778", False),
        ("R6.5-protect", PROTECT, "♥KKAA", "♥77789 10 10", "♥7789", True),
        ("R6.5-off", at("5♠", decks=3, kitty=6), "♥KKAA", "♥77789 10 10", "♥7789", False),
        ("R6.5-no-pair-but-in-triples", PROTECT, "♥KKAA", "♥777889", "♥7788", True),
        ("dispute-holding-KK", at("2♥"), "♥778899", "♥KK34 6JQA", "♥346JQA", False),
        ("dispute-holding-KK", at("2♥"), "♥778899", "♥KK34 6JQA", "♥KK346J", True),
    ],
)
def test_follow(table, lead, hand, play, legal):
    assert (cards(play) in table.follows(cards(lead), cards(hand))) is legal


LEXICOGRAPHIC, ALL = at("2♥", "competition"), at("2♥", "guigang", throw_compare="all")
WIDER_TRACTOR, WIDER_ALL = at("2♥", "guangzhou"), at("10♥", "nanning")


@clauses(
    ("table", "plays", "winner"),
    [
        ("R7.1-units-of-the-lead", at("2♥"), "♠AAK ♥345 ♥334 ♥678", 2),
        ("R7.1-one-suit", at("2♥"), "♠33 ♠4♥4 ♦55 ♣AA", 0),
        ("R7.1-no-tractor-no-ruff", at("2♥"), "♠3344 ♥4466 ♥7788 ♠JJQQ", 2),
        ("R7.2-trump-beats-side-suit", at("2♥"), "♠A ♥3 ♠K ♥4", 3),
        ("R7.2-equal-the-earlier", at("2♥"), "♠A ♦2 ♣2 ♠2", 1),
        ("R7.2-main-only", at("2♥"), "♠33A ♥445 ♥553 ♥44K", 2),
        ("R7.2-main-as-high-as-the-split-allows", at("2♥", "guangzhou"), "♠33A ♥666 ♥559 ♥644", 1),
        ("R7.2-lexicographic", LEXICOGRAPHIC, "♠33A ♥445 ♥44K ♥44Q", 2),
        ("R7.2-main-ties", at("2♥"), "♠33A ♥445 ♥44K ♥44Q", 1),
        ("R7.2-all", ALL, "♠3399 ♠55QQ ♠44QQ", 1),
        ("R7.2-all-not-in-every-unit", ALL, "♠JJK ♠QQ3 ♠QQA ♠339", 2),
        ("R7.2-all-some-split", ALL, "♠JJJKKQ ♠AAAQQQ", 1),
        (
            "R7.2-main-is-a-tractor-before-a-quad",
            at("2♥", "six_player"),
            "♠JJJJ4455 ♥99993344 ♥33338899",
            2,
        ),
        ("R7.3-off", at("2♥", "six_player"), "♠KKAA ♠6666 ♥4455", 2),
        ("R7.3-tractor", WIDER_TRACTOR, "♠QQKKAA ♠555666 ♥445566", 1),
        ("R7.3-tractor-width-then-trump", WIDER_TRACTOR, "♠QQKKAA ♥333444 ♠555666", 1),
        ("R7.3-all-S3", WIDER_ALL, "♠QQKKAA ♠555666 ♥445566", 1),
        ("R7.3-all-S3", WIDER_ALL, "♠KKAA ♠6666 ♥AA22 ♥9999", 3),
        ("R7.3-a-narrower-never-beats", WIDER_ALL, "♠6666 ♥AA22 ☆☆★★", 0),
        ("R4.4-two-counts-lowest", WIDER_ALL, "♥2233 ♥3344 ♥AA22 ♥QQKK", 2),
        ("R4.4-AA22-is-AAKK", WIDER_ALL, "♥AA22 ♥KKAA", 0),
        ("R4.4-AA22-is-AAKK", WIDER_ALL, "♥KKAA ♥AA22", 0),
        ("R4.5-has-the-level-cards-power", at("3♥", "guigang"), "♥KKAA ♥2233", 1),
        ("R4.5-below-the-jokers", at("3♥", "guigang"), "♥2233 ☆☆★★", 1),
        ("dispute-AK-thrown", at("10♠"), "♥AK ♠24 ♠35", 2),
        ("dispute-two-pairs-of-trumps", at("2♣"), "♦88JQ ♣55A♠2 ♣6622", 2),
        ("dispute-joker-and-level-card", at("5♦"), "♣KA ♦5A ☆♦5", 2),
        ("dispute-joker-and-level-card", at("5♦"), "♣KA ☆♦5 ♦5A", 1),
        ("dispute-joker-takes-it", at("2♠"), "♥10 ♠2 ♠3 ☆", 3),
    ],
)
def test_winner(table, plays, winner):
    plays = list(map(cards, plays.split()))
    discard = cards("♣3456789JQ")[: len(plays[0])]
    plays += [discard] * (table.rules.players - len(plays))
    assert table.winner(plays) == winner

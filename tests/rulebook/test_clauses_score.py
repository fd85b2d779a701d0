"""R2 and R10 by clause: what a deal is worth, and where a rise on the ladder ends."""

from tests.kernels import compiled
from tests.rulebook.clauses import at, cards, clauses, rules
from tuolaji_env.core import probe

TWO_DECK = rules()
BASE_120, BASE_100 = rules("guangzhou"), rules("find_friends_6")
NANNING, GUIGANG, NEXT_LEVEL = rules("nanning"), rules("guigang"), rules("next_level_trump")
DECLARERS, OTHERS = "declarers", "others"

RESULTS = [
    ("R11-two_deck-S3", TWO_DECK, DECLARERS, {0: 3, 5: 2, 35: 2, 40: 1, 75: 1}),
    ("R11-two_deck-S3", TWO_DECK, OTHERS, {
        80: 0, 115: 0, 120: 1, 155: 1, 160: 2, 195: 2, 200: 3, 235: 3, 240: 4, 275: 4, 280: 5,
        315: 5,
    }),
    ("R10.4-120-40", BASE_120, DECLARERS, {119: 1, 80: 1, 79: 2, 40: 2, 39: 3, 1: 3, 0: 4, -5: 4}),
    ("R10.4-120-40", BASE_120, OTHERS, {120: 0, 159: 0, 160: 1, 200: 2}),
    ("R10.4-100-40", BASE_100, DECLARERS, {95: 1, 60: 1, 55: 2, 20: 2, 15: 3, 5: 3, 0: 4}),
    ("R10.4-100-40", BASE_100, OTHERS, {100: 0, 135: 0, 140: 1}),
    ("R10.4-one-deck", rules("one_deck"), DECLARERS, {35: 1, 20: 1, 15: 2, 5: 2, 0: 3}),
    ("R10.4-table-S2", NEXT_LEVEL, DECLARERS, {-10: 3, 0: 3, 5: 2, 75: 2}),
    ("R10.4-table-S2", NEXT_LEVEL, OTHERS, {80: 1, 100: 2, 120: 1, 140: 2, 160: 3, 300: 3}),
    ("R10.3-clamp-and-table", NANNING, DECLARERS, {-500: 3, 0: 3, 5: 2, 80: 1, 155: 1}),
    ("R10.3-clamp-and-table", NANNING, OTHERS, {160: 0, 240: 1, 320: 2, 400: 3, 9000: 3}),
    ("R10.4-below-zero-step", GUIGANG, DECLARERS, {0: 3, -5: 3, -79: 3, -80: 4, -160: 5}),
    ("R10.4-max-rise", rules(max_rise=2), DECLARERS, {0: 2, 5: 2, 40: 1}),
    ("R10.4-max-rise", rules(max_rise=2), OTHERS, {315: 2}),
]  # fmt: skip


@clauses(("table", "side", "rises"), RESULTS)
def test_result(table, side, rises):
    for points, levels in rises.items():
        others, got = probe.result(compiled(table), points)
        assert ((DECLARERS, OTHERS)[others], got) == (side, levels), points


@clauses(
    ("table", "lead", "play", "times"),
    [
        ("R10.1-pow2-pairs-single", at("5♥"), "♠A", "♥3", 2),
        ("R10.1-pow2-pairs-pair", at("5♥"), "♠AA", "♥33", 4),
        ("R10.1-pow2-pairs-tractor", at("5♥"), "♠KKAA", "♥3344", 8),
        ("R10.1-pow2-pairs-tractor", at("5♥"), "♠QQKKAA", "♥778899", 16),
        ("R10.1-pow2-pairs-triple", at("5♥", "guangzhou", capture="pow2_pairs",
                                       capture_needs_trump=False), "♠AAA", "♥333", 4),
        ("R10.1-main-unit-of-a-throw", at("5♥"), "♠AAK", "♥334", 4),
        ("R10.1-all-pairs", at("5♥", all_pairs=True), "♠AA99", "♥3366", 8),
        ("R10.1-unit-cards-single", at("5♥", "guangzhou"), "♠A", "♥3", 2),
        ("R10.1-unit-cards-pair", at("5♥", "guangzhou"), "♠AA", "♥33", 4),
        ("R10.1-unit-cards-triple", at("5♥", "guangzhou"), "♠AAA", "♥333", 6),
        ("R10.1-unit-cards-tractor", at("5♥", "guangzhou"), "♠KKAA", "♥3344", 8),
        ("R10.1-unit-cards-factor-3", at("5♥", "guangzhou", capture_factor=3), "♠A", "♥3", 3),
        ("R10.1-needs-trump", at("5♥", "guangzhou"), "♠A", "♠A", 0),
        ("R10.1-led-trump-counts", at("5♥", "guangzhou"), "♥A", "☆", 2),
        ("R10.1-pow2-cards", at("5♥", capture="pow2_cards"), "♠KKAA", "♥3344", 16),
        ("R10.1-tractor-pow2-pair", at("5♥", "next_level_trump"), "♠AA", "♥33", 2),
        ("R10.1-tractor-pow2", at("5♥", "next_level_trump"), "♠QQKKAA", "♥778899", 8),
        ("R10.1-play-cards", at("5♥", capture="play_cards"), "♠AAK", "♥334", 6),
    ],
)  # fmt: skip
def test_capture(table, lead, play, times):
    assert table.capture(cards(lead), cards(play), 25) == 25 * times


def test_r10_1_bonus():
    assert at("5♥", "one_deck").capture(cards("♠A"), cards("♠A"), 15) == 15 + 40


@clauses(
    ("points", "cards_led", "others", "score"),
    [
        ("R10.2-AAKK-led-60-points", 60, 4, True, 240),
        ("R10.2-off-their-score", 60, 4, False, -240),
        ("R10.2-single", 20, 1, True, 20),
        ("R10.2-single", 20, 1, False, 0),
    ],
)
def test_last_trick(points, cards_led, others, score):
    assert probe.last_trick(compiled(NANNING), points, cards_led, others) == score


DEFENDING = rules(win_by="defending")
CAPTURE = rules(top_needs_trump_capture=True)
MANDATORY = rules("six_player")


@clauses(
    ("table", "start", "levels", "declared", "trumps", "end"),
    [
        ("R2.2-stops-at-the-first", MANDATORY, "3", 4, True, False, "5 +2"),
        ("R2.2-leaves-it-by-declaring", MANDATORY, "5", 2, True, False, "7 +2"),
        ("R2.2-others-add-nothing", MANDATORY, "5", 2, False, False, "5 +0"),
        ("R2.2-stops-again", MANDATORY, "J", 5, True, False, "K +2"),
        ("R2.3-passing", TWO_DECK, "K", 3, False, False, "A +2 won"),
        ("R2.3-passing-the-top", TWO_DECK, "A", 1, False, False, "A +1 won"),
        ("R2.3-reaching-is-not-passing", TWO_DECK, "K", 1, True, False, "A +1"),
        ("R2.3-defending-stops-others", DEFENDING, "A", 2, False, False, "A +0"),
        ("R2.3-defending-stops-on-the-way", DEFENDING, "K", 3, True, False, "A +1"),
        ("R2.3-defending-wins", DEFENDING, "A", 1, True, False, "A +1 won"),
        ("R2.4-cyclic", NANNING, "K", 3, False, False, "4 +3"),
        ("R2.5-trump-capture", CAPTURE, "A", 1, True, False, "A +0"),
        ("R2.5-trump-capture", CAPTURE, "A", 1, False, True, "A +0"),
        ("R2.5-trump-capture", CAPTURE, "A", 1, True, True, "A +1 won"),
        ("R2.1-NT-is-the-top", MANDATORY, "NT", 1, True, False, "NT +1 won"),
    ],
)
def test_rise(table, start, levels, declared, trumps, end):
    ladder = list(table.ladder)
    arguments = ladder.index(start), levels, declared, trumps
    place, gained, won = probe.rise(compiled(table), *arguments)
    assert f"{ladder[place]} +{gained}{' won' * won}" == end

"""R1, R3 and R4 by clause: points, the order of the cards, links, units, decomposition."""

from tests.rulebook.clauses import SUITS, at, cards, clauses
from tuolaji_env.cards import points_of
from tuolaji_env.core.record import TRUMP

NATURAL = {"permanent_links": "natural"}
DOWN_FROM_K = "♥A ♥K ♥Q ♥J ♥10 ♥9 ♥8 ♥6 ♥4 ♥3"

ORDER = [
    ("R3.2-trump-suit", at("5♥"), "★ ☆ ♥5 ♦5♣5♠5 ♥A ♥K ♥Q ♥J ♥10 ♥9 ♥8 ♥7 ♥6 ♥4 ♥3 ♥2"),
    (
        "R3.2-permanent-trumps",
        at("5♥", permanent_trumps=["2", "7"]),
        "★ ☆ ♥5 ♦5♣5♠5 ♥7 ♦7♣7♠7 ♥2 ♦2♣2♠2 " + DOWN_FROM_K,
    ),
    ("R3.2-no-trump", at("5", permanent_trumps=["2", "7"]), "★ ☆ ♦5♣5♥5♠5 ♦2♣2♥2♠2♦7♣7♥7♠7"),
    ("R2.1-level-NT", at("NT", "six_player"), "★ ☆"),
    ("R3.3-none-at-level-NT", at("NT", "six_player", permanent_trumps=["2"]), "★ ☆"),
    (
        "R3.3-next-level",
        at("5♥", "next_level_trump"),
        "★ ☆ ♥5 ♦5♣5♠5 ♥6 ♦6♣6♠6 ♥A ♥K ♥Q ♥J ♥10 ♥9 ♥8 ♥7 ♥4 ♥3 ♥2",
    ),
    (
        "R3.3-none-after-the-last-level",
        at("A♥", "next_level_trump"),
        "★ ☆ ♥A ♦A♣A♠A ♥K ♥Q ♥J ♥10 ♥9 ♥8 ♥7 ♥6 ♥5 ♥4 ♥3 ♥2",
    ),
    (
        "R3.3-none-when-NT-is-next",
        at("A♥", "six_player", permanent_trumps="next_level"),
        "★ ☆ ♥A ♦A♣A♠A ♥K ♥Q ♥J ♥10 ♥9 ♥8 ♥7 ♥6 ♥5 ♥4 ♥3 ♥2",
    ),
    (
        "R3.3-the-ladder-says-what-is-next",
        at("A♥", ladder=["A", "3", "2"], permanent_trumps="next_level"),
        "★ ☆ ♥A ♦A♣A♠A ♥3 ♦3♣3♠3 ♥K ♥Q ♥J ♥10 ♥9 ♥8 ♥7 ♥6 ♥5 ♥4 ♥2",
    ),
]


@clauses(("table", "order"), ORDER)
def test_trumps_from_the_highest_down(table, order):
    suits, powers = table.look_up("suit_of"), table.look_up("power")
    trumps = {k for k in range(54) if suits[k] == TRUMP}
    groups = [cards(group) for group in order.split()]
    assert [{k for k in trumps if powers[k] == place} for place in range(len(groups))] == [
        set(group) for group in reversed(groups)
    ]
    assert trumps == {k for group in groups for k in group}


@clauses(
    ("table", "text"),
    [
        ("R3.2-side-suit", at("5♥"), "♠2346789 10JQKA"),
        ("R3.2-side-suit", at("5♥", permanent_trumps=["2", "7"]), "♠34689 10JQKA"),
        ("R3.2-every-suit-at-level-NT", at("NT", "six_player"), "♠23456789 10JQKA"),
    ],
)
def test_side_suit_from_the_lowest_up(table, text):
    suits, powers = table.look_up("suit_of"), table.look_up("power")
    kinds = [k for k in range(54) if suits[k] == SUITS.index("♠")]
    assert sorted(kinds, key=powers.__getitem__) == list(cards(text))


def test_r1_2_points_of_a_deck():
    assert [points_of(cards(f"♠{rank}")) for rank in ("5", "10", "K", "A")] == [5, 10, 10, 0]
    assert points_of(range(54)) == 100


FIVE_HEARTS, FIVE = at("5♥", throws="off"), at("5", throws="off")
SIX_ALWAYS = {"permanent_trumps": ["6"], "throws": "off"}
NATURAL_SIX, ORDERED_SIX = at("5♥", **NATURAL, **SIX_ALWAYS), at("5♥", **SIX_ALWAYS)
NANNING, NANNING_3, GUIGANG_3 = at("10♥", "nanning"), at("3♥", "nanning"), at("3♥", "guigang")

TRACTORS = [
    ("R4.2", FIVE_HEARTS, "♠KKAA ♥4466 ♥55♠55 ♥AA♣55 ♠4466 ☆☆★★ ♥55☆☆ ♠QQKKAA"),
    ("R4.2-no-trump", FIVE, "♣55☆☆ ☆☆★★ ♥4466"),
    ("R4.2-no-trump", at("5", **SIX_ALWAYS), "♣66♠55 ♦66♥55☆☆ ♥4477"),
    ("R4.2-permanent", ORDERED_SIX, "♥AA♣66 ♣66♥66 ♥66♠55 ♥4477"),
    ("R4.3", NATURAL_SIX, "♥6677 ♥446677 ♥AA♣55 ♣55♥55 ♣4477"),
    ("R4.3-no-trump", at("5", **NATURAL, **SIX_ALWAYS), "♣55☆☆ ♥4477"),
    ("R4.4", NANNING, "♥AA22 ♥2233 ♥AA2233 ☆☆★★ ♥JJQQ ♥8899 ♠KKAA"),
    ("R4.5", GUIGANG_3, "♥2233 ♥AA2233 ♥AA22 ☆☆★★"),
]  # fmt: skip
NO_TRACTORS = [
    ("R4.1-singles-never-chain", FIVE_HEARTS, "♠KA ♥67"),
    ("R4.1-copies-are-of-one-kind", FIVE_HEARTS, "♠5♣5 ♥A♠A"),
    ("R4.2", FIVE_HEARTS, "♥4455 ♠55☆☆ ♦33♣44 ♣55♦55 ♥AA22 ♥AA55 ♠AA22 ♥55★★"),
    ("R4.2-no-trump", FIVE, "♣55♦55 ♥AA♥55 ♣55★★"),
    ("R4.2-no-trump", at("5", **SIX_ALWAYS), "♣66♥66 ♣66☆☆ ♥AA66"),
    ("R4.2-permanent", ORDERED_SIX, "♥6677 ♥AA♠55 ♣66♦66"),
    ("R4.3", NATURAL_SIX, "♣66♥66 ♣66♠55 ♥AA♣66 ♥66♠55"),
    ("R4.3-no-trump", at("5", **NATURAL, **SIX_ALWAYS), "♣66♠55 ♥66♥55"),
    ("R4.4", NANNING, "♥JJ99 ♠AA33 ♠JJ99 ♥AA♣10♣10 ♥10 10☆☆ ♠33♥22 ♣22♥22"),
    ("R4.4-ring-cut-at-the-level", NANNING_3, "♥2233 ♥2244"),
    ("R4.5", GUIGANG_3, "♥3344 ♠2233 ♠33♥22"),
]


@clauses(("table", "texts"), TRACTORS)
def test_tractor(table, texts):
    for text in texts.split():
        assert cards(text) in table.leads(cards(text)), text


@clauses(("table", "texts"), NO_TRACTORS)
def test_no_tractor(table, texts):
    for text in texts.replace("10 10", "TT").split():
        assert cards(text) not in table.leads(cards(text)), text


@clauses(
    ("table", "text", "units"),
    [
        ("R4.1-unit", at("5♥", "nanning"), "♠7777", ["♠7777"]),
        ("R4.6-most-cards", at("5♥", "guangzhou"), "♠AAAKKQ", ["♠KKAA", "♠A", "♠Q"]),
        ("R4.6-wider", at("5♥", "guangzhou"), "♠333444778899", ["♠333444", "♠778899"]),
        ("R4.6-wider-of-as-many", at("2♥", "guigang"), "♠3333 5566", ["♠3333", "♠5566"]),
        ("R4.6-higher-top", at("5♥"), "♠33AA99", ["♠AA", "♠99", "♠33"]),
        ("R4.6-lower-kinds", at("5♥"), "♥AA♣55♠55♦55", ["♦55♥AA", "♣55", "♠55"]),
        ("R4.2-one-kind-a-link", at("5♥"), "♦55♣55☆☆", ["☆☆", "♦55", "♣55"]),
    ],
)
def test_decomposition(table, text, units):
    taken = [tuple(sorted(kinds * width)) for width, _, kinds in table.units(cards(text))]
    assert taken == list(map(cards, units))

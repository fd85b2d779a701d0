"""The text notation: one way to write, several to read, errors that show the place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuolaji_env import cards as c
from tuolaji_env import notation as n
from tuolaji_env.core import record

KINDS = st.integers(0, c.BIG_JOKER)
CARDS = st.lists(KINDS, max_size=60).map(lambda kinds: tuple(sorted(kinds)))


@given(CARDS)
def test_cards_round_trip(cards):
    text = n.cards_text(cards)
    assert n.parse_cards(text) == cards
    assert n.cards_text(reversed(cards)) == text
    ascii_text = text.translate(str.maketrans("♦♣♥♠☆★", "dchswW"))
    assert (
        n.parse_cards(ascii_text) == n.parse_cards(" ".join(ascii_text.replace("10", "T"))) == cards
    )


@given(CARDS)
def test_counts_round_trip(cards):
    assert c.cards_of(c.counts_of(cards)) == cards
    assert c.counts_of(cards).sum() == len(cards)


@given(CARDS.filter(bool), st.none() | st.integers(0, c.NO_TRUMP))
def test_bid_round_trip(cards, trump):
    assert n.parse_bid(n.bid_text(cards, trump)) == (cards, trump)


@given(KINDS, st.integers(1, 4))
def test_call_round_trip(kind, ordinal):
    assert n.parse_call(n.call_text(kind, ordinal)) == (kind, ordinal)


@pytest.mark.parametrize(
    ("write", "read", "values"),
    [
        (n.action_text, n.parse_action, range(record.ACTIONS)),
        (n.level_text, n.parse_level, range(c.NO_LEVEL + 1)),
        (n.trump_text, n.parse_trump, range(c.NO_TRUMP + 1)),
    ],
)
def test_small_sets_round_trip_and_are_distinct(write, read, values):
    texts = [write(value) for value in values]
    assert [read(f" {text} ") for text in texts] == list(values)
    assert len(set(texts)) == len(texts)
    for wrong in (-1, len(texts)):
        with pytest.raises(ValueError, match=f"{wrong} is no .*; allowed: 0 to {len(texts) - 1}"):
            write(wrong)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("♠3344", "♠3344"),
        ("♠33♠44", "♠3344"),
        ("♥10 10 J", "♥1010J"),
        ("♥10T J", "♥1010J"),
        ("W w sA d5 c10", "♦5♣10♠A☆★"),
        ("♠\ufe0fA ♡2 ♢3 ♤4 ♧5", "♦3♣5♥2♠4A"),
        ("", ""),
        ("\n ", ""),
    ],
)
def test_spellings(text, canonical):
    assert n.cards_text(n.parse_cards(text)) == canonical


@pytest.mark.parametrize(
    ("cards", "trump", "text"),
    [
        ((39, 39), None, "♠22"),
        ((52, 53, 53), c.HEARTS, "☆★★=♥"),
        ((53, 53, 53), c.NO_TRUMP, "★★★=NT"),
        ((), None, "-"),
    ],
)
def test_bid_examples(cards, trump, text):
    assert n.bid_text(cards, trump) == text
    assert n.parse_bid(f" {text} ") == (cards, trump)


def test_other_examples():
    assert n.parse_bid("★★☆=h") == ((52, 53, 53), c.HEARTS)
    assert n.call_text(51, 2) == "♠A#2"
    assert [n.action_text(action) for action in (0, 53, 54, 55, 58, 59, 62)] == [
        "♦2", "★", "END", "#1", "#4", "=♦", "=♠",
    ]  # fmt: skip
    assert n.parse_level("T") == n.parse_level("10") == 8
    assert n.parse_trump("s") == n.parse_trump("♠\ufe0f") == c.SPADES


@pytest.mark.parametrize(
    ("read", "text", "position"),
    [
        (n.parse_cards, "♠3x4", 2),
        (n.parse_cards, "34", 0),
        (n.parse_cards, "♠1", 1),
        (n.parse_cards, "♠♥3", 1),
        (n.parse_cards, "♥3♠", 3),
        (n.parse_cards, "♠3☆4", 3),
        (n.parse_cards, "♠k", 1),
        (n.parse_bid, "", 0),
        (n.parse_bid, "=♥", 0),
        (n.parse_bid, "♠22=", 4),
        (n.parse_bid, "☆☆★=X", 4),
        (n.parse_bid, "♠2x=♥", 2),
        (n.parse_call, "♠A", 2),
        (n.parse_call, "♠AA#1", 0),
        (n.parse_call, "#1", 0),
        (n.parse_call, "♠A#5", 2),
        (n.parse_action, "", 0),
        (n.parse_action, "end", 0),
        (n.parse_action, "♠AA", 0),
        (n.parse_action, "#0", 0),
        (n.parse_action, "=NT", 1),
        (n.parse_level, "1", 0),
        (n.parse_trump, "5", 0),
    ],
)
def test_errors_quote_text_and_place(read, text, position):
    with pytest.raises(n.NotationError) as caught:
        read(text)
    error = caught.value
    assert (error.text, error.position) == (text, position)
    assert str(error).startswith(f"{text!r}: ")
    assert f"at position {position}; allowed: {error.allowed}" in str(error)


READERS = [n.parse_cards, n.parse_bid, n.parse_call, n.parse_action, n.parse_level, n.parse_trump]


@given(
    st.sampled_from(READERS),
    st.text(alphabet="♦♣♥♠☆★dchswWT1023456789JQKA=#-NTEND \ufe0f", max_size=8),
)
def test_any_text_is_read_or_refused_with_its_place(read, text):
    try:
        read(text)
    except n.NotationError as error:
        place = error.position
    else:
        place = 0
    assert 0 <= place <= len(text)


def test_writers_refuse_what_is_no_card():
    with pytest.raises(ValueError, match="54 is no kind; allowed: 0 to 53"):
        n.cards_text([54])
    with pytest.raises(ValueError, match="0 is no ordinal; allowed: 1 to 4"):
        n.call_text(51, 0)
    with pytest.raises(ValueError, match="a pass names no trump"):
        n.bid_text([], c.HEARTS)


def test_r1_1_kinds():
    assert c.NUM_KINDS == 54
    for kind in range(c.SMALL_JOKER):
        assert c.kind_of(c.suit_of(kind), c.rank_of(kind)) == kind
    for joker in (c.SMALL_JOKER, c.BIG_JOKER):
        assert c.suit_of(joker) is c.rank_of(joker) is None


def test_r1_2_points():
    assert c.POINTS.sum() == 100
    assert c.points_of(n.parse_cards("♠5 5 10 K A ★")) == 30
    with pytest.raises(ValueError, match="read-only"):
        c.POINTS[0] = 5

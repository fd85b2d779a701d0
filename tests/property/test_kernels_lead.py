"""Leads and what becomes of a throw (R5): the kernels against the oracle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import assert_plays, rest_of
from tests.oracle.lead import deck, legal_leads, try_throw, unseen_by
from tuolaji_env.core.record import END
from tuolaji_env.notation import parse_cards
from tuolaji_env.rules import Rules

from . import strategies as some


@pytest.mark.parametrize("throws", ["off", "certain", "attempt"])
@some.examples(80)
@given(data=st.data())
def test_r5_1_and_r5_2_leads(throws, data):
    table = data.draw(some.tables(throws=throws))
    rules, suits = table.rules, some.suits_of(table)
    kinds = data.draw(st.sampled_from(suits))
    hand = data.draw(some.clusters(table, kinds, 8)) + data.draw(some.others(table, kinds, 4))
    # what is neither in hand nor gone nor buried is with the others
    rest = rest_of(deck(rules).elements(), hand)
    data.draw(st.randoms(use_true_random=False)).shuffle(rest)
    gone = rest[: data.draw(st.integers(0, len(rest)))]
    buried = rest[len(gone) :][: data.draw(st.sampled_from([0, rules.kitty]))]
    voids = data.draw(st.sets(st.integers(0, 4), max_size=2))
    expected = legal_leads(rules, table.order, hand, unseen_by(rules, hand, gone, buried), voids)
    games = table.kernels.lead(hand, gone=gone, buried=buried, voids=voids)
    assert_plays(rules, games, [(*play, END) for play in expected])


ATTEMPT = {"throws": "attempt"}
#: Tops of tractors and of tuples come from different scales (R4.3), and a failed throw compares.
NATURAL = ATTEMPT | {
    "failed_throw_plays": "lowest",
    "permanent_links": "natural",
    "permanent_trumps": ("5", "6", "9"),
}


@pytest.mark.parametrize("fixed", [ATTEMPT, NATURAL], ids=["any", "natural"])
@some.examples(200)
@given(data=st.data())
def test_r5_3_and_r5_4_throws(fixed, data):
    table = data.draw(some.tables(**fixed))
    suits = some.suits_of(table)
    kinds = suits[-1] if fixed is NATURAL else data.draw(st.sampled_from(suits))
    thrown = data.draw(some.clusters(table, kinds, 9))
    hands = [data.draw(some.clusters(table, kinds, 8)) for _ in range(1, table.rules.players)]
    tried = try_throw(table.rules, table.order, thrown, hands)
    assert table.kernels.throw([thrown, *hands], thrown) == (tried.led, tried.penalty)
    assert rest_of(thrown, tried.led) == tried.back


@pytest.mark.parametrize("hand", ["♣33445", "♣3344566", "♦22♣22♥2♠2☆", "♠333445"])
@pytest.mark.parametrize("throws", ["off", "certain", "attempt"])
def test_r5_2_a_throw_is_no_begun_tractor(hand, throws):
    """Once the second 5 of 33445 was offered, since 33 44 55 had been in reach at 33."""
    rules, hand = Rules(throws=throws, decks=3, kitty=6), list(parse_cards(hand))
    for place in ((0, 0), (8, 3), (8, None)):
        table = some.Table(rules, *place)
        for voids in ((), range(5)):
            unseen = unseen_by(rules, hand, ())
            expected = legal_leads(rules, table.order, hand, unseen, voids)
            games = table.kernels.lead(hand, voids=voids)
            assert_plays(rules, games, [(*play, END) for play in expected])

"""Who takes a trick (R7) and what the kitty counts (R10.1): the kernels against the oracle."""

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.oracle.order import TRUMP
from tests.oracle.score import capture
from tests.oracle.shapes import decompose, shape_of
from tests.oracle.trick import winner

from . import strategies as some


@st.composite
def tricks(draw, **fixed):
    """(table, plays): a lead of any shape and answers to it, in its suit or trumps."""
    table = draw(some.tables(**fixed))
    suits = some.suits_of(table)
    kinds = draw(st.sampled_from(suits))
    lead = draw(some.leads(table, kinds, 9))
    shapes = [shape_of(unit) for unit in decompose(table.order, lead)]
    if table.rules.wider_beats != "off" and len(shapes) == 1:
        cards = len(lead)
        shapes = draw(st.sampled_from(
            [shapes, *([(w, cards // w)] for w in (2, 3, 4) if cards % w == 0)]
        ))  # fmt: skip
    trumps = [kind for kind in suits[-1] if table.order.suit[kind] == TRUMP]
    answer = st.sampled_from([kinds, kinds, trumps or kinds]).flatmap(
        lambda kinds: some.answers(table, kinds, shapes)
    )
    return table, [lead, *(draw(answer) for _ in range(1, table.rules.players))]


@some.examples(300)
@given(tricks())
def test_r7_winner(trick):
    table, plays = trick
    assert table.kernels.winner(plays) == winner(table.rules, table.order, plays)


@st.composite
def throws(draw, **fixed):
    """(table, plays): a throw of tuples and answers from the same few kinds, all of one suit."""
    table = draw(some.tables(**fixed))
    kinds = draw(st.sampled_from([suit for suit in some.suits_of(table) if len(suit) > 5]))
    shapes = draw(st.sampled_from([
        [(3, 1), (2, 1), (1, 1)], [(3, 1), (1, 1), (1, 1)], [(3, 1), (3, 1), (2, 1), (2, 1)],
        [(2, 1), (1, 1), (1, 1)], [(2, 2), (2, 1), (1, 1)], [(2, 2), (3, 1), (1, 1)],
        [(4, 1), (3, 1), (1, 1)], [(4, 1), (2, 1), (2, 1), (1, 1)],
    ]))  # fmt: skip
    lead = draw(some.answers(table, kinds, shapes))
    assume(set(lead) <= set(kinds))
    shapes = [shape_of(unit) for unit in decompose(table.order, lead)]
    return table, [
        lead,
        *(draw(some.answers(table, kinds, shapes)) for _ in range(1, table.rules.players)),
    ]


@some.examples(300)
@given(throws(throw_compare="all", throws="attempt", decks=4))
def test_r7_2_higher_in_every_unit(trick):
    table, plays = trick
    assert table.kernels.winner(plays) == winner(table.rules, table.order, plays)


@some.examples(100)
@given(tricks(), st.integers(0, 100))
def test_r10_1_capture(trick, points):
    table, plays = trick
    best = plays[winner(table.rules, table.order, plays)]
    expected = capture(table.rules, table.order, plays[0], best, points)
    assert table.kernels.capture(plays[0], best, points) == expected

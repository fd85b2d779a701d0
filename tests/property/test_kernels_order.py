"""Orders, links and decompositions (R3, R4) of the kernels against the oracle."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import Kernels, bits_of
from tests.oracle.order import Order
from tests.oracle.shapes import decompose

from . import strategies as some

COMBOS = [(None, None), *((level, trump) for level in range(13) for trump in (0, 1, 2, 3, None))]


def dense(heights, kinds):
    """The heights of some kinds as places, without gaps, within their effective suits."""
    places = {suit: sorted({heights[k] for k, s in kinds if s == suit}) for suit in range(5)}
    return {kind: places[suit].index(heights[kind]) for kind, suit in kinds}


@some.examples(50)
@given(some.rules())
def test_r3_r4_order_and_links_at_every_level_and_trump(rules):
    for level, trump in COMBOS:
        order, kernels = Order(rules, level, trump), Kernels(rules, level, trump)
        assert kernels.look_up("suit_of") == order.suit
        assert kernels.look_up("power") == order.power
        link = kernels.look_up("link")
        linked = [
            (a, b)
            for a, b in combinations(range(54), 2)
            if order.suit[a] == order.suit[b]
            and link[a] >= 0 <= link[b]
            and abs(link[a] - link[b]) == 1
        ]
        assert linked == order.links()
        chained = [(k, order.suit[k]) for k in sorted({k for pair in linked for k in pair})]
        heights = dense(kernels.look_up("tractor_power"), chained)
        assert heights == {k: h for k, h in enumerate(order.tractor_power()) if h is not None}
        for kind, higher in enumerate(kernels.look_up("higher")):
            assert bits_of(higher) == [
                k
                for k in range(54)
                if order.suit[k] == order.suit[kind] and order.power[k] > order.power[kind]
            ]


@some.examples(100)
@given(st.data())
def test_r4_6_decomposition(data):
    table = data.draw(some.tables())
    cards = data.draw(some.clusters(table, data.draw(st.sampled_from(some.suits_of(table))), 16))
    expected = [(unit.w, unit.length, list(unit.kinds)) for unit in decompose(table.order, cards)]
    assert table.kernels.units(cards) == expected

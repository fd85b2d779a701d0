"""What a follower owes and may play (R6): the kernels against the oracle."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.kernels import assert_plays
from tests.oracle.follow import legal_follows, pattern

from . import strategies as some

FIXED = {
    "any": {},
    "protect": {"protect_wider": True, "decks": 4},
    "exact": {"follow": "exact", "decks": 4},
    "cards": {"follow": "cards", "throws": "off", "decks": 4},
}


@pytest.mark.parametrize("fixed", FIXED.values(), ids=FIXED)
@some.examples(120)
@given(data=st.data())
def test_r6_pattern_and_follows(fixed, data):
    table = data.draw(some.tables(revoke="impossible", **fixed))
    kinds = data.draw(st.sampled_from(some.suits_of(table)))
    lead = data.draw(some.leads(table, kinds, 8))
    mine = data.draw(some.clusters(table, kinds, 13))
    mine = mine if len(mine) > len(lead) or data.draw(st.booleans()) else mine[: len(lead) // 2]
    aside = data.draw(some.others(table, kinds, 7))
    hand = sorted(mine + aside)
    assume(len(hand) >= len(lead))
    order, rules = table.order, table.rules
    assert table.kernels.pattern(lead, hand) == [
        list(p) for p in pattern(rules, order, lead, hand) or ()
    ]
    games = table.kernels.follow(lead, hand)
    assert_plays(rules, games, legal_follows(rules, order, lead, hand))

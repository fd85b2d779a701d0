"""Which bids may be made over which (R8.2, R8.3, R9.3): the kernels against the oracle."""

from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import Kernels, assert_plays, bid_path
from tests.oracle.bid import legal_bids
from tests.oracle.lead import deck
from tuolaji_env.core.record import END

from . import strategies as some


@st.composite
def histories(draw, rules, levels):
    """Bids one over the other, by anybody, as if everybody held all cards."""
    everything = list(deck(rules).elements())
    history = []
    for _ in range(draw(st.integers(0, 4))):
        seat = draw(st.integers(0, rules.players - 1))
        bids = sorted(legal_bids(rules, levels, history, seat, everything), key=repr)
        if bids:
            history.append((seat, draw(st.sampled_from(bids))))
    return history


@some.examples(300)
@given(st.data())
def test_r8_2_and_r8_3_bids(data):
    rules = data.draw(some.rules())
    ranks = 3 if rules.teams == "friends" else 1
    levels = sorted(data.draw(st.sets(st.integers(0, 12), min_size=1, max_size=ranks)))
    history = data.draw(histories(rules, levels))
    bidder = data.draw(st.integers(0, rules.players - 1))
    telling = [13 * suit + rank for suit in range(4) for rank in levels]
    telling += [52, 53] * rules.jokers
    held = data.draw(st.lists(st.sampled_from(telling), max_size=10))
    hand = [k for k in telling for _ in range(min(held.count(k), rules.decks))]
    bids = legal_bids(rules, levels, history, bidder, hand)
    games = Kernels(rules).bid(levels, history, bidder, hand)
    assert_plays(rules, games, [(END,), *map(bid_path, bids)] if bids else [])

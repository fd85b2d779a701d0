"""Random rules, tables and hands: clustered in a suit, rich in copies, neighbours and odd links."""

import os
import random
from collections import Counter
from functools import cache

from hypothesis import settings
from hypothesis import strategies as st

from tests.kernels import Kernels
from tests.oracle.order import RANKS, Order
from tests.oracle.shapes import units, without
from tuolaji_env.rules import Rules, RulesError, load_rules, preset_names

POOL = 240


def examples(count):
    """Settings for so many examples, times EXAMPLES in the environment."""
    return settings(max_examples=count * int(os.environ.get("EXAMPLES", "1")))


def _subset(rng, names, most):
    return tuple(rng.sample(names, rng.randint(0, most)))


#: How a random rule set chooses its fields; what is refused together is drawn anew.
FIELDS = {
    "decks": lambda rng: rng.choice((1, 2, 2, 3, 3, 4, 4)),
    "jokers": lambda rng: rng.random() < 0.85,
    "players": lambda rng: rng.choice((4, 4, 4, 5, 6, 7)),
    "teams": lambda rng: rng.choice(("fixed", "fixed", "friends")),
    "mandatory": lambda rng: _subset(rng, RANKS, 3),
    "win_by": lambda rng: rng.choice(("passing", "defending")),
    "cyclic": lambda rng: rng.random() < 0.2,
    "max_deals": lambda rng: rng.choice((1, 2, 200)),
    "top_no_trump": lambda rng: rng.random() < 0.2,
    "top_needs_trump_capture": lambda rng: rng.random() < 0.2,
    "permanent_trumps": lambda rng: rng.choice((
        (), (), ("2",), "next_level", _subset(rng, RANKS, 4)
    )),
    "permanent_links": lambda rng: rng.choice(("order", "natural")),
    "links": lambda rng: rng.choice(("standard", "standard", "guangxi")),
    "level3_with_2": lambda rng: rng.random() < 0.3,
    "throws": lambda rng: rng.choice(("off", "certain", "attempt")),
    "failed_throw_plays": lambda rng: rng.choice(("widest", "lowest")),
    "throw_penalty_per_card": lambda rng: rng.choice((0, 10)),
    "throw_penalty_points": lambda rng: rng.choice((0, 5)),
    "follow": lambda rng: rng.choice(("longest", "exact", "cards")),
    "follow_prefers": lambda rng: rng.choice(("tractor", "width")),
    "same_count": lambda rng: rng.random() < 0.4,
    "protect_wider": lambda rng: rng.random() < 0.3,
    "throw_compare": lambda rng: rng.choice(("main", "lexicographic", "all")),
    "wider_beats": lambda rng: rng.choice(("off", "tractor", "all")),
    "bid_poll": lambda rng: rng.choice(("draw", "end")),
    "reinforce": lambda rng: rng.random() < 0.7,
    "reclaim": lambda rng: rng.random() < 0.4,
    "bids": lambda rng: rng.choice(
        ("count", "standard", "joker_backed", "henan", "chaodi2", "chaodi3")
    ),
    "single_by_suit": lambda rng: rng.random() < 0.3,
    "first_declarer": lambda rng: rng.choice(("bidder", "first_bidder", "drawn", "given")),
    "no_bid": lambda rng: rng.choice(("redeal", "flip", "no_trump")),
    "max_redeals": lambda rng: rng.choice((0, 3)),
    "hidden_bids": lambda rng: rng.random() < 0.3,
    "rebid_after_bury": lambda rng: rng.random() < 0.3,
    "capture": lambda rng: rng.choice(
        ("unit_cards", "pow2_cards", "pow2_pairs", "tractor_pow2", "play_cards", "bonus")
    ),
    "capture_factor": lambda rng: rng.choice((1, 2, 3)),
    "all_pairs": lambda rng: rng.random() < 0.3,
    "capture_needs_trump": lambda rng: rng.random() < 0.3,
    "last_trick_multiplies": lambda rng: rng.random() < 0.3,
    "clamp": lambda rng: rng.choice((None, None, (0, 200), (-50, 120))),
    "base": lambda rng: rng.choice((40, 80, 120)),
    "step": lambda rng: rng.choice((20, 40, 45)),
    "table": lambda rng: rng.choice((
        None, None, ((-20, "declarers", 2), (0, "declarers", 1), (60, "others", 0),
                     (100, "others", 2)),
    )),
    "below_zero_step": lambda rng: rng.choice((0, 0, 30)),
    "max_rise": lambda rng: rng.choice((None, None, 1, 3)),
    "revoke": lambda rng: rng.choice(("impossible", "impossible", "forfeit")),
    "kitty": lambda rng: rng.choice((None, None, 4, 6, 8)),
}  # fmt: skip


def _ladder(rng):
    names = (*RANKS, "NT") if rng.random() < 0.2 else RANKS
    return names[rng.choice((0, 0, 3, 9)) :]


@cache
def random_rules(seed, fixed=()):
    """Rules number `seed`: some or all fields are drawn; `fixed`: fields and values that hold."""
    rng = random.Random(seed)
    while True:
        share = rng.choice((0.15, 0.4, 1.0))
        fields = {name: draw(rng) for name, draw in FIELDS.items() if rng.random() < share}
        if fields.get("kitty", 0) is None:
            del fields["kitty"]
        if rng.random() < 0.3:
            fields["ladder"] = _ladder(rng)
        try:
            return Rules(**fields | dict(fixed))
        except RulesError:
            continue


#: Shapes of which leads are made.
SHAPES = [(1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (2, 3), (3, 2), (4, 2)]

PRESETS = [load_rules(name) for name in preset_names()]


def rules(**fixed):
    """Any rules with these values of some fields, presets among them."""
    presets = [r for r in PRESETS if all(getattr(r, name) == fixed[name] for name in fixed)]
    fixed = tuple(fixed.items())
    chosen = st.integers(0, POOL - 1).map(lambda seed: random_rules(seed, fixed))
    return st.sampled_from(presets) | chosen if presets else chosen


class Table:
    """Rules, level and trump, and what the oracle and the kernels make of them."""

    def __init__(self, rules, level, trump):
        self.rules, self.level, self.trump = rules, level, trump
        self.order, self.kernels = Order(rules, level, trump), Kernels(rules, level, trump)

    def __repr__(self):
        fields = self.rules.model_dump(exclude_defaults=True)
        return f"Table(Rules(**{fields}), {self.level}, {self.trump})"


@st.composite
def tables(draw, **fixed):
    """A table under any rules with these values of some fields."""
    drawn = draw(rules(**fixed))
    level = draw(st.sampled_from([None, *range(13)]))
    trump = None if level is None else draw(st.sampled_from([0, 1, 2, 3, None]))
    return Table(drawn, level, trump)


def suits_of(table):
    """The kinds of each effective suit that has any, the most interesting (trump) twice."""
    highest = 54 if table.rules.jokers else 52
    suits = [
        [kind for kind in range(highest) if table.order.suit[kind] == suit]
        for suit in (0, 1, 2, 3, 4, 4)
    ]
    return [kinds for kinds in suits if kinds]


def _chained(table, kinds):
    """The kinds in the order of the tractor chain, kinds of one link side by side."""
    place = {kind: i for run in table.order.runs for i, link in enumerate(run) for kind in link}
    return sorted(kinds, key=lambda kind: (place.get(kind, -1), kind))


@st.composite
def clusters(draw, table, kinds, most):
    """Up to `most` cards, at least one, of neighbouring kinds in many copies."""
    chain = _chained(table, kinds)
    start = draw(st.integers(0, max(len(chain) - 3, 0)))
    window = chain[start : start + draw(st.integers(1, 9))]
    widths = st.sampled_from([w for w in (2, 2, 3, 1, 4, 0) if w <= table.rules.decks])
    cards = [kind for kind in window for _ in range(draw(widths))][:most]
    return sorted(cards) or [window[0]]


@st.composite
def answers(draw, table, kinds, shapes):
    """As many cards as some shapes have, from a few neighbouring kinds, mostly of these shapes."""
    chain = _chained(table, kinds)
    start = draw(st.integers(0, max(len(chain) - 3, 0)))
    width = draw(st.sampled_from([3, 4, 5, 8]))
    left = Counter(dict.fromkeys(chain[start : start + width], table.rules.decks))
    cards = []
    for width, length in shapes:
        found = units(table.order, left, width, length)
        if found and draw(st.integers(0, 9)):
            unit = draw(st.sampled_from(found))
            left = without(left, unit)
            cards += unit.kinds * width
    missing = sum(w * length for w, length in shapes) - len(cards)
    left += Counter({kind: table.rules.decks for kind in range(52) if kind not in left})
    return sorted(cards + list(left.elements())[:missing])


@st.composite
def leads(draw, table, kinds, most):
    """Up to `most` cards of one suit that may be led: a unit, or several where there are throws."""
    if draw(st.booleans()):
        cards = draw(clusters(table, kinds, most))
    else:
        shapes = draw(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=3))
        while sum(w * length for w, length in shapes) > most:
            shapes.pop()
        cards = draw(answers(table, kinds, shapes))
        cards = [card for card in cards if card in kinds] or [kinds[0]]
    if table.rules.throws == "off" or draw(st.booleans()):
        width, _, unit = table.kernels.units(cards)[0]
        return sorted(unit * width)
    return cards


@st.composite
def others(draw, table, kinds, most):
    """Up to `most` cards of other suits."""
    highest = 54 if table.rules.jokers else 52
    foreign = [kind for kind in range(highest) if kind not in kinds]
    if not foreign or not most:
        return []
    cards = draw(st.lists(st.sampled_from(foreign), max_size=most))
    return sorted(k for k in set(cards) for _ in range(min(cards.count(k), table.rules.decks)))

"""Units in a multiset of one effective suit: R4.1 and R4.6.

A shape is (w, L); a `Unit` is a shape on particular kinds. `top` is the height (see `order`) of
its highest card. The functions take counts (Counter kind -> copies) that hold one effective suit
only; `of_suit` cuts them out of a hand.

Readings: "lower kinds" compares ascending lists of kinds from the front. `main_first` is the
order of R7.2's main unit, which prefers a tractor to a tuple; `cards_first` that of R4.6, which
prefers the wider.
"""

from collections import Counter, namedtuple
from itertools import product

Unit = namedtuple("Unit", "w length kinds top")


def cards_first(shape):
    """Sort key: most cards, then wider (R4.6, R6.2)."""
    w, length = shape
    return (-w * length, -w)


def main_first(shape):
    """Sort key: most cards, then a tractor before a tuple, then wider (R7.2)."""
    w, length = shape
    return (-w * length, length == 1, -w)


def shape_of(unit):
    """The (w, L) of a unit."""
    return (unit.w, unit.length)


def cards_of(unit):
    """The cards of a unit, ascending."""
    return sorted(card for card in unit.kinds for _ in range(unit.w))


def of_suit(order, cards, suit):
    """Counts of the cards of one effective suit."""
    return Counter(card for card in cards if order.suit[card] == suit)


def common_suit(order, cards):
    """The one effective suit of the cards, or None if there are several."""
    suits = {order.suit[card] for card in cards}
    return suits.pop() if len(suits) == 1 else None


def kinds_runs(order, able, length):
    """All sets of kinds at `length` consecutive links, taken from the set `able` (R4.2)."""
    for run in order.runs:
        for start in range(len(run) - length + 1):
            links = [[card for card in link if card in able] for link in run[start:][:length]]
            yield from product(*links)


def units(order, counts, w, length, exact=False):
    """All units (w, length) in the counts; `exact` asks for exactly w copies (R6.5)."""
    able = {card for card, c in counts.items() if (c == w if exact else c >= w)}
    if length == 1:
        return [Unit(w, 1, (card,), order.tuple_height(card)) for card in sorted(able)]
    if w < 2:
        return []
    return [
        Unit(w, length, tuple(sorted(kinds)), max(map(order.tractor_height, kinds)))
        for kinds in kinds_runs(order, able, length)
    ]


def all_units(order, counts):
    """Every unit of every shape in the counts."""
    found = []
    for w in range(1, max(counts.values(), default=0) + 1):
        for length in range(1, 15):
            more = units(order, counts, w, length)
            found += more
            if not more:
                break
    return found


def without(counts, unit):
    """The counts less the cards of a unit."""
    rest = Counter(counts)
    for card in unit.kinds:
        rest[card] -= unit.w
        if not rest[card]:
            del rest[card]
    return rest


def decompose(order, cards):
    """R4.6: the units of a led set of one effective suit, in the order they are taken."""
    counts = Counter(cards)
    taken = []
    while counts:
        found = all_units(order, counts)
        found.sort(key=lambda unit: unit.kinds)
        found.sort(key=lambda unit: unit.top, reverse=True)
        found.sort(key=lambda unit: cards_first(shape_of(unit)))
        taken.append(found[0])
        counts = without(counts, found[0])
    return taken


def main_unit(decomposed):
    """R7.2: the unit with most cards, a tractor before a tuple, then wider."""
    return min(decomposed, key=lambda unit: main_first(shape_of(unit)))


def splits(order, counts, shapes):
    """R7.1: all ways to split the counts into exactly these shapes, each as a list of tops.

    Shapes and tops run from the main unit down (`main_first`); the tops of equal shapes descend.
    """
    shapes = sorted(shapes, key=main_first)
    if sum(w * length for w, length in shapes) != sum(counts.values()):
        return []
    return [list(tops) for tops in sorted(_splits(order, Counter(counts), shapes, None))]


def _splits(order, counts, shapes, bound):
    if not shapes:
        return {()}
    (w, length), later = shapes[0], shapes[1:]
    if (w, length) == (1, 1):
        # Singles come last of all shapes, so what is left is exactly them.
        singles = sorted(map(order.tuple_height, counts.elements()), reverse=True)
        return {tuple(singles)}
    found = set()
    for unit in units(order, counts, w, length):
        if bound is not None and unit.top > bound:
            continue
        next_bound = unit.top if later and later[0] == (w, length) else None
        rest = _splits(order, without(counts, unit), later, next_bound)
        found |= {(unit.top, *tops) for tops in rest}
    return found

"""What may be led: single units, certain throws, and what becomes of a tried throw (R5).

Readings chosen where the text is terse:

* R5.2 "higher kind" goes by power (R3.2), not by the power in tractors; equal kinds are not
  higher. The copies c are those in the throw. A player is known void in a suit once he has
  followed it with a card of another suit, and by nothing else; cards that a failed throw has
  shown still count as not placed.
* R5.3 the units of a throw are those of R4.6, and it fails as soon as another hand holds a
  higher unit of a unit's shape, whatever his other duties are. `lowest` compares tops of
  different shapes on the common scale of `order`; "lower kind" compares ascending kind lists.
"""

from collections import Counter, namedtuple
from itertools import product
from math import prod

from .order import SMALL
from .shapes import (
    all_units,
    cards_first,
    cards_of,
    common_suit,
    decompose,
    of_suit,
    shape_of,
    units,
)

Tried = namedtuple("Tried", "stands led back penalty")


def deck(rules):
    """Counts of all cards of the game (R1.1)."""
    kinds = range(54) if rules.jokers else range(SMALL)
    return Counter(dict.fromkeys(kinds, rules.decks))


def stands(order, card, copies, unseen):
    """R5.2: whether a kind stands at a number of copies, against the cards not placed."""
    enough = 1 if copies >= 3 else copies
    return not any(
        count >= enough
        for other, count in unseen.items()
        if order.suit[other] == order.suit[card] and order.power[other] > order.power[card]
    )


def unseen_by(rules, hand, played, buried=()):
    """R5.2: the cards a leader cannot place; `buried` is his only if he buried last."""
    return deck(rules) - Counter(hand) - Counter(played) - Counter(buried)


def is_legal_lead(rules, order, hand, cards, unseen, void_suits=()):
    """Whether these cards may be led, or under `attempt` be tried (R5.1-5.3).

    `unseen`: counts by `unseen_by`; `void_suits`: effective suits in which all others are known
    void. Both only matter under `throws: certain`.
    """
    if not cards or Counter(cards) - Counter(hand):
        return False
    suit = common_suit(order, cards)
    if suit is None:
        return False
    if len(decompose(order, cards)) == 1 or rules.throws == "attempt":
        return True
    if rules.throws == "off":
        return False
    return suit in void_suits or all(
        stands(order, card, copies, unseen) for card, copies in Counter(cards).items()
    )


def legal_leads(rules, order, hand, unseen, void_suits=(), limit=None):
    """All legal leads as a set of ascending tuples; under `attempt` every subset of a suit.

    None if the throws of one suit are over `limit`.
    """
    legal = set()
    for suit in range(5):
        counts = of_suit(order, hand, suit)
        legal |= {tuple(cards_of(unit)) for unit in all_units(order, counts)}
        if rules.throws == "off":
            continue
        free = rules.throws == "attempt" or suit in void_suits
        choices = [
            [
                (card,) * copies
                for copies in range(counts[card] + 1)
                if not copies or free or stands(order, card, copies, unseen)
            ]
            for card in sorted(counts)
        ]
        if limit is not None and prod(map(len, choices)) > limit:
            return None
        legal |= {sum(parts, ()) for parts in product(*choices)} - {()}
    return legal


def beaten_units(order, thrown, other_hands):
    """R5.3: the units of a throw that one of the other hands beats."""
    suit = common_suit(order, thrown)
    others = [of_suit(order, hand, suit) for hand in other_hands]
    return [
        unit
        for unit in decompose(order, thrown)
        if any(
            rival.top > unit.top
            for counts in others
            for rival in units(order, counts, unit.w, unit.length)
        )
    ]


def try_throw(rules, order, thrown, other_hands):
    """R5.3, R5.4: what is led, what goes back, and the penalty, when a throw is tried."""
    beaten = beaten_units(order, thrown, other_hands)
    if not beaten:
        return Tried(True, sorted(thrown), [], 0)
    if rules.failed_throw_plays == "widest":
        first = min((shape_of(unit) for unit in beaten), key=cards_first)
        choice = [unit for unit in beaten if shape_of(unit) == first]
        led = min(choice, key=lambda unit: (unit.top, unit.kinds))
    else:
        led = min(beaten, key=lambda unit: (unit.top, unit.w * unit.length, unit.kinds))
    cards = cards_of(led)
    back = sorted((Counter(thrown) - Counter(cards)).elements())
    lost = sum(unit.w * unit.length for unit in beaten)
    penalty = lost * rules.throw_penalty_per_card + rules.throw_penalty_points
    return Tried(False, cards, back, penalty)

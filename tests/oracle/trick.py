"""Who takes a trick: R7.

Readings chosen where the text is terse:

* The lead is judged like every other play, by its best split, not only by the split of R4.6.
* `lexicographic` compares the tops from the main unit down (most cards, a tractor before a
  tuple, wider), equal shapes from the highest top down; each play in its best split.
* `all`: the challenger needs one split that is higher in every place than the standing play's
  lexicographically best split, equal shapes paired from the highest top down.
* Whatever `throw_compare` says, a ruff beats the led suit without any comparison of tops.
* `wider_beats: tractor` concerns led tractors only: a quad neither beats a tractor nor falls to
  one. Under `tractor` and `all` a narrower play never beats the standing wider one.
"""

from collections import Counter

from .order import TRUMP
from .shapes import common_suit, decompose, shape_of, splits


def one_unit(order, cards):
    """The unit that the cards are, or None."""
    if common_suit(order, cards) is None:
        return None
    decomposed = decompose(order, cards)
    return decomposed[0] if len(decomposed) == 1 else None


def widths_count(rules, lead_units):
    """R7.3: whether plays of other widths compete with this lead."""
    if len(lead_units) > 1 or rules.wider_beats == "off":
        return False
    return rules.wider_beats == "all" or lead_units[0].length >= 2


def by_width(rules, order, lead, cards):
    """R7.3: (width, trump, top) of a competing play, or None."""
    suit, unit = common_suit(order, cards), one_unit(order, cards)
    if unit is None or suit not in (common_suit(order, lead), TRUMP) or len(cards) != len(lead):
        return None
    if rules.wider_beats == "tractor" and unit.length < 2:
        return None
    return (unit.w, suit == TRUMP, unit.top)


def by_split(order, lead, cards):
    """R7.1: (is it trump, all its splits) of a competing play, or None."""
    suit = common_suit(order, cards)
    if suit not in (common_suit(order, lead), TRUMP) or suit is None:
        return None
    shapes = [shape_of(unit) for unit in decompose(order, lead)]
    found = splits(order, Counter(cards), shapes)
    return (suit == TRUMP, found) if found else None


def higher(rules, challenger, standing):
    """R7.2: whether the later of two competing plays beats the standing one."""
    if challenger[0] != standing[0]:
        return challenger[0]
    best = max(standing[1])
    if rules.throw_compare == "main":
        return max(challenger[1])[0] > best[0]
    if rules.throw_compare == "lexicographic":
        return max(challenger[1]) > best
    return any(
        all(mine > his for mine, his in zip(tops, best, strict=True)) for tops in challenger[1]
    )


def winner(rules, order, plays):
    """R7.4: the index of the winning play; plays[0] is the lead."""
    lead = plays[0]
    wide = widths_count(rules, decompose(order, lead))
    best = 0
    for i, cards in enumerate(plays):
        if not i:
            continue
        if wide:
            mine = by_width(rules, order, lead, cards)
            beats = mine is not None and mine > by_width(rules, order, lead, plays[best])
        else:
            mine = by_split(order, lead, cards)
            beats = mine is not None and higher(rules, mine, by_split(order, lead, plays[best]))
        if beats:
            best = i
    return best

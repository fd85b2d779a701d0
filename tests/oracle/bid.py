"""Which bids are legal: R8.2, R8.3 and the bidding part of R9.3.

A bid is (cards, trump): an ascending tuple of the cards shown and a suit, or None for no-trump.

Readings chosen where the text is terse:

* `reinforce`: both bids show copies of one and the same kind, the new one more, and it is
  stronger. A joker that only backs level cards does not count. A bid of jokers is of one kind
  when all are small or all are big (so a pair of small, then three small, is one); a mixed one
  has no kind and is neither reinforced nor a reinforcement.
* `reclaim` is exactly what R8.2 tells: the bidder opened with a single, a pair of level cards of
  another seat stands, and he shows the pair of his kind. No pair is reclaimed from a triple.
* Three and four jokers may be any mix of small and big; mixes are different bids.
"""

from collections import Counter
from itertools import combinations_with_replacement

from .order import BIG, SMALL, kind, suit_of

BLACK = (1, 3)


def level_kinds(levels):
    """The kinds that may be shown at these level ranks (several only under friends, R9.3)."""
    return [kind(suit, rank) for rank in sorted(levels) for suit in range(4)]


def free(cards):
    """A bid of jokers with free choice of trump."""
    return [(cards, trump) for trump in (None, 0, 1, 2, 3)]


def joker_sets(count):
    """All sets of `count` jokers."""
    return list(combinations_with_replacement((SMALL, BIG), count))


def catalogue(rules, levels):
    """Every bid of the scheme with its strength: {(cards, trump): strength} (R8.3)."""
    scheme = rules.bids
    bids = {}
    for card in level_kinds(levels):
        suit = suit_of(card)
        for copies in range(1, rules.decks + 1):
            shown, strength = (card,) * copies, (copies, 0)
            if scheme == "joker_backed" and copies == 1:
                shown += (SMALL if suit in BLACK else BIG,)
            if scheme == "chaodi2" and (copies == 2 or rules.single_by_suit):
                strength = (copies, suit)
            if scheme == "chaodi3" and copies >= 2:
                strength = (copies if copies == 2 else 5, suit)
            if scheme == "henan":
                for joker in (SMALL, BIG):
                    bids[(*shown, joker), suit] = strength
            else:
                bids[shown, suit] = strength
    if scheme in ("standard", "joker_backed", "henan"):
        bids[(SMALL, SMALL), None], bids[(BIG, BIG), None] = (5, 0), (6, 0)
    if scheme in ("chaodi2", "chaodi3"):
        bids[(SMALL, SMALL), None], bids[(BIG, BIG), None] = (3, 0), (4, 0)
    if scheme == "chaodi2":
        bids |= {bid: (5, 0) for cards in joker_sets(3) for bid in free(cards)}
    if scheme == "chaodi3":
        bids |= {(cards, None): (6, cards.count(BIG) >= 2) for cards in joker_sets(3)}
        bids |= {bid: (7, 0) for cards in joker_sets(4) for bid in free(cards)}
    return bids


def shown_kind(bid):
    """(kind, copies) of a bid: of its level cards if it shows any, else of its jokers.

    (None, 0) for a mix of small and big jokers.
    """
    cards = [card for card in bid[0] if card < SMALL] or list(bid[0])
    return (cards[0], len(cards)) if len(set(cards)) == 1 else (None, 0)


def legal_bids(rules, levels, history, bidder, hand):
    """All bids a seat may make now, passing apart: a set of (cards, trump).

    `history`: (seat, bid) pairs, oldest first, the last one standing.
    """
    bids = catalogue(rules, levels)
    held = Counter(hand)
    own = {bid for bid in bids if not Counter(bid[0]) - held}
    if not history:
        return own
    by, standing = history[-1]
    stronger = {bid for bid in own if bids[bid] > bids[standing]}
    if by == bidder:
        return {bid for bid in stronger if rules.reinforce and reinforces(bid, standing)}
    if rules.reclaim and rules.bids in ("count", "standard"):
        stronger |= {bid for bid in own if reclaims(bid, history, bidder)}
    return stronger


def reinforces(bid, standing):
    """R8.2: more copies of the same kind (that it is stronger the caller asks)."""
    card, copies = shown_kind(standing)
    mine, more = shown_kind(bid)
    return card is not None and mine == card and more > copies


def reclaims(bid, history, bidder):
    """R8.2 保放: his single was over-bid by another's pair; he shows his second copy."""
    singles = [shown_kind(shown)[0] for by, shown in history if by == bidder and is_level(shown, 1)]
    return is_level(history[-1][1], 2) and is_level(bid, 2) and shown_kind(bid)[0] in singles


def is_level(bid, copies):
    """Whether a bid shows so many copies of a level card and nothing else."""
    return len(bid[0]) == copies and shown_kind(bid)[1] == copies and bid[0][0] < SMALL

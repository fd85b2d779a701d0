"""Random decisions for self-play of the reference game."""

from collections import Counter

from .follow import pattern, placements
from .lead import deck as all_cards
from .order import SMALL, TRUMP
from .shapes import all_units, cards_of, of_suit


def random_deck(rules, rng):
    """A shuffled deck; `rng` is a `random.Random`."""
    cards = sorted(all_cards(rules).elements())
    rng.shuffle(cards)
    return cards


def random_decision(game, rng):
    """Some legal decision of the one to move."""
    asked, seat = game.to_move
    if asked == "redeal":
        return random_deck(game.rules, rng)
    if asked == "bury":
        return tuple(sorted(rng.sample(game.hand(seat), game.rules.kitty)))
    if asked == "call":
        return _random_call(game, rng)
    if asked == "lead" and game.legal() is None:
        return _random_lead(game, seat, rng)
    if asked == "follow":
        return _random_follow(game, seat, rng)
    return rng.choice(sorted(game.legal(), key=repr))


def _random_call(game, rng):
    cards = [card for card in range(SMALL) if game.order.suit[card] != TRUMP]
    pairs = [(card, ordinal + 1) for card in cards for ordinal in range(game.rules.decks)]
    return tuple(sorted(rng.sample(pairs, game.rules.friends_called)))


def _random_lead(game, seat, rng):
    """A single unit, or now and then any cards of one suit."""
    hand = game.hand(seat)
    suit = game.order.suit[rng.choice(hand)]
    counts = of_suit(game.order, hand, suit)
    if rng.random() < 0.7 or game.rules.throws != "attempt":
        return tuple(cards_of(rng.choice(all_units(game.order, counts))))
    cards = list(counts.elements())
    return tuple(sorted(rng.sample(cards, rng.randint(1, min(8, len(cards))))))


def _random_follow(game, seat, rng):
    """A random placing of the pattern, filled up at random; any cards where revokes are free."""
    hand, lead, order = game.hand(seat), game.plays[0], game.order
    if game.rules.revoke == "forfeit" and rng.random() < 0.02:
        return tuple(sorted(rng.sample(hand, len(lead))))
    counts = of_suit(order, hand, order.suit[lead[0]])
    asked = pattern(game.rules, order, lead, hand)
    if asked is None:
        base, rest = list(counts.elements()), Counter(hand) - counts
    else:
        exact = bool(game.rules.protect_wider)
        base = list(rng.choice(sorted(placements(order, counts, asked, exact))))
        rest = counts - Counter(base)
        if exact:
            rest = Counter({card: c for card, c in rest.items() if card not in base})
    more = rng.sample(sorted(rest.elements()), len(lead) - len(base))
    return tuple(sorted(base + more))

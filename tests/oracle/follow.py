"""What a follower must play: the pattern P* and the set of all legal follows (R6).

Readings chosen where the text is terse:

* R6.3 under `follow: exact`: the places left of a (w, L) unit are asked for as match(w, places)
  with pieces narrower than w only.
* R6.4 `cards`: "pairs, as many as fit" stops at the number of cards still asked for; "any one
  unit of n cards, wider first" tries tuples and tractors alike.
* R6.5: a piece lies on kinds with exactly w copies, so under `protect_wider` two pieces never
  share a kind; in a play the copies are those of the play, not of the hand.
* When fewer than n cards are in the whole hand (it cannot happen in a deal), nothing is legal.
"""

from collections import Counter

from .shapes import cards_first, common_suit, decompose, of_suit, shape_of, units, without


def holds(order, counts, pattern, exact=False):
    """R6.2: whether the counts hold all pieces disjointly (`exact`: R6.5)."""
    pieces = sorted(pattern, key=cards_first)
    return _holds(order, Counter(counts), pieces, exact, (), {})


def _holds(order, counts, pieces, exact, floor, seen):
    if not pieces:
        return True
    if sum(w * length for w, length in pieces) > sum(counts.values()):
        return False
    state = (tuple(sorted(counts.items())), len(pieces), floor)
    if state not in seen:
        seen[state] = False
        (w, length), later = pieces[0], pieces[1:]
        for unit in units(order, counts, w, length, exact):
            # Equal pieces are placed in ascending order of kinds: one order of each choice.
            if unit.kinds < floor:
                continue
            next_floor = unit.kinds if later and later[0] == (w, length) else ()
            rest = _remaining(counts, unit, exact)
            if _holds(order, rest, later, exact, next_floor, seen):
                seen[state] = True
                break
    return seen[state]


def _remaining(counts, unit, exact):
    if not exact:
        return without(counts, unit)
    return Counter({card: c for card, c in counts.items() if card not in unit.kinds})


class _Asking:
    """P* while it grows (R6.2)."""

    def __init__(self, rules, order, counts):
        self.rules, self.order, self.counts = rules, order, counts
        self.exact = bool(rules.protect_wider)
        self.pattern = []

    def joins(self, w, length):
        """Add the piece to P* if the hand holds P* and it disjointly."""
        wanted = [*self.pattern, (w, length)]
        if w < 2 or not holds(self.order, self.counts, wanted, self.exact):
            return False
        self.pattern = wanted
        return True

    def match(self, w, length, widest=4):
        """R6.3: ask for the first piece that fits, then for what it leaves open."""
        for piece_w, piece_length in self.pieces(min(w, widest), length):
            if self.joins(piece_w, piece_length):
                self.match(w - piece_w, piece_length, widest)
                self.match(w, length - piece_length, widest)
                return

    def pieces(self, w, length):
        """R6.3: the pieces to try for (w, length), in the order of `follow_prefers`."""
        if length < 1:
            return []
        widths = range(w, 1, -1)
        if self.rules.follow_prefers == "width":
            return [(v, part) for v in widths for part in range(length, 0, -1)]
        tractors = [(v, part) for v in widths for part in range(length, 1, -1)]
        return tractors + [(v, 1) for v in widths]

    def match_exact(self, w, length):
        """R6.4 `exact`: the unit itself, else tuples of its width, else narrower pieces."""
        if self.joins(w, length):
            return
        left = length
        while left and self.joins(w, 1):
            left -= 1
        self.match(w, left, widest=w - 1)

    def match_cards(self, w, length):
        """R6.4 `cards`: the shape, a unit of as many cards, the biggest tractors, then pairs."""
        left = w * length
        if self.joins(w, length):
            return
        if self.rules.same_count:
            for v in range(4, 1, -1):
                if left % v == 0 and self.joins(v, left // v):
                    return
        tractors = [(v, part) for v in range(2, 5) for part in range(2, left // v + 1)]
        tractors.sort(key=cards_first)
        while True:
            fitting = (t for t in tractors if t[0] * t[1] <= left and self.joins(*t))
            taken = next(fitting, None)
            if taken is None:
                break
            left -= taken[0] * taken[1]
        while left >= 2 and self.joins(2, 1):
            left -= 2


def pattern(rules, order, lead, hand):
    """P* as a list of shapes, most cards first, ties wider first; None if there is no choice.

    There is none when the hand has no more cards of the led suit than were led (R6.1).
    """
    counts = of_suit(order, hand, common_suit(order, lead))
    if sum(counts.values()) <= len(lead):
        return None
    asking = _Asking(rules, order, counts)
    ask = {
        "longest": asking.match,
        "exact": asking.match_exact,
        "cards": asking.match_cards,
    }[rules.follow]
    for unit in decompose(order, lead):
        ask(*shape_of(unit))
    return sorted(asking.pattern, key=cards_first)


def is_legal_follow(rules, order, lead, hand, play):
    """Whether one play (a list of cards) follows lawfully: R6.1, R6.2, R6.5."""
    if len(play) != len(lead) or Counter(play) - Counter(hand):
        return False
    suit = common_suit(order, lead)
    mine, played = of_suit(order, hand, suit), of_suit(order, play, suit)
    if sum(mine.values()) <= len(lead):
        return played == mine
    if sum(played.values()) != len(lead):
        return False
    asked = pattern(rules, order, lead, hand)
    return holds(order, played, asked, bool(rules.protect_wider))


def legal_follows(rules, order, lead, hand, limit=None):
    """All legal follows as a set of ascending tuples (R6.1); None if there are over `limit`."""
    legal = set()
    for play in _follows(rules, order, lead, hand):
        legal.add(play)
        if limit is not None and len(legal) > limit:
            return None
    return legal


def _follows(rules, order, lead, hand):
    """Every legal follow at least once."""
    n = len(lead)
    counts = of_suit(order, hand, common_suit(order, lead))
    asked = pattern(rules, order, lead, hand)
    if asked is None:
        base = tuple(counts.elements())
        for more in sub_multisets(Counter(hand) - counts, n - len(base)):
            yield tuple(sorted(base + more))
        return
    exact = bool(rules.protect_wider)
    for placed in placements(order, counts, asked, exact):
        # Under R6.5 one more copy of a kind would break the piece that lies on it.
        rest = _left(counts, placed, exact)
        for more in sub_multisets(rest, n - len(placed)):
            yield tuple(sorted(placed + more))


def placements(order, counts, asked, exact=False):
    """All sets of cards (ascending tuples) that hold the pattern exactly, from these counts."""
    done = {()}
    for w, length in asked:
        done = {
            tuple(sorted(placed + tuple(card for card in unit.kinds for _ in range(w))))
            for placed in done
            for unit in units(order, _left(counts, placed, exact), w, length)
        }
    return done


def _left(counts, placed, exact):
    if exact:
        return Counter({card: c for card, c in counts.items() if card not in placed})
    return counts - Counter(placed)


def sub_multisets(counts, size):
    """All sub-multisets of a size, as ascending tuples."""
    cards = sorted(counts)
    above = [sum(counts[card] for card in cards[i:]) for i in range(len(cards) + 1)]

    def grow(i, left):
        if left > above[i] or left < 0:
            return
        if left == 0:
            yield ()
            return
        for c in range(min(counts[cards[i]], left) + 1):
            for rest in grow(i + 1, left - c):
                yield (cards[i],) * c + rest

    return grow(0, size)

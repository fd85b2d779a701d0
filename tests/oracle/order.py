"""The order of the kinds under one level and trump: R3, and the tractor chains of R4.2-4.5.

Readings chosen where the text is terse:

* R3.3 "None at level NT" holds for a list of permanent ranks as well as for `next_level`: at
  level NT only the jokers are trump (R2.1).
* A permanent rank that is also the level rank is a level card and nothing else.
* R4.4 at level NT has no level rank to cut the ring at; it is cut between A and 2 there.
* R4.5 asks for a trump suit; its 3 follows its 2 whether or not 2 is permanent.
* Tops are compared across shapes only by `failed_throw_plays: lowest` (R5.3). For that the tuple
  and the tractor power must share one scale, so both are given as a `height`: a natural permanent
  card (R4.3) in a tractor stands directly above the trump-suit card of the next lower rank.
"""

from itertools import pairwise

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SMALL, BIG = 52, 53
TRUMP = 4
THREE = 1


def kind(suit, rank):
    """The kind of a face (R1.1)."""
    return 13 * suit + rank


def rank_of(card):
    """The natural rank 0..12 of a kind, None for jokers."""
    return None if card >= SMALL else card % 13


def suit_of(card):
    """The natural suit 0..3 of a kind, None for jokers."""
    return None if card >= SMALL else card // 13


def points_of(card):
    """The points of one card (R1.2)."""
    return {3: 5, 8: 10, 11: 10}.get(rank_of(card), 0)


def points(cards):
    """The points of a set of cards (R1.2)."""
    return sum(points_of(card) for card in cards)


def permanent_ranks(rules, level):
    """R3.3: the permanent ranks at this level, ascending, without the level rank itself."""
    if level is None:
        return []
    if rules.permanent_trumps == "next_level":
        ladder = list(rules.ladder)
        name = RANKS[level]
        if name not in ladder or ladder.index(name) + 1 == len(ladder):
            return []
        names = [ladder[ladder.index(name) + 1]]
    else:
        names = list(rules.permanent_trumps)
    return sorted({RANKS.index(name) for name in names if name != "NT"} - {level})


class Order:
    """Effective suits, powers and tractor chains of all 54 kinds (R3.4).

    suit[k]   0..3, or 4 for trump
    power[k]  place in R3.2 within the effective suit, dense from 0, equal cards alike
    runs      chains of R4.2-4.5 upwards; each link of a run is the list of kinds that share it,
              and neighbouring links of one run are linked
    """

    def __init__(self, rules, level, trump):
        self.level, self.trump = level, trump
        self.permanent = permanent_ranks(rules, level)
        self.natural = rules.permanent_links == "natural"
        self.guangxi = rules.links == "guangxi"
        self.level3_with_2 = bool(rules.level3_with_2)
        named = set(self.permanent) | ({level} if level is not None else set())
        self.suit = [
            TRUMP
            if card >= SMALL or rank_of(card) in named or suit_of(card) == trump
            else suit_of(card)
            for card in range(54)
        ]
        self.layers = [self._side_layers(suit, named) for suit in range(4)]
        self.layers.append(self._trump_layers(named))
        self.power = [0] * 54
        for layers in self.layers:
            for place, layer in enumerate(layers):
                for card in layer:
                    self.power[card] = place
        self.runs = self._guangxi_runs() if self.guangxi else self._standard_runs()

    def tuple_height(self, card):
        """The height of single copies, pairs, triples and quads of a kind."""
        return (self.power[card], -1)

    def tractor_height(self, card):
        """R4.3, R4.4: the height by which a kind counts in a tractor."""
        if self.natural and rank_of(card) in self.permanent and suit_of(card) == self.trump:
            rank = rank_of(card)
            lower = [r for r in range(rank) if r != self.level and r not in self.permanent]
            return (len(lower) - 1, rank)
        return self.tuple_height(card)

    def links(self):
        """All pairs (a, b), a < b, of linked neighbours, sorted."""
        found = set()
        for run in self.runs:
            for low, high in pairwise(run):
                found |= {(min(a, b), max(a, b)) for a in low for b in high}
        return sorted(found)

    def tractor_power(self):
        """For each kind its place among the linked kinds of its suit, None if it has no link."""
        linked = {card for pair in self.links() for card in pair}
        heights = [
            sorted({self.tractor_height(card) for card in linked if self.suit[card] == suit})
            for suit in range(5)
        ]
        return [
            heights[self.suit[card]].index(self.tractor_height(card)) if card in linked else None
            for card in range(54)
        ]

    def _side_layers(self, suit, named):
        if suit == self.trump:
            return []
        return [[kind(suit, rank)] for rank in range(13) if rank not in named]

    def _split(self, rank):
        """The off-suit cards and the trump-suit card of a rank, each one layer (R3.2)."""
        off = [kind(suit, rank) for suit in range(4) if suit != self.trump]
        return [off, [kind(self.trump, rank)]]

    def _trump_layers(self, named):
        jokers = [[SMALL], [BIG]]
        if self.level is None:
            return jokers
        if self.trump is None:
            level = [kind(suit, self.level) for suit in range(4)]
            permanent = [kind(suit, rank) for rank in self.permanent for suit in range(4)]
            return [layer for layer in (permanent, level) if layer] + jokers
        plain = [[kind(self.trump, rank)] for rank in range(13) if rank not in named]
        raised = [layer for rank in self.permanent for layer in self._split(rank)]
        return plain + raised + self._split(self.level) + jokers

    def _standard_runs(self):
        """R4.2: each suit is one chain across the holes; R4.3 for natural permanent cards."""
        runs = self.layers[:4]
        if not self.natural or not self.permanent:
            return [*runs, self.layers[TRUMP]]
        if self.trump is None:
            level = [kind(suit, self.level) for suit in range(4)]
            return [*runs, [level, [SMALL], [BIG]]]
        plain = [[kind(self.trump, rank)] for rank in range(13) if rank != self.level]
        return [*runs, [*plain, *self._split(self.level), [SMALL], [BIG]]]

    def _guangxi_runs(self):
        """R4.4, R4.5: rings cut at the level rank and at every hole."""
        cut = self.level if self.level is not None else 12
        ring = [(cut + 1 + step) % 13 for step in range(13)]
        runs = [[[SMALL], [BIG]]]
        for suit in range(4):
            own = TRUMP if suit == self.trump else suit
            run = []
            for rank in ring:
                card = kind(suit, rank)
                joined = self.suit[card] == own and rank != self.level
                if self.level3_with_2 and suit == self.trump and rank == self.level == THREE:
                    joined = True
                if joined:
                    run.append([card])
                else:
                    runs.append(run)
                    run = []
            runs.append(run)
        return [run for run in runs if run]

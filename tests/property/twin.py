"""One match played by the kernels and by the oracle side by side, compared at every decision."""

from collections import Counter
from itertools import combinations, product

import numpy as np

from tests.kernels import (
    assert_masks,
    assert_plays,
    bid_path,
    bits_of,
    compiled,
    kinds_of,
    step,
    walked,
)
from tests.oracle.game import OracleGame
from tests.oracle.lead import deck as all_cards
from tests.oracle.order import SMALL, TRUMP, points
from tests.oracle.play import random_decision
from tests.oracle.score import clamped
from tests.oracle.settle import party_of, trick_points
from tests.oracle.trick import winner
from tuolaji_env.core import batch
from tuolaji_env.core.deal import shuffle
from tuolaji_env.core.jit import driver
from tuolaji_env.core.record import END, NO_LEVEL, NO_TRUMP, ORDINAL, TRUMP_OF, new_games

ASKED = ("bid", "bury", "call", "lead", "follow", "over")
#: Decisions are listed and compared only if the hand is at most so large.
LISTED = 16


@driver
def shuffle_again(rules, games):
    """The deck that the next shuffle of games[0] makes."""
    shuffle(rules[0], games[0])


def bits(seats):
    """Seats as a bit set."""
    return sum(1 << seat for seat in seats)


def ways(counts, size):
    """How many multisets of a size the counts hold."""
    numbers = [1] + [0] * size
    for copies in counts.values():
        numbers = [sum(numbers[max(n - copies, 0) : n + 1]) for n in range(size + 1)]
    return numbers[size]


class Twin:
    """A match in two copies: `games` (an array of one) and `oracle`."""

    def __init__(self, rules, rng):
        self.rules, self.rng, self.table = rules, rng, compiled(rules)
        self.games = new_games(1)
        batch.prepare(self.table, self.games, rng.getrandbits(40), True)
        parties = rules.players if rules.teams == "friends" else 2
        places = [rng.randrange(len(rules.ladder)) for _ in range(parties)]
        declarer = rng.randrange(rules.players)
        level = rules.ladder[places[party_of(rules, declarer)]]
        bidding = level != "NT" and not (rules.top_no_trump and level == rules.ladder[-1])
        if bidding and rules.first_declarer.endswith("bidder") and rng.random() < 0.5:
            declarer, places = None, [places[0]] * parties
        drawer = rng.randrange(rules.players)
        for seat in range(rules.players):
            self.games["level"][0, seat] = places[party_of(rules, seat)]
        self.games["next_declarer"] = -1 if declarer is None else declarer
        self.games["first_drawer"] = drawer
        self.shadow = self.games.copy()
        levels = [rules.ladder[place] for place in places]
        self.oracle = OracleGame(rules, self.deck(), levels, declarer, drawer)
        self.exposed = [Counter()] * rules.players  # what failed throws have shown
        batch.start(self.table, self.games)
        self._deal_on()

    @property
    def s(self):
        """The record."""
        return self.games[0]

    def deck(self):
        """The deck that the shadow of the record shuffled last."""
        return self.shadow["deck"][0, : self.rules.deck_size].tolist()

    def _deal_on(self):
        """R8.5: the oracle is told the decks of redeals, which the kernels shuffle themselves."""
        while self.oracle.to_move[0] == "redeal":
            shuffle_again(self.table, self.shadow)
            self.oracle.apply(self.deck())
        assert self.s["deck"][: self.rules.deck_size].tolist() == self.deck()
        if self.oracle.to_move[0] not in ("lead", "follow"):
            self.exposed = [Counter() for _ in range(self.rules.players)]
        self.compare()

    def next_deal(self):
        """Both begin the next deal of the match."""
        self.shadow = self.games.copy()
        shuffle_again(self.table, self.shadow)
        self.oracle = self.oracle.next_deal(self.deck())
        batch.next_deals(self.table, self.games, np.zeros(1, np.int64))
        self._deal_on()

    def play_deal(self):
        """Random decisions, some chosen by the kernels' masks, some by the oracle."""
        while self.oracle.to_move[0] != "over":
            self.compare_decisions()
            by_mask = self.rng.random() < 0.5
            decision = self._by_mask() if by_mask else random_decision(self.oracle, self.rng)
            assert self.oracle.is_legal(decision)
            self.apply(decision)
            self._deal_on()
        self.compare_results()

    # Decisions of the oracle and paths of the kernels.

    def path(self, decision):
        """The actions that make a decision."""
        asked = self.oracle.to_move[0]
        if asked == "bid":
            return bid_path(decision) if decision else (END,)
        if asked == "call":
            return tuple(a for kind, nth in decision for a in (kind, ORDINAL + nth - 1))
        return (*decision, END) if asked == "lead" else tuple(decision)

    def decision(self, path):
        """The decision that a path makes."""
        asked = self.oracle.to_move[0]
        if asked == "call":
            return tuple((k, a - ORDINAL + 1) for k, a in zip(path[::2], path[1::2], strict=True))
        cards = tuple(action for action in path if action < END)
        if asked != "bid" or not cards:
            return cards
        if cards[0] < SMALL:
            return cards, cards[0] // 13
        return cards, path[-1] - TRUMP_OF if path[-1] >= TRUMP_OF else None

    def _by_mask(self):
        """A walk of random allowed actions to the end of the decision."""
        games, before, path = self.games.copy(), self.oracle.to_move, []
        asked, seat = before
        size = {"bury": self.rules.kitty, "call": 2 * self.rules.friends_called}.get(asked)
        if asked == "follow":
            size = len(self.oracle.plays[0])
        while True:
            allowed = bits_of(games[0]["mask"])
            path.append(self.rng.choice(allowed))
            if len(path) == size or (size is None and path[-1] >= END):
                return self.decision(path)
            step(self.rules, games, path[-1:])
            assert games[0]["seat"] == seat

    def apply(self, decision):
        """Make the decision in both; every action must be allowed."""
        asked, seat = self.oracle.to_move
        path = self.path(decision)
        lawful = asked != "follow" or self.oracle.is_lawful_follow(decision)
        fails, before = len(self.oracle.penalties), Counter(self.oracle.hand(seat))
        seen = True
        self.shadow = self.games.copy()
        for action in path:
            seen = seen and bool(int(self.s["lawful"]) >> action & 1)
            step(self.rules, self.games, [action])
        assert seen is lawful
        self.oracle.apply(decision)
        if len(self.oracle.penalties) > fails:
            self.exposed[seat] |= Counter(decision)
        if asked in ("lead", "follow"):
            # of what was seen, a copy that is played counts as the one seen
            self.exposed[seat] -= before - Counter(self.oracle.hand(seat))

    # Comparisons.

    def compare(self):
        """Everything that both know of the deal."""
        s, oracle, rules = self.s, self.oracle, self.rules
        asked, seat = oracle.to_move
        assert ASKED[s["phase"]] == asked
        if asked == "over":
            return
        assert s["seat"] == seat
        seats = range(rules.players)
        hands = [kinds_of(hand) for hand in s["hand"][: rules.players]]
        assert hands == [sorted(oracle.hand(p)) for p in seats]
        assert s["held"][: rules.players].tolist() == list(map(len, hands))
        self._compare_cards(hands)
        mask, lawful = int(s["mask"]), int(s["lawful"])
        assert mask
        assert mask | lawful == mask
        assert asked == "call" or {a for a in bits_of(mask) if a < END} <= set(hands[seat])
        if asked == "bid" and not s["rebidding"]:
            return
        level = NO_LEVEL if oracle.level is None else oracle.level
        trump = NO_TRUMP if oracle.trump is None else oracle.trump
        assert (s["level_rank"], s["trump"], s["declarer"]) == (level, trump, oracle.declarer)
        assert s["combo"] == level * 5 + trump
        if asked in ("lead", "follow"):
            self._compare_play(seats)

    def _compare_cards(self, hands):
        """R1.1: all cards are somewhere, and only there."""
        s, rules = self.s, self.rules
        places = [*s["trick"], *s["played"]]
        if self.oracle.to_move[0] == "lead":
            places = s["played"]  # the trick is put away
        kitty = kinds_of(s["kitty"])
        drawn = rules.deck_size if kitty or s["phase"] == 1 else int(s["drawn"])
        cards = Counter(kitty) + Counter(s["deck"][drawn : rules.deck_size].tolist())
        for part in (*map(kinds_of, places), *hands):
            cards += Counter(part)
        assert cards == all_cards(rules)

    def _compare_play(self, seats):
        s, oracle, rules = self.s, self.oracle, self.rules
        assert kinds_of(s["kitty"]) == sorted(oracle.kitty)
        assert kinds_of(s["gone"]) == sorted(
            card
            for plays in (oracle.plays, *(trick.plays for trick in oracle.tricks))
            for play in plays
            for card in play
        )
        for p in seats:
            assert set(bits_of(s["void"][p])) == oracle.voids[p]
            assert s["taken"][p] == sum(trick_points(t) for t in oracle.tricks if t.winner == p)
            assert s["fined"][p] == sum(lost for by, lost in oracle.penalties if by == p)
            assert (s["side"][p] == 0) == (p in oracle.declaring_side)
            assert Counter(kinds_of(s["exposed"][p])) == self.exposed[p]
        assert s["leader"] == oracle.leader
        if oracle.plays:
            best = winner(rules, oracle.order, oracle.plays)
            assert s["winner"] == (oracle.leader + best) % rules.players
            assert s["count"] == len(oracle.plays[0])

    def compare_decisions(self):
        """The sets of decisions that may be made now, where they are not too many."""
        asked, seat = self.oracle.to_move
        hand = self.oracle.hand(seat)
        if asked == "bury":
            number = ways(Counter(hand), self.rules.kitty)
            if number < 1 << 15:
                assert len(set(walked(self.rules, self.games))) == number
        elif asked == "call":
            kinds = [k for k in range(SMALL) if self.oracle.order.suit[k] != TRUMP]
            calls = product(kinds, range(1, self.rules.decks + 1))
            sets = list(combinations(calls, self.rules.friends_called))
            if len(sets) < 1 << 13:
                assert_masks(self.rules, self.games, list(map(self.path, sets)))
        elif asked == "bid" or len(hand) <= LISTED:
            legal = self.oracle.legal()
            if legal is not None and len(legal) < 1 << 11:
                assert_plays(self.rules, self.games, [self.path(decision) for decision in legal])

    def compare_results(self):
        """R10, R2: how the deal ended, and what of the match."""
        s, end, rules = self.s, self.oracle.result, self.rules
        parties = [party_of(rules, seat) for seat in range(rules.players)]
        assert s["mask"] == 0
        assert s["match_over"] == end.match_over
        assert s["match_winners"] == bits(end.winners)
        assert [rules.ladder[place] for place in s["level"][: rules.players]] == [
            end.new_levels[party] for party in parties
        ]
        assert s["gained"][: rules.players].tolist() == [end.total_gained[p] for p in parties]
        assert s["deal"] == end.deals_played
        if end.side is None:  # nobody bid
            return
        assert s["rise"][: rules.players].tolist() == end.rises
        assert s["winners"] == bits(end.last_winners)
        declarer = end.next_declarer
        assert s["next_declarer"] == (-1 if declarer is None else declarer)
        assert s["capture"] == end.captured
        if end.forfeit is None:
            assert s["score"] == clamped(rules, end.points)
            everything = int(s["taken"].sum()) + points(kinds_of(s["kitty"]))
            assert everything == 100 * rules.decks

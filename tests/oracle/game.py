"""A slow reference game: one deal of R1-R10, decision by decision.

`to_move` says what is asked of whom; `legal`, `is_legal` and `apply` take whole decisions:

bid     () to pass, or (cards, trump) with trump None for no-trump
bury    ascending tuple of as many cards as the kitty has
call    ascending tuple of distinct (kind, ordinal) pairs (R9.1)
lead    ascending tuple of cards; under `throws: attempt` it may be a throw that fails
follow  ascending tuple of cards
redeal  the deck of the next deal, after nobody bid (R8.5); the seat is None

Readings chosen where the text is terse (those of R8 are in `drawing`):

* R9.1 in a failed throw only the unit that is led counts its copies.
* `trump_given` starts with the kitty of the deck as buried by the declarer; under friends he
  still calls first.
"""

from collections import Counter

from . import settle
from .drawing import Drawing
from .follow import is_legal_follow, legal_follows
from .lead import deck as all_cards
from .lead import is_legal_lead, legal_leads, try_throw, unseen_by
from .order import SMALL, TRUMP
from .shapes import common_suit, decompose
from .trick import winner

# Sets of more decisions than this are not built.
LIMIT = 20_000


class OracleGame(Drawing):
    """One deal from the first draw to its `result` (a `settle.Result`).

    deck          all cards in the order drawn; card i goes to seat (first_drawer + i) % P, the
                  last `kitty` cards are the kitty
    levels        ladder entries ("2" .. "A", "NT"), by team seat % 2, or by seat under friends
    declarer      None before there is one, and in all later deals under friends
    trump_given   a suit or "NT": no bidding and no burying, play starts at once
    last_winners  under friends after the first deal: the seats whose levels may be shown (R9.3)
    """

    def __init__(
        self,
        rules,
        deck,
        levels,
        declarer=None,
        first_drawer=0,
        trump_given=None,
        *,
        last_winners=None,
        deals_played=0,
        gained=None,
    ):
        """Deal up to the first decision."""
        self.rules, self.levels = rules, list(levels)
        self.declarer, self.first_drawer = declarer, first_drawer
        self.last_winners = last_winners
        self.deals_played, self.gained = deals_played, list(gained or [0] * len(levels))
        self.bid_levels = self._names_shown()
        self.redeals, self.result = 0, None
        self.level, self.trump, self.order = None, None, None
        self.trump_given = trump_given
        if declarer is None and (trump_given is not None or not self.bidding_takes_place):
            raise ValueError("R8.4: where nobody bids the first declarer must be given")
        if declarer is None and rules.first_declarer in ("drawn", "given") and not last_winners:
            raise ValueError(f"R8.4: first_declarer {rules.first_declarer}: it must be given")
        self._deal(deck)

    # What is asked, and what is allowed.

    @property
    def to_move(self):
        """(what is asked, the seat it is asked of)."""
        return self._asked

    def legal(self):
        """The set of all legal decisions, or None where only `is_legal` can say.

        So it is for buries, calls, leads under `attempt`, follows under `forfeit`, and sets of
        more than `LIMIT`.
        """
        asked, seat = self.to_move
        if asked == "bid":
            return {()} | self.bids_of(seat)
        if asked == "lead" and self.rules.throws != "attempt":
            hand, knows = self.hand(seat), self._knows(seat)
            return legal_leads(self.rules, self.order, hand, *knows, LIMIT)
        if asked == "follow" and self.rules.revoke != "forfeit":
            lead, hand = self.plays[0], self.hand(seat)
            return legal_follows(self.rules, self.order, lead, hand, LIMIT)
        return None

    def is_legal(self, decision):
        """Whether a decision may be applied now."""
        asked, seat = self.to_move
        if asked == "over":
            return False
        if asked == "redeal":
            return Counter(decision) == all_cards(self.rules)
        if asked == "bid":
            return decision in self.legal()
        if asked == "call":
            return self._is_call(decision)
        if list(decision) != sorted(decision) or Counter(decision) - self.hands[seat]:
            return False
        if asked == "bury":
            return len(decision) == self.rules.kitty
        if asked == "lead":
            hand, knows = self.hand(seat), self._knows(seat)
            return is_legal_lead(self.rules, self.order, hand, decision, *knows)
        if self.rules.revoke == "forfeit":
            return len(decision) == len(self.plays[0])
        return self.is_lawful_follow(decision)

    def is_lawful_follow(self, decision):
        """R6 alone, whatever `revoke` says (R10.5)."""
        seat = self.to_move[1]
        return is_legal_follow(
            self.rules, self.order, self.plays[0], self.hand(seat), list(decision)
        )

    def apply(self, decision):
        """Make a legal decision and go on to the next one."""
        if not self.is_legal(decision):
            raise ValueError(f"not legal: {decision} at {self.to_move}")
        asked, seat = self.to_move
        getattr(self, f"_apply_{asked}")(seat, decision)

    def next_deal(self, deck):
        """The game of the next deal (R8.1, R8.4, R9.3)."""
        end = self.result
        if end is None or end.match_over:
            raise ValueError("the deal goes on, or the match is over")
        return OracleGame(
            self.rules,
            deck,
            end.new_levels,
            end.next_declarer,
            end.next_first_drawer,
            last_winners=end.last_winners if self.rules.teams == "friends" else None,
            deals_played=end.deals_played,
            gained=end.total_gained,
        )

    # Friends (R9).

    def _start_calls(self):
        if self.rules.teams == "friends" and self.rules.friends_called:
            self._asked = ("call", self.declarer)
        else:
            self._lead(self.declarer)

    def _is_call(self, calls):
        return (
            len(calls) == self.rules.friends_called
            and list(calls) == sorted(set(calls))
            and all(
                card in range(SMALL)
                and self.order.suit[card] != TRUMP
                and ordinal in range(1, self.rules.decks + 1)
                for card, ordinal in calls
            )
        )

    def _apply_call(self, seat, calls):
        self.calls = tuple(calls)
        self._lead(seat)

    @property
    def declaring_side(self):
        """The declarer's team, or he and the friends found so far (R1.4, R9.1)."""
        if self.rules.teams == "friends":
            return {self.declarer} | self.friends
        return {s for s in range(self.rules.players) if s % 2 == self.declarer % 2}

    # Play (R5-R7).

    def hand(self, seat):
        """The cards a seat holds now."""
        return list(self.hands[seat].elements())

    def _knows(self, seat):
        """R5.2: the cards a leader cannot place, and the suits all others are known void in."""
        buried = self.kitty if seat == self.last_burier else ()
        unseen = unseen_by(self.rules, self.hand(seat), self.played, buried)
        others = [self.voids[s] for s in range(self.rules.players) if s != seat]
        return unseen, set.intersection(*others)

    def _lead(self, seat):
        self.leader, self.plays = seat, []
        self._asked = ("lead", seat)

    def _apply_lead(self, seat, cards):
        cards = list(cards)
        if len(decompose(self.order, cards)) > 1 and self.rules.throws == "attempt":
            others = [self.hand(s) for s in range(self.rules.players) if s != seat]
            tried = try_throw(self.rules, self.order, cards, others)
            cards = tried.led
            if not tried.stands:
                self.penalties.append((seat, tried.penalty))
        self._play(seat, cards)

    def _apply_follow(self, seat, cards):
        if self.rules.revoke == "forfeit" and not self.is_lawful_follow(cards):
            self.forfeit = seat
            self._settle()
            return
        suit = common_suit(self.order, self.plays[0])
        if any(self.order.suit[card] != suit for card in cards):
            self.voids[seat].add(suit)
        self._play(seat, list(cards))

    def _play(self, seat, cards):
        for card in cards:
            self.played[card] += 1
            if (card, self.played[card]) in self.calls:
                self.friends.add(seat)
        self.hands[seat] -= Counter(cards)
        self.plays.append(cards)
        if len(self.plays) < self.rules.players:
            self._asked = ("follow", (seat + 1) % self.rules.players)
            return
        best = winner(self.rules, self.order, self.plays)
        taker = (self.leader + best) % self.rules.players
        self.tricks.append(settle.Trick(self.leader, self.plays, taker))
        if any(self.hands):
            self._lead(taker)
        else:
            self._settle()

    def _settle(self):
        deal = settle.Deal(
            declarer=self.declarer,
            declaring_side=self.declaring_side,
            tricks=self.tricks,
            kitty=self.kitty,
            penalties=self.penalties,
            forfeit=self.forfeit,
            levels=self.levels,
            gained=self.gained,
            deals_played=self.deals_played,
            order=self.order,
        )
        self.result = settle.settle(self.rules, deal)
        self._asked = ("over", None)

"""Drawing, bidding, the kitty and over-bidding after it: R8 of the reference game.

Readings chosen where the text is terse:

* R8.1 the seat that drew is asked once after each draw. In the last round the turn goes on from
  the last seat asked; a bid clears all passes; passes while drawing do not count in it.
* R8.4 with a declarer known before the bidding, a bid makes trump only, under friends too; the
  deal's level is then his. Under `henan` the declarer by bidding is the last seat that bid level
  cards (the first under `first_bidder`), else the joker pair's bidder.
* R8.5 the first drawer stays the same in a redeal. With `flip` and nothing but jokers, or
  `no_trump`, there is no trump suit; the level cards stay trump.
* R8.7 everybody but the last to bury may over-bid, the standing bidder only by `reinforce`
  (a declarer who did not bid trump buries first, so the bidder is one of the others). If nobody
  had bid, any bid over-bids. Only the deal's level rank is shown then. Without a kitty, or where
  no bidding takes place, there is no such round.
"""

from collections import Counter

from . import settle
from .bid import legal_bids
from .lead import deck as all_cards
from .order import RANKS, SMALL, Order, rank_of, suit_of


class Drawing:
    """The part of a deal before the calls; `OracleGame` goes on with `_start_calls`."""

    @property
    def bidding_takes_place(self):
        """R2.1, R2.5: not at level NT, nor at the top under `top_no_trump`."""
        top = self.rules.top_no_trump and self.rules.ladder[-1] in self.bid_levels
        return "NT" not in self.bid_levels and not top

    def bids_of(self, seat):
        """The bids a seat may make now (R8.2, R8.3)."""
        ranks = {RANKS.index(name) for name in self.bid_levels}
        return legal_bids(self.rules, ranks, self.history, seat, self.hand(seat))

    def _names_shown(self):
        """The ladder entries a bid may show: R2.1, R8.4, R9.3."""
        if self.declarer is not None:
            return {self.levels[settle.party_of(self.rules, self.declarer)]}
        if self.last_winners:
            return {self.levels[seat] for seat in self.last_winners}
        if len(set(self.levels)) > 1:
            raise ValueError("R8.4: before there is a declarer all stand at one level")
        return {self.levels[0]}

    def _deal(self, deck):
        if Counter(deck) != all_cards(self.rules):
            raise ValueError("R1.1: not the deck of these rules")
        self.deck = list(deck)
        self.hands = [Counter() for _ in range(self.rules.players)]
        self.kitty = self.deck[len(self.deck) - self.rules.kitty :]
        self.history, self.last_burier = [], None
        self.drawn, self.stage = 0, "draw"
        self.tricks, self.plays, self.played = [], [], Counter()
        self.voids = [set() for _ in range(self.rules.players)]
        self.penalties, self.forfeit, self.calls, self.friends = [], None, (), set()
        self._draw()

    def _draw(self):
        """R8.1: draw on until a seat is asked, or to the last round."""
        silent = self.trump_given is not None or not self.bidding_takes_place
        while self.drawn < len(self.deck) - self.rules.kitty:
            seat = (self.first_drawer + self.drawn) % self.rules.players
            self.hands[seat][self.deck[self.drawn]] += 1
            self.drawn += 1
            if not silent and self.rules.bid_poll == "draw" and self.bids_of(seat):
                self._asked = ("bid", seat)
                return
        if silent:
            self._bidding_done()
            return
        self.stage = "round"
        self._open_round(self.first_drawer, set())

    def _open_round(self, first, out):
        self.turn, self.passed, self.out = first, set(), out
        self._poll()

    def _poll(self):
        """R8.1: ask the next seat that has a legal bid and has not passed since the last."""
        for step in range(self.rules.players):
            seat = (self.turn + step) % self.rules.players
            if seat not in self.passed | self.out and self.bids_of(seat):
                self._asked = ("bid", seat)
                return
        if self.stage == "round":
            self._bidding_done()
        else:
            self._start_calls()

    def _apply_bid(self, seat, decision):
        if decision:
            self.history.append((seat, decision))
        if self.stage == "draw":
            self._draw()
        elif decision and self.stage == "rebid":
            self.trump = decision[1]
            self._take_kitty(seat)
        else:
            self.turn = seat + 1
            self.passed = set() if decision else self.passed | {seat}
            self._poll()

    def _bidding_done(self):
        """R8.3-8.5: trump, level and declarer are settled, or the cards are dealt again."""
        level_name = next(iter(self.bid_levels))
        if self.history:
            level_name = self._heed_bids(level_name)
        elif self.trump_given is not None:
            self.trump = None if self.trump_given == "NT" else self.trump_given
        elif self.bidding_takes_place and not self._settle_without_bid(level_name):
            return
        self.bid_levels = {level_name}
        self.level = None if level_name == "NT" else RANKS.index(level_name)
        if self.trump_given is not None:
            self._make_order()
            self.last_burier = self.declarer
            self._start_calls()
            return
        burier = self.declarer
        if self.rules.bids == "henan" and self.history and self._shows_jokers(self.history[-1]):
            burier = self.history[-1][0]
        self._take_kitty(burier)

    @staticmethod
    def _shows_jokers(entry):
        return all(card >= SMALL for card in entry[1][0])

    def _heed_bids(self, level_name):
        """Trump by the standing bid and, if there is none yet, the declarer; the deal's level."""
        seat, (cards, self.trump) = self.history[-1]
        shown = next((rank_of(card) for card in cards if card < SMALL), None)
        if self.declarer is not None:
            return level_name
        if self.last_winners:
            level_name = RANKS[shown]
            turn = [(seat + step) % self.rules.players for step in range(self.rules.players)]
            self.declarer = next(
                s for s in turn if s in self.last_winners and self.levels[s] == level_name
            )
            return level_name
        bids = self.history
        if self.rules.bids == "henan":
            bids = [entry for entry in bids if not self._shows_jokers(entry)] or bids
        first = self.rules.first_declarer == "first_bidder"
        self.declarer = bids[0][0] if first else bids[-1][0]
        return level_name

    def _settle_without_bid(self, level_name):
        """R8.5: whether play goes on although nobody bid."""
        if self.rules.no_bid == "redeal" or (self.rules.no_bid == "flip" and not self.kitty):
            if self.redeals == self.rules.max_redeals:
                self.result = settle.no_bids(
                    self.rules, self.levels, self.gained, self.deals_played
                )
                self._asked = ("over", None)
            else:
                self._asked = ("redeal", None)
            return False
        self.trump = self._flipped(level_name) if self.rules.no_bid == "flip" else None
        if self.declarer is None:
            self.declarer = self.first_drawer
        return True

    def _flipped(self, level_name):
        """R8.5 `flip`: the suit the kitty names, its cards turned in the order of the deck."""
        faces = [card for card in self.kitty if card < SMALL]
        for card in faces:
            if RANKS[rank_of(card)] == level_name:
                return suit_of(card)
        return suit_of(max(faces, key=rank_of)) if faces else None

    def _apply_redeal(self, _seat, deck):
        self.redeals += 1
        self._deal(deck)

    def _make_order(self):
        self.order = Order(self.rules, self.level, self.trump)

    def _take_kitty(self, seat):
        """R8.7; without a kitty there is nothing to bury."""
        self._make_order()
        if not self.kitty:
            self._start_calls()
            return
        self.hands[seat] += Counter(self.kitty)
        self.kitty = []
        self._asked = ("bury", seat)

    def _apply_bury(self, seat, cards):
        self.hands[seat] -= Counter(cards)
        self.kitty, self.last_burier = list(cards), seat
        if self.rules.rebid_after_bury and self.bidding_takes_place:
            self.stage = "rebid"
            self._open_round(seat + 1, {seat})
        else:
            self._start_calls()

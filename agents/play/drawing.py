"""Bidding as people see it: cards dealt at a pace, and the bids that a seat could make.

The core asks for bids one seat at a time, and only seats that have one; who is asked, and when,
would give away what he holds.  At the table all cards come in rounds of equal time, everybody may
bid at any time, and after each round the core is told who did.
"""

from __future__ import annotations

from typing import Any

from tuolaji_env.cards import NUM_RANKS, SMALL_JOKER
from tuolaji_env.core.probe import ask_bid
from tuolaji_env.core.record import BID, END, HIDDEN_VALUE, LOG_BID, LOG_TRUMP, NO_TRUMP, TRUMP_OF
from tuolaji_env.game import Game, Play
from tuolaji_env.setup import planes_of
from tuolaji_env.view import View


class Drawing:
    """The draw of one deal, as far as it is shown: `rounds` cards to each seat."""

    def __init__(self, game: Game) -> None:
        s, rules = game.record, game.rules
        dealt, players = rules.deck_size - rules.kitty, rules.players
        deck, first = s["deck"][:dealt].tolist(), int(s["first_drawer"])
        self._cards = [deck[(seat - first) % players :: players] for seat in range(players)]
        self.redeals = int(s["redeals"])
        self.declarer, self.level_rank = int(s["declarer"]), int(s["level_rank"])
        self.bids_are_made = int(s["bid_ranks"]) != 0
        self.rounds, self.last_round = 0, rules.hand_size

    @property
    def over(self) -> bool:
        """Whether all cards are dealt."""
        return self.rounds == self.last_round

    def hand(self, seat: int) -> list[int]:
        """The cards that a seat has drawn so far, in this order."""
        return self._cards[seat][: self.rounds]

    def asks(self, game: Game, last: bool) -> bool:
        """Whether the core asks for a bid that is due: for cards that are shown, or, in the `last`
        round, when all are dealt.
        """
        s = game.record
        if int(s["phase"]) != BID or int(s["redeals"]) != self.redeals:
            return False
        if int(s["drawing"]):
            return int(s["drawn"]) <= self.rounds * game.rules.players
        return last


def bid_question(game: Game, seat: int, drawing: Drawing | None) -> Game:
    """A game in which a seat is asked for a bid, from what it knows alone.

    drawing: the draw as far as it is shown; None for a bid after a bury (R8.7).
    """
    view = View(game.batch, 0, seat)
    if drawing is not None:
        _take_back(view, drawing)
    question = game.copy()
    question.batch.records[0] = view.record
    ask_bid(question.batch.table, question.batch.records, seat)
    return question


def _take_back(view: View, drawing: Drawing) -> None:
    """Let a view know no more than the draw has shown: the core may be further on."""
    s, players = view.record, view.rules.players
    s["hand"][view.seat], s["kitty"] = planes_of(drawing.hand(view.seat)), 0
    s["drawn"], s["held"][:players] = drawing.rounds * players, drawing.rounds
    s["drawing"], s["burier"], s["side"] = int(not drawing.over), -1, 1
    s["declarer"], s["level_rank"] = drawing.declarer, drawing.level_rank
    s["trump"], s["combo"] = NO_TRUMP, drawing.level_rank * (NO_TRUMP + 1) + NO_TRUMP


def open_bids(game: Game, seat: int, drawing: Drawing | None) -> list[Play]:
    """The bids that a seat could make now, as actions; a pass is not among them."""
    ranks = int(game.record["bid_ranks"])
    hand = game.hand(seat) if drawing is None else drawing.hand(seat)
    if not any(kind >= SMALL_JOKER or ranks >> kind % NUM_RANKS & 1 for kind in hand):
        return []  # no bid shows other cards
    question = bid_question(game, seat, drawing)
    if int(question.record["mask"]) == 0:
        return []
    return [play for play in question.legal_plays() if len(play) > 1]


def bids_made(record: Any) -> list[dict[str, Any]]:
    """The bids of this deal in order: seat, cards (-1: hidden), trump (4: none, -1: hidden)."""
    found: list[dict[str, Any]] = []
    cards: list[int] = []
    for entry in record["log"][: int(record["logged"])].tolist():
        kind, seat, value = entry >> 9, entry >> 6 & 7, entry & 63
        value = -1 if value == HIDDEN_VALUE else value
        if kind == LOG_BID:
            cards.append(value)
        elif kind == LOG_TRUMP:
            found.append({"seat": seat, "cards": cards, "trump": value})
            cards = []
    if cards and found:  # a hidden bid is turned up when bidding is over
        found[-1] |= {"cards": cards, "trump": cards[0] // 13}
    return found


def bid_actions(cards: list[int], trump: int | None) -> Play:
    """A bid as actions; without cards, a pass."""
    return (*sorted(cards), END if trump is None else TRUMP_OF + trump)


def bid_parts(play: Play) -> dict[str, Any]:
    """A bid as its cards, and the trump suit that it names where that is free (None: it is not)."""
    *cards, end = play
    return {"cards": cards, "trump": end - TRUMP_OF if end >= TRUMP_OF else None}

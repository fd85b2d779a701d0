"""A game at a table: whose turn it is, what people may wish, what happens when time runs out.

No network, no threads and no clock of its own: `advance` is told the time and says through `due`
when to come again, and through `thinking` which seat's agent is to decide.
"""

from __future__ import annotations

from typing import Any

from tuolaji_env.core.record import BID, END, ORDINAL
from tuolaji_env.game import Game
from tuolaji_env.game import Play as Actions
from tuolaji_env.games import Episode
from tuolaji_env.rules import Rules

from .choice import Choices
from .drawing import Drawing, bid_actions, bid_parts, bid_question, open_bids
from .messages import Refused
from .reasons import bid_refusal, refusal
from .seats import Pace, Seat
from .sight import drawing_sight, playing_sight

DEALING, BIDDING, TURN, DONE = "dealing", "bidding", "turn", "done"

_PASS: Actions = (END,)
_LATE = 1.0  # seconds that the next rounds of the draw make up for


class Table:
    """One room's game.

    stage: `dealing` (a round of cards after the other), `bidding` (everybody may bid once more),
    `turn` (one seat is to act), `done`.  version: grows with whatever somebody can see; thinking:
    the seat whose agent is to decide now, its answer to be given with `ticket`; due: when
    `advance` has something to do, None if only people or agents can go on.
    """

    def __init__(
        self,
        rules: Rules,
        seats: list[Seat],
        pace: Pace,
        *,
        seed: int | None = None,
        episode: Episode = "match",
        now: float = 0.0,
    ) -> None:
        self.rules, self.seats, self.pace = rules, seats, pace
        self.game = Game(rules, seed, episode=episode)
        self.version = self.ticket = 0
        self.due: float | None = None
        self.thinking: int | None = None
        self._wishes: dict[int, Actions] = {}
        self._choices: tuple[int, Choices] | None = None
        self._begin_deal(now)

    # --- the course of a deal -------------------------------------------------------------------

    def _begin_deal(self, now: float) -> None:
        self._choices = None
        self.drawing: Drawing | None = Drawing(self.game)
        self._enter(DEALING, now, self.pace.draw)

    def _enter(self, stage: str, now: float, seconds: float) -> None:
        self.stage, self.until, self.seconds = stage, now + seconds, seconds
        self._wishes.clear()
        self.changed()

    def changed(self) -> None:
        """Something that can be seen is no longer as it was; an agent's thoughts are void."""
        self.version += 1
        self.ticket += 1
        self.thinking = None

    def changed_seats(self) -> None:
        """Somebody has come or gone: seen by all, of no matter to the game."""
        self.version += 1

    def postpone(self, seconds: float) -> None:
        """Let whatever is due be due later."""
        self.until += seconds

    def advance(self, now: float) -> None:
        """Do whatever is due."""
        while self._step(now):
            pass

    def _step(self, now: float) -> bool:
        """Do one thing that is due; False when there is nothing for the moment."""
        self.due = None
        if self.thinking is not None or self.stage == DONE:
            return False
        if self.stage != TURN:
            return self._step_bidding(now)
        if now < self.until:
            self.due = self.until
            return False
        mover = self.seats[self.game.seat]
        if mover.played_by_person:
            mover.ran_out()
            self.changed()
        self.thinking = self.game.seat
        return False

    def _step_bidding(self, now: float) -> bool:
        if now < self.until and not (self.stage == BIDDING and self._all_have_spoken()):
            self.due = self.until
            return False
        if self._asks():
            seat = self.game.seat
            if self.seats[seat].played_by_person:
                self._bid(self._wishes.pop(seat, _PASS), now)
                return True
            self.thinking = seat
            return False
        if self.drawing is not None and self._dealt_again(self.drawing):
            self._begin_deal(now)
        elif self.drawing is not None and not self.drawing.over:
            self.drawing.rounds += 1
            # who has thought about a bid, and for how long, must not show in the pace
            late = now - self.until
            self._enter(DEALING, self.until if late < _LATE else now, self.pace.draw)
        elif self.drawing is not None and self.stage == DEALING and self.drawing.bids_are_made:
            self._enter(BIDDING, now, self.pace.bids)
        else:
            self.drawing = None
            self._begin_turn(now)
        return True

    def _asks(self) -> bool:
        """Whether the core waits for a bid that is due."""
        if self.drawing is not None:
            return self.drawing.asks(self.game, last=self.stage == BIDDING)
        return int(self.game.record["phase"]) == BID

    def _dealt_again(self, drawing: Drawing) -> bool:
        return int(self.game.record["redeals"]) > drawing.redeals and not self.game.is_over

    def _bid(self, actions: Actions, now: float) -> None:
        """Tell the core what the seat it asks bids; a wish that others have overtaken is a pass.

        A pass changes nothing that can be seen: nobody is told, by as much as a version.
        """
        made = len(actions) > 1 and self.game.can_play(actions)
        self.game.play(actions if made else _PASS)
        self.ticket += 1
        if made:
            self.changed()
        if made and self.drawing is None:
            self._begin_turn(now)  # he takes the kitty
        elif made and self.stage == BIDDING:
            self._enter(BIDDING, now, self.pace.bids)  # everybody may answer

    def _all_have_spoken(self) -> bool:
        """Whether every person has bid or passed; alone among bots, who has no bid need not."""
        people = [p for p, seat in enumerate(self.seats) if seat.played_by_person]
        silent = [p for p in people if p not in self._wishes and self.may_bid(p)]
        return not silent or (len(people) == 1 and not self.bids_of(silent[0]))

    def _begin_turn(self, now: float) -> None:
        """Let the next seat act, or end the deal."""
        game, pace = self.game, self.pace
        if game.is_over:
            self._enter(DONE, now, 0.0)
            return
        if self.seats[game.seat].played_by_person:
            slow = game.phase in ("bury", "call")
            self._enter(TURN, now, pace.bury if slow else pace.turn)
        else:
            after_trick = game.phase == "lead" and int(game.record["tricks"]) > 0
            self._enter(TURN, now, pace.trick if after_trick else pace.bot)

    def _decide(self, actions: Actions, now: float) -> None:
        """The mover's bury, call, lead or follow, which is legal."""
        burying = self.game.phase == "bury"
        self.game.play(actions)
        if burying and self.rules.rebid_after_bury and int(self.game.record["bid_ranks"]):
            self._enter(BIDDING, now, self.pace.bids)
        else:
            self._begin_turn(now)

    # --- what agents and people do --------------------------------------------------------------

    def agent_acts(self, ticket: int, actions: Actions, now: float) -> None:
        """The decision of the agent that was `thinking`; one that comes too late is dropped."""
        if self.thinking is None or ticket != self.ticket:
            return
        self.thinking = None
        if self.stage == TURN:
            self._decide(actions, now)
        else:
            self._bid(actions, now)

    def play(self, seat: int, cards: list[int], now: float) -> None:
        """A person buries, leads or follows."""
        self._check_turn(seat, ("bury", "lead", "follow"))
        if reason := refusal(self.game, self.choices(), cards):
            raise reason
        self._person_decides(seat, self.game.actions_of(cards), now)

    def call(self, seat: int, kind: int, ordinal: int, now: float) -> None:
        """A person calls a friend (R9.1)."""
        self._check_turn(seat, ("call",))
        if [kind, ordinal] not in self.calls():
            raise Refused("call_not_allowed", "R9.1")
        self._person_decides(seat, (kind, ORDINAL + ordinal - 1), now)

    def _person_decides(self, seat: int, actions: Actions, now: float) -> None:
        self.seats[seat].acted()
        self._decide(actions, now)

    def _check_turn(self, seat: int, phases: tuple[str, ...]) -> None:
        if self.stage != TURN or self.game.seat != seat:
            raise Refused("not_your_turn")
        if self.game.phase not in phases:
            raise Refused("not_now", phase=self.game.phase)
        if self.seats[seat].automatic:
            raise Refused("automatic")

    def bid(self, seat: int, cards: list[int], trump: int | None, now: float) -> None:
        """A person bids, or passes with no cards: the core hears of it when the round is over."""
        if self.stage not in (DEALING, BIDDING) or not self.may_bid(seat):
            raise Refused("no_bids_now", "R8.1")
        if self.seats[seat].automatic:
            raise Refused("automatic")
        actions = bid_actions(cards, trump)
        if cards and actions not in self.bids_of(seat):
            raise bid_refusal(self.game)
        self._wishes[seat] = actions
        self.seats[seat].acted()
        self.advance(now)

    def may_bid(self, seat: int) -> bool:
        """Whether a seat is among those that are waited for in the bidding."""
        return self.drawing is not None or seat != int(self.game.record["burier"])

    def set_automatic(self, seat: int, on: bool, now: float) -> None:
        """Hand a person's seat to its bot, or take it back."""
        place = self.seats[seat]
        if place.automatic == on:
            return
        place.automatic, place.missed = on, 0
        if self.stage == TURN and self.game.seat == seat:
            self._begin_turn(now)
        else:
            self.changed()

    def next_deal(self, now: float) -> None:
        """The next deal of the match, or another game once it is over."""
        if self.stage != DONE:
            raise Refused("deal_is_on")
        if self.game.episode == "match" and not self.game.match_over:
            self.game.next_deal()
        else:
            self.game.reset()
        self._begin_deal(now)

    # --- what people see ------------------------------------------------------------------------

    def choices(self) -> Choices:
        """The legal bury, lead or follow of the mover."""
        at = int(self.game.record["steps"])
        if self._choices is None or self._choices[0] != at:
            self._choices = at, Choices(self.game.batch)
        return self._choices[1]

    def choices_of(self, seat: int) -> Choices:
        """The same for a seat that asks. Raises Refused if it is not the mover."""
        self._check_turn(seat, ("bury", "lead", "follow"))
        return self.choices()

    def calls(self) -> list[list[int]]:
        """The friend calls that may be made: kinds and ordinals."""
        return [[kind, end - ORDINAL + 1] for kind, end in self.game.legal_plays()]

    def bids_of(self, seat: int) -> list[Actions]:
        """The bids that a seat could make now."""
        return open_bids(self.game, seat, self.drawing)

    def question(self, seat: int) -> Game:
        """The game as it asks a seat, for its adviser. Raises Refused if it does not."""
        if self.stage == TURN and self.game.seat == seat:
            return self.game.copy()
        if self.stage in (DEALING, BIDDING) and self.may_bid(seat) and self.bids_of(seat):
            return bid_question(self.game, seat, self.drawing)
        raise Refused("not_your_turn")

    def sight(self, seat: int | None, now: float) -> dict[str, Any]:
        """What a seat, or somebody who looks on (None), may know of the table now."""
        if self.drawing is not None:
            told = drawing_sight(self.game, self.drawing, seat)
        else:
            told = playing_sight(self.game, seat, bidding=self.stage == BIDDING)
        told |= {"stage": self.stage, "ask": None if seat is None else self._ask(seat)}
        timed = self.stage == BIDDING or (
            self.stage == TURN and self.seats[self.game.seat].played_by_person
        )
        told["clock"] = [round(max(self.until - now, 0.0), 1), self.seconds] if timed else None
        return told

    def _ask(self, seat: int) -> dict[str, Any] | None:
        """What a seat may do now, as far as it must choose."""
        if self.seats[seat].automatic or not self.seats[seat].human:
            return None
        if self.stage in (DEALING, BIDDING):
            if not self.may_bid(seat):
                return None
            bids = [bid_parts(play) for play in self.bids_of(seat)]
            wish = self._wishes.get(seat)
            return {"what": "bid", "bids": bids, "wish": None if wish is None else bid_parts(wish)}
        if self.stage != TURN or self.game.seat != seat:
            return None
        if self.game.phase == "call":
            return {"what": "call", "calls": self.calls()}
        choices = self.choices()
        return {
            "what": self.game.phase,
            "count": 0 if self.game.phase == "lead" else int(self.game.record["count"]),
            "addable": list(choices.of(()).addable),
            "only": choices.only(),
        }

"""Rooms: a table, the people connected to it, and the task that keeps it going."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from tuolaji_env.record import Record
from tuolaji_env.rules import Rules

from .messages import Auto, Bid, Call, Message, Next, Play, Refused, Review, Select, Suggest
from .review import DealReview, valuer
from .seats import HUMAN, PACES, Seat, make_seats, new_secret
from .table import DONE, Table
from .thinking import Players, Thinker

MAX_LINKS = 64  # connections to one room
Clock = Callable[[], float]
_log = logging.getLogger(__name__)


class Wire(Protocol):
    """Where text is sent to a client."""

    async def send_text(self, data: str) -> None:
        """Send one message."""
        ...


class Link:
    """A connection: who it is, and what it was told last."""

    def __init__(self, wire: Wire, seat: int | None) -> None:
        self.wire, self.seat = wire, seat
        self.told = -1

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message; a client that is gone is noticed elsewhere."""
        try:
            await self.wire.send_text(json.dumps(message, separators=(",", ":")))
        except Exception as error:
            _log.debug("a client is gone: %r", error)


class Room:
    """One table with everything around it.

    adviser: the spec of the agent that suggests plays and stands in for people; valuers: those
    that may be asked to value the decisions of a deal that is over, the first if none is named;
    records: a folder in which the record of the game is kept, as far as it is played.
    """

    def __init__(
        self,
        rules: Rules,
        wanted: list[str],
        thinker: Thinker,
        *,
        adviser: str = "heuristic",
        valuers: tuple[str, ...] = ("search",),
        records: Path | None = None,
        pace: str = "normal",
        turn_seconds: float = 45.0,
        seed: int | None = None,
        episode: Any = "match",
        clock: Clock = time.monotonic,
    ) -> None:
        self.secret, self.rules, self.adviser = new_secret(), rules, adviser
        self.valuers, self.records = valuers, records
        self.clock, self.thinker = clock, thinker
        self.seats: list[Seat] = make_seats(rules.players, wanted, adviser)
        timing = replace(PACES[pace], turn=turn_seconds, bury=2 * turn_seconds)
        self.table = Table(rules, self.seats, timing, seed=seed, episode=episode, now=clock())
        self.players = Players(rules, self.table.game.seed)
        self.links: set[Link] = set()
        self.used = clock()
        self._busy, self._poked = asyncio.Lock(), asyncio.Event()
        self._review: DealReview | None = None
        self._kept: tuple[int, int] | None = None
        self._task: asyncio.Task[None] | None = None

    # --- coming and going -----------------------------------------------------------------------

    def seat_of(self, token: str | None) -> int | None:
        """The seat that a secret opens; None without one. Raises Refused for a wrong one."""
        if token is None:
            return None
        for number, seat in enumerate(self.seats):
            if seat.human and seat.token == token:
                return number
        raise Refused("wrong_token")

    async def join(self, wire: Wire, token: str | None, name: str = "") -> Link:
        """Connect somebody: to a seat, or to look on. Raises Refused."""
        seat = self.seat_of(token)
        if len(self.links) >= MAX_LINKS:
            raise Refused("room_full", allowed=MAX_LINKS)
        link = Link(wire, seat)
        self.links.add(link)
        if seat is not None:
            self.seats[seat].links += 1
            self.seats[seat].name = name.strip() or self.seats[seat].name
        self.table.changed_seats()
        self._poked.set()
        await self.tell()
        self.start()
        return link

    async def leave(self, link: Link) -> None:
        """A connection has ended; the seat keeps its place."""
        if link in self.links:
            self.links.discard(link)
            if link.seat is not None:
                self.seats[link.seat].links -= 1
            self.table.changed_seats()
            await self.tell()

    # --- the course of things -------------------------------------------------------------------

    def start(self) -> None:
        """Keep the table going from now on."""
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Stop the table."""
        if self._task is not None:
            self._task.cancel()

    async def close(self) -> None:
        """Stop the table, and wait until it has stopped."""
        if self._task is not None:
            self.stop()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            self._poked.clear()
            self.table.advance(self.clock())
            await self.tell()
            if self.records is not None and self.table.stage == DONE:
                await self._keep(self.records)
            if not self.links:
                await self._rest()
            elif self.table.thinking is not None:
                await self._let_think(self.table.thinking)
            else:
                await self._wait()

    async def _keep(self, folder: Path) -> None:
        """Write the record of the game, once for each deal."""
        game = self.table.game
        deal = game.seed, int(game.record["deal"])
        if self._kept != deal:
            self._kept = deal
            names = [seat.name or HUMAN for seat in self.seats]
            record = Record.of(game.copy(), names)
            place = folder / f"{self.rules.name or 'house'}_{game.seed}.txt"
            await self.thinker.run(self._busy, record.save, place)

    async def _rest(self) -> None:
        """While nobody is there, no clock runs."""
        left = self.clock()
        await self._poked.wait()
        self.table.postpone(self.clock() - left)

    async def _let_think(self, seat: int) -> None:
        table, ticket = self.table, self.table.ticket
        spec, game = self.seats[seat].agent, table.game.copy()
        actions = await self.thinker.run(self._busy, self.players.decide, spec, game)
        table.agent_acts(ticket, actions, self.clock())

    async def _wait(self) -> None:
        due = self.table.due
        delay = None if due is None else max(due - self.clock(), 0.0)
        with suppress(TimeoutError):
            async with asyncio.timeout(delay):
                await self._poked.wait()

    async def tell(self) -> None:
        """Tell everybody what is new."""
        version, seen = self.table.version, {}
        for link in list(self.links):
            if link.told != version:
                link.told = version
                if link.seat not in seen:
                    seen[link.seat] = self.state(link.seat)
                await link.send(seen[link.seat])

    def state(self, seat: int | None) -> dict[str, Any]:
        """All that a seat, or somebody who looks on, may know."""
        return {
            "type": "state",
            "version": self.table.version,
            "rules": self.rules.name,
            "you": seat,
            "seats": [each.told() for each in self.seats],
            **self.table.sight(seat, self.clock()),
        }

    # --- what clients say -----------------------------------------------------------------------

    async def hear(self, link: Link, message: Message) -> dict[str, Any] | None:
        """Do what a client asks for; returns the answer to it alone. Raises Refused."""
        self.used = self.clock()
        if isinstance(message, Review):
            return await self._show_decision(message)
        if link.seat is None:
            raise Refused("only_looking_on")
        answer = await self._obey(link.seat, message)
        self._poked.set()
        await self.tell()
        # who has bid or passed already is told to nobody else
        return self.state(link.seat) if isinstance(message, Bid) else answer

    async def _obey(self, seat: int, message: Message) -> dict[str, Any] | None:
        table, now = self.table, self.clock()
        match message:
            case Select(cards=cards):
                return self._choice(seat, cards)
            case Play(cards=cards):
                table.play(seat, cards, now)
            case Bid(cards=cards, trump=trump):
                table.bid(seat, cards, trump, now)
            case Call(kind=kind, ordinal=ordinal):
                table.call(seat, kind, ordinal, now)
            case Auto(on=on):
                table.set_automatic(seat, on, now)
            case Next():
                table.next_deal(now)
            case Suggest():
                return await self._suggestion(seat)
            case _:
                raise Refused("joined_already")
        return None

    def _choice(self, seat: int, cards: list[int]) -> dict[str, Any]:
        choices = self.table.choices_of(seat)
        choice = choices.of(cards)
        return {"type": "choice", "cards": sorted(cards), **choice._asdict()}

    async def _suggestion(self, seat: int) -> dict[str, Any]:
        game = self.table.question(seat)
        actions = await self.thinker.run(self._busy, self.players.decide, self.adviser, game)
        return {"type": "suggestion", "by": self.adviser, "actions": list(actions)}

    async def _show_decision(self, message: Review) -> dict[str, Any]:
        if self.table.stage != DONE:
            raise Refused("deal_is_on")
        game = self.table.game
        if self._review is None or not self._review.is_of(game):
            self._review = DealReview(game)
        by, show = valuer(message.by, self.valuers), self._review.show
        found = await self.thinker.run(self._busy, show, self.players, by, message.step)
        return found | {"valuers": list(self.valuers)}

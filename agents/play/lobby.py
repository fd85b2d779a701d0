"""All rooms of a server: opened, found by their secret, closed when nobody has come for long."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tuolaji_env.policies import POLICIES
from tuolaji_env.rules import Rules, load_rules, preset_names

from ..published import best
from ..registry import BEST, SEARCH, make_agent
from .archive import Archive
from .messages import NewRoom, Refused
from .review import gives_values, valuer
from .rooms import Clock, Room
from .seats import HUMAN
from .thinking import Thinker

ROOMS = 300
IDLE_SECONDS = 2 * 3600.0
BUILT_IN = ("random", "greedy", "heuristic", "search:ms=300")


@dataclass(frozen=True)
class Offer:
    """What rooms may be made of.

    agents: specs that clients may choose; adviser: suggests plays and stands in for people;
    houses: rule files beside the presets; records: a folder of records that may be replayed, in
    which the deals played here are kept too; valuers: specs that may be asked to value decisions,
    besides those of the agents that can.
    """

    agents: tuple[str, ...] = BUILT_IN
    adviser: str = "heuristic"
    houses: tuple[str, ...] = ()
    records: Path | None = None
    valuers: tuple[str, ...] = ()

    def check(self) -> None:
        """Raises ValueError, RulesError or CheckpointError for what cannot be had."""
        for source in self.houses:
            load_rules(source)
        for spec in (*self.agents, self.adviser):
            make_agent(spec, load_rules("two_deck"), allow_other_rules=True)
        for spec in self.valuers:
            if not gives_values(make_agent(spec, load_rules("two_deck"), allow_other_rules=True)):
                raise ValueError(f"valuers: {spec!r} gives no values; allowed: search, a network")

    def rules(self, name: str) -> Rules:
        """The rules of a preset or of one of the house rules. Raises Refused."""
        if name in preset_names():
            return load_rules(name)
        for source in self.houses:
            if name == (rules := load_rules(source)).name:
                return rules
        raise Refused("unknown_rules", allowed=", ".join(self.names()))

    def names(self) -> list[str]:
        """All rule sets by name."""
        return [*preset_names(), *(load_rules(source).name for source in self.houses)]

    def told(self) -> dict[str, Any]:
        """For the page that opens rooms."""
        rules = [self.rules(name) for name in self.names()]
        keys = ("name", "players", "decks", "kitty", "teams", "bids")
        return {
            "rules": [{key: getattr(each, key) for key in keys} for each in rules],
            "agents": list(self.agents),
            "adviser": self.adviser,
            "records": self.records is not None,
        }

    @property
    def valued_by(self) -> tuple[str, ...]:
        """Who may be asked to value decisions, the first if nobody is named: never a policy."""
        found = [spec for spec in (*self.valuers, *self.agents) if spec not in POLICIES]
        if all(spec.partition(":")[0] != SEARCH for spec in found):
            found.append(SEARCH)
        if _best_is_published():
            found.append(BEST)
        return tuple(dict.fromkeys(found))


def _best_is_published() -> bool:
    try:
        return best(load_rules("two_deck")).exists()
    except ValueError:
        return False


class Lobby:
    """The rooms by their secrets."""

    def __init__(self, offer: Offer | None = None, clock: Clock = time.monotonic) -> None:
        self.offer, self.clock = offer or Offer(), clock
        self.rooms: dict[str, Room] = {}
        self.thinker = Thinker()
        folder = self.offer.records
        self.archive = None if folder is None else Archive(folder)
        self.archive_busy = asyncio.Lock()

    def open(self, wanted: NewRoom) -> Room:
        """A new room. Raises Refused, naming what is not to be had."""
        rules = self.offer.rules(wanted.rules)
        if len(wanted.seats) != rules.players:
            raise Refused("seat_count", allowed=rules.players, given=len(wanted.seats))
        for who in wanted.seats:
            if who != HUMAN and who not in self.offer.agents:
                raise Refused("unknown_agent", allowed=", ".join((HUMAN, *self.offer.agents)))
        self._forget_idle()
        if len(self.rooms) >= ROOMS:
            raise Refused("no_room", allowed=ROOMS)
        room = Room(
            rules,
            list(wanted.seats),
            self.thinker,
            adviser=self.offer.adviser,
            valuers=self.offer.valued_by,
            records=self.offer.records,
            pace=wanted.pace,
            turn_seconds=wanted.turn_seconds,
            seed=wanted.seed,
            episode=wanted.episode,
            clock=self.clock,
        )
        self.rooms[room.secret] = room
        return room

    def find(self, secret: str) -> Room:
        """A room. Raises Refused for one that is not there."""
        if secret not in self.rooms:
            raise Refused("unknown_room")
        return self.rooms[secret]

    def _forget_idle(self) -> None:
        now = self.clock()
        for secret, room in list(self.rooms.items()):
            if not room.links and now - room.used > IDLE_SECONDS:
                del self.rooms[secret]
                room.stop()

    async def show_record(self, name: str, deal: int, step: int, by: str) -> dict[str, Any]:
        """A decision of a record. Raises Refused."""
        if self.archive is None:
            raise Refused("unknown_record")
        valuers = self.offer.valued_by
        by, show = valuer(by, valuers), self.archive.show
        found = await self.thinker.run(self.archive_busy, show, name, deal, step, by)
        return found | {"valuers": list(valuers)}

    async def close(self) -> None:
        """Close all rooms."""
        for room in self.rooms.values():
            await room.close()
        self.thinker.close()

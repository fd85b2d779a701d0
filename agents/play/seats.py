"""Who sits where: people with their secrets and clocks, agents, and bots that stand in."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

MISSES = 3  # turns in a row that a player lets run out before his bot takes over

HUMAN = "human"


@dataclass(frozen=True)
class Pace:
    """Seconds: a round of cards dealt, the wait for last bids, before a bot acts and before it
    leads after a trick, a player's turn, his burial.
    """

    draw: float = 0.3
    bids: float = 8.0
    bot: float = 0.9
    trick: float = 1.8
    turn: float = 45.0
    bury: float = 90.0


PACES = {
    "slow": Pace(draw=0.6, bids=12.0, bot=1.6, trick=3.0),
    "normal": Pace(),
    "fast": Pace(draw=0.08, bids=5.0, bot=0.25, trick=0.7),
}


def new_secret() -> str:
    """What opens a seat or a room."""
    return secrets.token_urlsafe(12)


@dataclass
class Seat:
    """A place at the table.

    agent: the spec of who plays it, or who stands in for the person that does; automatic: whether
    the stand-in has it (托管); missed: turns that ran out in a row; links: open connections.
    """

    human: bool
    agent: str
    name: str
    token: str = field(default_factory=new_secret, repr=False)
    automatic: bool = False
    missed: int = 0
    links: int = 0

    @property
    def played_by_person(self) -> bool:
        """Whether a person decides here at the moment."""
        return self.human and not self.automatic

    def acted(self) -> None:
        """The person has done something himself."""
        self.missed = 0

    def ran_out(self) -> None:
        """The person's time has run out."""
        self.missed += 1
        self.automatic = self.automatic or self.missed >= MISSES

    def told(self) -> dict[str, object]:
        """What everybody at the table may know of the seat."""
        return {
            "name": self.name,
            "human": self.human,
            "agent": self.agent,
            "automatic": self.automatic,
            "online": self.links > 0,
        }


def make_seats(players: int, wanted: list[str], stand_in: str) -> list[Seat]:
    """Seats of `human` or an agent's spec each."""
    return [
        Seat(who == HUMAN, stand_in if who == HUMAN else who, "" if who == HUMAN else who)
        for who in wanted[:players]
    ]

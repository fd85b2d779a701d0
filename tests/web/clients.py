"""Scripted people at a table, a clock that is turned by hand, and wires that keep what is sent."""

from __future__ import annotations

import json
import random
from typing import Any

from agents.play.seats import PACES, Seat, make_seats
from agents.play.table import BIDDING, DONE, Table
from agents.play.thinking import Players
from tuolaji_env.rules import load_rules


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Wire:
    """What a client was sent."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def send_text(self, data: str) -> None:
        self.texts.append(data)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.texts]

    def last(self, kind: str) -> dict[str, Any]:
        return [each for each in self.messages if each["type"] == kind][-1]


def make_table(
    preset: str, people: int = 1, seed: int = 1, agent: str = "greedy", **more: Any
) -> tuple[Table, list[Seat]]:
    """A table with so many people at the first seats."""
    rules = load_rules(preset)
    wanted = ["human"] * people + [agent] * (rules.players - people)
    seats = make_seats(rules.players, wanted, "heuristic")
    return Table(rules, seats, PACES["normal"], seed=seed, **more), seats


def answer(ask: dict[str, Any], stage: str, rng: random.Random, choose: Any) -> dict[str, Any]:
    """What a scripted person does when it is asked; choose: what may be added to a selection."""
    if ask["what"] == "bid":
        fresh = ask["wish"] is None
        if ask["bids"] and fresh and rng.random() < 0.3:
            return {"type": "bid", **rng.choice(ask["bids"])}
        if stage == BIDDING and fresh:
            return {"type": "bid", "cards": [], "trump": None}
        return {}
    if ask["what"] == "call":
        kind, ordinal = rng.choice(ask["calls"])
        return {"type": "call", "kind": kind, "ordinal": ordinal}
    selection: list[int] = []
    while True:
        choice = choose(selection)
        if choice["whole"] and (not choice["addable"] or rng.random() < 0.4):
            return {"type": "play", "cards": rng.sample(selection, len(selection))}
        selection.append(rng.choice(choice["addable"]))


def obey(table: Table, seat: int, wish: dict[str, Any], now: float) -> None:
    """Do at a table what a message asks for."""
    if wish["type"] == "bid":
        table.bid(seat, wish["cards"], wish["trump"], now)
    elif wish["type"] == "call":
        table.call(seat, wish["kind"], wish["ordinal"], now)
    else:
        table.play(seat, wish["cards"], now)


def play_deal(
    table: Table, seed: int = 0, watch: Any = lambda now: None, now: float = 0.0
) -> float:
    """Play a deal to its end, people by script; returns the time it took."""
    rng, players = random.Random(seed), Players(table.rules)
    while True:
        table.advance(now)
        watch(now)
        if table.stage == DONE:
            return now
        if table.thinking is not None:
            spec = table.seats[table.thinking].agent
            table.agent_acts(table.ticket, players.decide(spec, table.game), now)
            continue
        if any(_speaks(table, seat, rng, now) for seat in range(len(table.seats))):
            continue
        table.advance(now)
        if table.due is not None:
            now = max(now, table.due)


def _speaks(table: Table, seat: int, rng: random.Random, now: float) -> bool:
    """Let the person at a seat, if there is one, do what it is asked for."""
    ask = table.sight(seat, now)["ask"] if table.seats[seat].human else None
    if ask is None:
        return False
    wish = answer(ask, table.stage, rng, lambda s: table.choices().of(s)._asdict())
    if wish:
        obey(table, seat, wish, now)
    return bool(wish)

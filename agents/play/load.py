"""Many rooms at once: people by script play against bots over real sockets, and are timed.

python -m agents.play.load                          50 rooms on one server process, a minute
python -m agents.play.load --rooms 100 --seconds 20

A response is the time from a client's message to the answer to it.  Prints a line of JSON, and
exits with 1 if anything was refused or failed, or if the median response is slower than --median.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tuolaji_env.rules import preset_names

_THINKS = (0.1, 0.6)  # seconds before a scripted person does something


@dataclass
class Tally:
    """What happened: responses in seconds, deals played to the end, errors in words."""

    responses: list[float] = field(default_factory=list)
    deals: int = 0
    errors: list[str] = field(default_factory=list)

    def report(self, rooms: int, seconds: float) -> dict[str, Any]:
        """Figures, times in milliseconds."""
        times = sorted(1000 * each for each in self.responses) or [0.0]
        return {
            "rooms": rooms,
            "seconds": round(seconds, 1),
            "responses": len(self.responses),
            "deals": self.deals,
            "errors": len(self.errors),
            "median_ms": round(statistics.median(times), 1),
            "p95_ms": round(times[int(0.95 * (len(times) - 1))], 1),
            "max_ms": round(times[-1], 1),
        }


class Client:
    """A scripted person at the first seat of a room of its own."""

    def __init__(self, line: ClientConnection, number: int, tally: Tally) -> None:
        self.line, self.tally, self.rng = line, tally, random.Random(number)

    async def play(self, join: dict[str, Any], until: float) -> None:
        """Join and play until a time of `time.perf_counter`."""
        state = await self._say(join, "state")
        while time.perf_counter() < until:
            if state["stage"] == "done":
                self.tally.deals += 1
                state = await self._say({"type": "next"}, "state")
            elif wish := await self._wish(state):
                state = await self._say(wish, "state")
            else:
                state = await self._hear("state", until)
            if state is None:
                return

    async def _wish(self, state: dict[str, Any]) -> dict[str, Any] | None:
        ask = state["ask"]
        if ask is None:
            return None
        if ask["what"] == "bid" and (state["stage"] != "bidding" or ask["wish"] is not None):
            return None
        await asyncio.sleep(self.rng.uniform(*_THINKS))
        if ask["what"] == "bid":
            return {"type": "bid", "cards": [], "trump": None}
        if ask["what"] == "call":
            kind, ordinal = self.rng.choice(ask["calls"])
            return {"type": "call", "kind": kind, "ordinal": ordinal}
        return {"type": "play", "cards": await self._selection()}

    async def _selection(self) -> list[int]:
        """Cards picked one by one until they are a legal play."""
        cards: list[int] = []
        while True:
            choice = await self._say({"type": "select", "cards": cards}, "choice")
            if choice["whole"] and (not choice["addable"] or self.rng.random() < 0.5):
                return cards
            cards.append(self.rng.choice(choice["addable"]))

    async def _say(self, message: dict[str, Any], answer: str) -> Any:
        """Send a message; its answer, timed."""
        began = time.perf_counter()
        await self.line.send(json.dumps(message))
        found = await self._hear(answer, began + 30)
        self.tally.responses.append(time.perf_counter() - began)
        if found is None:
            raise RuntimeError(f"no answer to {message['type']}")
        return found

    async def _hear(self, kind: str, until: float) -> Any:
        """The next message of a kind, None if there is none in time."""
        try:
            async with asyncio.timeout(max(until - time.perf_counter(), 0.1)):
                while True:
                    found = json.loads(await self.line.recv())
                    race = found.get("code") == "no_bids_now"  # the round was over meanwhile
                    if found["type"] == "refused" and not race:
                        raise RuntimeError(f"refused: {found}")
                    if found["type"] == kind:
                        return found
        except TimeoutError:
            return None


async def _room(address: str, number: int, pace: str, tally: Tally, until: float) -> None:
    presets = preset_names()
    preset = presets[number % len(presets)]
    try:
        offer = await asyncio.to_thread(_fetch, f"{address}/api/options")
        players = next(r["players"] for r in offer["rules"] if r["name"] == preset)
        seats = ["human"] + ["heuristic"] * (players - 1)
        wish = {"rules": preset, "seats": seats, "pace": pace}
        opened = await asyncio.to_thread(_fetch, f"{address}/api/rooms", wish)
        join = {"type": "join", "room": opened["room"], "token": opened["tokens"][0]}
        async with connect(address.replace("http", "ws", 1) + "/socket") as line:
            await Client(line, number, tally).play(join, until)
    except Exception as error:
        tally.errors.append(f"room {number} ({preset}): {error!r}")


def _fetch(address: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address, data), timeout=30) as answer:
        return json.load(answer)


async def load(address: str, rooms: int, seconds: float, pace: str = "normal") -> Tally:
    """Play in so many rooms of a server for so long."""
    tally, until = Tally(), time.perf_counter() + seconds
    await asyncio.gather(*(_room(address, n, pace, tally, until) for n in range(rooms)))
    return tally


def _own_server() -> tuple[subprocess.Popen[bytes], str]:
    """A server in a process of its own, once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "agents.play", "--port", str(port)], stdout=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(600):
        try:
            _fetch(f"{address}/api/options")
            break
        except OSError:
            time.sleep(0.2)
    return server, address


def main(arguments: list[str]) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m agents.play.load")
    parser.add_argument("--rooms", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--median", type=float, default=100.0, help="milliseconds allowed")
    options = parser.parse_args(arguments)
    server, address = _own_server()
    try:
        tally = asyncio.run(load(address, options.rooms, options.seconds))
    finally:
        server.terminate()
        server.wait(20)
    report = tally.report(options.rooms, options.seconds)
    print(json.dumps(report))
    for error in tally.errors[:10]:
        print(error, file=sys.stderr)
    return int(bool(tally.errors) or report["median_ms"] > options.median)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

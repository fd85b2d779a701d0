"""A server in a thread of its own."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from agents.play.lobby import Lobby, Offer
from agents.play.server import build_app


@contextmanager
def serving(offer: Offer | None = None) -> Iterator[tuple[str, Lobby]]:
    """The address of a server that runs for the time being, and its lobby."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lobby = Lobby(offer)
    config = uvicorn.Config(
        build_app(lobby), port=port, ws="websockets-sansio", log_level="warning"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}", lobby
    finally:
        server.should_exit = True
        thread.join(20)

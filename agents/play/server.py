"""The server that browsers speak to: files of the page, rooms to open, and a socket to each."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from .lobby import Lobby
from .messages import MAX_BYTES, Join, Refused, read_message, read_new_room
from .rooms import Link, Room
from .words import LANGUAGES, STATIC, rules_in_words

_GONE = 1008  # policy violation: the socket is closed after a refusal
_STRIKES = 50  # refusals after which a connection is closed
_log = logging.getLogger(__name__)

# Nothing is fetched from elsewhere, and no other page may frame the table.
_HEADERS = {
    b"content-security-policy": b"default-src 'self'; img-src 'self' data:; "
    b"connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
    b"cache-control": b"no-cache",
}


class _SafeHeaders:
    """Adds the headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS.items()]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


def build_app(lobby: Lobby) -> Starlette:
    """The application of a lobby."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await lobby.close()

    async def index(request: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def options(request: Request) -> Response:
        return JSONResponse(lobby.offer.told())

    async def rules(request: Request) -> Response:
        language = request.query_params.get("language", "en")
        try:
            found = lobby.offer.rules(request.path_params["name"])
        except Refused as refused:
            return JSONResponse(refused.message(), status_code=404)
        if language not in LANGUAGES:
            allowed = ", ".join(LANGUAGES)
            return JSONResponse(Refused("unknown_language", allowed=allowed).message(), 404)
        return JSONResponse(rules_in_words(found, language))

    async def records(request: Request) -> Response:
        return JSONResponse([] if lobby.archive is None else lobby.archive.names())

    async def record(request: Request) -> Response:
        asked = request.query_params
        try:
            deal, step = (_number(asked.get(name, "0"), name) for name in ("deal", "step"))
            by = asked.get("by", "")
            found = await lobby.show_record(asked.get("name", ""), deal, step, by)
        except Refused as refused:
            return JSONResponse(refused.message(), status_code=404)
        return JSONResponse(found)

    async def open_room(request: Request) -> Response:
        try:
            room = lobby.open(read_new_room(await _body(request)))
        except Refused as refused:
            return JSONResponse(refused.message(), status_code=400)
        tokens = [seat.token if seat.human else None for seat in room.seats]
        return JSONResponse({"room": room.secret, "tokens": tokens})

    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        await _serve(lobby, websocket)

    return Starlette(
        routes=[
            Route("/", index),
            Route("/api/options", options),
            Route("/api/rules/{name}", rules),
            Route("/api/records", records),
            Route("/api/record", record),
            Route("/api/rooms", open_room, methods=["POST"]),
            WebSocketRoute("/socket", socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(_SafeHeaders)],
        lifespan=lifespan,
    )


def _number(text: str, where: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise Refused("malformed", where=where, why="a number from 0 is expected")
    return int(text)


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BYTES:
            raise Refused("too_long", bytes=len(body), allowed=MAX_BYTES)
    return body


async def _serve(lobby: Lobby, websocket: WebSocket) -> None:
    """One connection: it joins a room first, and is then heard until it ends."""
    try:
        room, link = await _welcome(lobby, websocket)
    except Refused as refused:
        await websocket.send_json(refused.message())
        await websocket.close(_GONE)
        return
    except WebSocketDisconnect:
        return
    try:
        await _listen(room, link, websocket)
    except WebSocketDisconnect:
        pass
    finally:
        await room.leave(link)


async def _welcome(lobby: Lobby, websocket: WebSocket) -> tuple[Room, Link]:
    message = read_message(await _receive(websocket))
    if not isinstance(message, Join):
        raise Refused("join_first")
    room = lobby.find(message.room)
    return room, await room.join(websocket, message.token, message.name)


async def _listen(room: Room, link: Link, websocket: WebSocket) -> None:
    strikes = 0
    while strikes < _STRIKES:
        answer: dict[str, Any] | None
        try:
            answer = await room.hear(link, read_message(await _receive(websocket)))
        except Refused as refused:
            answer = refused.message()
            strikes += refused.code in ("malformed", "too_long")
        if answer is not None:
            await link.send(answer)
    await websocket.close(_GONE)


async def _receive(websocket: WebSocket) -> str:
    """The next message as text. Raises Refused for another kind."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if not isinstance(text, str):
        raise Refused("malformed", where="", why="text is expected, not bytes")
    return text

"""What clients may say: every message is checked here before anything looks at it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

MAX_BYTES = 2048  # of a message; the longest honest one names a hundred cards

Kind = Annotated[int, Field(ge=0, le=53)]
Cards = Annotated[list[Kind], Field(max_length=110)]
Name = Annotated[str, Field(max_length=24)]
Secret = Annotated[str, Field(min_length=1, max_length=64)]


class Refused(Exception):  # noqa: N818  # it is an answer, not a fault
    """A wish that is not granted: `code` names the reason in the language files."""

    def __init__(self, code: str, clause: str = "", **details: Any) -> None:
        super().__init__(code, details)
        self.code, self.clause, self.details = code, clause, details

    def message(self) -> dict[str, Any]:
        """As a message to the client."""
        return {"type": "refused", "code": self.code, "clause": self.clause} | self.details


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Join(_Message):
    """The first message: a room, and a seat's secret or none to look on."""

    type: Literal["join"]
    room: Secret
    token: Secret | None = None
    name: Name = ""


class Select(_Message):
    """Cards selected: what may be added?"""

    type: Literal["select"]
    cards: Cards


class Play(_Message):
    """Cards to bury, lead or follow with."""

    type: Literal["play"]
    cards: Cards


class Bid(_Message):
    """A bid: cards, and a trump suit where it is free. No cards: a pass."""

    type: Literal["bid"]
    cards: Cards
    trump: Annotated[int, Field(ge=0, le=3)] | None = None


class Call(_Message):
    """A friend call."""

    type: Literal["call"]
    kind: Kind
    ordinal: Annotated[int, Field(ge=1, le=4)]


class Suggest(_Message):
    """What would the adviser do?"""

    type: Literal["suggest"]


class Auto(_Message):
    """Hand the seat over to its bot, or take it back (托管)."""

    type: Literal["auto"]
    on: bool


class Next(_Message):
    """Go on to the next deal, or the next match."""

    type: Literal["next"]


class Review(_Message):
    """Show a decision of the deal that is over, with its alternatives."""

    type: Literal["review"]
    step: Annotated[int, Field(ge=0, le=100_000)]
    by: Annotated[str, Field(max_length=200)] = ""


Message = Join | Select | Play | Bid | Call | Suggest | Auto | Next | Review
_READER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


class NewRoom(_Message):
    """A room to be opened: a preset, and `human` or an agent for each seat."""

    rules: Annotated[str, Field(max_length=64)] = "two_deck"
    seats: Annotated[list[Annotated[str, Field(max_length=200)]], Field(min_length=4, max_length=7)]
    episode: Literal["deal", "match"] = "match"
    seed: Annotated[int, Field(ge=0, lt=1 << 62)] | None = None
    pace: Literal["slow", "normal", "fast"] = "normal"
    turn_seconds: Annotated[int, Field(ge=5, le=600)] = 45


def read_message(text: str | bytes) -> Message:
    """A message from its JSON. Raises Refused, saying what is wrong with it."""
    if len(text) > MAX_BYTES:
        raise Refused("too_long", bytes=len(text), allowed=MAX_BYTES)
    return _read(_READER, text)


def read_new_room(text: bytes) -> NewRoom:
    """A room to be opened. Raises Refused."""
    return _read(TypeAdapter(NewRoom), text)


def _read(reader: TypeAdapter[Any], text: str | bytes) -> Any:
    try:
        return reader.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Refused("malformed", where=where[:80], why=first["msg"][:200]) from None

"""The parts of a record: what is said of a deal, and the error that says what is wrong with it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FiniteFloat

from .cards import LevelName


class RecordError(ValueError):
    """What is wrong with a record, and where.

    place: (deal, part, number), counted from 0, such as ``(0, "decisions", 17)``; None where it is
    no record at all.
    """

    def __init__(self, reason: str, place: tuple[int, str, int] | None = None) -> None:
        super().__init__(reason)
        self.place = place


def _name(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError("a name is printable, without blanks around it")
    return text


Seat = Annotated[int, Field(ge=0, le=6)]
Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_name)]
Phase = Literal["bid", "bury", "call", "play"]
#: A decision in notation; the longest kitty has 100 cards.
Text = Annotated[str, Field(min_length=1, max_length=320)]
Option = Literal["levels", "declarer", "first_drawer", "deck", "trump", "kitty"]
LevelNames = Annotated[tuple[LevelName, ...], Field(min_length=4, max_length=7)]


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Failed(Part):
    """What came of a throw that failed (R5.3): the unit that was led instead, in notation, and the
    points that it cost (R5.4).
    """

    led: Text
    penalty: Annotated[int, Field(ge=0, le=1_000_000)]


class Decision(Part):
    """A whole decision in notation (`Game.play`), and who made it.

    drawn: cards drawn when a bid or a pass was made; failed: of a throw that failed, compared if it
    is stated; values: what an agent thought of some alternatives, by their notation, in its own
    unit.
    """

    seat: Seat
    phase: Phase
    play: Text
    drawn: Annotated[int, Field(ge=0, le=216)] | None = None
    failed: Failed | None = None
    values: Annotated[dict[Text, FiniteFloat], Field(max_length=1000)] | None = None


class Deck(Part):
    """All cards in the order in which they are drawn, the kitty last.

    at: decisions of the deal made before; above 0 where nobody bid and cards were dealt again.
    """

    at: Annotated[int, Field(ge=0, le=10_000)]
    cards: Annotated[str, Field(max_length=1000)]


class Result(Part):
    """How a deal ended: score in points (R10.4), `rise` in levels by seat, `levels` after it."""

    ended: Literal["played", "revoked", "no_bids"]
    declarer: Seat | None
    trump: Literal["♦", "♣", "♥", "♠", "NT"]
    score: Annotated[int, Field(ge=-100_000, le=100_000)]
    winners: Annotated[tuple[Seat, ...], Field(max_length=7)]
    rise: Annotated[tuple[int, ...], Field(max_length=7)]
    levels: LevelNames


class Deal(Part):
    """A deal: levels by seat and declarer before it, decks, decisions; no result while it is on."""

    levels: LevelNames
    declarer: Seat | None
    first_drawer: Seat
    decks: Annotated[tuple[Deck, ...], Field(min_length=1, max_length=200)]
    decisions: Annotated[tuple[Decision, ...], Field(max_length=10_000)]
    result: Result | None

"""Records: whole deals and matches with every decision, played again and verified move by move.

A record says by which seed and options its games begin, and states what comes of that: levels,
declarer, decks, decisions, results.  Whatever is stated is compared when it is replayed.

python -m tuolaji_env.record verify FILE …     replay; names the first wrong line, and exits with 1
python -m tuolaji_env.record convert FILE OUT  text to JSON (OUT ends in .json) or back
python -m tuolaji_env.record gif FILE OUT.gif  a moving picture; needs the extra `render`
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, model_validator

from .game import Game
from .games import Episode
from .gametext import options_text, parse_options, parse_rules, rules_text
from .recordparts import Deal, Decision, Name, Part, RecordError, Seat
from .recordplay import Moment, agree, deal_of, match_winners, replayed
from .rules import Rules, load_rules
from .setup import OPTIONS

__all__ = ["Moment", "Record", "RecordError"]


def _option(name: str) -> str:
    if name not in OPTIONS:
        raise ValueError(f"{name!r} is no option; allowed: {', '.join(OPTIONS)}")
    return name


def _rules(value: Any) -> Rules:
    """Rules as they are, a preset's name, or fields; never a file."""
    return load_rules(value) if isinstance(value, Rules | dict) else parse_rules(str(value))


def _plain(rules: Rules) -> str | dict[str, Any]:
    text = rules_text(rules)
    return json.loads(text) if text.startswith("{") else text


class Record(Part):
    """A deal or a match, as far as it was played.

    seats: the players' names; winners: the seats that won the match, none if it was drawn, None
    while it is on; values_by: whose values stand beside the decisions.
    Raises pydantic's ValidationError, a ValueError, for parts that make no sense.
    """

    rules: Annotated[Rules, BeforeValidator(_rules), PlainSerializer(_plain)]
    episode: Episode
    seed: Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)]
    options: dict[Annotated[str, AfterValidator(_option)], Annotated[str, Field(max_length=1000)]]
    seats: Annotated[tuple[Name, ...], Field(max_length=7)]
    deals: Annotated[tuple[Deal, ...], Field(min_length=1, max_length=10_000)]
    winners: tuple[Seat, ...] | None = None
    values_by: Name | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Record:
        if len(self.seats) != self.rules.players:
            raise ValueError(f"seats: {len(self.seats)} given; allowed: {self.rules.players}")
        return self

    @classmethod
    def of(cls, game: Game, seats: Sequence[str] | None = None) -> Record:
        """The record of a game so far, a decision under way left out.

        seats: the players' names, by default ``seat_0`` ….  Raises RecordError for a game that was
        set up from a position.
        """
        if game.position is not None:
            raise RecordError("position: a game set up from one has no deck; keep the position")
        replay = Game(game.rules, game.seed, episode=game.episode, **game.options)
        deals = []
        for number, plays in enumerate(game.history):
            if number:
                replay.next_deal()
            deals.append(deal_of(replay, plays))
        return cls(
            rules=game.rules,
            episode=game.episode,
            seed=game.seed,
            options=options_text(game.options),
            seats=tuple(seats or (f"seat_{seat}" for seat in range(game.rules.players))),
            deals=tuple(deals),
            winners=match_winners(replay),
        )

    @classmethod
    def of_actions(
        cls,
        rules: Rules,
        seed: int,
        actions: Sequence[int],
        *,
        episode: Episode = "deal",
        skip_forced: bool = False,
        seats: Sequence[str] | None = None,
    ) -> Record:
        """The record of a game of a batch, from the actions made in it since it began.

        skip_forced: whether actions without a choice were left out.
        """
        game = Game(rules, seed, episode=episode)
        waiting = iter(actions)
        while True:
            if game.is_over and episode == "match" and not game.match_over:
                game.next_deal()
            legal = game.legal_actions()
            forced = skip_forced and len(legal) == 1
            action = legal[0] if forced else next(waiting, None)
            if action is None or not legal:
                return cls.of(game, seats)
            game.do(action)

    # --- again ----------------------------------------------------------------------------------

    def replay(self) -> Iterator[Moment]:
        """The game before every decision and after the last one of each deal, each a copy.

        Raises RecordError, with its place, at the first thing that is not as the rules have it.
        """
        for moment in self._walk():
            yield moment._replace(game=moment.game.copy())

    def verify(self) -> None:
        """Replay everything; raises RecordError, with its place, at the first wrong thing."""
        for _ in self._walk():
            pass

    def with_values(self, values: Mapping[tuple[int, int], Mapping[str, float]], by: str) -> Record:
        """This record with what an agent thought of alternatives beside some decisions.

        values: by (deal, number of the decision), from 0: a number for each play in notation.
        """
        deals = [list(deal.decisions) for deal in self.deals]
        for (deal, number), worth in values.items():
            told = dict(deals[deal][number]) | {"values": dict(worth)}
            deals[deal][number] = Decision(**told)
        parts = zip(self.deals, deals, strict=True)
        told = {
            "deals": tuple(Deal(**dict(deal) | {"decisions": tuple(d)}) for deal, d in parts),
            "values_by": by,
        }
        return Record(**dict(self) | told)

    @property
    def decisions(self) -> int:
        """Decisions in all deals."""
        return sum(len(deal.decisions) for deal in self.deals)

    def _walk(self) -> Iterator[Moment]:
        try:
            options = parse_options(self.options)
            game = Game(self.rules, self.seed, episode=self.episode, **options)
        except (ValueError, OverflowError) as error:
            raise RecordError(f"options: {error}", (0, "options", 0)) from None
        for number, deal in enumerate(self.deals):
            if number:
                try:
                    game.next_deal()
                except ValueError as error:
                    raise RecordError(str(error), (number, "levels", 0)) from None
            yield from replayed(game, deal, number)
        agree(self.winners, match_winners(game), (len(self.deals) - 1, "winners", 0))

    # --- files ----------------------------------------------------------------------------------

    def to_text(self) -> str:
        """The record for people and programs (`recordtext.py`)."""
        from .recordtext import record_text

        return record_text(self)

    @classmethod
    def from_text(cls, text: str) -> Record:
        """The record of `to_text`. Raises RecordError where anything is missing or damaged."""
        from .recordfile import checked
        from .recordtext import read_text

        return checked(read_text(text))

    def to_json(self) -> str:
        """The same as JSON."""
        from .recordjson import record_json

        return record_json(self)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record of `to_json`. Raises RecordError where anything is missing or damaged."""
        from .recordfile import checked
        from .recordjson import parse_json

        return checked(parse_json(text))

    def save(self, path: str | Path) -> None:
        """Write a file whole, or not at all: JSON if it ends in .json, else text."""
        from .recordfile import save

        save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """Read a file, text or JSON. Raises OSError, or RecordError with the file's name."""
        from .recordfile import load

        return load(path)

    def _repr_html_(self) -> str:
        from .render.html import record_html

        return record_html(self)


if __name__ == "__main__":
    import sys

    from tuolaji_env.recordcommand import main

    sys.exit(main(sys.argv[1:]))

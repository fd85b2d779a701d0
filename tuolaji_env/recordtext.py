"""Records as text, for people and programs.

The text has a line for each fact, each word of it in notation::

    tuolaji-record 1
    rules two_deck
    digest 0d5bd0b4d0a3d3c4
    episode deal
    seed 7
    seat 0 Ann
    …
    deal 1
    levels 2 2 2 2
    declarer none
    first_drawer 2
    deck ♠2 ♦5 …          all cards in the order of the draw, the kitty last, over many lines
    bid 2@9:- 2@13:♠2     seat 2 passes after 9 cards, and bids after 13
    deck …                dealt again, where nobody bid
    bury 2:♦34…
    call 2:♠A#2
    trick 1 2:♠A 3:♠3 0:♠5 1:♠K
    trick 2 2:♠99844!♠44(-20) 3:♠66 …   a throw that failed: ♠44 was led, it cost 20 points
    values ♠A=0.31 ♠33=-0.12   what `values_by` thought of alternatives to the decision before
    result ended played declarer 2 trump ♠ score 95 winners 1,3 rise 0,0,0,0 levels 2,2,2,2
    winners 1,3           of the match
    check 93a0…           a hash of all this, which a file written by hand may leave out
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .gametext import rules_text
from .record import Record, RecordError
from .recordjson import FORMAT, VERSION, Read, check_of, record_of
from .recordparts import Deal, Decision, Failed

_DECK_LINE = 24  # cards on a line, about: whole rounds of the draw
_BIDS_LINE = 8
_DECISION = re.compile(r"([0-6])(?:@([0-9]{1,3}))?:([^\s!]+)(?:!([^\s!(]+)(?:\(-([0-9]{1,7})\))?)?")
_PHASES = {"bid": "bid", "bury": "bury", "call": "call", "trick": "play"}
_TUPLES = ("winners", "rise", "levels")


def record_text(record: Record) -> str:
    """A record as text."""
    lines = [f"{FORMAT} {VERSION}", f"rules {rules_text(record.rules)}"]
    lines += [f"digest {record.rules.digest}", f"episode {record.episode}", f"seed {record.seed}"]
    lines += [f"option {name} {text}".rstrip() for name, text in record.options.items()]
    lines += [f"seat {seat} {name}" for seat, name in enumerate(record.seats)]
    if record.values_by is not None:
        lines.append(f"values_by {record.values_by}")
    for number, deal in enumerate(record.deals):
        lines += ["", f"deal {number + 1}", *_deal_lines(deal, record.rules.players)]
    if record.winners is not None:
        lines += ["", f"winners {_joined(record.winners)}"]
    return "\n".join([*lines, f"check {check_of(record)}", ""])


def _deal_lines(deal: Deal, players: int) -> Iterator[str]:
    yield f"levels {' '.join(deal.levels)}"
    yield f"declarer {_word(deal.declarer)}"
    yield f"first_drawer {deal.first_drawer}"
    decks = {deck.at: deck.cards.split() for deck in deal.decks}
    line: list[str] = []
    trick, played = 0, 0
    for at, decision in enumerate([*deal.decisions, None]):
        keyword = "" if decision is None else _keyword(decision)
        new_trick = keyword == "trick" and played % players == 0
        full = len(line) > _BIDS_LINE or (line and keyword != line[0].split()[0])
        if line and (full or new_trick or at in decks):
            yield " ".join(line)
            line = []
        yield from _deck_lines(decks.get(at, []), players)
        if decision is None:
            break
        trick += new_trick
        played += keyword == "trick"
        if not line:
            line = [f"trick {trick}" if keyword == "trick" else keyword]
        line.append(_decision_word(decision))
        if decision.values is not None:
            yield " ".join(line)
            yield " ".join(["values", *(f"{play}={v!r}" for play, v in decision.values.items())])
            line = []
    if deal.result is not None:
        yield "result " + " ".join(f"{name} {_word(value)}" for name, value in deal.result)


def _keyword(decision: Decision) -> str:
    return "trick" if decision.phase == "play" else decision.phase


def _deck_lines(cards: list[str], players: int) -> Iterator[str]:
    width = max(_DECK_LINE // players, 1) * players
    for first in range(0, len(cards), width):
        yield " ".join(["deck", *cards[first : first + width]])


def _decision_word(decision: Decision) -> str:
    place = "" if decision.drawn is None else f"@{decision.drawn}"
    return f"{decision.seat}{place}:{decision.play}{_failed_mark(decision.failed)}"


def _failed_mark(failed: Failed | None) -> str:
    if failed is None:
        return ""
    return f"!{failed.led}" + (f"(-{failed.penalty})" if failed.penalty else "")


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return _joined(value)
    return "none" if value is None else str(value)


def _joined(values: tuple[Any, ...]) -> str:
    return ",".join(map(str, values)) or "none"


# --- reading ----------------------------------------------------------------------------------


class _Reader:
    """The lines of a text, put together as the content of a record."""

    def __init__(self) -> None:
        self.content: dict[str, Any] = {"options": {}, "seats": [], "deals": []}
        self.lines: dict[tuple[int, str, int], int] = {}
        self.check: str | None = None
        self._dealing = False  # the line before was of a deck
        self._trick = 0

    def line(self, number: int, keyword: str, rest: str) -> None:
        """Take in a line."""
        again, self._dealing = self._dealing, False
        if self.check is not None:
            raise RecordError("nothing may follow the check")
        if keyword in ("rules", "digest", "episode", "values_by") and not self.content["deals"]:
            self._set(self.content, keyword, rest)
        elif keyword == "seed":
            self._set(self.content, keyword, _number(rest))
        elif keyword == "option":
            name, _, value = rest.partition(" ")
            self._set(self.content["options"], name, value)
            self.lines[0, "options", 0] = number
        elif keyword == "seat":
            place, _, name = rest.partition(" ")
            self._expect("seat", place, len(self.content["seats"]))
            self.content["seats"].append(name)
        elif keyword == "deal":
            self._expect("deal", rest, len(self.content["deals"]) + 1)
            self.content["deals"].append({"decks": [], "decisions": [], "result": None})
            self._trick = 0
            self.lines[self._at("levels")] = number
        elif keyword == "check":
            self.check = rest
        elif keyword == "winners":
            self._set(self.content, keyword, _numbers(rest))
            self.lines[self._at("winners")] = number
        else:
            self._of_deal(number, keyword, rest, again)

    def _of_deal(self, number: int, keyword: str, rest: str, again: bool) -> None:
        if not self.content["deals"]:
            raise RecordError(f"{keyword!r} is not known before the first deal")
        deal = self.content["deals"][-1]
        if deal["result"] is not None:
            raise RecordError(f"{keyword!r} after the deal's result")
        if keyword == "levels":
            self._set(deal, keyword, rest.split())
            self.lines[self._at(keyword)] = number
        elif keyword in ("declarer", "first_drawer"):
            self._set(deal, keyword, None if rest == "none" else _number(rest))
            self.lines[self._at(keyword)] = number
        elif keyword == "deck" and again:
            deal["decks"][-1]["cards"] += f" {rest}"
            self._dealing = True
        elif keyword == "deck":
            self.lines[self._at("decks", len(deal["decks"]))] = number
            deal["decks"].append({"at": len(deal["decisions"]), "cards": rest})
            self._dealing = True
        elif keyword in _PHASES:
            self._decisions(number, keyword, rest, deal["decisions"])
        elif keyword == "values":
            self._values(rest, deal["decisions"])
        elif keyword == "result":
            deal["result"] = _result(rest)
            self.lines[self._at("result")] = number
        else:
            raise RecordError(f"{keyword!r} is not known")

    def _decisions(
        self, number: int, keyword: str, rest: str, decisions: list[dict[str, Any]]
    ) -> None:
        words = rest.split()
        if keyword == "trick":
            trick = _number(words.pop(0) if words else "")
            if trick not in (self._trick, self._trick + 1) or trick == 0:
                raise RecordError(f"trick: {trick} given; allowed: {self._trick + 1}")
            self._trick = trick
        if not words:
            raise RecordError(f"{keyword}: nothing given; allowed: SEAT:PLAY")
        for word in words:
            match = _DECISION.fullmatch(word)
            if match is None:
                raise RecordError(
                    f"{keyword}: {word!r} given; allowed: SEAT:PLAY, SEAT@DRAWN:BID or "
                    "SEAT:THROW!LED(-PENALTY)"
                )
            seat, drawn, play, led, penalty = match.groups()
            decision: dict[str, Any] = {
                "seat": int(seat),
                "phase": _PHASES[keyword],
                "play": play,
            }
            if drawn is not None:
                decision["drawn"] = int(drawn)
            if led is not None:
                decision["failed"] = {"led": led, "penalty": int(penalty or 0)}
            self.lines[self._at("decisions", len(decisions))] = number
            decisions.append(decision)

    def _values(self, rest: str, decisions: list[dict[str, Any]]) -> None:
        if not decisions or "values" in decisions[-1]:
            raise RecordError("values: given without a decision of their own before them")
        values: dict[str, float] = {}
        for word in rest.split():
            play, _, value = word.rpartition("=")
            try:
                self._set(values, play, float(value))
            except ValueError:
                raise RecordError(f"values: {word!r} given; allowed: PLAY=NUMBER") from None
        decisions[-1]["values"] = values

    def _at(self, part: str, number: int = 0) -> tuple[int, str, int]:
        return max(len(self.content["deals"]) - 1, 0), part, number

    @staticmethod
    def _set(where: dict[str, Any], name: str, value: Any) -> None:
        if name in where:
            raise RecordError(f"{name!r} is given twice")
        where[name] = value

    @staticmethod
    def _expect(what: str, given: str, number: int) -> None:
        if given != str(number):
            raise RecordError(f"{what}: {given!r} given; allowed: {number}")


def read_text(text: str) -> Read:
    """The record of a text, its check not compared. Raises RecordError, naming the line."""
    first, *rest = text.split("\n")
    if first.split() != [FORMAT, str(VERSION)]:
        raise RecordError(f"line 1: {first[:40]!r}; allowed: '{FORMAT} {VERSION}'")
    reader = _Reader()
    for number, line in enumerate(rest, 2):
        keyword, _, content = line.strip().partition(" ")
        if not keyword:
            continue
        try:
            reader.line(number, keyword, content.strip())
        except RecordError as error:
            raise RecordError(f"line {number}: {error}") from None
    return Read(record_of(reader.content), reader.lines, reader.check)


def _number(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,19}", text):
        raise RecordError(f"{text[:40]!r} is no whole number")
    return int(text)


def _numbers(text: str) -> list[int]:
    return [] if text == "none" else [_number(word) for word in text.split(",")]


def _result(rest: str) -> dict[str, Any]:
    words = rest.split()
    found: dict[str, Any] = dict(zip(words[::2], words[1::2], strict=False))
    if 2 * len(found) != len(words):
        raise RecordError("result: names and values do not pair off, or a name comes twice")
    for name, value in found.items():
        if name == "levels":
            found[name] = value.split(",")
        elif name in _TUPLES:
            found[name] = _numbers(value)
        elif name in ("score", "declarer"):
            found[name] = None if value == "none" else _number(value)
    return found

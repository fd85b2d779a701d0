"""Which rules are refused, as data, and how a refusal is worded.

A single field's own limits stand at the field, in ``rules.py``; here are the fields that
contradict one another, each line with the clause it rests on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pydantic import ValidationError

    from .rules import Rules


class RulesError(ValueError):
    """Rules that cannot be played: a line for each field, value, what is allowed, and clause."""


class Need(NamedTuple):
    """``field`` at ``value`` is refused unless ``other`` is one of ``allowed``."""

    clause: str
    field: str
    value: Any
    other: str
    allowed: tuple[Any, ...]


NEEDS = (
    Need("R1.4", "teams", "fixed", "players", (4, 6)),
    Need("R1.4", "teams", "friends", "bids", ("count",)),
    Need("R1.4", "teams", "friends", "top_no_trump", (False,)),
    Need("R1.4", "teams", "friends", "no_bid", ("redeal",)),
    Need("R1.4", "teams", "friends", "revoke", ("impossible",)),
    Need("R4.4", "links", "guangxi", "permanent_links", ("natural",)),
    Need("R4.5", "level3_with_2", True, "links", ("guangxi",)),
    Need("R5.5", "follow", "cards", "throws", ("off",)),
    Need("R6.4", "same_count", True, "follow", ("cards",)),
    Need("R8.2", "reclaim", True, "bids", ("count", "standard")),
    Need("R8.3", "bids", "joker_backed", "jokers", (True,)),
    Need("R8.3", "bids", "henan", "jokers", (True,)),
    Need("R8.3", "bids", "henan", "decks", (2,)),
    Need("R8.3", "bids", "chaodi2", "decks", (2,)),
    Need("R8.3", "bids", "chaodi3", "decks", (3,)),
    Need("R8.3", "single_by_suit", True, "bids", ("chaodi2",)),
    Need("R8.6", "hidden_bids", True, "bids", ("count",)),
    Need("R9.1", "teams", "fixed", "friends_called", (0,)),
)


class Conflict(NamedTuple):
    """``fields`` are refused where ``refused`` says so; ``{r}`` in ``allowed`` is the rules."""

    clause: str
    fields: tuple[str, ...]
    refused: Callable[[Rules], bool]
    allowed: str


def _friends(rules: Rules) -> bool:
    return rules.teams == "friends"


def _uneven(rules: Rules) -> bool:
    return (rules.deck_size - rules.kitty) % rules.players != 0 or rules.hand_size < 1


def _unordered(rules: Rules) -> bool:
    return any(
        low[0] >= high[0] or (low[1], high[1]) == ("others", "declarers")
        for low, high in pairwise(rules.table or ())
    )


CONFLICTS = (
    Conflict(
        "R1.4",
        ("ladder", "teams"),
        lambda r: _friends(r) and "NT" in r.ladder,
        "a ladder of friends has no NT",
    ),
    Conflict(
        "R1.5",
        ("kitty", "players"),
        _uneven,
        "allowed: {r.remainder}, or that and a multiple of {r.players}, with cards left for all",
    ),
    Conflict(
        "R2.1",
        ("ladder",),
        lambda r: "NT" in r.ladder[:-1],
        "NT comes last on a ladder",
    ),
    Conflict(
        "R2.2",
        ("mandatory", "ladder"),
        lambda r: not set(r.mandatory) <= set(r.ladder),
        "every mandatory level must be on the ladder",
    ),
    Conflict(
        "R2.4",
        ("cyclic", "ladder"),
        lambda r: r.cyclic and "NT" in r.ladder,
        "a cyclic ladder has no NT",
    ),
    Conflict(
        "R2.5",
        ("top_needs_trump_capture", "ladder", "jokers"),
        lambda r: r.top_needs_trump_capture and "NT" in r.ladder and not r.jokers,
        "at NT only jokers are trump, so without them nobody could ever pass the top",
    ),
    Conflict(
        "R8.7",
        ("rebid_after_bury", "kitty"),
        lambda r: r.rebid_after_bury and r.kitty == 0,
        "over-bids after the bury need a kitty to take",
    ),
    Conflict(
        "R9.1",
        ("friends_called", "players"),
        lambda r: _friends(r) and not 1 <= r.friends_called < r.players // 2,
        "at least one card is called, and the declarer's side is at most half of the players",
    ),
    Conflict(
        "R9.1",
        ("permanent_trumps", "teams"),
        lambda r: (
            _friends(r) and r.permanent_trumps != "next_level" and len(r.permanent_trumps) > 11
        ),
        "at every level a rank must be left that is no trump, to be called",
    ),
    Conflict(
        "R10.3",
        ("clamp",),
        lambda r: r.clamp is not None and r.clamp[0] >= r.clamp[1],
        "the lowest score comes first, and is lower than the highest",
    ),
    Conflict(
        "R10.4",
        ("table",),
        _unordered,
        "rows ascend by points, no two alike, and the declarers' rows come before the others'",
    ),
)


def contradictions(rules: Rules) -> Iterator[str]:
    """A line for each refused thing in the rules: fields, values, what is allowed, clause."""
    for clause, field, value, other, allowed in NEEDS:
        got = getattr(rules, other)
        if getattr(rules, field) == value and got not in allowed:
            choice = " or ".join(map(show, allowed))
            yield f"{other}: {show(got)} with {field}: {show(value)}; allowed: {choice} ({clause})"
    for clause, fields, refused, allowed_text in CONFLICTS:
        if refused(rules):
            given = " with ".join(f"{field}: {show(getattr(rules, field))}" for field in fields)
            yield f"{given}; {allowed_text.format(r=rules)} ({clause})"


def explain(error: ValidationError, clauses: Mapping[str, str]) -> Iterator[str]:
    """The lines of a :class:`RulesError` for pydantic's errors; ``clauses`` by field."""
    told = set()
    for problem in error.errors():
        cause = problem.get("ctx", {}).get("error")
        if isinstance(cause, RulesError):  # from `contradictions`
            yield str(cause)
            continue
        field, *inner = problem["loc"]
        # A default that hangs on a wrong field, or a length without a wrong entry, only follows.
        if problem["type"] == "default_factory_not_called" or field in told:
            continue
        told.add(field)
        if problem["type"] == "extra_forbidden":
            yield f"{field}: no such rule{did_you_mean(str(field), clauses)}"
            continue
        place = f"{field}" + "".join(f"[{index}]" for index in inner if isinstance(index, int))
        allowed = str(cause) if cause else problem["msg"].replace("Input should be", "should be")
        if problem["type"] == "missing":  # in a tuple: no field is required
            allowed = "an entry is missing at the end"
        yield f"{place}: {show(problem['input'])}; {allowed} ({clauses[str(field)]})"


def show(value: Any) -> str:
    """A value as it is written in a rules file, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:77]}..."


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A hint to the nearest of the words, or nothing."""
    close = get_close_matches(word, list(words), n=1)
    return f"; did you mean {close[0]}?" if close else ""

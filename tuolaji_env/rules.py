"""What a game is: every rule as a field of one frozen, validated value.

A regional game is data: a YAML file that states some fields. Clauses (``R4.4`` and the like) number
the rules that the project plays; each field names its own, and so does every refusal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from .cards import LEVEL_NAMES, RANK_NAMES, LevelName, RankName
from .refusals import RulesError, contradictions, explain
from .rulesfile import is_path, preset_names, read_fields

__all__ = ["USUAL_KITTY", "Rules", "RulesError", "load_rules", "preset_names"]

#: Usual kitty sizes by (players, decks), R1.5: the default of ``kitty``.
USUAL_KITTY = {
    (4, 1): 6, (4, 2): 8, (4, 3): 6, (4, 4): 8,
    (5, 2): 8, (5, 3): 7, (5, 4): 6,
    (6, 2): 6, (6, 3): 6, (6, 4): 6,
    (7, 3): 8, (7, 4): 6,
}  # fmt: skip


def _names(allowed: tuple[str, ...], value: Any) -> tuple[str, ...]:
    """A list of names: numbers count as their names, ``2..A`` as all names from 2 to A."""
    names: list[str] = []
    for entry in value if isinstance(value, list | tuple) else [value]:
        first, dots, last = str(entry).partition("..")
        last = last if dots else first
        if isinstance(entry, bool) or not {first, last} <= set(allowed):
            raise ValueError(f"{entry!r} is not known; allowed: {' '.join(allowed)}")
        run = allowed[allowed.index(first) : allowed.index(last) + 1]
        if not run:
            raise ValueError(f"{entry!r} is empty; the lower name comes first")
        names += run
    if len(set(names)) < len(names):
        raise ValueError("every name may occur once only")
    return tuple(names)


def _sorted_names(allowed: tuple[str, ...], value: Any) -> tuple[str, ...]:
    return tuple(sorted(_names(allowed, value), key=allowed.index))


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


Side = Literal["declarers", "others"]
Points = Annotated[int, Field(ge=-10_000, le=10_000)]
Levels = Annotated[int, Field(ge=0, le=100)]
#: A line of ``table``: from this score on, this side declares next and rises by so many levels.
Row = tuple[Points, Side, Levels]
Rows = Annotated[tuple[Row, ...], Field(min_length=1, max_length=24)]

LevelSet = Annotated[
    tuple[LevelName, ...], BeforeValidator(lambda value: _sorted_names(LEVEL_NAMES, value))
]
PermanentTrumps = Annotated[
    tuple[RankName, ...] | Literal["next_level"],
    BeforeValidator(lambda v: v if v == "next_level" else _sorted_names(RANK_NAMES, v)),
]
Ladder = Annotated[tuple[LevelName, ...], BeforeValidator(lambda value: _names(LEVEL_NAMES, value))]
Bids = Literal["count", "standard", "joker_backed", "henan", "chaodi2", "chaodi3"]
Capture = Literal["unit_cards", "pow2_cards", "pow2_pairs", "tractor_pow2", "play_cards", "bonus"]


def _rule(clause: str, default: Any, meaning: str, **limits: Any) -> Any:
    """A field of :class:`Rules`; ``default`` may be a function of the fields above it."""
    how = "default_factory" if callable(default) else "default"
    extra: Any = {"clause": clause}
    return Field(**{how: default}, description=meaning, json_schema_extra=extra, **limits)


def _usual_kitty(above: dict[str, Any]) -> int:
    players, decks = above["players"], above["decks"]
    cards = decks * (54 if above["jokers"] else 52)
    return cast(int, USUAL_KITTY.get((players, decks), cards % players))


def _usual_calls(above: dict[str, Any]) -> int:
    return above["players"] // 2 - 1 if above["teams"] == "friends" else 0


class Rules(BaseModel):
    """One rule set. Immutable, hashable, compared by value; the defaults are ``two_deck``.

    Raises :class:`RulesError` for unknown fields, wrong values, and values that contradict one
    another. What a field means is its description, its clause is in ``json_schema_extra``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = _rule("R11", "", "what the rule set is called; means nothing to the game")

    decks: int = _rule("R1.1", 2, "decks of cards", ge=1, le=4)
    jokers: bool = _rule("R1.1", True, "a deck has its two jokers")
    players: int = _rule("R1.3", 4, "players at the table", ge=4, le=7)
    teams: Literal["fixed", "friends"] = _rule(
        "R1.4", "fixed", "every other seat, or friends that the declarer calls"
    )
    kitty: int = _rule(
        "R1.5", _usual_kitty, "cards left for the declarer; usual number by default", ge=0, le=100
    )

    ladder: Ladder = _rule("R2.1", RANK_NAMES, "levels from the bottom to the top", min_length=1)
    mandatory: LevelSet = _rule("R2.2", (), "levels that cannot be skipped")
    win_by: Literal["passing", "defending"] = _rule(
        "R2.3", "passing", "the match is won by passing the top, or by declaring there and winning"
    )
    cyclic: bool = _rule("R2.4", False, "after the top comes the bottom again")
    max_deals: int = _rule("R2.4", 200, "deals after which a match ends", ge=1, le=10_000)
    top_no_trump: bool = _rule("R2.5", False, "the top has neither trump suit nor bidding")
    top_needs_trump_capture: bool = _rule(
        "R2.5", False, "the top is passed only by a last trick taken with trumps"
    )

    permanent_trumps: PermanentTrumps = _rule("R3.3", (), "ranks always trump, or next_level")
    links: Literal["standard", "guangxi"] = _rule(
        "R4.2", "standard", "which kinds stand next to each other in a tractor"
    )
    permanent_links: Literal["order", "natural"] = _rule(
        "R4.3", "order", "permanent trumps link by their place in the order, or by their rank"
    )
    level3_with_2: bool = _rule("R4.5", False, "at level 3, the trump suit's 3 and 2 link")

    throws: Literal["off", "certain", "attempt"] = _rule("R5.1", "attempt", "leads of many units")
    failed_throw_plays: Literal["widest", "lowest"] = _rule(
        "R5.3", "widest", "which beaten unit of a failed throw is led"
    )
    throw_penalty_per_card: int = _rule(
        "R5.4", 0, "points for each card of the beaten units", ge=0, le=100
    )
    throw_penalty_points: int = _rule("R5.4", 0, "points for a failed throw", ge=0, le=1000)

    follow: Literal["longest", "exact", "cards"] = _rule(
        "R6.2", "longest", "which pieces a lead asks for"
    )
    follow_prefers: Literal["tractor", "width"] = _rule("R6.3", "tractor", "what is asked first")
    same_count: bool = _rule("R6.4", False, "any one unit of as many cards answers first")
    protect_wider: bool = _rule("R6.5", False, "nobody must cut a triple or quad")

    throw_compare: Literal["main", "lexicographic", "all"] = _rule(
        "R7.2", "main", "which units of a throw decide"
    )
    wider_beats: Literal["off", "tractor", "all"] = _rule(
        "R7.3", "off", "wider units of as many cards that beat narrower ones"
    )

    bid_poll: Literal["draw", "end"] = _rule(
        "R8.1", "draw", "bids while drawing, or only after the last draw"
    )
    reinforce: bool = _rule("R8.2", True, "the standing bidder may add copies")
    reclaim: bool = _rule("R8.2", False, "an over-bid bidder may come back by adding copies")
    bids: Bids = _rule("R8.3", "standard", "what can be bid, and how bids compare")
    single_by_suit: bool = _rule("R8.3", False, "single cards compare by suit as well")
    first_declarer: Literal["bidder", "first_bidder", "drawn", "given"] = _rule(
        "R8.4", "bidder", "who declares in the first deal"
    )
    no_bid: Literal["redeal", "flip", "no_trump"] = _rule(
        "R8.5", "redeal", "what happens when nobody bids"
    )
    max_redeals: int = _rule("R8.5", 3, "redeals in a row", ge=0, le=100)
    hidden_bids: bool = _rule("R8.6", False, "a bid's suit is secret until bidding is over")
    rebid_after_bury: bool = _rule("R8.7", False, "after each bury the others may over-bid")

    friends_called: int = _rule(
        "R9.1", _usual_calls, "cards that the declarer calls; usual number by default", ge=0
    )

    capture: Capture = _rule(
        "R10.1", "pow2_pairs", "what the kitty counts for non-declarers who take the last trick"
    )
    capture_factor: int = _rule(
        "R10.1", 2, "of unit_cards and play_cards: times the cards", ge=1, le=100
    )
    capture_bonus: int = _rule("R10.1", 40, "of bonus: points on top of the kitty's", ge=0, le=1000)
    all_pairs: bool = _rule("R10.1", False, "of pow2_pairs: the pairs of the whole winning play")
    capture_needs_trump: bool = _rule("R10.1", False, "only a last trick with trumps captures")
    last_trick_multiplies: bool = _rule("R10.2", False, "the last trick counts once a card led")
    clamp: Annotated[tuple[Points, Points] | None, BeforeValidator(_tuples)] = _rule(
        "R10.3", None, "lowest and highest score that is read"
    )
    base: int = _rule("R10.4", 80, "score at which the others declare next", ge=1, le=10_000)
    step: int = _rule("R10.4", 40, "points to each further level", ge=1, le=10_000)
    table: Annotated[Rows | None, BeforeValidator(_tuples)] = _rule(
        "R10.4", None, "instead of base and step: (from points, who declares next, its rise)"
    )
    below_zero_step: int = _rule(
        "R10.4", 0, "points below 0 to each further level; 0: none", ge=0, le=10_000
    )
    max_rise: Annotated[int, Field(ge=1, le=100)] | None = _rule(
        "R10.4", None, "levels that a side rises at most"
    )
    revoke: Literal["impossible", "forfeit"] = _rule(
        "R10.5", "impossible", "an illegal follow cannot be played, or loses the deal"
    )

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise RulesError("\n".join(explain(error, clauses()))) from None

    @model_validator(mode="after")
    def _consistent(self) -> Rules:
        if problems := list(contradictions(self)):
            raise RulesError("\n".join(problems))
        return self

    @property
    def deck_size(self) -> int:
        """Cards in the game, all decks together."""
        return self.decks * (54 if self.jokers else 52)

    @property
    def hand_size(self) -> int:
        """Cards that each player draws, the kitty not among them."""
        return (self.deck_size - self.kitty) // self.players

    @property
    def remainder(self) -> int:
        """The smallest kitty that leaves equal hands."""
        return self.deck_size % self.players

    @property
    def takeover(self) -> int:
        """The lowest score at which the others declare next (R10.4), points."""
        if self.table is None:
            return self.base
        others = (points for points, side, _ in self.table if side == "others")
        return next(others, self.table[-1][0] + 1)

    @property
    def digest(self) -> str:
        """16 hex digits that tell rule sets apart, whatever they are called."""
        fields = self.model_dump(mode="json", exclude={"name"})
        text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def replace(self, **fields: Any) -> Rules:
        """These rules with other values for some fields, validated.

        They lose their name unless a new one is given. A kitty and a number of calls that were
        never stated become the usual ones anew.
        """
        stated = {field: getattr(self, field) for field in self.model_fields_set}
        return Rules(**stated | {"name": ""} | fields)


def clauses() -> dict[str, str]:
    """The clause of each field of :class:`Rules`."""
    fields = Rules.model_fields.items()
    return {name: cast(dict[str, str], field.json_schema_extra)["clause"] for name, field in fields}


def load_rules(source: str | Path | Mapping[str, Any] | Rules = "two_deck") -> Rules:
    """The rules meant by a preset's name, the path of a YAML file, a mapping of fields, or Rules.

    A file or mapping states fields of :class:`Rules`, and under ``preset`` the preset that it
    changes (if none: the defaults); a file without a ``name`` is named by its own. A string is a
    path if it ends in .yaml or .yml or has a slash. Raises :class:`RulesError`.
    """
    if isinstance(source, Rules):
        return source
    try:
        return Rules(**read_fields(source))
    except RulesError as error:
        origin = f"{source}: " if is_path(source) else ""
        raise RulesError(f"{origin}{error}") from None


if __name__ == "__main__":
    import sys

    from tuolaji_env.explain import main

    sys.exit(main(sys.argv[1:]))

"""Observation rows: segments, scales, digest. ``python -m tuolaji_env.observe`` lists them.

A row belongs to a seat and says what that seat may know. Seats in it are relative: 0 is the seat
itself, 1 the next one (on the right), and so on. `core/see.py` writes rows in the order of the
segments here; numbers are uint8, and a float32 row is the same numbers times `Layout.scale`.
"""

from __future__ import annotations

import hashlib
import sys
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from .cards import LEVEL_NAMES, NO_TRUMP, NUM_KINDS, RANK_NAMES, TRUMP
from .core import probe
from .core.record import ACTIONS, COMBOS, SEATS
from .core.tables import compile_rules
from .rules import Rules, load_rules, preset_names

#: Raised whenever rows change their meaning.
LAYOUT_VERSION = 2

LayoutKind = Literal["rules", "universal"]

_CALL_SLOTS = 2
_FREE_FIELDS = {"name", "ladder", "mandatory", "permanent_trumps", "clamp", "table"}
_INT_UNITS = {
    **dict.fromkeys(("throw_penalty_points", "capture_bonus", "base", "step"), 5),
    "throw_penalty_per_card": 5,
    "below_zero_step": 5,
    "max_deals": 1,
}
_CURVE = 17


class Segment(NamedTuple):
    """A run of numbers in a row: `size` of them from `offset`, shaped `shape`."""

    name: str
    offset: int
    shape: tuple[int, ...]
    scale: float
    meaning: str

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    @property
    def slice(self) -> slice:
        return slice(self.offset, self.offset + self.size)


def _segments(
    seats: int, slots: int, options: int
) -> list[tuple[str, tuple[int, ...], float, str]]:
    half, fives = 0.5, 1 / 40
    return [
        ("hand", (54,), half, "own cards: copies of each kind"),
        ("selection", (54,), half, "cards picked so far for the mover's own decision"),
        ("trick", (seats, 54), half, "cards in this trick, by seat"),
        ("played", (seats, 54), half, "cards played before this trick, by seat"),
        ("exposed", (seats, 54), half, "cards of failed throws that went back, not yet played"),
        ("unseen", (54,), half, "copies not in the own hand, not played, not in the own kitty"),
        ("kitty", (54,), half, "the kitty if the seat buried it, else cards turned up from it"),
        ("void", (seats, 5), 1, "effective suits (♦ ♣ ♥ ♠ trump) that a seat has shown to lack"),
        ("trump", (5,), 1, "trump suit ♦ ♣ ♥ ♠ or none, once it is settled"),
        ("real_trump", (5,), 1, "the same; in the canonical view the suit as it really is"),
        ("phase", (6,), 1, "bid, bury, call (shown to the mover alone), lead, follow, over"),
        ("drawing", (1,), 1, "asked for a bid while cards are drawn"),
        ("shown", (seats, 7), half, "cards shown in bids: ♦ ♣ ♥ ♠, small and big jokers, hidden"),
        ("bidder", (seats,), 1, "who made the standing bid"),
        ("bid_trump", (5,), 1, "the trump it makes"),
        ("bid_strength", (1,), 1 / 8, "its strength (R8.3)"),
        ("bid_copies", (1,), half, "cards it shows"),
        ("lead_suit", (5,), 1, "effective suit led"),
        ("count", (1,), 1 / 8, "cards led; for the burier: cards to bury"),
        ("lead_tuples", (4,), half, "singles, pairs, triples, quads of the lead"),
        ("lead_tractors", (3, 2), half, "tractors of width 2, 3, 4: their number, all their links"),
        ("owed_tuples", (4,), half, "the same for what the mover must play (R6.2)"),
        ("owed_tractors", (3, 2), half, "the same"),
        ("best_is_trump", (1,), 1, "whether the standing play is of trumps"),
        ("best_top", (1,), 1 / 16, "1 + power of its main unit"),
        ("best_width", (1,), half, "the width of its main unit"),
        ("trick_points", (1,), fives, "points in the trick, in fives"),
        ("declarer", (seats,), 1, "who declares"),
        ("burier", (seats,), 1, "who buried the kitty"),
        ("leader", (seats,), 1, "who leads or led this trick"),
        ("standing", (seats,), 1, "whose play stands"),
        ("held", (seats,), 1 / 16, "cards held; while cards are drawn the own number for all"),
        ("with_declarer", (seats,), 1, "known to be on the declarer's side"),
        ("against", (seats,), 1, "known to be on the other side"),
        ("taken", (seats,), fives, "points taken, in fives"),
        ("fined", (seats,), fives, "throw penalties, in fives"),
        ("level", (seats,), 1 / 8, "1 + place on the ladder"),
        ("gained", (seats,), 1 / 8, "levels gained in this match"),
        ("score", (1,), fives, "non-declarers' points so far, in fives, plus 64 (fixed teams)"),
        ("kitty_points", (1,), fives, "points in the kitty, in fives, if the seat buried it"),
        ("tricks", (1,), 1 / 16, "tricks finished"),
        ("deals", (1,), 1 / 16, "deals finished in this match"),
        ("redeals", (1,), 1, "redeals in a row"),
        (
            "calls",
            (slots, 56 + seats),
            1,
            "friend calls: kind, ordinal, copies to come, who it was",
        ),
        ("power", (54,), 1 / 16, "1 + place of each kind in the order of its effective suit"),
        ("is_trump", (54,), 1, "whether each kind is trump"),
        ("level_rank", (14,), 1, "level rank 2 … A or NT"),
        ("rules", (options,), 1 / 8, "the rule options (`Layout.option_names`)"),
    ]


class Layout:
    """How rows of one rule set are laid out.

    kind: `rules` is sized by the rules' players and calls; `universal` is padded to 7 seats and
    2 calls and tells the rules' options, so that one network can play every rule set.  canonical:
    suits are renamed so that the trump suit comes last, in rows, masks and actions alike (before it
    is settled nothing is).
    advice: a built-in policy whose action for the mover is shown in a last segment; "": none.

    Attributes: `rules`; `segments` by name; `size`, the numbers in a row; `scale` [size] float32;
    `options`, the rules as uint8 numbers, and `option_names` (`rules`: none); `fixed` [70, F], by
    level * 5 + trump the segments that hang on nothing else; `digest`, equal for rows that mean the
    same.
    """

    def __init__(
        self,
        rules: Rules,
        kind: LayoutKind = "rules",
        canonical: bool = False,
        advice: str = "",
    ) -> None:
        if kind not in get_args(LayoutKind):
            raise ValueError(f"layout: {kind!r} is not known; allowed: rules, universal")
        self.rules = rules
        self.kind, self.canonical, self.advice = kind, canonical, advice
        self.seats = SEATS if kind == "universal" else rules.players
        self.slots = _CALL_SLOTS if kind == "universal" else rules.friends_called
        features = rule_features(rules) if kind == "universal" else {}
        self.option_names = tuple(features)
        self.options: NDArray[np.uint8] = np.array(list(features.values()), np.uint8)
        self.segments: dict[str, Segment] = {}
        offset = 0
        parts = _segments(self.seats, self.slots, len(features))
        if advice:
            parts.append(("advice", (ACTIONS,), 1, f"what the policy {advice} would do"))
        for name, shape, scale, meaning in parts:
            segment = Segment(name, offset, shape, scale, meaning)
            self.segments[name] = segment
            offset += segment.size
        self.size = offset
        self.scale: NDArray[np.float32] = np.empty(offset, np.float32)
        for segment in self.segments.values():
            self.scale[segment.slice] = segment.scale
        self.fixed = self._fixed(rules)
        shape_text = repr([(s.name, s.shape, s.scale) for s in self.segments.values()])
        text = f"{LAYOUT_VERSION} {canonical} {advice} {self.option_names} {shape_text}"
        self.digest = hashlib.sha256(text.encode()).hexdigest()[:16]

    def _fixed(self, rules: Rules) -> NDArray[np.uint8]:
        """The segments from `power` to `rules`, by level * 5 + trump. [70, F]."""
        table = compile_rules(rules)[0]
        out = np.zeros((COMBOS, self.size), np.uint8)
        kinds = np.arange(NUM_KINDS)
        for combo in range(COMBOS):
            place, trump = kinds.copy(), combo % 5
            if self.canonical and trump != NO_TRUMP:
                order = [suit for suit in range(4) if suit != trump] + [trump]
                for new, suit in enumerate(order):
                    place[13 * suit : 13 * suit + 13] = np.arange(13 * new, 13 * new + 13)
            row = out[combo]
            self.part(row, "power")[place] = table["power"][combo] + 1
            self.part(row, "is_trump")[place] = table["suit_of"][combo] == TRUMP
            self.part(row, "level_rank")[combo // 5] = 1
            self.part(row, "rules")[:] = self.options
        first, last = self.segments["power"], self.segments["rules"]
        return np.ascontiguousarray(out[:, first.offset : last.slice.stop])

    def part(self, row: NDArray[Any], name: str) -> NDArray[Any]:
        """A segment of a row, or of rows [..., size], in its own shape."""
        segment = self.segments[name]
        return row[..., segment.slice].reshape(*row.shape[:-1], *segment.shape)


def rule_features(rules: Rules) -> dict[str, int]:
    """The rules as small numbers by name, 0..255: options, sets of ranks, the score's meaning.

    `score_curve` is R10.4 sampled at 0, 1/8 … 16/8 of the deck's points: the levels that the
    declarers (below 32) or the others (above) rise, 32 standing for a change of declarer only.
    """
    out: dict[str, int] = {}
    for name, field in Rules.model_fields.items():
        value = getattr(rules, name)
        if name in _FREE_FIELDS:
            continue
        if name == "max_rise":
            out[name] = value or 0
        elif isinstance(value, str):
            for choice in get_args(field.annotation):
                out[f"{name}={choice}"] = int(value == choice)
        else:
            out[name] = min(int(value) // _INT_UNITS.get(name, 1), 255)
    for name, names in (("ladder", LEVEL_NAMES), ("mandatory", LEVEL_NAMES)):
        for level in names:
            out[f"{name}={level}"] = int(level in getattr(rules, name))
    for rank in (*RANK_NAMES, "next_level"):
        permanent = rules.permanent_trumps
        out[f"permanent={rank}"] = int(rank == permanent or rank in permanent)
    table = compile_rules(rules)
    for i in range(_CURVE):
        others, rise = probe.result(table, 100 * rules.decks * i // 8)
        out[f"score_curve={i}"] = 32 + min(int(rise), 31) if others else 32 - min(int(rise), 31)
    return out


def describe(layout: Layout) -> str:
    """The segments of a layout as a Markdown table."""
    lines = [
        "| segment | offset | shape | scale | meaning |",
        "|---|---|---|---|---|",
    ]
    for s in layout.segments.values():
        if not s.size:
            continue
        shape = " × ".join(map(str, s.shape))
        lines.append(f"| `{s.name}` | {s.offset} | {shape} | {s.scale:g} | {s.meaning} |")
    return "\n".join(lines)


if __name__ == "__main__":
    chosen = sys.argv[1] if len(sys.argv) > 1 else "two_deck"
    if chosen not in preset_names() and not chosen.endswith((".yaml", ".yml")):
        sys.exit(f"{chosen}: no such preset; known: {' '.join(preset_names())}")
    table_layout = Layout(load_rules(chosen))
    print(f"`{chosen}`, layout `rules`, version {LAYOUT_VERSION}: {table_layout.size} numbers\n")
    print(describe(table_layout))

"""Rule cases from a file, worked out by the kernels: ``python -m tuolaji_env.testing cases FILE``.

A case file holds one JSON object a line: a question about one rule, under a preset with some
fields changed, and its answer.  Cards are kinds (see `cards.py`), `level` is a rank or null for
NT, `trump` a suit or null.  Lines (`t`) are `order`, `decompose`, `follow`, `trick`, `throw`,
`score` and `bid`; the answer's fields are those that the functions here return.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .cards import TRUMP
from .core import probe
from .core.record import BIG_JOKER, END, NO_LEVEL, NO_TRUMP, TRUMP_OF, new_games
from .core.tables import compile_rules
from .core.walk import MAX_PATH, walk
from .notation import cards_text
from .rules import Rules, load_rules
from .setup import planes_of

_PATHS = np.empty((1 << 17, MAX_PATH), np.int8)
_LENGTHS = np.empty(len(_PATHS), np.int64)
_MASKS = np.empty(MAX_PATH, np.int64)


Answer = dict[str, Any]


class Disagreement(NamedTuple):
    """A line whose answer the kernels do not give."""

    line: str
    field: str
    expected: Any
    got: Any

    def __str__(self) -> str:
        return (
            f"{self.line}: {self.field}: expected {_readable(self.field, self.expected)}, "
            f"got {_readable(self.field, self.got)}"
        )


@lru_cache(maxsize=512)
def _compiled(preset: str, over: str) -> tuple[Rules, NDArray[Any]]:
    rules = load_rules(preset)
    changes = json.loads(over)
    rules = rules.replace(**changes) if changes else rules
    return rules, compile_rules(rules)


class _Case:
    """One line, with a blank game set to its level and trump."""

    def __init__(self, line: Answer) -> None:
        self.line = line
        self.rules, self.table = _compiled(line["preset"], json.dumps(line["over"]))
        self.games = new_games(1)
        level, trump = (
            unset if line.get(name) is None else line[name]
            for name, unset in (("level", NO_LEVEL), ("trump", NO_TRUMP))
        )
        self.combo = level * 5 + trump
        self.set(combo=self.combo, bid_seat=-1, single_seat=-1, last=-1)
        self.games["side"] = 1

    def set(self, **fields: Any) -> None:
        for name, value in fields.items():
            self.games[name] = value

    def lead(self, cards: list[int]) -> None:
        self.set(picked=len(cards), last=cards[-1])
        self.games["pick"][0] = planes_of(cards)
        probe.lead_pick(self.table, self.games)

    def paths(self) -> Iterator[list[int]]:
        found = walk(self.table, self.games, _PATHS, _LENGTHS, _MASKS)
        for i in range(found):
            yield _PATHS[i, : _LENGTHS[i]].tolist()


def _order(case: _Case) -> Answer:
    t, combo = case.table[0], case.combo
    suit, link = t["suit_of"][combo], t["link"][combo]
    links = [
        [a, b]
        for a in range(54)
        for b in range(a + 1, 54)
        if suit[a] == suit[b] and min(link[a], link[b]) >= 0 and abs(int(link[a]) - link[b]) == 1
    ]
    answer = {"suit": suit.tolist(), "power": t["power"][combo].tolist(), "links": links}
    if case.rules.permanent_links == "natural":
        linked = {k for pair in links for k in pair}
        heights = t["tractor_power"][combo]
        ranks = {
            s: sorted({int(heights[k]) for k in linked if suit[k] == s}) for s in range(TRUMP + 1)
        }
        answer["tractor_power"] = [
            ranks[suit[k]].index(heights[k]) if k in linked else None for k in range(54)
        ]
    return answer


def _kinds(bits: Any) -> list[int]:
    return [k for k in range(54) if int(bits) >> k & 1]


def _units(case: _Case) -> list[Any]:
    g = case.games[0]
    return [
        [[int(w), int(n)], sorted(_kinds(bits) * int(w))]
        for w, n, bits in zip(
            g["unit_width"][: g["units"]], g["unit_length"], g["unit_kinds"], strict=False
        )
    ]


def _decompose(case: _Case) -> Answer:
    case.lead(case.line["cards"])
    return {"units": _units(case)}


def shapes_of(row: NDArray[Any]) -> list[list[int]]:
    """The units of a `SHAPE` row without singles, most cards first, then wider."""
    shapes = [[int(row[5 + 2 * t]), int(row[6 + 2 * t])] for t in range(row[0])]
    shapes += [[w, 1] for w in (4, 3, 2) for _ in range(row[w])]
    return sorted(shapes, key=lambda unit: (-unit[0] * unit[1], -unit[0]))


def _follow(case: _Case) -> Answer:
    hand, lead = case.line["hand"], case.line["lead"]
    case.lead(lead)
    case.games["hand"][0, 1] = planes_of(hand)
    probe.ask_follow(case.table, case.games, 1)
    suit = case.games["suit"][0]
    held = sum(case.table["suit_of"][0, case.combo, k] == suit for k in hand)
    pattern = shapes_of(case.games["owed"][0]) if held > len(lead) else None
    plays = sorted(case.paths())
    text = json.dumps(plays, separators=(",", ":"))
    return {
        "pattern": pattern,
        "n_legal": len(plays),
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }


def _trick(case: _Case) -> Answer:
    plays = case.line["plays"]
    case.lead(plays[0])
    for seat, play in enumerate(plays):
        case.games["trick"][0, seat] = planes_of(play)
    return {"winner": int(probe.judge(case.table, case.games))}


def _throw(case: _Case) -> Answer:
    for seat, hand in enumerate(case.line["hands"]):
        case.games["hand"][0, seat] = planes_of(hand)
    thrown = case.line["thrown"]
    case.lead(thrown)
    unit, beaten = probe.throw(case.table, case.games)
    if unit < 0:
        return {"stands": True, "led": thrown, "back": [], "penalty": 0}
    led = _units(case)[unit][1]
    back = list(thrown)
    for kind in led:
        back.remove(kind)
    rules = case.rules
    penalty = rules.throw_penalty_per_card * int(beaten) + rules.throw_penalty_points
    return {"stands": False, "led": led, "back": back, "penalty": penalty}


def _score(case: _Case) -> Answer:
    line, table, ladder = case.line, case.table, list(case.rules.ladder)
    if line["what"] == "result":
        others, levels = probe.result(table, line["points"])
        return {"declares_next": "others" if others else "declarers", "levels": int(levels)}
    if line["what"] == "capture":
        case.lead(line["lead"])
        case.games["trick"][0, 0] = planes_of(line["winning_play"])
        return {"score": int(probe.capture(table, case.games, line["kitty_points"]))}
    if line["what"] == "last_trick":
        arguments = line["trick_points"], line["cards_led"], line["others_take_it"]
        return {"score": int(probe.last_trick(table, *arguments))}
    place, gained, won = probe.rise(
        table,
        ladder.index(line["from"]),
        line["levels"],
        line["declared"],
        line["last_trick_by_trumps"],
    )
    return {"to": ladder[place], "gained": int(gained), "match_won": bool(won)}


def _bid(case: _Case) -> Answer:
    line = case.line
    case.set(bid_ranks=sum(1 << rank for rank in line["levels"]))
    for bid in line["history"]:
        cards, seat = bid["cards"], bid["by"]
        case.set(seat=seat, picked=len(cards))
        case.games["pick"][0] = planes_of(cards)
        suit = bid["trump"]
        probe.make(case.table, case.games, END if suit is None else TRUMP_OF + suit)
    case.games["hand"][0, line["bidder"]] = planes_of(line["hand"])
    probe.ask_bid(case.table, case.games, line["bidder"])
    legal = []
    for path in case.paths() if case.games["mask"][0] else ():
        cards, end = path[:-1], path[-1]
        if not cards:
            continue
        trump = None
        if end >= TRUMP_OF:
            trump = end - TRUMP_OF
        elif any(kind < BIG_JOKER - 1 for kind in cards):
            trump = cards[0] // 13
        legal.append([cards, trump])
    return {"legal": sorted(legal, key=lambda bid: (bid[0], -1 if bid[1] is None else bid[1]))}


_ANSWERS: dict[str, Callable[[_Case], Answer]] = {
    "order": _order,
    "decompose": _decompose,
    "follow": _follow,
    "trick": _trick,
    "throw": _throw,
    "score": _score,
    "bid": _bid,
}


def check_line(line: Answer) -> list[Disagreement]:
    """The disagreements of one case; a line that cannot be worked out differs as a whole."""
    name = line.get("id", "?")
    try:
        answer = _ANSWERS[line["t"]](_Case(line))
    except Exception as error:  # a line nobody can answer is a finding, not a crash
        return [Disagreement(name, "line", "an answer", f"{type(error).__name__}: {error}")]
    return [
        Disagreement(name, field, line.get(field), got)
        for field, got in answer.items()
        if line.get(field) != got
    ]


def check_file(
    path: str | Path, presets: Sequence[str] | None = None
) -> tuple[int, list[Disagreement]]:
    """(lines that agree, disagreements of the others); only lines of `presets`, if given."""
    agree, disagreements = 0, []
    for text in Path(path).read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if presets is not None and line["preset"] not in presets:
            continue
        found = check_line(line)
        agree += not found
        disagreements += found
    return agree, disagreements


_CARD_FIELDS = {"led", "back"}


def _readable(field: str, value: Any) -> str:
    if field in _CARD_FIELDS and isinstance(value, list):
        return cards_text(value) or "nothing"
    if field == "units" and isinstance(value, list):
        return " + ".join(cards_text(cards) for _, cards in value)
    if field == "legal" and isinstance(value, list):
        return " ".join(f"{cards_text(cards)}:{trump}" for cards, trump in value) or "none"
    return str(value)

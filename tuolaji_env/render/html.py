"""Tables and records as HTML for notebooks: one piece, nothing to load, names escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import takewhile
from typing import TYPE_CHECKING

from ..cards import POINTS, RANK_NAMES, rank_of, suit_of
from ..notation import JOKERS, SUITS, parse_cards
from ..view import tricks_of
from .scene import Chair, Scene, scene

if TYPE_CHECKING:
    from ..game import Game
    from ..record import Moment, Record
    from ..recordparts import Decision

_DEALS = 3  # of a record that are told play by play
_FELT, _PANEL, _TEXT, _DIM, _GOLD = "#1a5c44", "#123c2e", "#f0f3f0", "#a8c0b4", "#f6c854"
_BOX = (
    f"background:{_FELT};color:{_TEXT};border-radius:12px;padding:12px 16px;max-width:980px;"
    "font:14px/1.5 system-ui,sans-serif;display:inline-block"
)
_CARD = (
    "display:inline-block;min-width:1.25em;padding:1px 3px;margin:1px;border-radius:4px;"
    "text-align:center;font-weight:600;line-height:1.15;border:1px solid #888;"
)
_CELL = (
    "padding:3px 10px 3px 0;vertical-align:top;text-align:left;background:none;border:none;"
    "color:inherit;font:inherit"
)


def game_html(game: Game, viewer: int | None = None) -> str:
    """The table, all open or as a seat sees it."""
    table = scene(game, viewer)
    rows = [_row(_seat(chair), _hand(chair, table)) for chair in table.chairs]
    played = [
        _row(escape(chair.name) + (" ★" if chair.wins else ""), cards(chair.played, table.trumps))
        for chair in table.chairs
        if chair.played
    ]
    parts = [_head(table), _rows(rows)]
    if table.kitty:
        parts.append(_rows([_row("kitty", cards(table.kitty, table.trumps))]))
    if played:
        parts.append(_title("on the table") + _rows(played))
    return f'<div style="{_BOX}">{"".join(parts)}</div>'


def record_html(record: Record) -> str:
    """A record: who played, how each deal ended, and the first deals play by play."""
    names = ", ".join(map(escape, record.seats))
    rules = escape(record.rules.name or "house rules")
    parts = [f'<div style="font-size:16px;color:{_GOLD}">{rules}: {names}</div>']
    parts.append(_results(record))
    last: dict[int, Moment] = {}
    try:
        for moment in takewhile(lambda moment: moment.deal < _DEALS, record.replay()):
            last[moment.deal] = moment
    except ValueError as error:
        parts.append(_title(f"does not verify: {escape(str(error))}"))
    for deal, moment in last.items():
        told = "open" if len(record.deals) == 1 else ""
        plays = moment.game.to_record().deals[deal].decisions
        leads = [each for each in plays if each.phase == "play"][:: record.rules.players]
        parts.append(
            f'<details {told}><summary style="cursor:pointer">deal {deal + 1}</summary>'
            f"{_tricks(moment.game, record, leads)}</details>"
        )
    return f'<div style="{_BOX}">{"".join(parts)}</div>'


def cards(kinds: Iterable[int], trumps: frozenset[int] = frozenset()) -> str:
    """Cards in the order given, trumps on cream."""
    return "".join(_card(kind, kind in trumps) for kind in kinds)


def _card(kind: int, trump: bool) -> str:
    suit, rank = suit_of(kind), rank_of(kind)
    if suit is None or rank is None:
        text, red = JOKERS[kind - 52], kind == 53
    else:
        text, red = SUITS[suit] + RANK_NAMES[rank], suit % 2 == 0
    style = (
        f"color:{'#c8202c' if red else '#1c1e26'};background:{'#fff3cd' if trump else '#fdfdfb'}"
    )
    return f'<span style="{_CARD}{style}">{text}\ufe0e</span>'


def _head(table: Scene) -> str:
    trump = table.trump or "open"
    facts = f"level {table.level}, trump {trump}, others {table.points} of {table.takeover} points"
    return (
        f'<div style="font-size:16px;color:{_GOLD}">{escape(table.rules)}: '
        f"{escape(table.status)}</div>"
        f'<div style="color:{_DIM}">deal {table.deal}, trick {table.trick}, {facts}</div>'
    )


def _seat(chair: Chair) -> str:
    marks = ("▸ " if chair.turn else "") + escape(chair.name) + (" (D)" if chair.declarer else "")
    return f'{marks}<br><span style="color:{_DIM}">level {chair.level}, {chair.points} p</span>'


def _hand(chair: Chair, table: Scene) -> str:
    if chair.hand is None:
        return f"{chair.held} cards"
    return "&ensp;".join(cards(group, table.trumps) for group in chair.hand)


def _results(record: Record) -> str:
    rows = []
    for number, deal in enumerate(record.deals, 1):
        result = deal.result
        if result is None:
            rows.append(_row(f"deal {number}", "not over"))
            continue
        winners = ", ".join(escape(record.seats[seat]) for seat in result.winners) or "nobody"
        rise = max(result.rise, default=0)
        text = f"trump {result.trump}, {result.score} points; {winners} won"
        rows.append(_row(f"deal {number}", text + (f", +{rise} levels" if rise else "")))
    return _rows(rows)


def _tricks(game: Game, record: Record, leads: Sequence[Decision]) -> str:
    """The tricks of a deal, a row each, by seat; who took it is underlined.

    leads: the decision that each trick began with, which may have been a throw that failed.
    """
    trumps = scene(game).trumps
    tricks = tricks_of(game.record, record.rules.players)
    takers = [trick.leader for trick in tricks[1:]] + [int(game.record["winner"])]
    heads = "".join(f'<td style="{_CELL}"><b>{escape(name)}</b></td>' for name in record.seats)
    rows = [f'<tr style="background:none"><td style="{_CELL}"></td>{heads}</tr>']
    for number, (trick, taker) in enumerate(zip(tricks, takers, strict=False), 1):
        plays, failed = dict(trick.plays), _failed(leads[number - 1], trumps)
        worth = sum(int(POINTS[kind]) for play in plays.values() for kind in play)
        cells = "".join(
            f'<td style="{_CELL};{_taken(seat == taker)}">'
            f"{'▸' if seat == trick.leader else ''}{cards(plays.get(seat, ()), trumps)}"
            f"{failed if seat == trick.leader else ''}</td>"
            for seat in range(len(record.seats))
        )
        label = f"{number}" + (f" ({worth})" if worth else "")
        rows.append(f'<tr style="background:none"><td style="{_CELL}">{label}</td>{cells}</tr>')
    return f"<table>{''.join(rows)}</table>"


def _failed(lead: Decision, trumps: frozenset[int]) -> str:
    """What stands below a lead that is left of a failed throw: all that was thrown, the penalty."""
    if lead.failed is None:
        return ""
    cost = f", −{lead.failed.penalty} points" if lead.failed.penalty else ""
    thrown = cards(parse_cards(lead.play), trumps)
    return (
        f'<div style="color:{_DIM};font-size:12px">✗ failed throw of '
        f'<span style="opacity:.7">{thrown}</span>{cost}</div>'
    )


def _taken(taken: bool) -> str:
    return f"border-bottom:2px solid {_GOLD}" if taken else ""


def _title(text: str) -> str:
    return f'<div style="color:{_DIM};margin-top:6px">{text}</div>'


def _row(head: str, body: str) -> str:
    return (
        f'<tr style="background:none"><td style="{_CELL};white-space:nowrap">{head}</td>'
        f'<td style="{_CELL}">{body}</td></tr>'
    )


def _rows(rows: list[str]) -> str:
    return f"<table>{''.join(rows)}</table>"

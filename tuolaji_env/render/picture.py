"""The table as a picture (Pillow): ``render_mode="rgb_array"``, windows, films, the README.

A scene is drawn twice as large as asked for and shrunk, so that edges are smooth. The same scene
gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PIL import Image, ImageDraw

from ..cards import RANK_NAMES
from ..notation import TRUMPS
from . import cardart
from .cardart import Color
from .layout import (
    HEADER,
    HEIGHT,
    KITTY,
    MIDDLE,
    SIDEBAR,
    TALL,
    WIDTH,
    Box,
    Place,
    places,
    spread,
)
from .lettering import font, readable
from .scene import Chair, Scene

_SMOOTH = 2
_BACKS = 20  # drawn of a hand at most
_ROOM, _FELT, _LIGHT = (20, 24, 30), (26, 92, 68), (32, 106, 78)
_PANEL, _PANEL_EDGE = (18, 60, 46), (60, 132, 104)
_TEXT, _DIM, _GOLD = (240, 243, 240), (168, 192, 180), (246, 200, 84)
_CALLED = ((255, 120, 120), (214, 226, 220), (255, 120, 120), (214, 226, 220))  # ♦ ♣ ♥ ♠
_COPIES = ("first", "second", "third", "fourth")
_TURN, _ALLY, _FOE = (255, 214, 92), (220, 160, 50), (96, 150, 214)


def picture(table: Scene, scale: float = 1.0) -> Image.Image:
    """The picture of a scene, 1200 x 880 pixels times the scale. RGB."""
    if not 0.2 <= scale <= 4:
        raise ValueError(f"scale: {scale} given; allowed: 0.2 to 4")
    table = _in_letters_at_hand(table)
    canvas = _Canvas(scale * _SMOOTH)
    canvas.table()
    _header(canvas, table)
    around = places(len(table.chairs))
    first = table.viewer or 0
    for i, place in enumerate(around):
        chair = table.chairs[(first + i) % len(around)]
        _plate(canvas, place.plate, chair, table)
        _hand(canvas, place, chair, table, own=i == 0)
        _played(canvas, place.play, chair, table)
    _middle(canvas, table)
    _kitty(canvas, table)
    _sidebar(canvas, table)
    return canvas.finished(round(WIDTH * scale), round(HEIGHT * scale))


def _in_letters_at_hand(table: Scene) -> Scene:
    """A scene without names that no font has: who has one is called by his seat."""
    chairs = (
        chair if readable(chair.name) else replace(chair, name=f"seat {chair.seat}")
        for chair in table.chairs
    )
    rules = table.rules if readable(table.rules) else "house rules"
    return replace(table, chairs=tuple(chairs), rules=rules)


class _Canvas:
    """An image in units of the layout."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.image = Image.new("RGB", (round(WIDTH * scale), round(HEIGHT * scale)), _ROOM)
        self.draw = ImageDraw.Draw(self.image)

    def finished(self, width: int, height: int) -> Image.Image:
        return self.image.resize((width, height), Image.Resampling.BOX)

    def table(self) -> None:
        """Header, felt, and the lighter middle."""
        self.panel(Box(6, HEADER + 2, WIDTH - 12, HEIGHT - HEADER - 8), _FELT, _PANEL, 26, 4)
        x, y, w, h = self.pixels(Box(262, 208, WIDTH - 524, 420))
        self.draw.rounded_rectangle([x, y, x + w, y + h], radius=h // 2, fill=_LIGHT)

    def pixels(self, box: Box) -> tuple[int, int, int, int]:
        x, y, w, h = (round(length * self.scale) for length in box)
        return x, y, w, h

    def panel(
        self, box: Box, fill: Color | None, edge: Color, radius: float = 8, line: float = 1.5
    ) -> None:
        x, y, w, h = self.pixels(box)
        self.draw.rounded_rectangle(
            [x, y, x + w, y + h],
            radius=round(radius * self.scale),
            fill=fill,
            outline=edge,
            width=max(round(line * self.scale), 1),
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        color: Color = _TEXT,
        anchor: str = "lm",
        bold: bool = False,
    ) -> None:
        self.draw.text(
            (x * self.scale, y * self.scale),
            text,
            color,
            font(text, round(size * self.scale)),
            anchor=anchor,
            stroke_width=max(round(size * self.scale / 34), 1) if bold else 0,
            stroke_fill=color,
        )

    def width(self, text: str, size: float) -> float:
        """How wide a text is, in units."""
        return float(font(text, round(size * self.scale)).getlength(text)) / self.scale

    def fitted(self, text: str, size: float, room: float) -> str:
        """As much of a text as there is room for."""
        if self.width(text, size) <= room:
            return text
        while text and self.width(text + "…", size) > room:
            text = text[:-1]
        return text + "…"

    def suit(self, suit: int, x: float, y: float, size: float, color: Color) -> None:
        mask = cardart.suit_mask(suit, round(size * self.scale))
        at = round(x * self.scale - mask.width / 2), round(y * self.scale - mask.height / 2)
        self.image.paste(color, (*at, at[0] + mask.width, at[1] + mask.height), mask)

    def card(
        self, corner: tuple[float, float], width: float, kind: int | None, trump: bool
    ) -> None:
        """A card, by its left upper corner; None: its back."""
        pixels = round(width * self.scale)
        card = cardart.back(pixels) if kind is None else cardart.face(kind, pixels, trump)
        at = round(corner[0] * self.scale), round(corner[1] * self.scale)
        self.image.paste(card, at, cardart.card_mask(pixels))

    def disc(self, x: float, y: float, r: float, fill: Color) -> None:
        s = self.scale
        self.draw.ellipse([(x - r) * s, (y - r) * s, (x + r) * s, (y + r) * s], fill=fill)


def _header(canvas: _Canvas, table: Scene) -> None:
    middle = HEADER / 2
    canvas.text(20, middle - 8, canvas.fitted(table.rules, 19, 360), 19, bold=True)
    where = f"deal {table.deal}" + (f"   trick {table.trick}" if table.trick else "")
    where += ", a throw failed" if table.failed else ""
    canvas.text(20, middle + 13, where, 14, _DIM)
    canvas.text(WIDTH / 2, middle, canvas.fitted(table.status, 20, 420), 20, _GOLD, "mm")
    right = f"others {table.points} of {table.takeover} points"
    canvas.text(WIDTH - 20, middle - 8, right, 17, _TEXT, "rm")
    share = min(max(table.points / max(table.takeover, 1), 0), 1)
    bar = Box(WIDTH - 220, middle + 7, 200, 8)
    canvas.panel(bar, _PANEL, _PANEL_EDGE, 4, 1)
    if share:
        canvas.panel(bar._replace(w=max(200 * share, 8)), _FOE, _FOE, 4, 1)


def _plate(canvas: _Canvas, box: Box, chair: Chair, table: Scene) -> None:
    """A seat's name, level and points; bright where it is to act."""
    edge = _TURN if chair.turn else _PANEL_EDGE
    canvas.panel(box, _PANEL, edge, 9, 3 if chair.turn else 1.5)
    middle, x = box.y + box.h / 2, box.x + 12
    if chair.declarer or chair.ally:
        canvas.disc(box.x + 18, middle, 11 if chair.declarer else 6, _ALLY)
        x = box.x + 36
    if chair.declarer:
        canvas.text(box.x + 18, middle, "D", 14, _ROOM, "mm", bold=True)
    facts = f"level {chair.level}   {chair.points} p"
    room = box.w - (x - box.x) - canvas.width(facts, 14) - 22
    canvas.text(x, middle, canvas.fitted(chair.name, 16, room), 16, _TEXT)
    canvas.text(box.x + box.w - 12, middle, facts, 14, _DIM, "rm")


def _hand(canvas: _Canvas, place: Place, chair: Chair, table: Scene, own: bool) -> None:
    if chair.hand is None:
        _backs(canvas, place.hand, chair.held)
        return
    cards = [kind for group in chair.hand for kind in group]
    sizes = tuple(map(len, chair.hand))
    lift = 0.16 if own else 0.0
    laid = spread(sizes, place.hand, 88 if own else 46, lift=lift, top=not own)
    waiting = list(chair.picked)
    for kind, (x, y) in zip(cards, laid.corners, strict=True):
        raised = kind in waiting
        if raised:
            waiting.remove(kind)
            y -= (lift or 0.12) * laid.width
        canvas.card((x, y), laid.width, kind, kind in table.trumps)
        if raised:
            high = laid.width * TALL
            canvas.panel(Box(x, y, laid.width, high), None, _TURN, laid.width * 0.1, 2)


def _backs(canvas: _Canvas, box: Box, held: int) -> None:
    """Backs of cards, overlapping, of a full hand some only, and how many there are."""
    if not held:
        return
    width, step, backs = 40.0, 7.0, min(held, _BACKS)
    wide = width + step * (backs - 1)
    x = box.x + (box.w - wide - 42) / 2
    for i in range(backs):
        canvas.card((x + i * step, box.y + 6), width, None, False)
    canvas.text(x + wide + 10, box.y + 6 + width * TALL / 2, str(held), 20)


def _played(canvas: _Canvas, box: Box, chair: Chair, table: Scene) -> None:
    """The cards before a seat: its play, or what it has shown in bids."""
    count = len(chair.played) + chair.secret
    if not count:
        return
    laid = spread((count,), box, 56)
    cards: list[int | None] = [*_ordered(chair.played), *[None] * chair.secret]
    if chair.wins:
        left = min(x for x, _ in laid.corners) - 4
        right = max(x for x, _ in laid.corners) + laid.width + 4
        top, bottom = laid.corners[0][1] - 4, laid.corners[-1][1] + laid.width * TALL + 4
        canvas.panel(Box(left, top, right - left, bottom - top), None, _GOLD, 9, 3)
    for kind, corner in zip(cards, laid.corners, strict=True):
        canvas.card(corner, laid.width, kind, kind in table.trumps)


def _ordered(cards: Sequence[int]) -> list[int]:
    return sorted(cards, reverse=True)


def _middle(canvas: _Canvas, table: Scene) -> None:
    """Trump and level, in the middle of the table."""
    canvas.panel(MIDDLE, _PANEL, _PANEL_EDGE, 16)
    x, y = MIDDLE.center
    canvas.text(x, MIDDLE.y + 22, "trump", 15, _DIM, "mm")
    if table.trump in TRUMPS[:4]:
        suit = TRUMPS.index(table.trump)
        canvas.disc(x, y - 6, 42, cardart.WHITE)
        canvas.suit(suit, x, y - 6, 54, cardart.SUIT_COLORS[suit])
    else:
        canvas.text(x, y - 6, "no trump" if table.trump else "open", 26, _TEXT, "mm")
    canvas.text(x, MIDDLE.y + MIDDLE.h - 24, f"level {table.level}", 20, _TEXT, "mm", bold=True)


def _kitty(canvas: _Canvas, table: Scene) -> None:
    if not table.kitty_size:
        return
    box = KITTY
    canvas.text(box.x + 4, box.y + 10, f"kitty, {table.kitty_size} cards", 15, _DIM)
    inner = Box(box.x, box.y + 24, box.w, box.h - 24)
    cards: list[int | None] = [*(table.kitty or [None] * table.kitty_size)]
    laid = spread((len(cards),), inner, 46)
    for kind, corner in zip(cards, laid.corners, strict=True):
        canvas.card(corner, laid.width, kind, kind in table.trumps)


def _sidebar(canvas: _Canvas, table: Scene) -> None:
    """The standing bid, and the friend calls."""
    box, y = SIDEBAR, SIDEBAR.y
    if table.bidder is not None:
        bidder = canvas.fitted(f"bid by {table.chairs[table.bidder].name}", 15, box.w)
        canvas.text(box.x + box.w / 2, y + 10, bidder, 15, _DIM, "mm")
        chair = table.chairs[table.bidder]
        cards: list[int | None] = [*_ordered(table.bid), *[None] * chair.secret]
        laid = spread((len(cards),), Box(box.x, y + 22, box.w, 54), 38)
        for kind, corner in zip(cards, laid.corners, strict=True):
            canvas.card(corner, laid.width, kind, kind in table.trumps)
        y += 82
    for kind, ordinal, found in table.calls:
        suit, rank = divmod(kind, len(RANK_NAMES))
        canvas.panel(Box(box.x, y, box.w, 26), _PANEL, _PANEL_EDGE, 8)
        canvas.suit(suit, box.x + 18, y + 13, 16, _CALLED[suit])
        canvas.text(box.x + 32, y + 13, f"{RANK_NAMES[rank]}  {_COPIES[ordinal - 1]}", 15)
        name = "?" if found is None else table.chairs[found].name
        room = box.w - 96
        canvas.text(box.x + box.w - 10, y + 13, canvas.fitted(name, 15, room), 15, _DIM, "rm")
        y += 30

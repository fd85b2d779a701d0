"""Cards as pictures: faces, backs, and the shapes of suits, drawn without any font file."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from PIL import Image, ImageDraw

from ..cards import BIG_JOKER, RANK_NAMES, SMALL_JOKER
from .layout import TALL
from .lettering import font

Color = tuple[int, int, int]

RED, BLACK = (200, 32, 44), (28, 30, 38)
SUIT_COLORS = (RED, BLACK, RED, BLACK)  # ♦ ♣ ♥ ♠
WHITE, CREAM = (253, 253, 251), (255, 243, 205)
_EDGE = (120, 124, 130)
_GOLD, _SILVER = (214, 158, 30), (120, 128, 142)
_BACK, _BACK_LINE = (44, 78, 138), (92, 128, 190)
_FINE = 4  # masks are drawn so many times larger


@lru_cache(512)
def suit_mask(suit: int, size: int) -> Image.Image:
    """The shape of a suit, in a square of so many pixels, as a mask."""
    n = size * _FINE
    mask = Image.new("L", (n, n))
    draw = ImageDraw.Draw(mask)

    def polygon(*points: tuple[float, float]) -> None:
        draw.polygon([(x * n, y * n) for x, y in points], fill=255)

    def disc(x: float, y: float, r: float) -> None:
        draw.ellipse([(x - r) * n, (y - r) * n, (x + r) * n, (y + r) * n], fill=255)

    if suit == 0:
        polygon((0.5, 0.02), (0.86, 0.5), (0.5, 0.98), (0.14, 0.5))
    elif suit == 1:
        for x, y in ((0.5, 0.27), (0.26, 0.58), (0.74, 0.58)):
            disc(x, y, 0.225)
        disc(0.5, 0.5, 0.12)
        polygon((0.46, 0.5), (0.54, 0.5), (0.68, 0.97), (0.32, 0.97))
    elif suit == 2:
        polygon(*_heart(0.0))
    else:
        polygon(*((x, 0.84 - y) for x, y in _heart(0.04)))
        polygon((0.47, 0.5), (0.53, 0.5), (0.68, 0.97), (0.32, 0.97))
    return mask.resize((size, size), Image.Resampling.BOX)


def _heart(top: float) -> list[tuple[float, float]]:
    """The outline of a heart, 0.9 high."""
    points = []
    for i in range(120):
        t = 2 * pi * i / 120
        x = 16 * sin(t) ** 3
        y = 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)
        points.append((0.5 + x / 36, top + 0.42 - y / 36))
    return points


@lru_cache(64)
def star_mask(size: int) -> Image.Image:
    """A five-pointed star, as a mask."""
    n = size * _FINE
    mask = Image.new("L", (n, n))
    corners = []
    for i in range(10):
        angle, r = pi * i / 5 - pi / 2, n * (0.5 if i % 2 == 0 else 0.2)
        corners.append((n / 2 + r * cos(angle), n * 0.53 + r * sin(angle)))
    ImageDraw.Draw(mask).polygon(corners, fill=255)
    return mask.resize((size, size), Image.Resampling.BOX)


@lru_cache(64)
def card_mask(width: int) -> Image.Image:
    """The outline of a card."""
    n = width * _FINE
    mask = Image.new("L", (n, int(n * TALL)))
    ImageDraw.Draw(mask).rounded_rectangle(
        [0, 0, n - 1, int(n * TALL) - 1], radius=int(n * 0.1), fill=255
    )
    return mask.resize((width, int(width * TALL)), Image.Resampling.BOX)


@lru_cache(2048)
def face(kind: int, width: int, trump: bool) -> Image.Image:
    """A card's face. width: pixels; trump: on cream instead of white."""
    card = Image.new("RGB", (width, int(width * TALL)), CREAM if trump else WHITE)
    draw = ImageDraw.Draw(card)
    _edge(draw, width, _EDGE)
    if kind >= SMALL_JOKER:
        _joker(card, draw, width, kind == BIG_JOKER)
    else:
        _index(card, draw, width, kind)
        _pips(card, draw, width, kind)
    return card


@lru_cache(64)
def back(width: int) -> Image.Image:
    """A card's back. width: pixels."""
    card = Image.new("RGB", (width, int(width * TALL)), WHITE)
    draw = ImageDraw.Draw(card)
    _edge(draw, width, _EDGE)
    inset, high = max(width * 0.08, 2), int(width * TALL)
    inner = [inset, inset, width - 1 - inset, high - 1 - inset]
    pattern = Image.new("RGB", card.size, _BACK)
    lines = ImageDraw.Draw(pattern)
    for offset in range(-high, width, max(int(width * 0.16), 3)):
        lines.line([offset, 0, offset + high, high], fill=_BACK_LINE, width=max(width // 40, 1))
        lines.line([offset, high, offset + high, 0], fill=_BACK_LINE, width=max(width // 40, 1))
    mask = Image.new("L", card.size)
    ImageDraw.Draw(mask).rounded_rectangle(inner, radius=width * 0.06, fill=255)
    card.paste(pattern, (0, 0), mask)
    return card


def _edge(draw: ImageDraw.ImageDraw, width: int, color: Color) -> None:
    corner = [0, 0, width - 1, int(width * TALL) - 1]
    draw.rounded_rectangle(
        corner, radius=int(width * 0.1), outline=color, width=max(width // 45, 1)
    )


def _index(card: Image.Image, draw: ImageDraw.ImageDraw, width: int, kind: int) -> None:
    """Rank above suit, in the strip that is seen of a card beside another."""
    suit, rank = divmod(kind, len(RANK_NAMES))
    name, middle = RANK_NAMES[rank], width * 0.19
    size = int(width * (0.27 if name == "10" else 0.34))
    draw.text(
        (middle, width * 0.2), name, SUIT_COLORS[suit], font(name, size), anchor="mm",
        stroke_width=max(width // 70, 0), stroke_fill=SUIT_COLORS[suit],
    )  # fmt: skip
    _stamp(card, suit_mask(suit, int(width * 0.25)), (middle, width * 0.5), SUIT_COLORS[suit])


def _pips(card: Image.Image, draw: ImageDraw.ImageDraw, width: int, kind: int) -> None:
    """The suit, large, and the letter of a court card in it."""
    suit, rank = divmod(kind, len(RANK_NAMES))
    middle = width * 0.64, width * 0.93
    _stamp(card, suit_mask(suit, int(width * 0.6)), middle, SUIT_COLORS[suit])
    if RANK_NAMES[rank] in ("J", "Q", "K"):
        draw.text(middle, RANK_NAMES[rank], WHITE, font("JQK", int(width * 0.26)), anchor="mm")


def _joker(card: Image.Image, draw: ImageDraw.ImageDraw, width: int, big: bool) -> None:
    """Stars, and the word down the edge: red and gold for the big one, black and silver else."""
    color, inner = (RED, _GOLD) if big else (BLACK, _SILVER)
    for size, place in ((0.3, (0.19, 0.2)), (0.62, (0.64, 0.75))):
        middle = width * place[0], width * place[1]
        _stamp(card, star_mask(int(width * size)), middle, color)
        _stamp(card, star_mask(int(width * size * 0.58)), middle, inner)
    for i, letter in enumerate("JOKER"):
        draw.text(
            (width * 0.19, width * (0.48 + 0.19 * i)), letter, color,
            font(letter, int(width * 0.19)),
            anchor="mm", stroke_width=max(width // 90, 0), stroke_fill=color,
        )  # fmt: skip


def _stamp(card: Image.Image, mask: Image.Image, middle: tuple[float, float], color: Color) -> None:
    at = int(middle[0] - mask.width / 2), int(middle[1] - mask.height / 2)
    card.paste(color, (*at, at[0] + mask.width, at[1] + mask.height), mask)

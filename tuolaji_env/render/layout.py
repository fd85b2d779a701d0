"""Where things are in a picture of the table, in units: boxes, and how cards share one.

The viewer sits at the bottom, and the others around the table in the order of play, which runs
counter-clockwise (R1.3): the next seat is on the viewer's right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

WIDTH, HEIGHT = 1200, 880
HEADER = 56
PLATE = 32

TALL = 1.4  # height of a card of width 1
INDEX = 0.36  # of a card's width: what must be seen of a card beside another
ROW = 0.66  # of a card's width: what must be seen of a card above another
_ROOMY = 0.62  # of a card's width: no farther apart than this
_GAP = 0.35  # of a card's width: between groups
_SMALLEST = 12


class Box(NamedTuple):
    """A place: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def center(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2


@dataclass(frozen=True)
class Place:
    """A seat's boxes: its name plate, its hand below, and its cards on the table."""

    plate: Box
    hand: Box
    play: Box


_SIDE = 236  # width of a plate
_HAND = 92  # height of another's hand
_PLAY_W, _PLAY_H = 216, 92

#: By players: the others' plates (left, top) and the middle of their plays, in the order of play.
_AROUND: dict[int, tuple[tuple[tuple[float, float], tuple[float, float]], ...]] = {
    4: (((948, 292), (820, 402)), ((482, 72), (600, 262)), ((16, 292), (380, 402))),
    5: (
        ((948, 300), (820, 416)),
        ((654, 72), (752, 268)),
        ((310, 72), (448, 268)),
        ((16, 300), (380, 416)),
    ),
    6: (
        ((948, 330), (820, 430)),
        ((762, 72), (826, 268)),
        ((482, 72), (600, 268)),
        ((202, 72), (374, 268)),
        ((16, 330), (380, 430)),
    ),
    7: (
        ((948, 420), (820, 482)),
        ((948, 226), (820, 372)),
        ((654, 72), (724, 262)),
        ((310, 72), (476, 262)),
        ((16, 226), (380, 372)),
        ((16, 420), (380, 482)),
    ),
}

MIDDLE = Box(510, 330, 180, 168)
KITTY = Box(16, 72, 170, 100)
SIDEBAR = Box(1014, 72, 170, 130)
_OWN = Place(
    Box(482, 640, _SIDE, PLATE),
    Box(20, 682, 1160, 186),
    Box(600 - _PLAY_W / 2, 530, _PLAY_W, _PLAY_H),
)


def places(players: int) -> tuple[Place, ...]:
    """The seats' places, counted from the viewer on."""
    found = [_OWN]
    for (x, y), (px, py) in _AROUND[players]:
        found.append(
            Place(
                Box(x, y, _SIDE, PLATE),
                Box(x, y + PLATE + 4, _SIDE, _HAND),
                Box(px - _PLAY_W / 2, py - _PLAY_H / 2, _PLAY_W, _PLAY_H),
            )
        )
    return tuple(found)


class Spread(NamedTuple):
    """Cards of one size in rows: their width, and the left upper corner of each."""

    width: float
    corners: tuple[tuple[float, float], ...]


def spread(
    sizes: tuple[int, ...], box: Box, widest: float, *, lift: float = 0.0, top: bool = False
) -> Spread:
    """Cards in groups as large as a box allows, each with its index in sight, in centred rows.

    sizes: cards of each group; widest: the largest width of a card; lift: room above each row,
    as a share of a card's width, for cards that are raised; top: at the top of the box, not in
    its middle.
    """
    count = sum(sizes)
    if count == 0:
        return Spread(widest, ())
    starts = {sum(sizes[:i]) for i in range(1, len(sizes))}
    width = widest
    while True:
        for rows in range(1, 6):
            per = -(-count // rows)
            high = TALL + (ROW + lift) * (rows - 1) + lift
            if width * high > box.h and width > _SMALLEST:
                break
            lines = _lines(count, per, starts)
            step = min(min(_step(offsets, width, box.w) for offsets in lines), _ROOMY * width)
            if step >= INDEX * width or width <= _SMALLEST:
                return _laid(lines, width, step, box, lift, top)
        width = max(width * 0.98, _SMALLEST)


def _lines(count: int, per: int, starts: set[int]) -> list[list[tuple[int, int]]]:
    """For each row its cards as (place in the row, gaps before it)."""
    lines = []
    for first in range(0, count, per):
        gaps, line = 0, []
        for i in range(first, min(first + per, count)):
            gaps += i in starts and i > first
            line.append((i - first, gaps))
        lines.append(line)
    return lines


def _step(line: list[tuple[int, int]], width: float, room: float) -> float:
    """The distance of neighbours at which a row just fits."""
    place, gaps = line[-1]
    return (room - width - gaps * _GAP * width) / place if place else width


def _laid(
    lines: list[list[tuple[int, int]]], width: float, step: float, box: Box, lift: float, top: bool
) -> Spread:
    high = width * (TALL + (ROW + lift) * (len(lines) - 1) + lift)
    y = box.y + lift * width + (0 if top else (box.h - high) / 2)
    corners = []
    for line in lines:
        place, gaps = line[-1]
        x = box.x + (box.w - width - place * step - gaps * _GAP * width) / 2
        corners += [(x + at * step + gap * _GAP * width, y) for at, gap in line]
        y += (ROW + lift) * width
    return Spread(width, tuple(corners))

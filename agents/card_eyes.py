"""What a network may know of each card by itself: planes of a row, and what its suit holds besides.

Players count: how many unseen cards beat this one, how many it beats, who is void in its suit.
Such counts compare all cards of a suit with each other, which layers learn slowly from planes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from tuolaji_env.cards import NUM_KINDS, POINTS
from tuolaji_env.observe import Layout

#: Segments whose planes belong to single cards.
PLANES = ("hand", "selection", "trick", "played", "exposed", "unseen", "kitty", "power", "is_trump")
_COUNTS = 4  # what is counted of other cards: unseen, held, unseen pairs, held pairs


def places_of(layout: Layout) -> dict[str, list[int]]:
    """Where rows of a layout have what `CardEyes` reads: offset and size by segment."""
    named = layout.segments
    return {name: [named[name].offset, named[name].size] for name in (*PLANES, "void")}


class CardEyes(nn.Module):
    """A number for each card, by the same layers for all cards.

    places: `places_of` a layout; context: features of the whole row that are given to every card;
    width: of the first layer, the second has half.
    """

    def __init__(self, places: Mapping[str, Sequence[int]], context: int, width: int) -> None:
        super().__init__()
        self.places = {name: (int(at), int(size)) for name, (at, size) in places.items()}
        self.offsets = [
            at + start
            for at, size in (self.places[name] for name in PLANES)
            for start in range(0, size, NUM_KINDS)
        ]
        self.seats = self.places["void"][1] // 5
        features = len(self.offsets) + 3 * _COUNTS + 2 + 2 * self.seats
        self.first = nn.Linear(features, width)
        self.context = nn.Linear(context, width, bias=False)
        self.second = nn.Linear(width, width // 2)
        self.out = nn.Linear(width // 2, 1)
        self.suit: Tensor
        self.points: Tensor
        suit = torch.arange(NUM_KINDS) // 13
        self.register_buffer("suit", suit.clamp(max=4), persistent=False)
        self.register_buffer("points", torch.tensor(POINTS.tolist()) / 5, persistent=False)

    def forward(self, rows: Tensor, scale: Tensor, context: Tensor) -> Tensor:
        """[N, D] uint8, its scale [D], [N, context]; returns [N, 54]."""
        with torch.no_grad():
            seen = self.features(rows, scale)
        return self.judge(seen, context)

    def judge(self, seen: Tensor, context: Tensor) -> Tensor:
        """The numbers, from features [N, 54, F]."""
        each = torch.relu(self.first(seen) + self.context(context)[:, None])
        out: Tensor = self.out(torch.relu(self.second(each)))
        return out[:, :, 0]

    def features(self, rows: Tensor, scale: Tensor) -> Tensor:
        """Each card's planes; of unseen cards, held ones and pairs of both those above it in its
        effective suit, those below, and all; its points, itself twice seen; who is void in its
        suit, and in trump. [N, 54, F]."""
        kind, count = scale.dtype, len(rows)
        power, trump = self._plane(rows, "power").to(torch.int16), self._plane(rows, "is_trump") > 0
        suit = torch.where(trump, 4, self.suit)
        same = suit[:, :, None] == suit[:, None, :]
        above = same & (power[:, None, :] > power[:, :, None])
        below = same & (power[:, None, :] < power[:, :, None])
        unseen, held = (self._plane(rows, name).to(kind) for name in ("unseen", "hand"))
        cards = torch.stack([unseen, held, unseen >= 2, held >= 2], dim=2).to(kind)
        counts = [
            which.to(kind) @ cards * share
            for which, share in zip((above, below, same), (0.3, 0.3, 0.15), strict=True)
        ]
        at, size = self.places["void"]
        void = rows[:, at : at + size].to(kind).view(count, self.seats, 5)
        void_here = void.gather(2, suit[:, None].expand(-1, self.seats, -1)).transpose(1, 2)
        void_trump = void[:, None, :, 4].expand(-1, NUM_KINDS, -1)
        planes = torch.stack(
            [rows[:, o : o + NUM_KINDS].to(kind) * scale[o] for o in self.offsets], 2
        )
        single = torch.stack([self.points.to(kind).expand(count, -1), held * unseen / 2], dim=2)
        return torch.cat([planes, *counts, single, void_here, void_trump], dim=2)

    def _plane(self, rows: Tensor, name: str) -> Tensor:
        at = self.places[name][0]
        return rows[:, at : at + NUM_KINDS]

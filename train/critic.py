"""The critic: what a state is worth to a seat, seen with all cards open.

It serves training alone and is no part of a checkpoint: what plays sees what its seat may know.
Its rows are a seat's observation, then all hands from that seat's on, then the kitty.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents.networks import SuitEyes, dense, segment_runs
from tuolaji_env.cards import NUM_KINDS
from tuolaji_env.games import GameBatch
from tuolaji_env.observe import Layout
from tuolaji_env.policies.vine import see_hands


def open_rows(
    games: GameBatch,
    layout: Layout,
    rows: NDArray[np.int64],
    seats: NDArray[np.int64],
    seen: NDArray[np.uint8] | None = None,
) -> NDArray[np.uint8]:
    """What a critic sees for some seats of some games. rows, seats: [N].

    seen: [N, D] what these seats see themselves, if it is known.  Returns [N, D + 54 (S + 1)], of a
    layout with S seats.
    """
    if seen is None:
        seen = games.observe(layout, rows, seats)
    hands = np.empty((len(rows), layout.seats + 1, NUM_KINDS), np.uint8)
    see_hands(games.table, games.records, rows, seats, layout.canonical, hands)
    flat = hands.reshape(len(rows), (layout.seats + 1) * NUM_KINDS)
    return np.concatenate([seen, flat], axis=1)


class PlainCritic(nn.Module):
    """Values of states for a seat. size: numbers in a row; scale: of them; hidden: layers."""

    def __init__(self, size: int, hidden: Sequence[int], scale: NDArray[np.float32]) -> None:
        super().__init__()
        self.scale: Tensor
        self.register_buffer("scale", torch.tensor(scale))
        self.body = dense((size, *hidden))
        self.out = zeroed(nn.Linear(hidden[-1], 1))

    def forward(self, rows: Tensor) -> Tensor:
        """[N, D] uint8; returns [N]."""
        out: Tensor = self.out(self.body(rows.to(self.scale.dtype) * self.scale))
        return out[:, 0]


class SuitCritic(SuitEyes):
    """The same with eyes for suits; see `agents.networks.SuitNetwork`."""

    kind = "critic"

    def __init__(
        self,
        size: int,
        hidden: Sequence[int],
        suit: int,
        planes: Sequence[Sequence[int]],
        rest: Sequence[Sequence[int]],
        scale: NDArray[np.float32],
    ) -> None:
        super().__init__(size, hidden, suit, planes, rest, scale)
        self.out = zeroed(nn.Linear(hidden[-1], 1))

    def forward(self, rows: Tensor) -> Tensor:
        """[N, D] uint8; returns [N]."""
        out: Tensor = self.out(self.read(rows)[1])
        return out[:, 0]


def zeroed(layer: nn.Linear) -> nn.Linear:
    """A layer that gives zeros until it has learned."""
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def new_critic(
    layout: Layout, hidden: Sequence[int], suit: int, full: bool = True
) -> PlainCritic | SuitCritic:
    """The untrained critic. suit: features of a suit, 0: no eyes; full: it sees all hands."""
    scale, hands = layout.scale, (layout.seats + 1) * full
    scale = np.concatenate([scale, np.full(hands * NUM_KINDS, 0.5, np.float32)])
    if not suit:
        return PlainCritic(len(scale), hidden, scale)
    planes, rest = segment_runs(layout, rules=layout.kind == "universal")
    if hands:
        planes.append([layout.size, hands])
    return SuitCritic(len(scale), hidden, suit, planes, rest, scale)

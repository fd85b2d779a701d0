"""Who sits on the sides that the learning network does not play: built-in players and past selves.

Training against itself alone may go in circles, forgetting what beat it before.  A league keeps
snapshots of the network, evenly spread over the course, and lets them and built-in players take
some sides.
"""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from agents.base import Agent
from agents.networks import Network
from agents.neural import NeuralAgent
from agents.registry import make_agent
from tuolaji_env.observe import Layout


class Member(NamedTuple):
    """A player of the league: a built-in one or checkpoint by its spec, or a past self."""

    spec: str
    weights: dict[str, torch.Tensor] | None  # of a past self

    def seat(self, network: Network, layout: Layout) -> Agent:
        """The member ready to play by the rules of a layout. network: of a past self's kind."""
        if self.weights is None:
            return make_agent(self.spec, layout.rules, allow_other_rules=True)
        mine = copy.deepcopy(network)
        mine.load_state_dict(self.weights)
        return NeuralAgent(mine, layout, self.spec)


class League:
    """Players of fixed strength.

    others: specs of built-in players or checkpoints; size: snapshots kept at the most; past: share
    of the draws that are past selves, once there are any.
    """

    def __init__(self, others: tuple[str, ...], size: int, past: float) -> None:
        self.others, self.size, self.past = others, size, past
        self.snapshots: list[dict[str, torch.Tensor]] = []
        self.ages: list[int] = []  # decisions that each had learned from

    def add(self, network: nn.Module, decisions: int) -> None:
        """Keep a snapshot; of too many, the one goes whose neighbours are closest in age."""
        if not self.size:
            return
        self.snapshots.append(copy.deepcopy(network.state_dict()))
        self.ages.append(decisions)
        if len(self.ages) > self.size:
            gaps = [self.ages[i + 1] - self.ages[i - 1] for i in range(1, len(self.ages) - 1)]
            drop = 1 + int(np.argmin(gaps)) if gaps else 0
            del self.snapshots[drop], self.ages[drop]

    def draw(self, rng: np.random.Generator) -> Member | None:
        """One of the members; None if the league is empty."""
        if self.snapshots and (not self.others or rng.random() < self.past):
            return Member("past", self.snapshots[rng.integers(len(self.snapshots))])
        if not self.others:
            return None
        return Member(self.others[rng.integers(len(self.others))], None)

    def state(self) -> dict[str, Any]:
        """What a resumed run needs, as tensors and numbers."""
        return {"snapshots": self.snapshots, "ages": self.ages}

    def restore(self, state: dict[str, Any]) -> None:
        self.snapshots, self.ages = list(state["snapshots"]), list(state["ages"])

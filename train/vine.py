"""Values by the vine: ``python -m train.vine --config configs/train/vine_two_deck.yaml``.

What an action is worth shows only at the end of the deal, under the noise of all that happened
besides.  Here, at some of the decisions of self-play, the deal is branched: every legal action is
tried with all hidden cards where they are, and a built-in player plays each branch on for all seats
(the "vine" of Schulman et al., Trust Region Policy Optimization, 2015).  Branches differ by the
action alone, so that their differences tell in one deal what returns tell in a hundred.

The network learns the worth of all actions of such a decision at once, from what the seat sees: its
values become the mean over the hidden cards that such views go with, as a search's are over the
worlds that it samples, and the best of them improves on the player that plays on.  The loss takes
the differences between a decision's actions and their mean apart, since only the differences matter
to play: the mean weighs `mean_weight`.  To improve on the network's own play in the same way,
`policy` can not name a network: branches are played by compiled players alone.

`advice` shows the network what a built-in player would do, and values begin by leaning to it.

Metrics of its own (the others: `learner.py`):

    train/loss            mean loss over the iteration's minibatches
    train/difference      mean squared error of an action's value less the decision's mean
    train/mean            mean squared error of that mean
    train/value           mean value of the allowed actions
    train/regret          what the action that the network plays is worth less than the best one
                          with open cards; hidden cards alone keep it well above 0
    train/gain            what it is worth more than the advised action (0 without advice)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from agents.base import Agent
from agents.neural import Network
from tuolaji_env.core.record import GAME, records
from tuolaji_env.games import NUM_ACTIONS
from tuolaji_env.observe import Layout
from tuolaji_env.policies import policy_id
from tuolaji_env.policies.vine import vine_values

from .config import setting
from .learner import Learner, Settings
from .loop import command_line
from .selfplay import Player, Taken


@dataclass(frozen=True)
class Config(Settings):
    """Settings of a run."""

    branched: float = setting(0.5, "share of decisions at which every action is tried", low=0)
    policy: str = setting("heuristic", "built-in player that plays on")
    level_weight: float = setting(0.5, "weight of the levels of the deal", low=0)
    point_weight: float = setting(0.5, "weight of points, 20 a deck as a level", low=0)
    mean_weight: float = setting(0.1, "weight of a decision's mean beside differences", low=0)


class Branches(NamedTuple):
    """Decisions at which every action was tried."""

    rows: NDArray[np.uint8]  # [M, D] observation
    worth: NDArray[np.float32]  # [M, 63] of each action; NaN: not allowed


class VinePlayer(Player):
    """Keeps some decisions, and what each of their actions is worth."""

    LEARNED = ("loss", "difference", "mean", "value", "regret", "gain")
    config: Config

    def __init__(
        self, config: Config, layouts: Sequence[Layout], nets: nn.ModuleDict, games: int
    ) -> None:
        super().__init__(config, layouts, nets, games)
        self.policy = policy_id(config.policy)
        self.work = records(1, GAME)

    def play(self, seed: Sequence[int], gone: float, other: Agent | None) -> Taken:
        """Play a fresh deal in each game; see `Player.play`."""
        rng = np.random.default_rng([*seed, 1])
        flat = self.games.records.view(np.uint8).reshape(len(self.games), -1)
        kept: list[NDArray[np.int64]] = []
        states: list[NDArray[np.uint8]] = []
        decisions = 0
        for step in self.steps(seed, gone, other):
            (some,) = np.nonzero(rng.random(len(step.live)) < self.config.branched)
            kept.append(step.at + some)
            states.append(flat[step.live[some]])
            decisions = step.at + len(step.live)
        worth = self.values(np.concatenate(states).reshape(-1).view(GAME))
        data = Branches(self.rows[np.concatenate(kept)], worth)
        return Taken(data, len(worth), decisions, self.games.records)

    def values(self, games: NDArray[np.void]) -> NDArray[np.float32]:
        """What each action is worth in some states, in the network's view. [M, 63]; NaN: none."""
        c = self.config
        real = np.empty((len(games), NUM_ACTIONS), np.float32)
        weights = c.level_weight, c.point_weight
        vine_values(
            self.games.table, games, self.work, self.policy, *weights, float(self.par), real
        )
        if self.turned is None:
            return real
        seen = np.empty_like(real)
        np.put_along_axis(seen, self.turned[games["trump"]], real, axis=1)
        return seen

    def learn(self, picks: NDArray[np.int64]) -> tuple[float, ...]:
        """Gradients of the loss over some decisions."""
        branches: Branches = self.taken.data
        seen, worth = branches.rows[picks], self.tensor(branches.worth[picks])
        allowed = ~worth.isnan()
        count = allowed.sum(1, keepdim=True)
        with self.arithmetic():
            values = self.network(self.tensor(seen)).float()
        error = torch.where(allowed, values - worth, 0)
        mean = error.sum(1, keepdim=True) / count
        apart = torch.where(allowed, error - mean, 0).square().sum(1).mean()
        loss = apart + self.config.mean_weight * mean.square().mean()
        self.nets.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        with torch.no_grad():
            numbers = (
                loss,
                apart,
                mean.square().mean(),
                (torch.where(allowed, values, 0).sum(1, keepdim=True) / count).mean(),
                *regrets(self.network, values, worth, seen),
            )
            return tuple(float(n) for n in numbers)


def regrets(
    network: Network, values: torch.Tensor, worth: torch.Tensor, seen: NDArray[np.uint8]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Means of `train/regret` and `train/gain`. values, worth: [N, 63]; seen: [N, D]."""
    liked = torch.as_tensor(network.preferences(values, torch.as_tensor(seen).to(values.device)))
    taken = worth.gather(1, liked.masked_fill(worth.isnan(), -torch.inf).argmax(1, keepdim=True))
    best = worth.nan_to_num(-torch.inf).max(1).values
    gain = torch.zeros(())
    if network.margin:
        advice = torch.as_tensor(seen[:, -NUM_ACTIONS:]).to(worth.device).long().argmax(1)
        gain = (taken[:, 0] - worth.gather(1, advice[:, None])[:, 0]).nanmean()
    return (best - taken[:, 0]).mean(), gain


class Vine(Learner):
    """A run of values by the vine."""

    name = "vine"
    player = VinePlayer


def main(argv: list[str] | None = None) -> None:
    """The command line."""
    command_line(Vine, Config, (__doc__ or "").split("\n")[0], argv)


if __name__ == "__main__":
    main()

"""Deep Monte-Carlo by self-play: ``python -m train.dmc --config configs/train/dmc_two_deck.yaml``.

One network values the 63 actions for all seats.  An iteration plays a batch of fresh deals to
their end, each seat acting by the values (with some exploration), and then regresses the value of
every action taken on what its seat got afterwards: the levels of the deal and, as a denser signal,
the points of the tricks to come, each trick later counting `discount` times less (`returns.py`).
With `trace` below 1 what follows later tricks is in part taken at the network's word, TD(lambda):
less noise, some bias.  States with one legal action are played through and not learned from.

Two ways to begin from what a built-in player knows: `others` play some of the sides, so that the
first values are of sensible play and the network meets an opponent that is better than itself; with
`advice` each row shows what that player would do, and values begin by leaning to it.

Metrics of its own (the others: `learner.py`)::

    train/loss            mean loss over the iteration's minibatches
    train/error           mean squared error of the values
    train/value           mean value of the actions taken
    train/explained       1 - squared error / variance of the returns: 0 knows nothing
    train/return_std      standard deviation of the returns
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (torch's own custom)
from numpy.typing import NDArray

from agents.base import Agent
from tuolaji_env.games import NUM_ACTIONS

from .config import setting
from .learner import Learner, Settings
from .loop import command_line
from .returns import Ledger, Rewards, Trail
from .selfplay import Player, Taken


@dataclass(frozen=True)
class Config(Settings):
    """Settings of a run."""

    level_weight: float = setting(1.0, "weight of the levels of the deal", low=0)
    point_weight: float = setting(1.0, "weight of hundreds of points as they fall", low=0)
    discount: float = setting(0.95, "of a reward one trick later", low=0, high=1)
    trace: float = setting(
        1.0, "lambda of the returns, a trick; 1: nothing bootstrapped", low=0, high=1
    )
    loss: Literal["mse", "huber"] = setting("mse", "how a value differs from a return")


class Deals(NamedTuple):
    """Finished deals as decisions: N of them, of all seats, with what followed."""

    rows: NDArray[np.uint8]  # [N, D] observation
    actions: NDArray[np.int64]  # [N]
    returns: NDArray[np.float32]  # [N]
    trail: Trail


class DMCPlayer(Player):
    """Keeps every decision with what its seat got after it."""

    LEARNED = ("loss", "error", "value")
    config: Config

    def play(self, seed: Sequence[int], gone: float, other: Agent | None) -> Taken:
        """Play a fresh deal in each game; see `Player.play`."""
        c = self.config
        ledger = Ledger(self.games, self.par)
        chosen: list[NDArray[np.int64]] = []
        for step in self.steps(seed, gone, other):
            ledger.add(step.live, step.seat, step.values)
            chosen.append(step.actions.copy())
        rewards = Rewards(c.level_weight, c.point_weight, c.discount, c.trace)
        trail, returns = ledger.close(rewards)
        data = Deals(self.rows[: len(returns)], np.concatenate(chosen), returns, trail)
        return Taken(data, len(returns), len(returns), self.games.records)

    def learn(self, picks: NDArray[np.int64]) -> tuple[float, ...]:
        """Gradients of the loss over some decisions."""
        deals: Deals = self.taken.data
        actions, target = self.tensor(deals.actions[picks]), self.tensor(deals.returns[picks])
        played = F.one_hot(actions, NUM_ACTIONS)
        with self.arithmetic():
            values = self.network(self.tensor(deals.rows[picks]), played)
        value = values.float().gather(1, actions[:, None])[:, 0]
        loss = F.mse_loss(value, target)
        error = float(loss.detach())
        if self.config.loss == "huber":
            loss = F.smooth_l1_loss(value, target)
        self.nets.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        return float(loss.detach()), error, float(value.detach().mean())


class DMC(Learner):
    """A run of deep Monte-Carlo."""

    name = "dmc"
    player = DMCPlayer

    def learn(self) -> dict[str, float]:
        """Go over the decisions in minibatches; returns the metrics."""
        learned = super().learn()
        returns = np.concatenate([p.taken.data.returns for p in self.players])
        known = 1 - learned["train/error"] / max(float(returns.var()), 1e-12)
        return learned | {"train/explained": known, "train/return_std": float(returns.std())}


def main(argv: list[str] | None = None) -> None:
    """The command line."""
    command_line(DMC, Config, (__doc__ or "").split("\n")[0], argv)


if __name__ == "__main__":
    main()

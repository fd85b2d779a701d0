"""Proximal policy optimisation by self-play: ``python -m train.ppo --config configs/train/…``.

A network gives the 63 actions logits, a critic values the state for the mover.  An iteration plays
a batch of fresh deals to their end, each seat drawing its actions from the masked logits, and goes
over its decisions a few times (Schulman et al., Proximal Policy Optimization Algorithms, 2017).

- Advantages are generalised (lambda = `trace`) over a seat's *own* decisions, and a reward belongs
  to the seat's side (`returns.py`): no seat's value is taken from another's observation.
- The critic sees what the seat sees (`critic: view`) or all hands (`critic: full`).  It serves
  training alone and is not part of the checkpoint.
- Steps are kept small by clipping, and by a penalty on the divergence from the policy that played,
  whose weight adapts until the divergence of an iteration is near `divergence`.
- With `advice`, `margin` is added to the logit of the action that a built-in player would take:
  play begins near that player's.

Metrics of its own (the others: `learner.py`)::

    train/loss            mean loss over the iteration's minibatches, all parts
    train/policy          its part from the clipped ratios
    train/critic          mean squared error of the critic's values
    train/entropy         mean entropy of the masked policy, nats
    train/divergence      mean Kullback-Leibler divergence from the policy that played, nats
    train/clipped         share of decisions whose ratio was beyond the clip
    train/penalty         weight of the divergence after the iteration
    train/explained       share of the returns' variance that the critic knew while playing
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (torch's own custom)
from numpy.typing import NDArray
from torch import Tensor, nn

from agents.base import Agent

from .config import setting
from .critic import new_critic, open_rows
from .learner import Learner, Settings, new_network
from .loop import command_line
from .returns import Ledger, Rewards, Trail
from .selfplay import Player, Step, Taken


@dataclass(frozen=True)
class Config(Settings):
    """Settings of a run."""

    epsilon: float = setting(0.0, "0: the policy itself explores", low=0, high=0)
    epsilon_end: float = setting(0.0, "0: the policy itself explores", low=0, high=0)
    temperature: float = setting(1.0, "1: actions are drawn from the policy", low=1, high=1)
    level_weight: float = setting(1.0, "weight of the levels of the deal", low=0)
    point_weight: float = setting(1.0, "weight of hundreds of points as they fall", low=0)
    discount: float = setting(0.98, "of a reward one trick later", low=0, high=1)
    trace: float = setting(0.9, "lambda of generalised advantages, a trick", low=0, high=1)
    critic: Literal["view", "full"] = setting("full", "what the critic sees: its seat's view, all")
    epochs: int = setting(3, "times that each decision is learned from", low=1)
    ratio: float = setting(0.2, "by how much the probability of an action may change", low=0)
    divergence: float = setting(0.01, "wanted from the policy that played, nats", low=0)
    entropy: float = setting(0.005, "weight of the policy's entropy", low=0)
    critic_weight: float = setting(0.5, "weight of the critic's loss", low=0)


class Decisions(NamedTuple):
    """N decisions that the network took, and what followed."""

    rows: NDArray[np.uint8]  # [N, D] what the seat saw
    states: NDArray[np.uint8]  # [N, …] what the critic sees
    masks: NDArray[np.int8]  # [N, 63]
    actions: NDArray[np.int64]  # [N]
    returns: NDArray[np.float32]  # [N] lambda returns: advantages above `known`
    known: NDArray[np.float32]  # [N] the critic's values as it played
    logs: NDArray[np.float32]  # [N, 63] of the probabilities as it played
    trail: Trail  # of all decisions, the others' too


class PPOPlayer(Player):
    """Keeps the decisions that the network took, with what the critic thought of them."""

    LEARNED = ("loss", "policy", "critic", "entropy", "divergence", "clipped")
    config: Config
    #: Weight of the divergence, set by the learner.
    penalty = 1.0

    def play(self, seed: Sequence[int], gone: float, other: Agent | None) -> Taken:
        """Play a fresh deal in each game; see `Player.play`."""
        c = self.config
        ledger = Ledger(self.games, self.par)
        masks: list[NDArray[np.int8]] = []
        actions: list[NDArray[np.int64]] = []
        states: list[NDArray[np.uint8]] = []
        for step in self.steps(seed, gone, other):
            seen = self.full(step) if c.critic == "full" else step.rows
            with torch.inference_mode(), self.arithmetic():
                values = self.nets["critic"](self.tensor(seen)).float().cpu().numpy()
            own = ~np.isnan(step.values)
            ledger.add(step.live, step.seat, np.where(own, values, np.nan).astype(np.float32))
            if c.critic == "full":
                states.append(seen)
            masks.append(step.mask.copy())
            actions.append(step.actions.copy())
        rewards = Rewards(c.level_weight, c.point_weight, c.discount, c.trace)
        trail, returns = ledger.close(rewards)
        (own,) = np.nonzero(~np.isnan(trail.value))
        rows, allowed = self.rows[own], np.concatenate(masks)[own]
        data = Decisions(
            rows,
            np.concatenate(states)[own] if states else rows,
            allowed,
            np.concatenate(actions)[own],
            returns[own],
            trail.value[own],
            self.played(rows, allowed),
            trail,
        )
        return Taken(data, len(own), len(returns), self.games.records)

    def full(self, step: Step) -> NDArray[np.uint8]:
        """What the movers see, and all hands (`open_rows`). [n, …]."""
        return open_rows(self.games, self.layout, step.live, step.seat, step.rows)

    def logits(self, rows: Tensor, masks: NDArray[np.int8]) -> Tensor:
        """Logarithms of the policy's probabilities. [N, 63]; -inf where the mask forbids."""
        allowed = self.tensor(masks)
        with self.arithmetic():
            liked = self.network.preferences(self.network(rows, allowed).float(), rows)
        return F.log_softmax(liked.masked_fill(allowed == 0, -torch.inf), dim=1)

    def played(self, rows: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        """`logits` by the weights that play, a part at a time. [N, 63]."""
        parts = []
        with torch.inference_mode():
            for at in range(0, len(rows), 8192):
                some = slice(at, at + 8192)
                parts.append(self.logits(self.tensor(rows[some]), masks[some]).cpu().numpy())
        return np.concatenate(parts)

    def learn(self, picks: NDArray[np.int64]) -> tuple[float, ...]:
        """Gradients of the loss over some decisions."""
        c = self.config
        d: Decisions = self.taken.data
        seen, states = self.tensor(d.rows[picks]), self.tensor(d.states[picks])
        actions, target = self.tensor(d.actions[picks])[:, None], self.tensor(d.returns[picks])
        before = self.tensor(d.logs[picks])
        gains = target - self.tensor(d.known[picks])
        gains = (gains - gains.mean()) / (gains.std() + 1e-6)
        logs = self.logits(seen, d.masks[picks])
        finite, known = (x.masked_fill(torch.isinf(x), 0) for x in (logs, before))
        entropy = -(logs.exp() * finite).sum(1).mean()
        divergence = (before.exp() * (known - finite)).sum(1).mean()
        ratio = (logs - before).gather(1, actions)[:, 0].exp()
        held = ratio.clamp(1 - c.ratio, 1 + c.ratio)
        policy = -torch.minimum(ratio * gains, held * gains).mean()
        with self.arithmetic():
            values = self.nets["critic"](states).float()
        critic = F.mse_loss(values, target)
        loss = policy + c.critic_weight * critic - c.entropy * entropy + self.penalty * divergence
        self.nets.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        clipped = (ratio != held).float().mean()
        numbers = (loss, policy, critic, entropy, divergence, clipped)
        return tuple(float(n.detach()) for n in numbers)


class PPO(Learner):
    """A run of proximal policy optimisation."""

    name = "ppo"
    player = PPOPlayer
    players: Sequence[PPOPlayer]
    config: Config

    def __init__(self, config: Settings) -> None:
        super().__init__(config)
        self.penalty = 1.0

    def networks(self) -> nn.ModuleDict:
        """The policy, and the critic."""
        c, layout = self.config, self.layout
        suit = c.suit if c.network != "plain" else 0
        critic = new_critic(layout, c.hidden, suit, c.critic == "full")
        return nn.ModuleDict({"play": new_network(c, layout), "critic": critic})

    def learn(self) -> dict[str, float]:
        """Go over the decisions in minibatches; returns the metrics."""
        for player in self.players:
            player.penalty = self.penalty
        learned = super().learn()
        if learned["train/divergence"] > 1.5 * self.config.divergence:
            self.penalty = min(2 * self.penalty, 100.0)
        elif learned["train/divergence"] < self.config.divergence / 1.5:
            self.penalty = max(self.penalty / 2, 0.01)
        returns = np.concatenate([p.taken.data.returns for p in self.players])
        known = np.concatenate([p.taken.data.known for p in self.players])
        explained = 1 - float(np.var(returns - known)) / max(float(returns.var()), 1e-12)
        return learned | {"train/penalty": self.penalty, "train/explained": explained}

    def state(self) -> dict[str, Any]:
        """All that the run needs to go on exactly."""
        return super().state() | {"penalty": self.penalty}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state; see `Learner.restore`."""
        super().restore(state)
        self.penalty = state["penalty"]


def main(argv: list[str] | None = None) -> None:
    """The command line."""
    command_line(PPO, Config, (__doc__ or "").split("\n")[0], argv)


if __name__ == "__main__":
    main()

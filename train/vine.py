"""Values by the vine: ``python -m train.vine --config configs/train/vine_two_deck.yaml``.

What an action is worth shows only at the end of the deal, under the noise of all that happened
besides.  Here, at some of the decisions of self-play, the deal is branched: actions, above all
those that the network likes, are tried with all hidden cards where they are, and a built-in player
plays each branch on for all seats (the "vine" of Schulman et al., Trust Region Policy Optimization,
2015).  Branches differ by the action alone: their differences tell in one deal what returns tell in
many.

With `worlds`, the actions are tried with the hidden cards dealt in other ways too that agree with
what the seat knows (`agents.search` does the same), and the means are learned: most of what one
deal tells of an action is of that deal alone.

The network learns what the actions are worth from what the seat sees.  Its values become means over
the hidden cards that go with such a view, as a search's are over the worlds that it samples, and to
play the best of them improves on the player that plays on.  The loss takes the differences between
a decision's actions and their mean apart, since only differences matter to play: the mean weighs
`mean_weight`.

A deal's end is far from an early action, and most of what lies between is chance.  With a
`horizon`, branches are followed for so many tricks, and a critic who sees all cards says what they
have come to.  He learns from the end of one branch of each decision, which is played on to it: from
just such states as he is asked about (`critic_from: branches`).  Or he learns from the deals that
the network plays: then values are of going on as the network does, and to improve on them improves
on the network (`critic_from: deals`).

`advice` shows the network what a built-in player would do, and values begin by leaning to it.

Metrics of its own (the others: `learner.py`)::

    train/loss            mean loss over the iteration's minibatches
    train/difference      mean squared error of an action's value less the decision's mean
    train/mean            mean squared error of that mean
    train/value           mean value of the actions tried
    train/regret          what the action that the network plays is worth less than the best one
                          tried, with open cards; hidden cards alone keep it well above 0
    train/gain            what it is worth more than the advised action (0 without advice)
    train/critic          mean squared error of the critic's values (0 without a horizon)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from agents.base import Agent
from agents.networks import Network
from tuolaji_env.core.facts import FACTS
from tuolaji_env.core.hidden import HIDDEN
from tuolaji_env.core.record import GAME, LEAD, records
from tuolaji_env.core.worlds import sample_for_each
from tuolaji_env.games import NUM_ACTIONS, GameBatch, is_over
from tuolaji_env.observe import Layout
from tuolaji_env.policies import policy_id
from tuolaji_env.policies.vine import branch_out, outcomes, vine_values

from .config import setting
from .critic import new_critic, open_rows
from .learner import Learner, Settings
from .loop import command_line
from .selfplay import Player, Taken

_CHUNK = 4096  # branches that are followed at once
_TRIES = 8  # worlds drawn until one agrees with all that play has proven
_NOTHING: NDArray[np.float32] = np.empty(0, np.float32)


@dataclass(frozen=True)
class Config(Settings):
    """Settings of a run."""

    branched: float = setting(0.5, "share of decisions that are branched", low=0, high=1)
    most: int = setting(6, "actions tried at the most", low=2)
    spread: float = setting(0.1, "of what is tried: a draw by softmax(preferences / spread)", low=0)
    policy: str = setting("heuristic", "built-in player that plays on")
    worlds: int = setting(1, "deals in which actions are tried: the true one, then sampled", low=1)
    horizon: int = setting(0, "tricks until a critic values a branch; 0: it is played out", low=0)
    critic_from: Literal["branches", "deals"] = setting(
        "branches", "the critic learns how branches end, or how the deals do that are played"
    )
    critic_alone: int = setting(0, "decisions at the beginning from which he alone learns", low=0)
    critic_hidden: tuple[int, ...] = setting((256, 128), "the critic's hidden layers", low=1)
    critic_suit: int = setting(32, "the critic's features of a suit", low=1)
    level_weight: float = setting(0.5, "weight of the levels of the deal", low=0)
    point_weight: float = setting(0.5, "weight of points, 20 a deck as a level", low=0)
    mean_weight: float = setting(0.1, "weight of a decision's mean beside differences", low=0)


class Branches(NamedTuple):
    """Decisions at which actions were tried."""

    rows: NDArray[np.uint8]  # [M, D] observation
    worth: NDArray[np.float32]  # [M, 63] of each action; NaN: not tried
    states: NDArray[np.uint8]  # [K, …] states that the critic learns from; [0, 0] without
    ends: NDArray[np.float32]  # [K] what they came to
    alone: bool  # whether the critic alone learns: his word is not worth learning yet


class VinePlayer(Player):
    """Keeps some decisions, and what their actions are worth."""

    LEARNED = ("loss", "difference", "mean", "value", "regret", "gain", "critic")
    config: Config

    def __init__(
        self, config: Config, layouts: Sequence[Layout], nets: nn.ModuleDict, games: int
    ) -> None:
        super().__init__(config, layouts, nets, games)
        self.policy = policy_id(config.policy)
        branches = max(_CHUNK, min(config.most, NUM_ACTIONS) * config.worlds)
        self.work = records(branches if config.horizon else 1, GAME)
        self.scratch = records(1, HIDDEN), records(1, FACTS), records(1, GAME)
        self.open = [Layout(layout.rules, layout.kind, layout.canonical) for layout in layouts]

    def play(self, seed: Sequence[int], gone: float, other: Agent | None) -> Taken:
        """Play a fresh deal in each game; see `Player.play`."""
        c, rng = self.config, np.random.default_rng([*seed, 1])
        flat = self.games.records.view(np.uint8).reshape(len(self.games), -1)
        kept: list[NDArray[np.int64]] = []
        states: list[NDArray[np.uint8]] = []
        tried: list[NDArray[np.int64]] = []
        begun: list[tuple[NDArray[Any], ...]] = []
        decisions = 0
        for step in self.steps(seed, gone, other):
            own = ~np.isnan(step.values)
            (some,) = np.nonzero(own & (rng.random(len(step.live)) < c.branched))
            kept.append(step.at + some)
            states.append(flat[step.live[some]])
            tried.append(drawn(step.liked[some], c.most, c.spread, rng))
            decisions = step.at + len(step.live)
            if c.horizon and c.critic_from == "deals":
                begun.append(self.begun(step.live, rng))
        games = np.concatenate(states).reshape(-1).view(GAME)
        rows = self.rows[np.concatenate(kept)]
        alone = gone * c.decisions < c.critic_alone
        data = Branches(rows, *self.valued(games, np.concatenate(tried), rng), alone)
        if begun:
            at, seats, seen = map(np.concatenate, zip(*begun, strict=True))
            data = data._replace(states=seen, ends=self.results()[at, seats])
        return Taken(data, len(rows), decisions, self.games.records)

    def begun(self, live: NDArray[np.int64], rng: np.random.Generator) -> tuple[NDArray[Any], ...]:
        """Of some games those where a trick begins, a seat in each, what a critic sees for it."""
        records = self.games.records
        at = live[(records["phase"][live] == LEAD) & (records["picked"][live] == 0)]
        seats = rng.integers(self.games.players, size=len(at))
        return at, seats, open_rows(self.games, self.open[self.number], at, seats)

    def results(self) -> NDArray[np.float32]:
        """What the finished deals came to for each seat. [G, P]."""
        games, every = self.games.records, np.ones(len(self.games), np.bool_)
        out = np.empty((self.games.players, len(games)), np.float32)
        for p, row in enumerate(out):
            seats = np.full(len(games), p)
            outcomes(self.games.table, games, seats, every, self.policy, *self.weights, row)
        return out.T

    def valued(
        self, games: NDArray[np.void], actions: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], NDArray[np.uint8], NDArray[np.float32]]:
        """What actions are worth in some states, and what a critic learns from (`Branches`).

        games: [M]; actions: [M, k] of the network's view; those not allowed are passed over.
        """
        worlds = self.config.worlds
        step = max(_CHUNK // (actions.shape[1] * worlds), 1)
        parts = []
        for at in range(0, len(games), step):
            some = games[at : at + step]
            tried = np.repeat(self.lawful(some, actions[at : at + step]), worlds)
            if worlds > 1:
                some = self.redealt(some, int(rng.integers(1 << 62)))
            if self.config.horizon:
                worth, *critics = self.followed(some, tried, rng)
            else:
                worth, critics = self.values(some, tried), [np.empty((0, 0), np.uint8), _NOTHING]
            mean = worth.reshape(-1, worlds, NUM_ACTIONS).mean(1)
            parts.append((self.as_seen(games[at : at + step], mean), *critics))
        worth, states, ends = (np.concatenate(part) for part in zip(*parts, strict=True))
        return worth, states, ends

    def redealt(self, games: NDArray[np.void], key: int) -> NDArray[np.void]:
        """Each of some states as it is, then in sampled worlds of its mover. [M * worlds]."""
        worlds = self.config.worlds
        out: NDArray[np.void] = records(len(games) * worlds, GAME)
        sample_for_each(self.games.table, games, *self.scratch, key, _TRIES, worlds, out)
        return out

    def values(self, games: NDArray[np.void], tried: NDArray[np.int64]) -> NDArray[np.float32]:
        """What actions are worth in some states, played out. [M, 63]; NaN: not tried.

        games: [M]; tried: [M] masks of lawful actions.
        """
        worth = np.empty((len(games), NUM_ACTIONS), np.float32)
        vine_values(self.games.table, games, tried, self.work, self.policy, *self.weights, worth)
        return worth

    @property
    def weights(self) -> tuple[float, float, float]:
        """How a deal is valued: by levels, by points, above par."""
        return self.config.level_weight, self.config.point_weight, float(self.par)

    def lawful(self, games: NDArray[np.void], actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The lawful ones of some actions of the network's view [M, k], as masks of real ones."""
        if self.turned is not None:
            real = np.argsort(self.turned, axis=1)[games["trump"]]
            actions = np.take_along_axis(real, actions, axis=1)
        wanted = np.bitwise_or.reduce(np.int64(1) << actions, axis=1)
        tried: NDArray[np.int64] = wanted & np.where(
            games["lawful"], games["lawful"], games["mask"]
        )
        return tried

    def as_seen(self, games: NDArray[np.void], worth: NDArray[np.float32]) -> NDArray[np.float32]:
        """Numbers by real actions [M, 63] as numbers by the network's."""
        if self.turned is None:
            return worth
        seen = np.empty_like(worth)
        np.put_along_axis(seen, self.turned[games["trump"]], worth, axis=1)
        return seen

    def followed(
        self, games: NDArray[np.void], tried: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], NDArray[np.uint8], NDArray[np.float32]]:
        """`values` by the critic after `horizon` tricks, and what he learns from (`Branches`)."""
        count = len(games)
        at, action = np.nonzero(tried[:, None] >> np.arange(NUM_ACTIONS) & 1)
        seats = games["seat"][at].astype(np.int64)
        branches = GameBatch.over(self.games.rules, self.games.table, self.work[: len(at)])
        ends = branches.records
        branch_out(self.games.table, games, tried, self.policy, self.config.horizon, ends)
        rows = open_rows(branches, self.open[self.number], branches.everybody, seats)
        with torch.inference_mode(), self.arithmetic():
            value = self.nets["critic"](self.tensor(rows)).float().cpu().numpy()
        over = is_over(ends)
        chosen = np.empty(0, np.int64)
        if self.config.critic_from == "branches":  # one of each is played on
            asked = np.arange(0, count, self.config.worlds) + rng.integers(
                self.config.worlds, size=count // self.config.worlds
            )
            first, branched = np.searchsorted(at, asked), np.bincount(at)[asked]
            chosen = first + (rng.random(len(asked)) * branched).astype(np.int64)
        wanted = over.copy()
        wanted[chosen] = True
        outcome = np.empty(len(at), np.float32)
        outcomes(self.games.table, ends, seats, wanted, self.policy, *self.weights, outcome)
        worth = np.full((count, NUM_ACTIONS), np.nan, np.float32)
        worth[at, action] = np.where(over, outcome, value)
        return worth, rows[chosen], outcome[chosen]

    def learn(self, picks: NDArray[np.int64]) -> tuple[float, ...]:
        """Gradients of the loss over some decisions."""
        branches: Branches = self.taken.data
        seen, worth = branches.rows[picks], self.tensor(branches.worth[picks])
        allowed = ~worth.isnan()
        count = allowed.sum(1, keepdim=True)
        with self.arithmetic():
            values = self.network(self.tensor(seen), allowed).float()
        error = torch.where(allowed, values - worth, 0)
        mean = error.sum(1, keepdim=True) / count
        apart = torch.where(allowed, error - mean, 0).square().sum(1).mean()
        loss = apart + self.config.mean_weight * mean.square().mean()
        critic = torch.zeros(())
        if self.config.horizon:
            some = picks % len(branches.ends)
            states, ends = branches.states[some], self.tensor(branches.ends[some])
            with self.arithmetic():
                critic = (self.nets["critic"](self.tensor(states)).float() - ends).square().mean()
            loss = critic if branches.alone else loss + critic
        self.nets.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        with torch.no_grad():
            numbers = (
                loss,
                apart,
                mean.square().mean(),
                (torch.where(allowed, values, 0).sum(1, keepdim=True) / count).mean(),
                *regrets(self.network, values, worth, seen),
                critic,
            )
            return tuple(float(n) for n in numbers)


def drawn(
    liked: NDArray[np.float32], most: int, spread: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """So many actions of each row, drawn by softmax(liked / spread); 0: the best. [N, most]."""
    noise = spread * rng.gumbel(size=liked.shape) if spread else 0
    return np.argsort(-(liked + noise), axis=1, kind="stable")[:, :most]


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
    config: Config

    def networks(self) -> nn.ModuleDict:
        """The network that plays, and with a horizon the critic."""
        c, nets = self.config, super().networks()
        if c.horizon:
            layout = Layout(self.layout.rules, self.layout.kind, self.layout.canonical)
            suit = c.critic_suit if c.network != "plain" else 0
            nets["critic"] = new_critic(layout, c.critic_hidden, suit)
        return nets


def main(argv: list[str] | None = None) -> None:
    """The command line."""
    command_line(Vine, Config, (__doc__ or "").split("\n")[0], argv)


if __name__ == "__main__":
    main()

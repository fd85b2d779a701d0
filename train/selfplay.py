"""Self-play by a network for all seats, with others on some sides, one step of many games at once.

A `Player` has its own share of the games, its own buffers, and a copy of the network that shares
the weights and has gradients of its own: players run in threads side by side.  `Player.steps`
gives each step before it is made; every algorithm keeps of it what it learns from.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents.base import Agent
from agents.networks import Network
from agents.neural import turned_actions
from tuolaji_env.games import NUM_ACTIONS, GameBatch, is_over
from tuolaji_env.observe import Layout
from tuolaji_env.rules import Rules

if TYPE_CHECKING:
    from .learner import Settings


def evenly(begin: float, end: float, gone: float) -> float:
    """A setting that changes evenly over the run, when a part of it is over."""
    return begin + (end - begin) * gone


class Step(NamedTuple):
    """A step that is about to be made in n games.

    Arrays hold for this step alone, but for `rows`, which stay as they are until all deals end.
    """

    at: int  # decisions before it, in these deals
    live: NDArray[np.int64]  # [n] the games
    seat: NDArray[np.int64]  # [n] movers
    rows: NDArray[np.uint8]  # [n, D] what they see
    mask: NDArray[np.int8]  # [n, 63] of the network's view
    actions: NDArray[np.int64]  # [n] of the network's view
    liked: NDArray[np.float32]  # [n, 63] the network's preferences, -inf where the mask forbids
    values: NDArray[np.float32]  # [n] of the actions, where the network was asked; else NaN


class Taken(NamedTuple):
    """What an iteration's deals leave a player to learn from, and to tell of."""

    data: Any  # a NamedTuple of arrays, as the algorithm needs
    examples: int  # in it, to be picked from
    decisions: int  # played in all
    last: NDArray[Any]  # [G] final records


class Table(NamedTuple):
    """Games of one rule set, and how they are seen."""

    games: GameBatch
    layout: Layout
    par: int  # the score at which the others take over, points

    @classmethod
    def of(cls, rules: Rules, layout: Layout, count: int) -> Table:
        return cls(GameBatch(rules, count), layout, rules.takeover)


class Player:
    """A share of the games, played to the end of their deals again and again.

    Its networks are copies that share the learner's weights and have gradients of their own.  An
    algorithm says in `play` what it keeps of the steps, and in `learn` what it learns from.
    Attributes: `games`, `layout`, `par` of the rule set that it plays by, its `number` (`sit`);
    `taken`, what the last deals left.
    """

    #: Names of what `learn` returns, as metrics `train/…`.
    LEARNED: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, config: Settings, layouts: Sequence[Layout], nets: nn.ModuleDict, games: int
    ) -> None:
        self.config = config
        self.nets = copy.deepcopy(nets)
        for mine, theirs in zip(self.nets.parameters(), nets.parameters(), strict=True):
            mine.data = theirs.data
        self.network = cast(Network, self.nets["play"])
        self.device = torch.device(config.device)
        self.bf16 = config.precision == "bf16"
        self.turned = turned_actions() if config.canonical else None
        self.tables = [Table.of(layout.rules, layout, games) for layout in layouts]
        self.taken: Taken
        self.rows = np.empty((games * 128, layouts[0].size), np.uint8)
        self.mask = np.empty((games, NUM_ACTIONS), np.int8)
        self.sit(0)
        self.compile()

    def sit(self, number: int) -> None:
        """Play by one of the rule sets from now on."""
        self.number = number
        self.games, self.layout, self.par = self.tables[number]

    def play(self, seed: Sequence[int], gone: float, other: Agent | None) -> Taken:
        """Play a fresh deal in each game; returns what is learned from.

        seed: words that fix it all; gone: part of the run that is over; other: who plays some
        sides.
        """
        raise NotImplementedError

    def learn(self, picks: NDArray[np.int64]) -> tuple[float, ...]:
        """Gradients of the mean loss over some examples; numbers as `LEARNED` names them."""
        raise NotImplementedError

    def compile(self) -> None:
        """Call once what a step calls: kernels are compiled in one thread, before the others."""
        one = self.games.everybody[:1]
        self.games.begin(0, one, skip_forced=True)
        self.games.observe(self.layout, one, out=self.rows[:1])
        actions = self.games.masks(one, out=self.mask[:1]).argmax(1)
        self.games.step(actions, one, skip_forced=True)
        self.games.real_actions(actions, one)

    def steps(self, seed: Sequence[int], gone: float, other: Agent | None) -> Iterator[Step]:
        """The steps of a fresh deal in each game, each given before it is made (see `play`)."""
        c = self.config
        epsilon = evenly(c.epsilon, c.epsilon_end, gone)
        share = evenly(c.others_share, c.others_end, gone)
        source, noise = np.random.SeedSequence(seed).spawn(2)
        seeds = (source.generate_state(len(self.games), np.uint64) >> np.uint64(1)).astype(np.int64)
        self.games.begin(seeds, skip_forced=True)
        rng = np.random.default_rng(noise)
        if other is not None:
            other.reset(int(source.generate_state(1)[0]))
        theirs = self.sides(rng, share if other is not None else 0)
        records, live, at = self.games.records, self.games.everybody, 0
        while len(live):
            if at + len(live) > len(self.rows):
                more = len(self.rows) * 5 // 4 + len(live)
                longer = np.empty((more, self.layout.size), np.uint8)
                longer[:at] = self.rows[:at]
                self.rows = longer
            rows = self.games.observe(self.layout, live, out=self.rows[at : at + len(live)])
            mask = self.games.masks(live, self.layout.canonical, self.mask[: len(live)])
            seat = records["seat"][live].astype(np.int64)
            chosen = self.choose(rows, mask, live, theirs[live, seat], other, epsilon, rng)
            actions = chosen[0]
            yield Step(at, live, seat, rows, mask, *chosen)
            at += len(live)
            if self.layout.canonical:
                self.games.real_actions(actions, live)
            self.games.step(actions, live, skip_forced=True)
            live = live[~is_over(records[live])]

    def sides(self, rng: np.random.Generator, share: float) -> NDArray[np.bool_]:
        """Which seats another plays: whole sides of fixed teams, else each by itself. [G, P]."""
        fixed = self.games.rules.teams == "fixed"
        players, games = self.games.players, len(self.games)
        if self.config.opposed:  # under friends, every other seat
            sides = np.arange(2) == rng.integers(0, 2, games)[:, None]
            return sides[:, np.arange(players) % 2]
        drawn = rng.random((games, 2 if fixed else players)) < share
        return drawn[:, np.arange(players) % drawn.shape[1]]

    def choose(
        self,
        rows: NDArray[np.uint8],
        mask: NDArray[np.int8],
        live: NDArray[np.int64],
        theirs: NDArray[np.bool_],
        other: Agent | None,
        epsilon: float,
        rng: np.random.Generator,
    ) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        """An allowed action for each mover, preferences, and its value; see `Step`.

        rows: [n, D]; mask: [n, 63]; live: [n] the games; theirs: [n] where the other plays.
        """
        actions = np.empty(len(rows), np.int64)
        liked = np.full(mask.shape, -np.inf, np.float32)
        value = np.full(len(rows), np.nan, np.float32)
        (asks,), (own,) = np.nonzero(theirs), np.nonzero(~theirs)
        if len(asks) and other is not None:
            actions[asks] = self.seen_actions(other.act(self.games, live[asks]), live[asks])
        if len(own):
            ours = mask
            if len(asks):
                rows, ours = rows[own], mask[own]
            with torch.inference_mode(), self.arithmetic():
                values = self.network(self.tensor(rows), self.tensor(ours)).float().cpu().numpy()
            allowed = np.where(ours, self.network.preferences(values, rows), -np.inf)
            liked[own] = allowed
            if self.config.temperature:  # the best of values with Gumbel noise: a draw by softmax
                noise = rng.standard_exponential(values.shape, np.float32)
                gumbel = -np.log(np.maximum(noise, np.finfo(np.float32).tiny))  # it may be 0
                allowed = allowed + self.config.temperature * gumbel
            actions[own] = allowed.argmax(1)
        (odd,) = np.nonzero(rng.random(len(actions)) < epsilon)
        actions[odd] = np.where(mask[odd], rng.random((len(odd), NUM_ACTIONS)), -1).argmax(1)
        if len(own):
            value[own] = values[np.arange(len(own)), actions[own]]
        return actions, liked, value

    def arithmetic(self) -> torch.autocast:
        """The precision in which the networks compute."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.bf16)

    def tensor(self, values: NDArray[Any]) -> Tensor:
        """An array where the networks compute."""
        return torch.from_numpy(values).to(self.device)

    def seen_actions(
        self, actions: NDArray[np.int64], live: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Real actions in some games as the network's view has them. [n] each."""
        if self.turned is None:
            return actions
        return self.turned[self.games.records["trump"][live], actions]

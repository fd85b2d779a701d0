"""What the algorithms share: the settings of every run, and the learner that plays and learns.

An iteration plays a batch of fresh deals to their end (`selfplay.py`), then goes over what was
kept of them in minibatches.  It begins and ends with empty buffers, and all that is drawn in it
comes from (seed, iteration, player): weights, optimiser, league and counters are the whole state of
a run, and an interrupted one goes on exactly (``--resume FOLDER``).  Players are threads, each with
its own games, its own buffers and its own share of each minibatch; torch and the rules core both
leave the interpreter's lock alone.  The number of threads is part of what is reproduced, their
timing is not.

Metrics of every algorithm (TensorBoard, and metrics.jsonl; the step is decisions played)::

    train/gradient        mean norm of the gradient before clipping
    train/rate            learning rate at the end of the iteration
    train/epsilon         share of random actions in the iteration's deals
    deal/decisions        decisions in a deal, all seats together (forced moves are no decisions)
    deal/tricks           tricks in a deal
    deal/score            the non-declarers' points at the end (two decks: 80 and they take over)
    deal/declarers_win    share of deals after which the declarers go on
    deal/rise             levels that the winning side rises
    speed/play            decisions a second while playing
    speed/learn           decisions a second while learning
    speed/both            decisions a second, all told
    eval/<opponent>       levels a deal against a fixed player, on the same duplicate deals each
                          time; positive: ahead (`agents.arena`)
    eval/<preset>/<opponent>  the same by one of several rule sets; above is their mean
    eval/past             the same against itself, half of its decisions ago
    eval/<opponent>_se    the standard error over pairs of plays
"""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from agents import checkpoint
from agents.arena import MatchResult, play_match
from agents.base import Agent
from agents.networks import CardNetwork, Network, QNetwork, SuitNetwork
from agents.neural import NeuralAgent
from agents.registry import make_agent
from tuolaji_env.observe import Layout
from tuolaji_env.rules import load_rules

from . import config as settings
from .config import ConfigError, setting
from .fleet import Fleet, Job
from .league import League
from .run import RunError
from .selfplay import Player, Taken, evenly

S = TypeVar("S", bound="Settings")

#: Of the deals on which runs are compared while they train.
EVALUATION_SEED = 20_000


@dataclass(frozen=True)
class Settings:
    """What every algorithm can be told."""

    rules: tuple[str, ...] = setting(("two_deck",), "presets or YAML files, played in turn")
    layout: Literal["rules", "universal"] = setting(
        "rules", "universal: rows that fit all rule sets"
    )
    seed: int = setting(1, "fixes the whole run", low=0)
    decisions: int = setting(10_000_000, "decisions to play before it ends", low=1)
    minutes: float | None = setting(None, "stop by the clock at the latest", low=0)
    device: str = setting("cpu", "where the network computes: cpu, cuda …")
    # playing
    games: int = setting(1024, "deals in an iteration", low=1)
    workers: int = setting(2, "threads that play and learn; changing it changes the run", low=1)
    canonical: bool = setting(True, "rows and actions with the trump suit always last")
    epsilon: float = setting(0.05, "share of random actions at the beginning", low=0, high=1)
    epsilon_end: float = setting(0.01, "and at the end, going down evenly", low=0, high=1)
    temperature: float = setting(0.0, "else act by softmax(values / temperature); 0: best", low=0)
    others: tuple[str, ...] = setting((), "players that sit on some sides: built in, or ckpt:FILE")
    others_share: float = setting(0.0, "share of sides that are theirs", low=0, high=1)
    others_end: float = setting(0.0, "and at the end, changing evenly", low=0, high=1)
    opposed: bool = setting(False, "others play one side of every game instead, the network one")
    snapshots: int = setting(0, "past selves that sit there too, at the most", low=0)
    snapshot_every: int = setting(500_000, "decisions between two of them", low=1)
    past: float = setting(0.5, "share of past selves among those others", low=0, high=1)
    # learning
    init: str = setting("", "checkpoint whose weights to begin with; empty: none")
    network: Literal["suits", "cards", "plain"] = setting(
        "suits", "one eye for all side suits, one for all cards besides, or none"
    )
    suit: int = setting(32, "features of a suit (network: suits, cards)", low=1)
    hidden: tuple[int, ...] = setting((256, 256), "sizes of the hidden layers", low=1)
    advice: str = setting("", "built-in player whose choice is shown to the network; empty: none")
    margin: float = setting(0.0, "what others must be better by to be preferred to it", low=0)
    batch: int = setting(2048, "decisions in a minibatch, all workers together", low=1)
    epochs: int = setting(1, "times that each decision is learned from", low=1)
    optimiser: Literal["adam", "rmsprop"] = setting("adam", "how weights follow the gradient")
    rate: float = setting(1e-3, "learning rate at the beginning", low=0)
    rate_end: float = setting(0.1, "share of it at the end, going down evenly", low=0, high=1)
    clip: float = setting(10.0, "largest norm of the gradient; 0: any", low=0)
    average: float = setting(0.99, "of old weights in the average that is saved", low=0, high=1)
    precision: Literal["auto", "fp32", "bf16"] = setting(
        "auto", "of the arithmetic; auto: bf16 where the processor computes with it"
    )
    # watching
    evaluate_every: int = setting(2_000_000, "decisions between evaluations; 0: none", low=0)
    evaluate_deals: int = setting(256, "duplicate deals in an evaluation", low=2)
    opponents: tuple[str, ...] = setting(
        ("random", "greedy"), "players to meet then; past: itself, half of its decisions ago"
    )
    save_every: int = setting(10, "iterations between saved states", low=1)


class Learner:
    """A run: networks, optimiser, league and counters, and what an iteration does with them.

    An algorithm gives its `name`, the `Player` that keeps what it learns from, and if it needs more
    than the network that plays, `networks`.  Attributes: `network`, `average` (its weights averaged
    over the course, which are what is evaluated and saved), `decisions` played so far, `iteration`.
    """

    name: ClassVar[str]
    player: ClassVar[type[Player]]

    def __init__(self, config: Settings) -> None:
        self.config = config
        self.rules = [load_rules(name) for name in config.rules]
        self.layouts = [
            Layout(rules, config.layout, config.canonical, config.advice) for rules in self.rules
        ]
        self.layout = self.layouts[0]
        self._check_players()
        if len({layout.digest for layout in self.layouts}) > 1:
            raise ConfigError(
                f"layout: {config.layout} given; rule sets whose rows differ need universal"
            )
        torch.set_num_threads(1)  # one for each worker
        with torch.random.fork_rng():
            torch.manual_seed(config.seed)
            self.nets = self.networks().to(config.device)
        self.network = cast(Network, self.nets["play"])
        if config.init:
            self._begin_with(config.init)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        parameters = list(self.nets.parameters())
        if config.optimiser == "adam":
            self.optimiser: torch.optim.Optimizer = torch.optim.Adam(
                parameters, config.rate, fused=True
            )
        else:
            self.optimiser = torch.optim.RMSprop(parameters, config.rate, alpha=0.99, eps=1e-5)
        self.league = League(config.others, config.snapshots, config.past)
        shares = np.diff(np.linspace(0, config.games, config.workers + 1).astype(int))
        self.players: Sequence[Player] = [
            self.player(config, self.layouts, self.nets, int(share)) for share in shares if share
        ]
        self.pool = ThreadPoolExecutor(len(self.players))
        self.fleet: Fleet | None = None  # plays and evaluates elsewhere
        self.decisions = self.iteration = self.updates = 0
        self.halfway: list[tuple[int, dict[str, torch.Tensor]]] = []  # to be met as `past`

    def networks(self) -> nn.ModuleDict:
        """The untrained networks that the settings ask for; "play" is the one that acts."""
        return nn.ModuleDict({"play": new_network(self.config, self.layout)})

    def _check_players(self) -> None:
        """Make everybody whom the run will meet once: now, not hours later, is the time to fail."""
        for name in ("others", "opponents"):
            for spec in getattr(self.config, name):
                for rules in self.rules if spec != "past" or name == "others" else ():
                    try:
                        make_agent(spec, rules, allow_other_rules=name == "others")
                    except ValueError as error:
                        raise ConfigError(f"{name}: {error}") from None

    def _begin_with(self, path: str) -> None:
        try:
            weights, meta = checkpoint.load(path)
        except checkpoint.CheckpointError as error:
            raise ConfigError(f"init: {error}") from None
        digest = meta.layout["digest"]
        if digest != self.layout.digest:
            raise ConfigError(
                f"init: {path}: layout digest {digest} given; allowed: {self.layout.digest}"
            )
        given, allowed = dict(meta.network), self.network.spec
        for spec in (given, allowed):
            spec.pop("margin", None)  # it is no weight
        if given != allowed:
            raise ConfigError(f"init: {path}: network {given} given; allowed: {allowed}")
        self.network.load_state_dict(weights)

    @property
    def gone(self) -> float:
        """Part of the run that is over."""
        return min(self.decisions / self.config.decisions, 1)

    def iterate(self) -> dict[str, float]:
        """Play a batch of deals and learn from them; returns the metrics."""
        c = self.config
        began = time.perf_counter()
        jobs = [self._job(number) for number in range(len(self.players))]
        takes = self.fleet.play(jobs) if self.fleet else self.pool.map(self.play, jobs)
        for player, taken in zip(self.players, takes, strict=True):
            player.taken = taken
        played = time.perf_counter()
        learned = self.learn()
        ended = time.perf_counter()
        count = sum(p.taken.decisions for p in self.players)
        epsilon = evenly(c.epsilon, c.epsilon_end, self.gone)
        before = self.decisions // c.snapshot_every
        self.decisions += count
        self.iteration += 1
        if self.decisions // c.snapshot_every > before:
            self.league.add(self.average, self.decisions)
        last = np.concatenate([p.taken.last for p in self.players])
        return {
            **learned,
            "train/epsilon": epsilon,
            **_about_deals(last, count),
            "speed/play": count / (played - began),
            "speed/learn": count / (ended - played),
            "speed/both": count / (ended - began),
        }

    def _job(self, number: int) -> Job:
        """What a player is to do in this iteration."""
        seed = [self.config.seed, self.iteration, number]
        other = self.league.draw(np.random.default_rng([*seed, 2]))
        return Job(number, seed, self.gone, self.table(number), other)

    def play(self, job: Job) -> Taken:
        """A player's deals."""
        player = self.players[job.number]
        player.sit(job.table)
        other = job.other and job.other.seat(self.network, player.layout)
        return player.play(job.seed, job.gone, other)

    def table(self, number: int) -> int:
        """The rule set by which a player plays in this iteration: each in its turn."""
        return (self.iteration * len(self.players) + number) % len(self.rules)

    def learn(self) -> dict[str, float]:
        """Go over the examples in minibatches; returns the metrics."""
        c = self.config
        share = max(c.batch // len(self.players), 1)
        sizes = [p.taken.examples for p in self.players]
        batches = max(min(sizes) // share, 1)
        seen: list[NDArray[np.float64]] = []
        for epoch in range(c.epochs):
            rng = np.random.default_rng([c.seed, self.iteration, len(self.players), epoch])
            orders = [rng.permutation(size) for size in sizes]
            for b in range(batches):
                passed = self.decisions + b / batches * sum(p.taken.decisions for p in self.players)
                rate = c.rate * (1 - (1 - c.rate_end) * min(passed / c.decisions, 1))
                picks = [order[b * share : (b + 1) * share] for order in orders]
                parts = list(self.pool.map(type(self.players[0]).learn, self.players, picks))
                seen.append(np.array([*np.mean(parts, axis=0), self._update(rate)]))
        names = [*self.players[0].LEARNED, "gradient"]
        means = {f"train/{n}": float(v) for n, v in zip(names, np.mean(seen, axis=0), strict=True)}
        return means | {"train/rate": rate}

    def _update(self, rate: float) -> float:
        """One step by the mean of the players' gradients; returns its norm."""
        mine = list(self.nets.parameters())
        theirs = [list(p.nets.parameters()) for p in self.players]
        for i, weights in enumerate(mine):
            parts = [grads for nets in theirs if (grads := nets[i].grad) is not None]
            weights.grad = sum(parts[1:], parts[0]) / len(parts) if parts else None
        norm = torch.nn.utils.clip_grad_norm_(mine, self.config.clip or float("inf"))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        # a young average follows faster, so that the first weights do not linger in it
        self.updates += 1
        keep = min(self.config.average, self.updates / (self.updates + 10))
        with torch.no_grad():
            pairs = zip(self.average.parameters(), self.network.parameters(), strict=True)
            for slow, fast in pairs:
                slow.lerp_(fast, 1 - keep)
        return float(norm)

    def agent(self, number: int = 0) -> NeuralAgent:
        """The player that the averaged weights make, for one of the rule sets."""
        c, layout = self.config, self.layouts[number]
        bf16 = c.precision == "bf16"
        return NeuralAgent(self.average, layout, self.name, bf16=bf16, device=c.device)

    def evaluate(self) -> dict[str, float]:
        """Levels a deal against each opponent, with standard errors; means over the rule sets."""
        c, count = self.config, len(self.rules)
        matches = [(name, number) for name in c.opponents for number in range(count)]
        if self.fleet:
            results = self.fleet.meet(matches)
        else:
            results = [self.meet(*match) for match in matches]
        out: dict[str, float] = {}
        for i, name in enumerate(c.opponents):
            met = [r.levels_per_deal for r in results[i * count : (i + 1) * count]]
            if count > 1:
                names = (rules.name for rules in self.rules)
                out |= {f"eval/{n}/{name}": m.mean for n, m in zip(names, met, strict=True)}
            out[f"eval/{name}"] = float(np.mean([m.mean for m in met]))
            out[f"eval/{name}_se"] = float(np.sqrt(np.sum([m.se**2 for m in met]))) / count
        if "past" in self.config.opponents:
            weights = {k: v.detach().clone() for k, v in self.average.state_dict().items()}
            self.halfway.append((self.decisions, weights))
        return out

    def meet(self, opponent: str, number: int) -> MatchResult:
        """A match by one of the rule sets, on the deals that are the same each time."""
        rules = self.rules[number]
        if opponent == "past":
            other: Agent = self._past(number)
        else:
            other = make_agent(opponent, rules)
        deals = self.config.evaluate_deals
        return play_match(self.agent(number), other, rules, deals, EVALUATION_SEED)

    def _past(self, number: int) -> Agent:
        """Itself as it was at about half of its decisions (untrained, if there is none)."""
        while len(self.halfway) > 1 and 2 * self.halfway[1][0] <= self.decisions:
            del self.halfway[0]
        network = copy.deepcopy(self.average)
        if self.halfway:
            network.load_state_dict(self.halfway[0][1])
        else:
            with torch.random.fork_rng():
                torch.manual_seed(self.config.seed)
                network = new_network(self.config, self.layout)
        return NeuralAgent(network, self.layouts[number], "past", device=self.config.device)

    def state(self) -> dict[str, Any]:
        """All that the run needs to go on exactly."""
        return {
            "nets": self.nets.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "league": self.league.state(),
            "halfway": self.halfway,
            "decisions": self.decisions,
            "iteration": self.iteration,
            "updates": self.updates,
            "layout": self.layout.digest,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state. Raises RunError if it is of another network or observation."""
        if state["layout"] != self.layout.digest:
            raise RunError(
                f"state: layout digest {state['layout']} given; allowed: {self.layout.digest}"
            )
        self.nets.load_state_dict(state["nets"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.league.restore(state["league"])
        self.halfway = [*map(tuple, state["halfway"])]
        self.decisions, self.iteration = state["decisions"], state["iteration"]
        self.updates = state["updates"]

    def close(self) -> None:
        """Let threads and actors go."""
        self.pool.shutdown()
        if self.fleet:
            self.fleet.close()

    def save_checkpoint(self, path: Path) -> None:
        """Write the averaged weights as a checkpoint (`agents.checkpoint`)."""
        meta = checkpoint.describe(
            self.average.spec,
            self.layout,
            self.rules,
            algorithm=self.name,
            steps=self.decisions,
            seed=self.config.seed,
        )
        checkpoint.save(path, self.average.state_dict(), meta)


def new_network(c: Settings, layout: Layout) -> Network:
    """The untrained network that the settings ask for."""
    if c.network != "plain":
        kind = CardNetwork if c.network == "cards" else SuitNetwork
        return kind.for_layout(
            layout, c.hidden, c.suit, rules=c.layout == "universal", margin=c.margin
        )
    return QNetwork(layout.size, c.hidden, layout.scale, c.margin)


def _about_deals(last: NDArray[Any], decisions: int) -> dict[str, float]:
    declarers_win = (last["winners"] >> np.maximum(last["declarer"], 0)) & 1
    return {
        "deal/decisions": decisions / len(last),
        "deal/tricks": float(last["tricks"].mean()),
        "deal/score": float(last["score"].mean()),
        "deal/declarers_win": float(declarers_win.mean()),
        "deal/rise": float(last["rise"].max(axis=1).mean()),
    }


def resolve(config: S) -> S:
    """Settings with `auto` replaced by what this machine makes of it."""
    if config.precision != "auto":
        return config
    abilities: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()
    bf16 = any(abilities.get(name, False) for name in ("avx512_bf16", "amx_bf16", "bf16"))
    if config.device != "cpu":
        bf16 = True
    return settings.build(type(config), vars(config) | {"precision": "bf16" if bf16 else "fp32"})

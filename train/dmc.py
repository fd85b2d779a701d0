"""Deep Monte-Carlo by self-play: ``python -m train.dmc --config configs/train/dmc_two_deck.yaml``.

One network values the 63 actions for all seats.  An iteration plays a batch of fresh deals to
their end, each seat acting by the values (with some exploration), and then regresses the value of
every action taken on what its seat got afterwards: the levels of the deal and, as a denser signal,
the points of the tricks to come, each trick later counting `discount` times less (`returns.py`).
With `trace` below 1 what follows later tricks is in part taken at the network's word, TD(lambda):
less noise, some bias.  States with one legal action are played through and not learned from.

Two ways to begin from what a built-in player knows: a `guide` plays some of the sides, so that the
first values are of sensible play and the network meets an opponent that is better than itself; with
`advice` each row shows what that player would do, and values begin by leaning to it.

An iteration begins and ends with empty buffers, and all that is drawn in it comes from (seed,
iteration, worker): weights, optimiser and counters are the whole state of a run, and an interrupted
one goes on exactly (``--resume FOLDER``).  Workers are threads, each with its own games, its own
buffers and its own half of each minibatch; torch and the rules core both leave the interpreter's
lock alone.  The number of workers is part of what is reproduced, their timing is not.

Metrics (TensorBoard, and metrics.jsonl; the step is decisions learned from)::

    train/loss            mean loss over the iteration's minibatches
    train/explained       1 - squared error / variance of the returns: 0 knows nothing
    train/value           mean value of the actions taken
    train/return_std      standard deviation of the returns
    train/gradient        mean norm of the gradient before clipping
    train/rate            learning rate at the end of the iteration
    train/epsilon         share of random actions in the iteration's deals
    train/guided          share of sides that the guide played in them
    deal/decisions        learned decisions in a deal, all seats together
    deal/tricks           tricks in a deal
    deal/score            the non-declarers' points at the end (two decks: 80 and they take over)
    deal/declarers_win    share of deals after which the declarers go on
    deal/rise             levels that the winning side rises
    speed/play            decisions a second while playing
    speed/learn           decisions a second while learning
    speed/both            decisions a second, all told
    eval/<opponent>       levels a deal against a built-in player, on the same duplicate deals
                          each time; positive: ahead (`agents.arena`)
    eval/<opponent>_se    its standard error over pairs of plays
"""

from __future__ import annotations

import copy
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from agents import checkpoint
from agents.arena import play_match
from agents.neural import Network, NeuralAgent, QNetwork, SuitNetwork
from agents.registry import make_agent
from tuolaji_env.observe import Layout
from tuolaji_env.rules import load_rules

from . import config as settings
from .config import ConfigError, setting
from .progress import Bar
from .returns import Rewards
from .run import Run, RunError, interrupts
from .selfplay import Worker

#: Of the deals on which runs are compared while they train.
EVALUATION_SEED = 20_000


@dataclass(frozen=True)
class Config:
    """Settings of a run."""

    rules: str = setting("two_deck", "preset or YAML file of the rules")
    seed: int = setting(1, "fixes the whole run", low=0)
    decisions: int = setting(10_000_000, "decisions to learn from before it ends", low=1)
    minutes: float | None = setting(None, "stop by the clock at the latest", low=0)
    # playing
    games: int = setting(1024, "deals in an iteration", low=1)
    workers: int = setting(2, "threads that play and learn; changing it changes the run", low=1)
    canonical: bool = setting(True, "rows and actions with the trump suit always last")
    epsilon: float = setting(0.05, "share of random actions at the beginning", low=0, high=1)
    epsilon_end: float = setting(0.01, "and at the end, going down evenly", low=0, high=1)
    temperature: float = setting(0.0, "else act by softmax(values / temperature); 0: best", low=0)
    guide: str = setting("greedy", "built-in player (or ckpt:FILE) that plays some sides")
    guided: float = setting(
        0.0, "share of sides played by the guide at the beginning", low=0, high=1
    )
    guided_end: float = setting(0.0, "and at the end, going down evenly", low=0, high=1)
    # what is learned
    level_weight: float = setting(1.0, "weight of the levels of the deal", low=0)
    point_weight: float = setting(1.0, "weight of hundreds of points as they fall", low=0)
    discount: float = setting(0.95, "of a reward one trick later", low=0, high=1)
    trace: float = setting(
        1.0, "lambda of the returns, a trick; 1: nothing bootstrapped", low=0, high=1
    )
    loss: Literal["mse", "huber"] = setting("mse", "how a value differs from a return")
    # learning
    network: Literal["suits", "plain"] = setting("suits", "one eye for all side suits, or none")
    suit: int = setting(32, "features of a suit (network: suits)", low=1)
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
    opponents: tuple[str, ...] = setting(("random", "greedy"), "built-in players to meet then")
    save_every: int = setting(10, "iterations between saved states", low=1)

    @property
    def rewards(self) -> Rewards:
        return Rewards(self.level_weight, self.point_weight, self.discount, self.trace)


def new_network(c: Config, layout: Layout) -> Network:
    """The untrained network that the settings ask for."""
    if c.network == "suits":
        return SuitNetwork.for_layout(layout, c.hidden, c.suit, margin=c.margin)
    return QNetwork(layout.size, c.hidden, layout.scale, c.margin)


class Trainer:
    """A run: network, optimiser and counters, and what an iteration does with them.

    Attributes: `network`, `average` (its weights averaged over the course, which are what is
    evaluated and saved), `decisions` learned from so far, `iteration`.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.rules = load_rules(config.rules)
        self.layout = Layout(self.rules, "rules", config.canonical, config.advice)
        torch.set_num_threads(1)  # one for each worker
        with torch.random.fork_rng():
            torch.manual_seed(config.seed)
            self.network = new_network(config, self.layout)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        parameters = list(self.network.parameters())
        if config.optimiser == "adam":
            self.optimiser: torch.optim.Optimizer = torch.optim.Adam(parameters, config.rate)
        else:
            self.optimiser = torch.optim.RMSprop(parameters, config.rate, alpha=0.99, eps=1e-5)
        shares = np.diff(np.linspace(0, config.games, config.workers + 1).astype(int))
        self.workers = [
            Worker(config, self.layout, self.network, int(share)) for share in shares if share
        ]
        self.pool = ThreadPoolExecutor(len(self.workers))
        self.decisions = self.iteration = self.updates = 0

    def iterate(self) -> dict[str, float]:
        """Play a batch of deals and learn from them; returns the metrics."""
        c = self.config
        gone = min(self.decisions / c.decisions, 1)
        epsilon = c.epsilon + (c.epsilon_end - c.epsilon) * gone
        guided = c.guided + (c.guided_end - c.guided) * gone
        began = time.perf_counter()
        seeds = [[c.seed, self.iteration, i] for i in range(len(self.workers))]
        list(self.pool.map(lambda w, s: w.play(s, epsilon, guided), self.workers, seeds))
        played = time.perf_counter()
        learned = self._learn()
        ended = time.perf_counter()
        count = sum(len(w.deals.actions) for w in self.workers)
        self.decisions += count
        self.iteration += 1
        last = np.concatenate([w.deals.last for w in self.workers])
        return {
            **learned,
            "train/epsilon": epsilon,
            "train/guided": guided,
            **_about_deals(last, count),
            "speed/play": count / (played - began),
            "speed/learn": count * c.epochs / (ended - played),
            "speed/both": count / (ended - began),
        }

    def _learn(self) -> dict[str, float]:
        c = self.config
        share = max(c.batch // len(self.workers), 1)
        sizes = [len(w.deals.actions) for w in self.workers]
        batches = max(min(sizes) // share, 1)
        total = np.zeros(4)  # loss, squared error, mean value, norm of the gradient
        for epoch in range(c.epochs):
            rng = np.random.default_rng([c.seed, self.iteration, len(self.workers), epoch])
            orders = [rng.permutation(size) for size in sizes]
            for b in range(batches):
                gone = (self.decisions + b / batches * sum(sizes)) / c.decisions
                rate = c.rate * (1 - (1 - c.rate_end) * min(gone, 1))
                picks = [order[b * share : (b + 1) * share] for order in orders]
                seen = list(self.pool.map(Worker.learn, self.workers, picks))
                total += (*np.mean(seen, axis=0), self._update(rate))
        loss, error, value, norm = total / (batches * c.epochs)
        returns = np.concatenate([w.deals.returns for w in self.workers])
        return {
            "train/loss": float(loss),
            "train/explained": float(1 - error / max(float(returns.var()), 1e-12)),
            "train/value": float(value),
            "train/return_std": float(returns.std()),
            "train/gradient": float(norm),
            "train/rate": float(rate),
        }

    def _update(self, rate: float) -> float:
        """One step by the mean of the workers' gradients; returns its norm."""
        mine = list(self.network.parameters())
        for i, weights in enumerate(mine):
            parts = [list(w.network.parameters())[i].grad for w in self.workers]
            weights.grad = torch.stack([g for g in parts if g is not None]).mean(0)
        norm = torch.nn.utils.clip_grad_norm_(mine, self.config.clip or float("inf"))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        # a young average follows faster, so that the first weights do not linger in it
        self.updates += 1
        keep = min(self.config.average, self.updates / (self.updates + 10))
        with torch.no_grad():
            for slow, fast in zip(self.average.parameters(), mine, strict=True):
                slow.lerp_(fast, 1 - keep)
        return float(norm)

    def agent(self) -> NeuralAgent:
        """The player that the averaged weights make."""
        return NeuralAgent(self.average, self.layout, "dmc", bf16=self.config.precision == "bf16")

    def evaluate(self) -> dict[str, float]:
        """Levels a deal against each opponent, with standard errors."""
        out: dict[str, float] = {}
        for name in self.config.opponents:
            other = make_agent(name, self.rules)
            result = play_match(
                self.agent(), other, self.rules, self.config.evaluate_deals, EVALUATION_SEED
            )
            mean, error = result.levels_per_deal.mean, result.levels_per_deal.se
            out |= {f"eval/{name}": mean, f"eval/{name}_se": error}
        return out

    def state(self) -> dict[str, Any]:
        """All that the run needs to go on exactly."""
        return {
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
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
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.decisions, self.iteration = state["decisions"], state["iteration"]
        self.updates = state["updates"]

    def save_checkpoint(self, path: Path) -> None:
        meta = checkpoint.describe(
            self.average.spec,
            self.layout,
            [self.rules],
            algorithm="dmc",
            steps=self.decisions,
            seed=self.config.seed,
        )
        checkpoint.save(path, self.average.state_dict(), meta)


def _about_deals(last: NDArray[Any], decisions: int) -> dict[str, float]:
    declarers_win = (last["winners"] >> np.maximum(last["declarer"], 0)) & 1
    return {
        "deal/decisions": decisions / len(last),
        "deal/tricks": float(last["tricks"].mean()),
        "deal/score": float(last["score"].mean()),
        "deal/declarers_win": float(declarers_win.mean()),
        "deal/rise": float(last["rise"].max(axis=1).mean()),
    }


def resolve(config: Config) -> Config:
    """Settings with `auto` replaced by what this machine makes of it."""
    if config.precision != "auto":
        return config
    abilities: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()
    bf16 = any(abilities.get(name, False) for name in ("avx512_bf16", "amx_bf16", "bf16"))
    return settings.build(Config, vars(config) | {"precision": "bf16" if bf16 else "fp32"})


def train(config: Config, run: Run, resume: bool = False, quiet: bool = False) -> Trainer:
    """Train to the end of the settings, or until interrupted; the run's folder tells the rest."""
    trainer = Trainer(config)
    if resume:
        trainer.restore(run.resume())
    else:
        run.begin(settings.dump(config))
    began = time.monotonic()
    due = _next_evaluation(trainer)
    with Bar("training", config.decisions, trainer.decisions, quiet) as bar, interrupts() as stop:
        while trainer.decisions < config.decisions and not stop:
            metrics = trainer.iterate()
            late = config.minutes is not None and time.monotonic() - began > config.minutes * 60
            ended = trainer.decisions >= config.decisions or late
            if config.evaluate_every and (trainer.decisions >= due or ended):
                metrics |= trainer.evaluate()
                due = _next_evaluation(trainer)
                bar.say(_report(trainer.decisions, metrics))
            run.log(trainer.decisions, metrics)
            bar.update(trainer.decisions, f"{metrics['speed/both']:,.0f} decisions/s")
            if ended or stop or trainer.iteration % config.save_every == 0:
                run.save_state(trainer.state())
                trainer.save_checkpoint(run.checkpoint)
            if late:
                bar.say(f"stopped after {config.minutes:g} minutes, as the settings say")
                break
        if stop:
            bar.say(f"interrupted; go on with: python -m train.dmc --resume {run.folder}")
    run.close()
    trainer.pool.shutdown()
    return trainer


def _next_evaluation(trainer: Trainer) -> int:
    every = trainer.config.evaluate_every or 1
    return (trainer.decisions // every + 1) * every


def _report(decisions: int, metrics: dict[str, float]) -> str:
    duels = [
        f"{name[5:]} {value:+.2f} ± {metrics[name + '_se']:.2f}"
        for name, value in metrics.items()
        if name.startswith("eval/") and not name.endswith("_se")
    ]
    return f"{decisions / 1e6:.2f} M decisions: levels a deal against {', '.join(duels)}"


def main(argv: list[str] | None = None) -> None:
    """The command line."""
    args, over = settings.parse_args(Config, (__doc__ or "").split("\n")[0], argv)
    try:
        if args.resume:
            if over or args.config or args.run:
                raise ConfigError("--resume: goes on with the run's own settings; give no others")
            run = Run(args.resume)
            config = settings.load(Config, run.folder / "config.yaml")
        else:
            config = resolve(settings.load(Config, args.config, over))
            name = Path(args.config).stem if args.config else "dmc"
            run = Run(args.run or Path("runs") / name)
        train(config, run, bool(args.resume))
    except (ConfigError, RunError) as error:
        sys.exit(str(error))
    print(f"checkpoint: {run.checkpoint}")


if __name__ == "__main__":
    main()

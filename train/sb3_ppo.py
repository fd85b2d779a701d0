"""MaskablePPO of sb3-contrib by self-play: ``python -m train.sb3_ppo --run runs/sb3``.

The familiar road: Stable-Baselines3 trains, with its own policies, loggers and callbacks; from us
come the games (`sb3_env.py`), a league of built-in players and past selves for the other seats,
evaluation on duplicate deals, and a checkpoint that every agent and arena here can read.  Use it
to build on what SB3 offers; `train.ppo` is faster, since it learns from all seats at once.

The run's folder holds what other runs hold (`run.py`), but `state.pt`: in its place are SB3's own
`sb3.zip` and the snapshots of the league, from which ``--resume`` goes on with fresh deals.

Metrics besides SB3's own (the step is decisions of the learning seats)::

    rollout/ep_rew_mean, rollout/ep_len_mean, train/…   of Stable-Baselines3
    eval/<opponent>, eval/<opponent>_se                 as in `learner.py`
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from agents import checkpoint
from agents.arena import play_match
from agents.networks import QNetwork
from agents.neural import NeuralAgent
from agents.registry import make_agent
from tuolaji_env.observe import Layout
from tuolaji_env.rules import load_rules

from . import config as settings
from .config import ConfigError, setting
from .league import League
from .learner import EVALUATION_SEED
from .loop import run_of
from .run import Run, RunError
from .sb3_env import SeatVecEnv


@dataclass(frozen=True)
class Config:
    """Settings of a run; those named as in SB3 mean what they mean there."""

    rules: str = setting("two_deck", "preset or YAML file of the rules")
    seed: int = setting(1, "fixes the whole run", low=0)
    decisions: int = setting(2_000_000, "decisions of the learning seats", low=1)
    games: int = setting(256, "deals at a time", low=1)
    n_steps: int = setting(64, "decisions of each between updates", low=1)
    batch_size: int = setting(2048, "decisions in a minibatch", low=1)
    n_epochs: int = setting(4, "times that each decision is learned from", low=1)
    learning_rate: float = setting(3e-4, "of Adam", low=0)
    gamma: float = setting(0.995, "discount of a reward one decision later", low=0, high=1)
    gae_lambda: float = setting(0.95, "lambda of generalised advantages", low=0, high=1)
    ent_coef: float = setting(0.005, "weight of the policy's entropy", low=0)
    target_kl: float = setting(0.03, "divergence at which an update stops early", low=0)
    hidden: tuple[int, ...] = setting((256, 256), "sizes of the hidden layers", low=1)
    device: str = setting("cpu", "where the network computes: cpu, cuda …")
    advice: str = setting("", "built-in player whose choice is shown to the network; empty: none")
    level_weight: float = setting(1.0, "weight of the levels of the deal", low=0)
    point_weight: float = setting(0.5, "weight of hundreds of points above par", low=0)
    others: tuple[str, ...] = setting(("greedy",), "built-in players in the league")
    snapshots: int = setting(6, "past selves in the league, at the most", low=0)
    snapshot_every: int = setting(250_000, "decisions between two of them", low=1)
    at_once: int = setting(4, "members of the league that play at a time", low=1)
    evaluate_every: int = setting(500_000, "decisions between evaluations; 0: none", low=0)
    evaluate_deals: int = setting(256, "duplicate deals in an evaluation", low=2)
    opponents: tuple[str, ...] = setting(("random", "greedy"), "built-in players to meet then")


class SelfPlay(BaseCallback):
    """Keeps the league, evaluates, and writes what a run leaves."""

    def __init__(self, config: Config, run: Run, layout: Layout, league: League) -> None:
        super().__init__()
        self.config, self.run, self.layout, self.league = config, run, layout, league
        self.rng = np.random.default_rng([config.seed, 1])
        self.due = {"snapshot": 0, "evaluate": 0}

    def _on_training_start(self) -> None:
        every = self.config.snapshot_every
        self.due = {
            "snapshot": (self.num_timesteps // every + 1) * every,
            "evaluate": self._next_evaluation(),
        }
        self._seat()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        if self.num_timesteps >= self.due["snapshot"]:
            self.league.add(self.network(), self.num_timesteps)
            self.due["snapshot"] += self.config.snapshot_every
            self.save()
        if self.config.evaluate_every and self.num_timesteps >= self.due["evaluate"]:
            self.evaluate()
            self.due["evaluate"] = self._next_evaluation()
        self._seat()

    def _next_evaluation(self) -> int:
        every = self.config.evaluate_every or 1
        return (self.num_timesteps // every + 1) * every

    def _seat(self) -> None:
        """Draw who plays on until the next update."""
        network = self.network()
        drawn = [self.league.draw(self.rng) for _ in range(self.config.at_once)]
        games = self.training_env
        games = games.venv if isinstance(games, VecMonitor) else games
        assert isinstance(games, SeatVecEnv)
        mine = NeuralAgent(network, self.layout, "self")
        games.sit([m.seat(network, self.layout) if m else mine for m in drawn])

    def network(self) -> QNetwork:
        """SB3's policy as a network of ours: the same layers over the same numbers."""
        return as_network(self.model, self.layout, self.config.hidden)

    def evaluate(self) -> None:
        """Meet the opponents on duplicate deals, and log what came of it."""
        c = self.config
        found: dict[str, float] = {}
        agent = NeuralAgent(self.network(), self.layout, "sb3")
        for name in c.opponents:
            other = make_agent(name, self.layout.rules)
            result = play_match(
                agent, other, self.layout.rules, c.evaluate_deals, EVALUATION_SEED
            ).levels_per_deal
            found |= {f"eval/{name}": result.mean, f"eval/{name}_se": result.se}
            print(
                f"{self.num_timesteps / 1e6:.2f} M decisions: levels a deal against {name} "
                f"{result.mean:+.2f} ± {result.se:.2f}"
            )
        for name, value in found.items():
            self.logger.record(name, value)
        self.run.log(self.num_timesteps, found)

    def save(self) -> None:
        """SB3's own file, the league, and the checkpoint."""
        self.model.save(self.run.folder / "sb3.zip")
        self.run.save_state({"decisions": self.num_timesteps, "league": self.league.state()})
        meta = checkpoint.describe(
            self.network().spec,
            self.layout,
            [self.layout.rules],
            algorithm="sb3_ppo",
            steps=self.num_timesteps,
            seed=self.config.seed,
        )
        checkpoint.save(self.run.checkpoint, self.network().state_dict(), meta)


def as_network(model: Any, layout: Layout, hidden: tuple[int, ...]) -> QNetwork:
    """The actor of an SB3 model as a network whose values are the policy's logits."""
    network = QNetwork(layout.size, hidden, layout.scale)
    network.body.load_state_dict(model.policy.mlp_extractor.policy_net.state_dict())
    network.head.load_state_dict(model.policy.action_net.state_dict())
    return network.requires_grad_(False)


def train(config: Config, run: Run, resume: bool = False) -> None:
    """Train to the end of the settings."""
    c = config
    torch.set_num_threads(1)
    layout = Layout(load_rules(c.rules), canonical=True, advice=c.advice)
    league = League(c.others, c.snapshots, 0.5)
    stand_in = make_agent("random", layout.rules)  # until the league takes its seats
    games = SeatVecEnv(layout, c.games, [stand_in], c.seed, c.level_weight, c.point_weight)
    env = VecMonitor(games)
    if resume:
        state = run.resume()
        league.restore(state["league"])
        model = MaskablePPO.load(run.folder / "sb3.zip", env, device=c.device)
    else:
        run.begin(settings.dump(c))
        model = MaskablePPO(
            "MlpPolicy",
            env,
            learning_rate=c.learning_rate,
            n_steps=c.n_steps,
            batch_size=c.batch_size,
            n_epochs=c.n_epochs,
            gamma=c.gamma,
            gae_lambda=c.gae_lambda,
            ent_coef=c.ent_coef,
            target_kl=c.target_kl,
            seed=c.seed,
            device=c.device,
            policy_kwargs={"net_arch": list(c.hidden), "activation_fn": torch.nn.ReLU},
            tensorboard_log=str(run.folder / "tensorboard"),
        )
    callback = SelfPlay(c, run, layout, league)
    left = c.decisions - model.num_timesteps
    if left > 0:
        model.learn(left, callback, reset_num_timesteps=False, progress_bar=sys.stderr.isatty())
        callback.save()
        if c.evaluate_every:
            callback.evaluate()
    run.close()


def main(argv: list[str] | None = None) -> None:
    """The command line."""
    args, over = settings.parse_args(Config, (__doc__ or "").split("\n")[0], argv)
    try:
        run, config = run_of(args, over, Config, "sb3_ppo")
        train(config, run, bool(args.resume))
    except (ConfigError, RunError) as error:
        sys.exit(str(error))
    print(f"checkpoint: {run.checkpoint}")


if __name__ == "__main__":
    main()

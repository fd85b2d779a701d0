"""Players and evaluation on a Ray cluster: ``--ray local`` or ``--ray HOST:PORT``.

Each player of a run (`Settings.workers`) becomes an actor with a learner of its own, of which only
the player is used.  An iteration sends the weights once; an actor plays its deals by them and sends
back what is learned from.  Learning stays where the command was given.  A job says all that fixes
its outcome (seed, weights, rule set, who sits on the other sides): a run with Ray is the run
without, and Ray restarts an actor that was killed and does its job again.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from torch import Tensor, nn

from .league import Member
from .selfplay import Taken

if TYPE_CHECKING:
    from agents.arena import MatchResult

    from .learner import Learner, Settings

#: What an actor on a machine of its own imports `train` and `agents` from, if they lie there.
CODE = str(Path(__file__).resolve().parent.parent)


def on_cpu(module: nn.Module) -> dict[str, Tensor]:
    """The weights of a network, for wherever they are needed."""
    return {name: weights.cpu() for name, weights in module.state_dict().items()}


class Job(NamedTuple):
    """A player's deals in an iteration."""

    number: int  # of the player
    seed: list[int]
    gone: float
    table: int
    other: Member | None


class Hand:
    """What runs in an actor: a learner that plays what it is told, by the weights it is told."""

    def __init__(self, algorithm: type[Learner], config: Settings) -> None:
        if config.device != "cpu":  # the learner has it
            config = replace(config, device="cpu", precision="fp32")
        self.learner = algorithm(config)

    def process(self) -> int:
        """The number of the actor's process on its machine."""
        return os.getpid()

    def play(self, weights: dict[str, Any], job: Job) -> Taken:
        """A player's deals."""
        self.learner.nets.load_state_dict(weights)
        return self.learner.play(job)

    def meet(self, state: dict[str, Any], opponent: str, number: int) -> MatchResult:
        """A match of the evaluation."""
        self.learner.average.load_state_dict(state["average"])
        self.learner.halfway, self.learner.decisions = state["halfway"], state["decisions"]
        return self.learner.meet(opponent, number)


class Fleet:
    """The actors of a run. address: of a cluster, or "local" to begin one on this machine.

    Raises RuntimeError where Ray is not installed.
    """

    def __init__(self, learner: Learner, address: str) -> None:
        try:
            import ray
        except ModuleNotFoundError:
            raise RuntimeError("ray: not installed; pip install 'tuolaji-env[scale]'") from None
        self.ray: Any = ray
        self.learner = learner
        if not ray.is_initialized():
            where: dict[str, Any] = {} if address == "local" else {"address": address}
            where["runtime_env"] = {"env_vars": {"PYTHONPATH": CODE}}
            ray.init(include_dashboard=False, log_to_driver=False, **where)
        # a killed actor begins anew and does the job that was lost once more
        actor = self.ray.remote(max_restarts=-1, max_task_retries=-1)(Hand)
        self.hands = [actor.remote(type(learner), learner.config) for _ in learner.players]

    def play(self, jobs: list[Job]) -> list[Taken]:
        """All players' deals, in the order of the jobs."""
        weights = self.ray.put(on_cpu(self.learner.nets))
        pending = [self.hands[job.number].play.remote(weights, job) for job in jobs]
        taken: list[Taken] = self.ray.get(pending)
        return taken

    def meet(self, matches: list[tuple[str, int]]) -> list[MatchResult]:
        """All matches of an evaluation (opponent, number of the rule set), in their order."""
        mine = self.learner
        state = self.ray.put(
            {
                "average": on_cpu(mine.average),
                "halfway": mine.halfway,
                "decisions": mine.decisions,
            }
        )
        hands = len(self.hands)
        pending = [self.hands[i % hands].meet.remote(state, *m) for i, m in enumerate(matches)]
        results: list[MatchResult] = self.ray.get(pending)
        return results

    def close(self) -> None:
        """Let the actors go; a cluster that was there before stays."""
        for hand in self.hands:
            self.ray.kill(hand)

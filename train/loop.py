"""The course of a run: iterations, evaluations, saved states, progress; and the command line."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from . import config as settings
from .config import ConfigError
from .fleet import Fleet
from .learner import Learner, Settings, resolve
from .progress import Bar
from .run import Run, RunError, interrupts


def train(learner: Learner, run: Run, resume: bool = False, quiet: bool = False) -> None:
    """Train to the end of the settings, or until interrupted; the run's folder tells the rest."""
    config = learner.config
    if resume:
        learner.restore(run.resume())
    else:
        run.begin(settings.dump(config))
    began = time.monotonic()
    due = _next_evaluation(learner)
    with Bar("training", config.decisions, learner.decisions, quiet) as bar, interrupts() as stop:
        while learner.decisions < config.decisions and not stop:
            metrics = learner.iterate()
            late = config.minutes is not None and time.monotonic() - began > config.minutes * 60
            ended = learner.decisions >= config.decisions or late
            if config.evaluate_every and (learner.decisions >= due or ended):
                metrics |= learner.evaluate()
                due = _next_evaluation(learner)
                bar.say(_report(learner.decisions, metrics))
            run.log(learner.decisions, metrics)
            bar.update(learner.decisions, f"{metrics['speed/both']:,.0f} decisions/s")
            if ended or stop or learner.iteration % config.save_every == 0:
                run.save_state(learner.state())
                learner.save_checkpoint(run.checkpoint)
            if late:
                bar.say(f"stopped after {config.minutes:g} minutes, as the settings say")
                break
        if stop:
            bar.say(
                f"interrupted; go on with: python -m train.{learner.name} --resume {run.folder}"
            )
    run.close()
    learner.close()


def _next_evaluation(learner: Learner) -> int:
    every = learner.config.evaluate_every or 1
    return (learner.decisions // every + 1) * every


def _report(decisions: int, metrics: dict[str, float]) -> str:
    duels = [
        f"{name[5:]} {value:+.2f} ± {metrics[name + '_se']:.2f}"
        for name, value in metrics.items()
        if name.startswith("eval/") and not name.endswith("_se")
    ]
    return f"{decisions / 1e6:.2f} M decisions: levels a deal against {', '.join(duels)}"


def run_of(
    args: argparse.Namespace, over: dict[str, Any], kind: type[settings.C], name: str
) -> tuple[Run, settings.C]:
    """The run that a command line means, with its settings. name: of the folder without a file."""
    if args.resume:
        if over or args.config or args.run:
            raise ConfigError("--resume: goes on with the run's own settings; give no others")
        run = Run(args.resume)
        return run, settings.load(kind, run.folder / "config.yaml")
    config = settings.load(kind, args.config, over)
    name = Path(args.config).stem if args.config else name
    return Run(args.run or Path("runs") / name), config


def command_line(
    algorithm: type[Learner], kind: type[Settings], about: str, argv: list[str] | None = None
) -> None:
    """The command line of an algorithm. kind: its settings; about: one line for ``--help``."""
    args, over = settings.parse_args(kind, about, argv, ray=True)
    try:
        run, config = run_of(args, over, kind, algorithm.name)
        learner = algorithm(config if args.resume else resolve(config))
        if args.ray:
            learner.fleet = Fleet(learner, args.ray)
        train(learner, run, bool(args.resume))
    except (ConfigError, RunError, RuntimeError) as error:
        sys.exit(str(error))
    print(f"checkpoint: {run.checkpoint}")

"""How much can be won from an agent: ``python -m train.best_response heuristic``.

A fresh network is trained against the frozen agent alone (by `train.dmc`, with every other setting
as there) and then meets it on fresh duplicate deals.  What it wins is a lower bound of the agent's
exploitability: a longer or better training might win more, none shows that nobody can.

It may begin with weights of a checkpoint (`--init`), such as the agent's own, and see a built-in
player's advice (`--advice`).  Leaves in the run's folder the checkpoint `model.zip` and the result
`best_response.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from agents.arena import play_match
from agents.files import write_whole
from agents.registry import make_agent

from . import config as settings
from .config import ConfigError
from .dmc import DMC, Config
from .learner import resolve
from .loop import train
from .run import Run, RunError

CONFIG = Path(__file__).resolve().parent.parent / "configs" / "train" / "best_response.yaml"
SEED = 40_000  # of the deals of the final match


def respond(agent: str, config: Config, run: Run, deals: int, resume: bool = False) -> str:
    """Train against the agent of a spec, meet it, and write the result, which is returned as JSON.

    config: others and opponents are the agent, whatever it says of them.
    """
    ours = {"others": [agent], "opponents": [agent], "opposed": True, "snapshots": 0}
    learner = DMC(settings.build(Config, vars(config) | ours))
    train(learner, run, resume)
    (rules,) = learner.rules
    result = play_match(learner.agent(), make_agent(agent, rules), rules, deals, SEED)
    found = {"agent": agent, "decisions": learner.decisions} | result.to_json()
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    write_whole(run.folder / "best_response.json", text.encode())
    levels = result.levels_per_deal
    low, high = levels.interval95
    print(
        f"{levels.mean:+.3f} levels a deal from {agent} (95 %: {low:+.3f} to {high:+.3f}, "
        f"{deals} deals)"
    )
    return text


def main(argv: list[str] | None = None) -> None:
    """The command line: the agent, and any setting of `train.dmc`."""
    words = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(prog="python -m train.best_response", add_help=False)
    parser.add_argument("agent", nargs="?")
    parser.add_argument("--deals", type=int, default=1000)
    mine, rest = parser.parse_known_args(words)
    about = "best_response AGENT [--deals N]: train a fresh opponent against a frozen agent"
    args, over = settings.parse_args(Config, about, rest)
    if not mine.agent or mine.agent.startswith("-"):
        sys.exit("agent: none given; expected: the spec of the agent to respond to")
    try:
        if args.resume:
            run = Run(args.resume)
            config = settings.load(Config, run.folder / "config.yaml", over)
        else:
            config = resolve(settings.load(Config, args.config or CONFIG, over))
            run = Run(args.run or Path("runs") / "best_response")
        respond(mine.agent, config, run, mine.deals, bool(args.resume))
    except (ConfigError, RunError, ValueError) as error:
        sys.exit(str(error))
    print(f"checkpoint: {run.checkpoint}")


if __name__ == "__main__":
    main()

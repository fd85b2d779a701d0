"""Evaluate one agent against another: ``python -m train.evaluate greedy random --deals 1000``.

The table, or with ``--json`` one JSON object, goes to stdout; progress goes to stderr.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import yaml
from rich.progress import MofNCompleteColumn

from agents.arena import MatchResult, WholeMatches, play_match, play_whole_matches
from agents.arena.bar import progress_bar
from agents.arena.report import table
from agents.files import write_whole
from agents.registry import agent_specs, make_agent
from tuolaji_env.rules import load_rules


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line; a file given as ``--config`` states options, which the line overrides."""
    parser = argparse.ArgumentParser(prog="python -m train.evaluate", description=__doc__)
    specs = ", ".join(agent_specs())
    parser.add_argument("a", nargs="?", help=f"the agent that is evaluated: {specs}")
    parser.add_argument("b", nargs="?", help="its opponent")
    parser.add_argument("--config", type=Path, help="a YAML file of options (configs/eval)")
    parser.add_argument("--preset", default="two_deck", help="rules: a preset or a YAML file")
    parser.add_argument("--deals", type=int, default=1000, help="duplicate deals")
    parser.add_argument("--matches", type=int, help="whole matches instead of deals")
    parser.add_argument("--seed", type=int, default=0, help="of the deals and the agents")
    parser.add_argument("--batch", type=int, default=256, help="games played at once")
    parser.add_argument(
        "--other-rules", action="store_true", help="take checkpoints trained on other rules"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument("--out", type=Path, help="write the JSON to a file as well")
    parser.add_argument("--plot", type=Path, help="write a picture of the levels (.png, .svg)")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    options = parser.parse_args(arguments)
    if options.config:
        parser.set_defaults(**_read_config(parser, options))
        options = parser.parse_args(arguments)
    if not options.a or not options.b:
        parser.error("two agents are needed, A and B")
    for name in ("deals", "matches", "batch"):
        value = getattr(options, name)
        if value is not None and (not isinstance(value, int) or value < 1):
            parser.error(f"{name}: {value!r} given; allowed: 1 or more")
    if options.plot and options.matches:
        parser.error("--plot shows deals, not whole matches")
    return options


def _read_config(parser: argparse.ArgumentParser, options: argparse.Namespace) -> dict[str, Any]:
    """The options that a YAML file states."""
    try:
        content = yaml.safe_load(options.config.read_text(encoding="utf-8"))
    except (OSError, UnicodeError, yaml.YAMLError) as error:
        parser.error(f"--config: {error}")
    allowed = [name for name in vars(options) if name not in ("config", "json", "quiet")]
    if not isinstance(content, dict):
        parser.error(f"--config: {options.config} holds no options; allowed: {', '.join(allowed)}")
    for name in content:
        if name not in allowed:
            parser.error(f"--config: {name}: no such option; allowed: {', '.join(allowed)}")
    for name in ("out", "plot"):
        if name in content:
            content[name] = Path(content[name])
    return content


def evaluate(options: argparse.Namespace) -> MatchResult | WholeMatches:
    """Play what the options ask for, with a progress bar on stderr."""
    rules = load_rules(options.preset)
    a, b = (
        make_agent(spec, rules, options.seed, allow_other_rules=options.other_rules)
        for spec in (options.a, options.b)
    )
    with progress_bar(MofNCompleteColumn(), options.quiet) as bar:
        task = bar.add_task(f"{a.name} against {b.name}", total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        how: dict[str, Any] = {"batch": options.batch, "progress": progress}
        if options.matches:
            return play_whole_matches(a, b, rules, options.matches, options.seed, **how)
        return play_match(a, b, rules, options.deals, options.seed, **how)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 0 if all went well, 2 where an argument is refused."""
    options = parse(arguments)
    try:
        result = evaluate(options)
    except ValueError as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("evaluate: interrupted; nothing was written", file=sys.stderr)
        return 130
    text = json.dumps(result.to_json(), indent=2, ensure_ascii=False)
    print(text if options.json else table(result))
    if options.out:
        write_whole(options.out, f"{text}\n".encode())
    if options.plot and isinstance(result, MatchResult):
        from agents.arena.plot import plot_match

        plot_match(result, options.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Round robins: ``python -m agents.arena play random greedy heuristic --out runs/ladder``.

play    a round robin, on duplicate deals, into a folder; the same command again goes on with it
report  the reports of a folder anew
verify  play the first deals of a folder's pairings anew, and compare
audit   one agent: does it look at hidden cards, and how long does it think
readme  put the table of results between the marks of a Markdown file
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from agents.registry import agent_specs


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    how = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m agents.arena", description=__doc__, formatter_class=how
    )
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="a round robin")
    play.add_argument("agents", nargs="*", help=", ".join(agent_specs()))
    play.add_argument("--config", type=Path, help="a YAML file of options (configs/eval)")
    play.add_argument("--out", type=Path, required=True, help="folder for rows and reports")
    play.add_argument("--presets", nargs="+", metavar="PRESET", help="tables; default two_deck")
    play.add_argument("--seed", type=int, help="of the deals and the agents; default 0")
    play.add_argument("--first", type=int, help="deals before the first look; default 64")
    play.add_argument("--most", type=int, help="deals of a pairing at most; default 1024")
    play.add_argument("--precision", type=float, help="standard error at which to stop; 0.05")
    play.add_argument(
        "--clear",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="stop as well where the interval is clear of zero (default)",
    )
    play.add_argument("--matches", type=int, help="whole matches of a pairing; default 0")
    play.add_argument("--audit", type=int, help="moments of each agent to check; default 200")
    play.add_argument("--bootstrap", type=int, help="samples for ratings; default 1000")
    play.add_argument(
        "--other-rules",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="take checkpoints trained on other rules",
    )
    play.add_argument(
        "--records", type=Path, metavar="FOLDER", help="keep the games of this run, each in a file"
    )
    play.add_argument("--batch", type=int, default=256, help="games played at once")
    play.add_argument("--quiet", action="store_true", help="show no progress")
    report = commands.add_parser("report", help="the reports of a folder anew")
    report.add_argument("folder", type=Path)
    verify = commands.add_parser("verify", help="play the first deals anew, and compare")
    verify.add_argument("folder", type=Path)
    verify.add_argument("--deals", type=int, default=2, help="of each pairing; default 2")
    check = commands.add_parser("audit", help="one agent")
    check.add_argument("agent", help=", ".join(agent_specs()))
    check.add_argument("--preset", default="two_deck")
    check.add_argument("--moments", type=int, default=200)
    readme = commands.add_parser("readme", help="put the table into a Markdown file")
    readme.add_argument("folder", type=Path, help="of results")
    readme.add_argument("file", type=Path)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 2 where an argument or a file is refused."""
    options = parse(arguments)
    try:
        from . import commands  # needs what the extra `arena` brings

        if options.command == "play":
            return commands.play(options)
        if options.command == "report":
            return commands.report(options.folder)
        if options.command == "verify":
            return commands.verify(options)
        if options.command == "audit":
            return commands.audit_one(options)
        return commands.put_table(options.folder, options.file)
    except ModuleNotFoundError as error:
        print(f"arena: {error.name} is needed: pip install 'tuolaji-env[arena]'", file=sys.stderr)
    except ValueError as error:
        print(f"arena: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("arena: interrupted; the same command goes on with what is played", file=sys.stderr)
        return 130
    return 2


if __name__ == "__main__":
    sys.exit(main())

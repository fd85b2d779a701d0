"""Round robins: ``python -m agents.arena play random greedy heuristic --out runs/ladder``.

play    a round robin, on duplicate deals, into a folder; the same command again goes on with it
report  the reports of a folder anew
verify  play the first deals of a folder's pairings anew, and compare
audit   one agent: does it look at hidden cards, and how long does it think
readme  put the table of results between the marks of a Markdown file
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from agents.files import write_whole
from agents.registry import agent_specs, make_agent
from tuolaji_env.rules import load_rules

from .audit import audit
from .markdown import duration, leaderboard, markdown, verdict
from .plan import plan_of, read_plan

#: Lines of a Markdown file between which `readme` puts the table.
MARKS = "<!-- leaderboard -->", "<!-- /leaderboard -->"

RESULTS = "results.json"


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


def play(options: argparse.Namespace) -> int:
    """Play a round robin and report it."""
    from rich.progress import TaskProgressColumn

    from .bar import progress_bar
    from .roundrobin import RoundRobin, Work
    from .store import FILE

    content = read_plan(options.config) if options.config else {}
    own = ("command", "config", "out", "batch", "quiet")
    given = {name: value for name, value in vars(options).items() if name not in own}
    content |= {name: value for name, value in given.items() if value not in (None, [])}
    plan = plan_of(content)
    with progress_bar(TaskProgressColumn(), options.quiet) as bar:
        task = bar.add_task("", total=None)

        def progress(work: Work) -> None:
            bar.update(task, description=work.what, completed=work.done, total=work.all or None)

        RoundRobin(plan, options.out / FILE, batch=options.batch, progress=progress).run()
    return report(options.out)


def report(folder: Path) -> int:
    """Write the reports of what a folder holds; the Markdown goes to stdout too."""
    from .page import page
    from .store import FILE, load
    from .summary import summarize

    summary = summarize(load(folder / FILE))
    text = markdown(summary)
    write_whole(folder / RESULTS, _json(summary).encode())
    write_whole(folder / "report.md", text.encode())
    write_whole(folder / "report.html", page(summary).encode())
    print(text, end="")
    return 0


def verify(options: argparse.Namespace) -> int:
    """Play the first deals of all pairings anew; 1 if any come out otherwise."""
    from .replay import differing
    from .store import FILE, load

    if options.deals < 1:
        raise ValueError(f"deals: {options.deals} given; allowed: 1 or more")
    found = differing(load(options.folder / FILE), options.deals)
    for pairing in found:
        print(f"{pairing.preset}: {pairing.a.name} – {pairing.b.name} comes out otherwise")
    if not found:
        print("all come out as they are written")
    return int(bool(found))


def audit_one(options: argparse.Namespace) -> int:
    """Audit an agent; 1 if it does not pass."""
    rules = load_rules(options.preset)
    if options.moments < 1:
        raise ValueError(f"moments: {options.moments} given; allowed: 1 or more")
    found = audit(make_agent(options.agent, rules), rules, options.moments)
    print(
        f"{options.agent}, {options.preset}: {verdict(found.to_json())}; {found.moments} moments, "
        f"{found.twins} twins; a decision takes {duration(found.median_us)} (median), "
        f"{duration(found.p95_us)} (95th percentile)"
    )
    return 0 if found.clean else 1


def put_table(folder: Path, file: Path) -> int:
    """Put the table of a folder's results between the marks of a file."""
    try:
        summary = json.loads((folder / RESULTS).read_text("utf-8"))
        text = file.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise ValueError(f"readme: {error}") from None
    before, begin, rest = text.partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if not begin or not end:
        raise ValueError(f"readme: {file} lacks the lines {' and '.join(MARKS)}")
    write_whole(file, f"{before}{begin}\n{leaderboard(summary)}\n{end}{after}".encode())
    return 0


def _json(summary: dict[str, Any]) -> str:
    return json.dumps(summary, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 2 where an argument or a file is refused."""
    options = parse(arguments)
    try:
        if options.command == "play":
            return play(options)
        if options.command == "report":
            return report(options.folder)
        if options.command == "verify":
            return verify(options)
        if options.command == "audit":
            return audit_one(options)
        return put_table(options.folder, options.file)
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

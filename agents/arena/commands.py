"""What the commands of the arena do."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rich.progress import TaskProgressColumn

from tuolaji_env.rules import load_rules

from ..files import write_whole
from ..registry import make_agent
from .audit import audit
from .bar import progress_bar
from .markdown import duration, leaderboard, markdown, verdict
from .page import page
from .plan import plan_of, read_plan
from .replay import differing
from .roundrobin import RoundRobin, Work
from .store import FILE, load
from .summary import summarize

#: Lines of a Markdown file between which `put_table` puts the table.
MARKS = "<!-- leaderboard -->", "<!-- /leaderboard -->"

RESULTS = "results.json"


def play(options: argparse.Namespace) -> int:
    """Play a round robin and report it."""
    content = read_plan(options.config) if options.config else {}
    own = ("command", "config", "out", "records", "batch", "quiet")
    given = {name: value for name, value in vars(options).items() if name not in own}
    content |= {name: value for name, value in given.items() if value not in (None, [])}
    plan = plan_of(content)
    with progress_bar(TaskProgressColumn(), options.quiet) as bar:
        task = bar.add_task("", total=None)

        def progress(work: Work) -> None:
            bar.update(task, description=work.what, completed=work.done, total=work.all or None)

        path, records = options.out / FILE, options.records
        RoundRobin(plan, path, batch=options.batch, progress=progress, records=records).run()
    return report(options.out)


def report(folder: Path) -> int:
    """Write the reports of what a folder holds; the Markdown goes to stdout too."""
    summary = summarize(load(folder / FILE))
    text = markdown(summary)
    write_whole(folder / RESULTS, _json(summary).encode())
    write_whole(folder / "report.md", text.encode())
    write_whole(folder / "report.html", page(summary).encode())
    print(text, end="")
    return 0


def verify(options: argparse.Namespace) -> int:
    """Play the first deals of all pairings anew; 1 if any come out otherwise."""
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

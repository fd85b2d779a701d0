"""What ``python -m tuolaji_env.record`` does with files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import record as about
from .record import Record, RecordError
from .recordfile import load_text, read, verify_check


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tuolaji_env.record",
        description=about.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="replay files, and name the first wrong line")
    verify.add_argument("files", nargs="+", type=Path)
    convert = commands.add_parser("convert", help="text to JSON or back")
    convert.add_argument("file", type=Path)
    convert.add_argument("out", type=Path)
    gif = commands.add_parser("gif", help="a moving picture of a deal")
    gif.add_argument("file", type=Path)
    gif.add_argument("out", type=Path)
    gif.add_argument("--deal", type=int, default=1, help="which one; default 1, the first")
    gif.add_argument("--viewer", type=int, help="the seat whose cards are shown; default all")
    gif.add_argument("--scale", type=float, default=0.5, help="of 1200 x 880 pixels; default 0.5")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Run the command line: 1 if a file does not verify, 2 where one cannot be read or written."""
    options = parse(arguments)
    try:
        if options.command == "verify":
            return max(verify(file) for file in options.files)
        record = Record.load(options.file)
        if options.command == "convert":
            record.save(options.out)
        else:
            from .render.film import save_film

            save_film(record, options.out, options.deal - 1, options.viewer, options.scale)
    except (OSError, ValueError, ModuleNotFoundError) as error:
        print(f"record: {error}", file=sys.stderr)
        return 2
    return 0


def verify(file: Path) -> int:
    """Verify a file and say what was found; 1 if it is not right."""
    lines: dict[tuple[int, str, int], int] = {}
    try:
        found = read(load_text(file))
        lines = found.lines
        found.record.verify()
        verify_check(found)
    except RecordError as error:
        print(f"{file}{_where(error, lines)}: {error}")
        return 1
    record = found.record
    print(
        f"{file}: {record.rules.name or 'house rules'}, {len(record.deals)} deals, "
        f"{record.decisions} decisions: verified"
    )
    return 0


def _where(error: RecordError, lines: dict[tuple[int, str, int], int]) -> str:
    """The line, or in JSON the place, of an error."""
    if error.place is None:
        return ""
    deal, part, number = error.place
    if line := lines.get(error.place) or lines.get((deal, "levels", 0)):
        return f":{line}: deal {deal + 1}"
    return f": deals[{deal}].{part}[{number}]"

"""Files of records: read whole or refused, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from .files import write_whole
from .record import Record, RecordError
from .recordjson import Read, check_of, parse_json, record_json
from .recordtext import read_text, record_text

_MOST = 64 << 20  # bytes of a file


def read(text: str) -> Read:
    """Text or JSON; what it says of itself, its check, is left to the caller."""
    return parse_json(text) if text.lstrip()[:1] == "{" else read_text(text)


def checked(found: Read) -> Record:
    verify_check(found)
    return found.record


def verify_check(found: Read) -> None:
    """Raise RecordError where a check is given and is not that of the content."""
    if found.check is not None and found.check != check_of(found.record):
        raise RecordError(
            f"check: {found.check!r} stated; it is {check_of(found.record)}: the file was changed"
        )


def save(record: Record, path: str | Path) -> None:
    """Write a file whole, or not at all."""
    text = record_json(record) if Path(path).suffix == ".json" else record_text(record)
    write_whole(path, text.encode())


def load(path: str | Path) -> Record:
    """The record of a file. Raises OSError, or RecordError with the file's name."""
    try:
        return checked(read(load_text(path)))
    except RecordError as error:
        raise RecordError(f"{path}: {error}", error.place) from None


def load_text(path: str | Path) -> str:
    """The text of a file of a sensible size. Raises OSError or RecordError."""
    with Path(path).open("rb") as file:
        content = file.read(_MOST + 1)
    if len(content) > _MOST:
        raise RecordError(f"longer than {_MOST >> 20} MiB")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise RecordError(f"no UTF-8 text: {error}") from None

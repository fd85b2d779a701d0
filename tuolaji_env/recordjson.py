"""Records as plain values, their check, and the JSON form: the names of `Record` and its parts."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from pydantic import ValidationError

from .record import Record, RecordError
from .refusals import show

FORMAT, VERSION = "tuolaji-record", 1


class Read(NamedTuple):
    """A record as a file has it, with the line of each place (JSON: none), and its check."""

    record: Record
    lines: dict[tuple[int, str, int], int]
    check: str | None


def content_of(record: Record) -> dict[str, Any]:
    """All that a record says, in plain values."""
    content = record.model_dump(mode="json", exclude_defaults=True)
    content["digest"] = record.rules.digest
    return content


def check_of(record: Record) -> str:
    """16 hex digits that change with anything that a record says."""
    text = json.dumps(content_of(record), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def record_json(record: Record) -> str:
    """A record as JSON."""
    whole = {"format": FORMAT, "version": VERSION, **content_of(record), "check": check_of(record)}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def parse_json(text: str) -> Read:
    """The record of JSON text, its check not compared. Raises RecordError."""
    try:
        whole = json.loads(text, object_pairs_hook=_once)
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no JSON: {error}") from None
    if not isinstance(whole, dict):
        raise RecordError(f"{show(whole)} given; allowed: an object")
    head = whole.pop("format", None), whole.pop("version", None)
    if head != (FORMAT, VERSION):
        raise RecordError(f"format, version: {show(head)}; allowed: {FORMAT!r}, {VERSION}")
    check = whole.pop("check", None)
    return Read(record_of(whole), {}, None if check is None else str(check))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name in found if [key for key, _ in pairs].count(name) > 1)
        raise RecordError(f"{twice!r} is given twice")
    return found


def record_of(content: dict[str, Any]) -> Record:
    """The record of plain values; its rules must have the digest. Raises RecordError."""
    digest = content.pop("digest", None)
    try:
        record = Record.model_validate_json(json.dumps(content))
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"])) or "record"
        said = "" if problem["type"] == "missing" else f"{show(problem['input'])}; "
        raise RecordError(f"{place}: {said}{problem['msg']}") from None
    if digest != record.rules.digest:
        raise RecordError(
            f"digest: {show(digest)} stated; {record.rules.name or 'these rules'} have "
            f"{record.rules.digest}: other rules were played"
        )
    return record

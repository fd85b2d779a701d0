"""The pages made from the rules themselves: ``python docs/generate.py`` writes them anew.

`docs/presets.md`: all presets, a table and each in words.  `docs/options.md`: every field of
`Rules`.  Both are kept in git, and a test says when they are out of date.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from tuolaji_env.explain import preset_table, sections
from tuolaji_env.rules import Rules, clauses, load_rules, preset_names

HERE = Path(__file__).parent


def pages() -> dict[str, str]:
    """The pages by file name."""
    return {"presets.md": presets_page(), "options.md": options_page()}


def presets_page() -> str:
    """All presets."""
    parts = [
        "# The presets",
        "Regional games as data. A preset is a YAML file in `tuolaji_env/presets` that names the "
        "fields in which it differs from the defaults, which are `two_deck`; use it by name "
        "wherever rules are asked for, and under `preset:` in a file of your own. "
        "`python -m tuolaji_env.rules diff two_deck henan` says what differs between two.",
        preset_table(),
    ]
    for name in preset_names():
        parts.append(f"## `{name}`")
        for heading, sentences in sections(load_rules(name)):
            lines = "\n".join(f"- {sentence}" for sentence in sentences)
            parts.append(f"**{heading}**\n\n{lines}")
    return "\n\n".join(parts) + "\n"


def options_page() -> str:
    """Every field of `Rules`."""
    anchors = clause_anchors()
    lines = [
        "| field | clause | allowed | default | meaning |",
        "|---|---|---|---|---|",
    ]
    for name, field in Rules.model_fields.items():
        clause = clauses()[name]
        link = f"[{clause}](rules.md#{anchors[clause]})"
        lines.append(
            f"| `{name}` | {link} | {allowed(field)} | {default(name, field)} "
            f"| {field.description} |"
        )
    intro = (
        "Every rule is a field of `Rules`, with the clause of [the rules](rules.md) that says what "
        "it means. Values that contradict one another are refused with the field, the value and "
        "what is allowed. [Write house rules](tutorials/house_rules.md) shows how they are used."
    )
    return "\n\n".join(["# All options", intro, "\n".join(lines)]) + "\n"


def clause_anchors() -> dict[str, str]:
    """Where each clause of `docs/rules.md` is, as links say it."""
    text = (HERE / "rules.md").read_text("utf-8")
    found = {}
    for clause, title in re.findall(r"^#+ (R[\d.]+) (.*)$", text, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", f"{clause} {title}".lower()).replace(" ", "-")
        found[clause] = slug
    return found


def allowed(field: FieldInfo) -> str:
    """What a field may be, as words."""
    low, high = (
        next((getattr(m, name) for m in field.metadata if hasattr(m, name)), None)
        for name in ("ge", "le")
    )
    if low is not None:
        return f"{low} or more" if high is None else f"{low} to {high}"
    return ", ".join(dict.fromkeys(_kinds(field.annotation)))


def default(name: str, field: FieldInfo) -> str:
    """A field's default; that of a field which follows from others is said to be the usual one."""
    if field.default_factory is not None:
        return "the usual number"
    value: Any = getattr(Rules(), name)
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or value in ((), ""):
        return "none"
    if isinstance(value, tuple):
        return f"`{value[0]}..{value[-1]}`"
    return f"`{value}`"


_WORDS = {bool: "true, false", str: "text", int: "a number", types.NoneType: "none"}


def _kinds(kind: Any) -> Iterator[str]:
    """The alternatives of a type: words of literals, else what is meant."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _kinds(inner[0])
    elif origin is Literal:
        yield from (f"`{value}`" for value in inner)
    elif origin in (Union, types.UnionType):
        for each in inner:
            yield from _kinds(each)
    elif origin is tuple:
        ranks = get_origin(inner[0]) is not tuple and inner[-1] is Ellipsis
        yield "levels or ranks" if ranks else "numbers, as said there"
    else:
        yield _WORDS[kind]


if __name__ == "__main__":
    for file, text in pages().items():
        (HERE / file).write_text(text, encoding="utf-8")

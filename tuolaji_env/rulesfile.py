"""Presets and YAML files of rules: from a name, a path or a mapping to plain fields.

The fields are not judged here; ``rules.load_rules`` does that.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

from .refusals import RulesError, did_you_mean, show

_PRESETS = resources.files("tuolaji_env") / "presets"
_BOOL = "tag:yaml.org,2002:bool"


class _Loader(yaml.SafeLoader):
    """YAML in which only true and false are truth values, and no key may occur twice.

    ``off`` is a word here: several rules have it as a value.
    """

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: list[Any] = []
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                mark = key_node.start_mark
                raise yaml.constructor.ConstructorError(None, None, f"{key} is given twice", mark)
            seen.append(key)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [rule for rule in rules if rule[0] != _BOOL or first in "tTfF"]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def preset_names() -> tuple[str, ...]:
    """The names of all presets, in alphabetical order."""
    files = (file.name for file in _PRESETS.iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in files if name.endswith(".yaml")))


def is_path(source: object) -> bool:
    """Whether a source is a file: a Path, or a string that ends in .yaml or .yml or has a slash."""
    text = str(source) if isinstance(source, str | Path) else ""
    return isinstance(source, Path) or text.endswith((".yaml", ".yml")) or "/" in text


def read_fields(source: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """The fields that a source states, those of the presets it builds on included.

    A preset that is changed loses its name. Raises :class:`RulesError` for unknown presets, and
    for files that cannot be read as fields.
    """
    if isinstance(source, Mapping):
        own = dict(source)
    else:
        own = _read(Path(source) if is_path(source) else _preset(source))
    for key in own:
        if not isinstance(key, str):
            raise RulesError(f"{key!r}: no such rule; rules are named by words")
    if "preset" not in own:
        return own
    parent = read_fields(_preset_name(own.pop("preset")))
    return parent | {"name": ""} | own if own else parent


def _preset(name: Any) -> Traversable:
    return _PRESETS / f"{_preset_name(name)}.yaml"


def _preset_name(name: Any) -> str:
    names = preset_names()
    if name in names:
        return str(name)
    hint = did_you_mean(str(name), names) or f"; allowed: {', '.join(names)}"
    raise RulesError(f"preset: {show(name)}; no such preset{hint} (R11)")


def _read(file: Path | Traversable) -> dict[str, Any]:
    """The fields in a file; its ``name`` is the file's unless it gives one."""
    try:
        content = yaml.load(file.read_text(encoding="utf-8"), Loader=_Loader)
    except (OSError, UnicodeError) as error:
        raise RulesError(f"cannot be read: {error}") from None
    except yaml.YAMLError as error:
        raise RulesError(f"is not YAML: {error}") from None
    if not isinstance(content, dict | None):
        raise RulesError("holds no fields; write lines such as `kitty: 8`")
    return {"name": Path(file.name).stem} | (content or {})

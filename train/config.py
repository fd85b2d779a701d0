"""Settings of a training run: a frozen dataclass, a YAML file, and the command line over both.

Each algorithm declares its dataclass with `setting`, so that every field carries its help and its
range; unknown names and wrong values are refused with what is allowed.
"""

from __future__ import annotations

import argparse
import types
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, Field, asdict, field, fields
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, TypeVar, Union, get_args, get_origin
from typing import get_type_hints as type_hints

import yaml


class ConfigError(ValueError):
    """A setting that is not known, or a value that is not allowed; names both."""


class Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


C = TypeVar("C", bound=Dataclass)


def setting(default: Any, text: str, *, low: float | None = None, high: float | None = None) -> Any:
    """A dataclass field with its help text and the range of its numbers, ends included."""
    return field(default=default, metadata={"help": text, "low": low, "high": high})


def build(cls: type[C], values: Mapping[str, Any]) -> C:
    """The settings that `values` describe, each checked. Raises ConfigError."""
    known = {f.name: f for f in fields(cls)}
    kinds = type_hints(cls)
    checked = {}
    for name, value in values.items():
        if name not in known:
            raise ConfigError(f"{name}: no such setting; allowed: {', '.join(known)}")
        checked[name] = _within(known[name], _convert(name, value, kinds[name]))
    return cls(**checked)


def load(cls: type[C], path: str | Path | None, over: Mapping[str, Any] | None = None) -> C:
    """The settings of a YAML file (all defaults without one), with some set over."""
    values: dict[str, Any] = {}
    if path is not None:
        try:
            content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError) as error:
            raise ConfigError(f"{path}: cannot be read: {error}") from None
        if content is not None and not isinstance(content, dict):
            raise ConfigError(f"{path}: holds no settings; expected: lines of `name: value`")
        values.update(content or {})
    try:
        return build(cls, values | dict(over or {}))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}" if path is not None else str(error)) from None


def dump(config: Any) -> str:
    """Settings as YAML; `load` reads them back."""
    plain = {n: list(v) if isinstance(v, tuple) else v for n, v in asdict(config).items()}
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)


def help_text(cls: type[Dataclass]) -> str:
    """The settings with their defaults, one a line, for `--help`."""
    return "\n".join(
        f"  --{f.name} {'' if f.default is MISSING else f.default}\n        {f.metadata['help']}"
        for f in fields(cls)
    )


def parse_args(
    cls: type[Dataclass], about: str, argv: Sequence[str] | None = None, ray: bool = False
) -> tuple[argparse.Namespace, dict[str, Any]]:
    """`--config FILE`, `--run FOLDER`, `--resume FOLDER`, and any setting as `--name value`.

    Returns these three and the settings given, as text turned into YAML values.  ray: take `--ray
    ADDRESS` as well.
    """
    parser = argparse.ArgumentParser(
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"settings, each of which the command line may set:\n{help_text(cls)}",
        allow_abbrev=False,
    )
    parser.add_argument("--config", metavar="FILE", help="YAML file of settings")
    parser.add_argument("--run", metavar="FOLDER", help="where to write (default: runs/<config>)")
    parser.add_argument("--resume", metavar="FOLDER", help="go on with an interrupted run")
    if ray:
        parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster, or `local`")
    known, rest = parser.parse_known_args(argv)
    over: dict[str, Any] = {}
    words = [part for word in rest for part in (word.split("=", 1) if "=" in word else [word])]
    if len(words) % 2 or any(not word.startswith("--") for word in words[::2]):
        parser.error(f"settings are given as --name value; given: {' '.join(rest)}")
    for name, text in zip(words[::2], words[1::2], strict=True):
        over[name[2:].replace("-", "_")] = yaml.safe_load(text)
    return known, over


def _convert(name: str, value: Any, kind: Any) -> Any:
    """A YAML value as the type that a field declares."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in inner:
            return None
        (kind,) = [k for k in inner if k is not type(None)]
        return _convert(name, value, kind)
    if origin is Literal:
        if value not in inner:
            raise ConfigError(f"{name}: {value!r} given; allowed: {', '.join(map(str, inner))}")
        return value
    if origin is tuple:
        if isinstance(value, str):
            value = [yaml.safe_load(part) for part in value.split(",")]
        items = value if isinstance(value, list | tuple) else [value]
        return tuple(_convert(name, item, inner[0]) for item in items)
    if (
        kind in (int, float)
        and isinstance(value, str | int | float)
        and not isinstance(value, bool)
    ):
        with suppress(ValueError):  # YAML 1.1 reads 1e-3 and 2e6 as text
            number = float(value)
            value = int(number) if kind is int and number.is_integer() else number
    if type(value) is not kind:
        words = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
        raise ConfigError(f"{name}: {value!r} given; allowed: {words[kind]}")
    return value


def _within(f: Field[Any], value: Any) -> Any:
    low, high = f.metadata.get("low"), f.metadata.get("high")
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, int | float) and (
            (low is not None and not number >= low) or (high is not None and not number <= high)
        ):
            ends = f"{low} or more" if high is None else f"{low} to {high}"
            raise ConfigError(f"{f.name}: {number} given; allowed: {ends}")
    return value

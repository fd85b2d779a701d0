"""Checkpoints: one file of weights and what they mean, written whole and checked when read.

A checkpoint is a zip of `weights.pt` (a torch state dict, read with `weights_only=True`) and
`meta.json` (`Meta`).  Nothing in it is pickled code.
"""

from __future__ import annotations

import io
import json
import subprocess
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, get_args

import torch
from torch import Tensor

import tuolaji_env
from tuolaji_env.observe import Layout, LayoutKind
from tuolaji_env.rules import Rules

from .files import write_whole

FORMAT = 1
_META, _WEIGHTS = "meta.json", "weights.pt"


class CheckpointError(ValueError):
    """A file that is no checkpoint, is damaged, or does not belong to what is asked of it."""


@dataclass(frozen=True)
class Meta:
    """What a checkpoint says about its weights.

    network: `kind` and the arguments that build it (`agents.networks`); layout: `kind`,
    `canonical`, `advice`, `digest`, `size` of the observation rows; rules: `name` and `digest` of
    each rule set trained on; steps: decisions learned from; git: revision of the source, None if
    unknown;
    extra: what else the algorithm wants to remember, as JSON.
    """

    network: dict[str, Any]
    layout: dict[str, Any]
    rules: list[dict[str, str]]
    algorithm: str = ""
    steps: int = 0
    seed: int | None = None
    env_version: str = tuolaji_env.__version__
    git: str | None = None
    format: int = FORMAT
    extra: dict[str, Any] = field(default_factory=dict)


def describe(
    network: Mapping[str, Any],
    layout: Layout,
    rules: Iterable[Rules],
    **others: Any,
) -> Meta:
    """The meta of a network (as its `spec` gives it) for a layout and rule sets."""
    seen = {
        "kind": layout.kind,
        "canonical": layout.canonical,
        "advice": layout.advice,
        "digest": layout.digest,
        "size": layout.size,
    }
    sets = [{"name": r.name, "digest": r.digest} for r in rules]
    return Meta(dict(network), seen, sets, git=git_revision(), **others)


def git_revision() -> str | None:
    """The revision of the source tree, with `-dirty` if it was changed; None if unknown."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


def save(path: str | Path, weights: Mapping[str, Tensor], meta: Meta) -> None:
    """Write a checkpoint: whole, or not at all."""
    packed, whole = io.BytesIO(), io.BytesIO()
    torch.save({name: tensor.detach().cpu() for name, tensor in weights.items()}, packed)
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr(_META, json.dumps(asdict(meta), indent=2, ensure_ascii=False))
        archive.writestr(_WEIGHTS, packed.getvalue())
    write_whole(path, whole.getvalue())


def read_meta(path: str | Path) -> Meta:
    """What a checkpoint says about itself. Raises CheckpointError."""
    return _read(Path(path))[0]


def load(
    path: str | Path, rules: Rules | None = None, allow_other_rules: bool = False
) -> tuple[dict[str, Tensor], Meta]:
    """Weights and meta of a checkpoint.

    With `rules`, it must have been trained on them (unless `allow_other_rules`) and must read
    the rows of observation that they give.  Raises CheckpointError.
    """
    path = Path(path)
    meta, packed = _read(path)
    if rules is not None:
        check_fit(path, meta, rules, allow_other_rules)
    try:
        weights = torch.load(io.BytesIO(packed), map_location="cpu", weights_only=True)
    except Exception as error:
        raise CheckpointError(f"{path}: {_WEIGHTS} cannot be read: {error}") from None
    if not isinstance(weights, dict) or not all(isinstance(w, Tensor) for w in weights.values()):
        raise CheckpointError(f"{path}: {_WEIGHTS} holds no state dict of tensors")
    return weights, meta


def layout_of(meta: Meta, rules: Rules) -> Layout:
    """The layout of a checkpoint's observation rows, for a rule set."""
    seen = meta.layout
    return Layout(rules, seen["kind"], bool(seen["canonical"]), seen.get("advice", ""))


def check_fit(path: Path, meta: Meta, rules: Rules, allow_other_rules: bool) -> None:
    """Refuse a checkpoint that reads other observations, or that learned other rules."""
    known = {entry["digest"]: entry["name"] for entry in meta.rules}
    if rules.digest not in known and not allow_other_rules:
        wanted = ", ".join(f"{name or 'unnamed'} ({digest})" for digest, name in known.items())
        raise CheckpointError(
            f"{path}: rules: {rules.name or 'unnamed'} ({rules.digest}) asked for; "
            f"trained on: {wanted}; to use it all the same: allow_other_rules"
        )
    layout = layout_of(meta, rules)
    if layout.digest != meta.layout["digest"]:
        raise CheckpointError(
            f"{path}: layout digest: {meta.layout['digest']} given (kind {layout.kind}, "
            f"{meta.layout['size']} numbers); allowed: {layout.digest} ({layout.size} numbers), "
            f"the rows of {rules.name or 'these rules'}"
        )


def _read(path: Path) -> tuple[Meta, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if not {_META, _WEIGHTS} <= names:
                raise CheckpointError(
                    f"{path}: is no checkpoint: holds {sorted(names)}; "
                    f"expected: {_META}, {_WEIGHTS}"
                )
            text, packed = archive.read(_META), archive.read(_WEIGHTS)
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise CheckpointError(f"{path}: is no checkpoint, or is damaged: {error}") from None
    try:
        content = json.loads(text)
    except ValueError as error:
        raise CheckpointError(f"{path}: {_META} is no JSON: {error}") from None
    return _check_meta(path, content), packed


def _check_meta(path: Path, content: Any) -> Meta:
    given = content.get("format") if isinstance(content, dict) else None
    if given != FORMAT:
        raise CheckpointError(f"{path}: format: {given!r} given; allowed: {FORMAT}")
    names = [f.name for f in fields(Meta)]
    for name in content:
        if name not in names:
            raise CheckpointError(f"{path}: {name}: no such field; allowed: {', '.join(names)}")
    for name, inner in (("network", {"kind"}), ("layout", {"kind", "canonical", "digest", "size"})):
        value = content.get(name)
        if not isinstance(value, dict) or not inner <= set(value):
            expected = ", ".join(sorted(inner))
            raise CheckpointError(f"{path}: {name}: {value!r} given; expected: {expected}")
    kind = content["layout"]["kind"]
    if kind not in get_args(LayoutKind):
        raise CheckpointError(f"{path}: layout kind: {kind!r} given; allowed: rules, universal")
    rules = content.get("rules")
    if not isinstance(rules, list) or not all(
        isinstance(r, dict) and {"name", "digest"} <= set(r) for r in rules
    ):
        raise CheckpointError(f"{path}: rules: {rules!r}; expected: a list of name and digest")
    return Meta(**content)

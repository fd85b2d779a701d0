"""The checkpoints that come with the repository, and which of them is `best` for a rule set.

Each lies in a folder of `agents/checkpoints` with the settings and the report of its run.
`best.yaml` there names, for a preset, the folder of the strongest; `other` is for all rule sets
that it does not name.
"""

from __future__ import annotations

from pathlib import Path

import yaml

from tuolaji_env.rules import Rules

FOLDER = Path(__file__).resolve().parent / "checkpoints"
OTHER = "other"


def best(rules: Rules, folder: Path = FOLDER) -> Path:
    """The strongest published checkpoint for a rule set. Raises ValueError if there is none."""
    index = folder / "best.yaml"
    names: dict[str, str] = yaml.safe_load(index.read_text(encoding="utf-8")) or {}
    name = names.get(rules.name) or names.get(OTHER)
    if name is None:
        allowed = ", ".join(names) or "none"
        raise ValueError(
            f"agent: best: no checkpoint is published for {rules.name or 'these rules'}; "
            f"allowed: {allowed}"
        )
    return folder / name / "model.zip"

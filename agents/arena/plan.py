"""The plan of a round robin: who plays whom, on which deals, and when a pairing is settled.

A pairing is looked at after fixed numbers of deals only: `first`, twice as many, and so on to
`most`.  It is settled at the first look at which the standard error of its levels per deal is at
most `precision`, or (with `clear`) its interval is clear of zero.  The intervals are wide enough to
hold at all of its looks together, so that looking more than once claims no more than one look.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml
from scipy.stats import t as student

from tuolaji_env.rules import load_rules

from .stats import Estimate

#: Parts of a plan that may differ when played results are gone on with.
OPEN = ("agents", "presets", "bootstrap")


@dataclass(frozen=True)
class Entrant:
    """An agent that takes part: what it is called, its spec (`agents.registry`), and its limits.

    presets: those of the plan's that it plays (none named: all); first, most, matches: for its
    pairings, where lower than the plan's.
    """

    name: str
    spec: str
    presets: tuple[str, ...] = ()
    first: int | None = None
    most: int | None = None
    matches: int | None = None


@dataclass(frozen=True)
class Pairing:
    """Two entrants at one table: at most `most` deals, and `matches` whole matches."""

    preset: str
    a: Entrant
    b: Entrant
    looks: tuple[int, ...]
    matches: int

    @property
    def key(self) -> tuple[str, str, str]:
        """Preset and names: what results are filed under."""
        return self.preset, self.a.name, self.b.name

    def width(self, deals: int) -> float:
        """Standard errors on either side of an interval that holds at all looks with 95 %.

        By Bonferroni's inequality, from Student's distribution.
        """
        return float(student.ppf(1 - 0.025 / len(self.looks), max(deals - 1, 1)))


@dataclass(frozen=True)
class Plan:
    """See the module; audit: moments of each agent, at each table, that are checked by hidden
    twins and timed; bootstrap: samples for the intervals of ratings; other_rules: take checkpoints
    that were trained on other rules.
    """

    agents: tuple[Entrant, ...]
    presets: tuple[str, ...] = ("two_deck",)
    seed: int = 0
    first: int = 64
    most: int = 1024
    precision: float = 0.05
    clear: bool = True
    matches: int = 0
    audit: int = 200
    bootstrap: int = 1000
    other_rules: bool = False

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise ValueError(f"agents: {len(self.agents)} given; allowed: 2 or more")
        for name in ("agents", "presets"):
            names = [getattr(each, "name", each) for each in getattr(self, name)]
            if len(set(names)) != len(names):
                raise ValueError(f"{name}: given twice; allowed: each once; got {', '.join(names)}")
        for name, least in (("first", 2), ("most", 2), ("audit", 1), ("bootstrap", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}: {getattr(self, name)} given; allowed: {least} or more")
        if self.matches < 0 or self.precision < 0 or self.seed < 0:
            raise ValueError("matches, precision, seed: allowed: 0 or more")
        for entrant in self.agents:
            for name, least in (("first", 2), ("most", 2), ("matches", 0)):
                given = getattr(entrant, name)
                if given is not None and given < least:
                    raise ValueError(
                        f"{entrant.name}: {name}: {given} given; allowed: {least} or more"
                    )
            for preset in entrant.presets:
                if preset not in self.presets:
                    allowed = ", ".join(self.presets)
                    raise ValueError(f"{entrant.name}: presets: {preset!r}; allowed: {allowed}")

    def pairings(self) -> list[Pairing]:
        """All pairings, table by table; A is the one who is named later in the plan."""
        return [
            self._pairing(preset, a, b)
            for preset in self.presets
            for b, a in combinations(self.entrants(preset), 2)
        ]

    def entrants(self, preset: str) -> list[Entrant]:
        """Those who play a preset."""
        return [e for e in self.agents if not e.presets or preset in e.presets]

    def rules_digests(self) -> dict[str, str]:
        """The digest of each table's rules; ValueError for rules that there are not."""
        return {preset: load_rules(preset).digest for preset in self.presets}

    def to_json(self) -> dict[str, Any]:
        """As plain values, from which `plan_of` makes the same plan."""
        plan = asdict(self)
        plan["presets"] = list(self.presets)
        plan["agents"] = {e.name: _limits(e) for e in self.agents}
        return plan

    def _pairing(self, preset: str, a: Entrant, b: Entrant) -> Pairing:
        first, most, matches = (
            min(limit for each in (self, a, b) if (limit := getattr(each, name)) is not None)
            for name in ("first", "most", "matches")
        )
        looks, at = [], min(first, most)
        while at < most:
            looks.append(at)
            at *= 2
        return Pairing(preset, a, b, (*looks, most), matches)


def settled(plan: Plan, pairing: Pairing, deals: int, levels: Estimate) -> str:
    """Why a pairing needs no more deals: `precise`, `clear`, `most`; or nothing if it does."""
    if deals in pairing.looks:
        if levels.se <= plan.precision:
            return "precise"
        if plan.clear and abs(levels.mean) > pairing.width(deals) * levels.se:
            return "clear"
    return "most" if deals >= pairing.looks[-1] else ""


def plan_of(content: Mapping[str, Any]) -> Plan:
    """A plan from plain values. Raises ValueError, naming the field and what is allowed.

    agents: a list of specs, or a mapping of names to specs or to the fields of `Entrant`.
    """
    options = dict(content)
    known = [f.name for f in fields(Plan)]
    for name in options:
        if name not in known:
            raise ValueError(f"{name}: no such option; allowed: {', '.join(known)}")
    agents = options.pop("agents", {})
    if isinstance(agents, list):
        agents = {spec: spec for spec in agents}
    if not isinstance(agents, dict):
        raise ValueError(f"agents: {agents!r} given; allowed: a list of specs, or names to specs")
    plain = Plan((Entrant("a", "a"), Entrant("b", "b")))
    for name, value in options.items():
        options[name] = _like(name, value, getattr(plain, name))
    return replace(plain, **options, agents=tuple(_entrant(n, v) for n, v in agents.items()))


def read_plan(path: str | Path) -> dict[str, Any]:
    """The options that a YAML file states; ValueError if it cannot be read."""
    try:
        content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: {error}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path}: holds no options")
    return content


def _limits(entrant: Entrant) -> dict[str, Any]:
    given = {name: value for name, value in asdict(entrant).items() if value not in (None, ())}
    del given["name"]
    if "presets" in given:
        given["presets"] = list(given["presets"])
    return given


def _entrant(name: Any, value: Any) -> Entrant:
    if isinstance(value, str):
        value = {"spec": value}
    known = [f.name for f in fields(Entrant)][1:]
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("spec"), str)
        or set(value) - {*known}
    ):
        raise ValueError(f"agents: {name}: {value!r} given; allowed: a spec, or {', '.join(known)}")
    limits = {
        n: v if n == "spec" else _like(n, v, () if n == "presets" else 1) for n, v in value.items()
    }
    return Entrant(str(name), **limits)


def _like(name: str, value: Any, default: Any) -> Any:
    """A value of the same kind as a default; ValueError otherwise."""
    if isinstance(default, tuple):
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return tuple(value)
        raise ValueError(f"{name}: {value!r} given; allowed: a list of names")
    if isinstance(default, bool) == isinstance(value, bool):
        if isinstance(default, float) and isinstance(value, int | float):
            return float(value)
        if isinstance(value, type(default)):
            return value
    raise ValueError(f"{name}: {value!r} given; allowed: a {type(default).__name__}")

"""What a round robin has played so far: one Parquet file, written whole after every step.

One row for each play.  The plan, the tables' rules, the audits and the time spent are in the same
file's metadata, so that the two cannot come apart.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..files import write_whole
from .duplicate import Plays
from .plan import OPEN, Pairing, Plan, plan_of
from .versions import versions

FORMAT = 1
FILE = "plays.parquet"

#: A play: who met at which table; kind `deal` or `match`; its number there, of all that the seed
#: fixes; the seed that fixes it; seats, such as ABAB from seat 0 on; levels and points from
#: A's side (not for matches); won 1, 0 or -1 for A; deals of the match.
SCHEMA = pa.schema(
    [
        ("preset", pa.string()),
        ("a", pa.string()),
        ("b", pa.string()),
        ("kind", pa.string()),
        ("number", pa.int32()),
        ("seed", pa.int64()),
        ("seats", pa.string()),
        ("levels", pa.float64()),
        ("points", pa.float64()),
        ("won", pa.int8()),
        ("deals", pa.int16()),
    ]
)

_META = b"tuolaji_arena"


@dataclass
class Results:
    """Rows, and beside them: audits and time spent, by table and agent.

    audits: see `audit.py`; seconds: [seconds in `act`, decisions] in play.
    """

    plan: Plan
    audits: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    rows: pa.Table = field(default_factory=SCHEMA.empty_table)

    def units(self, pairing: Pairing, kind: str = "deal") -> Units:
        """What a pairing has come to so far."""
        part = self.of(pairing, kind)
        levels, points = part["levels"].to_numpy(), part["points"].to_numpy()
        number, won, deals = (
            part[name].to_numpy().astype(np.int64) for name in ("number", "won", "deals")
        )
        return Units(number, won, deals, levels, points)

    def of(self, pairing: Pairing, kind: str = "deal") -> pa.Table:
        """The rows of a pairing."""
        names = ("preset", "a", "b")
        wanted = [*zip(names, pairing.key, strict=True), ("kind", kind)]
        keep = np.ones(len(self.rows), np.bool_)
        for name, value in wanted:
            keep &= np.array(pc.equal(self.rows[name], value))
        return self.rows.filter(pa.array(keep))

    def add(self, pairing: Pairing, kind: str, first: int, plays: Plays) -> None:
        """Note plays of a pairing, whose numbers begin at `first`."""
        count = len(plays.won)
        ways = len(np.unique(plays.seating, axis=0)) if kind == "deal" else 1
        unknown = [None] * count
        columns = {
            "preset": [pairing.preset] * count,
            "a": [pairing.a.name] * count,
            "b": [pairing.b.name] * count,
            "kind": [kind] * count,
            "number": first + np.arange(count) // ways,
            "seed": plays.seeds,
            "seats": ["".join("AB"[x] for x in row) for row in plays.seating],
            "levels": plays.levels if kind == "deal" else unknown,
            "points": plays.points if kind == "deal" else unknown,
            "won": plays.won,
            "deals": plays.deals,
        }
        self.rows = pa.concat_tables([self.rows, pa.table(columns, schema=SCHEMA)])
        of_table = self.seconds.setdefault(pairing.preset, {})
        for i, agent in enumerate((pairing.a.name, pairing.b.name)):
            spent = of_table.setdefault(agent, [0.0, 0])
            spent[0] += float(plays.seconds[i])
            spent[1] += int(plays.decisions[i])

    def save(self, path: str | Path) -> None:
        """Write the file, whole or not at all; rows in the order of the plan's pairings."""
        state = {
            "format": FORMAT,
            "plan": self.plan.to_json(),
            "rules": self.plan.rules_digests(),
            "versions": versions(),
            "audits": self.audits,
            "seconds": self.seconds,
        }
        rows = self.rows.sort_by([(name, "ascending") for name in ("preset", "a", "b", "kind")])
        rows = rows.replace_schema_metadata({_META: json.dumps(state, ensure_ascii=False)})
        buffer = BytesIO()
        pq.write_table(rows, buffer, compression="zstd")
        write_whole(path, buffer.getvalue())


@dataclass(frozen=True)
class Units:
    """Plays of a pairing, in order. number, won, deals, levels, points: [M]; see `SCHEMA`."""

    number: NDArray[np.int64]
    won: NDArray[np.int64]
    deals: NDArray[np.int64]
    levels: NDArray[np.float64]
    points: NDArray[np.float64]

    @property
    def count(self) -> int:
        """Deals or matches."""
        return int(self.number[-1]) + 1 if len(self.number) else 0

    @property
    def boards(self) -> NDArray[np.int64]:
        """Who has more levels of each deal: 1, 0 or -1 for A. [count]."""
        # a mean of thirds and fifths is zero but for the rounding
        return np.sign(np.round(self.by_deal(self.levels), 6)).astype(np.int64)

    def by_deal(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Means over the plays of each deal. values: [M]; returns [count] float64."""
        return values.reshape(self.count, -1).mean(axis=1) if self.count else np.zeros(0)


def load(path: str | Path) -> Results:
    """Read results. Raises ValueError, with the reason, for a file that holds none."""
    try:
        rows = pq.read_table(path)
        state = json.loads((rows.schema.metadata or {})[_META])
        if state["format"] != FORMAT:
            raise ValueError(f"format {state['format']} of {FORMAT}")
        rows = rows.replace_schema_metadata(None).cast(SCHEMA)
        return Results(plan_of(state["plan"]), state["audits"], state["seconds"], rows)
    except (OSError, KeyError, TypeError, ValueError, pa.ArrowException) as error:
        raise ValueError(f"{path}: holds no results of a round robin: {error}") from None


def go_on(path: str | Path, plan: Plan) -> Results:
    """Results so far, to go on with under a plan; none where there is no file.

    The plan may have more or fewer agents and tables, all else must be as it was.
    """
    if not Path(path).exists():
        return Results(plan)
    old = load(path)
    before, now = old.plan.to_json(), plan.to_json()
    differ = [name for name in now if name not in OPEN and now[name] != before[name]]
    differ += [
        f"agents: {name}"
        for name, entrant in now["agents"].items()
        if before["agents"].get(name, entrant) != entrant
    ]
    state = json.loads(pq.read_schema(path).metadata[_META])
    digests = plan.rules_digests()
    common = [name for name in before["agents"] if name in now["agents"]]
    if common != [name for name in now["agents"] if name in common]:
        differ.append("order of agents")
    differ += [
        f"rules of {preset}"
        for preset, digest in digests.items()
        if state["rules"].get(preset, digest) != digest
    ]
    if state["versions"]["tuolaji_env"] != versions()["tuolaji_env"]:
        differ.append("version of tuolaji_env")
    if differ:
        raise ValueError(f"{path}: cannot be gone on with; other than before: {', '.join(differ)}")
    return Results(plan, old.audits, old.seconds, old.rows)

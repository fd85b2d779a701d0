"""A round robin's summary as Markdown: the report, and the table of the README."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .summary import seen_from

_NONE = "–"


def markdown(summary: dict[str, Any]) -> str:
    """The whole report."""
    plan = summary["plan"]
    parts = ["# Round robin", introduction(plan)]
    for title, rows in sections(summary):
        parts.append(f"## {title}")
        parts.append(table_text(rows))
    return "\n\n".join(parts) + "\n"


def sections(summary: dict[str, Any]) -> list[tuple[str, list[list[str]]]]:
    """The tables of the report, each with its title; the first row is the head."""
    presets = summary["plan"]["presets"]
    out = [("Ratings", rating_rows(summary))]
    if len(presets) > 1:
        out.append(("Levels per deal, all presets alike", cross_rows(summary, summary["overall"])))
    for preset in presets:
        pairs = [pair for pair in summary["pairs"] if pair["preset"] == preset]
        out.append((f"Levels per deal, {preset}", cross_rows(summary, pairs)))
    out.append(("Pairings", pair_rows(summary)))
    if any(pair["matches"] for pair in summary["pairs"]):
        out.append(("Whole matches", match_rows(summary)))
    out.append(("Decisions and audit", agent_rows(summary)))
    return out


def leaderboard(summary: dict[str, Any]) -> str:
    """The table of the README: best first, each against every one below it."""
    order = summary["order"]
    ratings = {each["agent"]: each for each in summary["ratings"]["deals"]}
    head = ["", "agent", "rating", *(f"against `{name}`" for name in order[1:]), "a decision"]
    rows = [head]
    for i, name in enumerate(order):
        cells = [_mean(seen_from(summary["overall"], name, other)) for other in order[1:]]
        cells = [cell if j >= i else "" for j, cell in enumerate(cells)]
        rows.append(
            [str(i + 1), f"`{name}`", _rating(ratings.get(name)), *cells, _time(summary, name)]
        )
    return table_text(rows)


def rating_rows(summary: dict[str, Any]) -> list[list[str]]:
    """Each agent's rating over deals and over matches."""
    over = {
        kind: {r["agent"]: r for r in summary["ratings"][kind]} for kind in ("deals", "matches")
    }
    kinds = [kind for kind in ("deals", "matches") if over[kind]]
    head = ["agent"]
    for kind in kinds:
        head += [f"rating over {kind}", "95 %", kind]
    rows = [head]
    for name in summary["order"]:
        row = [name]
        for kind in kinds:
            value = over[kind].get(name)
            games = f"{value['games']:,}" if value else _NONE
            row += [_rating(value), _interval(value, 0), games]
        rows.append(row)
    return rows


def cross_rows(summary: dict[str, Any], pairs: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Levels per deal of the agent of the row against that of the column, ± half the interval."""
    met = [n for n in summary["order"] if any(n in (pair["a"], pair["b"]) for pair in pairs)]
    rows = [["", *met]]
    for us in met:
        rows.append(
            [us, *("" if us == them else _half(seen_from(pairs, us, them)) for them in met)]
        )
    return rows


def pair_rows(summary: dict[str, Any]) -> list[list[str]]:
    """Each pairing in full."""
    head = [
        "preset",
        "a",
        "b",
        "deals",
        "levels a deal",
        "95 %",
        "points a deal",
        "boards + = −",
        "settled",
    ]
    rows = [head]
    for pair in summary["pairs"]:
        levels, points = pair["levels_per_deal"], pair["points_per_deal"]
        rows.append(
            [
                pair["preset"],
                pair["a"],
                pair["b"],
                f"{pair['deals']:,}",
                _mean(levels),
                _interval(levels, 2),
                _mean(points, 1),
                " ".join(str(count) for count in pair["boards"]),
                pair["settled"] or "unfinished",
            ]
        )
    return rows


def match_rows(summary: dict[str, Any]) -> list[list[str]]:
    """Whole matches of each pairing."""
    rows = [["preset", "a", "b", "matches", "won by a", "95 %", "deals a match"]]
    for pair in summary["pairs"]:
        matches = pair["matches"]
        if matches:
            low, high = matches["win_rate"]["interval95"]
            rows.append(
                [
                    pair["preset"],
                    pair["a"],
                    pair["b"],
                    f"{matches['matches']:,}",
                    f"{matches['win_rate']['value']:.1%}",
                    f"{low:.1%} to {high:.1%}",
                    f"{matches['deals_per_match']:.1f}",
                ]
            )
    return rows


def agent_rows(summary: dict[str, Any]) -> list[list[str]]:
    """Time for a decision, one game at a time and in play, and what the audit found."""
    rows = [["preset", "agent", "median", "95th percentile", "in play", "twins", "audit"]]
    for each in summary["agents"]:
        audit = each["audit"]
        if audit is None:
            continue
        rows.append(
            [
                each["preset"],
                each["agent"],
                duration(audit["median_us"]),
                duration(audit["p95_us"]),
                duration(each["in_play_us"]),
                f"{audit['twins']:,}",
                verdict(audit),
            ]
        )
    return rows


def verdict(audit: dict[str, Any]) -> str:
    """What an audit has found, in words."""
    if audit["seen"]:
        return f"sees hidden cards ({audit['seen']} times)"
    if audit["shaky"]:
        return f"not repeatable ({audit['shaky']} of {audit['moments']})"
    return "blind to hidden cards"


def duration(us: float | None) -> str:
    """Microseconds as text of three figures."""
    if us is None:
        return _NONE
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if us >= size:
            return f"{us / size:.3g} {unit}"
    return f"{us:.3g} µs"


def introduction(plan: dict[str, Any]) -> str:
    """Who plays, on what, and how the figures are to be read."""
    agents = ", ".join(_entrant(name, entrant) for name, entrant in plan["agents"].items())
    settle = f"its standard error is at most {plan['precision']:g} levels"
    if plan["clear"]:
        settle += ", or its interval is clear of zero"
    return (
        f"{agents}. Duplicate deals of seed {plan['seed']}; looks after {plan['first']} deals, "
        f"twice as many, and so on to {plan['most']}; a pairing is settled when {settle}. Figures "
        "are from the first agent's side; intervals are of 95 % and hold at all looks of a pairing "
        "together. ± is a standard error in means and half an interval in cross tables. Ratings: "
        "400 points are odds of ten to one; the first agent of the plan has 0."
    )


def _entrant(name: str, entrant: dict[str, Any]) -> str:
    """An agent's name, with its spec if that is another, and its own limits."""
    said = [] if entrant["spec"] == name else [f"`{entrant['spec']}`"]
    said += [
        f"{limit} {entrant[limit]}" for limit in ("first", "most", "matches") if limit in entrant
    ]
    return f"{name} ({'; '.join(said)})" if said else name


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """Rows as a Markdown table; the first is the head."""
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _time(summary: dict[str, Any], name: str) -> str:
    audits = [
        each["audit"] for each in summary["agents"] if each["agent"] == name and each["audit"]
    ]
    return duration(float(np.median([a["median_us"] for a in audits]))) if audits else _NONE


def _rating(value: dict[str, Any] | None) -> str:
    return _NONE if value is None else f"{value['rating']:+.0f}"


def _mean(value: dict[str, Any] | None, digits: int = 2) -> str:
    if value is None or value["se"] is None:
        return _NONE
    return f"{value['mean']:+.{digits}f} ± {value['se']:.{digits}f}"


def _half(value: dict[str, Any] | None) -> str:
    if value is None or value["se"] is None:
        return _NONE
    low, high = value["interval95"]
    return f"{value['mean']:+.2f} ± {(high - low) / 2:.2f}"


def _interval(value: dict[str, Any] | None, digits: int) -> str:
    if value is None or value["interval95"] is None:
        return _NONE
    low, high = value["interval95"]
    if low == high == 0:  # the rating that all others are measured from
        return _NONE
    return f"{low:+.{digits}f} to {high:+.{digits}f}"

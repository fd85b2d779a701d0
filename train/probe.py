"""What an agent makes of its decisions: ``python -m train.probe ckpt:runs/NAME/model.zip``.

At some decisions of deals that it plays, every allowed action is tried in the same worlds, hidden
hands sampled as its seat may think of them (`View.worlds`), and played out by a built-in player.
What the actions differ by has a mean over the worlds, which a seat can know (``between``: its
squares), and the rest, which for learning is noise (``within``: its variances); both are sums over
the actions.  The action that is best by the mean over half of the worlds, valued in the other half,
shows what there was to gain over the built-in player's own choice (``possible``); the agent's
choice in all of them what it gains.

Values are those of `train.vine`: half levels and half points, 20 a deck as a level.  Only the first
card of a decision is looked at, and only decisions with a choice.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import MofNCompleteColumn
from rich.table import Table

from agents.arena.bar import progress_bar
from agents.base import Agent
from agents.registry import make_agent
from tuolaji_env.core.record import BID, BURY, CALL, FOLLOW, GAME, LEAD, records
from tuolaji_env.games import NUM_ACTIONS, GameBatch, is_over
from tuolaji_env.policies import policy_id
from tuolaji_env.policies.vine import vine_values
from tuolaji_env.rules import Rules, load_rules
from tuolaji_env.view import View

KINDS = {BID: "bid", BURY: "bury", CALL: "call", LEAD: "lead", FOLLOW: "follow"}
_GAMES = 64


class Found(NamedTuple):
    """Of one decision, in the units of values."""

    kind: str
    between: float
    within: float
    possible: float
    gain: float
    differs: bool  # the agent's choice from the built-in player's


def judged(
    game: GameBatch, seat: int, advised: int, chosen: int, policy: int, worlds: int, seed: int
) -> Found:
    """One decision of a batch of one game. advised, chosen: actions; worlds: an even number."""
    rules, record = game.rules, game.records[0]
    sampled = View(game, 0, seat).worlds(worlds, seed).records
    tried = np.full(worlds, record["mask"], np.int64)
    values = np.empty((worlds, NUM_ACTIONS), np.float32)
    weights = 0.5, 0.5, float(rules.takeover)
    vine_values(game.table, sampled, tried, records(1, GAME), policy, *weights, values)
    (actions,) = np.nonzero(~np.isnan(values[0]))
    worth = values[:, actions].astype(np.float64)
    apart = worth - worth.mean(1, keepdims=True)
    noise = apart.var(0, ddof=1).sum()
    more = worth - values[:, [advised]]
    halves = more[::2], more[1::2]
    possible = [b[:, a.mean(0).argmax()].mean() for a, b in (halves, halves[::-1])]
    return Found(
        KINDS[int(record["phase"])],
        between=float(np.square(apart.mean(0)).sum() - noise / worlds),
        within=float(noise),
        possible=float(np.mean(possible)),
        gain=float((values[:, chosen] - values[:, advised]).mean()),
        differs=chosen != advised,
    )


def probe(
    agent: Agent,
    rules: Rules,
    policy: str = "heuristic",
    decisions: int = 2000,
    worlds: int = 32,
    seed: int = 0,
    share: float = 0.02,
    quiet: bool = False,
) -> list[Found]:
    """Judge at least so many decisions of an agent that plays all seats, to the end of the deals.

    policy: the built-in player; share: of its decisions that are judged.
    """
    games, rng = GameBatch(rules, _GAMES), np.random.default_rng(seed)
    number, builtin = policy_id(policy), make_agent(policy, rules)
    found: list[Found] = []
    agent.reset(seed)
    with progress_bar(MofNCompleteColumn(), quiet) as bar:
        task = bar.add_task("decisions", total=decisions)
        while len(found) < decisions:
            games.begin(rng.integers(0, 2**60, _GAMES), skip_forced=True)
            live = games.everybody
            while len(live):
                chosen = agent.act(games, live)
                drawn = (rng.random(len(live)) < share) & (games.records["picked"][live] == 0)
                for i in np.flatnonzero(drawn):
                    one = GameBatch.over(rules, games.table, games.records[live[i : i + 1]])
                    (advised,) = builtin.act(one, one.everybody).tolist()
                    seat = int(one.records["seat"][0])
                    key = int(rng.integers(2**60))
                    found.append(judged(one, seat, advised, int(chosen[i]), number, worlds, key))
                    bar.advance(task)
                games.step(chosen, live, skip_forced=True)
                live = live[~is_over(games.records[live])]
    return found


def summary(found: list[Found]) -> list[dict[str, Any]]:
    """By kind of decision and in all: means, and standard errors of what is gained."""
    out = []
    for kind in (*KINDS.values(), "all"):
        some = [f for f in found if kind in (f.kind, "all")]
        if len(some) > 1:
            numbers: NDArray[np.float64] = np.array([f[1:] for f in some], np.float64)
            mean, se = numbers.mean(0), numbers.std(0, ddof=1) / len(some) ** 0.5
            fields = dict(zip(Found._fields[1:], mean.tolist(), strict=True))
            errors = {"possible_se": float(se[2]), "gain_se": float(se[3])}
            out.append({"kind": kind, "decisions": len(some), **fields, **errors})
    return out


def table(rows: list[dict[str, Any]]) -> Table:
    """The summary as a table; gains in thousandths a decision."""
    out = Table("decision", "judged", "between", "within", "possible", "gain", "differs")
    for column in out.columns[1:]:
        column.justify = "right"
    for row in rows:
        out.add_row(
            row["kind"],
            f"{row['decisions']:,}",
            f"{row['between']:.3f}",
            f"{row['within']:.3f}",
            f"{1000 * row['possible']:+.1f} ± {1000 * row['possible_se']:.1f}",
            f"{1000 * row['gain']:+.1f} ± {1000 * row['gain_se']:.1f}",
            f"{row['differs']:.0%}",
        )
    return out


def main(argv: list[str] | None = None) -> None:
    """The command line."""
    about = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m train.probe", description=about)
    parser.add_argument("agent", help="an agent, such as ckpt:FILE")
    parser.add_argument("--rules", default="two_deck", help="a preset or YAML file")
    parser.add_argument("--policy", default="heuristic", help="built-in player that plays on")
    parser.add_argument("--decisions", type=int, default=2000, help="to be judged, at the least")
    parser.add_argument("--worlds", type=int, default=32, help="for each; an even number")
    parser.add_argument("--seed", type=int, default=0, help="of deals and worlds")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    options = parser.parse_args(argv)
    try:
        if options.worlds < 4 or options.worlds % 2:
            raise ValueError(f"--worlds: {options.worlds} given; allowed: 4, 6, 8 …")
        rules = load_rules(options.rules)
        agent = make_agent(options.agent, rules)
        sizes = options.decisions, options.worlds, options.seed
        found = probe(agent, rules, options.policy, *sizes, quiet=options.quiet)
    except ValueError as error:
        sys.exit(f"probe: {error}")
    rows = summary(found)
    if options.json:
        print(json.dumps({"agent": options.agent, "rules": rules.name, "kinds": rows}))
    else:
        Console().print(table(rows))


if __name__ == "__main__":
    main()

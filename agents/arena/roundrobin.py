"""A round robin: audits, then deals of every pairing until it is settled, then matches.

Deals are played in steps, and the results are written after every step: a run that is interrupted
goes on where it stopped, and comes to the same rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from tuolaji_env.rules import load_rules

from ..base import Agent
from ..registry import make_agent
from .audit import audit
from .duplicate import make_fresh, play_deals, play_matches, seatings
from .keep import keeper
from .plan import Entrant, Pairing, Plan, settled
from .stats import estimate
from .store import Results, go_on

_STEP = 20.0  # seconds of play between two writes, about
_TRIAL = 1  # deals of a pairing's first step
_MATCH = 12  # deals of a match, about

#: Makes the agent of a spec for a table.
Maker = Callable[[Entrant, str], Agent]


@dataclass(frozen=True)
class Work:
    """Where a round robin stands: what is done now, and the share of all work that is done.

    The work is what would be done if every pairing went to its last look, less what turned out to
    be settled before; the unit is a microsecond of decisions, by the audits.
    """

    what: str
    done: float
    all: float


class RoundRobin:
    """Plays a plan, into a file."""

    def __init__(
        self,
        plan: Plan,
        path: str | Path,
        *,
        batch: int = 256,
        make: Maker | None = None,
        progress: Callable[[Work], None] = lambda work: None,
        records: Path | None = None,
    ) -> None:
        """records: a folder for the games of this run, each in a file; None: they are not kept."""
        self.plan, self.path, self.batch = plan, Path(path), batch
        self.results: Results = go_on(path, plan)
        self._tell, self._folder = progress, records
        self._agents: dict[tuple[str, str], Agent] = {}
        # every spec and rule set is known to be good before anything is played
        for preset in plan.presets:
            for entrant in plan.entrants(preset):
                self._agents[preset, entrant.name] = (
                    make(entrant, preset) if make else registered(plan, entrant, preset)
                )

    def run(self) -> Results:
        """Play all that is still to be played."""
        for preset in self.plan.presets:
            for entrant in self.plan.entrants(preset):
                self._audit(entrant, preset)
        for pairing in self.plan.pairings():
            self._deals(pairing)
            self._matches(pairing)
        self.results.save(self.path)
        return self.results

    def _audit(self, entrant: Entrant, preset: str) -> None:
        audits = self.results.audits.setdefault(preset, {})
        if entrant.name not in audits:
            self._report(f"audit of {entrant.name}, {preset}")
            agent = self._agents[preset, entrant.name]
            audits[entrant.name] = audit(agent, load_rules(preset), self.plan.audit).to_json()
            self.results.save(self.path)

    def _deals(self, pairing: Pairing) -> None:
        done = self.results.units(pairing).count
        for before, look in pairwise((0, *pairing.looks)):
            if done >= look:
                continue
            if done == before and before and self._settled(pairing):
                return
            step = _TRIAL
            while done < look:
                last = min(done + step, look)
                took = self._play(pairing, "deal", done, last)
                step = max(int((last - done) * _STEP / max(took, 1e-3)), 1)
                done = last

    def _matches(self, pairing: Pairing) -> None:
        done, step = self.results.units(pairing, "match").count, 1
        while done < pairing.matches:
            last = min(done + step, pairing.matches)
            took = self._play(pairing, "match", done, last)
            step = max(int((last - done) * _STEP / max(took, 1e-3)), 1)
            done = last

    def _play(self, pairing: Pairing, kind: str, first: int, last: int) -> float:
        """One step of a pairing, noted and written. Returns the seconds it took."""
        self._report(f"{pairing.a.name} – {pairing.b.name}, {pairing.preset}, {kind} {first}")
        began = perf_counter()
        rules = load_rules(pairing.preset)
        agents = (
            self._agents[pairing.preset, pairing.a.name],
            self._agents[pairing.preset, pairing.b.name],
        )
        make_fresh(agents, rules, self.plan.seed)
        play = play_deals if kind == "deal" else play_matches
        keep = None
        if self._folder is not None:
            games = first * len(seatings(rules)) if kind == "deal" else first
            keep = keeper(self._folder, pairing.key[1:], pairing.preset, kind, games)
        plays = play(agents, rules, self.plan.seed, first, last, batch=self.batch, keep=keep)
        self.results.add(pairing, kind, first, plays)
        self.results.save(self.path)
        return perf_counter() - began

    def _settled(self, pairing: Pairing) -> str:
        units = self.results.units(pairing)
        if units.count == 0:
            return ""
        return settled(self.plan, pairing, units.count, estimate(units.by_deal(units.levels)))

    def _report(self, what: str) -> None:
        """Say where the work stands."""
        done = whole = 0.0
        for pairing in self.plan.pairings():
            audits = self.results.audits.get(pairing.preset, {})
            cost = sum(
                audits.get(each.name, {}).get("median_us", 10.0) for each in (pairing.a, pairing.b)
            )
            ways = (
                2
                if load_rules(pairing.preset).teams == "fixed"
                else load_rules(pairing.preset).players
            )
            deals = self.results.units(pairing).count
            matches = self.results.units(pairing, "match").count
            most = deals if self._settled(pairing) else pairing.looks[-1]
            done += cost * (ways * deals + _MATCH * matches)
            whole += cost * (ways * most + _MATCH * pairing.matches)
        self._tell(Work(what, done, whole))


def registered(plan: Plan, entrant: Entrant, preset: str) -> Agent:
    """The agent that an entrant's spec names, for one table of a plan."""
    rules = load_rules(preset)
    return make_agent(entrant.spec, rules, plan.seed, allow_other_rules=plan.other_rules)

"""`search`: rollouts of a policy in sampled worlds, checked before the policy is overruled.

The search itself is compiled (`tuolaji_env/policies/rollout.py`); here are its budget and the plans
it has made: a decision is searched once, and its actions are then given one by one.  It is given
the record of a `View`, in which everything hidden from the mover is blanked out.
"""

from __future__ import annotations

import hashlib
import math
import time
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.core.facts import FACTS
from tuolaji_env.core.hidden import HIDDEN
from tuolaji_env.core.record import records
from tuolaji_env.core.worlds import rewind
from tuolaji_env.games import GameBatch
from tuolaji_env.policies import POLICIES, policy_id
from tuolaji_env.policies.rollout import ROUND, begin_search, confirm, nominate
from tuolaji_env.policies.space import CANDIDATES, SEARCH
from tuolaji_env.view import View

_PLANS = 1 << 16  # actions kept for decisions under way
_FRESH = 1 << 20  # number of the first world to confirm in
_SURE = 3.0  # standard errors at which a confirmation is over early


@dataclass(frozen=True)
class SearchOptions:
    """What `search:` may be told.

    policy: whose own choice stands unless another decision is clearly better.
    rollout: plays all seats in rollouts, after `opening` decisions by the policy.
    exact: cards in hand from which on all plays of a world are tried instead.
    worlds: to nominate a candidate in.
    confirm: fresh worlds in which it must lead the policy's choice by `bound` standard errors (0
    worlds: no check).
    ms: milliseconds of processor time for a decision, at most half of them to nominate; other work
    on the machine takes none of them.
    candidates: decisions compared at most.
    levels, points: weights of signed levels and of points (in units of 20 a deck) in the value of
    a deal.
    tries: samples per world before one is taken that contradicts what play has proven.
    """

    policy: str = "heuristic"
    rollout: str = "heuristic"
    opening: int = 0
    exact: int = 3
    worlds: int = 30
    confirm: int = 300
    bound: float = 1.0
    ms: float = math.inf
    candidates: int = 24
    levels: float = 1.0
    points: float = 0.25
    tries: int = 20


def parse_options(text: str) -> SearchOptions:
    """Options from `name=value,…`. Raises ValueError, naming what is allowed."""
    options = SearchOptions()
    for part in text.split(",") if text else []:
        name, _, value = part.partition("=")
        known = {f.name: str(f.type) for f in fields(SearchOptions)}
        if name not in known:
            raise ValueError(f"search: {name!r} is not known; allowed: {', '.join(known)}")
        kind = {"int": int, "float": float, "str": str}[known[name]]
        try:
            options = replace(options, **{name: kind(value)})
        except ValueError:
            raise ValueError(f"search: {name}: {value!r} is no {known[name]}") from None
    for name in ("policy", "rollout"):
        value = getattr(options, name)
        if value not in POLICIES:
            raise ValueError(
                f"search: {name}: {value!r} is not known; allowed: {', '.join(POLICIES)}"
            )
    if not 2 <= options.candidates <= CANDIDATES:
        raise ValueError(
            f"search: candidates: {options.candidates} given; allowed: 2 to {CANDIDATES}"
        )
    if options.worlds < 1 or options.tries < 1 or options.confirm < 0 or not options.ms > 0:
        raise ValueError("search: worlds, tries and ms must be positive, confirm 0 or more")
    return options


class SearchAgent:
    """Searches each decision of each game; see `SearchOptions`.

    Without a limit of milliseconds its play is fixed by its seed and the game; with one it depends
    on the machine.  `tally` adds up: decisions searched, worlds, rollouts, actions in rollouts,
    nominees that were not the policy's choice, and those that were confirmed.
    """

    def __init__(self, spec: str = "", seed: int = 0) -> None:
        self.name = f"search:{spec}" if spec else "search"
        self.options = parse_options(spec)
        self._seed = seed
        self._plans: dict[bytes, int] = {}
        self._trial: GameBatch | None = None
        self._hidden, self._facts = records(1, HIDDEN), records(1, FACTS)
        self._space = records(1, SEARCH)
        w: Any = self._space[0]
        w["policy"], w["rollout"] = policy_id(self.options.policy), policy_id(self.options.rollout)
        w["opening"], w["exact"] = self.options.opening, self.options.exact
        w["limit"], w["tries"] = self.options.candidates, self.options.tries
        w["levels"], w["points"] = self.options.levels, self.options.points
        self.tally = np.zeros(6, np.int64)

    def reset(self, seed: int) -> None:
        """Begin anew with a seed."""
        self._seed = seed
        self._plans.clear()

    def act(self, games: GameBatch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """One action for the mover of each game. rows: [N] int64; returns [N] int64."""
        out = np.empty(len(rows), np.int64)
        for i, row in enumerate(rows.tolist()):
            out[i] = self._act_in(games, row)
        return out

    def _act_in(self, games: GameBatch, row: int) -> int:
        s = games.records[row]
        mask = int(s["lawful"]) or int(s["mask"])
        if mask & (mask - 1) == 0:
            return mask.bit_length() - 1
        view = View(games, row, int(s["seat"]))
        moment = _moment(view)
        if moment not in self._plans:
            self._plan(view)
        # where something else has picked the first cards, any action
        return self._plans.get(moment, mask.bit_length() - 1)

    def _plan(self, view: View) -> None:
        """Search a decision from its beginning, and note its actions."""
        began = time.thread_time()
        if self._trial is None or self._trial.rules is not view.rules:
            self._trial = GameBatch(view.rules, 1)
        one = self._trial
        one.records[:] = view.records
        if int(view.record["picked"]):
            rewind(one.table, one.records)
            view = View(one, 0, view.seat)
        path = self.choose(view, began + self.options.ms / 1000)
        if len(self._plans) > _PLANS:
            self._plans.clear()
        for action in path[:-1]:
            self._plans[_moment(View(one, 0, view.seat))] = action
            one.step(np.array([action]))
        self._plans[_moment(View(one, 0, view.seat))] = path[-1]

    def choose(self, view: View, until: float = math.inf) -> tuple[int, ...]:
        """The actions of the decision that a view's seat is about to make.

        until: when to be done, by `time.thread_time`.
        """
        candidates = self.candidates(view)
        where = view.table, view.records, self._hidden, self._facts, self._space
        chosen = nominee = 0
        if len(candidates) > 1:
            nominee = self._nominate(where, until)
            if nominee and self._confirm(where, nominee, until):
                chosen = nominee
        w: Any = self._space[0]
        self.tally += (1, w["worlds"], w["rollouts"], w["actions"], nominee > 0, chosen > 0)
        return candidates[chosen]

    def candidates(self, view: View) -> list[tuple[int, ...]]:
        """The decisions that are compared, as actions; the first is the policy's own."""
        w: Any = self._space[0]
        w["key"] = draws_of(view) ^ self._seed
        begin_search(view.table, view.records, self._hidden, self._facts, self._space)
        paths, lengths = w["paths"].tolist(), w["lengths"].tolist()
        return [tuple(paths[c][: lengths[c]]) for c in range(int(w["count"]))]

    def weigh(
        self, view: View, worlds: int
    ) -> tuple[list[tuple[int, ...]], NDArray[np.float64], NDArray[np.float64]]:
        """Candidates, and what each makes more than the first: means and standard errors.

        In units of the value of a deal (`SearchOptions.levels`, `points`), in so many worlds.
        """
        candidates = self.candidates(view)
        leads = np.zeros((len(candidates), worlds))
        where = view.table, view.records, self._hidden, self._facts, self._space
        for c in range(1, len(candidates)):
            for n in range(worlds):
                leads[c, n] = confirm(*where, _FRESH + n, c)
        return candidates, leads.mean(axis=1), leads.std(axis=1) / math.sqrt(worlds)

    def _nominate(self, where: tuple[Any, ...], until: float) -> int:
        """The candidate with the best mean; 0 is the policy's own."""
        began = time.thread_time()
        half = began + (until - began) / 2
        for done in range(self.options.worlds):
            if nominate(*where, done) <= 1 or time.thread_time() > half:
                break
        w: Any = self._space[0]
        leads = np.where(w["alive"] == 1, w["lead"], -math.inf)[: int(w["count"])]
        best = int(leads.argmax())
        return best if leads[best] > 1e-9 else 0

    def _confirm(self, where: tuple[Any, ...], nominee: int, until: float) -> bool:
        """Whether a nominee beats the policy's choice in fresh worlds."""
        total = square = 0.0
        mean = error = 0.0
        for n in range(1, self.options.confirm + 1):
            lead = confirm(*where, _FRESH + n, nominee)
            total, square = total + lead, square + lead * lead
            mean = total / n
            error = math.sqrt(max(square / n - mean * mean, 0.0) / n)
            if n % ROUND == 0 and n >= 3 * ROUND and abs(mean) > _SURE * error:
                break
            if time.thread_time() > until:
                break
        return self.options.confirm == 0 or mean > self.options.bound * error


def draws_of(view: View) -> int:
    """The number from which all chance in a decision is drawn, below 2**56.

    It comes from what the seat knows of the deal, cards and events, and not from the bytes of a
    record: a decision stays the same however records are laid out.
    """
    events = view.record["log"][: int(view.record["logged"])].tolist()
    known = view.seat, view.hand, view.kitty, events
    return int.from_bytes(hashlib.blake2b(repr(known).encode(), digest_size=7).digest())


def _moment(view: View) -> bytes:
    """What tells a moment of a game from all others, as far as the mover knows."""
    return hashlib.blake2b(view.record.tobytes(), digest_size=16).digest()

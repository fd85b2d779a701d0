"""Does an agent look at what is hidden, and how long does it take to decide?

The agent plays deals by itself, one at a time.  At moments drawn at random it is asked again in
hidden twins: games that differ only in what its seat cannot know.  An agent that keeps to the rules
chooses the same.  Every decision (a whole play, bid, burial or call) is timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from time import process_time
from typing import Any

import numpy as np

from tuolaji_env.games import GameBatch, game_seeds, is_over
from tuolaji_env.rules import Rules
from tuolaji_env.testing import hidden_twins

from ..base import Agent

_SHARE = 0.2  # of the moments are checked
_AGAIN = 4  # times that a game and its twin are asked again if they were decided otherwise
_WARM = 3  # first decisions, which may load or compile something, are not timed


@dataclass(frozen=True)
class Audit:
    """moments: checked; twins: games that the agent was asked in anew; seen: how often it then
    chose otherwise; shaky: moments at which it chose otherwise when asked the very same again (it
    has chance or a clock of its own, and twins would tell nothing).  decisions: timed; median_us,
    p95_us: microseconds of processor time for one.
    """

    moments: int
    twins: int
    seen: int
    shaky: int
    decisions: int
    median_us: float
    p95_us: float

    @property
    def clean(self) -> bool:
        """Whether nothing speaks against the agent."""
        return self.seen == self.shaky == 0

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def audit(agent: Agent, rules: Rules, moments: int = 200, seed: int = 0) -> Audit:
    """Let an agent play until so many moments are checked."""
    games, rng, row = GameBatch(rules, 1), np.random.default_rng(seed), np.zeros(1, np.int64)
    agent.reset(seed)

    def anew(games: GameBatch) -> int:
        """What the agent does if it remembers nothing."""
        agent.reset(seed)
        return int(agent.act(games, row)[0])

    checked = twins = seen = shaky = 0
    times: list[float] = []
    spent = 0.0
    deals = iter(game_seeds(seed, moments + 1))
    while checked < moments:
        games.begin(next(deals))
        while not is_over(games.records)[0] and checked < moments:
            s = games.records[0]
            began = process_time()
            action = agent.act(games, row)
            spent += process_time() - began
            options = int(s["lawful"]) or int(s["mask"])
            if options & (options - 1) and rng.random() < _SHARE:
                checked += 1
                chosen = int(action[0])
                others = (twin for _, twin in hidden_twins(games, int(s["seat"]), rng))
                asked, otherwise, steady = _ask(anew, games, others, chosen)
                twins, seen, shaky = twins + asked, seen + otherwise, shaky + (not steady)
            games.step(action, row)
            if games.records["picked"][0] == 0 or is_over(games.records)[0]:
                times.append(1e6 * spent)
                spent = 0.0
    timed = np.array(times[_WARM:] or times)
    median, p95 = np.percentile(timed, [50, 95])
    return Audit(checked, twins, seen, shaky, len(timed), float(median), float(p95))


def _ask(
    anew: Callable[[GameBatch], int], games: GameBatch, twins: Iterable[GameBatch], chosen: int
) -> tuple[int, int, bool]:
    """How many twins of a game were asked, how many of them were decided otherwise than the game,
    and whether the agent is steady: where it is not, twins tell nothing.
    """
    if anew(games) != chosen:
        return 0, 0, False
    asked = otherwise = 0
    for twin in twins:
        asked += 1
        other = anew(twin)
        if other == chosen:
            continue
        # chance may have decided so, and will decide otherwise again
        if any(anew(games) != chosen or anew(twin) != other for _ in range(_AGAIN)):
            return asked, 0, False
        otherwise += 1
    return asked, otherwise, True

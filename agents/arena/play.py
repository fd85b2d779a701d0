"""Many games at once between agents, each game with its own seed and seating."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.games import Episode, GameBatch, IllegalActionError, is_over
from tuolaji_env.record import Record
from tuolaji_env.recorder import Recorder
from tuolaji_env.rules import Rules

from ..base import Agent

#: What is kept of a finished game.
KEPT = ("winners", "score", "rise", "side", "match_winners", "deal")

#: Called with the games done and all games, now and then.
Progress = Callable[[int, int], None]

#: Called with each game that is done: its number, the agent at each seat [P], its record.
Keep = Callable[[int, NDArray[np.int64], Record], None]


class Outcome:
    """What came of N games of K agents.

    fields: arrays [N, …] of the final records' fields `KEPT`; seconds: [K] processor time spent in
    `act`; decisions: [K] whole plays, bids, burials and calls made.
    """

    def __init__(self, rules: Rules, games: int, agents: int) -> None:
        blank = GameBatch(rules, 1).records
        self.fields: dict[str, NDArray[np.int64]] = {
            name: np.zeros((games, *blank[name].shape[1:]), np.int64) for name in KEPT
        }
        self.seconds: NDArray[np.float64] = np.zeros(agents)
        self.decisions: NDArray[np.int64] = np.zeros(agents, np.int64)

    def keep(self, number: NDArray[np.int64], records: Any) -> None:
        """Note the games that are done. number: [M] int64; records: [M]."""
        for name, values in self.fields.items():
            values[number] = records[name]


def play_games(
    agents: Sequence[Agent],
    rules: Rules,
    seeds: NDArray[np.int64],
    seating: NDArray[np.int64],
    *,
    episode: Episode = "deal",
    batch: int = 256,
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> Outcome:
    """Play games to their end, `batch` at a time; the results do not depend on `batch`.

    seeds: [N] int64; seating: [N, P] int64, the agent (a number) at each seat; keep: takes the
    record of each game.  Raises IllegalActionError, naming the
    agent, if one of them breaks its mask.
    """
    count = len(seeds)
    outcome = Outcome(rules, count, len(agents))
    games = GameBatch(rules, max(min(batch, count), 1))
    number = np.arange(len(games))  # [B] which game a row holds
    waiting = len(games)
    rows = games.everybody
    games.begin(seeds[number], episode=episode)
    recorder = Recorder(games, rows if keep else (), episode=episode)
    done = 0
    while len(rows):
        mover = seating[number[rows], games.records["seat"][rows]]
        for i, agent in enumerate(agents):
            own = rows[mover == i]
            if len(own):
                recorder.note(_move(games, own, agent, i, outcome), own)
        over = rows[is_over(games.records[rows])]
        if episode == "match" and len(over):
            further = over[games.records["match_over"][over] == 0]
            games.next_deals(further)
            over = over[games.records["match_over"][over] != 0]
        if len(over) == 0:
            continue
        outcome.keep(number[over], games.records[over])
        if keep is not None:
            for row in over:
                keep(int(number[row]), seating[number[row]], recorder.record(row))
        done += len(over)
        fresh = over[: count - waiting]
        number[fresh] = np.arange(waiting, waiting + len(fresh))
        waiting += len(fresh)
        if len(fresh):
            games.begin(seeds[number[fresh]], fresh, episode)
            recorder.begin(fresh)
        rows = np.setdiff1d(rows, over[len(fresh) :])
        if progress is not None:
            progress(done, count)
    return outcome


def _move(
    games: GameBatch, rows: NDArray[np.int64], agent: Agent, number: int, outcome: Outcome
) -> NDArray[np.int64]:
    """Let one agent act in some games; returns its actions."""
    began = time.process_time()
    actions = agent.act(games, rows)
    outcome.seconds[number] += time.process_time() - began
    try:
        games.step(actions, rows)
    except IllegalActionError as error:
        raise IllegalActionError(f"agent {agent.name}: {error}") from None
    # a decision is complete when nothing of the next one is picked yet
    complete = (games.records["picked"][rows] == 0) | is_over(games.records[rows])
    outcome.decisions[number] += int(complete.sum())
    return actions

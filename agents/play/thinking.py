"""Agents at work: whole decisions, made in worker threads so that the event loop stays quick."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, TypeVarTuple

import numpy as np

from tuolaji_env.core.record import OVER
from tuolaji_env.game import Game, Play
from tuolaji_env.rules import Rules

from ..base import Agent
from ..registry import make_agent

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

FALLBACK = "heuristic"  # plays on where an agent has failed
_ROW = np.zeros(1, np.int64)
_log = logging.getLogger(__name__)


def decide(agent: Agent, game: Game) -> Play:
    """The actions of an agent's decision for the mover; the game stays as it is."""
    trial = game.copy()
    actions: list[int] = []
    while not actions or (int(trial.record["picked"]) and int(trial.record["phase"]) != OVER):
        action = int(agent.act(trial.batch, _ROW)[0])
        trial.do(action)
        actions.append(action)
    return tuple(actions)


class Players:
    """The agents of one table by their specs, each made when it is first asked.

    Only one thread at a time may ask.
    """

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.rules, self.seed = rules, seed
        self._agents: dict[str, Agent] = {}

    def agent(self, spec: str) -> Agent:
        """The agent of a spec. Raises as `make_agent` does."""
        if spec not in self._agents:
            self._agents[spec] = make_agent(spec, self.rules, self.seed, allow_other_rules=True)
        return self._agents[spec]

    def decide(self, spec: str, game: Game) -> Play:
        """What an agent decides; where it fails, what `FALLBACK` does."""
        try:
            return decide(self.agent(spec), game)
        except Exception:
            _log.exception("agent %s failed; %s plays on", spec, FALLBACK)
            return decide(self.agent(FALLBACK), game)


class Thinker:
    """Worker threads for all tables; one call of a table waits for its last."""

    def __init__(self, threads: int = 2) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="thinker")

    async def run(
        self, lock: asyncio.Lock, work: Callable[[*Arguments], Result], *arguments: *Arguments
    ) -> Result:
        """Work for the table of a lock."""
        async with lock:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown(wait=False, cancel_futures=True)

"""Other environments, driven as their users drive them: random legal play from Python, one core.

Each function plays whole games until so many seconds have gone and returns steps a second.
Packages that are not installed are left out (extra `bench`).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any


def _until(seconds: float, play: Callable[[], int]) -> float:
    """Steps a second of whole games. play: one game, its steps."""
    play()  # the first is not counted
    steps, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        steps += play()
    return steps / (time.perf_counter() - begun)


def open_spiel(game: str, tensors: bool, seconds: float) -> float:
    """OpenSpiel: C++ rules, Python loop; with tensors, what the mover sees before each step."""
    import pyspiel

    parameters = {"use_double_dummy_result": False} if game == "bridge" else {}
    loaded = pyspiel.load_game(game, parameters)

    def play() -> int:
        state, steps = loaded.new_initial_state(), 0
        while not state.is_terminal():
            if tensors and not state.is_chance_node():
                state.observation_tensor()
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return _until(seconds, play)


def rlcard(game: str, seconds: float) -> float:
    """RLCard: Python rules, its own `step`, which builds the mover's observation."""
    import rlcard as package

    env: Any = package.make(game)

    def play() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return _until(seconds, play)


def pettingzoo_loop(wrapped: bool, seconds: float) -> float:
    """PettingZoo's AEC loop around a game that does nothing: the most that any AEC face can do."""
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    class Nothing(AECEnv):  # type: ignore[misc]
        metadata = {"name": "nothing_v0", "is_parallelizable": False}  # noqa: RUF012

        def __init__(self) -> None:
            super().__init__()
            self.possible_agents = [f"seat_{seat}" for seat in range(4)]
            self.row, self.mask = np.zeros(8, np.uint8), np.ones(2, np.int8)

        def observation_space(self, agent: str) -> Any:
            return spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (8,), np.uint8),
                    "action_mask": spaces.Box(0, 1, (2,), np.int8),
                }
            )

        def action_space(self, agent: str) -> Any:
            return spaces.Discrete(2)

        def reset(self, seed: int | None = None, options: Any = None) -> None:
            self.agents = self.possible_agents[:]
            self.steps = 0
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
            self.agent_selection = self.agents[0]

        def observe(self, agent: str) -> Any:
            return {"observation": self.row, "action_mask": self.mask}

        def step(self, action: int) -> None:
            self._cumulative_rewards[self.agent_selection] = 0.0
            self.steps += 1
            if self.steps == 130:
                self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[self.steps % 4]
            self._accumulate_rewards()

    env: Any = Nothing()
    if wrapped:
        env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
        env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))

    def play() -> int:
        env.reset()
        steps = 0
        while True:
            _, _, over, _, _ = env.last()
            if over:
                return steps
            env.step(0)
            steps += 1

    return _until(seconds, play)


#: Name, package needed, and what to run for so many seconds.
PEERS: list[tuple[str, str, Callable[[float], float]]] = [
    ("OpenSpiel bridge", "pyspiel", lambda s: open_spiel("bridge", False, s)),
    ("OpenSpiel bridge, tensors", "pyspiel", lambda s: open_spiel("bridge", True, s)),
    ("OpenSpiel spades", "pyspiel", lambda s: open_spiel("spades", False, s)),
    ("OpenSpiel spades, tensors", "pyspiel", lambda s: open_spiel("spades", True, s)),
    ("RLCard Dou Dizhu", "rlcard", lambda s: rlcard("doudizhu", s)),
    ("RLCard bridge", "rlcard", lambda s: rlcard("bridge", s)),
    ("PettingZoo loop, raw", "pettingzoo", lambda s: pettingzoo_loop(False, s)),
    ("PettingZoo loop, wrapped", "pettingzoo", lambda s: pettingzoo_loop(True, s)),
]


def installed() -> list[tuple[str, Callable[[float], float]]]:
    """The peers that can be measured here."""
    return [(name, run) for name, package, run in PEERS if find_spec(package)]

"""What is measured of the environment itself."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from tuolaji_env import VectorEnv, determinize
from tuolaji_env.core.jit import driver, mix
from tuolaji_env.games import GameBatch, game_seeds
from tuolaji_env.policies import play_out, policy_id
from tuolaji_env.rules import load_rules
from tuolaji_env.testing import random_actions


@driver
def _spin(n):
    x = 1
    for i in range(n):
        x = mix(x, i)
    return x


def calibration() -> float:
    """Millions of random numbers a second of a small compiled loop: the pace of this core."""
    _spin(10)
    best = 0.0
    for _ in range(5):
        begun = time.perf_counter()
        _spin(2_000_000)
        best = max(best, 2 / (time.perf_counter() - begun))
    return best


def vector_env(threads: int, dtype: str, games: int = 4096, steps: int = 40) -> float:
    """Micro-steps a second of `VectorEnv.step`; choosing the actions is not counted."""
    env = VectorEnv("two_deck", games, 0, threads=threads, dtype=dtype)  # type: ignore[arg-type]
    rng, spent = np.random.default_rng(0), 0.0
    for step in range(-5, steps):
        actions = random_actions(env.action_mask, rng)
        begun = time.perf_counter()
        env.step(actions)
        spent += time.perf_counter() - begun if step >= 0 else 0
    return games * steps / spent


def rollout(policy: str, deals: int = 1000) -> float:
    """Microseconds of a whole deal played by a policy inside a kernel."""
    games = GameBatch("two_deck", deals)
    games.begin(game_seeds(0, deals))
    size = deals, games.players
    policies, seeds = np.full(size, policy_id(policy)), np.zeros(size, np.int64)
    begun = time.perf_counter()
    play_out(games.table, games.records, games.everybody, policies, seeds)
    return 1e6 * (time.perf_counter() - begun) / deals


def hidden_worlds(positions: int = 20, worlds: int = 500) -> float:
    """Hidden hands a second, from the middle of `two_deck` deals played at random."""
    rules = load_rules("two_deck")
    rng = np.random.default_rng(1)
    spent = 0.0
    for seed in range(-1, positions):
        games: Any = GameBatch(rules, 1)
        games.begin(np.array([seed + 7]))
        while games.records["tricks"][0] < 8:
            games.step(random_actions(games.masks(), rng))
        seat = int(games.records["seat"][0])
        begun = time.perf_counter()
        determinize(games, 0, seat, worlds, seed + 1)
        spent += time.perf_counter() - begun if seed >= 0 else 0
    return positions * worlds / spent

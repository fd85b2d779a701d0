"""Loops over games: the only kernels that the Python faces call for more than one game."""

from __future__ import annotations

from .jit import driver, inline, lowest, mix, popcount
from .record import OVER
from .step import begin_match, begin_single_deal, next_deal, skip_forced, step


@inline
def random_action(mask, key, counter):
    """A uniformly random set bit of a mask, from draw `counter` of the stream `key`."""
    n = ((mix(key, counter) >> 31) * popcount(mask)) >> 32
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


@driver
def reset_games(rules, games, seeds, matches):
    """Begin a deal by itself, or a match, in each game. seeds: [B] int64."""
    R = rules[0]
    for i in range(len(games)):
        if matches:
            begin_match(R, games[i], seeds[i])
            next_deal(R, games[i])
        else:
            begin_single_deal(R, games[i], seeds[i])


@driver
def step_games(rules, games, actions, forced):
    """Apply one legal action to each game; `forced` plays on where there is no choice."""
    R = rules[0]
    for i in range(len(games)):
        step(R, games[i], actions[i])
        if forced:
            skip_forced(R, games[i])


@driver
def random_steps(rules, games, key, steps, matches):
    """Random legal play: `steps` micro-steps in each game, deals begun anew as they end.

    Returns the number of deals finished.
    """
    R = rules[0]
    deals = 0
    for i in range(len(games)):
        s = games[i]
        for n in range(steps):
            step(R, s, random_action(s.mask, key + i, n))
            if s.phase == OVER:
                deals += 1
                if matches and not s.match_over:
                    next_deal(R, s)
                else:
                    begin_single_deal(R, s, s.seed + 1)
    return deals

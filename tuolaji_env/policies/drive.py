"""Loops over games that ask policies: what faces, agents and rollouts call."""

from __future__ import annotations

from ..core.batch import random_action
from ..core.jit import boundary, driver, inline, lowest, mix
from ..core.record import GAME, OVER, RULES
from ..core.step import step
from .count import NOTHING, planes_of
from .fit import strays
from .greedy import greedy_act, towards
from .heuristic import heuristic_act, plans, write_plan

RANDOM, GREEDY, HEURISTIC = range(3)


@inline
def policy_act(R, s, policy, seed):
    """The action of a policy, by its number and seed, for the mover of a game.

    Where revoking is possible (R10.5) only lawful actions are chosen.
    """
    lawful = s.lawful if s.lawful else s.mask
    if lawful & (lawful - 1) == 0:
        return lowest(lawful)
    if policy == RANDOM:
        return random_action(lawful, mix(seed, s.seed), s.steps)
    if policy == GREEDY:
        return greedy_act(R, s)
    return heuristic_act(R, s)


@boundary(RULES, GAME, int, int, returns=int)
def play_on(R, s, policy, seed):
    """Let a policy act for the mover, to the end of the play if it plans that as a whole.

    Returns the actions made.  They are those that `policy_act` would choose one by one.
    """
    if policy != HEURISTIC or not plans(s):
        step(R, s, policy_act(R, s, policy, seed))
        return 1
    plan, planned, made = NOTHING, False, 0
    while made == 0 or (s.picked > 0 and s.phase != OVER):
        lawful = s.lawful if s.lawful else s.mask
        action = lowest(lawful)
        if lawful & (lawful - 1):
            if not planned or strays(s, plan):
                write_plan(R, s)
                plan, planned = planes_of(s.w_need), True
            action = towards(lawful, s.pick, plan)
        step(R, s, action)
        made += 1
    return made


@driver
def act_games(rules, games, rows, policy, seed, out):
    """One action for the mover of each of some games, none of them over.

    rows: [N] int64; policy, seed: numbers; out: [N] int64.
    """
    R = rules[0]
    for i in range(len(rows)):
        out[i] = policy_act(R, games[rows[i]], policy, seed)


@driver
def play_out(rules, games, rows, policies, seeds):
    """Play some games to the end of their deals, all seats by policies.

    rows: [N] int64; policies, seeds: [N, P] int64, by seat.  Returns the actions made.
    """
    R = rules[0]
    made = 0
    for i in range(len(rows)):
        s = games[rows[i]]
        while s.phase != OVER:
            made += play_on(R, s, policies[i, s.seat], seeds[i, s.seat])
    return made

"""The working space of a search, and how a decision is added to its list of candidates.

A decision is a path of actions; the first candidate is always the policy's own.
"""

from __future__ import annotations

import numpy as np

from ..core.jit import SMALL, boundary, inline, kernel, lowest
from ..core.planes import copies
from ..core.record import END, GAME, LEAD, PLANES, RULES
from ..core.step import step
from ..core.walk import MAX_PATH, completes, list_paths

CANDIDATES = 40  # room for candidates
WALKED = 2000  # paths looked at

# Places in `games`: trials of what is legal, and the world and the rollout under way.
TRIAL, WORLD, ROLLOUT, ENDGAME = range(4)
DEPTH = 40  # games from ENDGAME on, one for each action deep

SEARCH = np.dtype(
    [
        # what is asked for
        ("policy", np.int64),  # whose choice is the first candidate
        ("rollout", np.int64),  # the policy of all seats in rollouts
        ("opening", np.int64),  # decisions of a rollout that are made by `policy`
        ("exact", np.int64),  # cards in hand from which on all plays are tried
        ("limit", np.int64),  # candidates at most
        ("tries", np.int64),  # samples per world
        ("levels", np.float64),  # weights in the value of a deal
        ("points", np.float64),
        ("key", np.int64),  # of all random numbers
        # the candidates
        ("count", np.int64),
        ("paths", SMALL, (CANDIDATES, MAX_PATH)),
        ("lengths", np.int64, CANDIDATES),
        ("alive", np.int64, CANDIDATES),  # 1: still in the race
        ("lead", np.float64, CANDIDATES),  # sum of its values less the first one's
        ("square", np.float64, CANDIDATES),  # and of the squares
        # what was done
        ("worlds", np.int64),
        ("rollouts", np.int64),
        ("actions", np.int64),
        # working space
        ("games", GAME, ENDGAME + DEPTH),
        ("value", np.float64),  # of a candidate in a world
        ("open", np.int64, DEPTH),  # actions still to be tried
        ("best", np.float64, DEPTH),
        ("low", np.float64, DEPTH),
        ("high", np.float64, DEPTH),
        ("play", np.int64, PLANES),
        ("path", SMALL, MAX_PATH),
        ("walked", SMALL, (WALKED, MAX_PATH)),
        ("sizes", np.int64, WALKED),
        ("masks", np.int64, MAX_PATH),
    ],
    align=True,
)


@inline
def _same(a, b, n):
    for i in range(n):
        if a[i] != b[i]:
            return False
    return True


@kernel
def add_path(w, path, n):
    """Append a path to the candidates, unless it is there or there is no room."""
    if w.count >= w.limit:
        return
    for c in range(w.count):
        if w.lengths[c] == n and _same(w.paths[c], path, n):
            return
    for i in range(n):
        w.paths[w.count, i] = path[i]
    w.lengths[w.count] = n
    w.count += 1


@boundary(RULES, GAME, SEARCH)
def _add_play(R, s, w):
    """Append the play of the cards in `w.play`, if it is legal."""
    n = 0
    rest = w.play[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        for _ in range(copies(w.play, k)):
            w.path[n] = k
            n += 1
    if s.phase == LEAD:
        w.path[n] = END
        n += 1
    elif n != s.count:
        return
    w.games[TRIAL] = s
    trial = w.games[TRIAL]
    for i in range(n):
        if (trial.mask >> w.path[i]) & 1 == 0:
            return
        if i < n - 1:
            if completes(trial, w.path[i]):
                return
            step(R, trial, w.path[i])
    add_path(w, w.path, n)


@inline
def add_play(R, s, w, planes):
    """Append a play of cards, if it is legal for the mover."""
    if planes[0] and w.count < w.limit:
        for j in range(PLANES):
            w.play[j] = planes[j]
        _add_play(R, s, w)


@boundary(RULES, GAME, SEARCH, returns=int)
def walk_all(R, s, w):
    """Fill `walked` and `sizes` with the mover's decisions; returns how many were found."""
    w.games[TRIAL] = s
    return list_paths(R, w.games[TRIAL], w.walked, w.sizes, w.masks)

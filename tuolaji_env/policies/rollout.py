"""Search by rollouts: a decision compared with others in worlds that the mover thinks possible.

For each world, a deal of the hidden cards that agrees with all that the mover knows
(`core/worlds.py`), every candidate is played and the deal played out by a policy in all seats.
All candidates meet the same worlds.  The one with the best mean is nominated; it overrides the
policy's own choice only if, in fresh worlds, the mean of the paired differences is clear of zero.
"""

from __future__ import annotations

import math

from ..core.facts import FACTS
from ..core.hidden import HIDDEN
from ..core.jit import boundary, driver, kernel, mix
from ..core.record import GAME, LEAD, OVER, RULES
from ..core.step import step
from ..core.worlds import make_world, study
from .candidates import list_candidates
from .drive import play_on
from .endgame import deal_value, solve_endgame
from .space import ROLLOUT, SEARCH, TRIAL, WORLD

ROUND = 10  # worlds between looks at who is still in the race
BEHIND = 2.0  # standard errors by which a candidate must be behind the best to leave it


@boundary(RULES, SEARCH, int, int, int)
def _weigh(R, w, seat, c, seed):
    """Set `value` to what candidate `c` is worth to a seat in the world at hand."""
    few = w.games[WORLD].held[seat] <= w.exact and w.games[WORLD].phase >= LEAD
    w.games[ROLLOUT] = w.games[WORLD]
    s = w.games[ROLLOUT]
    for i in range(w.lengths[c]):
        step(R, s, w.paths[c, i])
    w.rollouts += 1
    if few and s.phase != OVER and solve_endgame(R, w, seat):
        return
    w.actions += w.lengths[c]
    decisions = 0
    while s.phase != OVER:
        policy = w.policy if decisions < w.opening else w.rollout
        w.actions += play_on(R, s, policy, seed)
        decisions += s.picked == 0
    w.value = deal_value(R, s, seat, w.levels, w.points)


@boundary(RULES, GAME, HIDDEN, FACTS, SEARCH, int, returns=bool)
def _deal_world(R, s, hidden, facts, w, key):
    """Deal another world, and weigh the policy's own choice in it; False if there is none."""
    w.games[WORLD] = s
    scratch = w.games[TRIAL]
    w.worlds += 1
    if make_world(R, w.games[WORLD], s.seat, hidden, facts, scratch, key, w.tries) < 0:
        return False
    _weigh(R, w, s.seat, 0, key)
    return True


@kernel
def _drop_behind(w, done):
    """Drop candidates that are clearly behind the best; returns how many are left.

    One, too, where none has made a difference so far.
    """
    best, differ = 0.0, 0.0
    for c in range(w.count):
        if w.alive[c]:
            best = max(best, w.lead[c] / done)
            differ += w.square[c]
    if differ == 0.0:
        return 1
    left = 0
    for c in range(w.count):
        if w.alive[c] and c:
            mean = w.lead[c] / done
            error = math.sqrt(max(w.square[c] / done - mean * mean, 0.0) / done)
            if mean + BEHIND * error + 1e-9 < best:
                w.alive[c] = 0
        left += w.alive[c]
    return left


@driver
def begin_search(rules, games, hidden, facts, search):
    """List the candidates for the mover of games[0], and make ready to compare them.

    games: [1] of GAME; hidden, facts, search: [1] of `HIDDEN`, `FACTS` and `SEARCH`, which says
    what is asked for and is then handed to `nominate` and `confirm`.
    """
    R, s, w = rules[0], games[0], search[0]
    w.worlds, w.rollouts, w.actions = 0, 0, 0
    list_candidates(R, s, w, w.key)
    if w.count > 1:
        study(R, s, s.seat, hidden[0], facts[0], w.games[TRIAL])
    for c in range(w.count):
        w.alive[c], w.lead[c], w.square[c] = 1, 0.0, 0.0


@driver
def nominate(rules, games, hidden, facts, search, done):
    """Play the candidates still in the race in world number `done`; returns how many are left."""
    R, s, w = rules[0], games[0], search[0]
    key = mix(w.key, done)
    if not _deal_world(R, s, hidden[0], facts[0], w, key):
        return 0
    first = w.value
    for c in range(1, w.count):
        if w.alive[c]:
            _weigh(R, w, s.seat, c, key)
            lead = w.value - first
            w.lead[c] += lead
            w.square[c] += lead * lead
    return _drop_behind(w, done + 1) if (done + 1) % ROUND == 0 else w.count


@driver
def confirm(rules, games, hidden, facts, search, number, nominee):
    """What a nominee makes more than the policy's choice in another world, by its number."""
    R, s, w = rules[0], games[0], search[0]
    key = mix(w.key, number)
    if not _deal_world(R, s, hidden[0], facts[0], w, key):
        return 0.0
    first = w.value
    _weigh(R, w, s.seat, nominee, key)
    return w.value - first

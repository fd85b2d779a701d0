"""`heuristic`: a player who counts cards and weighs each whole play by its chances.

A play's value is the chance that his side takes the trick times what the trick is worth (points on
the table, points to come, the lead after it), less what the cards are worth to keep.  Bids, burial
and friend calls go by the hand.  A plan is the best play that holds what is picked already: it may
be made anew at each card, or kept as long as the play does not stray from it.
"""

from __future__ import annotations

from ..core.jit import boundary, inline
from ..core.record import BID, BURY, FOLLOW, GAME, LEAD, PLANES, RULES
from .greedy import towards
from .heuristic_bid import plan_bid
from .heuristic_bury import plan_bury
from .heuristic_call import plan_call
from .heuristic_follow import plan_follow
from .heuristic_lead import plan_lead


@inline
def plans(s):
    """Whether the mover's decision is a set of cards, which is planned as a whole."""
    return s.phase == LEAD or s.phase == FOLLOW or s.phase == BURY


@boundary(RULES, GAME)
def write_plan(R, s):
    """Put the cards of the mover's whole play or burial into `w_need`."""
    if s.phase == FOLLOW:
        plan = plan_follow(R, s)
    elif s.phase == LEAD:
        plan = plan_lead(R, s)
    else:
        plan = plan_bury(R, s)
    for j in range(PLANES):
        s.w_need[j] = plan[j]


@boundary(RULES, GAME, returns=int)
def heuristic_act(R, s):
    """The next action of `heuristic`."""
    mask = s.lawful if s.lawful else s.mask
    if plans(s):
        write_plan(R, s)
        return towards(mask, s.pick, s.w_need)
    if s.phase == BID:
        return plan_bid(R, s, mask)
    return plan_call(R, s, mask)

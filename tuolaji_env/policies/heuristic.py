"""`heuristic`: a player who counts cards and weighs each whole play by its chances.

A play's value is the chance that his side takes the trick times what the trick is worth (points on
the table, points to come, the lead after it), less what the cards are worth to keep.  Bids, burial
and friend calls go by the hand.  Like `greedy` he plans the whole play anew at each card.
"""

from __future__ import annotations

from ..core.jit import boundary
from ..core.record import BID, BURY, FOLLOW, GAME, LEAD, PLANES, RULES
from .greedy import call_friend, towards
from .heuristic_bid import plan_bid
from .heuristic_bury import plan_bury
from .heuristic_follow import write_follow
from .heuristic_lead import write_lead


@boundary(RULES, GAME, returns=int)
def heuristic_act(R, s):
    """The next action of `heuristic`."""
    mask = s.lawful if s.lawful else s.mask
    if s.phase == BID:
        return plan_bid(R, s, mask)
    if s.phase == FOLLOW:
        write_follow(R, s)
    elif s.phase == LEAD:
        write_lead(R, s)
    elif s.phase == BURY:
        plan = plan_bury(R, s)
        for j in range(PLANES):
            s.w_need[j] = plan[j]
    else:
        return call_friend(R, s, mask)
    return towards(mask, s.pick, s.w_need)

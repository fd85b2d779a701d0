"""All ways to complete the mover's decision: one path of actions per legal play."""

from __future__ import annotations

from .auction import bury_mask
from .bid import bid_mask
from .calls import call_mask
from .jit import driver, inline, kernel, lowest
from .lead import lead_mask
from .planes import add, take
from .play import follow_masks
from .record import BID, BURY, CALL, END, FOLLOW, LEAD, ORDINAL

MAX_PATH = 104  # the largest kitty has 100 cards


@kernel
def _refresh(R, s):
    """The mask after another card was picked."""
    if s.phase == FOLLOW:
        follow_masks(R, s)
    elif s.phase == LEAD:
        s.mask = lead_mask(R, s)
    elif s.phase == BURY:
        bury_mask(s)
    elif s.phase == BID:
        s.mask = bid_mask(R, s, s.seat)
    else:
        call_mask(R, s)


@inline
def completes(s, action):
    """Whether this action ends the decision (a friend call: one call)."""
    if s.phase == FOLLOW or s.phase == BURY:
        return s.picked + 1 == s.count
    if s.phase == CALL:
        return action >= ORDINAL
    return action >= END


@kernel
def list_paths(R, s, paths, lengths, masks):
    """`walk` for kernels."""
    root, last, lawful, suit = s.mask, s.last, s.lawful, s.suit
    found, depth = 0, 0
    masks[0] = root
    while depth >= 0 and found < len(paths):
        if masks[depth] == 0:
            depth -= 1
            if depth >= 0 and s.phase != CALL:
                take(s.pick, paths[found, depth])
            if depth >= 0:
                s.picked -= 1
                s.last = paths[found, depth - 1] if depth else last
            continue
        action = lowest(masks[depth])
        masks[depth] &= masks[depth] - 1
        paths[found, depth] = action
        if completes(s, action):
            lengths[found] = depth + 1
            found += 1
            if found < len(paths):
                for i in range(depth):
                    paths[found, i] = paths[found - 1, i]
            continue
        if s.phase == LEAD and s.picked == 0:
            s.suit = R.suit_of[s.combo, action]
        if s.phase != CALL:
            add(s.pick, action)
        s.picked += 1
        s.last = action
        _refresh(R, s)
        depth += 1
        masks[depth] = s.mask
    while depth > 0:
        depth -= 1
        if s.phase != CALL:
            take(s.pick, paths[found - 1, depth])
        s.picked -= 1
    s.mask, s.last, s.lawful, s.suit = root, last, lawful, suit
    return found


@driver
def walk(rules, games, paths, lengths, masks):
    """List the paths that complete the decision of games[0], from what is picked already.

    paths: [N, MAX_PATH] int8, lengths: [N] int64, masks: [MAX_PATH] int64 working space.  Stops
    at N paths; returns their number.  The game is left as it was.
    """
    return list_paths(rules[0], games[0], paths, lengths, masks)

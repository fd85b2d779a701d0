"""What a policy would do, as a segment of observation rows (`observe.Layout`, `advice`)."""

from __future__ import annotations

from ..core.jit import driver
from ..core.record import BIG_JOKER, OVER, TRUMP_OF
from ..core.see import suit_turn
from .drive import policy_act


@driver
def advise(rules, games, rows, viewers, policy, canonical, at, out):
    """Mark the policy's action for each viewer who is to move. out: [N, D], one-hot from `at` on.

    rows, viewers: [N] int64; the action is named as in the layout, canonical or not.
    """
    R = rules[0]
    for i in range(len(rows)):
        s = games[rows[i]]
        for action in range(63):
            out[i, at + action] = 0
        if s.seat != viewers[i] or s.phase == OVER:
            continue
        action = policy_act(R, s, policy, 0)
        turn = suit_turn(s, canonical)
        if action < BIG_JOKER - 1:
            action = 13 * ((turn >> (2 * (action // 13))) & 3) + action % 13
        elif action >= TRUMP_OF:
            action = TRUMP_OF + ((turn >> (2 * (action - TRUMP_OF))) & 3)
        out[i, at + action] = 1

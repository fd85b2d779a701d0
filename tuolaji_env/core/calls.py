"""Friend calls (R9.1): distinct (kind, ordinal) pairs in ascending order, none of them trump."""

from __future__ import annotations

from .bid import log
from .jit import boundary, kernel
from .play import begin_lead, start_pick
from .record import CALL, END, GAME, LOG_CALL, LOG_ORDINAL, ORDINAL, RULES, TRUMP


@boundary(RULES, GAME)
def begin_calls(R, s):
    if R.friends:
        s.phase, s.seat, s.calls = CALL, s.declarer, 0
        start_pick(s)
        call_mask(R, s)
    else:
        begin_lead(R, s, s.declarer)


@boundary(RULES, GAME)
def call_mask(R, s):
    """R9.1: distinct (kind, ordinal) pairs in ascending order, none of them trump."""
    i = s.calls
    more = R.friends - i - 1  # calls after this one
    floor, used = -1, R.decks
    if i:
        floor, used = s.call_kind[i - 1], s.call_ordinal[i - 1]
    mask = 0
    if s.picked:
        k = s.last
        first = used + 1 if k == floor else 1
        for ordinal in range(first, R.decks + 1):
            if R.decks - ordinal + _callable_above(R, s, k) * R.decks >= more:
                mask |= 1 << (ORDINAL + ordinal - 1)
    else:
        for k in range(max(floor, 0), 52):
            if R.suit_of[s.combo, k] == TRUMP:
                continue
            ordinals = R.decks - used if k == floor else R.decks
            if ordinals and ordinals - 1 + _callable_above(R, s, k) * R.decks >= more:
                mask |= 1 << k
    s.mask = mask
    s.lawful = mask


@kernel
def _callable_above(R, s, kind):
    n = 0
    for k in range(kind + 1, 52):
        n += R.suit_of[s.combo, k] != TRUMP
    return n


@kernel
def call_step(R, s, action):
    if action < END:
        s.last, s.picked = action, 1
        call_mask(R, s)
        return
    i = s.calls
    s.call_kind[i] = s.last
    s.call_ordinal[i] = s.call_left[i] = action - ORDINAL + 1
    log(s, LOG_CALL, s.seat, s.last)
    log(s, LOG_ORDINAL, s.seat, action - ORDINAL + 1)
    s.calls = i + 1
    s.picked = 0
    if s.calls == R.friends:
        begin_lead(R, s, s.declarer)
    else:
        call_mask(R, s)

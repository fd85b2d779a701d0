"""What play has proven about hidden hands beyond voids, read from the public log.

Three kinds of fact.  A *follow* of several cards shows what the follower did not have to play: by
R6 his hand at that time asked for no more than his play holds (a pair led, two singles of the
suit: at most no pair).  A throw that *stood* shows that nobody else held a higher unit of any of
its shapes (R5.3), one that *failed* that somebody did.  A hand at that time is the hand now and
what was played since.
"""

from __future__ import annotations

import numpy as np

from .follow import require
from .jit import boundary, inline, kernel
from .lead import check_throw
from .planes import add, clear, join, put, total
from .record import GAME, LOG_FAIL, LOG_PLAY, PLANES, RULES, SEATS, SHAPE, SMALL
from .shapes import EXACT_PLAY, FREE, decompose, fits

FACTS_MAX = 160
TRICKS = 64
FOLLOWED, STOOD, FAILED = range(3)

FACTS = np.dtype(
    [
        ("facts", np.int64),
        ("order", np.int64, FACTS_MAX),  # in which they are looked at: those broken last come first
        ("what", np.int64, FACTS_MAX),
        ("who", np.int64, FACTS_MAX),  # who followed or led
        ("trick", np.int64, FACTS_MAX),
        ("suit", np.int64, FACTS_MAX),
        ("count", np.int64, FACTS_MAX),  # cards led
        ("shape", SMALL, (FACTS_MAX, SHAPE)),  # of the lead
        ("play", np.int64, (FACTS_MAX, PLANES)),
        ("since", np.int64, (FACTS_MAX, SEATS, PLANES)),  # played by each seat, this trick on
        # the tricks in the log
        ("tricks", np.int64),
        ("begin", np.int64, TRICKS),  # place of the lead in the log
        ("size", np.int64, TRICKS),
        ("failed", np.int64, TRICKS),
    ],
    align=True,
)


@inline
def _is_play(entry):
    return entry >> 9 == LOG_PLAY


@boundary(RULES, GAME, FACTS)
def read_tricks(R, s, f):
    """Find the tricks in the log: where each lead begins, cards led, whether a throw failed."""
    f.tricks = 0
    at, failed = 0, 0
    while at < s.logged and f.tricks < TRICKS:
        entry = s.log[at]
        if not _is_play(entry):
            failed = 1 if entry >> 9 == LOG_FAIL else failed
            at += 1
            continue
        size = 1
        while at + size < s.logged and s.log[at + size] >> 6 == entry >> 6:
            size += 1
        t = f.tricks
        f.begin[t], f.size[t], f.failed[t] = at, size, failed
        f.tricks = t + 1
        at += size * R.players
        failed = 0


@kernel
def _note(f, what, who, trick, suit, count, shape, play, since):
    i = f.facts
    if i == FACTS_MAX:
        return
    f.what[i], f.who[i], f.trick[i], f.suit[i], f.count[i] = what, who, trick, suit, count
    f.order[i] = i
    for k in range(SHAPE):
        f.shape[i, k] = shape[k]
    for j in range(PLANES):
        f.play[i, j] = play[j]
        for p in range(SEATS):
            f.since[i, p, j] = since[p, j]
    f.facts = i + 1


@boundary(RULES, GAME, int, FACTS, GAME)
def read_facts(R, s, viewer, f, w):
    """Collect the facts that bind hands other than the viewer's; `w` is working space."""
    read_tricks(R, s, f)
    f.facts = 0
    for p in range(SEATS):
        clear(w.played[p])
    w.combo = s.combo
    for t in range(f.tricks - 1, -1, -1):
        at, size = f.begin[t], f.size[t]
        leader = (s.log[at] >> 6) & 7
        for p in range(R.players):
            clear(w.trick[p])
        end = min(at + size * R.players, s.logged)
        for i in range(at, end):
            add(w.trick[(s.log[i] >> 6) & 7], s.log[i] & 63)
        for p in range(R.players):
            join(w.played[p], w.trick[p])
        if size == 1 and not f.failed[t]:
            continue
        suit = R.suit_of[s.combo, s.log[at] & 63]
        w.suit = suit
        put(w.pick, w.trick[leader], -1)
        decompose(R, w)
        if f.failed[t]:
            _note(f, FAILED, leader, t, suit, size, w.lead_shape, w.pick, w.played)
        elif w.units > 1:
            _note(f, STOOD, leader, t, suit, size, w.lead_shape, w.pick, w.played)
        for p in range(R.players):
            if p == leader or p == viewer or size == 1:
                continue
            put(w.w_have, w.trick[p], R.suit_kinds[s.combo, suit])
            if total(w.w_have, -1) < size:
                continue  # his void is noted in the record
            if R.protect_wider or not fits(R, w, s.combo, suit, w.lead_shape, FREE):
                _note(f, FOLLOWED, p, t, suit, size, w.lead_shape, w.trick[p], w.played)


@kernel
def _hand_then(s, f, i, seat, w):
    """Put what a seat held at the time of a fact into the working space."""
    for j in range(PLANES):
        w.hand[seat, j] = s.hand[seat, j]
    join(w.hand[seat], f.since[i, seat])


@inline
def _breaks(R, s, f, i, w):
    """Whether the hands of a game contradict a fact."""
    combo, who, suit = s.combo, f.who[i], f.suit[i]
    w.seat, w.suit, w.count = who, suit, f.count[i]
    if f.what[i] == FOLLOWED:
        _hand_then(s, f, i, who, w)
        for k in range(SHAPE):
            w.lead_shape[k] = f.shape[i, k]
        require(R, w)
        if w.owned <= w.count or w.owed_cards == 0:
            return False
        put(w.w_have, f.play[i], R.suit_kinds[combo, suit])
        return not fits(R, w, combo, suit, w.owed, EXACT_PLAY if R.protect_wider else FREE)
    for p in range(R.players):
        if p != who:
            _hand_then(s, f, i, p, w)
    put(w.pick, f.play[i], -1)
    decompose(R, w)
    beaten = check_throw(R, w) >= 0
    return beaten != (f.what[i] == FAILED)


@boundary(RULES, GAME, FACTS, GAME, int, returns=int)
def broken_facts(R, s, f, w, enough):
    """How many facts the hands of a game contradict, counted up to `enough`."""
    broken = 0
    w.combo = s.combo
    for at in range(f.facts):
        i = f.order[at]
        if _breaks(R, s, f, i, w):
            f.order[at] = f.order[broken]
            f.order[broken] = i
            broken += 1
        if broken >= enough:
            break
    return broken

"""One micro-action on one game, and the ways a game begins: what all faces and drivers call."""

from __future__ import annotations

from .deal import (
    draw_number,
    prepare_step,
    redeal_while_unbid,
    shuffle,
    start_after_bury,
    start_deal,
)
from .jit import boundary, inline, lowest
from .play import begin_lead, play_step
from .record import GAME, LEAD, OVER, RULES, SEATS


@boundary(RULES, GAME, int)
def step(R, s, action):
    """Apply an action that the mask allows; afterwards the mask is that of the next mover."""
    s.moved = 0
    s.steps += 1
    if s.phase >= LEAD:
        play_step(R, s, action)
        s.paid += s.moved
    else:
        prepare_step(R, s, action)
        redeal_while_unbid(R, s)


@inline
def skip_forced(R, s):
    """Play on while the mover has exactly one legal action; what moves adds up in `moved`."""
    moved = s.moved
    while s.phase != OVER and s.mask & (s.mask - 1) == 0:
        step(R, s, lowest(s.mask))
        moved += s.moved
    s.moved = moved


@boundary(RULES, GAME, int, bool)
def lay_out(R, s, seed, match):
    """A new game up to its shuffled deck; `start_given` or `start_play` go on from it.

    A match begins at the bottom of the ladder.  A deal by itself has one level for all, drawn
    from the ladder, and in half of them a declarer.
    """
    s.seed, s.counter, s.steps = seed, 0, 0
    s.deal, s.winners, s.redeals, s.match_over, s.match_winners = 0, 0, 0, 0, 0
    s.next_declarer, s.first_drawer = -1, -1
    place = 0 if match else draw_number(s, R.ladder_length)
    for p in range(SEATS):
        s.level[p], s.gained[p] = place, 0
    if not match and draw_number(s, 2):
        s.next_declarer = draw_number(s, R.players)
    shuffle(R, s)


@boundary(RULES, GAME)
def start_given(R, s):
    """Begin the deal that was laid out: deck, levels, `next_declarer` and `first_drawer`."""
    start_deal(R, s)
    redeal_while_unbid(R, s)


@boundary(RULES, GAME)
def next_deal(R, s):
    """Shuffle and begin the next deal of a match that goes on (R8.1, R8.4)."""
    s.first_drawer = s.declarer if R.friends else -1
    shuffle(R, s)
    start_given(R, s)


@boundary(RULES, GAME, int)
def start_play(R, s, leader):
    """Begin with the first lead (friends: the calls) from hands, kitty, trump, declarer as set."""
    start_after_bury(R, s)
    if not R.friends:
        begin_lead(R, s, leader)

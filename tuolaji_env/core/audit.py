"""Random play with every invariant checked at every step, fast enough for millions of deals."""

from __future__ import annotations

from .batch import random_action
from .jit import boundary, driver, popcount
from .planes import copies, points, total
from .record import BURY, CALL, GAME, OVER, PLAYED_OUT, RULES
from .step import lay_out, next_deal, start_given, step

# What may be wrong with a game.
FINE, DEAD_END, CARDS_LOST, HAND_SIZES, MASK_NOT_OWNED, POINTS_LOST, BAD_RESULT = range(7)


@boundary(RULES, GAME, returns=int)
def wrong_with(R, s):
    """The first invariant that a game breaks, or FINE."""
    over = s.phase == OVER
    if (s.mask == 0) != over:
        return DEAD_END
    for k in range(54 if R.jokers else 52):
        n = copies(s.gone, k) + copies(s.kitty, k)
        for p in range(R.players):
            n += copies(s.hand[p], k)
        if s.burier < 0 and s.tricks == 0 and not over:
            for i in range(s.drawn, R.deck_size):
                n += s.deck[i] == k
        if n != R.decks and not (over and s.ended != PLAYED_OUT):
            return CARDS_LOST
    cards = 0
    for p in range(R.players):
        if total(s.hand[p], -1) != s.held[p]:
            return HAND_SIZES
        cards += s.held[p]
    owned = s.hand[s.seat, 0]
    if s.phase != CALL and s.mask & ((1 << 54) - 1) & ~owned:
        return MASK_NOT_OWNED
    if s.phase == BURY and s.held[s.seat] != R.hand_size + R.kitty:
        return HAND_SIZES
    if over and s.ended == PLAYED_OUT:
        worth = points(s.kitty)
        for p in range(R.players):
            worth += s.taken[p]
        if worth != 100 * R.decks or cards:
            return POINTS_LOST
        sides = 0
        for p in range(R.players):
            sides |= 1 << s.side[p]
            if s.rise[p] and not (s.winners >> p) & 1:
                return BAD_RESULT
        if sides & 1 == 0 or s.winners == 0 or popcount(s.match_winners) > R.players:
            return BAD_RESULT
    return FINE


@driver
def audit(rules, games, seeds, key, deals):
    """Play matches at random in each game until `deals` deals are finished in all.

    seeds: [B] int64.  Returns (deals, micro-steps, game, what is wrong): game -1 if nothing is.
    """
    R = rules[0]
    finished, steps = 0, 0
    for i in range(len(games)):
        lay_out(R, games[i], seeds[i], True)
        start_given(R, games[i])
    while finished < deals:
        for i in range(len(games)):
            s = games[i]
            wrong = wrong_with(R, s)
            if wrong:
                return finished, steps, i, wrong
            if s.phase == OVER:
                finished += 1
                if s.match_over:
                    lay_out(R, s, s.seed + 1, True)
                    start_given(R, s)
                else:
                    next_deal(R, s)
                continue
            step(R, s, random_action(s.mask, key + i, s.steps))
            steps += 1
    return finished, steps, -1, FINE

"""Single rule questions, asked from Python: for rule cases, tests and explanations."""

from __future__ import annotations

from .bid import best_bid, bid_mask, make_bid
from .jit import driver, lowest
from .lead import check_throw
from .play import begin_follow, start_pick
from .record import BID, TRUMP
from .score import (
    GAINED,
    OTHERS,
    WON,
    capture_score,
    clamp_score,
    deal_result,
    last_trick_score,
    rise_from,
)
from .shapes import decompose, main_unit
from .trick import challenge, stand_lead


@driver
def lead_pick(rules, games):
    """Take the pick of games[0] as the cards led: its shape and units."""
    R, s = rules[0], games[0]
    s.suit = R.suit_of[s.combo, s.last]
    s.count = s.picked
    decompose(R, s)


@driver
def ask_follow(rules, games, seat):
    """Ask a seat of games[0] to follow the shape at hand."""
    begin_follow(rules[0], games[0], seat)


@driver
def judge(rules, games):
    """The seat that takes the trick laid out in games[0], seat 0 leading (R7)."""
    R, s = rules[0], games[0]
    stand_lead(R, s, 0)
    for seat in range(1, R.players):
        challenge(R, s, seat)
    return s.winner


@driver
def throw(rules, games):
    """For the units of games[0]: the unit led instead (-1: the throw stands), cards beaten."""
    unit = check_throw(rules[0], games[0])
    return unit, games[0].w_have[0]


@driver
def ask_bid(rules, games, seat):
    """Ask a seat of games[0] for a bid; the mask is 0 if it has none."""
    R, s = rules[0], games[0]
    s.phase, s.seat = BID, seat
    start_pick(s)
    s.bid_best[seat] = best_bid(R, s, seat)
    s.mask = bid_mask(R, s, seat)


@driver
def capture(rules, games, kitty_points):
    """R10.1 for the shape of games[0] and the play of its `winner`."""
    R, s = rules[0], games[0]
    unit = main_unit(s.lead_shape)
    play = s.trick[s.winner]
    trumps = R.suit_of[s.combo, lowest(play[0])] == TRUMP
    return capture_score(R, kitty_points, unit // 64, unit % 64, play, s.count, trumps)


@driver
def last_trick(rules, points, cards, others):
    """R10.2."""
    return last_trick_score(rules[0], points, cards, others)


@driver
def result(rules, points):
    """R10.3, R10.4: (1 if the others declare next, levels)."""
    R = rules[0]
    packed = deal_result(R, clamp_score(R, points))
    return packed // OTHERS, packed % OTHERS


@driver
def rise(rules, place, levels, declared, captured):
    """R2: (new place on the ladder, levels gained, 1 if the match is won)."""
    packed = rise_from(rules[0], place, levels, declared, captured)
    return packed % GAINED, packed % WON // GAINED, packed // WON


@driver
def make(rules, games, action):
    """Let the pick of games[0] stand as its `seat`'s bid."""
    make_bid(rules[0], games[0], action)

"""The play of a deal: leads, follows, tricks, and how the deal ends (R5-R7, R9.2, R10)."""

from __future__ import annotations

from .bid import log
from .follow import ALL, follow_mask, require, room_mask
from .jit import boundary, inline, kernel, lowest
from .lead import check_throw, lead_mask
from .planes import add, clear, copies, join, points, remove, seat_after, total
from .record import (
    FOLLOW,
    GAME,
    LEAD,
    LOG_FAIL,
    LOG_PLAY,
    NO_BIDS,
    OVER,
    PLANES,
    PLAYED_OUT,
    REVOKED,
    RULES,
    TRUMP,
)
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
from .shapes import blank, decompose, keep_unit, main_unit
from .trick import challenge, stand_lead


@inline
def start_pick(s):
    """Nothing is picked yet."""
    clear(s.pick)
    s.picked, s.last = 0, -1


@inline
def begin_lead(R, s, seat):
    """Ask a seat for the lead of the next trick."""
    s.phase, s.seat, s.leader = LEAD, seat, seat
    start_pick(s)
    s.mask = s.hand[seat, 0]
    s.lawful = s.mask


@inline
def follow_masks(R, s):
    if R.forfeit:
        s.lawful = 0 if s.broke else follow_mask(R, s)
        s.mask = room_mask(s.hand[s.seat], s.pick, ALL, s.last, s.count - s.picked)
    else:
        s.mask = follow_mask(R, s)
        s.lawful = s.mask


@inline
def begin_follow(R, s, seat):
    s.phase, s.seat = FOLLOW, seat
    start_pick(s)
    s.broke = 0
    if s.count == 1 and not R.forfeit:
        held = s.hand[seat, 0]
        in_suit = held & R.suit_kinds[s.combo, s.suit]
        s.mask = in_suit if in_suit else held
        s.lawful = s.mask
        return
    require(R, s)
    follow_masks(R, s)


@boundary(RULES, GAME, int)
def _found_friends(R, s, seat):
    """R9.1: count called copies through the deal; whoever plays the named one joins."""
    for i in range(s.calls):
        if s.call_left[i] > 0:
            s.call_left[i] -= copies(s.pick, s.call_kind[i])
            if s.call_left[i] <= 0:
                s.call_left[i] = 0
                s.call_seat[i] = seat
                s.side[seat] = 0


@inline
def _put_down(R, s):
    """Move the mover's pick from his hand into the trick."""
    seat = s.seat
    if R.friends:
        _found_friends(R, s, seat)
    pick = s.pick
    remove(s.hand[seat], pick)
    if (s.exposed_seats >> seat) & 1:
        remove(s.exposed[seat], pick)
    join(s.gone, pick)
    for j in range(PLANES):
        s.trick[seat, j] = pick[j]
    s.held[seat] -= s.picked
    s.worth += points(pick)
    rest = pick[0]
    if s.picked == 1:
        log(s, LOG_PLAY, seat, lowest(rest))
        return
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        for _ in range(copies(pick, k)):
            log(s, LOG_PLAY, seat, k)


@boundary(RULES, GAME, int)
def _fail_throw(R, s, unit):
    """R5.3, R5.4: everybody sees the cards, one beaten unit is led, penalties are noted."""
    seat = s.seat
    beaten_cards = s.w_have[0]
    for j in range(PLANES):
        s.exposed[seat, j] |= s.pick[j]
    s.exposed_seats |= 1 << seat
    penalty = R.penalty_per_card * beaten_cards + R.penalty_points
    s.fined[seat] += penalty
    if not R.friends:
        s.moved += penalty if s.side[seat] == 0 else -penalty
    log(s, LOG_FAIL, seat, 0)
    keep_unit(s, unit)


@inline
def finish_lead(R, s):
    """The leader has ended his pick: throw or unit, it is led (R5)."""
    s.suit = R.suit_of[s.combo, s.last]
    if s.picked == 1:
        blank(s.lead_shape)
        s.lead_shape[1] = 1
    else:
        decompose(R, s)
        if s.units > 1 and R.throws == 2:
            unit = check_throw(R, s)
            if unit >= 0:
                _fail_throw(R, s, unit)
    s.count = s.picked
    _put_down(R, s)
    stand_lead(R, s, s.seat)
    begin_follow(R, s, seat_after(s.seat, 1, R.players))


@inline
def finish_follow(R, s):
    """A follow is complete: compare it, go on to the next seat or end the trick (R7)."""
    seat = s.seat
    if s.broke:
        _end_deal(R, s, REVOKED)
        return
    _put_down(R, s)
    kinds = R.suit_kinds[s.combo, s.suit]
    if (s.pick[0] & kinds == 0) if s.count == 1 else (total(s.pick, kinds) < s.count):
        s.void[seat] |= 1 << s.suit
    challenge(R, s, seat)
    if seat_after(seat, 1, R.players) != s.leader:
        begin_follow(R, s, seat_after(seat, 1, R.players))
    else:
        _end_trick(R, s)


@inline
def _end_trick(R, s):
    winner, worth = s.winner, s.worth
    s.tricks += 1
    if s.held[winner] == 0:
        _end_deal(R, s, PLAYED_OUT)
        return
    s.taken[winner] += worth
    if worth and not R.friends and s.side[winner] == 1:
        s.moved += worth
    _clear_trick(R, s)
    begin_lead(R, s, winner)


@inline
def _clear_trick(R, s):
    for p in range(R.players):
        join(s.played[p], s.trick[p])
        clear(s.trick[p])
    s.worth = 0


@kernel
def _last_trick(R, s):
    """Points of the last trick and the kitty (R10.1, R10.2); returns the others' score."""
    winner = s.winner
    others, worth = s.side[winner] == 1, s.worth
    score = last_trick_score(R, worth, s.count, others)
    s.taken[winner] += worth
    score -= worth if others else 0  # counted with `taken` below
    if others and R.kitty:
        unit = main_unit(s.lead_shape)
        width, length = unit // 64, unit % 64
        kitty = points(s.kitty)
        trumps = s.best_suit == TRUMP
        s.capture = capture_score(R, kitty, width, length, s.trick[winner], s.count, trumps)
        score += s.capture
    return score


@boundary(RULES, GAME, int)
def _end_deal(R, s, how):
    """Score the deal, raise levels, name the next declarer, end the match if it is won."""
    s.ended, s.phase, s.mask, s.lawful = how, OVER, 0, 0
    s.deal += 1
    score = 0
    trump_capture = False
    if how == PLAYED_OUT:
        score = _last_trick(R, s)
        trump_capture = s.best_suit == TRUMP
    for p in range(R.players):
        if s.side[p] == 1:
            score += s.taken[p] - s.fined[p]
        else:
            score += s.fined[p]
    score = clamp_score(R, score)
    s.score = score
    s.moved = score - s.paid
    if how == REVOKED:
        side, rise = 1 - s.side[s.seat], min(3, R.max_rise)
    else:
        result = deal_result(R, score)
        side, rise = result // OTHERS, result % OTHERS
    winners, match_winners = 0, 0
    for p in range(R.players):
        s.rise[p] = 0
        if s.side[p] != side:
            continue
        winners |= 1 << p
        s.rise[p] = rise
        declared = side == 0 and (not R.friends or p == s.declarer)
        captured = trump_capture and (s.winner == p if R.friends else s.side[s.winner] == side)
        risen = rise_from(R, s.level[p], rise, declared, captured)
        s.level[p] = risen % GAINED
        s.gained[p] += risen % WON // GAINED
        if risen >= WON:
            match_winners |= 1 << p
    s.winners = winners
    if how == PLAYED_OUT:
        _clear_trick(R, s)
    if R.friends:
        s.next_declarer = -1
    elif side == 0:
        s.next_declarer = seat_after(s.declarer, 2, R.players)
    else:
        s.next_declarer = seat_after(s.declarer, 1, R.players)
    if match_winners:
        s.match_over, s.match_winners = 1, match_winners
    elif s.deal >= R.max_deals:
        end_match_by_gain(R, s)


@kernel
def end_match_by_gain(R, s):
    """R2.4, R9.3: at `max_deals` more levels gained wins; fixed teams that are equal draw."""
    most = 0
    for p in range(R.players):
        most = max(most, s.gained[p])
    winners = 0
    for p in range(R.players):
        if s.gained[p] == most:
            winners |= 1 << p
    everybody = (1 << R.players) - 1
    s.match_over = 1
    s.match_winners = 0 if winners == everybody and not R.friends else winners


@kernel
def end_without_bids(R, s):
    """R8.5: too many deals in a row without a bid: the match is drawn."""
    s.ended, s.phase, s.mask, s.lawful = NO_BIDS, OVER, 0, 0
    s.score, s.winners = 0, 0
    s.match_over, s.match_winners = 1, 0


@inline
def play_step(R, s, action):
    """One card (or END) of a lead or a follow."""
    if s.phase == FOLLOW:
        if R.forfeit and not (s.lawful >> action) & 1:
            s.broke = 1
    elif action == 54:
        finish_lead(R, s)
        return
    elif s.picked == 0:
        s.suit = R.suit_of[s.combo, action]
    add(s.pick, action)
    s.picked += 1
    s.last = action
    if s.phase == LEAD:
        s.mask = lead_mask(R, s)
        s.lawful = s.mask
    elif s.picked == s.count:
        finish_follow(R, s)
    else:
        follow_masks(R, s)

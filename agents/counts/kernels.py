"""The kernel that counts, a row and an action at a time; see `agents.counts`."""

from __future__ import annotations

import numpy as np

from tuolaji_env.cards import NUM_KINDS, POINTS
from tuolaji_env.core.jit import driver, inline, kernel
from tuolaji_env.core.record import BID, END, LEAD, SEATS, TRUMP

#: Segments of a row that are read.
READ = (
    *("hand", "selection", "played", "unseen", "void", "phase", "lead_suit", "count"),
    *("best_is_trump", "best_top", "trick_points", "leader", "standing", "held"),
    *("with_declarer", "against", "power", "is_trump", "level_rank", "trump", "advice"),
)
#: Where a layout has them: offsets (-1: it has no such segment), seats, and the players or where
#: the row tells their number.
PLACES = np.dtype(
    (np.record, [(name, np.int64) for name in (*READ, "seats", "players", "players_at")])
)
#: What is counted once in a row. Cards of the hand are those not picked yet; points are in fives.
_FIELDS = (
    [(name, np.int64, NUM_KINDS) for name in ("suit", "power", "own", "unseen")]
    + [
        (name, np.int64, 5)
        for name in (
            *("held", "held_pairs", "held_points", "left", "left_pairs", "left_points"),
            *("top", "top_pair", "winners", "winning_pairs"),  # top: the highest unseen power
        )
    ]
    + [("share", np.float64, (SEATS, 5)), ("ally", np.float64, SEATS), ("later", np.int64, SEATS)]
    + [
        (name, np.int64)
        for name in (
            *("players", "led", "count", "best", "best_trump", "standing", "points", "voids"),
            "may_ruff",
            *("picked", "picked_kinds", "picked_most", "picked_points", "picked_beaten"),
            *("picked_suit", "picked_top", "advised"),
        )
    ]
)
TALLY = np.dtype((np.record, _FIELDS))
_FIVES = POINTS.astype(np.int64) // 5
_NONE, _MIXED = -1, 5  # suits of cards picked: none, or several
COUNTS = 97  # numbers about an action


@inline
def _number(row, at):
    return np.int64(row[at])


@inline
def _hot(row, at, size):
    """The place of the last one of some numbers, -1 if all are zero."""
    place = -1
    for i in range(size):
        if row[at + i]:
            place = i
    return place


@kernel
def _tally_cards(p, row, t):
    """Each suit's cards, own and unseen."""
    for suit in range(5):
        t.held[suit] = t.held_pairs[suit] = t.held_points[suit] = 0
        t.left[suit] = t.left_pairs[suit] = t.left_points[suit] = 0
        t.top[suit] = t.top_pair[suit] = t.winners[suit] = t.winning_pairs[suit] = 0
    for k in range(54):
        suit = TRUMP if k > 51 or row[p.is_trump + k] else k // 13
        own = _number(row, p.hand + k) - _number(row, p.selection + k)
        unseen, power = _number(row, p.unseen + k), _number(row, p.power + k)
        t.suit[k], t.power[k], t.own[k], t.unseen[k] = suit, power, own, unseen
        t.held[suit] += own
        t.held_pairs[suit] += own > 1
        t.held_points[suit] += own * _FIVES[k]
        t.left[suit] += unseen
        t.left_pairs[suit] += unseen > 1
        t.left_points[suit] += unseen * _FIVES[k]
        if unseen:
            t.top[suit] = max(t.top[suit], power)
        if unseen > 1:
            t.top_pair[suit] = max(t.top_pair[suit], power)
    for k in range(54):
        suit = t.suit[k]
        if t.power[k] >= t.top[suit]:
            t.winners[suit] += t.own[k]
        if t.own[k] > 1 and t.power[k] >= t.top_pair[suit]:
            t.winning_pairs[suit] += 1
    t.voids, trump = 0, _hot(row, p.trump, 4)
    for suit in range(4):
        t.voids += t.held[suit] == 0 and suit != trump


@kernel
def _tally_seats(p, row, t):
    """The trick, who is yet to play in it, who is an ally, who may hold what."""
    t.players = p.players if p.players else _number(row, p.players_at)
    t.led, t.count = _hot(row, p.lead_suit, 5), _number(row, p.count)
    t.best, t.best_trump = _number(row, p.best_top), _number(row, p.best_is_trump)
    t.standing, t.points = _hot(row, p.standing, p.seats), _number(row, p.trick_points)
    leader = _hot(row, p.leader, p.seats)
    t.may_ruff = t.led != TRUMP
    for k in range(54):
        if t.suit[k] == t.led and row[p.hand + k]:
            t.may_ruff = False
    left = 0
    for suit in range(5):
        left += t.left[suit]
    for seat in range(1, t.players):
        left -= _number(row, p.held + seat)
        same = row[p.with_declarer] & row[p.with_declarer + seat]
        same |= row[p.against] & row[p.against + seat]
        other = row[p.with_declarer] & row[p.against + seat]
        other |= row[p.against] & row[p.with_declarer + seat]
        t.ally[seat] = 1.0 if same else 0.0 if other else 0.5
        t.later[seat] = t.led < 0 or seat < leader
    hidden = max(left, 0)  # unseen cards in no hand: the kitty, or what is still to be drawn
    for suit in range(5):
        buried = suit == TRUMP and not row[p.phase + BID]  # trumps seldom are
        cards = 0 if buried else hidden
        for seat in range(1, t.players):
            if not row[p.void + 5 * seat + suit]:
                cards += _number(row, p.held + seat)
        for seat in range(1, t.players):
            held = 0 if row[p.void + 5 * seat + suit] else _number(row, p.held + seat)
            t.share[seat, suit] = min(held / cards, 1.0) if cards else 0.0


@kernel
def _tally_picked(p, row, t):
    """The cards picked so far, and the advice."""
    t.picked = t.picked_kinds = t.picked_most = t.picked_points = t.picked_beaten = 0
    t.picked_suit, t.picked_top = _NONE, -1
    for k in range(54):
        copies = _number(row, p.selection + k)
        if copies:
            suit = t.suit[k]
            t.picked += copies
            t.picked_kinds += 1
            t.picked_points += copies * _FIVES[k]
            t.picked_most = max(t.picked_most, copies)
            t.picked_beaten += copies == 1 and t.power[k] < t.top[suit]
            t.picked_suit = suit if t.picked_suit in (_NONE, suit) else _MIXED
            if t.picked_top < 0 or t.power[k] > t.power[t.picked_top]:
                t.picked_top = k
    t.advised = _hot(row, p.advice, 63) if p.advice >= 0 else -1


@inline
def _slot(seat, players):
    """Seats in three groups: the next one, those between, the last one."""
    return 0 if seat == 1 else 2 if seat == players - 1 else 1


@inline
def _write_suit(t, k, f, n):
    """The card, its suit, and trumps. 18 numbers."""
    suit = t.suit[k]
    f[n], f[n + 1], f[n + 2] = t.power[k] / 16, suit == TRUMP, _FIVES[k] / 2
    f[n + 3], f[n + 4] = t.own[k] / 2, t.unseen[k] / 2
    f[n + 5], f[n + 6] = t.held[suit] / 10, t.held_pairs[suit] / 3
    f[n + 7], f[n + 8] = t.left[suit] / 10, t.left_pairs[suit] / 3
    f[n + 9], f[n + 10] = t.held_points[suit] / 3, t.left_points[suit] / 5
    f[n + 11], f[n + 12] = t.winners[suit] / 3, t.winning_pairs[suit] / 2
    f[n + 13] = t.held[suit] == t.own[k]
    f[n + 14], f[n + 15] = t.held[TRUMP] / 10, t.left[TRUMP] / 10
    f[n + 16], f[n + 17] = t.winners[TRUMP] / 3, t.voids / 3
    return n + 18


@inline
def _write_around(t, k, f, n):
    """What the suit holds above the card and below. 12 numbers."""
    suit, power = t.suit[k], t.power[k]
    linked = False  # with another pair of its own, perhaps as a tractor
    for j in range(n, n + 12):
        f[j] = 0
    for j in range(54):
        if t.suit[j] == suit and j != k:
            at = n if t.power[j] > power else n + 4
            if t.power[j] == power:
                f[n + 8] += t.unseen[j] / 2
            else:
                f[at] += t.unseen[j] / 5
                f[at + 1] += t.own[j] / 5
                f[at + 2] += (t.unseen[j] > 1) / 3
                f[at + 3] += (t.own[j] > 1) / 2
            if t.own[j] > 1 and t.own[k] > 1 and abs(t.power[j] - power) == 1:
                linked = True
    f[n + 9], f[n + 10], f[n + 11] = f[n] == 0, f[n + 2] == 0, linked
    return n + 12


@inline
def _takes(t, k):
    """Whether the card by itself beats what stands."""
    if t.suit[k] == TRUMP:
        return (t.led == TRUMP or t.may_ruff) and (not t.best_trump or t.power[k] > t.best)
    return t.suit[k] == t.led and not t.best_trump and t.power[k] > t.best


@inline
def _write_trick(p, row, t, k, f, n):
    """How the trick stands. 13 numbers."""
    later = 0
    for seat in range(1, t.players):
        later += t.later[seat]
    for j in range(n, n + 13):
        f[j] = 0
    if t.led < 0:
        f[n] = row[p.phase + LEAD]
        return n + 13
    ally = t.ally[t.standing] if t.standing > 0 else 0.0
    comparable = t.suit[k] == (TRUMP if t.best_trump else t.led)
    f[n + 1], f[n + 2] = _takes(t, k), (t.power[k] - t.best) / 16 if comparable else 0.0
    f[n + 3], f[n + 4] = t.suit[k] == t.led, t.held[t.led] / 10
    f[n + 5], f[n + 6] = t.count / 4, t.count == 1
    f[n + 7], f[n + 8] = ally, t.points / 10
    f[n + 9], f[n + 10] = (ally - 0.5) * t.points / 5, (ally - 0.5) * _FIVES[k]
    f[n + 11], f[n + 12] = later == 0, later / 3
    return n + 13


@inline
def _write_chances(p, row, t, k, above, pairs_above, f, n):
    """What later seats may do to the card, by groups of seats and sides. 26 numbers.

    above, pairs_above: unseen cards and pairs of its suit that are higher.
    """
    suit, led = t.suit[k], t.led
    of = suit if led < 0 else led  # the suit that later seats must follow
    if led >= 0 and suit not in (led, TRUMP):
        above = pairs_above = 0  # a discard: nothing need be higher
    for j in range(n, n + 26):
        f[j] = 0
    for j in range(n, n + 12):
        f[j] = 1
    us, them = 1.0, 1.0  # that nobody of our side, of theirs, takes it from the card
    for seat in range(1, t.players):
        group = _slot(seat, t.players)
        f[n + 12 + group] = max(f[n + 12 + group], np.float64(row[p.void + 5 * seat + suit]))
        played = worth = 0
        for j in range(54):
            if t.suit[j] == suit:
                copies = _number(row, p.played + 54 * seat + j)
                played += copies
                worth += copies * _FIVES[j]
        f[n + 15 + 2 * group] += played / 5
        f[n + 16 + 2 * group] += worth / 3
        if not t.later[seat]:
            continue
        share = t.share[seat, suit]
        void = (1 - t.share[seat, of]) ** t.left[of]
        able = void if suit != of else 1.0  # a trump is beaten by who may ruff, too
        has = able * (1 - (1 - share) ** above)
        pair = able * (1 - (1 - share * share) ** pairs_above)
        ruffs = 0.0
        if suit == of and suit != TRUMP:
            ruffs = void * (1 - (1 - t.share[seat, TRUMP]) ** t.left[TRUMP])
        at = n + 4 * group
        f[at] *= 1 - has
        f[at + 1] *= 1 - pair
        f[at + 2] *= 1 - void
        f[at + 3] *= 1 - ruffs
        takes = 1 - (1 - has) * (1 - ruffs)
        us *= 1 - t.ally[seat] * takes
        them *= 1 - (1 - t.ally[seat]) * takes
    for j in range(n, n + 12):
        f[j] = 1 - f[j]
    f[n + 21], f[n + 22] = us, them
    if led < 0:
        f[n + 23] = them * _FIVES[k] / 5
        f[n + 24] = them * us
    elif _takes(t, k):
        f[n + 23] = them * (t.points + _FIVES[k]) / 5
        f[n + 25] = them
    return n + 26


@inline
def _write_picked(t, k, end, f, n):
    """What is picked already, and how the card goes with it. 11 numbers."""
    top = t.picked_top
    f[n], f[n + 1], f[n + 2] = t.picked > 0, t.picked / 4, t.picked_most / 2
    f[n + 3], f[n + 4] = t.picked_kinds / 3, t.picked_points / 3
    f[n + 5], f[n + 6] = t.picked_beaten / 2, end
    f[n + 7] = f[n + 8] = f[n + 9] = f[n + 10] = 0
    if top >= 0 and k >= 0:
        apart = t.power[k] - t.power[top]
        same = t.picked_suit == t.suit[k]
        f[n + 7], f[n + 8], f[n + 9] = same, apart / 16, same and abs(apart) == 1
        f[n + 10] = k == top
    return n + 11


@inline
def _write_advice(t, k, action, f, n):
    """The advised card beside this one. 11 numbers."""
    for j in range(n, n + 11):
        f[j] = 0
    a = t.advised
    f[n], f[n + 1] = a == action, a == END
    if 0 <= a < 54:
        suit = t.suit[a]
        f[n + 2], f[n + 3] = t.power[a] / 16, suit == TRUMP
        f[n + 4], f[n + 5] = _FIVES[a] / 2, t.own[a] / 2
        if k >= 0:
            same = suit == t.suit[k]
            f[n + 6], f[n + 7] = same, (t.power[k] - t.power[a]) / 16 if same else 0.0
            f[n + 8] = 0.0 if same else t.held[suit] / 10
            f[n + 9] = _FIVES[k] - _FIVES[a]
    f[n + 10] = a >= 0
    return n + 11


@inline
def _write_bid(p, row, t, k, f, n):
    """The hand if the card's suit became trump; cards in hand. 6 numbers."""
    for j in range(n, n + 6):
        f[j] = 0
    f[n] = row[p.held] / 16
    if row[p.phase + BID]:
        f[n + 1] = 1
        level = _hot(row, p.level_rank, 13)
        for j in range(54):
            if j > 51 or j % 13 == level or j // 13 == k // 13:
                f[n + 2] += row[p.hand + j] / 10
        for suit in range(4):
            held = 0
            for j in range(13):
                held += row[p.hand + 13 * suit + j] if j != level else 0
            f[n + 3] += (suit != k // 13 and held < 4) / 3
        f[n + 4], f[n + 5] = row[p.hand + 52], row[p.hand + 53]
    return n + 6


@kernel
def _write(p, row, t, action, f):
    """The numbers about an action; of an `END`, about the highest card picked.

    An action without a card (a pass, the last word of a call or a bid) has those of what is picked
    and advised alone.
    """
    k = action if action < 54 else t.picked_top if action == END else -1
    n = _write_picked(t, k, action == END, f, 0)
    n = _write_advice(t, k, action, f, n)
    if k < 0:
        f[n:] = 0
        return n
    n = _write_suit(t, k, f, n)
    above, pairs = 0, 0
    for j in range(54):
        if t.suit[j] == t.suit[k] and t.power[j] > t.power[k]:
            above += t.unseen[j]
            pairs += t.unseen[j] > 1
    n = _write_around(t, k, f, n)
    n = _write_trick(p, row, t, k, f, n)
    n = _write_chances(p, row, t, k, above, pairs, f, n)
    return _write_bid(p, row, t, k, f, n)


@driver
def count_actions(places, rows, at, actions, tally, out):
    """See `agents.counts.count`. places: [1] `PLACES`; tally: [1] `TALLY`, to work in."""
    p, t, before = places[0], tally[0], -1
    for i in range(len(at)):
        row = rows[at[i]]
        if at[i] != before:
            before = at[i]
            _tally_cards(p, row, t)
            _tally_seats(p, row, t)
            _tally_picked(p, row, t)
        _write(p, row, t, actions[i], out[i])

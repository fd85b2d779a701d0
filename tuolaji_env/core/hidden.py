"""Hidden cards: what a seat has not seen, and which places there are for it.

`prepare` works out, for one seat, which cards are hidden from it and how many places the other
hands and the kitty (or the cards not yet drawn) have for them.  Suits that a seat has shown to
lack, cards of bids and failed throws that it must still hold, and cards that the burier holds or
buried restrict the places.  Holders with the same restrictions form a *group*, cards with the same
groups a *class*; `core/spread.py` fills the places.
"""

from __future__ import annotations

import numpy as np

from .jit import boundary, inline, kernel, lowest
from .planes import add, clear, copies
from .record import BID, BURY, GAME, KINDS, MAX_DECK, PLANES, RULES, SMALL_JOKER

HOLDERS = 8  # six other seats and the kitty, or the cards to be drawn
CLASSES = 7  # five suits, cards held or buried by the burier, and one to spare
TABLE = 1 << 17

HIDDEN = np.dtype(
    [
        ("viewer", np.int64),
        ("key", np.int64),  # of the sample's random numbers
        ("counter", np.int64),
        ("holders", np.int64),
        ("seat", np.int64, HOLDERS),  # -1: the kitty, -2: cards to be drawn
        ("need", np.int64, HOLDERS),  # places beside `fixed`
        ("fixed", np.int64, (HOLDERS, PLANES)),
        ("loose", np.int64, PLANES),  # cards that the burier holds or buried
        ("burier", np.int64),  # his place among the holders; -1
        ("group", np.int64, HOLDERS),
        ("groups", np.int64),
        ("members", np.int64, HOLDERS),  # holders by group
        ("last_need", np.int64, HOLDERS),  # places of the last of them
        ("space", np.int64, HOLDERS),  # places by group
        ("radix", np.int64, HOLDERS),
        ("classes", np.int64),  # restricted ones first, the unrestricted one last
        ("may", np.int64, CLASSES),  # groups that may hold the class, as bits
        ("size", np.int64, CLASSES),
        ("first", np.int64, CLASSES),
        ("card", np.int16, MAX_DECK),  # kinds, class by class
        ("ways", np.float64, TABLE),  # assignments by what is left to the groups, per class
        ("all_ways", np.float64),  # all of them
        ("states", np.int64),  # entries per class in `ways`; 0: not needed, -1: too many
        ("split", np.int64, HOLDERS),
        ("rest", np.int64, HOLDERS),
        ("dealt", np.int64, HOLDERS),  # cards in `pile` by group
        ("pile", np.int16, (HOLDERS, MAX_DECK)),  # class * 64 + kind
        ("swap", np.int16, MAX_DECK),
        ("sets", np.int64, (HOLDERS, PLANES)),  # the sample: cards of each holder
    ],
    align=True,
)


@inline
def _hidden_copies(R, s, viewer, kind):
    """Copies of a kind that the viewer has not seen."""
    n = R.decks - copies(s.gone, kind) - copies(s.hand[viewer], kind)
    if s.burier == viewer:
        n -= copies(s.kitty, kind)
    return n


@inline
def _told_copies(s, seat, kind):
    """Copies that a seat has shown and has not had the chance to pass on in a kitty of its own."""
    if (s.parted >> seat) & 1 == 0:
        told = copies(s.shown[seat], kind)
        if s.burier == seat and s.bid_count == 0:
            told = max(told, copies(s.flipped, kind))
        return told
    if s.burier != seat:
        return 0
    if kind >= SMALL_JOKER:  # the bid by which it took the kitty again
        return s.bid_small if kind == SMALL_JOKER else s.bid_big
    return s.bid_copies if kind == s.bid_kind else 0


@inline
def _bound_copies(s, seat, kind):
    """Copies that a seat must hold (+ 8 times those that it holds or has buried)."""
    held = copies(s.exposed[seat], kind)
    told = _told_copies(s, seat, kind)
    told -= copies(s.played[seat], kind) + copies(s.trick[seat], kind)
    if s.burier == seat:
        return held + 8 * max(told - held, 0)
    return max(told, held)


@kernel
def _list_holders(R, s, viewer, h):
    h.viewer, h.holders, h.burier = viewer, 0, -1
    for p in range(R.players):
        if p == viewer:
            continue
        if p == s.burier:
            h.burier = h.holders
        h.seat[h.holders] = p
        h.need[h.holders] = s.held[p]
        h.holders += 1
    if s.burier < 0 and s.phase == BID:
        h.seat[h.holders], h.need[h.holders] = -2, R.deck_size - s.drawn
        h.holders += 1
    elif R.kitty and s.burier != viewer and s.phase != BURY:
        h.seat[h.holders], h.need[h.holders] = -1, R.kitty
        h.holders += 1
    else:
        h.burier = -1  # no kitty in which his cards might be
    for i in range(h.holders):
        clear(h.fixed[i])
    clear(h.loose)


@kernel
def _form_groups(R, s, h, loose):
    """Holders with the same restrictions become one group."""
    h.groups = 0
    for i in range(h.holders):
        seat = h.seat[i]
        lacks = s.void[seat] if seat >= 0 else 0
        alone = loose and (i == h.burier or seat == -1)
        place = h.groups
        for k in range(i):
            same = (s.void[h.seat[k]] if h.seat[k] >= 0 else 0) == lacks
            if same and not alone and not (loose and (k == h.burier or h.seat[k] == -1)):
                place = h.group[k]
                break
        if place == h.groups:
            h.space[place], h.members[place] = 0, 0
            h.groups += 1
        h.group[i] = place
        h.members[place] += 1
        h.last_need[place] = h.need[i]
        h.space[place] += h.need[i]


@kernel
def _groups_for(s, h, suit):
    """Groups that may hold cards of a suit, as bits."""
    may = 0
    for i in range(h.holders):
        seat = h.seat[i]
        if seat < 0 or not (s.void[seat] >> suit) & 1:
            may |= 1 << h.group[i]
    return may


@inline
def _add_class(h, may, planes, kinds, at):
    """Append the cards of `planes` on `kinds` as a class, or to the last one if it is alike."""
    c = h.classes - 1
    if c < 0 or h.may[c] != may:
        c += 1
        h.classes = c + 1
        h.may[c], h.size[c], h.first[c] = may, 0, at
    rest = kinds & planes[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        for _ in range(copies(planes, k)):
            h.card[at] = k
            h.size[c] += 1
            at += 1
    return at


@boundary(RULES, GAME, int, HIDDEN, returns=int)
def prepare(R, s, viewer, h):
    """What `spread` needs to sample the cards hidden from a seat; False if nothing fits."""
    _list_holders(R, s, viewer, h)
    pool = h.sets[0]
    clear(pool)
    loose = 0
    for k in range(KINDS if R.jokers else KINDS - 2):
        left = _hidden_copies(R, s, viewer, k)
        for i in range(h.holders):
            if h.seat[i] < 0 or left <= 0:
                continue
            bound = _bound_copies(s, h.seat[i], k)
            held = min(bound % 8, left)
            other = min(bound // 8, left - held)
            if i != h.burier:
                held, other = held + other, 0
            for _ in range(held):
                add(h.fixed[i], k)
            h.need[i] -= held
            left -= held + other
            buried = other > 0 and (s.void[h.seat[i]] >> R.suit_of[s.combo, k]) & 1
            for _ in range(other):
                if buried:
                    add(h.fixed[h.holders - 1], k)
                    h.need[h.holders - 1] -= 1
                else:
                    add(h.loose, k)
                    loose += 1
        for _ in range(left):
            add(pool, k)
    _form_groups(R, s, h, loose)
    everybody = (1 << h.groups) - 1
    h.classes = 0
    at = 0
    if loose:
        owner = 1 << h.group[h.burier] | 1 << h.group[h.holders - 1]
        at = _add_class(h, owner, h.loose, -1, at)
    done = 0
    for suit in range(5):
        may = _groups_for(s, h, suit)
        if may == everybody or (done >> suit) & 1:
            continue
        for other in range(suit, 5):  # suits with the same holders make one class
            if not (done >> other) & 1 and _groups_for(s, h, other) == may:
                done |= 1 << other
                at = _add_class(h, may, pool, R.suit_kinds[s.combo, other], at)
    for suit in range(5):
        if not (done >> suit) & 1:
            at = _add_class(h, everybody, pool, R.suit_kinds[s.combo, suit], at)
    if h.classes == 0 or h.may[h.classes - 1] != everybody:
        c = h.classes
        h.classes = c + 1
        h.may[c], h.size[c], h.first[c] = everybody, 0, at
    total = 0
    for g in range(h.groups):
        total += h.space[g]
        if h.space[g] < 0:
            return 0
    return total == at

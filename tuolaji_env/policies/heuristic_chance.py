"""Chances, by counting, that seats hold what beats a play; all of them in parts of `ONE`.

Every unseen card lies with each seat that may hold its suit in proportion to the cards that the
seat holds.  The kitty counts as such a seat for side suits, unless the mover buried it: trumps are
seldom buried.
"""

from __future__ import annotations

from ..core.jit import boundary, inline, kernel, lowest
from ..core.planes import copies, seat_after, total
from ..core.record import GAME, RULES, TRUMP
from ..core.shapes import chain, runs, top_of
from .count import lacks

ONE = 1024


@inline
def power(q, n):
    """q to the n-th."""
    out = ONE
    for _ in range(n):
        out = out * q >> 10
    return out


@kernel
def share(R, s, p, suit):
    """The chance that an unseen card of a suit lies with a seat."""
    if lacks(s, p, suit):
        return 0
    cards = R.kitty if s.burier != s.seat and suit != TRUMP else 0
    for other in range(R.players):
        if other != s.seat and not lacks(s, other, suit):
            cards += s.held[other]
    if cards == 0:
        return 0
    return min(s.held[p] * ONE // cards, ONE)


@inline
def at_least(q, n, width):
    """The chance that a seat has `width` or more of n cards, each of them with chance q."""
    if width == 1:
        return ONE - power(ONE - q, n)
    if width == n:
        return power(q, n)
    if width == 2:
        if n == 3:
            return (q * q >> 10) * (3 * ONE - 2 * q) >> 10
        return ONE - power(ONE - q, 4) - (4 * q * power(ONE - q, 3) >> 10)
    return power(q, 3) * (4 * ONE - 3 * q) >> 10


@kernel
def chance_void(R, s, p, suit, left):
    """The chance that a seat has no card of a suit. left: the unseen cards."""
    if lacks(s, p, suit):
        return ONE
    return power(ONE - share(R, s, p, suit), total(left, R.suit_kinds[s.combo, suit]))


@kernel
def chance_unit(R, s, p, suit, left, width, length, top):
    """The chance that a seat holds a unit (width, length) of a suit above `top`."""
    combo = s.combo
    kinds = left[width - 1] & R.suit_kinds[combo, suit]
    if kinds == 0:
        return 0
    q = share(R, s, p, suit)
    if q == 0:
        return 0
    none = ONE
    if length == 1:
        rest = kinds
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            if R.power[combo, k] > top:
                none = none * (ONE - at_least(q, copies(left, k), width)) >> 10
    else:
        starts = runs(chain(R, combo, suit, kinds), length)
        while starts:
            start = lowest(starts)
            starts &= starts - 1
            run, has = 0, ONE
            for link in range(start, start + length):
                here = R.link_kinds[combo, suit, link] & kinds
                run |= here
                has = has * at_least(q, copies(left, lowest(here)), width) >> 10
            if top_of(R, combo, run, True) > top:
                none = none * (ONE - has) >> 10
    return ONE - none


@inline
def _passes_to(chance, us, them):
    """A chance of the trick after both sides may take it; if both do, each as often."""
    chance = chance * (ONE - us) >> 10
    chance = chance * (ONE - them) >> 10
    return chance + (us * (2 * ONE - them) >> 11)


@kernel
def _next_height(R, combo, kinds, level):
    """The lowest power above a level among kinds; -1: none."""
    best = -1
    while kinds:
        height = R.power[combo, lowest(kinds)]
        kinds &= kinds - 1
        if height > level and (best < 0 or height < best):
            best = height
    return best


@kernel
def _overtaken(R, s, left, mine, led, suit, width, top, chance, after):
    """The chance once later seats play what they may hold above a tuple: the highest takes it."""
    combo = s.combo
    kinds = left[width - 1] & R.suit_kinds[combo, suit]
    level = _next_height(R, combo, kinds, top)
    while level >= 0:
        n, rest = 0, kinds
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            if R.power[combo, k] == level:
                n = n + copies(left, k) if width == 1 else max(n, copies(left, k))
        us, them = 0, 0
        p = after
        while p != s.leader:
            q = share(R, s, p, suit)
            if suit != led:
                q = q * chance_void(R, s, p, led, left) >> 10
            has = at_least(q, n, width)
            if s.side[p] == mine:
                us += (ONE - us) * has >> 10
            else:
                them += (ONE - them) * has >> 10
            p = seat_after(p, 1, R.players)
        chance = _passes_to(chance, us, them)
        level = _next_height(R, combo, kinds, level)
    return chance


@kernel
def _outrun(R, s, left, mine, led, suit, width, length, top, chance, after):
    """As `_overtaken`, for a tractor."""
    p = after
    while p != s.leader:
        has = chance_unit(R, s, p, suit, left, width, length, top)
        if suit != led:
            has = has * chance_void(R, s, p, led, left) >> 10
        if s.side[p] == mine:
            chance += (ONE - chance) * has >> 11
        else:
            chance = chance * (ONE - has) >> 10
        p = seat_after(p, 1, R.players)
    return chance


@kernel
def _ruffed(R, s, left, mine, led, width, length, extra, chance, after):
    """The chance once later seats that may be void in the led side suit have ruffed."""
    us, them = 0, 0
    p = after
    while p != s.leader:
        has = chance_void(R, s, p, led, left) if s.held[p] else 0
        if has:
            has = has * chance_unit(R, s, p, TRUMP, left, width, length, -1) >> (10 + extra)
            if s.side[p] == mine:
                us += (ONE - us) * has >> 10
            else:
                them += (ONE - them) * has >> 10
        p = seat_after(p, 1, R.players)
    return _passes_to(chance, us, them)


@boundary(RULES, GAME, int, int, int, int, int, int, int, int, int, bool, int, returns=int)
def _chance_ours(R, s, a, b, c, d, mine, led, suit, unit, top, ours, after):
    left = a, b, c, d
    width, extra, length = unit >> 9, (unit >> 6) & 7, unit & 63
    chance = ONE if ours else 0
    if extra == 0 or suit != led:
        if length == 1:
            chance = _overtaken(R, s, left, mine, led, suit, width, top, chance, after)
        else:
            chance = _outrun(R, s, left, mine, led, suit, width, length, top, chance, after)
    if suit == led and led != TRUMP:
        chance = _ruffed(R, s, left, mine, led, width, length, extra, chance, after)
    return chance


@inline
def chance_ours(R, s, left, mine, led, suit, width, length, top, extra, ours, after):
    """The chance that the mover's side takes the trick in which this unit of `suit` stands.

    led: the suit led; extra: 0 for a lead of one unit, more for a throw; ours: whether the unit is
    the side's own; after: the next seat to play.
    """
    a, b, c, d = left
    unit = (width * 8 + extra) * 64 + length
    return _chance_ours(R, s, a, b, c, d, mine, led, suit, unit, top, ours, after)

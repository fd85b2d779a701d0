"""Chances, by counting, that seats hold what beats a play; all of them in parts of `ONE`.

Every unseen card lies with each seat that may hold its suit in proportion to the cards that the
seat holds.  The kitty counts as such a seat for side suits, unless the mover buried it: trumps are
seldom buried.  All seats that are yet to play hold as many cards, so that their chances are the
same; what differs is how far they are allies, and whether they have shown to be void.
"""

from __future__ import annotations

from ..core.jit import boundary, highest, inline, kernel, lowest
from ..core.planes import copies, seat_after, total
from ..core.record import GAME, RULES, TRUMP
from ..core.shapes import chain, runs, top_of
from .count import lacks
from .heuristic_sides import ALLY

ONE = 1024


@inline
def power(q, n):
    """q to the n-th."""
    out = ONE
    while n:
        if n & 1:
            out = out * q >> 10
        q = q * q >> 10
        n >>= 1
    return out


@inline
def power_of(q, weight):
    """q to the power of so many parts of `ALLY`."""
    out = power(q, weight // ALLY)
    return out - (out * (ONE - q) >> 10) * (weight % ALLY) // ALLY


@kernel
def share(R, s, suit, after):
    """The chance that an unseen card of a suit lies with one of the seats yet to play."""
    cards = R.kitty if s.burier != s.seat and suit != TRUMP else 0
    for other in range(R.players):
        if other != s.seat and not lacks(s, other, suit):
            cards += s.held[other]
    if cards == 0:
        return 0
    return min(s.held[after] * ONE // cards, ONE)


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
def chance_unit(R, s, q, suit, left, width, length, top):
    """The chance that a seat holds a unit (width, length) of a suit above `top`."""
    combo = s.combo
    kinds = left[width - 1] & R.suit_kinds[combo, suit]
    none = ONE
    if kinds == 0:
        return 0
    if length == 1:
        if width == 1 and top < 0:
            return ONE - power(ONE - q, total(left, kinds))
        while kinds:
            k = lowest(kinds)
            kinds &= kinds - 1
            if R.power[combo, k] > top:
                none = none * (ONE - at_least(q, copies(left, k), width)) >> 10
        return ONE - none
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
def _somebody(has, sure, void, unsure):
    """The chance that of two groups of seats, by weight, one has what each has with a chance.

    The second group has it with that chance only if it is void in the suit led, of chance `void`.
    """
    none = power_of(ONE - has, sure)
    return ONE - (none * power_of(ONE - (has * void >> 10), unsure) >> 10)


@inline
def _passes_to(chance, us, them):
    """A chance of the trick after both sides may take it; if both do, each as often."""
    chance = chance * (ONE - us) >> 10
    chance = chance * (ONE - them) >> 10
    return chance + (us * (2 * ONE - them) >> 11)


@kernel
def _highest_kinds(R, combo, kinds):
    """The highest of some kinds in power, those of the same power together."""
    best, height = 0, -1
    while kinds:
        k = lowest(kinds)
        kinds &= kinds - 1
        if R.power[combo, k] > height:
            best, height = 1 << k, R.power[combo, k]
        elif R.power[combo, k] == height:
            best |= 1 << k
    return best


@inline
def _most_copies(planes, kinds, width):
    """Copies of one of these kinds; for singles of all of them, since any will do."""
    n = 0
    while kinds:
        more = copies(planes, lowest(kinds))
        kinds &= kinds - 1
        n = n + more if width == 1 else max(n, more)
    return n


@kernel
def _overtaken(R, s, left, suit, width, top, chance, q, groups, void):
    """The chance once later seats play what they may hold above a tuple: the highest takes it."""
    sure_us, sure_them, unsure_us, unsure_them = groups
    combo = s.combo
    kinds = left[width - 1] & R.suit_kinds[combo, suit]
    ours, nobody = 0, ONE  # taken by our side with higher cards; nobody has any of those
    counted, us, them = 0, 0, 0
    while kinds and nobody > 16:
        k = highest(kinds)
        same = _highest_kinds(R, combo, kinds) if suit == TRUMP else 1 << k
        if R.power[combo, lowest(same)] <= top:
            break
        kinds ^= same
        n = _most_copies(left, same, width)
        if n != counted:
            has = at_least(q, n, width)
            us = _somebody(has, sure_us, void, unsure_us)
            them = _somebody(has, sure_them, void, unsure_them)
            counted = n
        ours += nobody * (us * (2 * ONE - them) >> 11) >> 10
        nobody = (nobody * (ONE - us) >> 10) * (ONE - them) >> 10
    return ours + (nobody * chance >> 10)


@kernel
def _ruffed(R, s, left, width, length, extra, chance, q, groups, void):
    """The chance once later seats that may be void in the led side suit have ruffed."""
    sure_us, sure_them, unsure_us, unsure_them = groups
    has = chance_unit(R, s, q, TRUMP, left, width, length, -1) >> extra
    us = _somebody(has, sure_us, void, unsure_us)
    return _passes_to(chance, us, _somebody(has, sure_them, void, unsure_them))


@kernel
def _able(R, s, suit, after):
    """Later seats that may hold a suit, by weight: allies, others, and none that are unsure."""
    us, them = 0, 0
    p = after
    while p != s.leader:
        if not lacks(s, p, suit):
            us += s.w_tops[p]
            them += ALLY - s.w_tops[p]
        p = seat_after(p, 1, R.players)
    return us, them, 0, 0


@kernel
def _ruffers(R, s, led, after):
    """Later seats that may ruff, by weight: allies and others known to be void, then the rest."""
    us, them, unsure_us, unsure_them = 0, 0, 0, 0
    p = after
    while p != s.leader:
        if not lacks(s, p, TRUMP):
            if lacks(s, p, led):
                us += s.w_tops[p]
                them += ALLY - s.w_tops[p]
            else:
                unsure_us += s.w_tops[p]
                unsure_them += ALLY - s.w_tops[p]
        p = seat_after(p, 1, R.players)
    return us, them, unsure_us, unsure_them


@boundary(RULES, GAME, int, int, int, int, int, int, int, int, int, int, returns=int)
def _chance_ours(R, s, a, b, c, d, led, suit, unit, top, chance, after):
    left = a, b, c, d
    width, extra, length = unit >> 9, (unit >> 6) & 7, unit & 63
    q = share(R, s, led, after)
    void = power(ONE - q, total(left, R.suit_kinds[s.combo, led]))
    if suit == led:
        groups = _able(R, s, led, after)
    else:
        groups = _ruffers(R, s, led, after)
        q = share(R, s, TRUMP, after)
    if extra == 0 or suit != led:
        if length == 1:
            chance = _overtaken(R, s, left, suit, width, top, chance, q, groups, void)
        else:
            sure_us, sure_them, unsure_us, unsure_them = groups
            has = chance_unit(R, s, q, suit, left, width, length, top)
            us = _somebody(has, sure_us, void, unsure_us)
            them = _somebody(has, sure_them, void, unsure_them)
            chance = chance * (ONE - them) >> 10
            chance += (ONE - chance) * us >> 11
    if suit == led and led != TRUMP:
        groups = _ruffers(R, s, led, after)
        q = share(R, s, TRUMP, after)
        chance = _ruffed(R, s, left, width, length, extra, chance, q, groups, void)
    return chance


@inline
def chance_ours(R, s, left, led, suit, width, length, top, extra, chance, after):
    """The chance that the mover's side takes the trick in which this unit of `suit` stands.

    led: the suit led; extra: 0 for a lead of one unit, more for a throw; chance: that the unit is
    the side's own; after: the next seat to play.  `w_tops` tells the allies.
    """
    if after == s.leader:
        return chance
    a, b, c, d = left
    unit = (width * 8 + extra) * 64 + length
    return _chance_ours(R, s, a, b, c, d, led, suit, unit, top, chance, after)

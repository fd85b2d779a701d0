"""Leading (R5): the exact mask of a lead that is being built, and what becomes of a throw."""

from __future__ import annotations

from .jit import boundary, highest, inline, kernel, lowest, popcount
from .planes import copies
from .record import END_BIT, GAME, PLANES, RULES
from .shapes import as_unit, chain, runs, top_of


@inline
def _span(word):
    """All links from the lowest to the highest of a set."""
    return ((2 << highest(word)) - 1) & -(1 << lowest(word))


@kernel
def _is_begun_tractor(R, s, hand, width):
    """Whether a pick of several kinds is part of a tractor of this width that the hand holds."""
    combo, suit, pick, last = s.combo, s.suit, s.pick, s.last
    earlier = pick[0] & ((1 << last) - 1)
    if width < 2 or (hand[width - 1] >> last) & 1 == 0 or earlier & ~pick[width - 1]:
        return False
    if width < PLANES and pick[width]:
        return False
    begun = chain(R, combo, suit, pick[0])
    if popcount(begun) < popcount(pick[0]):
        return False
    ahead = chain(R, combo, suit, hand[width - 1] & -(2 << last))
    return _span(begun) & ~(begun | ahead) == 0


@kernel
def _unit_next(R, s, hand):
    """Kinds that keep some single unit within reach (R5.1)."""
    combo, pick, last = s.combo, s.pick, s.last
    width = copies(pick, last)
    mask = 1 << last if copies(hand, last) > width else 0
    if popcount(pick[0]) > 1:
        width = copies(pick, lowest(pick[0]))
        if not _is_begun_tractor(R, s, hand, width):
            return 0  # a throw is being built
        if copies(pick, last) < width:
            return 1 << last
        mask = 0
    if width < 2 or R.link[combo, last] < 0:
        return mask
    suit = s.suit
    begun = chain(R, combo, suit, pick[0])
    kinds = hand[width - 1] & R.suit_kinds[combo, suit] & -(2 << last)
    reach = begun | chain(R, combo, suit, kinds)
    while kinds:
        k = lowest(kinds)
        kinds &= kinds - 1
        link = R.link[combo, k]
        if link < 0 or (begun >> link) & 1:
            continue
        # kinds below k are passed over from now on
        span = _span(begun | 1 << link)
        if span & ~(begun | 1 << link) & ~reach:
            continue
        ahead = begun | 1 << link | chain(R, combo, suit, kinds)
        if span & ~ahead == 0:
            mask |= 1 << k
    return mask


@kernel
def standing(R, s, out):
    """R5.2: plane c-1 of `out` gets the kinds that stand at c copies for the mover."""
    combo, suit, seat = s.combo, s.suit, s.seat
    kinds = R.suit_kinds[combo, suit]
    hand = s.hand[seat]
    alone = True
    for other in range(R.players):
        if other != seat and not (s.void[other] >> suit) & 1:
            alone = False
    for j in range(PLANES):
        out[j] = hand[j] & kinds
    if alone:
        return
    rest = hand[0] & kinds
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        above = R.higher[combo, k]
        most = 0  # copies of one higher kind that the leader cannot place
        while above:
            h = lowest(above)
            above &= above - 1
            if h >= 52 and not R.jokers:
                continue
            placed = copies(hand, h) + copies(s.gone, h)
            if s.burier == seat:
                placed += copies(s.kitty, h)
            most = max(most, R.decks - placed)
        for c in range(1, PLANES + 1):
            if most >= c or (c >= 3 and most >= 1):
                out[c - 1] &= ~(1 << k)


@kernel
def _certain_next(s, stands):
    """Kinds that keep a throw of standing kinds within reach (R5.2)."""
    pick, last = s.pick, s.last
    earlier = pick[0] & ((1 << last) - 1)
    mask = 0
    ok = True
    while earlier:
        k = lowest(earlier)
        earlier &= earlier - 1
        ok = ok and (stands[copies(pick, k) - 1] >> k) & 1 == 1
    if not ok:
        return 0
    chosen = copies(pick, last)
    for c in range(chosen + 1, PLANES + 1):
        if (stands[c - 1] >> last) & 1:
            mask |= 1 << last
    if (stands[chosen - 1] >> last) & 1:
        mask |= END_BIT
        any_copies = stands[0] | stands[1] | stands[2] | stands[3]
        mask |= any_copies & -(2 << last)
    return mask


@boundary(RULES, GAME, returns=int)
def _careful_mask(R, s):
    """Where not everything may be thrown: single units, and throws that stand for certain."""
    hand = s.hand[s.seat]
    mask = _unit_next(R, s, hand)
    if as_unit(R, s.combo, s.suit, s.pick):
        mask |= END_BIT
    if R.throws == 1:
        standing(R, s, s.w_have)
        mask |= _certain_next(s, s.w_have)
    return mask


@inline
def lead_mask(R, s):
    """Exact mask of the leader's next card once one is picked, END included (R5)."""
    if R.throws != 2:
        return _careful_mask(R, s)
    open_kinds = 0
    for j in range(PLANES):
        open_kinds |= s.hand[s.seat, j] & ~s.pick[j]
    return open_kinds & R.suit_kinds[s.combo, s.suit] & -(1 << s.last) | END_BIT


@kernel
def _tractor_above(R, s, combo, suit, width, length, top):
    """Whether another player holds a tractor of this shape with a higher top (R5.3)."""
    for other in range(R.players):
        held = s.hand[other, width - 1] & R.suit_kinds[combo, suit]
        if held == 0 or other == s.seat:
            continue
        starts = runs(chain(R, combo, suit, held), length)
        while starts:
            start = lowest(starts)
            starts &= starts - 1
            run = 0
            for link in range(start, start + length):
                run |= R.link_kinds[combo, suit, link] & held
            if top_of(R, combo, run, True) > top:
                return True
    return False


@inline
def _kinds_before(a, b):
    """Whether kind set a, as an ascending list, comes before b."""
    differ = a ^ b
    return a & (differ & -differ) != 0


@boundary(RULES, GAME, returns=int)
def check_throw(R, s):
    """R5.3, on the units that `decompose` listed: the unit to be led instead, -1 if all stand.

    Leaves the cards of all beaten units in `w_have[0]` (a number, for the penalty).
    """
    combo, suit = s.combo, s.suit
    chosen, first, beaten_cards = -1, 0, 0
    others = s.w_need  # kinds of which somebody else holds so many copies
    for j in range(R.decks):
        kinds = 0
        for p in range(R.players):
            kinds |= s.hand[p, j] if p != s.seat else 0
        others[j] = kinds
    for i in range(s.units):
        width, length, top = s.unit_width[i], s.unit_length[i], s.unit_top[i]
        kinds = s.unit_kinds[i]
        if length == 1:
            if others[width - 1] & R.higher[combo, lowest(kinds)] == 0:
                continue
        elif not _tractor_above(R, s, combo, suit, width, length, top):
            continue
        cards = width * length
        beaten_cards += cards
        if R.failed_lowest:
            height = top if length > 1 else R.height[combo, lowest(kinds)]
            order = height * 64 + cards
        else:
            order = (256 - cards) * 4096 + (8 - width) * 256 + top
        if (
            chosen < 0
            or order < first
            or (order == first and _kinds_before(kinds, s.unit_kinds[chosen]))
        ):
            chosen, first = i, order
    s.w_have[0] = beaten_cards
    return chosen

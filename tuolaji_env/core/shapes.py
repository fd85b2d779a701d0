"""Shapes in a set of cards (R4): tractor chains, placing a pattern, decomposing a lead.

A pattern (a `SHAPE` row) is placed disjointly on cards by walking over all ways to put its
tractors on kinds (`place_next`) and counting whether the tuples fit into what is left.
"""

from __future__ import annotations

from .jit import boundary, inline, kernel, lowest, popcount
from .planes import clear, copies, put
from .record import GAME, KINDS, MAX_TRACTORS, PLANES, RULES, SHAPE, SHAPE_ROW

# How `protect_wider` (R6.5) restricts the kinds a piece may lie on.
FREE, EXACT_HAND, EXACT_PLAY = range(3)


@inline
def chain(R, combo, suit, kinds):
    """The links of a suit on which the bit set `kinds` has a kind, as a bit set of links."""
    word = 0
    rest = kinds & R.suit_kinds[combo, suit]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        link = R.link[combo, k]
        if link >= 0:
            word |= 1 << link
    return word


@inline
def runs(word, length):
    """Links at which `length` consecutive links of `word` begin."""
    for _ in range(length - 1):
        word &= word >> 1
    return word


@inline
def tuples_fit(quads, triples, pairs, n4, n3, n2):
    """Whether tuples fit on kinds of which n4, n3, n2 have exactly 4, 3, 2 copies (R4.1)."""
    spare4 = n4 - quads
    over = max(triples - n3, 0)  # triples that must lie on kinds of four
    if spare4 < over:
        return False
    return pairs <= n2 + max(n3 - triples, 0) + 2 * (spare4 - over)


@inline
def _open_kinds(s, width, protect):
    """Kinds on which a piece of this width may still be put."""
    kinds = s.w_left[width - 1]
    if protect:
        kinds &= ~s.w_need[0]
        if protect == EXACT_HAND and width < PLANES:
            kinds &= ~s.w_have[width]
    return kinds


@boundary(RULES, GAME, int, int, SHAPE_ROW, int, bool, returns=bool)
def place_next(R, s, combo, suit, shape, protect, fresh):
    """Put the shape's tractors on `w_have` in the next way; False when there is none left.

    `fresh` starts the walk.  Afterwards `w_need` holds the cards used, `w_left` the others and
    `w_kind` the kind of every place.  Tractors of one shape go up the chain, so that swapping
    them is not tried.
    """
    places = 0
    for t in range(shape[0]):
        places += shape[6 + 2 * t]
    if fresh:
        for j in range(PLANES):
            s.w_left[j] = s.w_have[j]
        clear(s.w_need)
        if places == 0:
            return True
        s.w_kind[0] = -1
        place = 0
    else:
        place = places - 1
    while place >= 0:
        tractor, first = 0, 0
        while first + shape[6 + 2 * tractor] <= place:
            first += shape[6 + 2 * tractor]
            tractor += 1
        width, length = shape[5 + 2 * tractor], shape[6 + 2 * tractor]
        kind = s.w_kind[place]
        if kind >= 0:
            bit = 1 << kind
            for _ in range(width):
                for j in range(PLANES):
                    room = bit & ~s.w_left[j]
                    if room:
                        s.w_left[j] |= room
                        break
                for j in range(PLANES - 1, -1, -1):
                    if s.w_need[j] & bit:
                        s.w_need[j] ^= bit
                        break
        kinds = _open_kinds(s, width, protect)
        if place == first:
            starts = runs(chain(R, combo, suit, kinds), length)
            if tractor > 0 and shape[3 + 2 * tractor] == width and shape[4 + 2 * tractor] == length:
                starts &= -(1 << R.link[combo, s.w_kind[first - length]])
            kinds &= R.suit_kinds[combo, suit] & -(1 << (kind + 1))
            while kinds:
                link = R.link[combo, lowest(kinds)]
                if link >= 0 and (starts >> link) & 1:
                    break
                kinds &= kinds - 1
        else:
            link = R.link[combo, s.w_kind[first]] + place - first
            kinds &= R.link_kinds[combo, suit, link] & -(1 << (kind + 1))
        if kinds == 0:
            s.w_kind[place] = -1
            place -= 1
            continue
        kind = lowest(kinds)
        bit = 1 << kind
        s.w_kind[place] = kind
        for _ in range(width):
            for j in range(PLANES - 1, -1, -1):
                if s.w_left[j] & bit:
                    s.w_left[j] ^= bit
                    break
            for j in range(PLANES):
                if not s.w_need[j] & bit:
                    s.w_need[j] |= bit
                    break
        place += 1
        if place == places:
            return True
        s.w_kind[place] = -1
    return False


@boundary(RULES, GAME, int, int, SHAPE_ROW, int, returns=bool)
def fits(R, s, combo, suit, shape, protect):
    """Whether `w_have` holds all units of a shape disjointly (R6.2)."""
    fresh = True
    while place_next(R, s, combo, suit, shape, protect, fresh):
        fresh = False
        if protect:
            free = ~s.w_need[0]
            enough = True
            for width in range(2, 5):
                exact = s.w_have[width - 1] & free
                if width < PLANES:
                    exact &= ~s.w_have[width]
                enough = enough and popcount(exact) >= shape[width]
            if enough:
                return True
        else:
            left = s.w_left
            if tuples_fit(
                shape[4],
                shape[3],
                shape[2],
                popcount(left[3]),
                popcount(left[2] & ~left[3]),
                popcount(left[1] & ~left[2]),
            ):
                return True
        if shape[0] == 0:
            return False
    return False


@inline
def add_unit(shape, width, length):
    """Append a unit to a shape row."""
    if length == 1:
        shape[width] += 1
    else:
        t = shape[0]
        shape[5 + 2 * t], shape[6 + 2 * t] = width, length
        shape[0] = t + 1


@inline
def drop_unit(shape, width, length):
    """Take the unit appended last away again."""
    if length == 1:
        shape[width] -= 1
    else:
        shape[0] -= 1


@inline
def blank(shape):
    for i in range(SHAPE):
        shape[i] = 0


@inline
def unit_count(shape):
    """Number of units in a shape."""
    return shape[0] + shape[1] + shape[2] + shape[3] + shape[4]


@inline
def top_of(R, combo, kinds, tractor):
    """Highest power among kinds: a tractor's or a tuple's top (R3.2, R4.3)."""
    top = -1
    while kinds:
        k = lowest(kinds)
        kinds &= kinds - 1
        power = R.tractor_power[combo, k] if tractor else R.power[combo, k]
        top = max(top, power)
    return top


@kernel
def as_unit(R, combo, suit, planes):
    """Width * 64 + length of cards that are exactly one unit of the suit, else 0 (R4.1)."""
    kinds = planes[0]
    width = copies(planes, lowest(kinds))
    if planes[width - 1] != kinds or (width < PLANES and planes[width]):
        return 0
    length = popcount(kinds)
    if length == 1:
        return width * 64 + 1
    word = chain(R, combo, suit, kinds)
    if width < 2 or popcount(word) < length or runs(word, length) == 0:
        return 0
    return width * 64 + length


@kernel
def longest_run(word):
    """Length of the longest run of set bits."""
    length = 0
    while word:
        word &= word >> 1
        length += 1
    return length


@inline
def highest_kind(R, combo, kinds):
    """The kind of the highest power in a set, the lowest of equal ones, and that power."""
    best, top = -1, -1
    while kinds:
        k = lowest(kinds)
        kinds &= kinds - 1
        power = R.power[combo, k]
        if power > top:
            best, top = k, power
    return best, top


@kernel
def _best_unit(R, s, combo, suit, width, length):
    """The unit (width, length) in `w_left` with the highest top, then the lowest kinds."""
    left = s.w_left[width - 1]
    if length == 1:
        return 1 << highest_kind(R, combo, left)[0]
    best, best_top = 0, -1
    starts = runs(chain(R, combo, suit, left), length)
    while starts:
        start = lowest(starts)
        starts &= starts - 1
        kinds = 0
        for link in range(start, start + length):
            on_link = R.link_kinds[combo, suit, link] & left
            kinds |= on_link & -on_link
        top = top_of(R, combo, kinds, True)
        differ = kinds ^ best
        if top > best_top or (top == best_top and kinds & (differ & -differ)):
            best, best_top = kinds, top
    return best


@boundary(RULES, GAME)
def decompose(R, s):
    """R4.6: split the pick into units: fills `lead_shape` (sorted) and the `unit_*` rows.

    Units are listed in the order in which they are taken.
    """
    combo, suit, shape, left = s.combo, s.suit, s.lead_shape, s.w_left
    blank(shape)
    put(left, s.pick, -1)
    units = 0
    while left[1]:
        width, length = 1, 1
        for w in range(PLANES, 1, -1):
            if left[w - 1]:
                run = max(longest_run(chain(R, combo, suit, left[w - 1])), 1)
                if w * run > width * length:
                    width, length = w, run
        kinds = _best_unit(R, s, combo, suit, width, length)
        rest = kinds
        while rest:
            bit = rest & -rest
            rest ^= bit
            for _ in range(width):
                for j in range(PLANES - 1, -1, -1):
                    if left[j] & bit:
                        left[j] ^= bit
                        break
        top = top_of(R, combo, kinds, length > 1)
        _list_unit(s, units, width, length, top, kinds)
        units += 1
        add_unit(shape, width, length)
    rest = left[0]  # singles are left, to be taken from the highest down
    shape[1] = popcount(rest)
    while rest:
        best, top = highest_kind(R, combo, rest)
        _list_unit(s, units, 1, 1, top, 1 << best)
        units += 1
        rest ^= 1 << best
    s.units = units


@inline
def _list_unit(s, i, width, length, top, kinds):
    s.unit_width[i], s.unit_length[i], s.unit_top[i], s.unit_kinds[i] = width, length, top, kinds


@kernel
def keep_unit(s, unit):
    """Reduce the pick that was decomposed to one of its units."""
    width, length, kinds = s.unit_width[unit], s.unit_length[unit], s.unit_kinds[unit]
    for j in range(PLANES):
        s.pick[j] = kinds if j < width else 0
    s.picked = width * length
    _list_unit(s, 0, width, length, s.unit_top[unit], kinds)
    s.units = 1
    blank(s.lead_shape)
    add_unit(s.lead_shape, width, length)


@inline
def main_unit(shape):
    """Width * 64 + length of the largest unit: most cards, a tractor before a tuple (R7.2)."""
    if shape[0]:
        return shape[5] * 64 + shape[6]
    for width in range(PLANES, 0, -1):
        if shape[width]:
            return width * 64 + 1
    return 0


assert MAX_TRACTORS * 4 >= KINDS  # no hand of 54 or fewer cards has more tractors than fit

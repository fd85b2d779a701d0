"""Who takes a trick (R7): whether a play competes, its units' tops, and the comparison."""

from __future__ import annotations

from .jit import boundary, inline, kernel, lowest, popcount
from .planes import copies, put
from .record import GAME, PLANES, RULES, TRUMP
from .shapes import FREE, as_unit, main_unit, place_next, top_of, tuples_fit, unit_count


@kernel
def _tractor_tops(R, s, combo, shape, out):
    """The tops of the tractors as placed in `w_kind`, main unit first; returns their number."""
    place = 0
    for t in range(shape[0]):
        length = shape[6 + 2 * t]
        kinds = 0
        for i in range(place, place + length):
            kinds |= 1 << s.w_kind[i]
        place += length
        top = top_of(R, combo, kinds, True)
        i = t
        # units of one shape are listed from the highest down
        while (
            i > 0
            and shape[5 + 2 * (i - 1)] == shape[5 + 2 * t]
            and shape[6 + 2 * (i - 1)] == length
            and out[i - 1] < top
        ):
            out[i] = out[i - 1]
            i -= 1
        out[i] = top
    return shape[0]


@kernel
def _write_tops(R, s, combo, shape, out):
    """The highest tops, main unit first, of the splits with tractors as placed in `w_kind` (R7.2).

    Tuples take the highest kinds that still leave room for the rest.
    """
    n = _tractor_tops(R, s, combo, shape, out)
    left = s.w_left
    for width in range(4, 0, -1):
        for taken in range(shape[width]):
            kinds = left[width - 1]
            best, best_power = -1, -1
            while kinds:
                k = lowest(kinds)
                kinds &= kinds - 1
                power = R.power[combo, k]
                if power <= best_power:
                    continue
                if width == 3 and (left[3] >> k) & 1:
                    # a triple out of four copies must leave room for the pairs
                    n4 = popcount(left[3]) - 1
                    n3 = popcount(left[2] & ~left[3])
                    n2 = popcount(left[1] & ~left[2])
                    if not tuples_fit(0, shape[3] - taken - 1, shape[2], n4, n3, n2):
                        continue
                best, best_power = k, power
            bit = 1 << best
            for _ in range(width):
                for j in range(PLANES - 1, -1, -1):
                    if left[j] & bit:
                        left[j] ^= bit
                        break
            out[n] = best_power
            n += 1
    return n


@inline
def _order(a, b, n):
    """Lexicographic comparison of n tops: 1, 0 or -1."""
    for i in range(n):
        if a[i] != b[i]:
            return 1 if a[i] > b[i] else -1
    return 0


@boundary(RULES, GAME, int, int, returns=bool)
def _splits(R, s, suit, seat):
    """Split a play into exactly the lead's units (R7.1); the best tops go to `w_tops`."""
    shape, combo = s.lead_shape, s.combo
    put(s.w_have, s.trick[seat], -1)
    found = False
    fresh = True
    while place_next(R, s, combo, suit, shape, FREE, fresh):
        fresh = False
        left = s.w_left
        if tuples_fit(
            shape[4],
            shape[3],
            shape[2],
            popcount(left[3]),
            popcount(left[2] & ~left[3]),
            popcount(left[1] & ~left[2]),
        ):
            # place_next puts back what it took, kind by kind: keep the rest as it is
            l0, l1, l2, l3 = left[0], left[1], left[2], left[3]
            n = _write_tops(R, s, combo, shape, s.w_try)
            left[0], left[1], left[2], left[3] = l0, l1, l2, l3
            if not found or _order(s.w_try, s.w_tops, n) > 0:
                for i in range(n):
                    s.w_tops[i] = s.w_try[i]
            found = True
        if shape[0] == 0:
            break
    return found


@kernel
def _tuples_higher(R, s, combo, shape):
    """Whether `w_left` can be cut into the lead's tuples, each higher than its match in `tops`.

    The kinds, in `w_try` from the highest down, are cut one after the other in all ways: the cut
    in `w_tops` is a quad, a triple, two pairs, one pair or only singles, and singles of the rest.
    """
    left, order, cut = s.w_left, s.w_try, s.w_tops
    kinds, count = left[0], 0
    while kinds:
        best = lowest(kinds)
        rest = kinds & (kinds - 1)
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            if R.power[combo, k] > R.power[combo, best]:
                best = k
        kinds ^= 1 << best
        order[count] = best
        count += 1
    first4 = shape[0]
    first3 = first4 + shape[4]
    first2 = first3 + shape[3]
    first1 = first2 + shape[2]
    n4, n3, n2, n1 = 0, 0, 0, 0  # tuples cut so far
    depth = 0
    cut[0] = -1
    while 0 <= depth < count:
        held, power = copies(left, order[depth]), R.power[combo, order[depth]]
        going_on = False
        while cut[depth] < 4 and not going_on:
            if cut[depth] >= 0:  # take the last cut back
                n4, n3, n2, n1 = _cut(cut[depth], held, -1, n4, n3, n2, n1)
            cut[depth] += 1
            m4, m3, m2, m1 = n4, n3, n2, n1
            n4, n3, n2, n1 = _cut(cut[depth], held, 1, n4, n3, n2, n1)
            # tops of one width descend: the first that a cut adds is the hardest to beat
            going_on = (
                m1 <= n1 <= shape[1]
                and n2 <= shape[2]
                and n3 <= shape[3]
                and n4 <= shape[4]
                and (n4 == m4 or power > s.tops[first4 + m4])
                and (n3 == m3 or power > s.tops[first3 + m3])
                and (n2 == m2 or power > s.tops[first2 + m2])
                and (n1 == m1 or power > s.tops[first1 + m1])
            )
        if going_on:
            depth += 1
            cut[depth] = -1
        else:
            n4, n3, n2, n1 = _cut(4, held, -1, n4, n3, n2, n1)
            depth -= 1
    return depth == count


@inline
def _cut(way, held, sign, n4, n3, n2, n1):
    """Numbers of quads, triples, pairs and singles after a kind is cut, or before it was."""
    quads, triples, pairs = way == 0, way == 1, max(4 - way, 0) if way > 1 else 0
    singles = held - 4 * quads - 3 * triples - 2 * pairs
    return n4 + sign * quads, n3 + sign * triples, n2 + sign * pairs, n1 + sign * singles


@boundary(RULES, GAME, int, int, returns=bool)
def _higher_in_all(R, s, suit, seat):
    """Whether some split of a play is higher than the standing one in every unit (R7.2)."""
    shape, combo = s.lead_shape, s.combo
    put(s.w_have, s.trick[seat], -1)
    fresh = True
    while place_next(R, s, combo, suit, shape, FREE, fresh):
        fresh = False
        higher = True
        for i in range(_tractor_tops(R, s, combo, shape, s.w_try)):
            higher = higher and s.w_try[i] > s.tops[i]
        if higher and _tuples_higher(R, s, combo, shape):
            return True
        if shape[0] == 0:
            break
    return False


@kernel
def _single_suit(R, combo, led, kinds):
    """The effective suit of cards that may compete: the led one or trump; else -1 (R7.1)."""
    if kinds & ~R.suit_kinds[combo, led] == 0:
        return led
    if kinds & ~R.suit_kinds[combo, TRUMP] == 0:
        return TRUMP
    return -1


@kernel
def _unit_beats(R, s, suit, planes):
    """Whether a play on a one-unit lead beats the standing play (R7.2, R7.3)."""
    combo = s.combo
    unit = as_unit(R, combo, suit, planes)
    if unit == 0:
        return False
    width, length = unit // 64, unit % 64
    lead = main_unit(s.lead_shape)
    if width != lead // 64:
        if R.wider_beats == 0:
            return False
        if R.wider_beats == 1 and (length < 2 or lead % 64 < 2 or width < lead // 64):
            return False
    top = top_of(R, combo, planes[0], length > 1)
    s.w_tops[0] = top
    wins = top > s.tops[0]
    if width != s.best_width:
        wins = width > s.best_width
    elif suit != s.best_suit:
        wins = suit == TRUMP
    if wins:
        s.best_width = width
    return wins


@boundary(RULES, GAME, int)
def stand_units(R, s, seat):
    """Make a lead of several cards the standing play."""
    shape = s.lead_shape
    s.best_width = main_unit(shape) // 64
    if unit_count(shape) == 1:
        s.tops[0] = top_of(R, s.combo, s.trick[seat, 0], shape[0] == 1)
    else:
        _splits(R, s, s.suit, seat)
        for i in range(unit_count(shape)):
            s.tops[i] = s.w_tops[i]


@inline
def stand_lead(R, s, seat):
    """Make the lead the standing play."""
    s.winner, s.best_suit = seat, s.suit
    if s.count == 1:
        s.best_width = 1
        s.tops[0] = R.power[s.combo, lowest(s.trick[seat, 0])]
    else:
        stand_units(R, s, seat)


@kernel
def _throw_beats(R, s, suit, seat):
    """Whether a play on a throw beats the standing play (R7.2); `w_tops` gets its tops."""
    if suit != s.best_suit:
        return suit == TRUMP and _splits(R, s, suit, seat)
    if R.throw_compare == 2:
        return _higher_in_all(R, s, suit, seat) and _splits(R, s, suit, seat)
    units = unit_count(s.lead_shape) if R.throw_compare else 1
    return _splits(R, s, suit, seat) and _order(s.w_tops, s.tops, units) > 0


@boundary(RULES, GAME, int, returns=bool)
def _units_beat(R, s, seat):
    """Whether a play of several cards beats the standing play; `w_tops` gets its tops."""
    planes = s.trick[seat]
    suit = _single_suit(R, s.combo, s.suit, planes[0])
    if suit < 0:
        return False
    if unit_count(s.lead_shape) == 1:
        wins = _unit_beats(R, s, suit, planes)
    else:
        wins = _throw_beats(R, s, suit, seat)
    if wins:
        s.best_suit = suit
        for i in range(unit_count(s.lead_shape)):
            s.tops[i] = s.w_tops[i]
    return wins


@inline
def challenge(R, s, seat):
    """Let a follower's play, in `trick`, take the standing place if it beats it (R7)."""
    if s.count > 1:
        if _units_beat(R, s, seat):
            s.winner = seat
        return
    card = lowest(s.trick[seat, 0])
    suit, top = R.suit_of[s.combo, card], R.power[s.combo, card]
    if suit == s.best_suit:
        wins = top > s.tops[0]
    else:
        wins = suit == TRUMP
    if wins:
        s.winner, s.best_suit = seat, suit
        s.tops[0] = top


@kernel
def pairs_of(planes):
    """Pairs in a play: half the copies of each kind, rounded down (R10.1)."""
    n = 0
    kinds = planes[1]
    while kinds:
        n += copies(planes, lowest(kinds)) // 2
        kinds &= kinds - 1
    return n

"""Samples of who holds the hidden cards: all deals of physical cards are equally likely.

Copies of a kind count as cards of their own.  How many cards of each class go to each group is
drawn by counting the assignments (`ways`, layer by layer from the last class back); then cards are
shuffled within classes and within groups.  Where the table of counts would be too large (many
seats, many voids) a chain of redeals between pairs of groups takes its place, which is uniform in
the limit only.
"""

from __future__ import annotations

import math

import numpy as np

from .hidden import HIDDEN, TABLE
from .jit import below, boundary, inline, kernel, lowest, mix
from .planes import add, copies
from .record import MAX_DECK, PLANES

WORK = 1 << 22  # products that `count_ways` may form
REDEALS = 24  # rounds of redeals between pairs of groups

_LOG_FACTORIAL = np.array([math.lgamma(n + 1) for n in range(MAX_DECK + 1)])


@inline
def _random(h, n):
    h.counter += 1
    return below(h.key, h.counter, n)


@kernel
def _next_split(h, c, fresh):
    """The next way to split class `c` over its groups into `split`, within `rest`; or False."""
    may = h.may[c]
    if fresh:
        left = h.size[c]
        for g in range(h.groups):
            h.split[g] = 0
    else:
        # take one card back from the lowest possible group and refill those before it
        left, g = 0, -1
        for k in range(h.groups):
            if not (may >> k) & 1:
                continue
            if left > 0 and h.split[k] < h.rest[k]:
                g = k
                break
            left += h.split[k]
            h.split[k] = 0
        if g < 0:
            return False
        h.split[g] += 1
        left -= 1
    for k in range(h.groups):
        if (may >> k) & 1 and left > 0 and (fresh or h.split[k] == 0):
            n = min(left, h.rest[k] - h.split[k])
            h.split[k] += n
            left -= n
    return left == 0


@inline
def _log_ways(h, c):
    """Log of the number of ways to choose the cards of class `c` for a split."""
    w = _LOG_FACTORIAL[h.size[c]]
    for g in range(h.groups):
        w -= _LOG_FACTORIAL[h.split[g]]
    return w


@inline
def _state_after(h):
    """Index of what `split` leaves to the groups."""
    at = 0
    for g in range(h.groups - 1):
        at += h.radix[g] * (h.rest[g] - h.split[g])
    return at


@kernel
def _sum_ways(h, c):
    """Assignments of class `c` and those after it to the places in `rest`."""
    total = 0.0
    fresh = True
    while _next_split(h, c, fresh):
        fresh = False
        total += math.exp(_log_ways(h, c)) * h.ways[c * h.states + _state_after(h)]
    return total


@boundary(HIDDEN)
def count_ways(h):
    """Fill the table of counts for the restricted classes, unless it would be too large."""
    layers, last = h.classes - 1, h.groups - 1
    h.states = 0
    if layers == 0 or last == 0:
        return
    states, work = 1, 0
    for g in range(last):
        h.radix[g] = states
        states = min(states * (h.space[g] + 1), TABLE + 1)
    for c in range(1, layers):
        splits, free = 1, -1
        for g in range(h.groups):
            if (h.may[c] >> g) & 1:
                if free >= 0:
                    splits = min(splits * (min(h.size[c], h.space[g]) + 1), WORK)
                free = g
        work += splits * states
    if states * layers > TABLE or work > WORK:
        h.states = -1
        return
    h.states = states
    left = h.size[layers]
    for c in range(layers - 1, -1, -1):
        # classes 0 .. c are placed, and `left` cards remain
        for at in range(states):
            total, rest = left, at
            for g in range(last - 1, -1, -1):
                h.rest[g] = rest // h.radix[g]
                rest -= h.rest[g] * h.radix[g]
                total -= h.rest[g]
            h.rest[last] = total
            value = 0.0
            if 0 <= total <= h.space[last]:
                if c == layers - 1:
                    w = _LOG_FACTORIAL[left]
                    for g in range(h.groups):
                        w -= _LOG_FACTORIAL[h.rest[g]]
                    value = math.exp(w)
                else:
                    value = _sum_ways(h, c + 1)
            h.ways[c * states + at] = value
        left += h.size[c]
    for g in range(h.groups):
        h.rest[g] = h.space[g]
    h.all_ways = _sum_ways(h, 0)


@inline
def _shuffle(h, row, count, alike):
    """Shuffle the first `count` cards of a row; of the first `alike` the order does not matter.

    Random numbers that are not needed are counted as if drawn.
    """
    key, first = h.key, h.counter + count
    for i in range(count - 1, max(alike, 1) - 1, -1):
        j = below(key, first - i, i + 1)
        row[i], row[j] = row[j], row[i]
    h.counter += max(count - 1, 0)


@inline
def _share(h):
    """A random number 0 <= x < 1."""
    h.counter += 1
    return (mix(h.key, h.counter) >> 10) / (1 << 53)


@kernel
def _draw_split(h, c):
    """Draw how many cards of class `c` go to each group, by the counts; False if none fits."""
    at = 0
    for g in range(h.groups - 1):
        at += h.radix[g] * h.rest[g]
    target = (h.ways[(c - 1) * h.states + at] if c else h.all_ways) * _share(h)
    fresh = True
    while _next_split(h, c, fresh):
        fresh = False
        w = math.exp(_log_ways(h, c)) * h.ways[c * h.states + _state_after(h)]
        if w > 0.0 and target < w:
            return True
        target -= w
    return False


@kernel
def _hand_out(h, c):
    """Deal class `c`, shuffled, to the groups as `split` has it."""
    first, size = h.first[c], h.size[c]
    for i in range(size):
        h.swap[i] = h.card[first + i] + 64 * c
    if h.groups > 1:
        g = 0  # the first group that gets any
        while h.split[g] == 0 and g < h.groups - 1:
            g += 1
        _shuffle(h, h.swap, size, h.split[g] if h.members[g] == 1 else 0)
    at = 0
    for g in range(h.groups):
        for _ in range(h.split[g]):
            h.pile[g, h.dealt[g]] = h.swap[at]
            h.dealt[g] += 1
            at += 1
        h.rest[g] -= h.split[g]


@kernel
def _place_somehow(h):
    """A first assignment for the chain of redeals; False if it came to a dead end."""
    for c in range(h.classes):
        for i in range(h.size[c]):
            room = 0
            for g in range(h.groups):
                room += h.rest[g] if (h.may[c] >> g) & 1 else 0
            if room == 0:
                return False
            n = _random(h, room)
            for g in range(h.groups):
                if (h.may[c] >> g) & 1:
                    n -= h.rest[g]
                    if n < 0:
                        h.pile[g, h.dealt[g]] = h.card[h.first[c] + i] + 64 * c
                        h.dealt[g] += 1
                        h.rest[g] -= 1
                        break
    return True


@kernel
def _gather(h, g, other, count):
    """Move the cards of group `g` that `other` may hold to `swap`; returns how many lie there."""
    kept = 0
    for i in range(h.dealt[g]):
        card = h.pile[g, i]
        if (h.may[card >> 6] >> other) & 1:
            h.swap[count] = card
            count += 1
        else:
            h.pile[g, kept] = card
            kept += 1
    h.dealt[g] = kept
    return count


@kernel
def _redeal(h):
    """One round of redeals between all pairs of groups."""
    for a in range(h.groups):
        for b in range(a):
            first = _gather(h, a, b, 0)
            count = _gather(h, b, a, first)
            _shuffle(h, h.swap, count, 0)
            for i in range(count):
                g = a if i < first else b
                h.pile[g, h.dealt[g]] = h.swap[i]
                h.dealt[g] += 1


@inline
def _choose(n, k):
    """n over k for small numbers."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@kernel
def _bound_ways(h):
    """In how many ways a sample's bound cards could be named among its copies.

    Samples are drawn with these cards as copies of their own: dividing by this makes assignments
    equally likely again.
    """
    ways = 1
    for i in range(h.holders):
        rest = h.fixed[i, 0]
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            ways *= _choose(copies(h.sets[i], k), copies(h.fixed[i], k))
    rest = h.loose[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        n = copies(h.sets[h.burier], k) + copies(h.sets[h.holders - 1], k)
        ways *= _choose(n - copies(h.fixed[h.burier], k), copies(h.loose, k))
    return ways


@boundary(HIDDEN, returns=bool)
def spread(h):
    """Fill `sets` with a sample; False if none came of it, and another must be drawn."""
    for g in range(h.groups):
        h.dealt[g], h.rest[g] = 0, h.space[g]
    last = h.classes - 1
    if h.states < 0:
        if not _place_somehow(h):
            return False
        for _ in range(REDEALS):
            _redeal(h)
    else:
        for c in range(h.classes):
            if h.groups == 1:
                h.split[0] = h.size[c]
            elif c == last:
                for g in range(h.groups):
                    h.split[g] = h.rest[g]
            elif not _draw_split(h, c):
                return False
            _hand_out(h, c)
    for g in range(h.groups):
        _shuffle(h, h.pile[g], h.dealt[g], h.last_need[g])
    for i in range(h.holders):
        for j in range(PLANES):
            h.sets[i, j] = h.fixed[i, j]
        g = h.group[i]
        for _ in range(h.need[i]):
            h.dealt[g] -= 1
            add(h.sets[i], h.pile[g, h.dealt[g]] & 63)
    ways = _bound_ways(h)
    return ways == 1 or _random(h, ways) == 0

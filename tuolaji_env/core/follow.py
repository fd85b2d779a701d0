"""Following (R6): the pattern P* a follower owes, and the exact mask of his next card."""

from __future__ import annotations

from .jit import boundary, highest, inline, kernel, lowest, popcount
from .planes import copies, put, total
from .record import GAME, PLANES, RULES, SHAPE_ROW
from .shapes import (
    EXACT_HAND,
    EXACT_PLAY,
    FREE,
    add_unit,
    blank,
    chain,
    drop_unit,
    fits,
    main_unit,
    place_next,
    runs,
    tuples_fit,
)

ALL = (1 << 54) - 1


@boundary(RULES, GAME, int, int, int, int, returns=bool)
def _joins(R, s, combo, suit, width, length):
    """Add a piece to P* if the hand (`w_have`) holds P* and the piece disjointly (R6.2)."""
    kinds = s.w_have[width - 1]
    if kinds == 0 or (length > 1 and runs(chain(R, combo, suit, kinds), length) == 0):
        return False
    add_unit(s.owed, width, length)
    if fits(R, s, combo, suit, s.owed, EXACT_HAND if R.protect_wider else FREE):
        s.owed_cards += width * length
        return True
    drop_unit(s.owed, width, length)
    return False


@kernel
def _first_joining(R, s, combo, suit, width, length):
    """R6.3: the first piece of match(width, length) that joins, as width * 64 + length, or 0."""
    if R.prefers_width:
        for w in range(width, 1, -1):
            for k in range(length, 0, -1):
                if _joins(R, s, combo, suit, w, k):
                    return w * 64 + k
        return 0
    for w in range(width, 1, -1):
        for k in range(length, 1, -1):
            if _joins(R, s, combo, suit, w, k):
                return w * 64 + k
    for w in range(width, 1, -1):
        if _joins(R, s, combo, suit, w, 1):
            return w * 64 + 1
    return 0


@kernel
def _match(R, s, combo, suit, width, length, widest):
    """match(width, length) of R6.3 with pieces at most `widest` wide; calls wait on a stack."""
    waiting = s.w_try
    waiting[0], waiting[1] = width, length
    depth = 1
    while depth:
        depth -= 1
        w, k = waiting[2 * depth], waiting[2 * depth + 1]
        if w < 2 or k < 1:
            continue
        found = _first_joining(R, s, combo, suit, min(w, widest), k)
        if found:
            waiting[2 * depth], waiting[2 * depth + 1] = w, k - found % 64
            depth += 1
            waiting[2 * depth], waiting[2 * depth + 1] = w - found // 64, found % 64
            depth += 1


@kernel
def _match_unit(R, s, combo, suit, width, length):
    """What one unit of the lead asks for, by `follow: longest` or `exact` (R6.3, R6.4)."""
    if R.follow == 0:
        _match(R, s, combo, suit, width, length, width)
    elif not _joins(R, s, combo, suit, width, length):
        while length and _joins(R, s, combo, suit, width, 1):
            length -= 1
        _match(R, s, combo, suit, width, length, width - 1)


@kernel
def _match_cards(R, s, combo, suit, width, length):
    """What a one-unit lead asks for by `follow: cards` (R6.4)."""
    if _joins(R, s, combo, suit, width, length):
        return
    left = width * length
    if R.same_count:
        for w in range(PLANES, 1, -1):
            if left % w == 0 and _joins(R, s, combo, suit, w, left // w):
                return
    size = left
    while size >= 4:
        found = False
        for w in range(PLANES, 1, -1):
            if size % w == 0 and size // w >= 2 and _joins(R, s, combo, suit, w, size // w):
                found = True
                break
        if found:
            left -= size
            size = min(size, left)
        else:
            size -= 1
    while left >= 2 and _joins(R, s, combo, suit, 2, 1):
        left -= 2


@boundary(RULES, GAME)
def require(R, s):
    """Work out P* for the mover, once when he starts to follow: fills `owned`, `owed`."""
    combo, suit = s.combo, s.suit
    hand = s.hand[s.seat]
    s.owned = total(hand, R.suit_kinds[combo, suit])
    blank(s.owed)
    s.owed_cards = 0
    shape = s.lead_shape
    if s.owned <= s.count or shape[1] == s.count:
        return
    put(s.w_have, hand, R.suit_kinds[combo, suit])
    if s.w_have[1] == 0:
        return
    if R.follow == 2:
        unit = main_unit(shape)
        _match_cards(R, s, combo, suit, unit // 64, unit % 64)
        return
    # Most cards first, then wider: a quad goes before the four-card tractors.
    for t in range(shape[0]):
        width, length = shape[5 + 2 * t], shape[6 + 2 * t]
        if width * length > 4:
            _match_unit(R, s, combo, suit, width, length)
    for _ in range(shape[4]):
        _match_unit(R, s, combo, suit, 4, 1)
    for t in range(shape[0]):
        width, length = shape[5 + 2 * t], shape[6 + 2 * t]
        if width * length == 4:
            _match_unit(R, s, combo, suit, width, length)
    for width in (3, 2):
        for _ in range(shape[width]):
            _match_unit(R, s, combo, suit, width, 1)


@inline
def room_mask(hand, pick, kinds, last, needed):
    """Next cards of an unbound choice of `needed` more cards, kinds in ascending order.

    Everything not below `last` that leaves enough cards at or above it.
    """
    open_kinds = 0
    for j in range(PLANES):
        open_kinds |= hand[j] & ~pick[j]
    open_kinds &= kinds
    if last >= 0:
        open_kinds &= -(1 << last)
    if needed == 1:
        return open_kinds
    rest = open_kinds
    found = 0
    while rest:
        top = highest(rest)
        found += copies(hand, top) - copies(pick, top)
        if found >= needed:
            return open_kinds & ((2 << top) - 1)
        rest ^= 1 << top
    return 0


@kernel
def _short_mask(s, hand, kinds):
    """R6.1 with m <= n: all cards of the suit and any n - m others."""
    pick = s.pick
    missing = 0  # kinds of the suit with cards still to pick
    others_picked = 0
    for j in range(PLANES):
        missing |= hand[j] & ~pick[j] & kinds
        others_picked += popcount(pick[j] & ~kinds)
    room = s.count - s.owned - others_picked
    mask = 0
    if room:
        mask = room_mask(hand, pick, ALL & ~kinds, s.last, room)
    if missing:
        k = lowest(missing)
        mask &= (1 << k) - 1  # a card of the suit must not be passed over
        if total(hand, ALL & ~kinds & -(2 << k)) >= room:
            mask |= 1 << k
    return mask


@boundary(SHAPE_ROW, int, int, int, int, int, int, int, int, returns=bool)
def _tuples_complete(owed, f4, f3, f2, g4, g3, g2, waste, spare):
    """Whether the owed tuples can still be made.

    f4, f3, f2: kinds passed over with exactly so many cards picked beyond the tractors;
    g4, g3, g2: kinds ahead by their free copies; `waste`: all cards picked beyond the tractors;
    `spare`: how many of them may end up in no unit.
    """
    quads = min(owed[4], f4)
    f4 -= quads
    triples = min(owed[3], f3)
    f3 -= triples
    # A quad passed over serves a triple or two pairs: which is better depends on what lies ahead.
    for split in range(min(owed[3] - triples, f4) + 1):
        pairs = min(owed[2], f2 + f3 + 2 * (f4 - split))
        used = 4 * quads + 3 * (triples + split) + 2 * pairs
        if waste - used <= spare and tuples_fit(
            owed[4] - quads, owed[3] - triples - split, owed[2] - pairs, g4, g3, g2
        ):
            return True
    return False


@kernel
def _free_mask(R, s, hand, open_kinds, spare):
    """Next cards for which P*, with its tractors as in `w_need`, stays within reach."""
    pick, need, left = s.pick, s.w_need, s.w_left
    needed = s.count - s.picked
    mask = 0
    short = 0
    for j in range(PLANES):
        short |= need[j] & ~pick[j]
    limit = lowest(short)  # a kind the tractors still need must not be passed over
    while open_kinds:
        k = lowest(open_kinds)
        open_kinds &= open_kinds - 1
        if k > limit:
            break
        passed = (1 << k) - 1
        ahead = -(2 << k)
        held = copies(hand, k)
        chosen = copies(pick, k)
        if held - chosen + total(hand, s.w_have[0] & ahead) < needed:
            break
        wanted = copies(need, k)
        # exact counts of what was picked beyond the tractors on the kinds passed over
        f4, f3, f2, waste = 0, 0, 0, 0
        rest = pick[0] & passed
        while rest:
            j = lowest(rest)
            rest &= rest - 1
            over = copies(pick, j) - copies(need, j)
            waste += over
            f4 += over == 4
            f3 += over == 3
            f2 += over == 2
        g4 = popcount(left[3] & ahead)
        g3 = popcount(left[2] & ~left[3] & ahead)
        g2 = popcount(left[1] & ~left[2] & ahead)
        for final in range(max(chosen + 1, wanted), held + 1):
            over = final - wanted
            if _tuples_complete(
                s.owed,
                f4 + (over == 4),
                f3 + (over == 3),
                f2 + (over == 2),
                g4,
                g3,
                g2,
                waste + over,
                spare,
            ):
                mask |= 1 << k
                break
    return mask


@kernel
def _protected_mask(R, s, hand, open_kinds):
    """As `_free_mask` under `protect_wider`: a piece lies on kinds of exactly its width (R6.5)."""
    pick, need, owed = s.pick, s.w_need, s.owed
    have = s.w_have
    mask = 0
    while open_kinds:
        k = lowest(open_kinds)
        open_kinds &= open_kinds - 1
        passed = (1 << k) - 1
        ahead = -(2 << k)
        dead = False
        for j in range(PLANES):
            dead = dead or ((need[j] ^ pick[j]) & need[0] & passed) != 0
        if dead:
            continue
        outside = passed & ~need[0]
        f4 = popcount(pick[3] & outside)
        f3 = popcount(pick[2] & ~pick[3] & outside)
        f2 = popcount(pick[1] & ~pick[2] & outside)
        picked = total(pick, passed)
        free = ahead & ~need[0]
        g4 = popcount(have[3] & free)
        g3 = popcount(have[2] & ~have[3] & free)
        g2 = popcount(have[1] & ~have[2] & free)
        placed = total(need, ahead)
        most = placed + total(have, free)
        wanted = copies(need, k)
        for final in range(copies(pick, k) + 1, copies(hand, k) + 1):
            if wanted and final != wanted:
                continue
            quads = max(owed[4] - f4 - (final == 4 and not wanted), 0)
            triples = max(owed[3] - f3 - (final == 3 and not wanted), 0)
            pairs = max(owed[2] - f2 - (final == 2 and not wanted), 0)
            # Cards lost to exactness: each tuple takes the narrowest kinds that hold it.
            over3 = max(triples - g3, 0)
            spare3, spare4 = max(g3 - triples, 0), g4 - quads - over3
            over2 = max(pairs - g2, 0)
            if spare4 < 0 or over2 > spare3 + spare4:
                continue
            lost = over3 + min(over2, spare3) + 2 * max(over2 - spare3, 0)
            least = picked + final + placed + 4 * quads + 3 * triples + 2 * pairs
            if least <= s.count <= picked + final + most - lost:
                mask |= 1 << k
                break
    return mask


@boundary(RULES, GAME, returns=int)
def follow_mask(R, s):
    """Exact mask of the follower's next card (R6; DESIGN: never a dead end, nothing missing)."""
    hand = s.hand[s.seat]
    kinds = R.suit_kinds[s.combo, s.suit]
    if s.owned <= s.count:
        if s.owned == 0:
            return room_mask(hand, s.pick, ALL, s.last, s.count - s.picked)
        return _short_mask(s, hand, kinds)
    if s.owed_cards == 0:
        return room_mask(hand, s.pick, kinds, s.last, s.count - s.picked)
    open_kinds = 0
    for j in range(PLANES):
        open_kinds |= hand[j] & ~s.pick[j]
    open_kinds &= kinds
    if s.last >= 0:
        open_kinds &= -(1 << s.last)
    put(s.w_have, hand, kinds)
    mask = 0
    fresh = True
    while place_next(R, s, s.combo, s.suit, s.owed, EXACT_PLAY if R.protect_wider else FREE, fresh):
        fresh = False
        if R.protect_wider:
            mask |= _protected_mask(R, s, hand, open_kinds & ~mask)
        else:
            mask |= _free_mask(R, s, hand, open_kinds & ~mask, s.count - s.owed_cards)
        if s.owed[0] == 0 or mask == open_kinds:
            break
    return mask

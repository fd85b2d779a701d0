"""Worlds: full records of a game in which the cards hidden from a seat lie in some other way.

A world agrees with all that the seat knows and holds nothing of what he does not: hands, kitty,
deck, the strengths of bids, who has passed, the seed, and a bid's hidden suit are made anew.
"""

from __future__ import annotations

from .auction import bury_mask
from .bid import best_bid, bid_mask, shown_kinds, tell
from .calls import call_mask
from .facts import FACTS, broken_facts, read_facts
from .hidden import HIDDEN, prepare
from .jit import below, boundary, driver, kernel, lowest, mix
from .planes import add, clear, copies, total
from .play import begin_follow, begin_lead, start_pick
from .record import BID, BURY, CALL, FOLLOW, GAME, LEAD, PLANES, RULES, SMALL_JOKER
from .spread import count_ways, spread


@kernel
def _start_decision_anew(R, s):
    """Forget what the mover has picked so far."""
    start_pick(s)
    if s.phase == LEAD:
        begin_lead(R, s, s.seat)
    elif s.phase == FOLLOW:
        begin_follow(R, s, s.seat)
    elif s.phase == BURY:
        bury_mask(s)
    elif s.phase == CALL:
        call_mask(R, s)
    else:
        s.mask = bid_mask(R, s, s.seat)
        s.lawful = s.mask


@kernel
def _draw_kind(R, s, viewer, wanted, key):
    """A kind that may be bid with, by the ways to hold so many of its hidden copies; or -1."""
    chances = 0
    for turn in range(2):
        pick = below(key, 900, chances) if chances else -1
        rest = shown_kinds(R, s)
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            left = R.decks - copies(s.hand[viewer], k)
            for p in range(R.players):
                left -= copies(s.shown[p], k) if p != viewer else 0
            ways = 1 if left >= wanted else 0
            for i in range(wanted):
                ways = ways * (left - i) // (i + 1)
            if turn == 0:
                chances += ways
            elif 0 <= pick < ways:
                return k
            else:
                pick -= ways
    return -1


@kernel
def _unveil(R, s, viewer, key):
    """R8.6: while bids are hidden, give those of others a suit they might have."""
    shown = 0  # copies by seat, six bits each
    for p in range(R.players):
        if p != viewer:
            shown |= total(s.shown[p], (1 << SMALL_JOKER) - 1) << (6 * p)
            clear(s.shown[p])
    for p in range(R.players):
        wanted = (shown >> (6 * p)) & 63
        if p == viewer or wanted == 0:
            continue
        kind = _draw_kind(R, s, viewer, wanted, mix(key, p))
        if kind < 0:  # he has bid with several kinds: the last counts
            wanted = s.bid_copies if p == s.bid_seat else 1
            kind = _draw_kind(R, s, viewer, wanted, mix(key, p))
        if kind < 0:
            continue
        for _ in range(wanted):
            add(s.shown[p], kind)
        tell(s, p)
        if p == s.bid_seat:
            s.bid_kind, s.bid_trump = kind, kind // 13


@kernel
def _lay_deck(R, s, viewer, undrawn, key):
    """A deck that gives these hands, with the cards of `undrawn` still to come, in any order."""
    for i in range(R.players):
        seat = (s.first_drawer + i) % R.players
        # the hand, in ascending order, to the seat's places
        at = i
        rest = s.hand[seat, 0]
        while rest:
            k = lowest(rest)
            rest &= rest - 1
            for _ in range(copies(s.hand[seat], k)):
                s.deck[at] = k
                at += R.players
    at = s.drawn
    rest = undrawn[0]
    while rest:
        k = lowest(rest)
        rest &= rest - 1
        for _ in range(copies(undrawn, k)):
            s.deck[at] = k
            at += 1
    for i in range(R.deck_size - 1, s.drawn, -1):
        j = s.drawn + below(key, 1000 + i, i + 1 - s.drawn)
        s.deck[i], s.deck[j] = s.deck[j], s.deck[i]


@kernel
def _passed(R, s, viewer):
    """Who must have passed, or had no bid, in the round that has come to the viewer."""
    if s.drawing:
        return 0
    first = (s.burier + 1) % R.players if s.rebidding else s.first_drawer
    passed = 0
    while first != viewer:
        passed |= 1 << first
        first = (first + 1) % R.players
    return passed


@kernel
def _deal(h, s):
    """Deal the sample in `h.sets`."""
    for i in range(h.holders):
        seat = h.seat[i]
        for j in range(PLANES):
            if seat >= 0:
                s.hand[seat, j] = h.sets[i, j]
            elif seat == -1:
                s.kitty[j] = h.sets[i, j]


@boundary(RULES, GAME, int, HIDDEN, int)
def _make_hidden_anew(R, s, viewer, h, key):
    """Replace what else hangs on hidden cards, once the hands are dealt."""
    s.seed, s.counter = mix(key, 77), 0
    for p in range(R.players):
        s.bid_best[p] = best_bid(R, s, p) if s.phase == BID else 0
    s.bid_passed = 0
    if s.phase != BID or s.burier >= 0:
        for i in range(R.deck_size):
            s.deck[i] = 0
    else:
        _lay_deck(R, s, viewer, h.sets[h.holders - 1], key)
    if s.phase == BID:
        s.bid_passed = _passed(R, s, viewer)
        s.bid_turn = (viewer + 1) % R.players
    if s.seat != viewer:
        _start_decision_anew(R, s)


@boundary(RULES, GAME, int, HIDDEN, FACTS, GAME)
def study(R, s, viewer, h, f, scratch):
    """All about the worlds of a seat that does not change from one to the next."""
    h.states = 0
    if prepare(R, s, viewer, h):
        count_ways(h)
    if s.phase == LEAD or s.phase == FOLLOW:
        read_facts(R, s, viewer, f, scratch)
    else:
        f.facts = 0


@boundary(RULES, GAME, int, HIDDEN, FACTS, GAME, int, int, returns=int)
def make_world(R, s, viewer, h, f, scratch, key, tries):
    """Turn `s`, a copy of the game that was studied, into a world; returns the facts it breaks.

    After `tries` samples that each break facts, the one that breaks fewest is taken.  -1: there is
    no sample at all, and `s` is spoilt.
    """
    veiled = R.hidden_bids and s.phase == BID
    least, best = 1 << 30, -1
    samples, t = 0, 0
    while samples < tries and t < 64 * tries:
        h.key, h.counter = mix(key, t), 0
        if veiled:
            _unveil(R, s, viewer, h.key)
            prepare(R, s, viewer, h)
        if spread(h):
            samples += 1
            _deal(h, s)
            broken = broken_facts(R, s, f, scratch, least) if f.facts else 0
            if broken < least:
                least, best = broken, t
            if broken == 0:
                break
        t += 1
    if best < 0:
        return -1
    if least:
        h.key, h.counter = mix(key, best), 0
        spread(h)
        _deal(h, s)
    _make_hidden_anew(R, s, viewer, h, h.key)
    return least


@driver
def sample_worlds(rules, games, row, viewer, hidden, facts, scratch, key, tries, out):
    """Fill `out` [N] of GAME with worlds of a seat of one game.

    hidden, facts, scratch: arrays of one `HIDDEN`, `FACTS` and `GAME`; key: of the random numbers;
    tries: samples per world before one that breaks facts is taken.  Returns the worlds made (N
    unless nothing fits what is known) and those of them that break no fact.
    """
    R = rules[0]
    study(R, games[row], viewer, hidden[0], facts[0], scratch[0])
    clean = 0
    for i in range(len(out)):
        out[i] = games[row]
        broken = make_world(R, out[i], viewer, hidden[0], facts[0], scratch[0], mix(key, i), tries)
        if broken < 0:
            return i, clean
        clean += broken == 0
    return len(out), clean


@driver
def sample_for_each(rules, games, hidden, facts, scratch, key, tries, worlds, out):
    """Worlds of the mover of each game, `worlds` of them in a row, the first as it truly is.

    games: [N]; out: [N * worlds] of GAME; for the rest see `sample_worlds`.  Where no deal agrees
    with what is known, the truth stands.
    """
    R = rules[0]
    for i in range(len(games)):
        study(R, games[i], games[i].seat, hidden[0], facts[0], scratch[0])
        for j in range(i * worlds, (i + 1) * worlds):
            out[j] = games[i]
            if j > i * worlds:
                seat, draw = games[i].seat, mix(key, j)
                if make_world(R, out[j], seat, hidden[0], facts[0], scratch[0], draw, tries) < 0:
                    out[j] = games[i]


@driver
def rewind(rules, games):
    """Take games[0] back to where its mover had picked nothing yet."""
    games[0].steps -= games[0].picked
    _start_decision_anew(rules[0], games[0])


@driver
def learn(rules, games, viewer, facts, scratch):
    """Fill facts[0] with what play has proven to a seat of games[0]."""
    facts[0].facts = facts[0].tricks = 0
    if games[0].phase >= LEAD:
        read_facts(rules[0], games[0], viewer, facts[0], scratch[0])

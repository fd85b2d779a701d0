"""Loops over games: the kernels that the Python faces call for more than one game."""

from __future__ import annotations

from .ahead import read_ahead, read_ahead_for_row
from .deal import clear_deal
from .jit import below, driver, inline, mix, nth_bit, popcount
from .record import ACTIONS, COMBOS, OVER
from .rowbytes import start_of
from .see import scale_row, write_mask, write_row
from .step import lay_out, next_deal, skip_forced, start_given, start_play, step
from .walk import completes

LEVELS, POINTS, MATCH = range(3)  # what is paid as reward
ILLEGAL, GOES_ON, COMPLETES = range(3)  # what became of an action


@inline
def random_action(mask, key, counter):
    """A uniformly random set bit of a mask, from draw `counter` of the stream `key`."""
    return nth_bit(mask, below(key, counter, popcount(mask)))


@inline
def _begin(R, s, seed, match):
    lay_out(R, s, seed, match)
    start_given(R, s)


@inline
def _seed_after(seed):
    """The seed of the game that follows in the same row."""
    return mix(seed, 1 << 40)


@driver
def reset_games(rules, games, rows, seeds, matches, forced):
    """Begin a deal by itself, or a match, in some games. rows, seeds: [N] int64."""
    R = rules[0]
    for i in range(len(rows)):
        s = games[rows[i]]
        _begin(R, s, seeds[i], matches)
        if forced:
            skip_forced(R, s)


@driver
def prepare(rules, games, seed, match):
    """Lay out games[0] and clear its deal, so that a caller may change what is given."""
    lay_out(rules[0], games[0], seed, match)
    clear_deal(rules[0], games[0])


@driver
def start(rules, games):
    """Begin the deal that was laid out in games[0], from the first draw."""
    start_given(rules[0], games[0])


@driver
def start_from_lead(rules, games, leader):
    """Begin games[0] at a lead, from hands, kitty, trump and declarer as set."""
    start_play(rules[0], games[0], leader)


@driver
def next_deals(rules, games, rows):
    """Begin the next deal of matches that go on."""
    for i in range(len(rows)):
        next_deal(rules[0], games[rows[i]])


@driver
def step_games(rules, games, rows, actions, forced):
    """Apply one legal action to each of some games. rows, actions: [N] int64.

    Returns the first index whose action its mask forbids, before which all were applied, or -1.
    """
    R = rules[0]
    for i in range(len(rows)):
        s = games[rows[i]]
        if actions[i] < 0 or actions[i] > 62 or (s.mask >> actions[i]) & 1 == 0:
            return i
        step(R, s, actions[i])
        if forced:
            skip_forced(R, s)
    return -1


@inline
def _pay(R, s, reward, out, at):
    """What the last step pays to each seat, zero-sum. out: float32 by `start_of`, from `at` on."""
    for p in range(R.players):
        out[at + p] = 0.0
    if reward == POINTS:
        if s.moved:
            with_declarer = 0
            for p in range(R.players):
                with_declarer += s.side[p] == 0
            others = R.players - with_declarer
            if with_declarer and others:
                for p in range(R.players):
                    if s.side[p]:
                        out[at + p] = s.moved / 100.0
                    else:
                        out[at + p] = -s.moved / 100.0 * others / with_declarer
    elif s.phase == OVER and reward == LEVELS:
        winners = 0
        total = 0.0
        for p in range(R.players):
            winners += (s.winners >> p) & 1
            total += s.rise[p]
        for p in range(R.players):
            if (s.winners >> p) & 1:
                out[at + p] = s.rise[p]
            elif winners < R.players:
                out[at + p] = -total / (R.players - winners)
    elif s.phase == OVER and s.match_over and s.match_winners:
        winners = 0
        for p in range(R.players):
            winners += (s.match_winners >> p) & 1
        if winners < R.players:
            for p in range(R.players):
                if (s.match_winners >> p) & 1:
                    out[at + p] = 1.0
                else:
                    out[at + p] = -winners / (R.players - winners)


@inline
def _try(R, s, action):
    if action < 0 or action > 62 or (s.mask >> action) & 1 == 0:
        return ILLEGAL
    done = COMPLETES if completes(s, action) else GOES_ON
    step(R, s, action)
    return done


@driver
def try_action(rules, games, action):
    """One action of games[0], if it is legal: ILLEGAL, GOES_ON or COMPLETES (a decision)."""
    return _try(rules[0], games[0], action)


@driver
def play_one(rules, games, action, reward, paid):
    """`try_action`, and what it pays. paid: [P] float32."""
    R, s = rules[0], games[0]
    done = _try(R, s, action)
    if done != ILLEGAL:
        _pay(R, s, reward, start_of(paid), 0)
    return done


@driver
def first_illegal(games, actions):
    """The first game that is not over whose action its mask forbids, or -1. actions: [B] int64."""
    for i in range(len(games)):
        mask = games[i].mask
        if mask and (actions[i] < 0 or actions[i] > 62 or (mask >> actions[i]) & 1 == 0):
            return i
    return -1


@driver
def vector_step(rules, games, actions, how, paid, done, last, layout, rows, scale, floats, masks):
    """One legal step of every game of a `VectorEnv`, and what its buffers say of it.

    actions: [B] int64; how: (skip forced moves, matches, reset, reward): begin anew in the same
    step where a game is done if `reset`; paid: [B, P] float32; done: [B] bool; last: [B] of GAME,
    the final record of games that are done; layout: (fixed, seats, slots, D, canonical); rows:
    [B * D] uint8, or [D] where `floats` has any, [B * D] float32; masks: [B, 63] int8.
    """
    R = rules[0]
    forced, matches, reset, reward = how
    fixed, seats, slots, size, canonical = layout
    ends, length, seen = start_of(fixed), len(fixed) // COMBOS, start_of(rows)
    scales, scaled = start_of(scale), start_of(floats)
    pays, allowed, final = start_of(paid), start_of(masks), len(games) - 1
    for i in range(len(games)):
        read_ahead_for_row(R, games, min(i + 4, final), min(i + 2, final))
        s = games[i]
        done[i] = False
        if s.phase != OVER:
            step(R, s, actions[i])
            if forced:
                skip_forced(R, s)
            _pay(R, s, reward, pays, i * R.players)
            if s.phase == OVER and matches and not s.match_over:
                next_deal(R, s)
                if forced:
                    skip_forced(R, s)
            elif s.phase == OVER:
                done[i] = True
                last[i] = s
                if reset:
                    _begin(R, s, _seed_after(s.seed), matches)
                    if forced:
                        skip_forced(R, s)
        at = 0 if len(floats) else i * size
        write_row(R, s, s.seat, ends, length, seats, slots, canonical, seen, at)
        if len(floats):
            scale_row(seen, scales, size, scaled, i * size)
        write_mask(s, canonical, allowed, i * ACTIONS)


@driver
def random_steps(rules, games, key, steps, forced, layout, rows, scale, floats):
    """Random legal play for benchmarks: `steps` micro-steps in each game, one after another.

    layout: (fixed, seats, slots, D) of a `Layout`.  Before each step the mover's row is written if
    `rows` has any, [B * D] uint8; or it is scaled, if `floats` [B * D] float32 has any, and `rows`
    is working space [D].  Deals begin anew as they end.  Returns the deals finished and the steps
    at which there was a choice.
    """
    R = rules[0]
    fixed, seats, slots, size = layout
    ends, length, seen = start_of(fixed), len(fixed) // COMBOS, start_of(rows)
    scales, scaled = start_of(scale), start_of(floats)
    deals, choices, last = 0, 0, len(games) - 1
    for n in range(steps):
        for i in range(len(games)):
            s = games[i]
            if len(rows):
                read_ahead_for_row(R, games, min(i + 4, last), min(i + 2, last))
                at = 0 if len(floats) else i * size
                write_row(R, s, s.seat, ends, length, seats, slots, False, seen, at)
            else:
                read_ahead(games, min(i + 4, last), min(i + 2, last))
            if len(floats):
                scale_row(seen, scales, size, scaled, i * size)
            choices += s.mask & (s.mask - 1) != 0
            step(R, s, random_action(s.mask, key + i, n))
            if forced:
                skip_forced(R, s)
            if s.phase == OVER:
                deals += 1
                _begin(R, s, _seed_after(s.seed), False)
                if forced:
                    skip_forced(R, s)
    return deals, choices

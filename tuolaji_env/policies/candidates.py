"""Whole decisions worth looking at: what search compares with its policy's own choice."""

from __future__ import annotations

from ..core.jit import boundary, kernel, lowest
from ..core.planes import copies, total
from ..core.record import BURY, CALL, END, FOLLOW, GAME, LEAD, PLANES, RULES
from ..core.shapes import chain, runs
from ..core.step import step
from ..core.walk import completes
from .candidates_bury import list_burials, list_calls
from .count import NOTHING, run_kinds, standing_cards, unseen, with_copies
from .drive import policy_act
from .fit import DEAR
from .greedy_follow import cheapest_win
from .space import SEARCH, TRIAL, add_path, add_play, walk_all
from .worth import FEED, LOW, WIN, play_cost, weigh_play


@kernel
def _add_choice(R, s, w, seed):
    """Append the policy's own decision."""
    w.games[TRIAL] = s
    trial = w.games[TRIAL]
    n = 0
    while True:
        action = policy_act(R, trial, w.policy, seed)
        w.path[n] = action
        n += 1
        if completes(trial, action):
            break
        step(R, trial, action)
    add_path(w, w.path, n)


@kernel
def _path_cost(R, s, path, n, purpose):
    """What the cards of a path cost for a purpose; breaking up copies costs a little."""
    cost = 0
    hand = s.hand[s.seat]
    i = 0
    while i < n and path[i] < END:
        k = path[i]
        used = 0
        while i < n and path[i] == k:
            used += 1
            i += 1
        cost += used * play_cost(R, s.combo, k, purpose) + 5 * (copies(hand, k) > used)
    return cost


@kernel
def _add_cheapest(R, s, w, found, purpose, wanted):
    """Append the cheapest walked paths for a purpose."""
    for _ in range(wanted):
        best, least = -1, DEAR
        for i in range(found):
            if w.sizes[i] > 0:
                cost = _path_cost(R, s, w.walked[i], w.sizes[i], purpose)
                if cost < least:
                    best, least = i, cost
        if best < 0:
            break
        add_path(w, w.walked[best], w.sizes[best])
        w.sizes[best] = -w.sizes[best]
    for i in range(found):
        w.sizes[i] = abs(w.sizes[i])


@kernel
def _add_follows(R, s, w):
    """Follows: few are all taken; of many, the cheapest to keep, feed and win."""
    held = total(s.hand[s.seat], R.suit_kinds[s.combo, s.suit])
    weigh_play(R, s)
    add_play(R, s, w, cheapest_win(R, s, held, 1, 0, unseen(R, s)))
    found = walk_all(R, s, w)
    if found + w.count <= w.limit:
        for i in range(found):
            add_path(w, w.walked[i], w.sizes[i])
        return
    third = (w.limit - w.count) // 3
    for purpose in (LOW, FEED, WIN):
        _add_cheapest(R, s, w, found, purpose, third)


@kernel
def _add_leads(R, s, w):
    """Leads: what stands in each suit, tractors and tuples from the largest, then single cards."""
    combo, hand = s.combo, s.hand[s.seat]
    left = unseen(R, s)
    for suit in range(5):
        kinds = R.suit_kinds[combo, suit]
        stands = standing_cards(R, s, suit, left)
        add_play(R, s, w, stands)
        mine = (hand[0] & kinds, hand[1] & kinds, hand[2] & kinds, hand[3] & kinds)
        if R.throws == 2 and total(mine, -1) <= 5:
            add_play(R, s, w, mine)
    for width in range(PLANES, 1, -1):
        for suit in range(5):
            held = hand[width - 1] & R.suit_kinds[combo, suit]
            if held == 0:
                continue
            for length in range(8, 0, -1):
                starts = runs(chain(R, combo, suit, held), length) if length > 1 else held
                while starts:
                    start = lowest(starts)
                    starts &= starts - 1
                    unit = 1 << start
                    if length > 1:
                        unit = run_kinds(R, combo, suit, held, start, length)
                    play = (
                        unit,
                        unit,
                        unit if width > 2 else 0,
                        unit if width > 3 else 0,
                    )
                    add_play(R, s, w, play)
    # single cards: the lowest and the highest of each suit first, then all others
    for turn in range(3):
        for suit in range(5):
            rest = hand[0] & R.suit_kinds[combo, suit]
            low, high, least, most = -1, -1, DEAR, -1
            while rest:
                k = lowest(rest)
                rest &= rest - 1
                cost = play_cost(R, combo, k, LOW) + 5 * (copies(hand, k) > 1)
                if cost < least:
                    low, least = k, cost
                if R.power[combo, k] > most:
                    high, most = k, R.power[combo, k]
                if turn == 2:
                    play = with_copies(NOTHING, k, 1)
                    add_play(R, s, w, play)
            k = high if turn else low
            if turn < 2 and k >= 0:
                play = with_copies(NOTHING, k, 1)
                add_play(R, s, w, play)


@boundary(RULES, GAME, SEARCH, int)
def list_candidates(R, s, w, seed):
    """Fill the list of candidates with decisions of the mover."""
    w.count = 0
    _add_choice(R, s, w, seed)
    if s.phase == FOLLOW:
        _add_follows(R, s, w)
    elif s.phase == LEAD:
        _add_leads(R, s, w)
    elif s.phase == BURY:
        list_burials(R, s, w)
    elif s.phase == CALL:
        list_calls(R, s, w)
    else:
        for i in range(walk_all(R, s, w)):
            add_path(w, w.walked[i], w.sizes[i])

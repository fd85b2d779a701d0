"""The search of the last cards of a deal against plain minimax over all actions."""

import numpy as np
import pytest

from tests.agents.test_search import ROW
from tuolaji_env.core.jit import driver
from tuolaji_env.core.record import LEAD, OVER, records
from tuolaji_env.games import GameBatch
from tuolaji_env.policies.endgame import deal_value, solve_endgame
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.policies.space import ROLLOUT, SEARCH
from tuolaji_env.rules import load_rules

LEVELS, POINTS = 1.0, 0.25


@driver
def solve(rules, search, seat):
    return solve_endgame(rules[0], search[0], seat)


@driver
def value_of(rules, games, seat):
    return deal_value(rules[0], games[0], seat, LEVELS, POINTS)


def minimax(games, seat, room):
    """The value by trying everything; IndexError where that takes more steps than there is room."""
    s = games.records[0]
    if s["phase"] == OVER:
        return value_of(games.table, games.records, seat)
    mask = int(s["lawful"]) or int(s["mask"])
    best = max if s["side"][s["seat"]] == s["side"][seat] else min
    before, values = games.records.copy(), []
    for action in range(63):
        if mask >> action & 1:
            room.pop()
            games.step(np.array([action]), ROW)
            values.append(minimax(games, seat, room))
            games.records[:] = before
    return best(values)


def last_cards(rules, seed, left):
    """A game at a lead, with at most so many cards in each hand; None if it has no such lead."""
    games = GameBatch(rules, 1)
    games.begin(seed)
    player = PolicyPlayer("random", seed)
    while games.records["phase"][0] != OVER:
        s = games.records[0]
        if s["phase"] == LEAD and s["picked"] == 0 and s["held"].max() <= left:
            return games
        games.step(player.act(games, ROW), ROW)
    return None


@pytest.mark.parametrize("preset", ["two_deck", "one_deck", "guangzhou", "find_friends_5"])
def test_the_endgame_is_what_plain_minimax_makes_of_it(preset):
    rules = load_rules(preset)
    search = records(1, SEARCH)
    search["levels"], search["points"] = LEVELS, POINTS
    compared = 0
    for seed in range(6):
        games = last_cards(rules, seed, 2)
        for seat in (0, 1) if games else ():
            search[0]["games"][ROLLOUT] = before = games.records[0].copy()
            try:
                expected = minimax(games, seat, [None] * 300)
            except IndexError:
                continue
            finally:
                games.records[0] = before
            assert solve(games.table, search, seat)
            assert search["value"][0] == pytest.approx(expected)
            compared += 1
    assert compared > 3

"""Whole matches, decision by decision: the kernels against the oracle, under all rules."""

import random

import pytest

from tuolaji_env.rules import load_rules, preset_names

from .strategies import random_rules
from .twin import Twin


def play(rules, seed, deals):
    """A twin match of at most so many deals."""
    twin = Twin(rules, random.Random(seed))
    for deal in range(deals):
        if deal:
            twin.next_deal()
        twin.play_deal()
        if twin.oracle.result.match_over:
            break


@pytest.mark.parametrize("preset", preset_names())
def test_preset(preset):
    play(load_rules(preset), preset, 2)


@pytest.mark.parametrize("seed", range(30))
def test_random_rules(seed):
    play(random_rules(seed), seed, 2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_more_random_rules(seed):
    play(random_rules(seed), seed, 4)

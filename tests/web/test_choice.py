"""Which cards may be added to a selection in any order: compared with all legal plays."""

import random
from dataclasses import dataclass

import numpy as np
import pytest

from agents.play.choice import Choices
from tests.property.strategies import random_rules
from tuolaji_env.cards import counts_of
from tuolaji_env.game import Game
from tuolaji_env.rules import load_rules, preset_names

MOST = 1000  # plays of a decision that are compared


@dataclass
class Plays:
    """All legal plays of a decision."""

    counts: np.ndarray  # [N, 54]

    def choice(self, selection):
        """What `Choices.of` should say."""
        chosen = counts_of(selection)
        holding = self.counts[(self.counts >= chosen).all(axis=1)]
        addable = np.flatnonzero((holding > chosen).any(axis=0)).tolist()
        whole = bool((holding == chosen).all(axis=1).any())
        return tuple(addable), whole, len(holding) > 0


def walk_through(rules, seed, rng, checks):
    """A deal of random plays that likes large leads; selections are compared on the way."""
    game = Game(rules, seed, episode="deal")
    while not game.is_over:
        plays = game.legal_plays(MOST)
        if rng.random() < 0.3 and game.phase in ("bury", "lead", "follow"):
            choices = Choices(game.batch)
            if len(plays) < MOST:
                checks += compare(game, choices, plays, rng)
            assert choices.only() == ([k for k in plays[0] if k < 54] if len(plays) == 1 else None)
        if game.phase == "lead" and rng.random() < 0.7:
            plays = sorted(plays, key=len)[-5:]
        game.play(rng.choice(plays))
    return checks


def compare(game, choices, plays, rng):
    cards = [[k for k in play if k < 54] for play in plays]
    all_plays = Plays(np.array([counts_of(each) for each in cards]))
    hand = list(game.hand(game.seat))
    for _ in range(5):
        source = rng.choice(cards) if rng.random() < 0.7 else hand
        selection = rng.sample(source, rng.randint(0, min(len(source), 12)))
        if rng.random() < 0.2:
            selection.append(rng.choice(hand))
        assert choices.of(selection) == all_plays.choice(selection), (game, selection)
    return 5


@pytest.mark.parametrize("preset", preset_names())
def test_r6_any_order_agrees_with_all_legal_plays(preset):
    assert walk_through(load_rules(preset), 11, random.Random(preset), 0) > 30


@pytest.mark.slow
@pytest.mark.parametrize("number", range(120))
def test_r6_any_order_agrees_under_random_rules(number):
    rules, rng, checks = random_rules(number), random.Random(number), 0
    for deal in range(60):  # an illegal follow that may be played ends its deal (R10.5)
        checks = walk_through(rules, number + 1000 * deal, rng, checks)
        if checks > 20:
            return
    raise AssertionError(checks)


HANDS = "hands ♠3344 ♥AA ♦2 ♣2 | ♠66778 ♥K ♦3 ♣3 | ♠99 ♠1010JJ ♣55 | ♥33445566"


def test_r6_a_tractor_answers_a_tractor_in_any_order():
    game = Game.from_position(f"level 5; trump ♥; declarer 0; leader 0; {HANDS}")
    game.play("♠3344")
    choices = Choices(game.batch)
    six, seven, eight = 43, 44, 45
    assert choices.of([seven]) == ((six, seven), False, True)
    assert choices.of([eight]) == ((), False, False)
    assert choices.of([seven, six, six, seven]).whole
    assert choices.only() == [six, six, seven, seven]


def test_bids_and_calls_are_made_whole():
    game = Game("find_friends_5", 1)
    while game.phase == "bid":
        assert game.phase == "bid"
        with pytest.raises(ValueError, match="made whole"):
            Choices(game.batch)
        game.play(game.legal_plays(1)[0])

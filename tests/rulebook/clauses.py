"""How the tables of clauses are written: rows that begin with their clause, cards in notation."""

import pytest

from tests.kernels import Kernels
from tuolaji_env.notation import parse_cards
from tuolaji_env.rules import load_rules

cards = parse_cards
SUITS = "♦♣♥♠"


def clauses(names, rows):
    """A test for each row; the row's first entry, a clause and what it shows, is the test's id."""
    return pytest.mark.parametrize(names, [pytest.param(*row, id=clause) for clause, *row in rows])


def rules(preset="two_deck", **over):
    """A preset with other values for some fields."""
    return load_rules(preset).replace(**over) if over else load_rules(preset)


def at(place, preset="two_deck", **over):
    """The kernels at a level and trump such as ``5♥``; ``5`` is without a trump suit, or ``NT``."""
    level, trump = (place[:-1], place[-1]) if place[-1] in SUITS else (place, None)
    rank = None if level == "NT" else cards(f"♦{level}")[0]
    return Kernels(rules(preset, **over), rank, None if trump is None else SUITS.index(trump))

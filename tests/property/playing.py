"""Random play whose every choice hangs on the game and the step alone, and its digest.

``python -m tests.property.playing DEALS RULES ...`` prints a digest for each rule set, a preset's
name or the number of random rules: to be compared with that of another process.
"""

import hashlib
import sys

import numpy as np

from tests.kernels import bits_of, compiled
from tuolaji_env.core import batch
from tuolaji_env.core.record import OVER, new_games
from tuolaji_env.rules import load_rules

from .strategies import random_rules


def begin(rules, seeds, matches=False):
    """A game for each seed, at its first decision."""
    games = new_games(len(seeds))
    rows = np.arange(len(seeds))
    batch.reset_games(compiled(rules), games, rows, np.array(seeds, np.int64), matches, False)
    return games


def play(rules, games, steps):
    """Some random legal steps in each game that is not over; returns whether one goes on."""
    for _ in range(steps):
        rows = np.flatnonzero(games["phase"] != OVER)
        if not len(rows):
            return False
        actions = np.empty(len(rows), np.int64)
        for i, row in enumerate(rows):
            game = games[row]
            allowed = bits_of(game["mask"])
            actions[i] = allowed[choice(int(game["seed"]), int(game["steps"]), len(allowed))]
        assert batch.step_games(compiled(rules), games, rows, actions, False) == -1
    return True


def choice(seed, step, options):
    """A number below `options` that is fixed by the game's seed and the step."""
    digest = hashlib.blake2b(f"{seed} {step}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") % options


def meaning(games):
    """The records without their working space, as bytes of the same numbers in every mode."""
    names = [name for name in games.dtype.names if not name.startswith(("w_", "unit"))]
    return b"".join(games[name].astype(np.int64).tobytes() for name in names)


def digest(rules, deals):
    """A digest of whole random deals, all their records at some places on the way."""
    games = begin(rules, range(1, deals + 1))
    seen = hashlib.sha256(meaning(games))
    while play(rules, games, 40):
        seen.update(meaning(games))
    return hashlib.sha256(seen.digest() + meaning(games)).hexdigest()


def rules_named(name):
    """A preset, or the random rules of a number."""
    return random_rules(int(name)) if name.isdecimal() else load_rules(name)


if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(name, digest(rules_named(name), int(sys.argv[1])))

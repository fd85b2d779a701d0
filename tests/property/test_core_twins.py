"""Determinism of the core: same seed, copied record, any batch size, compiled or not."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tuolaji_env.core.record import OVER
from tuolaji_env.rules import preset_names

from .playing import begin, digest, meaning, play, rules_named

ROOT = Path(__file__).parents[2]
SOME = ("two_deck", "guigang", "chaodipi_3", "find_friends_7", "henan", "next_level_trump")
RANDOM = tuple(map(str, range(30)))
SEEDS = (1, 5, 1 << 40)


@pytest.mark.parametrize("name", preset_names())
def test_seed_twin(name):
    rules = rules_named(name)
    twins = [begin(rules, SEEDS, matches=True) for _ in range(2)]
    for games in twins:
        play(rules, games, 150)
    assert meaning(twins[0]) == meaning(twins[1])
    assert len({meaning(twins[0][i : i + 1]) for i in range(len(SEEDS))}) == len(SEEDS)


@pytest.mark.parametrize("name", preset_names())
def test_copy_twin(name):
    rules = rules_named(name)
    games = begin(rules, SEEDS)
    play(rules, games, 70)
    copies = games.copy()
    # working space has no meaning between calls
    for field in copies.dtype.names:
        if field.startswith(("w_", "unit")):
            copies[field] = np.iinfo(copies[field].dtype).max
    for twin in (games, copies):
        play(rules, twin, 10_000)
    assert (games["phase"] == OVER).all()
    assert meaning(games) == meaning(copies)


@pytest.mark.parametrize("name", preset_names())
def test_batch_size_changes_nothing(name):
    rules = rules_named(name)
    together = begin(rules, SEEDS)
    play(rules, together, 120)
    for i, seed in enumerate(SEEDS):
        alone = begin(rules, [seed])
        play(rules, alone, 120)
        assert meaning(alone) == meaning(together[i : i + 1])


def digests_elsewhere(deals, names, **environment):
    """The digests of another process, by rules."""
    command = [sys.executable, "-m", "tests.property.playing", str(deals), *names]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split() for line in done.stdout.splitlines())


@pytest.mark.slow
def test_plain_python_plays_the_same_deals():
    got = digests_elsewhere(2, SOME, NUMBA_DISABLE_JIT="1")
    assert got == {name: digest(rules_named(name), 2) for name in SOME}


@pytest.mark.slow
def test_no_index_is_out_of_bounds_and_a_second_process_loads_the_cache(tmp_path):
    """Once a second process crashed: it loaded a kernel before the kernels that one calls."""
    names = (*preset_names(), *RANDOM)
    elsewhere = {"NUMBA_BOUNDSCHECK": "1", "TUOLAJI_CACHE_DIR": str(tmp_path)}
    got = digests_elsewhere(4, names, **elsewhere)
    assert got == {name: digest(rules_named(name), 4) for name in names}
    assert digests_elsewhere(4, names[:3], **elsewhere) == {name: got[name] for name in names[:3]}

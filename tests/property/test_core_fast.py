"""Fast paths of the core against the plain ways they stand for."""

import numpy as np

from tuolaji_env.core.hidden import HIDDEN
from tuolaji_env.core.jit import driver, nth_bit, nth_bit_by_halves
from tuolaji_env.core.record import GAME, new_games, records
from tuolaji_env.core.spread import _shuffle


@driver
def _places(masks, ranks, out):
    for i in range(len(masks)):
        out[i, 0] = nth_bit(masks[i], ranks[i])
        out[i, 1] = nth_bit_by_halves(masks[i], ranks[i])


@driver
def _shuffled(hidden, row, count, alike):
    _shuffle(hidden[0], row, count, alike)


def test_the_nth_bit_is_found_in_both_ways() -> None:
    rng = np.random.default_rng(5)
    masks = rng.integers(1, 1 << 63, 500) & rng.integers(1, 1 << 63, 500) | 1 << 62
    bits = [[place for place in range(63) if mask >> place & 1] for mask in masks.tolist()]
    ranks = np.array([rng.integers(len(places)) for places in bits])
    out = np.empty((len(masks), 2), np.int64)
    _places(masks, ranks, out)
    wanted = [places[rank] for places, rank in zip(bits, ranks, strict=True)]
    assert out.T.tolist() == [wanted, wanted]


def test_a_shuffle_that_leaves_an_order_open_is_the_full_one_elsewhere() -> None:
    hidden = records(1, HIDDEN)
    for count in (0, 1, 2, 7, 40):
        for alike in (0, 1, 2, 6, 7, 40, 60):
            rows, counters = [], []
            for open_places in (0, alike):
                hidden["key"], hidden["counter"] = 17 + count, 4
                rows.append(np.arange(64, dtype=np.int16))
                _shuffled(hidden, rows[-1], count, open_places)
                counters.append(int(hidden["counter"][0]))
            full, part = (row.tolist() for row in rows)
            assert counters[0] == counters[1]
            assert full[alike:] == part[alike:]
            assert sorted(full[:alike]) == sorted(part[:alike])


def test_records_that_are_joined_or_chosen_stay_records_for_kernels() -> None:
    games = new_games(3)
    assert np.concatenate([games[:1], games[1:]]).dtype == GAME
    assert games[[2, 0]].dtype == GAME
    assert np.concatenate([games[:1], games[1:]]).dtype.itemsize == GAME.itemsize

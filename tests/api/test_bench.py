"""The benchmark measures what it says: every mode, every face."""

from __future__ import annotations

import pytest

from tuolaji_env import bench


def test_measure_gives_every_mode() -> None:
    figures = bench.measure("two_deck", games=8, steps=40, runs=2)
    assert set(figures) == set(bench.MODES)
    for row in figures.values():
        assert row["micro_steps_per_s"] >= row["decisions_per_s"] > 0
        assert row["deals_per_s"] >= 0
        low, high = row["slowest_micro_steps_per_s"], row["fastest_micro_steps_per_s"]
        assert low <= row["micro_steps_per_s"] <= high


def test_skip_forced_leaves_only_choices() -> None:
    row = bench.measure("two_deck", 8, 40, 1, skip_forced=True, modes=("mask",))["mask"]
    assert row["decisions_per_s"] == pytest.approx(row["micro_steps_per_s"])


@pytest.mark.slow
def test_faces() -> None:
    figures = bench.faces(steps=100)
    assert figures["cached_start_s"] < figures["cold_start_s"]
    assert min(figures.values()) > 0

"""Speed may not fall apart unnoticed: ratios to a small loop on the same core, never times."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench import ours
from tuolaji_env import bench
from tuolaji_env.core.jit import COMPILED

RESULTS = Path(__file__).parent / "results.json"

#: How much of the committed ratio must be left, on whatever machine.
MARGIN = 0.4


@pytest.mark.skipif(not COMPILED, reason="without the compiler nothing is fast")
@pytest.mark.parametrize("mode", bench.MODES)
def test_kernels_keep_their_pace(mode: str) -> None:
    figures = json.loads(RESULTS.read_text("utf-8"))["figures"]
    wanted = figures[f"kernel/two_deck/{mode}"]["median"] / figures["calibration"]["median"]
    for _ in range(5):
        measured = bench.measure("two_deck", 1024, 200, 1, modes=(mode,))[mode]
        ratio = measured["micro_steps_per_s"] / ours.calibration()
        if ratio > MARGIN * wanted:
            return
    pytest.fail(f"{mode}: {ratio:.0f} of the loop's pace, {wanted:.0f} when last measured")

"""The rule cases, worked out by the kernels (FORMAT.md says what they are)."""

import json
from pathlib import Path

import pytest

from tuolaji_env.casefile import check_file
from tuolaji_env.rules import preset_names

HERE = Path(__file__).parent
CASES = HERE / "cases.jsonl"
ALL_CASES = HERE.parents[2] / "shared" / "cases" / "cases.jsonl"


def test_cases_cover_every_kind_under_every_preset():
    lines = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    assert {line["preset"] for line in lines} == set(preset_names())
    for kind in ("decompose", "follow", "trick", "score", "bid"):
        presets = {line["preset"] for line in lines if line["t"] == kind}
        assert presets == set(preset_names()), kind


@pytest.mark.parametrize("preset", preset_names())
def test_cases_agree(preset):
    agree, disagreements = check_file(CASES, {preset})
    assert agree
    assert not disagreements, "\n".join(map(str, disagreements))


@pytest.mark.slow
@pytest.mark.skipif(not ALL_CASES.exists(), reason="the full set of cases is not here")
def test_all_cases_agree():
    _, disagreements = check_file(ALL_CASES)
    assert not disagreements, "\n".join(map(str, disagreements))

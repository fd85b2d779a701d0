"""The committed transcripts and counts of legal plays still come out the same."""

import pytest

from tuolaji_env.rules import preset_names

from .regenerate import HERE, golden


@pytest.mark.parametrize("preset", preset_names())
def test_golden(preset):
    committed = (HERE / f"{preset}.txt").read_text(encoding="utf-8")
    assert golden(preset) == committed, "see tests/golden/regenerate.py"


def test_every_file_has_a_preset():
    assert {path.stem for path in HERE.glob("*.txt")} == set(preset_names())

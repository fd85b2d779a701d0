"""The demo on a tiny budget: it leaves what it says, in a folder of its own each time."""

import json
from pathlib import Path

import pytest

from train import demo

TINY = """
decisions: 500
games: 4
hidden: [8]
suit: 4
batch: 64
evaluate_every: 300
evaluate_deals: 2
"""


def test_demo_leaves_checkpoint_picture_and_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "tiny.yaml"
    config.write_text(TINY, encoding="utf-8")
    words = ["--config", str(config), "--run", str(tmp_path / "demo"), "--deals", "2"]
    demo.main(words)
    demo.main(words)
    said = capsys.readouterr().out
    for folder in (tmp_path / "demo", tmp_path / "demo-2"):
        for name in ("model.zip", "demo.png", "demo.json", "metrics.jsonl"):
            assert (folder / name).stat().st_size
        results = json.loads((folder / "demo.json").read_text(encoding="utf-8"))
        assert [r["agents"][1] for r in results] == ["random", "greedy"]
    assert "levels a deal" in said
    assert "demo-2" in said

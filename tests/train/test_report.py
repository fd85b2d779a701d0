"""The report of a run: from what the run wrote, over interruptions too."""

import json
from pathlib import Path

import pytest

from train.report import main
from train.run import Run


def a_run(folder: Path) -> Run:
    run = Run(folder)
    run.begin("rules: [two_deck]\nseed: 1\n")
    for step in range(1, 4):
        run.log(step * 100_000, {"train/gain": 0.1 * step, "deal/rise": 1.0, "train/rate": 0.1})
    run.log(400_000, {"train/gain": 0.5, "eval/greedy": 0.25, "eval/greedy_se": 0.05})
    run.save_state({"decisions": 400_000})
    run.close()
    return run


def test_report_over_an_interruption(tmp_path: Path) -> None:
    run = a_run(tmp_path / "run")
    path = run.folder / "metrics.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[-1]["speed/hours"] = 2.0  # as if it had taken that long
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    again = Run(run.folder)
    again.resume()
    again.log(500_000, {"train/gain": 0.6, "eval/greedy": 0.5, "eval/greedy_se": 0.04})
    again.close()
    assert 2.0 <= again.metrics()[-1]["speed/hours"] < 2.1
    main([str(run.folder)])
    text = (run.folder / "report.md").read_text(encoding="utf-8")
    assert "| 0.40 | +0.250 ± 0.050 |" in text
    assert "| 0.50 | +0.500 ± 0.040 |" in text
    assert "0.50 M decisions in 2.0 hours" in text
    assert text.count("| 2.0 |") == 1  # gone on with after two hours
    assert "| `seed` | `1` |" in text
    assert (run.folder / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="holds no run that has begun"):
        main([str(tmp_path)])

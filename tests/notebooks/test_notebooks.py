"""Notebooks: stripped in git, run from top to bottom, and pages that fetch nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
EVERYDAY = "1_first_game"


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_stripped(path: Path) -> None:
    book = nbformat.read(path, nbformat.NO_CONVERT)
    nbformat.validate(book)
    assert "widgets" not in book.metadata
    for cell in book.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_are_thin(path: Path) -> None:
    for cell in nbformat.read(path, nbformat.NO_CONVERT).cells:
        if cell.cell_type == "code":
            assert len(cell.source.splitlines()) <= 20, "longer: into agents/analysis"
            assert "def " not in cell.source


def page(path: Path, folder: Path, **env: str) -> str:
    """A notebook run with few deals, as `make notebooks` makes its page."""
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "jupyter", "nbconvert", "--execute"),
            *("--config", str(ROOT / "notebooks" / "nbconvert_config.py")),
            *("--output-dir", str(folder), str(path)),
        ],
        env={**os.environ, "PYTHONPATH": paths, "TUOLAJI_DEALS": "0.03", **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return (folder / f"{path.stem}.html").read_text("utf-8")


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=() if path.stem == EVERYDAY else pytest.mark.slow, id=path.stem)
        for path in NOTEBOOKS
    ],
)
def test_it_runs_and_its_page_fetches_nothing(path: Path, tmp_path: Path) -> None:
    html = page(path, tmp_path)
    assert re.search(r'<img alt="[^"]+"\s+src="data:image/png', html) or "<svg" in html
    assert not re.search(r"(src|href)\s*=\s*[\"']https?:", html)
    assert not re.search(r"(import|from|url\()\s*[\"']?https?:", html)
    assert "<script" not in html


@pytest.mark.slow
def test_learned_bidding_looks_at_a_network(tmp_path: Path) -> None:
    from agents import checkpoint
    from agents.networks import QNetwork
    from tuolaji_env.observe import Layout
    from tuolaji_env.rules import load_rules

    rules = load_rules("two_deck")
    layout = Layout(rules, "rules", True)
    network = QNetwork(layout.size, (8,), layout.scale)
    model = tmp_path / "small.zip"
    checkpoint.save(model, network.state_dict(), checkpoint.describe(network.spec, layout, [rules]))
    bidding = next(path for path in NOTEBOOKS if "bidding" in path.stem)
    html = page(bidding, tmp_path, TUOLAJI_AGENT=f"ckpt:{model}")
    assert "<code>small</code>" in html

"""The package as users get it: README code, the wheel in a clean environment, imports."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str, cwd: Path = ROOT, **env: str) -> str:
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_readme_examples_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)


def test_our_agents_and_train_are_ours() -> None:
    import agents
    import train

    for package in (agents, train):
        assert package.__file__ is not None
        assert Path(package.__file__).is_relative_to(ROOT)


def test_importing_the_library_needs_no_torch() -> None:
    code = "import sys, tuolaji_env; assert 'torch' not in sys.modules"
    run(sys.executable, "-c", code)


def test_observation_table_in_the_docs_is_current() -> None:
    from tuolaji_env.observe import Layout, describe
    from tuolaji_env.rules import load_rules

    table = describe(Layout(load_rules("two_deck")))
    assert table in (ROOT / "docs" / "observations.md").read_text("utf-8")


PLAY = """
import tuolaji_env
from pathlib import Path
game = tuolaji_env.Game("two_deck", seed=1)
while not game.is_over:
    game.play(game.legal_plays(limit=1)[0])
assert Path(tuolaji_env.__file__).is_relative_to({target!r}), tuolaji_env.__file__
print("played", game.score)
"""


@pytest.mark.slow
def test_wheel_plays_a_deal_outside_the_clone(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(tmp_path))
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "tuolaji_env/py.typed" in names
    assert "tuolaji_env/presets/two_deck.yaml" in names
    assert {n.split("/")[0] for n in names if ".dist-info" not in n} == {"tuolaji_env"}
    venv = tmp_path / "venv"
    run(sys.executable, "-m", "venv", str(venv))
    python = str(venv / "bin" / "python")
    constraints = str(ROOT / "constraints.txt")
    run(python, "-m", "pip", "install", "-q", "-c", constraints, str(wheel))
    code = PLAY.format(target=str(venv))
    cache = str(tmp_path / "cache")
    assert "played" in run(python, "-c", code, cwd=tmp_path, TUOLAJI_CACHE_DIR=cache)

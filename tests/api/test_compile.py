"""Compiled kernels on disk: right after an edit, from several threads and processes at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tuolaji_env.core.jit import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="without the compiler there is no cache")

INNER = """
from tuolaji_env.core.jit import boundary, kernel

@kernel
def twice(x):
    return {factor} * x

@boundary(int, returns=int)
def inner(x):
    return twice(x) + 1

@boundary(int, returns=int)
def middle(x):
    return inner(x)
"""

OUTER = """
from tuolaji_env.core.jit import driver
from toy.inner import middle

@driver
def outer(x):
    return middle(x)
"""

CALL = "from toy.outer import outer; print(outer(20))"

THREADS = """
import threading
from toy.outer import outer
answers, gate = [], threading.Barrier(8)
def call():
    gate.wait()
    answers.append(outer(20))
threads = [threading.Thread(target=call) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
assert len(answers) == 8, answers
print(*set(answers))
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A folder with a package of kernels that call each other from two files."""
    package = tmp_path / "toy"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "inner.py").write_text(INNER.format(factor=2))
    (package / "outer.py").write_text(OUTER)
    return tmp_path


def start(folder: Path, code: str) -> subprocess.Popen[str]:
    """A new Python process that keeps its compiled kernels in the folder."""
    environment = {**os.environ, "TUOLAJI_CACHE_DIR": str(folder / "cache")}
    environment["PYTHONPATH"] = os.pathsep.join([str(folder), str(Path(__file__).parents[2])])
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code], env=environment, **pipes)  # type: ignore[call-overload,no-any-return]


def answer(process: subprocess.Popen[str]) -> int:
    out, problem = process.communicate(timeout=300)
    assert process.returncode == 0, problem
    return int(out)


def test_an_edit_of_a_callee_is_noticed(toy: Path) -> None:
    assert answer(start(toy, CALL)) == 41
    assert answer(start(toy, CALL)) == 41  # from the cache
    (toy / "toy" / "inner.py").write_text(INNER.format(factor=3))
    assert answer(start(toy, CALL)) == 61


def test_processes_may_start_at_once_with_an_empty_cache(toy: Path) -> None:
    together = [start(toy, CALL) for _ in range(4)]
    assert [answer(process) for process in together] == [41] * 4
    assert answer(start(toy, CALL)) == 41


def test_threads_may_make_the_first_call_at_once(toy: Path) -> None:
    assert answer(start(toy, THREADS)) == 41
    assert answer(start(toy, THREADS)) == 41  # from the cache

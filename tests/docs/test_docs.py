"""The pages: complete, current, built without a warning or a fetch, their examples run."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tuolaji_env.rules import Rules, clauses

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
RULES_PAGE = (DOCS / "rules.md").read_text("utf-8")
PAGES = sorted([*DOCS.glob("*.md"), *(DOCS / "tutorials").glob("*.md")])
FENCE = re.compile(r"^```(python|sh)\n(.*?)^```", re.DOTALL | re.MULTILINE)
EXAMPLES = [path for path in PAGES if FENCE.search(path.read_text("utf-8"))]


def generator() -> Any:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_current() -> None:
    for name, text in generator().pages().items():
        assert text == (DOCS / name).read_text("utf-8"), f"{name}: run docs/generate.py"


def test_the_rules_have_every_clause_in_order() -> None:
    found = re.findall(r"^### R(\d+)\.(\d+) \S", RULES_PAGE, re.MULTILINE)
    numbers = [(int(a), int(b)) for a, b in found]
    assert numbers == sorted(set(numbers))
    for part in {a for a, _ in numbers}:
        own = [b for a, b in numbers if a == part]
        assert own == [*range(1, len(own) + 1)]


def test_every_clause_that_is_quoted_is_in_the_rules() -> None:
    headed = set(re.findall(r"^#+ (R[\d.]+) ", RULES_PAGE, re.MULTILINE))
    quoted = set(clauses().values())
    for folder in ("tuolaji_env", "agents", "tests", "configs"):
        for path in [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.yaml")]:
            quoted |= set(re.findall(r"\bR\d+\.\d+\b", path.read_text("utf-8")))
    assert quoted <= headed


def test_every_field_is_explained_in_the_rules_under_its_clause() -> None:
    parts = re.split(r"^#+ (R[\d.]+) .*$", RULES_PAGE, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    for name, clause in clauses().items():
        if name != "name":
            assert re.search(rf"`{name}[`:]", sections[clause]), f"{name}: not in {clause}"


@pytest.mark.parametrize("name", [n for n in Rules.model_fields if n not in ("name",)])
def test_words_that_a_field_may_be_are_in_the_rules(name: str) -> None:
    page = generator()
    words = re.findall(r"`(\w+)`", page.allowed(Rules.model_fields[name]))
    for word in words:
        assert re.search(rf"`(?:{name}: )?{word}`", RULES_PAGE), f"{name}: {word}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"),
            *("-b", "html", "-d", str(out / "doctrees"), str(DOCS), str(out / "html")),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-6000:]
    return out / "html"


@pytest.mark.slow
def test_the_site_is_built_without_warnings_and_fetches_nothing(site: Path) -> None:
    built = sorted(site.rglob("*.html"))
    assert len(built) > 20
    for path in built:
        html = path.read_text("utf-8")
        fetched = re.findall(r"<(?:script|img|iframe)[^>]*\bsrc=\"(?:https?:)?//[^\"]*", html)
        fetched += re.findall(r"<link[^>]*\bhref=\"(?:https?:)?//[^\"]*", html)
        assert not fetched, path
    for path in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", path.read_text("utf-8")), path


@pytest.mark.slow
def test_links_between_the_pages_lead_somewhere(site: Path) -> None:
    ids = {
        path: set(re.findall(r'\bid="([^"]+)"', path.read_text("utf-8")))
        for path in site.rglob("*.html")
    }
    for path in ids:
        for link in re.findall(r'<a[^>]*\bhref="([^"]+)"', path.read_text("utf-8")):
            if re.match(r"(https?|mailto):", link):
                continue
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.exists(), f"{path.name}: {link}"
            if anchor and target in ids:
                assert anchor in ids[target], f"{path.name}: {link}"


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)
    names: dict[str, object] = {"__name__": path.stem}
    for kind, block in FENCE.findall(path.read_text("utf-8")):
        if kind == "python":
            exec(compile(block, str(path), "exec"), names)
            continue
        for line in block.splitlines():
            command, *arguments = shlex.split(line)
            assert command == "python"
            done = subprocess.run(
                [sys.executable, *arguments],
                env={**os.environ, "PYTHONPATH": paths},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"

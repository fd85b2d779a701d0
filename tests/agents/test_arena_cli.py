"""The command line of the arena, from a small configuration to its reports."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agents.arena.__main__ import main
from agents.arena.commands import MARKS
from agents.arena.store import load
from tuolaji_env.record import Record


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arena")
    config = folder / "tiny.yaml"
    config.write_text(
        "agents: {random: random, dull: random, greedy: greedy}\n"
        "presets: [two_deck, one_deck]\nfirst: 4\nmost: 8\nmatches: 1\naudit: 4\nbootstrap: 20\n"
    )
    out, records = str(folder / "out"), str(folder / "records")
    arguments = ["play", "--config", str(config), "--out", out, "--records", records, "--quiet"]
    assert main(arguments) == 0
    return folder


def test_files_of_a_round_robin(played, capsys):
    out = played / "out"
    result = json.loads((out / "results.json").read_text())
    assert result["what"] == "round robin"
    assert result["order"][0] == "greedy"
    assert len(result["pairs"]) == 6
    assert {pair["settled"] for pair in result["pairs"]} <= {"clear", "precise", "most"}
    assert all(pair["matches"]["matches"] == 1 for pair in result["pairs"])
    assert {r["agent"] for r in result["ratings"]["matches"]} == {"random", "dull", "greedy"}
    text = (out / "report.md").read_text()
    for title in ("Ratings", "all presets alike", "one_deck", "Whole matches", "audit"):
        assert title in text
    assert "blind to hidden cards" in text
    # the same command again has nothing left to play and says the same
    before = (out / "plays.parquet").read_bytes()
    config = str(played / "tiny.yaml")
    assert main(["play", "--config", config, "--out", str(out), "--quiet"]) == 0
    assert capsys.readouterr().out == text
    assert (out / "plays.parquet").read_bytes() == before


def test_every_game_is_kept_as_a_record_that_verifies(played):
    rows = load(played / "out" / "plays.parquet").rows.to_pylist()
    files = sorted((played / "records").rglob("*.txt"))
    assert len(files) == len(rows)
    for row in rows:
        kind = row["kind"]
        number = row["number"] if kind == "match" else 2 * row["number"] + (row["seats"][0] == "B")
        pairing = f"{row['a']}+{row['b']}"
        record = Record.load(
            played / "records" / row["preset"] / pairing / f"{kind}_{number:06d}.txt"
        )
        assert (record.episode, record.seed) == (kind, row["seed"])
        assert record.seats == tuple(row["a" if seat == "A" else "b"] for seat in row["seats"])
        assert len(record.deals) == (row["deals"] if kind == "match" else 1)
        assert (record.winners is None) == (kind == "deal")
        winners = record.winners if kind == "match" else record.deals[0].result.winners
        won = {row["seats"][seat] for seat in winners}
        assert won == ({"A"} if row["won"] > 0 else {"B"} if row["won"] < 0 else set())
        record.verify()


def test_the_page_is_one_file_with_its_pictures_inside(played):
    html = (played / "out" / "report.html").read_text()
    assert html.count("data:image/svg+xml;base64,") == 4
    assert not re.findall(r'(?:src|href)="(?!data:)', html)
    assert "<script" not in html
    assert html.count("<table>") == html.count("</table>") == 7


def test_the_table_goes_between_the_marks(played, capsys):
    file = played / "README.md"
    file.write_text(f"before\n{MARKS[0]}\nold\n{MARKS[1]}\nafter\n")
    assert main(["readme", str(played / "out"), str(file)]) == 0
    lines = file.read_text().splitlines()
    assert (lines[0], lines[1], lines[-2], lines[-1]) == ("before", MARKS[0], MARKS[1], "after")
    assert lines[4].startswith("| 1 | `greedy` | +")
    assert "old" not in lines
    file.write_text("no marks\n")
    assert main(["readme", str(played / "out"), str(file)]) == 2
    assert "lacks the lines" in capsys.readouterr().err


def test_options_of_the_line_overrule_the_file(played, capsys):
    config, out = str(played / "tiny.yaml"), str(played / "out")
    assert main(["play", "--config", config, "--out", out, "--seed", "5", "--quiet"]) == 2
    assert "cannot be gone on with; other than before: seed" in capsys.readouterr().err


def test_results_are_verified_by_playing_anew(played, tmp_path, capsys):
    assert main(["verify", str(played / "out"), "--deals", "3"]) == 0
    assert "all come out as they are written" in capsys.readouterr().out
    results = load(played / "out" / "plays.parquet")
    points = results.rows["points"].to_pylist()
    points[1] += 5
    at = results.rows.schema.get_field_index("points")
    results.rows = results.rows.set_column(at, results.rows.schema.field(at), [points])
    results.save(tmp_path / "plays.parquet")
    assert main(["verify", str(tmp_path)]) == 1
    row = results.rows.slice(1, 1).to_pylist()[0]
    said = f"{row['preset']}: {row['a']} – {row['b']} comes out otherwise\n"
    assert capsys.readouterr().out == said


def test_one_agent_is_audited(capsys):
    assert main(["audit", "greedy", "--moments", "5"]) == 0
    assert "greedy, two_deck: blind to hidden cards; 5 moments" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["play", "random", "nope", "--out", "OUT"], "agent: 'nope' is not known; allowed: random"),
        (["play", "random", "--out", "OUT"], "agents: 1 given; allowed: 2 or more"),
        (["play", "random", "greedy", "--presets", "x", "--out", "OUT"], "no such preset"),
        (["play", "--config", "OUT/none.yaml", "--out", "OUT"], "none.yaml"),
        (["report", "OUT"], "holds no results of a round robin"),
        (["readme", "OUT", "OUT/README.md"], "readme: "),
        (["audit", "greedy", "--moments", "0"], "moments: 0 given; allowed: 1 or more"),
    ],
)
def test_refusals(capsys, tmp_path, arguments, reason):
    assert main([part.replace("OUT", str(tmp_path)) for part in arguments]) == 2
    shown = capsys.readouterr()
    assert reason in shown.err
    assert shown.out == ""
    assert not list(tmp_path.iterdir())


def test_what_is_missing_is_named_with_the_extra_that_brings_it():
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from agents.arena.__main__ import main; sys.exit(main(['report', '.']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pyarrow is needed: pip install 'tuolaji-env[arena]'" in done.stderr


def test_the_program_in_the_docs_runs(tmp_path, monkeypatch, capsys):
    text = (Path(__file__).resolve().parents[2] / "docs" / "leaderboard.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "leaderboard.md", "exec"), {})
    assert "'agent': 'greedy', 'rating': " in capsys.readouterr().out
    assert (tmp_path / "runs" / "ladder" / "plays.parquet").exists()

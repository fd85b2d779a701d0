"""The command line of `train.evaluate`: its JSON, its files and its refusals."""

import json

import pytest

from train.evaluate import main


def test_json_is_all_that_goes_to_stdout(capsys, tmp_path):
    out, plot = tmp_path / "new" / "result.json", tmp_path / "levels.svg"
    arguments = ["greedy", "random", "--deals", "20", "--seed", "1", "--json"]
    assert main([*arguments, "--out", str(out), "--plot", str(plot)]) == 0
    shown = capsys.readouterr()
    result = json.loads(shown.out)
    assert shown.err == ""
    assert result == json.loads(out.read_text())
    assert plot.stat().st_size > 1000
    assert result["agents"] == ["greedy", "random"]
    assert (result["deals"], result["plays"], result["seed"]) == (20, 40, 1)
    assert (result["what"], result["preset"]) == ("deals", "two_deck")
    assert 0.9 < result["level_share"]["mean"] <= 1
    for name in ("levels_per_deal", "points_per_deal"):
        value = result[name]
        low, high = value["interval95"]
        assert low < value["mean"] < high
        assert high - low == pytest.approx(2 * 1.959964 * value["se"])
    assert set(result["win_rate"]) == {"value", "interval95", "count"}
    assert all(us > 0 for us in result["decision_us"])
    assert set(result["versions"]) == {"tuolaji_env", "numpy", "numba"}
    assert len(result["rules_digest"]) == 16


def test_the_table_and_a_config_file(capsys, tmp_path):
    config = tmp_path / "eval.yaml"
    config.write_text("a: greedy\nb: random\ndeals: 5\nseed: 3\n")
    assert main(["--config", str(config), "--deals", "6"]) == 0
    assert "greedy against random: two_deck, 6 deals, 12 plays" in capsys.readouterr().out


def test_whole_matches(capsys):
    assert main(["greedy", "random", "--matches", "4", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["what"], result["matches"]) == ("matches", 4)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["greedy", "nobody"], "agent: 'nobody' is not known; allowed: random, greedy, heuristic"),
        (["greedy", "random", "--preset", "twodeck"], "no such preset"),
        (["greedy"], "two agents are needed"),
        (["greedy", "random", "--deals", "0"], "deals: 0 given; allowed: 1 or more"),
        (["greedy", "random", "--matches", "2", "--plot", "x.png"], "--plot shows deals"),
        (["--config", "nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_refusals(capsys, arguments, reason):
    try:
        code = main(arguments)
    except SystemExit as error:
        code = error.code
    assert code == 2
    shown = capsys.readouterr()
    assert reason in shown.err
    assert shown.out == ""


def test_options_that_a_config_file_cannot_state(capsys, tmp_path):
    config = tmp_path / "eval.yaml"
    config.write_text("a: greedy\nb: random\ndeal: 5\n")
    with pytest.raises(SystemExit):
        main(["--config", str(config)])
    assert "deal: no such option; allowed: a, b, preset" in capsys.readouterr().err

"""Settings: refusals name the field and what is allowed; files and command line agree."""

from pathlib import Path

import pytest

from train import config, dmc, ppo, sb3_ppo, vine
from train.config import ConfigError
from train.dmc import Config

#: Settings by the first word of a file's name.
KINDS = {
    "best": dmc.Config,
    "demo": dmc.Config,
    "dmc": dmc.Config,
    "generalist": vine.Config,
    "ppo": ppo.Config,
    "sb3": sb3_ppo.Config,
    "vine": vine.Config,
}
CONFIGS = sorted((Path(__file__).parents[2] / "configs" / "train").glob("*.yaml"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"lr": 1}, r"lr: no such setting; allowed: rules, layout, seed, .*rate"),
        ({"rate": "fast"}, r"rate: 'fast' given; allowed: a number"),
        ({"rate": True}, r"rate: True given; allowed: a number"),
        ({"rate": -1}, r"rate: -1.0 given; allowed: 0 or more"),
        ({"games": 1.5}, r"games: 1.5 given; allowed: a whole number"),
        ({"games": 0}, r"games: 0 given; allowed: 1 or more"),
        ({"epsilon": 2}, r"epsilon: 2.0 given; allowed: 0 to 1"),
        ({"epsilon": float("nan")}, r"epsilon: nan given; allowed: 0 to 1"),
        ({"rate": float("nan")}, r"rate: nan given; allowed: 0 or more"),
        ({"canonical": 1}, r"canonical: 1 given; allowed: true or false"),
        ({"loss": "l1"}, r"loss: 'l1' given; allowed: mse, huber"),
        ({"hidden": "256,0"}, r"hidden: 0 given; allowed: 1 or more"),
        ({"opponents": [3]}, r"opponents: 3 given; allowed: text"),
        ({"rules": None}, r"rules: None given; allowed: text"),
        ({"advice": None}, r"advice: None given; allowed: text"),
    ],
)
def test_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        config.build(Config, given)


def test_yaml_round_trip(tmp_path: Path) -> None:
    given = config.build(
        Config, {"rate": "1e-4", "hidden": "64,32", "decisions": "2e6", "minutes": 3}
    )
    assert (given.rate, given.hidden, given.decisions) == (1e-4, (64, 32), 2_000_000)
    path = tmp_path / "c.yaml"
    path.write_text(config.dump(given), encoding="utf-8")
    assert config.load(Config, path) == given


def test_command_line_sets_over_file(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("rate: 0.5\ngames: 7\n", encoding="utf-8")
    words = ["--config", str(path), "--rate", "1e-2", "--evaluate-every=0", "--minutes", "null"]
    args, over = config.parse_args(Config, "", words)
    given = config.load(Config, args.config, over)
    assert (given.rate, given.games, given.evaluate_every, given.minutes) == (0.01, 7, 0, None)


def test_broken_files(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("- rate\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"c.yaml: holds no settings"):
        config.load(Config, path)
    path.write_text("rate: 1\nraet: 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"c.yaml: raet: no such setting"):
        config.load(Config, path)
    with pytest.raises(ConfigError, match=r"none.yaml: cannot be read"):
        config.load(Config, tmp_path / "none.yaml")


def test_words_that_are_no_settings(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["rate", "1"], ["--rate"]):
        with pytest.raises(SystemExit):
            config.parse_args(Config, "", words)
        assert "settings are given as --name value" in capsys.readouterr().err


@pytest.mark.parametrize("path", CONFIGS, ids=lambda p: p.stem)
def test_published_configs_load(path: Path) -> None:
    config.load(KINDS[path.stem.split("_")[0]], path)

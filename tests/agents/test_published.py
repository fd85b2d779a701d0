"""The checkpoints that come with the repository: small, explained, and strong."""

from pathlib import Path

import pytest
import yaml

from agents import checkpoint
from agents.arena import play_match
from agents.published import FOLDER, OTHER, best
from agents.registry import make_agent
from train import config as settings
from train.dmc import Config as DMCConfig
from train.ppo import Config as PPOConfig
from train.vine import Config as VineConfig
from tuolaji_env.rules import load_rules, preset_names

FOLDERS = sorted(path for path in FOLDER.iterdir() if path.is_dir())
KINDS = {"dmc": DMCConfig, "ppo": PPOConfig, "vine": VineConfig}
INDEX: dict[str, str] = yaml.safe_load((FOLDER / "best.yaml").read_text("utf-8")) or {}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_checkpoint_is_small_and_comes_with_its_settings_and_report(folder: Path) -> None:
    model = folder / "model.zip"
    assert model.stat().st_size < 10_000_000
    meta = checkpoint.read_meta(model)
    config = settings.load(KINDS[meta.algorithm], folder / "config.yaml")
    assert [rules["name"] for rules in meta.rules] == list(config.rules)
    assert meta.seed == config.seed
    assert meta.git is not None
    assert not meta.git.endswith("-dirty"), "its source can be had"
    report = (folder / "report.md").read_text("utf-8")
    assert f"| `seed` | `{config.seed}` |" in report
    assert (folder / "curves.png").stat().st_size > 1000


def test_the_index_names_checkpoints_of_the_preset() -> None:
    assert set(INDEX.values()) <= {folder.name for folder in FOLDERS}
    assert set(INDEX) <= {*preset_names(), OTHER}
    for name in set(INDEX) - {OTHER}:
        rules = load_rules(name)
        checkpoint.load(best(rules), rules)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(INDEX) - {OTHER}))
def test_the_best_beats_heuristic(name: str) -> None:
    rules = load_rules(name)
    players = make_agent("best", rules), make_agent("heuristic", rules)
    met = play_match(*players, rules, 600, 99).levels_per_deal
    assert met.mean > 2.6 * met.se

"""Every algorithm: exact resuming, the same seed, past selves, the command line, refusals."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from agents import checkpoint
from agents.neural import NeuralAgent
from train import config as settings
from train import dmc, ppo, vine
from train.learner import Learner, Settings
from train.loop import train
from train.run import Run, RunError
from tuolaji_env.rules import load_rules

#: The module of each algorithm: its learner and its settings.
ALGORITHMS: dict[str, tuple[type[Learner], type[Settings]]] = {
    "dmc": (dmc.DMC, dmc.Config),
    "ppo": (ppo.PPO, ppo.Config),
    "vine": (vine.Vine, vine.Config),
}
TINY = {
    "games": 6,
    "hidden": [16],
    "suit": 4,
    "batch": 64,
    "decisions": 2_500,
    "evaluate_every": 800,
    "evaluate_deals": 2,
    "opponents": ["past"],
    "save_every": 2,
    "epsilon": 0.2,
    "precision": "fp32",
    "others": ["greedy"],
    "others_share": 0.3,
    "others_end": 0.3,
    "snapshots": 2,
    "snapshot_every": 500,
}

every_algorithm = pytest.mark.parametrize("name", ALGORITHMS)


def tiny(name: str, **over: object) -> Learner:
    learner, kind = ALGORITHMS[name]
    if name == "ppo":
        over = {"epsilon": 0, "epsilon_end": 0} | over
    return learner(settings.build(kind, TINY | over))


def tensors(part: object) -> list[torch.Tensor]:
    """All tensors in a state, in order."""
    if isinstance(part, torch.Tensor):
        return [part]
    parts = (
        part.values() if isinstance(part, dict) else part if isinstance(part, list | tuple) else ()
    )
    return [t for p in parts for t in tensors(p)]


def equal(a: Learner, b: Learner) -> bool:
    mine, theirs = tensors(a.state()), tensors(b.state())
    return len(mine) == len(theirs) > 10 and all(map(torch.equal, mine, theirs))


@every_algorithm
def test_resume_is_exact(name: str, tmp_path: Path) -> None:
    whole = tiny(name)
    train(whole, Run(tmp_path / "whole"), quiet=True)
    half = Run(tmp_path / "half")
    half.begin(settings.dump(whole.config))
    first = tiny(name)
    while first.decisions < 1_200 or first.iteration % 2:
        half.log(first.decisions, first.iterate())
    if first.decisions >= first.config.evaluate_every:
        first.evaluate()
    half.save_state(first.state())
    half.log(first.decisions + 1, {"lost": 1.0})  # written after the state, then killed
    half.close()
    again = tiny(name)
    train(again, half, True, quiet=True)
    assert again.iteration == whole.iteration > 3
    assert not any("lost" in line for line in half.metrics())
    for key in ("nets", "average", "optimiser", "league"):
        mine, theirs = tensors(again.state()[key]), tensors(whole.state()[key])
        assert mine
        assert all(map(torch.equal, mine, theirs)), key


@every_algorithm
def test_same_seed_same_weights_other_seed_others(name: str) -> None:
    a, b, c = (tiny(name, seed=seed) for seed in (1, 1, 2))
    for t in (a, b, c):
        t.iterate()
        t.iterate()
    assert equal(a, b)
    assert not equal(a, c)


@every_algorithm
def test_command_line_and_checkpoint(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    words = ["--run", str(folder), "--games", "4", "--decisions", "600", "--hidden", "8"]
    main = {"dmc": dmc.main, "ppo": ppo.main, "vine": vine.main}[name]
    main([*words, "--evaluate-deals", "2", "--opponents", "random"])
    assert "levels a deal against random" in capsys.readouterr().out
    NeuralAgent.from_checkpoint(folder / "model.zip", load_rules("two_deck"))
    meta = checkpoint.read_meta(folder / "model.zip")
    assert meta.steps >= 600
    assert meta.algorithm == name
    with pytest.raises(SystemExit, match="holds a run already"):
        main(words)
    (folder / "state.pt").write_bytes(b"torn")
    with pytest.raises(SystemExit, match=r"state.pt: is damaged"):
        main(["--resume", str(folder)])
    with pytest.raises(SystemExit, match=r"config.yaml: cannot be read"):
        main(["--resume", str(tmp_path / "nowhere")])
    with pytest.raises(SystemExit, match="raet: no such setting; allowed: rules"):
        main(["--raet", "1"])


def test_state_of_another_observation() -> None:
    state = tiny("dmc").state() | {"layout": "other"}
    with pytest.raises(RunError, match="layout digest other given; allowed"):
        tiny("dmc").restore(state)


def test_begin_with_a_checkpoint(tmp_path: Path) -> None:
    first = tiny("dmc")
    first.iterate()
    path = tmp_path / "model.zip"
    first.save_checkpoint(path)
    begun = tiny("vine", init=str(path))
    assert all(map(torch.equal, begun.network.parameters(), first.average.parameters()))
    with pytest.raises(settings.ConfigError, match=r"init: .*network .* given; allowed"):
        tiny("vine", init=str(path), hidden=[8])
    with pytest.raises(settings.ConfigError, match=r"init: .*layout digest .* given; allowed"):
        tiny("vine", init=str(path), advice="greedy")


def test_a_margin_is_no_weight_and_may_differ_from_that_begun_with(tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    tiny("dmc", advice="greedy", margin=0.1).save_checkpoint(path)
    assert tiny("vine", init=str(path), advice="greedy", margin=0.3).network.margin == 0.3


@pytest.mark.parametrize("setting", ["others", "opponents"])
def test_unknown_players_are_refused_before_anything_is_played(setting: str) -> None:
    with pytest.raises(settings.ConfigError, match=f"{setting}: agent: 'nobody' is not known"):
        tiny("dmc", **{setting: ["nobody"]})


def test_damaged_checkpoint_to_begin_with(tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    path.write_bytes(b"torn")
    with pytest.raises(settings.ConfigError, match=r"init: .*is no checkpoint, or is damaged"):
        tiny("dmc", init=str(path))


def test_league_keeps_snapshots_spread_over_the_course() -> None:
    league = tiny("dmc", snapshots=4).league
    network = tiny("dmc").network
    for age in range(1, 33):
        league.add(network, age)
    assert league.ages[0] == 1
    assert league.ages[-1] == 32
    assert len(league.ages) == 4
    assert max(np.diff(league.ages)) <= 16


def test_league_draws_from_both() -> None:
    learner = tiny("dmc", past=0.5)
    rng = np.random.default_rng(1)
    draw = learner.league.draw
    drawn = [draw(rng).spec for _ in range(20)]
    assert set(drawn) == {"greedy"}
    learner.league.add(learner.network, 1)
    drawn = [draw(rng).spec for _ in range(200)]
    assert set(drawn) == {"greedy", "past"}
    assert 60 < drawn.count("past") < 140
    alone = replace(learner.config, others=())
    assert type(learner)(alone).league.draw(rng) is None


@every_algorithm
def test_one_network_for_several_rule_sets(name: str, tmp_path: Path) -> None:
    rules = ["two_deck", "one_deck", "find_friends_5"]
    learner = tiny(name, rules=rules, layout="universal", workers=2, opponents=["random"])
    played = []
    for _ in range(3):
        learner.iterate()
        played += [p.games.rules.name for p in learner.players]
    assert sorted(played) == sorted(2 * rules)
    met = learner.evaluate()
    mean = np.mean([met[f"eval/{preset}/random"] for preset in rules])
    assert met["eval/random"] == pytest.approx(mean)
    path = tmp_path / "model.zip"
    learner.save_checkpoint(path)
    for preset in rules:
        NeuralAgent.from_checkpoint(path, load_rules(preset))
    with pytest.raises(settings.ConfigError, match=r"layout: rules given; .* need universal"):
        tiny(name, rules=rules)

"""DMC: returns against a plain loop, exact resuming, the same seed, and that it learns."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from agents import checkpoint
from agents.neural import NeuralAgent
from train import config as settings
from train.dmc import Config, Trainer, main, train
from train.run import Run, RunError
from train.selfplay import Deals
from tuolaji_env.core.record import LEAD
from tuolaji_env.rules import load_rules
from tuolaji_env.vector import VectorEnv

TINY = settings.build(
    Config,
    {
        "games": 12,
        "hidden": [16],
        "suit": 4,
        "batch": 64,
        "decisions": 5_000,
        "evaluate_every": 0,
        "save_every": 2,
        "epsilon": 0.2,
        "precision": "fp32",
        "guided": 0.3,
    },
)


def weights(trainer: Trainer) -> list[torch.Tensor]:
    state = trainer.state()
    slots = [t for slot in state["optimiser"]["state"].values() for t in slot.values()]
    return [*state["network"].values(), *state["average"].values(), *slots]


def equal(a: Trainer, b: Trainer) -> bool:
    return all(torch.equal(x, y) for x, y in zip(weights(a), weights(b), strict=True))


@pytest.mark.parametrize(
    ("rules", "trace", "guided"),
    [("two_deck", 1, 0.5), ("two_deck", 0.6, 0.5), ("find_friends_5", 1, 0)],
)
def test_returns_against_plain_loop(rules: str, trace: float, guided: float) -> None:
    """Each deal replayed through `VectorEnv`, whose rewards are added up one by one."""
    c = replace(TINY, rules=rules, games=6, workers=1, trace=trace)
    c = replace(c, level_weight=0.7, point_weight=0.3)
    worker = Trainer(c).workers[0]
    worker.play([1, 2, 3], 0.3, guided)
    deals, asked = worker.deals, ~np.isnan(worker.deals.trail.value)
    assert asked.all() == (guided == 0)
    for game in range(c.games):
        mine = np.flatnonzero(deals.trail.game == game)
        seats, tricks, rewards = replay(c, deals, game, mine)
        for n, i in enumerate(mine):
            want, weight = 0.0, 1.0
            before = tricks[n]
            for m in range(n, len(mine)):
                if m > n and seats[m] == seats[n]:
                    if trace < 1 and tricks[m] != before and asked[mine[m]]:
                        word = deals.trail.value[mine[m]] * c.discount ** (tricks[m] - tricks[n])
                        want += weight * (1 - trace) * word
                        weight *= trace
                    before = tricks[m]
                when, reward = rewards[m]
                want += weight * c.discount ** (when - tricks[n]) * reward[seats[n]]
            assert deals.returns[i] == pytest.approx(want, abs=1e-5)


def replay(
    c: Config, deals: Deals, game: int, mine: NDArray[np.int64]
) -> tuple[list[int], list[int], list[tuple[int, NDArray[np.float32]]]]:
    """Seats, tricks before, and (trick, reward of each seat) of the decisions of one deal."""
    envs = [
        VectorEnv(c.rules, 1, reward=kind, canonical=True, skip_forced=True, autoreset="disabled")
        for kind in ("levels", "points")
    ]
    for env in envs:
        env.reset_rows(np.array([0]), deals.last["seed"][game : game + 1])
    seats, tricks, rewards, expected = [], [], [], []
    rules, side = load_rules(c.rules), deals.last["side"][game]
    for i in mine:
        assert np.array_equal(env.observation[0], deals.rows[i])
        seats.append(int(env.seat[0]))
        record = env.records[0]
        tricks.append(int(record["tricks"]))
        played = 1 - record["held"][record["seat"]] / rules.hand_size
        expected.append(rules.takeover * played if record["phase"] >= LEAD else 0.0)
        for e in envs:
            e.step([deals.actions[i]])
        falls_in = max(int(env.records["tricks"][0]) - 1, tricks[-1])
        reward = c.level_weight * envs[0].reward[0] + c.point_weight * envs[1].reward[0]
        rewards.append((falls_in, reward))
    assert env.done[0]
    # points count above what the others would have by now if they were just to take over
    others = side[: rules.players] == 1
    share = np.where(others, 1, -others.sum() / (~others).sum()) / 100
    for n, rise in enumerate(np.diff([*expected, rules.takeover])):
        rewards[n] = (rewards[n][0], rewards[n][1] - c.point_weight * rise * share)
    return seats, tricks, rewards


def test_resume_is_exact(tmp_path: Path) -> None:
    whole = train(TINY, Run(tmp_path / "whole"), quiet=True)
    half = Run(tmp_path / "half")
    half.begin(settings.dump(TINY))
    first = Trainer(TINY)
    for _ in range(2):
        half.log(first.decisions, first.iterate())
    half.save_state(first.state())
    half.log(first.decisions + 1, {"lost": 1.0})  # written after the state, then killed
    half.close()
    again = train(settings.load(Config, half.folder / "config.yaml"), half, True, quiet=True)
    assert again.iteration == whole.iteration > 3
    assert equal(whole, again)
    assert not any("lost" in line for line in half.metrics())


def test_same_seed_same_weights_other_seed_others(tmp_path: Path) -> None:
    a, b, c = (Trainer(replace(TINY, seed=seed)) for seed in (1, 1, 2))
    for t in (a, b, c):
        t.iterate()
        t.iterate()
    assert equal(a, b)
    assert not equal(a, c)


def test_loss_decreases() -> None:
    c = replace(TINY, games=64, hidden=(64,), rate=3e-3, batch=256, decisions=100_000)
    trainer = Trainer(c)
    known = [trainer.iterate()["train/explained"] for _ in range(6)]
    assert known[-1] > max(known[0], 0) + 0.1


def test_command_line_and_checkpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    words = ["--run", str(folder), "--games", "4", "--decisions", "600", "--hidden", "8"]
    main([*words, "--evaluate-deals", "2", "--opponents", "random"])
    assert "levels a deal against random" in capsys.readouterr().out
    rules = load_rules("two_deck")
    NeuralAgent.from_checkpoint(folder / "model.zip", rules)
    assert checkpoint.read_meta(folder / "model.zip").steps >= 600
    with pytest.raises(SystemExit, match="holds a run already"):
        main(words)
    (folder / "state.pt").write_bytes(b"torn")
    with pytest.raises(SystemExit, match=r"state.pt: is damaged"):
        main(["--resume", str(folder)])
    with pytest.raises(SystemExit, match=r"config.yaml: cannot be read"):
        main(["--resume", str(tmp_path / "nowhere")])
    with pytest.raises(SystemExit, match="raet: no such setting; allowed: rules"):
        main(["--raet", "1"])


def test_state_of_another_observation(tmp_path: Path) -> None:
    state = Trainer(TINY).state() | {"layout": "other"}
    with pytest.raises(RunError, match="layout digest other given; allowed"):
        Trainer(TINY).restore(state)


@pytest.mark.slow
def test_beats_random(tmp_path: Path) -> None:
    c = replace(
        TINY, games=256, hidden=(128, 128), batch=512, decisions=500_000, epsilon=0.05,
        evaluate_every=10**9, evaluate_deals=400, opponents=("random",),
    )  # fmt: skip
    run = Run(tmp_path / "run")
    train(c, run, quiet=True)
    last = run.metrics()[-1]
    assert last["eval/random"] > 3 * last["eval/random_se"]

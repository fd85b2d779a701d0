"""DMC: returns against a plain loop, and that it learns."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.registry import make_agent
from train import config as settings
from train.dmc import DMC, Config
from train.loop import train
from train.run import Run
from train.selfplay import Taken
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
        "epsilon_end": 0.2,
        "precision": "fp32",
        "others": ["greedy"],
        "others_share": 0.5,
    },
)


@pytest.mark.parametrize(
    ("rules", "trace", "share"),
    [("two_deck", 1, 0.5), ("two_deck", 0.6, 0.5), ("find_friends_5", 1, 0)],
)
def test_returns_against_plain_loop(rules: str, trace: float, share: float) -> None:
    """Each deal replayed through `VectorEnv`, whose rewards are added up one by one."""
    c = replace(TINY, rules=(rules,), games=6, workers=1, trace=trace)
    c = replace(c, level_weight=0.7, point_weight=0.3, others_share=share)
    player = DMC(c).players[0]
    taken = player.play([1], 0, make_agent("greedy", load_rules(rules)))
    deals, asked = taken.data, ~np.isnan(taken.data.trail.value)
    assert asked.all() == (share == 0)
    for game in range(c.games):
        mine = np.flatnonzero(deals.trail.game == game)
        seats, tricks, rewards = replay(c, taken, game, mine)
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
    c: Config, taken: Taken, game: int, mine: NDArray[np.int64]
) -> tuple[list[int], list[int], list[tuple[int, NDArray[np.float32]]]]:
    """Seats, tricks before, and (trick, reward of each seat) of the decisions of one deal."""
    envs = [
        VectorEnv(
            c.rules[0], 1, reward=kind, canonical=True, skip_forced=True, autoreset="disabled"
        )
        for kind in ("levels", "points")
    ]
    for env in envs:
        env.reset_rows(np.array([0]), taken.last["seed"][game : game + 1])
    seats, tricks, rewards, expected = [], [], [], []
    rules, side = load_rules(c.rules[0]), taken.last["side"][game]
    for i in mine:
        assert np.array_equal(env.observation[0], taken.data.rows[i])
        seats.append(int(env.seat[0]))
        record = env.records[0]
        tricks.append(int(record["tricks"]))
        played = 1 - record["held"][record["seat"]] / rules.hand_size
        expected.append(rules.takeover * played if record["phase"] >= LEAD else 0.0)
        for e in envs:
            e.step([taken.data.actions[i]])
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


def test_loss_decreases() -> None:
    c = replace(TINY, games=64, hidden=(64,), rate=3e-3, batch=256, decisions=100_000)
    learner = DMC(c)
    known = [learner.iterate()["train/explained"] for _ in range(6)]
    assert known[-1] > max(known[0], 0) + 0.1


@pytest.mark.slow
def test_beats_random(tmp_path: Path) -> None:
    c = replace(
        TINY, games=256, hidden=(128, 128), batch=512, decisions=500_000, epsilon=0.05,
        epsilon_end=0.05, evaluate_every=10**9, evaluate_deals=400, opponents=("random",),
    )  # fmt: skip
    run = Run(tmp_path / "run")
    train(DMC(c), run, quiet=True)
    last = run.metrics()[-1]
    assert last["eval/random"] > 3 * last["eval/random_se"]

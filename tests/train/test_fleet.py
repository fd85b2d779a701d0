"""Ray: the same run as without it, also when an actor is killed in the middle of its work."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from train import config as settings
from train.dmc import DMC, Config, main
from train.fleet import Fleet
from train.learner import Learner
from train.run import Run

ray = pytest.importorskip("ray")

TINY = {
    "games": 16,
    "workers": 2,
    "hidden": [16],
    "suit": 4,
    "batch": 64,
    "decisions": 5_000,
    "evaluate_every": 0,
    "evaluate_deals": 4,
    "opponents": ["greedy", "past"],
    "precision": "fp32",
    "others": ["greedy"],
    "others_share": 0.5,
    "snapshots": 2,
    "snapshot_every": 1_000,
}


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    os.environ["RAY_AUTH_MODE"] = "disabled"  # else it writes a token into the home folder
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=200 * 2**20,
        _temp_dir=str(tmp_path_factory.mktemp("ray"))[:60],
        runtime_env={"env_vars": {"PYTHONPATH": os.getcwd()}},
    )
    yield
    ray.shutdown()


def learner(fleet: bool) -> Learner:
    made = DMC(settings.build(Config, TINY))
    if fleet:
        made.fleet = Fleet(made, "local")
    return made


def equal(a: Learner, b: Learner) -> bool:
    mine, theirs = a.nets.state_dict(), b.nets.state_dict()
    return all(torch.equal(mine[k], theirs[k]) for k in mine)


def test_the_same_as_without() -> None:
    here, there = learner(False), learner(True)
    for _ in range(3):
        mine, theirs = here.iterate(), there.iterate()
        assert {k: v for k, v in mine.items() if "speed" not in k} == {
            k: v for k, v in theirs.items() if "speed" not in k
        }
    assert equal(here, there)
    assert here.evaluate() == there.evaluate()
    there.close()


def test_a_killed_actor_does_its_work_again() -> None:
    here, there = learner(False), learner(True)
    here.iterate()
    there.iterate()
    assert there.fleet is not None
    victim = ray.get(there.fleet.hands[0].process.remote())

    def kill() -> None:
        time.sleep(0.02)
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    here.iterate()
    there.iterate()
    killer.join()
    here.iterate()
    there.iterate()
    assert ray.get(there.fleet.hands[0].process.remote()) != victim
    assert equal(here, there)
    there.close()


def test_command_line(tmp_path: Path) -> None:
    words = [f"--{k}={v}" for k, v in TINY.items() if isinstance(v, int)]
    words += ["--hidden=16", "--opponents=greedy", "--decisions=1500"]
    main([*words, "--run", str(tmp_path / "here")])
    main([*words, "--run", str(tmp_path / "there"), "--ray", "local"])
    a, b = (Run(tmp_path / name).read_state() for name in ("here", "there"))
    assert all(torch.equal(a["average"][k], b["average"][k]) for k in a["average"])

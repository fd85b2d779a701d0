"""MaskablePPO: one seat's trajectories as SB3 wants them, a checkpoint of ours, and it learns."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from agents.arena import play_match
from agents.neural import NeuralAgent
from agents.registry import make_agent
from train import config as settings
from train.returns import seat_levels
from train.run import Run
from train.sb3_env import SeatVecEnv
from train.sb3_ppo import Config, main, train
from tuolaji_env.games import is_over
from tuolaji_env.observe import Layout
from tuolaji_env.rules import load_rules

TINY = settings.build(
    Config,
    {
        "games": 8,
        "n_steps": 16,
        "batch_size": 64,
        "hidden": [16],
        "decisions": 600,
        "snapshot_every": 200,
        "evaluate_every": 400,
        "evaluate_deals": 2,
        "opponents": ["random"],
    },
)


def seats(rules: str = "two_deck", count: int = 6) -> SeatVecEnv:
    layout = Layout(load_rules(rules), canonical=True)
    others = [make_agent("greedy", layout.rules), make_agent("random", layout.rules)]
    return SeatVecEnv(layout, count, others, seed=1)


@pytest.mark.parametrize("rules", ["two_deck", "find_friends_5"])
def test_only_the_learners_seat_is_seen_and_paid(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = seats(rules)
    ended: list[tuple[np.ndarray, np.ndarray]] = []  # records and seats of finished deals
    begin = env._begin

    def watch(rows: np.ndarray) -> None:
        over = rows[is_over(env.games.records[rows])]
        ended.append((env.games.records[over].copy(), env.seats[over].copy()))
        begin(rows)

    monkeypatch.setattr(env, "_begin", watch)
    assert is_masking_supported(env)
    seen = env.reset()
    rng = np.random.default_rng(1)
    deals = 0
    for _ in range(600):
        records = env.games.records
        assert np.array_equal(records["seat"], env.seats)
        assert not is_over(records).any()
        want = env.games.observe(env.layout, seats=env.seats) * env.layout.scale
        assert np.allclose(seen, want)
        masks = get_action_masks(env)
        assert masks.sum(1).min() > 1  # forced moves are no decisions
        actions = np.array([rng.choice(np.flatnonzero(m)) for m in masks])
        seen, reward, done, infos = env.step(actions)
        assert not reward[~done].any()
        for i in np.flatnonzero(done):
            last, seat = ended[-1][0], ended[-1][1]
            which = list(np.flatnonzero(done)).index(i)
            levels = seat_levels(last, env.games.players)[which, seat[which]]
            assert infos[i]["levels"] == pytest.approx(levels)
            assert infos[i]["terminal_observation"].shape == seen[i].shape
            deals += 1
    assert deals > 20


def test_other_methods_are_refused() -> None:
    env = seats()
    with pytest.raises(AttributeError, match="method: 'render' asked for; allowed: action_masks"):
        env.env_method("render")
    with pytest.raises(ValueError, match="agents: none given"):
        env.sit([])


def test_run_leaves_a_checkpoint_that_plays_as_sb3_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    words = [f"--{k}={v}" for k, v in vars(TINY).items() if isinstance(v, int | float)]
    main(["--run", str(folder), "--hidden=16", "--opponents=random", *words])
    assert "levels a deal against random" in capsys.readouterr().out
    from sb3_contrib import MaskablePPO

    model = MaskablePPO.load(folder / "sb3.zip", device="cpu")
    assert model.num_timesteps >= TINY.decisions
    agent = NeuralAgent.from_checkpoint(folder / "model.zip", load_rules("two_deck"))
    env = seats()
    seen = env.reset()
    for _ in range(20):
        masks = get_action_masks(env)
        wanted, _ = model.predict(seen, deterministic=True, action_masks=masks)
        mine = agent.act(env.games, env.games.everybody)
        turned = wanted.copy()
        env.games.real_actions(turned, env.games.everybody)
        assert np.array_equal(turned, mine)
        seen, *_ = env.step(wanted)
    state = Run(folder).read_state()
    assert len(state["league"]["snapshots"]) >= 2
    longer = replace(TINY, decisions=1_000)
    (folder / "config.yaml").write_text(settings.dump(longer), encoding="utf-8")
    main(["--resume", str(folder)])
    assert Run(folder).read_state()["decisions"] >= 1_000


@pytest.mark.slow
def test_beats_random(tmp_path: Path) -> None:
    c = replace(
        TINY, games=128, n_steps=64, batch_size=1024, hidden=(128, 128), decisions=250_000,
        learning_rate=1e-3, snapshot_every=100_000, evaluate_every=0,
    )  # fmt: skip
    run = Run(tmp_path / "run")
    train(c, run)
    rules = load_rules(c.rules)
    agent = NeuralAgent.from_checkpoint(run.checkpoint, rules)
    levels = play_match(agent, make_agent("random", rules), rules, 400, 5).levels_per_deal
    assert levels.mean > 3 * levels.se

"""PPO: generalised advantages against a plain loop, what the critic sees, and that it learns."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.neural import turned_actions
from train import config as settings
from train.loop import train
from train.ppo import PPO, Config
from train.returns import Rewards, returns_of
from train.run import Run

TINY = settings.build(
    Config,
    {
        "games": 12,
        "workers": 1,
        "hidden": [16],
        "suit": 4,
        "batch": 64,
        "decisions": 5_000,
        "evaluate_every": 0,
        "precision": "fp32",
        "others": ["greedy"],
        "others_share": 0.3,
        "others_end": 0.3,
    },
)


def test_advantages_are_generalised_over_a_seats_own_tricks() -> None:
    """GAE summed up term by term: what each trick brought, and the critic's word at the next."""
    learner = PPO(replace(TINY, others=(), trace=0.7, discount=0.9))
    player = learner.players[0]
    data, c = player.play([1], 0, None).data, learner.config
    trail = data.trail
    plain = returns_of(
        trail,
        player.games.records,
        4,
        Rewards(c.level_weight, c.point_weight, c.discount, 1.0, player.par),
    )
    game, seat = trail.game, trail.seat
    for one in range(4):
        mine = np.flatnonzero((game == 0) & (seat == one))
        value, tricks = trail.value[mine], trail.tricks[mine]
        for n in range(len(mine)):
            # the seat's first decision in each later trick
            later = [m for m in range(n + 1, len(mine)) if tricks[m] != tricks[m - 1]]
            want, weight, at = 0.0, 1.0, n
            for m in later:
                gap = c.discount ** (tricks[m] - tricks[at])
                reward = plain[mine[at]] - gap * plain[mine[m]]
                want += weight * (reward + gap * (1 - c.trace) * value[m])
                weight *= gap * c.trace
                at = m
            want += weight * plain[mine[at]]
            assert data.returns[mine[n]] == pytest.approx(want, abs=1e-4)


@pytest.mark.parametrize("rules", ["two_deck", "find_friends_5"])
def test_full_critic_sees_hands_from_the_mover_on(rules: str) -> None:
    player = PPO(replace(TINY, rules=(rules,))).players[0]
    turned = turned_actions()
    for count, step in enumerate(player.steps([3], 0, None)):
        seen = player.full(step)
        assert np.array_equal(seen[:, : player.layout.size], step.rows)
        hands = seen[:, player.layout.size :].reshape(len(seen), -1, 54)
        record, seat = player.games.records[step.live[0]], step.seat[0]
        for ahead in range(player.games.players):
            planes = record["hand"][(seat + ahead) % player.games.players]
            for kind in range(54):
                held = sum(int(p) >> kind & 1 for p in planes)
                assert hands[0, ahead, turned[record["trump"], kind]] == held
        if count == 30:
            break


def test_noise_may_be_zero() -> None:
    """Exponential numbers of 32 bits are 0 now and then, whose logarithm is not finite."""

    class Zeros(np.random.Generator):
        def standard_exponential(self, size, dtype):  # type: ignore[no-untyped-def, override]
            return np.zeros(size, dtype)

    player = PPO(TINY).players[0]
    games = player.games
    games.begin(np.arange(12), skip_forced=True)
    live = games.everybody
    rows, mask = games.observe(player.layout), games.masks(canonical=True)
    rng = Zeros(np.random.PCG64(1))
    theirs = np.zeros(12, np.bool_)
    actions, liked, _ = player.choose(rows, mask, live, theirs, None, 0.0, rng)
    assert np.array_equal(actions, liked.argmax(1))
    assert mask[np.arange(12), actions].all()


def test_loss_goes_down_and_divergence_stays_small() -> None:
    learner = PPO(replace(TINY, games=64, hidden=(64,), batch=512, decisions=100_000))
    seen = [learner.iterate() for _ in range(6)]
    assert seen[-1]["train/explained"] > max(seen[0]["train/explained"], 0) + 0.1
    assert 0 < seen[-1]["train/divergence"] < 10 * learner.config.divergence


@pytest.mark.slow
def test_beats_random(tmp_path: Path) -> None:
    c = replace(
        TINY, games=256, hidden=(128, 128), batch=1024, decisions=500_000, rate=1e-3,
        evaluate_every=10**9, evaluate_deals=400, opponents=("random",),
    )  # fmt: skip
    run = Run(tmp_path / "run")
    train(PPO(c), run, quiet=True)
    last = run.metrics()[-1]
    assert last["eval/random"] > 3 * last["eval/random_se"]

"""The faces: PettingZoo's own tests, the contracts, options, masks, rewards, text."""

from __future__ import annotations

import contextlib
import io
import warnings
from pathlib import Path
from typing import Literal

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import tuolaji_env
from tuolaji_env import Game, VectorEnv, load_rules, preset_names, testing
from tuolaji_env.core import batch, see
from tuolaji_env.core.jit import COMPILED, Boundary
from tuolaji_env.games import IllegalActionError
from tuolaji_env.vector import full_states, state_size

PRESETS = ("two_deck", "henan", "nanning", "find_friends_6x4", "chaodipi_3", "next_level_trump")
HOUSE_RULES = sorted(map(str, (Path(__file__).parents[2] / "configs" / "rules").glob("*.yaml")))


@pytest.mark.parametrize("contract", testing.CONTRACTS)
@pytest.mark.parametrize("preset", [*preset_names(), *HOUSE_RULES])
def test_contract(preset: str, contract: str) -> None:
    testing.CONTRACTS[contract](load_rules(preset))


@pytest.mark.skipif(not COMPILED, reason="needs the compiler")
def test_one_specialisation_serves_all_rules() -> None:
    for preset in preset_names():
        env = VectorEnv(preset, 2, 0)
        env.step(env.action_mask.argmax(axis=1))
    for driver in (batch.vector_step, batch.reset_games, see.see_bytes, see.turn_masks):
        assert len(driver.dispatcher.signatures) == 1
    for boundary in Boundary.of_callee.values():
        assert len(boundary.dispatcher.signatures) <= 1


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_pettingzoo_api(episode: str) -> None:
    with warnings.catch_warnings():
        # the two warnings that every environment with Dict observations gets
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        with contextlib.redirect_stdout(io.StringIO()):
            api_test(tuolaji_env.env(episode=episode), num_cycles=400)


def test_pettingzoo_seed() -> None:
    seed_test(tuolaji_env.env, num_cycles=150)


def test_pettingzoo_render() -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        render_test(tuolaji_env.env)


def test_illegal_action_changes_nothing() -> None:
    raw = tuolaji_env.raw_env()
    raw.reset(seed=3)
    before = raw.game.record.copy()
    mask = raw.observe(raw.agent_selection)["action_mask"]
    wrong = int(np.flatnonzero(mask == 0)[0])
    with pytest.raises(IllegalActionError, match=r"seat \d.*allowed: .*\(R"):
        raw.step(wrong)
    assert testing.same_game(before, raw.game.record)
    env = tuolaji_env.env()
    env.reset(seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the wrapper tells of the illegal move
        env.step(wrong)
    assert env.terminations[env.agent_selection]


def test_vector_step_refuses_and_moves_nothing() -> None:
    env = VectorEnv("two_deck", 3, 0)
    before = env.snapshot()
    actions = env.action_mask.argmax(axis=1)
    actions[2] = np.flatnonzero(env.action_mask[2] == 0)[0]
    with pytest.raises(IllegalActionError, match="game 2"):
        env.step(actions)
    assert testing.same_game(before, env.records)


def test_skip_forced_asks_only_where_there_is_a_choice() -> None:
    env = VectorEnv("two_deck", 32, 1, skip_forced=True)
    rng = np.random.default_rng(0)
    for _ in range(300):
        assert (env.action_mask.sum(axis=1) > 1).all()
        env.step(testing.random_actions(env.action_mask, rng))


def test_points_rewards_sum_to_the_score() -> None:
    env = VectorEnv("two_deck", 16, 2, reward="points", skip_forced=True, autoreset="disabled")
    rng = np.random.default_rng(0)
    total = np.zeros((16, 4))
    while not (env.records["phase"] == 5).all():
        env.step(testing.random_actions(np.maximum(env.action_mask, 0), rng))
        total += env.reward * 1.0
        env.reward[:] = 0
    score = env.records["score"] / 100
    others = env.records["side"][:, :4] == 1
    ended = env.records["ended"] == 1
    assert np.allclose(total[ended], np.where(others, 1, -1)[ended] * score[ended, None], atol=1e-5)


def test_levels_rewards_follow_the_result() -> None:
    env = VectorEnv("two_deck", 64, 2)
    rng = np.random.default_rng(0)
    seen = 0
    while seen < 100:
        env.step(testing.random_actions(env.action_mask, rng))
        for row in np.flatnonzero(env.done):
            last, reward = env.last[row], env.reward[row]
            assert np.array_equal(reward[reward > 0], last["rise"][:4][reward > 0])
            assert reward.sum() == 0
            assert set(np.abs(reward)) == {float(last["rise"].max())}
            seen += 1


def test_match_reward_and_progress() -> None:
    env = VectorEnv("two_deck", 8, 2, episode="match", reward="match", skip_forced=True)
    rng = np.random.default_rng(0)
    finished = 0
    while finished < 3:
        env.step(testing.random_actions(env.action_mask, rng))
        for row in np.flatnonzero(env.done):
            winners = int(env.last[row]["match_winners"])
            expected = [1.0 if winners >> p & 1 else -1.0 for p in range(4)]
            assert env.reward[row].tolist() == (expected if winners else [0.0] * 4)
            finished += 1


def test_canonical_view_is_the_same_game_renamed() -> None:
    plain = VectorEnv("two_deck", 16, 5)
    turned = VectorEnv("two_deck", 16, 5, canonical=True)
    rng = np.random.default_rng(0)
    for _ in range(200):
        assert np.array_equal(plain.action_mask.sum(axis=1), turned.action_mask.sum(axis=1))
        hand = turned.layout.part(turned.observation, "hand")
        assert np.array_equal(hand.sum(axis=1), plain.records["held"][range(16), plain.seat])
        is_trump = turned.layout.part(turned.observation, "is_trump")
        settled = plain.records["trump"] < 4
        assert is_trump[settled, 39:52].all(), "trumps come last"
        actions = testing.random_actions(turned.action_mask, rng)
        real = actions.copy()
        turned.games.real_actions(real, turned.games.everybody)
        plain.step(real)
        turned.step(actions)
        assert testing.same_game(plain.records, turned.records)


def test_float_rows_are_the_bytes_scaled() -> None:
    rows = VectorEnv("two_deck", 8, 5)
    floats = VectorEnv("two_deck", 8, 5, dtype="float32")
    for _ in range(60):
        actions = rows.action_mask.argmax(axis=1)
        rows.step(actions)
        floats.step(actions)
    assert np.allclose(floats.observation, rows.observation * rows.layout.scale)


def test_state_shows_everything() -> None:
    env = tuolaji_env.raw_env()
    env.reset(seed=1)
    for _ in range(60):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    state = env.state()
    assert env.state_space.contains(state)
    hands = state[env.layout.size :][: 4 * 54].reshape(4, 54)
    for seat in range(4):
        cards = np.bincount(env.game.hand(seat), minlength=54)
        assert np.array_equal(hands[seat], cards)
    assert len(state) == state_size(env.game.rules, env.layout)
    assert full_states(env.game.batch, env.layout).shape == (1, len(state))


@pytest.mark.parametrize("opponents", ["random", "greedy", ["greedy", "random", "greedy"]])
def test_gymnasium_face(opponents: object) -> None:
    env = gymnasium.make(
        "tuolaji_env/Tuolaji-v0", seat=0, opponents=opponents, disable_env_checker=True
    )
    rng = np.random.default_rng(0)
    rewards = []
    for episode in range(3):
        seen, info = env.reset(seed=episode)
        done = False
        while not done:
            assert env.observation_space.contains(seen)
            assert seen["action_mask"].any()
            assert np.array_equal(env.unwrapped.action_masks(), seen["action_mask"] == 1)
            action = testing.random_actions(seen["action_mask"][None], rng)[0]
            seen, reward, done, truncated, info = env.step(action)
            assert not truncated
        rewards.append(reward)
        assert info["seat"] == 0
    assert (
        env.reset(seed=0)[0]["observation"].tolist() == env.reset(seed=0)[0]["observation"].tolist()
    )


def test_gymnasium_face_at_every_seat() -> None:
    env = tuolaji_env.TuolajiEnv(seat=None)
    assert {env.reset(seed=s)[1]["seat"] for s in range(30)} == {0, 1, 2, 3}
    with pytest.raises(ValueError, match=r"opponents: 'nobody' is not known; allowed: random"):
        tuolaji_env.TuolajiEnv(opponents="nobody")


# --- reset options and text --------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_text_round_trip_of_a_match(preset: str) -> None:
    game, rng = Game(preset, seed=5), np.random.default_rng(5)
    for _ in range(2):
        while not game.is_over:
            plays = game.legal_plays(40)
            game.play(plays[rng.integers(len(plays))])
        assert eval(repr(game)) == game
        assert testing.same_game(eval(repr(game)).record, game.record)
        game.next_deal()
    game.do(game.legal_actions()[0])
    again = Game.from_text(game.to_text())
    assert testing.same_game(again.record, game.record)


def test_reset_options() -> None:
    deck = Game("two_deck", seed=9).record["deck"][:108].tolist()
    game = Game("two_deck", seed=1, deck=deck, levels=["5", "9", "5", "9"], declarer=1)
    assert (game.level, int(game.record["declarer"])) == ("9", 1)
    assert game.record["deck"][:108].tolist() == deck
    game.reset(4, deck=9)
    assert game.record["deck"][:108].tolist() == deck
    game.reset(2, declarer=2, trump="♥", levels="K")
    assert (game.phase, game.seat, game.trump, game.level) == ("lead", 2, "♥", "K")
    assert len(game.hand(2)) == 25
    pool = [*game.hand(2), *_kitty(game)]
    wanted = sorted(pool)[:8]
    game.reset(2, declarer=2, trump="♥", levels="K", kitty=wanted)
    assert _kitty(game) == wanted
    assert sorted([*game.hand(2), *wanted]) == sorted(pool)
    assert eval(repr(game)) == game


def _kitty(game: Game) -> list[int]:
    return np.repeat(np.arange(54), testing.counts_of(game.record["kitty"])).tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 5}, "option 'level' is not known; allowed: levels"),
        ({"levels": "1"}, "levels: '1' is not on the ladder; allowed: 2 3"),
        ({"levels": [2, 3]}, "levels: 2 given; allowed: one, or 4"),
        ({"levels": [2, 3, 4, 3]}, "allowed: one for each team"),
        ({"declarer": 4}, "declarer: 4 given; allowed: 0 to 3"),
        ({"deck": [1, 2]}, "deck: 2 cards given"),
        ({"trump": "♥"}, "trump: given without a declarer"),
        ({"kitty": "♥2"}, "kitty: given without a trump"),
        ({"kitty": "♥2", "trump": "♥", "declarer": 0}, "kitty: ♥2 given; allowed: 8 cards of"),
    ],
)
def test_reset_refuses(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game("two_deck", 1, episode="deal", **{"declarer": None, **options})


POSITION = (
    "level 5; trump ♥; declarer 0; leader 1; hands ♠AA♥3 | ♠KK♥4 | ♠QQ♥6 | ♠JJ♥7; kitty ♦5; "
    "taken 0 10 0 5; trick ♠KK"
)


def test_position() -> None:
    game = Game.from_position(POSITION)
    assert (game.seat, game.phase, game.score) == (2, "follow", 15)
    assert not game.can_play("♠Q♥6")
    with pytest.raises(IllegalActionError, match=r"allowed: ♠Q \(R6"):
        game.play("♥6")
    with pytest.raises(IllegalActionError, match="not a whole follow; may go on with ♠Q"):
        game.play("♠Q")
    game.play("♠QQ")
    game.play("♠JJ")
    game.play("♠AA")
    assert game.seat == 0
    game.play("♥3")
    for play in ("♥4", "♥6", "♥7"):
        game.play(play)
    assert game.is_over
    # the others take the last trick with a single: the kitty's 5 points count twice (R10.1)
    assert game.score == 15 + 5 * 2


def test_position_refuses() -> None:
    with pytest.raises(ValueError, match="position: 'hand' is not known"):
        Game.from_position(POSITION.replace("hands", "hand"))
    with pytest.raises(ValueError, match=r"hands: \[3, 3, 3\] cards given; allowed: 4 hands"):
        Game.from_position(POSITION.replace("| ♠JJ♥7", ""))


def test_render_hides_what_a_seat_may_not_see() -> None:
    game = Game.from_position(POSITION)
    assert "♠JJ" in game.render()
    seen = game.render(viewer=2)
    assert "♠QQ" in seen
    assert "♠JJ" not in seen
    assert "♦5" not in seen


def test_example_in_the_docstring_of_game() -> None:
    game = Game("two_deck", seed=1)
    while not game.is_over:
        game.play(game.legal_plays(limit=1)[0])
    assert game.score >= 0


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_threads_share_the_games_and_change_nothing(dtype: Literal["uint8", "float32"]) -> None:
    alone = VectorEnv("two_deck", 7, 3, dtype=dtype, canonical=True)
    shared = VectorEnv("two_deck", 7, 3, dtype=dtype, canonical=True, threads=3)
    rng = np.random.default_rng(0)
    for _ in range(200):
        actions = testing.random_actions(alone.action_mask, rng)
        for ours, theirs in zip(alone.step(actions), shared.step(actions), strict=True):
            assert np.array_equal(ours, theirs)
        assert alone.records.tobytes() == shared.records.tobytes()
    with pytest.raises(IllegalActionError):
        shared.step(np.full(7, -1))
    assert alone.records.tobytes() == shared.records.tobytes()
    with pytest.raises(ValueError, match="threads: 0 given"):
        VectorEnv("two_deck", 7, threads=0)

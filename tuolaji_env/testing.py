"""Contract tests that any rule set must pass, for this package's tests and for yours.

Each function plays games of some rules and raises AssertionError where a promise is broken:
invariants of whole deals, equal games through every face, seeds and snapshots that fix everything,
observations and masks that do not change with what a seat cannot see.

    python -m tuolaji_env.testing cases FILE [PRESET …]   rule cases, see `casefile.py`
    python -m tuolaji_env.testing contracts RULES …       all contracts for some rules
    python -m tuolaji_env.testing soak DEALS [RULES …]    random deals, by default of all presets
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .aec import raw_env
from .casefile import check_file
from .core import audit
from .core.record import BID, GAME, OVER, copied
from .game import Game
from .games import GameBatch, cards_in, game_seeds
from .observe import Layout
from .rules import Rules, load_rules, preset_names
from .setup import planes_of
from .vector import VectorEnv

#: Fields of a record that mean nothing between calls.
WORKING_FIELDS = tuple(name for name in GAME.names or () if name.startswith(("w_", "unit")))


def same_game(a: Any, b: Any) -> bool:
    """Whether two records (or arrays of them) are equal but for their working space."""
    names = [name for name in GAME.names or () if name not in WORKING_FIELDS]
    return all(np.array_equal(a[name], b[name]) for name in names)


def random_actions(masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """A uniformly random legal action per row. masks: [B, 63]; returns [B] int64."""
    return (masks * rng.random(masks.shape)).argmax(axis=1)


def counts_of(planes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Copies of each kind in bit planes. [..., 4] -> [..., 54]."""
    return (planes[..., None] >> np.arange(54) & 1).sum(axis=-2)


def soak(rules: Rules, deals: int = 300, seed: int = 0, batch: int = 64) -> tuple[int, int]:
    """Random matches with invariants checked at every step (`core/audit.py`).

    No dead end, no card lost, masks within the hand, points of a deal summing to 100 a deck.
    Returns the deals and micro-steps played.
    """
    games = GameBatch(rules, min(batch, deals))
    finished, steps, game, wrong = audit.audit(
        games.table, games.records, game_seeds(seed, len(games)), seed, deals
    )
    assert game < 0, f"game {game} of seed {seed}: {_WRONG[wrong]}; {games.records[game]}"
    return int(finished), int(steps)


_WRONG = ("fine", "dead end", "cards lost", "hand sizes", "mask", "points lost", "result")


def faces_agree(rules: Rules, seed: int = 0) -> None:
    """One deal through the AEC face, a vector of one and `Game`: the same at every step."""
    aec = raw_env(rules, reward="points")
    aec.reset(seed)
    vector = VectorEnv(rules, 1, 0, reward="points", autoreset="disabled")
    vector.reset_rows(np.array([0]), np.array([aec.game.seed]))
    game = Game(rules, aec.game.seed, episode="deal")
    rng = np.random.default_rng(seed)
    while not game.is_over:
        seen = aec.observe(aec.agent_selection)
        assert aec.agent_selection == f"seat_{game.seat}" == f"seat_{vector.seat[0]}"
        assert np.array_equal(seen["observation"], vector.observation[0])
        assert np.array_equal(seen["observation"], game.observe(vector.layout))
        assert np.array_equal(seen["action_mask"], vector.action_mask[0])
        assert game.legal_actions() == np.flatnonzero(seen["action_mask"]).tolist()
        action = int(random_actions(seen["action_mask"][None], rng)[0])
        aec.step(action)
        game.do(action)
        step = vector.step([action])
        assert np.allclose([aec.rewards[a] for a in aec.possible_agents], step.reward[0])
    assert vector.done[0]
    assert all(aec.terminations.values())
    assert same_game(vector.last[0], game.record)
    assert same_game(aec.game.record, game.record)


def seed_twin(rules: Rules, seed: int = 0) -> None:
    """Equal seeds and actions give equal games, whatever the size of the batch."""
    seeds = game_seeds(seed, 5)
    whole = GameBatch(rules, 5)
    whole.begin(seeds)
    for row in range(5):
        single = GameBatch(rules, 1)
        single.begin(seeds[row : row + 1])
        rng = np.random.default_rng(row)
        for _ in range(60):
            if whole.records["phase"][row] == OVER:
                break
            action = random_actions(whole.masks(np.array([row])), rng)
            whole.step(action, np.array([row]))
            single.step(action)
            assert same_game(whole.records[row], single.records[0]), "batch size matters"


def snapshot_twin(rules: Rules, seed: int = 0, steps: int = 120) -> None:
    """A snapshot restored in another environment goes on in the same way."""
    one, two = VectorEnv(rules, 4, seed), VectorEnv(rules, 4, seed + 1)
    rng = np.random.default_rng(seed)
    for _ in range(40):
        one.step(random_actions(one.action_mask, rng))
    two.restore(one.snapshot())
    for _ in range(steps):
        actions = random_actions(one.action_mask, rng)
        a, b = one.step(actions), two.step(actions)
        assert np.array_equal(a.observation, b.observation)
        assert np.array_equal(a.reward, b.reward)
    assert same_game(one.records, two.records), "a restored game went another way"


def hidden_twins(
    games: GameBatch, viewer: int, rng: np.random.Generator
) -> Iterator[tuple[str, GameBatch]]:
    """Games (batches of one) that a seat cannot tell from games[0], each with what was changed."""
    s = games.records[0]
    others = [seat for seat in range(games.players) if seat != viewer]

    def twin() -> tuple[GameBatch, Any]:
        copy = GameBatch.over(games.rules, games.table, copied(games.records))
        return copy, copy.records[0]

    copy, t = twin()
    knows_kitty = int(s["burier"]) == viewer
    pools = [cards_in(s["hand"][seat]) for seat in others]
    if not knows_kitty:
        pools.append(cards_in(s["kitty"]))
    dealt = np.array([kind for pool in pools for kind in pool])
    rng.shuffle(dealt)
    parts = np.split(dealt, np.cumsum([len(pool) for pool in pools])[:-1])
    for seat, part in zip(others, parts, strict=False):
        t["hand"][seat] = planes_of(part.tolist())
    if not knows_kitty:
        t["kitty"] = planes_of(parts[-1].tolist())
    yield "hands and kitty of others", copy

    copy, t = twin()
    left = t["deck"][int(s["drawn"]) : games.rules.deck_size].copy()
    rng.shuffle(left)
    t["deck"][int(s["drawn"]) : games.rules.deck_size] = left
    for seat in others:
        t["bid_best"][seat] = rng.integers(10)
    t["bid_passed"] = int(rng.integers(1 << games.players))
    yield "cards to be drawn, bids others could make", copy

    if int(s["seat"]) != viewer and int(s["phase"]) != OVER:
        copy, t = twin()
        t["pick"], t["picked"], t["last"] = 0, 0, -1
        t["mask"] = t["lawful"] = 1
        t["owed"] = 0
        yield "what the mover has picked", copy
    if int(s["seat"]) != viewer and int(s["phase"]) == BID:
        copy, t = twin()
        t["seat"] = others[int(rng.integers(len(others)))]
        t["drawing"] = 1 - int(s["drawing"])
        if int(s["burier"]) < 0:
            for seat in others:
                t["held"][seat] = rng.integers(20)
        yield "who is asked for a bid", copy


def hidden_twin(rules: Rules, seed: int = 0, deals: int = 2) -> int:
    """What a seat sees and its mask do not change with what it cannot know; returns checks made."""
    games, rng, checks = GameBatch(rules, 1), np.random.default_rng(seed), 0
    layouts = [Layout(rules), Layout(rules, "universal", canonical=True)]
    for game_seed in game_seeds(seed, deals):
        games.begin(game_seed)
        while int(games.records["phase"][0]) != OVER:
            if rng.random() < 0.15:
                for viewer in range(games.players):
                    seats = np.array([viewer])
                    for what, twin in hidden_twins(games, viewer, rng):
                        for layout in layouts:
                            seen = games.observe(layout, seats=seats)
                            assert np.array_equal(seen, twin.observe(layout, seats=seats)), (
                                f"seat {viewer} can see: {what}"
                            )
                        checks += 1
            games.step(random_actions(games.masks(), rng))
    return checks


CONTRACTS: dict[str, Callable[[Rules], Any]] = {
    "soak": soak,
    "faces_agree": faces_agree,
    "seed_twin": seed_twin,
    "snapshot_twin": snapshot_twin,
    "hidden_twin": hidden_twin,
}


def _main(arguments: list[str]) -> int:
    if len(arguments) >= 2 and arguments[0] == "cases":
        agree, disagreements = check_file(arguments[1], arguments[2:] or None)
        for disagreement in disagreements:
            print(disagreement)
        differ = len({d.line for d in disagreements})
        print(f"{agree} agree, {differ} differ")
        return int(differ > 0)
    if len(arguments) >= 2 and arguments[0] == "contracts":
        for source in arguments[1:]:
            rules = load_rules(source)
            for name, contract in CONTRACTS.items():
                contract(rules)
                print(f"{source}: {name} holds")
        return 0
    if len(arguments) >= 2 and arguments[0] == "soak":
        for source in arguments[2:] or preset_names():
            begun = time.perf_counter()
            deals, steps = soak(load_rules(source), int(arguments[1]), batch=1024)
            seconds = time.perf_counter() - begun
            print(
                f"{source}: {deals:,} deals, {steps:,} micro-steps, no dead end, no broken "
                f"invariant ({seconds:.0f} s)",
                flush=True,
            )
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))

"""Every segment of an observation against what the record says, worked out apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import pytest

from tuolaji_env import GameBatch, Layout, load_rules
from tuolaji_env.core import see
from tuolaji_env.core.record import BID, BURY, CALL, FOLLOW, HIDDEN_VALUE, LOG_BID, OVER
from tuolaji_env.games import game_seeds
from tuolaji_env.observe import rule_features
from tuolaji_env.testing import counts_of, random_actions

POINTS = np.array([{3: 5, 8: 10, 11: 10}.get(k % 13, 0) if k < 52 else 0 for k in range(54)])


def positions(preset: str, deals: int = 2) -> Iterator[tuple[GameBatch, Any]]:
    rules = load_rules(preset)
    rng = np.random.default_rng(3)
    games = GameBatch(rules, 1)
    for seed in game_seeds(3, deals):
        games.begin(seed)
        while True:
            yield games, games.records[0]
            if games.records["phase"][0] == OVER:
                break
            games.step(random_actions(games.masks(), rng))


def one_hot(place: int, size: int) -> list[int]:
    return [int(i == place) for i in range(size)]


def expected(games: GameBatch, s: Any, viewer: int, kind: str) -> dict[str, Any]:
    """The card and role segments of fixed-team games without hidden bids, in real suits."""
    rules, players = games.rules, games.players
    table, combo = games.table[0], int(s["combo"])
    seats = [(viewer + i) % players for i in range(players)]
    mine = viewer == s["seat"] and s["phase"] != OVER
    phase = int(s["phase"])
    following = phase == FOLLOW
    hand, gone = counts_of(s["hand"])[viewer], counts_of(s["gone"])
    trick = counts_of(s["trick"])[seats]
    buried = s["burier"] == viewer
    kitty = counts_of(s["kitty"]) if buried else np.zeros(54, int)
    deck = np.full(54, rules.decks)
    begun = s["declarer"] >= 0 and phase != BID
    after_bury = s["burier"] >= 0

    def relative(seat: int) -> list[int]:
        return one_hot((seat - viewer) % players if seat >= 0 else -1, players)

    def lead(shape: Any) -> tuple[list[int], Any]:
        tractors = np.zeros((3, 2), int)
        for t in range(shape[0]):
            tractors[shape[5 + 2 * t] - 2] += (1, shape[6 + 2 * t])
        return [int(shape[w]) for w in (1, 2, 3, 4)], tractors

    nothing = [0] * 4, np.zeros((3, 2), int)
    led = lead(s["lead_shape"]) if following else nothing
    owed = lead(s["owed"]) if following and mine and s["count"] > 1 else nothing
    side = s["side"][seats]
    score = sum(
        int(s["taken"][p] - s["fined"][p] if s["side"][p] else s["fined"][p])
        for p in range(players)
    )
    shown = counts_of(s["shown"])[seats]
    suits = [shown[:, 13 * q : 13 * q + 13].sum(axis=1) for q in range(4)]
    bidder = int(s["bid_seat"])
    return {
        "hand": hand,
        "selection": counts_of(s["pick"]) if mine and phase != CALL else np.zeros(54),
        "trick": trick,
        "played": counts_of(s["played"])[seats],
        "exposed": counts_of(s["exposed"])[seats],
        "unseen": deck - hand - gone - kitty,
        "kitty": kitty,
        "void": [[int(s["void"][p]) >> q & 1 for q in range(5)] for p in seats],
        "power": table["power"][combo] + 1,
        "is_trump": table["suit_of"][combo] == 4,
        "trump": one_hot(int(s["trump"]) if begun else -1, 5),
        "real_trump": one_hot(int(s["trump"]) if begun else -1, 5),
        "level_rank": one_hot(int(s["level_rank"]), 14),
        "phase": one_hot(phase if s["seat"] == viewer or phase > CALL else -1, 6),
        "drawing": phase == BID and mine and s["drawing"],
        "shown": np.stack([*suits, shown[:, 52], shown[:, 53], 0 * shown[:, 0]], axis=1),
        "bidder": relative(bidder),
        "bid_trump": one_hot(int(s["bid_trump"]) if bidder >= 0 else -1, 5),
        "bid_strength": s["bid_strength"],
        "bid_copies": s["bid_copies"] + s["bid_small"] + s["bid_big"],
        "lead_suit": one_hot(int(s["suit"]) if following else -1, 5),
        "count": s["count"] if following or (phase == BURY and mine) else 0,
        "lead_tuples": led[0],
        "lead_tractors": led[1],
        "owed_tuples": owed[0],
        "owed_tractors": owed[1],
        "best_is_trump": following and s["best_suit"] == 4,
        "best_top": s["tops"][0] + 1 if following else 0,
        "best_width": s["best_width"] if following else 0,
        "trick_points": (trick * POINTS).sum() // 5 if following else 0,
        "declarer": relative(int(s["declarer"])),
        "burier": relative(int(s["burier"])),
        "leader": relative(int(s["leader"]) if phase >= FOLLOW else -1),
        "standing": relative(int(s["winner"]) if phase >= FOLLOW else -1),
        "held": s["held"][seats] if after_bury else [s["held"][viewer]] * players,
        "with_declarer": (side == 0) & after_bury,
        "against": (side == 1) & after_bury,
        "taken": s["taken"][seats] // 5,
        "fined": s["fined"][seats] // 5,
        "level": s["level"][seats] + 1,
        "gained": s["gained"][seats],
        "score": score // 5 + 64 if s["declarer"] >= 0 else 64,
        "kitty_points": (kitty * POINTS).sum() // 5,
        "tricks": s["tricks"],
        "deals": s["deal"],
        "redeals": s["redeals"],
        "rules": list(rule_features(rules).values()) if kind == "universal" else [],
    }


@pytest.mark.parametrize("kind", ["rules", "universal"])
@pytest.mark.parametrize("preset", ["two_deck", "henan", "six_player"])
def test_segments(preset: str, kind: Literal["rules", "universal"]) -> None:
    layout = Layout(load_rules(preset), kind)
    checked = set()
    for number, (games, s) in enumerate(positions(preset)):
        if number % 3:
            continue
        for viewer in range(games.players):
            row = games.observe(layout, seats=np.array([viewer]))[0]
            for name, value in expected(games, s, viewer, kind).items():
                part = layout.part(row, name)
                if kind == "universal":  # empty beyond the seats that there are
                    sizes = tuple(slice(n) for n in np.shape(value))
                    assert part.sum() == part[sizes].sum(), name
                    part = part[sizes]
                wanted = np.broadcast_to(np.asarray(value, int), part.shape)
                assert np.array_equal(part, wanted), (name, viewer, part, wanted)
                checked.add(name)
    assert checked == set(layout.segments) - {"calls"}


def test_universal_layout_pads_the_same_segments() -> None:
    rules = load_rules("two_deck")
    small, large = Layout(rules), Layout(rules, "universal")
    for games, s in positions("two_deck", 1):
        seats = np.array([int(s["seat"])])
        a, b = games.observe(small, seats=seats)[0], games.observe(large, seats=seats)[0]
        for name, segment in small.segments.items():
            if name not in ("calls", "rules"):
                part = large.part(b, name)[tuple(slice(n) for n in segment.shape)]
                assert np.array_equal(part, small.part(a, name)), name


def test_digest_tells_layouts_apart() -> None:
    two, four = load_rules("two_deck"), load_rules("find_friends_5")
    digests = [
        Layout(two).digest,
        Layout(two, canonical=True).digest,
        Layout(two, "universal").digest,
        Layout(four).digest,
    ]
    assert len(set(digests)) == 4
    assert Layout(two, "universal").digest == Layout(four, "universal").digest


def test_hidden_bids_do_not_tell_whether_their_suits_are_the_same() -> None:
    """R8.6: a pair over one's own single looks alike whether it is of the same suit or not."""
    games = GameBatch("nanning", 1)
    seed = 0
    while games.records["phase"][0] != BID:
        games.begin(np.array([seed]))
        seed += 1
    s = games.records[0]
    bidder = (int(s["seat"]) + 1) % games.players
    level = int(s["level_rank"])
    s["log"][:3] = LOG_BID * 512 + bidder * 64 + HIDDEN_VALUE
    s["logged"], s["bid_count"], s["bid_seat"], s["bid_copies"] = 3, 2, bidder, 2
    layout, viewer = Layout(games.rules), np.array([s["seat"]])
    rows = []
    for single, pair in ((level, level), (level, 13 + level)):
        s["shown"][bidder] = 0
        s["shown"][bidder][0] = 1 << single | 1 << pair
        s["shown"][bidder][1] = 1 << pair
        rows.append(games.observe(layout, seats=viewer)[0].copy())
    assert np.array_equal(*rows)
    assert layout.part(rows[0], "shown")[1].tolist() == [0, 0, 0, 0, 0, 0, 3]


@pytest.mark.parametrize("preset", ["two_deck", "one_deck", "guigang", "chaodipi_2"])
def test_straight_and_general_code_write_the_same_rows(preset: str) -> None:
    """Room for a friend call, which leaves it all zeros, takes the code for any rules."""
    rules = load_rules(preset)
    layout, games = Layout(rules), GameBatch(rules, 200)
    games.begin(game_seeds(5, 200))
    rng = np.random.default_rng(5)
    room, end = 56 + layout.seats, layout.size - layout.fixed.shape[1]
    wider = np.empty((200, layout.size + room), np.uint8)
    for step in range(200):
        for viewer in range(4) if step % 10 == 0 else ():
            viewers = np.full(200, viewer)
            see.see_bytes(
                games.table,
                games.records,
                games.everybody,
                viewers,
                layout.fixed.reshape(-1),
                layout.seats,
                1,
                False,
                wider.shape[1],
                wider.reshape(-1),
            )
            assert not wider[:, end : end + room].any()
            general = np.delete(wider, np.s_[end : end + room], axis=1)
            assert np.array_equal(games.observe(layout, seats=viewers), general)
        going = games.everybody[games.records["phase"] != OVER]
        games.step(random_actions(games.masks(going), rng), going)


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (np.empty((3, 63), np.int8), r"int8 \(3, 63\) given.*allowed: int8 \(4, 63\)"),
        (np.empty((4, 63), np.int32), "int32 .4, 63. given"),
        (np.empty((4, 126), np.int8)[:, ::2], "contiguous: False"),
        (np.frombuffer(bytes(4 * 63), np.int8).reshape(4, 63), "writable: False"),
    ],
)
def test_masks_are_written_only_where_they_fit(out: np.ndarray, message: str) -> None:
    games = GameBatch("two_deck", 4)
    games.begin(game_seeds(1, 4))
    before = out.copy()
    with pytest.raises(ValueError, match=message):
        games.masks(out=out)
    assert np.array_equal(out, before)
    right = np.zeros((4, 63), np.int8)
    assert games.masks(out=right) is right
    assert np.array_equal(right, games.masks())


@pytest.mark.parametrize(("dtype", "width"), [(np.float64, 0), (np.uint8, 1), (np.float32, -1)])
def test_rows_are_written_only_where_they_fit(dtype: type, width: int) -> None:
    games = GameBatch("two_deck", 4)
    games.begin(game_seeds(1, 4))
    layout = Layout(games.rules)
    out = np.zeros((4, layout.size + width), dtype)
    with pytest.raises(ValueError, match=f"out: {np.dtype(dtype)}.*allowed: uint8 or float32"):
        games.observe(layout, out=out)
    assert not out.any()

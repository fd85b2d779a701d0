"""What is counted about actions, against the games themselves; networks of card eyes from specs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
import torch

from agents.counts import COUNTS, NAMES, as_places, count, places_of
from agents.networks import CardNetwork, build_network
from agents.neural import turned_actions
from agents.registry import make_agent
from tuolaji_env.cards import POINTS
from tuolaji_env.core.record import BID, END, FOLLOW, LEAD, TRUMP
from tuolaji_env.games import GameBatch, cards_in, is_over
from tuolaji_env.observe import Layout
from tuolaji_env.rules import load_rules
from tuolaji_env.view import View

PRESETS = (("two_deck", "rules"), ("find_friends_5", "universal"), ("guigang", "rules"))


class Seen(NamedTuple):
    """The movers of some games, and what is counted for them."""

    games: GameBatch
    live: np.ndarray  # [n] the games
    rows: np.ndarray  # [n, D]
    at: np.ndarray  # [M] of each action the place in `live`
    actions: np.ndarray  # [M] of the layout's view
    counts: np.ndarray  # [M, COUNTS]

    def of(self, name: str) -> np.ndarray:
        return self.counts[:, NAMES.index(name)]


def stages(
    preset: str, kind: str = "rules", canonical: bool = False, every: int = 9
) -> Iterator[Seen]:
    """Games at all stages of play by heuristic; not canonical: actions are real ones."""
    rules = load_rules(preset)
    layout = Layout(rules, kind, canonical, "heuristic")  # type: ignore[arg-type]
    games, places = GameBatch(rules, 8), as_places(places_of(layout))
    games.begin(np.arange(8))
    heuristic, live = make_agent("heuristic", rules), games.everybody
    for step in range(1000):
        if step % every == 0:
            rows, mask = games.observe(layout, live), games.masks(live, canonical)
            at, actions = mask.nonzero()
            yield Seen(games, live, rows, at, actions, count(places, rows, at, actions))
        games.step(heuristic.act(games, live), live)
        live = np.flatnonzero(~is_over(games.records))
        if not len(live):
            break


def test_every_number_has_a_name() -> None:
    assert len(NAMES) == len(set(NAMES)) == COUNTS


@pytest.mark.parametrize(("preset", "kind"), PRESETS)
def test_suits_are_counted_as_a_view_has_them(preset: str, kind: str) -> None:
    checked = 0
    for seen in stages(preset, kind, every=7):
        table = seen.games.table[0]
        for m in range(0, len(seen.at), 3):
            k, game = int(seen.actions[m]), int(seen.live[seen.at[m]])
            record = seen.games.records[game]
            if k >= 54:
                continue
            view = View(seen.games, game, int(record["seat"]))
            suit_of, power = (table[n][record["combo"]] for n in ("suit_of", "power"))
            own = list(view.hand)
            for picked in view.picked:
                own.remove(picked)
            unseen = list(view.unseen)
            mine, theirs = (
                [j for j in cards if suit_of[j] == suit_of[k]] for cards in (own, unseen)
            )
            pairs, their_pairs = ({j for j in c if c.count(j) > 1} for c in (mine, theirs))
            top = max((power[j] for j in theirs), default=-1)
            want = {
                "held": len(mine) / 10,
                "unseen": len(theirs) / 10,
                "held_pairs": len(pairs) / 3,
                "unseen_pairs": len(their_pairs) / 3,
                "held_points": sum(POINTS[j] for j in mine) / 15,
                "unseen_points": sum(POINTS[j] for j in theirs) / 25,
                "own_copies": mine.count(k) / 2,
                "unseen_copies": theirs.count(k) / 2,
                "unseen_above": sum(power[j] > power[k] for j in theirs) / 5,
                "unseen_below": sum(power[j] < power[k] for j in theirs) / 5,
                "own_above": sum(power[j] > power[k] for j in mine) / 5,
                "unseen_pairs_above": sum(power[j] > power[k] for j in their_pairs) / 3,
                "own_pairs_below": sum(power[j] < power[k] for j in pairs) / 2,
                "nothing_above": not any(power[j] > power[k] for j in theirs),
                "winners": sum(power[j] >= top for j in mine) / 3,
                "last_of_suit": len(mine) == mine.count(k),
                "picked": len(view.picked) / 4,
                "points": POINTS[k] / 10,
                "unseen_equals": sum(power[j] == power[k] and j != k for j in theirs) / 2,
                "winning_pairs": sum(
                    power[j] >= max((power[i] for i in their_pairs), default=-1) for j in pairs
                )
                / 2,
                "beside_own_pair": k in pairs and any(abs(power[j] - power[k]) == 1 for j in pairs),
                "trumps_held": sum(suit_of[j] == TRUMP for j in own) / 10,
                "trumps_unseen": sum(suit_of[j] == TRUMP for j in unseen) / 10,
                "voids": sum(
                    suit != record["trump"] and not any(suit_of[j] == suit for j in own)
                    for suit in range(4)
                )
                / 3
                if record["phase"] >= LEAD
                else seen.of("voids")[m],
            }
            for name, number in want.items():
                assert seen.of(name)[m] == pytest.approx(float(number), rel=1e-5, abs=1e-6), (
                    name,
                    k,
                    view,
                )
            checked += 1
    assert checked > 200


@pytest.mark.parametrize(("preset", "kind"), PRESETS)
def test_a_card_takes_the_trick_as_the_core_says(preset: str, kind: str) -> None:
    checked: dict[bool, int] = {True: 0, False: 0}
    for seen in stages(preset, kind, every=4):
        records = seen.games.records
        for m, (i, action) in enumerate(zip(seen.at, seen.actions, strict=True)):
            before = records[seen.live[i]]
            if before["phase"] != FOLLOW or before["count"] != 1:
                continue
            after = GameBatch.over(seen.games.rules, seen.games.table, before.reshape(1).copy())
            after.step(np.array([action]), after.everybody)
            now = after.records[0]
            if now["phase"] in (FOLLOW, LEAD):
                holder = now["winner"] if now["phase"] == FOLLOW else now["leader"]
                takes = bool(holder == before["seat"])
                assert seen.of("takes")[m] == takes
                checked[takes] += 1
    assert min(checked.values()) > 20


@pytest.mark.parametrize(("preset", "kind"), PRESETS)
def test_the_trick_and_the_advice_are_told_as_they_stand(preset: str, kind: str) -> None:
    checked = 0
    for seen in stages(preset, kind, every=7):
        heuristic = make_agent("heuristic", seen.games.rules).act(seen.games, seen.live)
        table, players = seen.games.table[0], seen.games.players
        for m, (i, k) in enumerate(zip(seen.at, seen.actions, strict=True)):
            record, advised = seen.games.records[seen.live[i]], heuristic[i]
            suit_of, power = (table[n][record["combo"]] for n in ("suit_of", "power"))
            assert seen.of("is_advised")[m] == (k == advised)
            assert seen.of("end_is_advised")[m] == (advised == END)
            assert seen.of("any_advised")[m] == 1
            assert seen.of("is_end")[m] == (k == END)
            if advised < 54:
                assert seen.of("advised_points")[m] == POINTS[advised] / 10
                assert seen.of("advised_is_trump")[m] == (suit_of[advised] == TRUMP)
                if k < 54:
                    apart = POINTS[k] / 5 - POINTS[advised] / 5
                    assert seen.of("points_above_advised")[m] == apart
                    assert seen.of("suit_is_advised")[m] == (suit_of[k] == suit_of[advised])
            if k >= 54:
                continue
            assert seen.of("leads")[m] == (record["phase"] == LEAD)
            if record["phase"] != FOLLOW:
                continue
            seat, led = int(record["seat"]), int(record["suit"])
            best = TRUMP if record["best_suit"] == TRUMP else led
            apart = power[k] - record["tops"][0] if suit_of[k] == best else 0
            assert seen.of("power_above_standing")[m] == pytest.approx(apart / 16, abs=1e-6)
            assert seen.of("follows_suit")[m] == (suit_of[k] == led)
            assert seen.of("cards_led")[m] == record["count"] / 4
            worth = sum(POINTS[j] for p in range(players) for j in cards_in(record["trick"][p]))
            assert seen.of("trick_points")[m] == pytest.approx(worth / 50, abs=1e-6)
            to_come = (int(record["leader"]) - seat - 1) % players
            assert seen.of("seats_to_come")[m] == pytest.approx(to_come / 3, abs=1e-6)
            assert seen.of("plays_last")[m] == (to_come == 0)
            if seen.games.rules.teams == "fixed" and record["burier"] >= 0:
                ally = (int(record["winner"]) - seat) % 2 == 0
                assert seen.of("ally_stands")[m] == ally
            checked += 1
    assert checked > 100


def test_a_ruff_is_beaten_by_who_may_ruff_too() -> None:
    """The chances of a follower's card in two_deck, one card led, by hand."""
    ruffs = 0
    for seen in stages("two_deck", every=2):
        table = seen.games.table[0]
        for m, (i, k) in enumerate(zip(seen.at, seen.actions, strict=True)):
            record = seen.games.records[seen.live[i]]
            if record["phase"] != FOLLOW or record["count"] != 1 or k >= 54:
                continue
            seat, led = int(record["seat"]), int(record["suit"])
            view = View(seen.games, int(seen.live[i]), seat)
            suit_of, power = (table[n][record["combo"]] for n in ("suit_of", "power"))
            others = [(seat + j) % 4 for j in (1, 2, 3)]
            hidden = len(view.unseen) - sum(view.held(p) for p in others)

            def holds(p: int, suit: int, view=view, others=others, hidden=hidden) -> float:  # type: ignore[no-untyped-def]
                able = [q for q in others if suit not in view.voids(q)]
                cards = sum(view.held(q) for q in able) + (hidden if suit != TRUMP else 0)
                return view.held(p) / cards if p in able and cards else 0.0

            def unseen(suit: int, above: int = -1, view=view, of=suit_of, by=power) -> int:  # type: ignore[no-untyped-def]
                return sum(of[j] == suit and by[j] > above for j in view.unseen)

            to_come = (int(record["leader"]) - seat - 1) % 4
            stands = 1.0  # that no opponent to come takes it from the card
            for p in others[:to_come]:
                void = (1 - holds(p, led)) ** unseen(led)
                trump = 1 - (1 - holds(p, TRUMP)) ** unseen(TRUMP)
                if suit_of[k] == led:
                    higher = 1 - (1 - holds(p, led)) ** unseen(led, power[k])
                    ruff = void * trump if led != TRUMP else 0.0
                elif suit_of[k] == TRUMP:
                    higher = void * (1 - (1 - holds(p, TRUMP)) ** unseen(TRUMP, power[k]))
                    ruff = 0.0
                    ruffs += 1
                else:
                    higher = ruff = 0.0
                group = ("next", "between", "last")[others.index(p)]
                assert seen.of(f"{group}_has_higher")[m] == pytest.approx(higher, abs=1e-5)
                assert seen.of(f"{group}_ruffs")[m] == pytest.approx(ruff, abs=1e-5)
                assert seen.of(f"{group}_is_void")[m] == pytest.approx(void, abs=1e-5)
                if (p - seat) % 2:
                    stands *= (1 - higher) * (1 - ruff)
            assert seen.of("theirs_take_not")[m] == pytest.approx(stands, abs=1e-5)
    assert ruffs > 20


@pytest.mark.parametrize("preset", ["two_deck", "chaodipi_2"])
def test_trumps_are_counted_as_if_the_bid_stood(preset: str) -> None:
    checked = 0
    for seen in stages(preset, every=1):
        for m, (i, k) in enumerate(zip(seen.at, seen.actions, strict=True)):
            record = seen.games.records[seen.live[i]]
            if record["phase"] != BID or k >= 54:
                continue
            hand = View(seen.games, int(seen.live[i]), int(record["seat"])).hand
            level, suit = int(record["level_rank"]), k // 13
            trumps = sum(j > 51 or j % 13 == level or j // 13 == suit for j in hand)
            short = sum(
                sum(j < 52 and j // 13 == other and j % 13 != level for j in hand) < 4
                for other in set(range(4)) - {suit}
            )
            assert seen.of("trumps_if_bid")[m] == pytest.approx(trumps / 10, abs=1e-5)
            assert seen.of("short_suits_if_bid")[m] == pytest.approx(short / 3, abs=1e-5)
            assert seen.of("big_jokers")[m] == hand.count(53)
            checked += 1
    assert checked > 20


def test_chances_of_later_seats_by_hand() -> None:
    """Of a lead in two_deck: seats that hold n of the unseen cards each, or are void."""
    checked = 0
    for seen in stages("two_deck", every=7):
        for m, (i, k) in enumerate(zip(seen.at, seen.actions, strict=True)):
            record = seen.games.records[seen.live[i]]
            if record["phase"] != LEAD or record["picked"] or k >= 54:
                continue
            game, seat = int(seen.live[i]), int(record["seat"])
            view, table = View(seen.games, game, seat), seen.games.table[0]
            suit_of, power = (table[n][record["combo"]] for n in ("suit_of", "power"))
            suit, unseen = suit_of[k], view.unseen
            others = [(seat + j) % 4 for j in (1, 2, 3)]
            hidden = len(unseen) - sum(view.held(p) for p in others)
            able = [p for p in others if suit not in view.voids(p)]
            cards = sum(view.held(p) for p in able) + (hidden if suit != 4 else 0)
            above = sum(suit_of[j] == suit and power[j] > power[k] for j in unseen)
            for group, p in zip(("next", "between", "last"), others, strict=True):
                share = view.held(p) / cards if p in able and cards else 0
                want = 1 - (1 - share) ** above
                assert seen.of(f"{group}_has_higher")[m] == pytest.approx(want, abs=1e-6)
                assert seen.of(f"{group}_shown_void")[m] == (p not in able)
            checked += 1
    assert checked > 100


@pytest.mark.parametrize(("preset", "kind"), PRESETS)
def test_names_of_suits_change_nothing(preset: str, kind: str) -> None:
    turned, compared = turned_actions(), 0
    for plain, seen in zip(stages(preset, kind), stages(preset, kind, canonical=True), strict=True):
        trump = plain.games.records["trump"][plain.live]
        found = {(i, a): c for i, a, c in zip(seen.at, seen.actions, seen.counts, strict=True)}
        for i, action, counts in zip(plain.at, plain.actions, plain.counts, strict=True):
            if action != END:  # of equal picked cards it tells of the first, by the names of suits
                other = found[i, turned[trump[i], action]]
                assert counts == pytest.approx(other, rel=1e-5, abs=1e-6)
                compared += 1
    assert compared > 500


def digest() -> str:
    """Of counts at many stages."""
    sums = [seen.counts.astype(np.float64).sum(axis=0) for seen in stages("two_deck", every=60)]
    return " ".join(f"{x:.4f}" for x in np.concatenate(sums))


@pytest.mark.slow
def test_plain_python_counts_the_same() -> None:
    code = "from tests.agents.test_card_eyes import digest; print(digest())"
    command = [sys.executable, "-c", code]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest()


def some_rows() -> tuple[Layout, torch.Tensor, torch.Tensor]:
    """Rows of movers and their masks."""
    layout = Layout(load_rules("two_deck"), "rules", True, "heuristic")
    for seen in stages("two_deck", canonical=True, every=200):
        mask = torch.zeros((len(seen.rows), 63), dtype=torch.int8)
        mask[seen.at, seen.actions] = 1
    return layout, torch.from_numpy(seen.rows), mask


def test_a_network_of_card_eyes_from_its_spec() -> None:
    layout, rows, mask = some_rows()
    network = CardNetwork.for_layout(layout, (16,), 4)
    values = network(rows, mask)
    assert values.shape == mask.shape
    again = build_network(network.spec, layout.size)
    again.load_state_dict(network.state_dict())
    assert torch.equal(again(rows, mask), values)
    few = mask * (torch.arange(63) % 2 == 0)
    some = network(rows, few)
    assert torch.allclose(some[few > 0], values[few > 0], atol=1e-5), "a value hangs on no other"
    network.cards.out.bias.data += 1
    assert torch.allclose(network(rows, mask) - values, mask.float(), atol=1e-6)


def test_values_begin_equal_where_there_is_advice() -> None:
    layout, rows, mask = some_rows()
    network = CardNetwork.for_layout(layout, (16,), 4, margin=0.1)
    assert not network(rows, mask).any()

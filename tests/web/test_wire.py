"""What goes over the wire: hidden cards never do, and hostile messages change nothing."""

import asyncio
import json
import random

import numpy as np
import pytest

from agents.play.lobby import Lobby, Offer
from agents.play.messages import MAX_BYTES, NewRoom, Refused, read_message, read_new_room
from agents.play.rooms import Room
from agents.play.table import BIDDING, DEALING, DONE, TURN, Table
from agents.play.thinking import Players, Thinker
from tests.web.clients import Clock, Wire, make_table, play_deal
from tuolaji_env.games import GameBatch
from tuolaji_env.rules import load_rules
from tuolaji_env.testing import hidden_twins

PRESETS = ["two_deck", "nanning", "find_friends_7", "chaodipi_2", "next_level_trump"]


def told(table: Table, seat: int | None) -> bytes:
    """All bytes that a seat may be sent at this moment."""
    sent = [table.sight(seat, 0.0)]
    players = Players(table.rules)
    if seat is not None:
        try:
            question = table.question(seat)
        except Refused as refused:
            sent.append(refused.message())
        else:
            sent.append({"suggestion": players.decide("heuristic", question)})
        try:
            choices = table.choices_of(seat)
        except Refused as refused:
            sent.append(refused.message())
        else:
            hand = list(table.game.hand(seat))
            for cards in ([], hand[:1], hand[-2:], hand[:3]):
                sent.append({"choice": choices.of(cards)})
                try:
                    table.play(seat, hand + hand, 0.0)
                except Refused as refused:
                    sent.append(refused.message())
    return json.dumps(sent).encode()


def twin_of(table: Table, games: GameBatch) -> Table:
    """The same table over another game."""
    twin = Table.__new__(Table)
    twin.__dict__.update(table.__dict__)
    twin.game = table.game.copy()
    twin.game.batch.records[0] = games.records[0]
    twin._choices = None
    return twin


@pytest.mark.parametrize("preset", PRESETS)
def test_all_bytes_to_a_seat_are_equal_for_hidden_twins(preset):
    table, _ = make_table(preset, people=load_rules(preset).players, seed=4)
    rng, chance, checked = np.random.default_rng(1), random.Random(1), {}

    def compare(now):
        if table.stage == DONE or chance.random() > 0.08:
            return
        for seat in range(len(table.seats)):
            mine = told(table, seat)
            for what, games in hidden_twins(table.game.batch, seat, rng):
                if table.stage == DEALING or table.stage != TURN:
                    games.records["phase"] = table.game.record["phase"]
                assert told(twin_of(table, games), seat) == mine, (seat, what)
                checked[table.stage] = checked.get(table.stage, 0) + 1

    play_deal(table, watch=compare)
    assert checked.get(TURN, 0) > 50
    assert checked.get(DEALING, 0) > 5


@pytest.mark.parametrize("preset", PRESETS)
def test_who_looks_on_sees_no_hidden_card(preset):
    """Whichever seat's secrets change: all hands and the kitty in one twin."""
    table, _ = make_table(preset, people=1, seed=6)
    rng, chance, checked = np.random.default_rng(2), random.Random(2), [0]

    def compare(now):
        if table.stage == DONE or chance.random() > 0.1:
            return
        mine = told(table, None)
        for seat in range(2):
            for what, games in hidden_twins(table.game.batch, seat, rng):
                assert told(twin_of(table, games), None) == mine, what
                checked[0] += 1

    play_deal(table, watch=compare)
    assert checked[0] > 20


def test_cards_of_others_are_in_no_message_of_a_whole_deal():
    """One deal, twice: what a seat is told says nothing of cards nobody has shown."""
    table, _ = make_table("two_deck", people=1, seed=12)

    def look(now):
        if table.stage == DONE:
            return
        for seat in (0, None):
            sight = table.sight(seat, now)
            mine = [] if seat is None else list(table.game.hand(seat))
            if table.drawing is not None:
                mine = [] if seat is None else table.drawing.hand(seat)
            assert sorted(k for group in sight["hand"] for k in group) == sorted(mine)
            if int(table.game.record["burier"]) != seat:
                assert not sight.get("kitty")

    play_deal(table, watch=look)


# --- rooms ------------------------------------------------------------------------------------


def make_room(clock: Clock, seats: list[str] | None = None, **more: object) -> Room:
    wanted = seats or ["human", "greedy", "human", "greedy"]
    rules = load_rules("competition")
    return Room(rules, wanted, Thinker(), clock=clock, pace="fast", seed=3, **more)


async def settle() -> None:
    """Let everything that can happen now happen."""
    for _ in range(60):
        await asyncio.sleep(0.002)


async def let_run(room: Room, clock: Clock, until: str) -> None:
    for _ in range(600):
        await settle()
        if room.table.stage == until and room.table.thinking is None:
            return
        clock.now += 0.05 if room.table.due is None else max(room.table.due - clock.now, 0.01)
        room._poked.set()
    raise AssertionError(room.table.stage)


def test_reconnecting_loses_nothing():
    async def scene() -> None:
        clock = Clock()
        room = make_room(clock)
        token = room.seats[0].token
        first, second = Wire(), Wire()
        link = await room.join(first, token, "Ann")
        other = await room.join(Wire(), room.seats[2].token, "Bob")
        await let_run(room, clock, DEALING)
        clock.now += 3.0
        room._poked.set()
        await settle()
        before = first.last("state")
        await room.leave(link)
        assert not room.seats[0].told()["online"]
        again = await room.join(second, token)
        after = second.last("state")
        assert {**after, "version": 0, "clock": 0} == {**before, "version": 0, "clock": 0}
        assert after["seats"][0]["name"] == "Ann"
        await room.leave(again)
        await room.leave(other)
        await room.close()

    asyncio.run(scene())


def test_who_has_passed_is_told_to_himself_alone():
    async def scene() -> None:
        clock = Clock()
        room = make_room(clock, ["human"] * 4)
        mine, other = Wire(), Wire()
        link = await room.join(mine, room.seats[0].token)
        await room.join(other, room.seats[1].token)
        await let_run(room, clock, BIDDING)
        before = len(other.texts)
        passed = read_message('{"type":"bid","cards":[],"trump":null}')
        answer = await room.hear(link, passed)
        await settle()
        assert answer["ask"]["wish"] == {"cards": [], "trump": None}
        assert len(other.texts) == before
        await room.close()

    asyncio.run(scene())


def test_while_nobody_is_there_no_clock_runs():
    async def scene() -> None:
        clock = Clock()
        room = make_room(clock, ["human", "human", "human", "human"])
        wire = Wire()
        link = await room.join(wire, room.seats[0].token)
        await settle()
        until = room.table.until
        await room.leave(link)
        await settle()
        clock.now += 1000.0
        await room.join(wire, room.seats[0].token)
        await settle()
        assert room.table.until == pytest.approx(until + 1000.0)
        assert not any(seat.missed for seat in room.seats)
        await room.close()

    asyncio.run(scene())


def test_other_peoples_seats_and_unknown_rooms_are_refused():
    async def scene() -> None:
        lobby = Lobby(clock=Clock())
        room = lobby.open(NewRoom(seats=["human", "greedy", "greedy", "greedy"]))
        assert lobby.find(room.secret) is room
        for secret in ("", "x", room.secret[:-1]):
            with pytest.raises(Refused, match="unknown_room"):
                lobby.find(secret)
        for token in ("x", room.secret, room.seats[1].token):  # a bot's seat opens to nobody
            with pytest.raises(Refused, match="wrong_token"):
                await room.join(Wire(), token)
        watcher = await room.join(Wire(), None)
        for text in ('{"type":"play","cards":[0]}', '{"type":"auto","on":true}', '{"type":"next"}'):
            with pytest.raises(Refused, match="only_looking_on"):
                await room.hear(watcher, read_message(text))
        await lobby.close()

    asyncio.run(scene())


def test_a_wrong_turn_changes_nothing():
    async def scene() -> None:
        clock = Clock()
        room = make_room(clock)
        link = await room.join(Wire(), room.seats[0].token)
        await let_run(room, clock, TURN)
        waiting = Wire()
        idle = await room.join(waiting, room.seats[0 if room.table.game.seat else 2].token)
        before = room.table.game.record.tobytes(), room.table.game.to_text()
        for text in (
            '{"type":"play","cards":[0]}',
            '{"type":"select","cards":[0]}',
            '{"type":"call","kind":0,"ordinal":1}',
            '{"type":"bid","cards":[],"trump":null}',
            '{"type":"suggest"}',
            '{"type":"next"}',
            '{"type":"review","step":0}',
            '{"type":"join","room":"x"}',
        ):
            with pytest.raises(Refused):
                await room.hear(idle, read_message(text))
        assert (room.table.game.record.tobytes(), room.table.game.to_text()) == before
        await room.leave(link)
        await room.leave(idle)
        await room.close()

    asyncio.run(scene())


HOSTILE = [
    "",
    "null",
    "[]",
    "{}",
    "{" * 500,
    '{"type":"play"}',
    '{"type":"play","cards":"0"}',
    '{"type":"play","cards":[54]}',
    '{"type":"play","cards":[-1]}',
    '{"type":"play","cards":[0.5]}',
    '{"type":"play","cards":[true]}',
    '{"type":"play","cards":["0"]}',
    '{"type":"play","cards":[null]}',
    '{"type":"play","cards":[1e99]}',
    '{"type":"play","cards":[99999999999999999999999]}',
    '{"type":"play","cards":[0],"seat":2}',
    '{"type":"bid","cards":[],"trump":4}',
    '{"type":"call","kind":0,"ordinal":5}',
    '{"type":"auto","on":"yes"}',
    '{"type":"review","step":-1}',
    '{"type":"sudo"}',
    '{"type":["play"]}',
    '{"type":"select","cards":' + json.dumps([0] * 111) + "}",
    '{"type":"join","room":"' + "x" * 65 + '"}',
    "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
]


@pytest.mark.parametrize("text", HOSTILE)
def test_malformed_messages_are_refused_with_a_reason(text):
    with pytest.raises(Refused) as refused:
        read_message(text)
    assert refused.value.code == "malformed"
    assert refused.value.details["why"]


def test_long_messages_are_refused_with_their_size():
    with pytest.raises(Refused) as refused:
        read_message('{"type":"suggest"}' + " " * MAX_BYTES)
    assert refused.value.message() == {
        "type": "refused",
        "code": "too_long",
        "clause": "",
        "bytes": MAX_BYTES + 18,
        "allowed": MAX_BYTES,
    }


def test_rooms_that_cannot_be_are_refused():
    lobby = Lobby(Offer())
    for wish, code in [
        ({"seats": ["human"] * 5}, "seat_count"),
        ({"seats": ["ckpt:/etc/passwd"] * 4}, "unknown_agent"),
        ({"seats": ["human"] * 4, "rules": "../x"}, "unknown_rules"),
        ({"seats": ["human"] * 4, "rules": "none"}, "unknown_rules"),
    ]:
        with pytest.raises(Refused, match=code):
            lobby.open(read_new_room(json.dumps(wish).encode()))
    for wish in ({}, {"seats": []}, {"seats": ["human"] * 8}, {"seats": [1] * 4}, {"seed": -1}):
        with pytest.raises(Refused, match="malformed"):
            read_new_room(json.dumps(wish).encode())
    assert not lobby.rooms


def test_a_review_is_given_when_the_deal_is_over_and_values_what_search_saw():
    async def scene() -> None:
        clock = Clock()
        room = make_room(clock, ["greedy"] * 4)
        wire = Wire()
        link = await room.join(wire, None)
        await let_run(room, clock, DONE)
        text = '{"type":"review","step":40,"by":"search:ms=300"}'
        with pytest.raises(Refused, match="unknown_agent"):
            await room.hear(link, read_message(text))
        for policy in ("heuristic", "greedy"):
            text = json.dumps({"type": "review", "step": 40, "by": policy})
            with pytest.raises(Refused, match="no_values") as refused:
                await room.hear(link, read_message(text))
            assert refused.value.details["allowed"] == "search"
        room.valuers = ("search:worlds=2", "search:worlds=1")
        chosen = '{"type":"review","step":40,"by":"search:worlds=1"}'
        found = await room.hear(link, read_message(chosen))
        assert (found["by"], found["valuers"]) == ("search:worlds=1", list(room.valuers))
        found = await room.hear(link, read_message('{"type":"review","step":40}'))
        assert found["step"] == 40
        assert sum(each["made"] for each in found["alternatives"]) == 1
        hands = found["table"]["hands"]
        assert sum(len(group) for hand in hands for group in hand) > 20
        end = await room.hear(link, read_message('{"type":"review","step":9999}'))
        assert end["step"] == end["steps"]
        assert end["table"]["result"]["score"] == room.table.game.score
        await room.close()

    asyncio.run(scene())

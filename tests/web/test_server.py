"""The server over real sockets: files, rooms, hostile connections; and many rooms at once."""

import asyncio
import json
import urllib.error
import urllib.request

import pytest
from websockets.sync.client import connect

from agents.play.words import LANGUAGES, STATIC, rules_in_words
from tests.property.strategies import random_rules
from tests.web.serving import serving
from tuolaji_env.rules import load_rules, preset_names


@pytest.fixture(scope="module")
def server():
    with serving() as found:
        yield found


def fetch(address, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address, data)) as answer:
        return answer.headers, answer.read()


def wire(address):
    return connect(address.replace("http", "ws", 1) + "/socket")


def test_the_page_and_its_files_come_from_here_alone(server):
    address, _ = server
    headers, page = fetch(address)
    assert "default-src 'self'" in headers["content-security-policy"]
    assert b"app.js" in page
    for file in STATIC.rglob("*.*"):
        _, content = fetch(f"{address}/static/{file.relative_to(STATIC)}")
        assert content == file.read_bytes()
        text = file.read_text("utf-8")
        assert "https://" not in text
        assert text.count("http://") == text.count("http://www.w3.org/2000/svg")


def test_a_game_over_the_wire(server):
    address, _ = server
    _, opened = fetch(f"{address}/api/rooms", {"seats": ["human"] + ["greedy"] * 3, "seed": 5})
    room = json.loads(opened)
    assert [token is None for token in room["tokens"]] == [False, True, True, True]
    with wire(address) as line:
        line.send(json.dumps({"type": "join", "room": room["room"], "token": room["tokens"][0]}))
        state = json.loads(line.recv())
        assert (state["type"], state["you"], state["phase"]) == ("state", 0, "bid")
        assert "token" not in json.dumps(state)
        line.send('{"type":"play","cards":[0]}')
        while (answer := json.loads(line.recv()))["type"] == "state":
            pass
        assert answer["code"] == "not_your_turn"
        line.send(b"\x00\xff")
        while (answer := json.loads(line.recv()))["type"] == "state":
            pass
        assert answer["code"] == "malformed"


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ('{"type":"join","room":"nowhere"}', "unknown_room"),
        ('{"type":"next"}', "join_first"),
        ("x" * 3000, "too_long"),
        ("{", "malformed"),
    ],
)
def test_a_stranger_is_refused_and_shown_out(server, first, code):
    with wire(server[0]) as line:
        line.send(first)
        assert json.loads(line.recv())["code"] == code
        with pytest.raises(Exception, match="1008"):
            line.recv()


def test_who_goes_on_with_nonsense_is_shown_out(server):
    address, lobby = server
    _, opened = fetch(f"{address}/api/rooms", {"seats": ["human"] + ["greedy"] * 3})
    secret = json.loads(opened)["room"]
    with wire(address) as line:
        line.send(json.dumps({"type": "join", "room": secret}))
        with pytest.raises(Exception, match="1008"):
            _talk_nonsense(line)
    assert secret in lobby.rooms


def _talk_nonsense(line):
    for _ in range(200):
        line.send("nonsense")
        line.recv()


def test_rooms_that_cannot_be_are_refused_over_http(server):
    address, lobby = server
    before = len(lobby.rooms)
    for body in ({"seats": ["human"]}, {"seats": ["nobody"] * 4}, {"x": "y" * 5000}):
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetch(f"{address}/api/rooms", body)
        assert refused.value.code == 400
        assert json.loads(refused.value.read())["type"] == "refused"
    for path in ("/api/rules/nothing", "/api/rules/two_deck?language=xx", "/static/../server.py"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetch(address + path)
        refused.value.close()
    assert len(lobby.rooms) == before


def test_both_languages_have_all_words():
    english, chinese = (
        json.loads((STATIC / "lang" / f"{name}.json").read_text("utf-8")) for name in LANGUAGES
    )
    assert english.keys() == chinese.keys()
    blanks = {key: sorted(_blanks(text)) for key, text in english.items()}
    assert blanks == {key: sorted(_blanks(text)) for key, text in chinese.items()}
    for preset in preset_names():
        assert f"preset_{preset}" in english


def _blanks(text):
    return [part.split("}")[0] for part in text.split("{")[1:]]


def test_every_rule_can_be_said_in_chinese():
    for rules in [*map(load_rules, preset_names()), *map(random_rules, range(300))]:
        for section in rules_in_words(rules, "zh"):
            for text in (section["heading"], *section["sentences"]):
                assert any("\u4e00" <= letter <= "\u9fff" for letter in text)


@pytest.mark.slow
def test_fifty_rooms_for_a_minute_without_an_error():
    from agents.play.load import main

    assert main(["--rooms", "50", "--seconds", "60"]) == 0


def test_a_few_rooms_for_a_moment(server):
    from agents.play.load import load

    tally = asyncio.run(load(server[0], 3, 9.0, "fast"))
    assert not tally.errors
    assert len(tally.responses) > 5

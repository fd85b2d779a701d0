"""Records at the table: kept, listed, replayed; damaged ones and ways out of the folder refused."""

import json
import urllib.error
import urllib.parse
import urllib.request

import pytest

from agents.play.archive import Archive
from agents.play.lobby import Lobby, Offer
from agents.play.messages import NewRoom, Refused, read_message
from agents.play.table import DONE
from tests.web.clients import Clock, Wire, make_table, play_deal
from tests.web.serving import serving
from tests.web.test_wire import let_run
from tuolaji_env.record import Record


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("records")
    for preset in ("one_deck", "find_friends_5"):
        table, _ = make_table(preset, people=0, seed=2)
        now = play_deal(table)
        table.next_deal(now)
        play_deal(table, now=now)
        Record.of(table.game).save(place / "arena" / f"{preset}.txt")
    text = (place / "arena" / "one_deck.txt").read_text("utf-8")
    (place / "damaged.txt").write_text(text.replace("♠", "♥", 1), "utf-8")
    (place.parent / "outside.txt").write_text(text, "utf-8")
    return place


def test_a_record_is_shown_decision_by_decision(folder):
    archive = Archive(folder)
    assert archive.names() == ["arena/find_friends_5.txt", "arena/one_deck.txt", "damaged.txt"]
    record = Record.load(folder / "arena/one_deck.txt")
    for deal in range(2):
        end = archive.show("arena/one_deck.txt", deal, 10_000, "greedy")
        assert (end["deal"], end["deals"], end["rules"]) == (deal, 2, "one_deck")
        assert end["steps"] == len(record.deals[deal].decisions)
        assert end["table"]["result"]["score"] == record.deals[deal].result.score
        for step in (0, 5, end["steps"] - 1):
            shown = archive.show("arena/one_deck.txt", deal, step, "greedy")
            assert shown["mover"] == record.deals[deal].decisions[step].seat


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/passwd", "", "arena", "nothing.txt"])
def test_no_way_leads_out_of_the_folder(folder, name):
    with pytest.raises(Refused, match="unknown_record"):
        Archive(folder).show(name, 0, 0, "greedy")


def test_a_damaged_record_is_refused_with_the_reason(folder):
    with pytest.raises(Refused, match="bad_record") as refused:
        Archive(folder).show("damaged.txt", 0, 0, "greedy")
    assert refused.value.details["why"]


def test_records_over_http(folder):
    with serving(Offer(records=folder, valuers=("search",))) as (address, _):
        with urllib.request.urlopen(f"{address}/api/records") as answer:
            assert "arena/one_deck.txt" in json.load(answer)
        query = urllib.parse.urlencode({"name": "arena/one_deck.txt", "step": 3, "by": "search"})
        with urllib.request.urlopen(f"{address}/api/record?{query}") as answer:
            assert json.load(answer)["step"] == 3
        for bad in ("name=x", "name=arena%2Fone_deck.txt&step=-1", "step=x", f"{query}o"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"{address}/api/record?{bad}")
            refused.value.close()


def test_deals_played_at_the_table_are_kept(tmp_path):
    import asyncio

    async def scene() -> None:
        clock = Clock()
        lobby = Lobby(Offer(records=tmp_path, valuers=("search:worlds=1",)), clock)
        room = lobby.open(NewRoom(rules="competition", seats=["greedy"] * 4, pace="fast", seed=3))
        link = await room.join(Wire(), None)
        await let_run(room, clock, DONE)
        await let_run(room, clock, DONE)
        assert lobby.archive.names() == ["competition_3.txt"]
        shown = await lobby.show_record("competition_3.txt", 0, 0, "search:worlds=1")
        assert shown["names"] == ["greedy"] * 4
        with pytest.raises(Refused, match="only_looking_on"):
            await room.hear(link, read_message('{"type":"next"}'))
        await lobby.close()

    asyncio.run(scene())
    Record.load(tmp_path / "competition_3.txt").verify()

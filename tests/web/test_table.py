"""A table's course: all presets to the end, bids, time-outs, the bot that takes over."""

import pytest

from agents.play.messages import Refused
from agents.play.table import BIDDING, DEALING, DONE, TURN
from tests.web.clients import make_table, obey, play_deal
from tuolaji_env.game import Game
from tuolaji_env.rules import preset_names


@pytest.mark.parametrize("preset", preset_names())
def test_scripted_people_play_every_preset_to_the_end(preset):
    table, seats = make_table(preset, people=2)
    versions = []
    play_deal(table, watch=lambda now: versions.append(table.version))
    result = table.sight(0, 0.0)["result"]
    assert result["ended"] == 1
    assert versions == sorted(versions)
    assert not any(seat.automatic or seat.missed for seat in seats)
    assert Game.from_text(table.game.to_text()).score == result["score"]


@pytest.mark.parametrize("preset", ["two_deck", "find_friends_5", "chaodipi_2", "nanning"])
def test_a_match_goes_on_to_the_next_deal(preset):
    table, _ = make_table(preset, people=1, seed=3)
    now = play_deal(table)
    with pytest.raises(Refused, match="not_your_turn"):
        table.play(0, [0], now)
    table.next_deal(now)
    assert table.stage == DEALING
    assert table.sight(0, now)["deal"] == 2
    play_deal(table, seed=1, now=now)
    assert len(table.game.history) == 2


def test_r8_1_rounds_of_the_draw_take_equal_time_whoever_is_asked():
    """Who is asked for a bid, and for how long, must not show in the pace."""
    times = []
    for people in (0, 1, 4):
        table, _ = make_table("two_deck", people=people, seed=8, agent="heuristic")
        seen = {}
        play_deal(table, watch=lambda now, t=table, s=seen: s.setdefault(_rounds(t), now))
        times.append([seen[n] for n in range(26)])
    assert times[0] == times[1] == times[2]


def test_r8_1_a_pass_leaves_no_trace_in_what_is_sent():
    """The versions that clients are told grow with the rounds, however often somebody is asked."""
    asked, told = set(), set()
    for seed in range(1, 8):
        table, _ = make_table("two_deck", people=4, seed=seed)
        steps = int(table.game.record["steps"])
        versions, now = [table.version], 0.0
        while table.stage == DEALING:
            now = table.until
            table.advance(now)
            versions.append(table.version)
        asked.add(int(table.game.record["steps"]) - steps)
        told.add(tuple(versions))
    assert len(asked) > 1
    assert len(told) == 1


def _rounds(table):
    return table.drawing.rounds if table.drawing is not None else 99


def test_r8_2_a_bid_during_the_draw_stands_after_the_round():
    table, _ = make_table("two_deck", people=4, seed=2)
    now = 0.0
    while not (bidders := [p for p in range(4) if table.bids_of(p)]):
        table.advance(now)
        now = table.due
    bid = table.bids_of(bidders[0])[0]
    table.bid(bidders[0], list(bid[:-1]), None, now - 0.01)
    assert table.sight(1, now)["bids"] == []
    assert table.sight(bidders[0], now)["ask"]["wish"] == {"cards": list(bid[:-1]), "trump": None}
    table.advance(now)
    assert [each["seat"] for each in table.sight(None, now)["bids"]] == [bidders[0]]


def test_r8_1_last_bids_are_waited_for_when_all_cards_are_dealt():
    table, _ = make_table("competition", people=4, seed=5)
    now = 0.0
    while table.stage == DEALING:
        table.advance(now)
        now = table.due
    assert table.drawing.over
    assert table.stage == BIDDING
    assert table.game.record["redeals"] == 0
    assert table.game.phase == "bid"


def test_r8_2_a_bid_that_is_none_is_refused_with_its_clause():
    table, _ = make_table("two_deck", people=4, seed=2)
    with pytest.raises(Refused) as refused:
        table.bid(0, [0, 1], None, 0.0)
    assert (refused.value.code, refused.value.clause) == ("bid_unknown", "R8.2")


def to_a_turn(table, now=0.0):
    """Let time run until a person is to act; the first who can has made a bid."""
    while True:
        table.advance(now)
        assert table.stage != DONE
        if table.stage == TURN:
            return now
        if table.stage == BIDDING and not table.sight(None, now)["bids"]:
            seat = next(p for p in range(len(table.seats)) if table.bids_of(p))
            table.bid(seat, list(table.bids_of(seat)[0][:-1]), None, now)
        now = now if table.due is None else table.due


def test_three_missed_turns_hand_the_seat_to_its_bot_until_it_is_taken_back():
    table, seats = make_table("competition", people=4, seed=5)
    now = to_a_turn(table)
    missed = []
    while table.stage != DONE and not seats[table.game.seat].automatic:
        seat = table.game.seat
        now = table.until
        table.advance(now)
        assert table.thinking == seat
        missed.append(seat)
        bot = table.game.legal_plays(1)[0]
        table.agent_acts(table.ticket, bot, now)
        table.advance(now)
    assert seats[missed[-1]].missed <= 3
    tired = table.game.seat
    assert missed.count(tired) == 3
    assert seats[tired].automatic
    with pytest.raises(Refused, match="automatic"):
        table.play(tired, [], now)
    assert table.sight(tired, now)["ask"] is None
    table.set_automatic(tired, False, now)
    assert not seats[tired].automatic
    assert seats[tired].missed == 0
    assert table.sight(tired, now)["ask"] is not None


def test_a_bot_that_answers_after_the_seat_was_taken_back_is_not_heard():
    table, _ = make_table("competition", people=4, seed=5)
    now = to_a_turn(table)
    seat = table.game.seat
    table.set_automatic(seat, True, now)
    now = table.until
    table.advance(now)
    ticket, bot = table.ticket, table.game.legal_plays(1)[0]
    table.set_automatic(seat, False, now)
    before = table.game.to_text()
    table.agent_acts(ticket, bot, now)
    assert table.game.to_text() == before
    assert table.game.seat == seat


def test_an_act_of_ones_own_forgives_missed_turns():
    table, seats = make_table("competition", people=4, seed=5)
    now = to_a_turn(table)
    seat = table.game.seat
    seats[seat].missed = 2
    cards = [k for k in table.game.legal_plays(1)[0] if k < 54]
    table.play(seat, cards, now)
    assert seats[seat].missed == 0


POSITION = (
    "level 5; trump ♥; declarer 0; leader 0; "
    "hands ♠3344 ♥AA ♦2 ♣2 | ♠66778 ♥K ♦3 ♣3 | ♠99 ♠1010JJ ♣55 | ♥33445566"
)


def at_position(lead="", rules="two_deck"):
    """A table in the middle of a deal, four people at it."""
    table, _ = make_table(rules, people=4, seed=5)
    table.game = Game.from_position(POSITION, rules)
    table.drawing = None
    if lead:
        table.game.play(lead)
    table._begin_turn(0.0)
    return table


ILLEGAL = [
    ("", "♠3♥A", "lead_one_suit", "R5.1", {}),
    ("", "", "lead_nothing", "R5.1", {}),
    ("", "♦A", "not_held", "", {}),
    ("♠3344", "♠66", "follow_count", "R6.1", {"count": 4, "given": 2}),
    ("♠3344", "♠66♠8♦3", "follow_suit", "R6.1", {"suit": 3, "count": 4, "given": 3}),
    (
        "♠3344",
        "♠6678",
        "follow_pattern",
        "R6.3",
        {"pattern": [[2, 2]], "example": [43, 43, 44, 44]},
    ),
]


@pytest.mark.parametrize(("lead", "play", "code", "clause", "details"), ILLEGAL)
def test_an_illegal_wish_is_explained_with_its_clause(lead, play, code, clause, details):
    from tuolaji_env.notation import parse_cards

    table = at_position(lead)
    before = table.game.record.tobytes()
    with pytest.raises(Refused) as refused:
        table.play(table.game.seat, list(parse_cards(play)), 0.0)
    assert (refused.value.code, refused.value.clause) == (code, clause)
    assert refused.value.details == details
    assert table.game.record.tobytes() == before


def test_throws_that_are_off_are_refused_with_their_clause():
    table, _ = make_table("nanning", people=4, seed=5)
    play_to_lead(table)
    hand = table.game.hand(table.game.seat)
    suit = [k for k in hand if k < 52 and k // 13 == 1 and k % 13 not in (0, 1)]
    with pytest.raises(Refused, match="lead_one_unit"):
        table.play(table.game.seat, suit, 0.0)


def play_to_lead(table):
    to_a_turn(table)
    while table.game.phase != "lead":
        actions = table.game.legal_plays(1)[0]
        obey(table, table.game.seat, {"type": "play", "cards": list(actions)}, 0.0)
        table.advance(0.0)


def test_r9_1_a_call_that_cannot_be_made_is_refused():
    table, _ = make_table("find_friends_5", people=5, seed=5)
    now = to_a_turn(table)
    while table.game.phase == "bury":
        table.play(table.game.seat, list(table.game.legal_plays(1)[0]), now)
    assert table.game.phase == "call"
    seat = table.game.seat
    with pytest.raises(Refused, match="call_not_allowed"):
        table.call(seat, 53, 1, now)
    with pytest.raises(Refused, match="not_now"):
        table.play(seat, [0], now)
    kind, ordinal = table.calls()[0]
    table.call(seat, kind, ordinal, now)
    assert table.sight(None, now)["calls"][0] | {"seat": -1} == {
        "kind": kind,
        "ordinal": ordinal,
        "seat": -1,
    }

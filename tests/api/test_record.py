"""Records: written by every face, read back, replayed; what is wrong in one is found and named."""

from __future__ import annotations

import contextlib
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

import tuolaji_env
from tuolaji_env import Game, GameBatch, Record, Recorder, RecordError, VectorEnv, testing
from tuolaji_env.games import game_seeds
from tuolaji_env.record import Moment
from tuolaji_env.recordcommand import main
from tuolaji_env.recordjson import check_of
from tuolaji_env.rules import load_rules, preset_names

HOUSE = load_rules({"preset": "two_deck", "revoke": "forfeit", "kitty": 12})
POOR = load_rules({"preset": "one_deck", "ladder": ["2"], "bid_poll": "end", "max_redeals": 8})


def finished(rules, seed=0, deals=1, **options) -> Game:
    """A random game of whole deals."""
    episode = "deal" if deals == 1 else "match"
    game, rng = Game(rules, seed, episode=episode, **options), random.Random(seed)
    while True:
        while not game.is_over:
            game.do(rng.choice(game.legal_actions()))
        deals -= 1
        if deals == 0 or game.match_over:
            return game
        game.next_deal()


def same_game(a, b) -> bool:
    """Whether records are equal in all that has a meaning after a deal.

    What lies behind the end of a log is of games before; `moved` adds up over forced actions.
    """
    a, b = a.copy(), b.copy()
    for game in (a, b):
        game["log"][int(game["logged"]) :] = 0
        game["moved"] = 0
    return testing.same_game(a, b)


@pytest.fixture(scope="module")
def record() -> Record:
    return finished("two_deck", 5, deals=2).to_record(["Ann", "Bob", "Cleo", "Dan"])


# --- round trips ------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("deals", [1, 2])
def test_random_games_are_written_read_and_verified(preset, deals):
    for seed in range(3):
        game = finished(preset, seed, deals)
        record = game.to_record()
        assert Record.from_text(record.to_text()) == record
        assert Record.from_json(record.to_json()) == record
        *_, last = record.replay()
        assert same_game(last.game.record, game.record)
        assert record.deals[-1].result is not None
        assert record.deals[-1].result.score == game.score


def test_replay_has_the_game_at_every_decision(record):
    moments = list(record.replay())
    assert len(moments) == record.decisions + len(record.deals)
    for moment in moments:
        assert isinstance(moment, Moment)
        decisions = record.deals[moment.deal].decisions
        if moment.number == len(decisions):
            assert moment.game.is_over
            continue
        decision = decisions[moment.number]
        assert moment.game.seat == decision.seat
        assert moment.game.can_play(decision.play)
        assert sum(map(len, moment.game.history)) == moment.number + sum(
            len(deal.decisions) for deal in record.deals[: moment.deal]
        )


def test_unfinished_games_and_decisions_under_way():
    game = Game("two_deck", 3, episode="deal")
    assert game.to_record().deals[0].decisions == ()
    rng = random.Random(0)
    while game.phase != "bury" or len(game.partial) < 3:
        game.do(rng.choice(game.legal_actions()))
    record = game.to_record()
    assert record.deals[0].result is None
    assert Record.from_text(record.to_text()) == record
    *_, last = record.replay()
    assert last.game.phase == "bury"
    assert last.game.partial == []


@pytest.mark.parametrize("rules", [HOUSE, POOR])
def test_house_rules_forfeits_and_deals_without_bids(rules):
    ended, dealt = set(), 0
    for seed in range(12):
        record = finished(rules, seed).to_record()
        for again in (Record.from_text(record.to_text()), Record.from_json(record.to_json())):
            assert again == record
            assert again.rules == rules
        record.verify()
        ended.add(record.deals[0].result.ended)
        dealt = max(dealt, len(record.deals[0].decks))
    assert {"revoked"} & ended if rules is HOUSE else dealt > 1


def test_options_of_a_reset_are_kept():
    deck = Game("two_deck", seed=9).record["deck"][:108].tolist()
    for options in (
        {"deck": deck, "levels": ["5", "9", "5", "9"], "declarer": 1},
        {"declarer": 2, "trump": "♥", "levels": "K"},
        {"declarer": None, "first_drawer": 3},
        {"deck": 4},
    ):
        game = finished("two_deck", 1, **options)
        record = Record.from_text(game.to_record().to_text())
        *_, last = record.replay()
        assert same_game(last.game.record, game.record)


def test_no_declarer_is_an_option_that_text_keeps():
    given = [Game("two_deck", seed, episode="deal") for seed in range(8)]
    drawn = next(game for game in given if int(game.record["declarer"]) >= 0)
    game = Game("two_deck", drawn.seed, episode="deal", declarer=None)
    assert int(game.record["declarer"]) == -1
    assert same_game(eval(repr(game)).record, game.record)


def test_values_stand_beside_decisions(record):
    values = {"♠A": 0.25, "★★☆=♥": -1e-9, "-": 3.0}
    places = range(0, len(record.deals[1].decisions), 3)
    plain, record = record, record.with_values({(1, at): values for at in places}, "search")
    assert record != plain
    assert record.deals[0] == plain.deals[0]
    assert [d.values for d in record.deals[1].decisions[:2]] == [values, None]
    with pytest.raises(ValueError, match="finite"):
        plain.with_values({(0, 0): {"-": float("inf")}}, "search")
    assert Record.from_text(record.to_text()) == record
    assert Record.from_json(record.to_json()) == record
    record.verify()


# --- faces ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("penalty", "mark"), [(0, ""), (30, "(-30)")])
def test_r5_3_failed_throws_are_marked_with_what_was_led_and_the_penalty(penalty, mark):
    rules = load_rules({"preset": "two_deck", "throw_penalty_points": penalty})
    record = finished(rules, 5).to_record()
    plays = [d for d in record.deals[0].decisions if d.phase == "play"]
    failed = [d for d in plays if d.failed]
    assert failed
    assert all(d in plays[::4] for d in failed)
    *_, last = record.replay()
    assert int(last.game.record["fined"].sum()) == penalty * len(failed)
    text = record.to_text()
    for decision in failed:
        assert decision.failed.penalty == penalty
        assert len(decision.failed.led) < len(decision.play)
        assert f" {decision.seat}:{decision.play}!{decision.failed.led}{mark}" in text
    assert Record.from_text(text) == Record.from_json(record.to_json()) == record


def test_a_wrong_word_on_a_throw_is_found_and_none_is_needed():
    record = finished("two_deck", 5).to_record()
    text = re.sub(r"^check .*\n", "", record.to_text(), flags=re.MULTILINE)
    Record.from_text(re.sub(r"!\S+", "", text)).verify()
    with pytest.raises(RecordError, match=r"the throw .* penalty 5 stated; it is led"):
        Record.from_text(re.sub(r"(!\S+)", r"\1(-5)", text)).verify()
    held = re.sub(r"^(trick 1 \d:\S+)", r"\1!♠A", re.sub(r"!\S+", "", text), flags=re.MULTILINE)
    with pytest.raises(RecordError, match=r"the throw .* stated; it is none|led ♠A"):
        Record.from_text(held).verify()


def test_aec_and_gymnasium_faces():
    env = tuolaji_env.env("find_friends_5", episode="deal")
    env.reset(seed=4)
    rng = np.random.default_rng(0)
    for _ in env.agent_iter():
        seen, _, over, _, _ = env.last()
        mask = seen["action_mask"][None]
        env.step(None if over else int(testing.random_actions(mask, rng)[0]))
    record = env.unwrapped.to_record()
    assert record.seats[1] == "seat_1"
    record.verify()
    assert record.deals[0].result is not None
    single = tuolaji_env.TuolajiEnv(seat=2, opponents=["greedy", "random", "greedy"])
    seen, _ = single.reset(seed=1)
    done = False
    while not done:
        action = testing.random_actions(seen["action_mask"][None], rng)[0]
        seen, _, done, _, _ = single.step(action)
    record = single.to_record()
    assert record.seats == ("random", "greedy", "learner", "greedy")
    record.verify()


@pytest.mark.parametrize("autoreset", ["same_step", "disabled"])
@pytest.mark.parametrize(("episode", "canonical", "skip_forced"), [
    ("deal", False, False), ("deal", True, True), ("match", False, True),
])  # fmt: skip
def test_vector_face(episode, canonical, skip_forced, autoreset):
    ladder = {"preset": "one_deck", "ladder": ["2"], "max_deals": 3}
    env = VectorEnv(
        load_rules(ladder), 6, 3, episode=episode, canonical=canonical, skip_forced=skip_forced,
        autoreset=autoreset,
    )  # fmt: skip
    env.keep_records([1, 4], ["A", "B", "C", "D"])
    rng, kept, finals = np.random.default_rng(0), [], []
    while len(kept) < 4:
        step = env.step(testing.random_actions(env.action_mask, rng))
        finals += [env.last[row].copy() for row in (1, 4) if step.done[row]]
        kept += env.take_records()
        if autoreset == "disabled" and step.done.any():
            rows = np.flatnonzero(step.done)
            env.reset_rows(rows, game_seeds(int(rng.integers(1 << 30)), len(rows)))
    for record, final in zip(kept, finals, strict=True):
        assert record.seats == ("A", "B", "C", "D")
        *_, last = record.replay()
        assert same_game(last.game.record, final)
        assert (record.winners is not None) == (episode == "match")


def test_games_that_were_not_seen_from_their_beginning_are_left_out():
    env = VectorEnv("one_deck", 2, 3)
    env.step(env.action_mask.argmax(axis=1))
    env.keep_records([0])
    first = int(env.records["seed"][0])
    kept = []
    while not kept:
        env.step(env.action_mask.argmax(axis=1))
        kept = env.take_records()
    assert kept[0].seed != first
    env.keep_records([0])
    env.reset(7)
    snapshot = env.snapshot()
    env.step(env.action_mask.argmax(axis=1))
    env.restore(snapshot)
    while not env.step(env.action_mask.argmax(axis=1)).done[0]:
        pass
    assert env.take_records() == []
    with pytest.raises(ValueError, match="rows: 2 given; allowed: 0 to 1"):
        env.keep_records([2])


def test_recorder_of_a_batch():
    games = GameBatch("one_deck", 3)
    games.begin(game_seeds(1, 3))
    recorder, rng = Recorder(games, [2]), np.random.default_rng(0)
    while True:
        rows = np.flatnonzero(games.records["mask"] != 0)
        if 2 not in rows:
            break
        actions = testing.random_actions(games.masks(rows), rng)
        games.step(actions, rows)
        recorder.note(actions, rows)
    recorder.end([0, 2])
    (record,) = recorder.take()
    record.verify()
    assert record.seed == games.records["seed"][2]
    with pytest.raises(ValueError, match="game 0 was not recorded"):
        recorder.record(0)


# --- what is wrong is found -------------------------------------------------------------------


def verified(text: str, tmp_path: Path, capsys, suffix: str = ".txt") -> tuple[int, str]:
    """What `verify` says of a file."""
    file = tmp_path / f"game{suffix}"
    file.write_text(text, "utf-8")
    status = main(["verify", str(file)])
    return status, capsys.readouterr().out.replace(str(file), "FILE")


def test_verify_command(record, tmp_path, capsys):
    for text, suffix in ((record.to_text(), ".txt"), (record.to_json(), ".json")):
        status, said = verified(text, tmp_path, capsys, suffix)
        assert (status, said) == (
            0, f"FILE: two_deck, 2 deals, {record.decisions} decisions: verified\n",
        )  # fmt: skip


def test_an_illegal_play_is_named_with_its_line_and_clause(record, tmp_path, capsys):
    lines = record.to_text().split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("trick 3 "))
    word = lines[at].split()[3]  # the second play of the trick
    lines[at] = lines[at].replace(word, word[:2] + "☆☆☆")
    status, said = verified("\n".join(lines), tmp_path, capsys)
    assert status == 1
    assert re.match(
        rf"FILE:{at + 1}: deal 1: seat {word[0]}: .* is not allowed.*\(R6; follow", said
    )


def changes(content):
    """Places of a record's plain values, and other values for them."""
    first = content["deals"][0]
    deck = first["decks"][0]["cards"].split()
    at = next(i for i in range(len(deck)) if deck[i] != deck[0])
    deck[0], deck[at] = deck[at], deck[0]
    plays = [d for d in first["decisions"] if d["phase"] == "play"]
    yield first["decks"][0], "cards", " ".join(deck), "deck: card 1 is"
    yield first["result"], "score", first["result"]["score"] + 5, "result: .* score"
    yield first["result"], "winners", [0], "result: "
    yield first["result"], "levels", ["A"] * 4, "result: "
    yield content["deals"][1], "first_drawer", 1 + content["deals"][1]["first_drawer"] % 3, "drawer"
    yield content["deals"][1], "levels", ["A"] * 4, "levels: A,A,A,A stated"
    yield content["deals"][1], "result", None, "result: none stated"
    yield content, "seed", content["seed"] + 1, "."
    yield content, "winners", [0, 2], "winners: 0,2 stated; it is none"
    yield plays[0], "seat", (plays[0]["seat"] + 1) % 4, "seat of"
    yield plays[0], "phase", "bury", "phase of .*: bury stated; it is play"
    yield plays[0], "play", plays[1]["play"] + "☆☆☆", "."
    yield plays[0], "play", plays[0]["play"] + " ", "is written|at position"
    yield first["decisions"][0], "drawn", 1 + first["decisions"][0]["drawn"], "drawn of"
    yield first, "decisions", first["decisions"][:-1], "result"
    yield first, "decisions", [*first["decisions"], plays[-1]], "the deal is over"


def test_whatever_is_changed_is_found(record):
    many = len(list(changes(json.loads(record.to_json()))))
    for number in range(many):
        content = json.loads(record.to_json())
        where, name, value, says = list(changes(content))[number]
        where[name] = value
        text = json.dumps(content)
        with pytest.raises(RecordError, match="check: "):
            Record.from_json(text)
        content.pop("check")
        changed = Record.from_json(json.dumps(content))
        with pytest.raises(RecordError, match=says):
            changed.verify()
        assert check_of(changed) != check_of(record)


def test_a_change_that_replays_as_well_is_found_by_the_check(record, tmp_path, capsys):
    text = record.to_text().replace("seat 0 Ann", "seat 0 Eve")
    with pytest.raises(RecordError, match=r"check: .* the file was changed"):
        Record.from_text(text)
    status, said = verified(text, tmp_path, capsys)
    assert (status, "check: " in said) == (1, True)


def test_every_changed_decision_is_found(record):
    """Another legal decision in its place, at places all over a deal."""
    rng = random.Random(2)
    for moment in rng.sample(list(record.replay()), 25):
        deal = record.deals[moment.deal]
        others = [
            text
            for play in moment.game.legal_plays(50)
            if (text := moment.game.play_text(play)) != deal.decisions[moment.number].play
        ]
        if not others:
            continue
        decisions = list(deal.decisions)
        changed = decisions[moment.number].model_copy(update={"play": rng.choice(others)})
        decisions[moment.number] = changed
        deals = list(record.deals)
        deals[moment.deal] = deal.model_copy(update={"decisions": tuple(decisions)})
        altered = record.model_copy(update={"deals": tuple(deals)})
        text = re.sub("check .*", f"check {check_of(record)}", altered.to_text())
        with pytest.raises(RecordError):
            Record.from_text(text)
        if changed.phase != "bid":  # a pass a draw later may come to the same deal
            with pytest.raises(RecordError):
                altered.verify()


# --- damaged, foreign and hostile files -------------------------------------------------------


def test_cut_files_are_refused(record, tmp_path):
    for text, suffix in ((record.to_text(), ".txt"), (record.to_json(), ".json")):
        file = tmp_path / f"cut{suffix}"
        for part in range(1, 40):
            file.write_text(text[: len(text) * part // 40], "utf-8")
            with contextlib.suppress(RecordError):
                loaded = Record.load(file)
                loaded.verify()
                # at a line's end, what is left may be a game that is not over
                assert suffix == ".txt"
                assert loaded.deals[-1].result is None or len(loaded.deals) == 1


def test_damaged_text_is_read_or_refused_with_a_reason(record):
    text, rng = record.to_text(), random.Random(0)
    alphabet = text + "\n\t\x00{}[]\"':;#@=\u2028\ud7ff𝄞"
    for _ in range(400):
        damaged = list(text)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(damaged))
            damaged[at : at + rng.choice((0, 1, 1, 5))] = rng.choice(alphabet)
        with contextlib.suppress(RecordError):
            assert Record.from_text("".join(damaged)) == record  # blanks may differ


HOSTILE = [
    ("", "allowed: 'tuolaji-record 1'"),
    ("tuolaji-record 2\n", "allowed: 'tuolaji-record 1'"),
    ("tuolaji-record 1\n", "rules: Field required"),
    ("tuolaji-record 1\nrules two_deck\nrules henan\n", "line 3: 'rules' is given twice"),
    ("tuolaji-record 1\nrules /etc/passwd.yaml\n", "is a file; allowed: a preset"),
    ("tuolaji-record 1\nrules {\"preset\": \"../x.yaml\"}\n", "preset"),
    ("tuolaji-record 1\nrules " + "{\"a\":" * 5000 + "\n", "rules"),
    ("tuolaji-record 1\nseed 99999999999999999999\n", "is no whole number"),
    ("tuolaji-record 1\nseat 1 Ann\n", "seat: '1' given; allowed: 0"),
    ("tuolaji-record 1\ndeal 1\ndeal 3\n", "deal: '3' given; allowed: 2"),
    ("tuolaji-record 1\ndeal 1\ntrick 2 0:♠A\n", "trick: 2 given; allowed: 1"),
    ("tuolaji-record 1\ndeal 1\ntrick 1 9:♠A\n", "'9:♠A' given"),
    ("tuolaji-record 1\ndeal 1\nvalues ♠A=1\n", "values: given without a decision"),
    ("tuolaji-record 1\ndeal 1\nbid 0@1:-\nvalues ♠A=x\n", "'♠A=x' given"),
    ("tuolaji-record 1\nvoodoo\n", "'voodoo' is not known"),
    ("{", "no JSON"),
    ("[" * 100_000, "allowed: 'tuolaji-record 1'"),
    ("{\"a\":" * 100_000, "no JSON"),
    ("{\"format\": \"tuolaji-record\", \"format\": 1}", "'format' is given twice"),
    ("{\"format\": \"other\"}", "allowed: 'tuolaji-record', 1"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), HOSTILE)
def test_hostile_files_are_refused(text, says, tmp_path, capsys):
    file = tmp_path / "hostile"
    file.write_text(text, "utf-8")
    with pytest.raises(RecordError, match=re.escape(says)):
        Record.load(file)
    assert main(["verify", str(file)]) == 1
    assert str(file) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("extra", 1, "extra: 1; Extra inputs are not permitted"),
        ("seats", ["a"], "seats: 1 given; allowed: 4"),
        ("seats", ["a", "b", "c", " d"], "a name is printable"),
        ("seats", ["a", "b", "c", "\x1b[2J"], "a name is printable"),
        ("seats", ["a", "b", "c", 4], "valid string"),
        ("deals", [], "at least 1"),
        ("episode", "week", "'deal' or 'match'"),
        ("seed", 1 << 63, "seed"),
        ("seed", "7", "valid integer"),
        ("options", {"deck": "1" * 1001}, "at most 1000"),
        ("options", {"cheat": "1"}, "'cheat' is no option"),
        ("digest", "0", "other rules were played"),
        ("values_by", "\n", "a name is printable"),
    ],
)
def test_json_with_wrong_values_is_refused(record, name, value, says):
    content = json.loads(record.to_json())
    content[name] = value
    with pytest.raises(RecordError, match=re.escape(says)):
        Record.from_json(json.dumps(content))


@pytest.mark.parametrize(
    "options",
    [
        {"deck": "9" * 30},
        {"deck": "♠2 ♠3"},
        {"levels": ","},
        {"levels": "5,5,5,5,5"},
        {"declarer": "7"},
        {"declarer": "9" * 30},
        {"first_drawer": "-1"},
        {"trump": "♥"},
        {"trump": "?", "declarer": "1"},
        {"kitty": "♠2"},
        {"kitty": "♠2", "trump": "♥", "declarer": "1"},
    ],
)
def test_options_that_begin_no_game_are_refused(record, options):
    content = json.loads(record.to_json())
    content["options"] = options
    content.pop("check")
    with pytest.raises(RecordError, match="options: "):
        Record.from_json(json.dumps(content)).verify()


def test_numbers_that_are_none_are_refused(record):
    content = json.loads(record.to_json())
    content["deals"][0]["decisions"][0]["values"] = {"-": float("nan")}
    with pytest.raises(RecordError, match="values"):
        Record.from_json(json.dumps(content))


def test_other_files_are_refused(tmp_path, capsys):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="no UTF-8"):
        Record.load(tmp_path / "bytes")
    assert main(["verify", str(tmp_path / "missing")]) == 2
    assert "missing" in capsys.readouterr().err


def test_positions_have_no_record():
    game = Game.from_position(
        "level 5; trump ♥; declarer 0; leader 1; hands ♠AA ♥3 | ♠KK ♥4 | ♠QQ ♥6 | ♠JJ ♥7"
    )
    with pytest.raises(RecordError, match="position: "):
        game.to_record()


def test_files_are_written_whole_or_not_at_all(record, tmp_path, monkeypatch):
    file = tmp_path / "folder" / "game.json"
    record.save(file)
    assert Record.load(file) == record
    before = file.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        record.save(file)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["game.json"]


def test_convert_command(record, tmp_path):
    text, other = tmp_path / "a.txt", tmp_path / "b.json"
    record.save(text)
    assert main(["convert", str(text), str(other)]) == 0
    assert Record.load(other) == record
    assert main(["convert", str(other), str(tmp_path / "c.txt")]) == 0
    assert (tmp_path / "c.txt").read_bytes() == text.read_bytes()

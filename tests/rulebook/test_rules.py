"""Rules as a value: defaults, limits, refusals by clause, presets, files."""

import copy
import json
import pickle
from pathlib import Path

import pytest

from tuolaji_env.cards import RANK_NAMES
from tuolaji_env.refusals import CONFLICTS, NEEDS, show
from tuolaji_env.rules import USUAL_KITTY, Rules, RulesError, clauses, load_rules, preset_names

FRIENDS = {"teams": "friends", "bids": "count"}
GUANGXI = {"links": "guangxi", "permanent_links": "natural"}

R11_DEFAULTS = {
    "decks": 2, "jokers": True, "players": 4, "teams": "fixed", "kitty": 8,
    "ladder": RANK_NAMES, "mandatory": (), "win_by": "passing", "cyclic": False, "max_deals": 200,
    "top_no_trump": False, "top_needs_trump_capture": False,
    "permanent_trumps": (), "links": "standard", "permanent_links": "order", "level3_with_2": False,
    "throws": "attempt", "failed_throw_plays": "widest",
    "throw_penalty_per_card": 0, "throw_penalty_points": 0,
    "follow": "longest", "follow_prefers": "tractor", "same_count": False, "protect_wider": False,
    "throw_compare": "main", "wider_beats": "off",
    "bid_poll": "draw", "reinforce": True, "reclaim": False, "bids": "standard",
    "single_by_suit": False, "first_declarer": "bidder", "no_bid": "redeal", "max_redeals": 3,
    "hidden_bids": False, "rebid_after_bury": False, "friends_called": 0,
    "capture": "pow2_pairs", "capture_factor": 2, "capture_bonus": 40, "all_pairs": False,
    "capture_needs_trump": False, "last_trick_multiplies": False, "clamp": None,
    "base": 80, "step": 40, "table": None, "below_zero_step": 0, "max_rise": None,
    "revoke": "impossible",
}  # fmt: skip


def test_r11_defaults():
    assert Rules().model_dump() == {"name": ""} | R11_DEFAULTS


def test_every_field_has_a_clause_and_a_meaning():
    assert clauses().keys() == Rules.model_fields.keys()
    assert all(field.description for field in Rules.model_fields.values())


@pytest.mark.parametrize(("players", "decks"), USUAL_KITTY)
def test_r1_5_usual_kitty_deals_out_evenly(players, decks):
    fields = {"players": players, "decks": decks}
    rules = Rules(**fields | (FRIENDS if players in (5, 7) else {}))
    assert rules.kitty == USUAL_KITTY[players, decks]
    assert rules.kitty + players * rules.hand_size == rules.deck_size == 54 * decks


@pytest.mark.parametrize(("players", "called"), [(4, 1), (5, 1), (6, 2), (7, 2)])
def test_r9_1_usual_number_of_calls(players, called):
    assert Rules(players=players, decks=3, **FRIENDS).friends_called == called


REFUSED = [
    ("R1.1", {"decks": 5}),
    ("R1.1", {"decks": 0}),
    ("R1.1", {"decks": 2.0}),
    ("R1.1", {"jokers": 1}),
    ("R1.3", {"players": 3}),
    ("R1.3", {"players": 8, **FRIENDS}),
    ("R1.4", {"players": 5, "decks": 3}),
    ("R1.4", {"players": 7, "decks": 3}),
    ("R1.4", {"teams": "pairs"}),
    ("R1.4", {"teams": "friends", "bids": "standard"}),
    ("R1.4", {**FRIENDS, "ladder": ["2..A", "NT"]}),
    ("R1.4", {**FRIENDS, "top_no_trump": True}),
    ("R1.4", {**FRIENDS, "no_bid": "flip"}),
    ("R1.4", {**FRIENDS, "no_bid": "no_trump"}),
    ("R1.4", {**FRIENDS, "revoke": "forfeit"}),
    ("R1.5", {"kitty": 7}),
    ("R1.5", {"decks": 1, "jokers": False, "kitty": 52}),
    ("R1.5", {"kitty": -4}),
    ("R2.1", {"ladder": []}),
    ("R2.1", {"ladder": ["2", "1"]}),
    ("R2.1", {"ladder": ["2", "3", "2"]}),
    ("R2.1", {"ladder": "A..2"}),
    ("R2.1", {"ladder": ["NT", "2"]}),
    ("R2.1", {"ladder": [True]}),
    ("R2.2", {"mandatory": ["NT"]}),
    ("R2.2", {"mandatory": ["2"], "ladder": "3..A"}),
    ("R2.3", {"win_by": "luck"}),
    ("R2.4", {"cyclic": True, "ladder": ["2", "NT"]}),
    ("R2.4", {"max_deals": 0}),
    ("R2.5", {"top_needs_trump_capture": True, "ladder": ["A", "NT"], "jokers": False}),
    ("R3.3", {"permanent_trumps": ["NT"]}),
    ("R3.3", {"permanent_trumps": "next"}),
    ("R3.3", {"permanent_trumps": None}),
    ("R4.4", {"links": "guangxi"}),
    ("R4.5", {"level3_with_2": True}),
    ("R5.1", {"throws": False}),
    ("R5.4", {"throw_penalty_per_card": -1}),
    ("R5.5", {"follow": "cards"}),
    ("R5.5", {"follow": "cards", "throws": "certain"}),
    ("R6.4", {"same_count": True}),
    ("R8.2", {"reclaim": True, "bids": "henan"}),
    ("R8.3", {"bids": "joker_backed", "jokers": False}),
    ("R8.3", {"bids": "henan", "jokers": False}),
    ("R8.3", {"bids": "henan", "decks": 3}),
    ("R8.3", {"bids": "chaodi2", "decks": 3}),
    ("R8.3", {"bids": "chaodi3", "decks": 2}),
    ("R8.3", {"single_by_suit": True}),
    ("R8.5", {"max_redeals": -1}),
    ("R8.6", {"hidden_bids": True}),
    ("R8.7", {"rebid_after_bury": True, "kitty": 0}),
    ("R9.1", {"friends_called": 1}),
    ("R9.1", {**FRIENDS, "friends_called": 0}),
    ("R9.1", {**FRIENDS, "friends_called": 2}),
    ("R9.1", {**FRIENDS, "permanent_trumps": "2..K"}),
    ("R10.1", {"capture_factor": 0}),
    ("R10.3", {"clamp": [400, 0]}),
    ("R10.3", {"clamp": [0]}),
    ("R10.4", {"base": 0}),
    ("R10.4", {"step": 0}),
    ("R10.4", {"max_rise": 0}),
    ("R10.4", {"table": []}),
    ("R10.4", {"table": [[0, "nobody", 1]]}),
    ("R10.4", {"table": [[0, "others", -1]]}),
    ("R10.4", {"table": [[80, "others", 0], [0, "declarers", 1]]}),
    ("R10.4", {"table": [[0, "declarers", 1], [0, "others", 0]]}),
    ("R10.4", {"table": [[0, "others", 1], [80, "declarers", 0]]}),
    ("R10.5", {"revoke": True}),
]


@pytest.mark.parametrize(
    ("clause", "fields"), REFUSED, ids=[f"{clause}-{fields}" for clause, fields in REFUSED]
)
def test_refusal_names_clause_and_field(clause, fields):
    with pytest.raises(RulesError) as caught:
        Rules(**fields)
    lines = [line for line in str(caught.value).splitlines() if line.endswith(f"({clause})")]
    assert lines
    assert any(f"{field}" in line for field in fields for line in lines)


def test_every_need_and_conflict_is_refused_above():
    told = []
    for _, fields in REFUSED:
        with pytest.raises(RulesError) as caught:
            Rules(**fields)
        told += str(caught.value).splitlines()
    for need in NEEDS:
        given = f"with {need.field}: {show(need.value)}; allowed"
        assert any(line.startswith(f"{need.other}: ") and given in line for line in told), need
    for conflict in CONFLICTS:
        ending = conflict.allowed.partition("{")[0]
        assert any(ending in line for line in told), conflict


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"decks": "2"}, 'decks: "2"; should be a valid integer (R1.1)'),
        ({"kity": 8}, "kity: no such rule; did you mean kitty?"),
        ({"zzz": 8}, "zzz: no such rule"),
        (
            {"kitty": 7},
            "kitty: 7 with players: 4; "
            "allowed: 0, or that and a multiple of 4, with cards left for all (R1.5)",
        ),
        ({"throws": "on"}, "throws: \"on\"; should be 'off', 'certain' or 'attempt' (R5.1)"),
        ({"reclaim": True, "bids": "henan"},
         'bids: "henan" with reclaim: true; allowed: "count" or "standard" (R8.2)'),
        ({"clamp": [1]}, "clamp[1]: [1]; an entry is missing at the end (R10.3)"),
        ({"table": [[0, "x", 1]]},
         "table[0][1]: \"x\"; should be 'declarers' or 'others' (R10.4)"),
        ({"players": 9, "decks": 9},
         "decks: 9; should be less than or equal to 4 (R1.1)\n"
         "players: 9; should be less than or equal to 7 (R1.3)"),
    ],
)  # fmt: skip
def test_message(fields, message):
    with pytest.raises(RulesError) as caught:
        Rules(**fields)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "fields",
    [
        {"ladder": ["5"], "cyclic": True},
        {"ladder": ["NT"]},
        {"ladder": ["A", "2", "3"], "mandatory": ["2"]},
        {"kitty": 0, "no_bid": "flip"},
        {"decks": 1, "bids": "standard"},
        {"jokers": False, "bids": "chaodi2"},
        {"follow": "cards", "throws": "off", "same_count": True},
        {"clamp": [-40, 200], "table": [[-40, "declarers", 2], [0, "others", 0]]},
        {"all_pairs": True, "capture": "play_cards"},
        {**GUANGXI, "level3_with_2": True, "permanent_trumps": "next_level"},
    ],
    ids=str,
)
def test_unusual_but_sound(fields):
    assert Rules(**fields)


def test_frozen_hashable_and_copied_whole():
    rules = load_rules("nanning")
    with pytest.raises(ValueError, match="frozen"):
        rules.kitty = 8
    assert hash(rules) == hash(load_rules("nanning"))
    assert rules == copy.deepcopy(rules) == pickle.loads(pickle.dumps(rules))


def test_names_are_read_generously_and_kept_in_one_form():
    rules = Rules(ladder=["2..5", "A", "NT"], mandatory=[5, 2], permanent_trumps=[10, "7"])
    assert rules.ladder == ("2", "3", "4", "5", "A", "NT")
    assert rules.mandatory == ("2", "5")
    assert rules.permanent_trumps == ("7", "10")


def test_digest_tells_rules_apart_not_names():
    assert Rules(name="a").digest == Rules(name="b").digest == load_rules("two_deck").digest
    assert Rules(mandatory=["5", "10"]).digest == Rules(mandatory=["10", "5"]).digest
    assert len({load_rules(preset).digest for preset in preset_names()}) == len(preset_names())
    assert (
        Rules().digest == "a992aba54bb25f52"
    )  # stored in checkpoints: changes with the fields only


def test_replace_validates_and_renews_what_was_not_stated():
    five = load_rules("find_friends_5")
    six = five.replace(players=6)
    assert (six.kitty, six.friends_called, six.name) == (6, 2, "")
    assert five.replace(name=five.name) == five != five.replace(base=100)
    with pytest.raises(RulesError, match=r"R1\.4"):
        five.replace(revoke="forfeit")


R11 = {
    # players, decks, kitty, hand, bids
    "chaodipi_2": (4, 2, 8, 25, "chaodi2"),
    "chaodipi_3": (4, 3, 6, 39, "chaodi3"),
    "competition": (4, 2, 8, 25, "standard"),
    "find_friends_5": (5, 3, 7, 31, "count"),
    "find_friends_5x4": (5, 4, 6, 42, "count"),
    "find_friends_6": (6, 3, 6, 26, "count"),
    "find_friends_6x4": (6, 4, 6, 35, "count"),
    "find_friends_7": (7, 3, 8, 22, "count"),
    "find_friends_7x4": (7, 4, 6, 30, "count"),
    "guangzhou": (4, 3, 6, 39, "count"),
    "guigang": (4, 4, 0, 54, "count"),
    "henan": (4, 2, 8, 25, "henan"),
    "joker_backed": (4, 2, 8, 25, "joker_backed"),
    "nanning": (4, 4, 0, 54, "count"),
    "next_level_trump": (4, 2, 8, 25, "standard"),
    "next_level_trump_no_jokers": (4, 2, 8, 24, "standard"),
    "one_deck": (4, 1, 6, 12, "count"),
    "six_player": (6, 4, 6, 35, "standard"),
    "two_deck": (4, 2, 8, 25, "standard"),
}

DIFFERS = {
    "two_deck": {},
    "competition": {"first_declarer": "given", "throw_compare": "lexicographic"},
    "guangzhou": {
        "base": 120, "step": 40, "reclaim": True, "failed_throw_plays": "lowest",
        "throw_penalty_per_card": 10, "wider_beats": "tractor", "capture": "unit_cards",
        "capture_factor": 2, "capture_needs_trump": True,
    },
    "find_friends_5": {
        "base": 120, "step": 40, "reclaim": False, "wider_beats": "tractor",
        "capture": "unit_cards", "capture_needs_trump": True, "friends_called": 1,
    },
    "find_friends_6": {"base": 100, "step": 40, "friends_called": 2},
    "find_friends_7": {"base": 120, "step": 40, "friends_called": 2},
    "find_friends_5x4": {"base": 160, "step": 60, "friends_called": 1},
    "find_friends_6x4": {"base": 120, "step": 60, "friends_called": 2},
    "find_friends_7x4": {"base": 160, "step": 60, "friends_called": 2},
    "chaodipi_2": {"rebid_after_bury": True, "capture": "pow2_pairs", "base": 80},
    "chaodipi_3": {
        "rebid_after_bury": True, "reclaim": False, "capture": "unit_cards", "base": 120,
    },
    "next_level_trump": {
        "permanent_trumps": "next_level", "permanent_links": "natural", "follow": "exact",
        "capture": "tractor_pow2",
    },
    "next_level_trump_no_jokers": {"jokers": False, "permanent_trumps": "next_level"},
    "one_deck": {"base": 40, "step": 20, "capture": "bonus", "capture_bonus": 40},
    "nanning": {
        "ladder": RANK_NAMES[1:], "cyclic": True, "max_deals": 20, "permanent_trumps": ("2",),
        "links": "guangxi", "follow": "cards", "throws": "off", "wider_beats": "all",
        "last_trick_multiplies": True, "clamp": (0, 400), "hidden_bids": True,
        "same_count": False, "level3_with_2": False, "below_zero_step": 0,
    },
    "guigang": {
        "clamp": None, "same_count": True, "level3_with_2": True, "below_zero_step": 80,
        "wider_beats": "all", "hidden_bids": True,
    },
    "six_player": {
        "base": 160, "step": 80, "ladder": (*RANK_NAMES, "NT"),
        "mandatory": ("2", "5", "10", "K", "NT"),
    },
}  # fmt: skip


def test_r11_all_presets_are_there():
    assert preset_names() == tuple(R11)


@pytest.mark.parametrize("preset", R11)
def test_r11_preset(preset):
    rules = load_rules(preset)
    assert rules.name == preset
    got = (rules.players, rules.decks, rules.kitty, rules.hand_size, rules.bids)
    assert got == R11[preset]
    for field, value in DIFFERS.get(preset, {}).items():
        assert getattr(rules, field) == value, field


@pytest.mark.parametrize("preset", R11)
def test_preset_survives_json(preset):
    rules = load_rules(preset)
    assert load_rules(json.loads(rules.model_dump_json())) == rules
    assert Rules.model_validate_json(rules.model_dump_json()) == rules
    assert load_rules(rules) is rules


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_file_builds_on_a_preset(tmp_path):
    path = write(tmp_path, "preset: guangzhou\nthrows: off\nladder: [2..10, A]\nreclaim: false\n")
    rules = load_rules(path)
    assert rules == load_rules(str(path))
    assert (rules.name, rules.throws, rules.reclaim, rules.base) == ("mine", "off", False, 120)
    assert rules.ladder == (*RANK_NAMES[:9], "A")


def test_mapping_builds_on_a_preset_and_loses_its_name():
    assert load_rules({"preset": "two_deck"}).name == "two_deck"
    assert load_rules({"preset": "two_deck", "kitty": 12}).name == ""
    assert load_rules({"preset": "two_deck", "kitty": 12, "name": "big"}).name == "big"
    assert load_rules() == load_rules("two_deck") != load_rules({})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kity: 8", "mine.yaml: kity: no such rule; did you mean kitty?"),
        ("preset: two_dek", 'preset: "two_dek"; no such preset; did you mean two_deck?'),
        ("preset: [two_deck]", 'preset: ["two_deck"]; no such preset; did you mean two_deck?'),
        ("preset: other.yaml", 'preset: "other.yaml"; no such preset'),
        ("reclaim: yes", 'reclaim: "yes"; should be a valid boolean'),
        ("kitty: 8\nkitty: 12", "is not YAML: kitty is given twice"),
        ("kitty: [8", "is not YAML: "),
        ("- kitty", "holds no fields"),
        ("8: kitty", "8: no such rule"),
        ("kitty: !!python/object:os.system {}", "is not YAML: "),
    ],
)
def test_file_errors(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")


def test_file_missing_or_not_text(tmp_path):
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules("no/such.yaml")
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"\xff\xfe\x00kitty")
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules(path)


def test_unknown_preset_lists_all():
    with pytest.raises(RulesError, match=r"allowed: chaodipi_2, .*, two_deck"):
        load_rules("bridge")

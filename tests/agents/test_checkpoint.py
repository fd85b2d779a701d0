"""Checkpoints: what comes back, and what is refused and why."""

import io
import json
import zipfile

import numpy as np
import pytest
import torch

from agents import checkpoint
from agents.checkpoint import CheckpointError
from agents.networks import QNetwork, build_network
from agents.neural import NeuralAgent
from agents.registry import make_agent
from tuolaji_env.games import GameBatch, game_seeds
from tuolaji_env.observe import Layout
from tuolaji_env.rules import load_rules

RULES = load_rules("two_deck")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    torch.manual_seed(1)
    path = tmp_path_factory.mktemp("checkpoints") / "small.ckpt"
    layout = Layout(RULES)
    network = QNetwork(layout.size, (16, 16), layout.scale)
    meta = checkpoint.describe(
        network.spec, layout, [RULES], algorithm="none", steps=12, seed=3, extra={"note": "♠"}
    )
    checkpoint.save(path, network.state_dict(), meta)
    return path, network, meta


def rewrite(path, target, name, change):
    """A checkpoint with one of its two parts changed."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.namelist():
            content = old.read(entry)
            if entry == name:
                content = change(content)
            if content is not None:
                new.writestr(entry, content)
    return target


def changed_meta(**fields):
    return lambda content: json.dumps(json.loads(content) | fields)


def packed(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


def test_weights_and_meta_come_back(saved):
    path, network, meta = saved
    weights, read = checkpoint.load(path, RULES)
    assert read == meta == checkpoint.read_meta(path)
    assert (read.steps, read.seed, read.extra) == (12, 3, {"note": "♠"})
    assert read.rules == [{"name": "two_deck", "digest": RULES.digest}]
    for name, tensor in network.state_dict().items():
        assert torch.equal(weights[name], tensor)
    games = GameBatch(RULES, 8)
    games.begin(game_seeds(0, 8))
    fresh = NeuralAgent(network, Layout(RULES)).act(games, games.everybody)
    agent = make_agent(f"ckpt:{path}", RULES)
    assert agent.name == "small"
    assert np.array_equal(agent.act(games, games.everybody), fresh)


def test_only_one_file_is_left_and_a_failed_save_leaves_the_old_one(saved, monkeypatch):
    path, network, meta = saved
    before = path.read_bytes()

    def refuse(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(OSError, match="disk full"):
        checkpoint.save(path, network.state_dict(), meta)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_damaged_and_foreign_files_are_refused(saved, tmp_path):
    path, _, _ = saved
    whole = path.read_bytes()
    bad = tmp_path / "bad.ckpt"
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    for content, reason in (
        (b"no zip", "is no checkpoint, or is damaged"),
        (whole[: len(whole) // 2], "is no checkpoint, or is damaged"),
        (bytes(flipped), "Bad CRC"),
    ):
        bad.write_bytes(content)
        with pytest.raises(CheckpointError, match=reason):
            checkpoint.load(bad, RULES)
    for name, change, reason in (
        ("weights.pt", lambda _: None, r"holds \['meta.json'\]; expected: meta.json, weights.pt"),
        ("weights.pt", lambda _: b"junk", "weights.pt cannot be read"),
        ("weights.pt", lambda _: packed({"x": Layout}), "weights.pt cannot be read"),
        ("weights.pt", lambda _: packed([1, 2]), "no state dict"),
        ("weights.pt", lambda _: packed({"x": torch.ones(1)}), "Missing key"),
        ("meta.json", lambda _: b"{", "meta.json is no JSON"),
        ("meta.json", lambda _: b"[]", "format: None given; allowed: 1"),
        ("meta.json", changed_meta(format=99), "format: 99 given; allowed: 1"),
        ("meta.json", changed_meta(more=1), "more: no such field; allowed: network, layout"),
        ("meta.json", changed_meta(network={}), "network: {} given; expected: kind"),
        ("meta.json", changed_meta(network={"kind": "z"}), "kind: 'z' is not known; allowed: q"),
        ("meta.json", changed_meta(network={"kind": "q", "hidden": "x"}), "cannot be built"),
        ("meta.json", changed_meta(rules="two_deck"), "rules: 'two_deck'"),
    ):
        rewrite(path, bad, name, change)
        with pytest.raises(CheckpointError, match=reason):
            NeuralAgent.from_checkpoint(bad, RULES)


def test_numbers_that_are_none_are_refused(saved, tmp_path):
    _, network, meta = saved
    weights = network.state_dict() | {"head.bias": torch.full((63,), torch.nan)}
    checkpoint.save(tmp_path / "nan.ckpt", weights, meta)
    with pytest.raises(CheckpointError, match="not all are finite"):
        NeuralAgent.from_checkpoint(tmp_path / "nan.ckpt", RULES)


def test_other_rules_need_saying_so_and_other_rows_are_refused(saved, tmp_path):
    path, _, meta = saved
    other = load_rules("joker_backed")
    with pytest.raises(CheckpointError, match=r"rules: joker_backed .* trained on: two_deck"):
        make_agent(f"ckpt:{path}", other)
    make_agent(f"ckpt:{path}", other, allow_other_rules=True)
    with pytest.raises(CheckpointError, match=f"layout digest: {meta.layout['digest']} given"):
        make_agent(f"ckpt:{path}", load_rules("find_friends_5"), allow_other_rules=True)
    bad = tmp_path / "bad.ckpt"
    rewrite(path, bad, "meta.json", changed_meta(layout=meta.layout | {"digest": "0"}))
    with pytest.raises(CheckpointError, match="layout digest: 0 given"):
        checkpoint.load(bad, RULES)
    rewrite(path, bad, "meta.json", changed_meta(layout=meta.layout | {"kind": "wide"}))
    with pytest.raises(CheckpointError, match="layout kind: 'wide' given; allowed: rules, univ"):
        checkpoint.load(bad, RULES)


def test_a_network_is_built_from_its_spec():
    network = QNetwork(10, (4, 5))
    again = build_network(network.spec, 10)
    again.load_state_dict(network.state_dict())
    rows = torch.arange(20, dtype=torch.uint8).reshape(2, 10)
    mask = torch.ones(2, 63)
    assert network(rows, mask).shape == (2, 63)
    assert torch.equal(again(rows, mask), network(rows, mask))

"""What card eyes count, against plain loops; networks of them from specs."""

import numpy as np
import pytest
import torch

from agents.card_eyes import PLANES, CardEyes, places_of
from agents.networks import CardNetwork, build_network
from agents.registry import make_agent
from tuolaji_env.cards import POINTS
from tuolaji_env.games import GameBatch, is_over
from tuolaji_env.observe import Layout
from tuolaji_env.rules import load_rules


def rows_in_play(preset: str, kind: str = "rules") -> tuple[Layout, np.ndarray]:
    """Rows of the movers of some games, at all stages."""
    rules = load_rules(preset)
    layout, games = Layout(rules, kind, True, "heuristic"), GameBatch(rules, 8)  # type: ignore[arg-type]
    games.begin(np.arange(8))
    heuristic, rows, live = make_agent("heuristic", rules), [], games.everybody
    for count in range(400):
        if count % 9 == 0:
            rows.append(games.observe(layout, live))
        games.step(heuristic.act(games, live), live)
        live = np.flatnonzero(~is_over(games.records))
        if not len(live):
            break
    return layout, np.concatenate(rows)


@pytest.mark.parametrize(
    ("preset", "kind"), [("two_deck", "rules"), ("find_friends_5", "universal")]
)
def test_features_against_plain_loops(preset: str, kind: str) -> None:
    layout, rows = rows_in_play(preset, kind)
    rows = rows[:: max(len(rows) // 40, 1)]
    eyes, scale = CardEyes(places_of(layout), 4, 8), torch.tensor(layout.scale)
    found = eyes.features(torch.from_numpy(rows), scale).numpy()
    named, planes = layout.segments, len(eyes.offsets)
    assert found.shape == (len(rows), 54, eyes.first.in_features)
    for row, cards in zip(rows, found, strict=True):
        plane = {n: row[named[n].offset : named[n].offset + 54].astype(int) for n in PLANES}
        void = row[named["void"].slice].reshape(-1, 5)
        suit = [4 if plane["is_trump"][k] or k > 51 else k // 13 for k in range(54)]
        for k in range(54):
            want = [
                row[at + start + k] * layout.scale[at + start]
                for at, size in (places_of(layout)[name] for name in PLANES)
                for start in range(0, size, 54)
            ]
            mine = [j for j in range(54) if suit[j] == suit[k]]
            power = plane["power"]
            above = [j for j in mine if power[j] > power[k]]
            below = [j for j in mine if power[j] < power[k]]
            for which, share in ((above, 0.3), (below, 0.3), (mine, 0.15)):
                for name, least in (("unseen", 1), ("hand", 1), ("unseen", 2), ("hand", 2)):
                    number = plane[name][which]
                    want.append(share * (number.sum() if least == 1 else (number >= 2).sum()))
            want += [POINTS[k] / 5, plane["hand"][k] * plane["unseen"][k] / 2]
            want += [*void[:, suit[k]], *void[:, 4]]
            assert cards[k] == pytest.approx(want, abs=1e-5), (k, planes)


def test_a_network_of_card_eyes_from_its_spec() -> None:
    layout, rows = rows_in_play("two_deck")
    network = CardNetwork.for_layout(layout, (16,), 4)
    seen = torch.from_numpy(rows)
    values = network(seen)
    assert values.shape == (len(rows), 63)
    again = build_network(network.spec, layout.size)
    again.load_state_dict(network.state_dict())
    assert torch.equal(again(seen), values)
    network.cards.out.bias.data += 1
    apart = network(seen) - values
    assert torch.allclose(apart[:, :54], torch.ones(())), "each card's number is added to its value"
    assert torch.allclose(apart[:, 54:], torch.zeros(()))


def test_values_begin_equal_where_there_is_advice() -> None:
    layout, rows = rows_in_play("two_deck")
    network = CardNetwork.for_layout(layout, (16,), 4, margin=0.1)
    assert not network(torch.from_numpy(rows)).any()

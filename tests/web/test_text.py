"""The table in a terminal: deals typed to the end, reasons, advice, and no card of others."""

import io
import re

import pytest

from agents.play.__main__ import main
from agents.play.text import Terminal, play_in_terminal
from agents.play.thinking import decide
from tuolaji_env.game import Game
from tuolaji_env.policies.player import PolicyPlayer

PRESETS = ["two_deck", "nanning", "find_friends_5", "chaodipi_2"]


class Typist:
    """Types what `greedy` would do, after the lines given; keeps what is shown."""

    def __init__(self, game, first=()):
        self.game, self.first, self.shown = game, list(first), []
        self.player = PolicyPlayer("greedy")

    def read(self, prompt):
        self.shown.append(prompt)
        if self.game.is_over:
            return ""
        if self.first:
            return self.first.pop(0)
        return self.game.play_text(decide(self.player, self.game))

    def terminal(self, seat=0, language="en"):
        write = self.shown.append
        return Terminal(self.game, seat, "greedy", language=language, read=self.read, write=write)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_is_typed_to_the_end(preset, language):
    game = Game(preset, 4, episode="deal")
    typist = Typist(game)
    typist.terminal(1, language).play()
    assert game.is_over
    assert str(game.score) in typist.shown[-1]
    assert ("分" in typist.shown[-1]) == (language == "zh")


@pytest.mark.parametrize("preset", PRESETS)
def test_no_hand_but_ones_own_is_shown(preset):
    game = Game(preset, 4, episode="deal")
    typist = Typist(game)
    typist.terminal(1).play()
    tables = [text for text in typist.shown if "trump" in text and "\n" in text][:-1]
    for table in tables:
        rows = re.findall(r"^[D >]{2} (\d)\s+\d+\s+(.*)$", table, re.MULTILINE)
        assert len(rows) == game.rules.players
        for seat, cards in rows:
            assert seat == "1" or re.fullmatch(r"\d+ cards", cards.strip())


def test_what_cannot_be_played_is_explained_and_advice_is_given():
    game = Game("competition", 4, episode="deal")
    while game.phase != "follow" or game.seat != 0:
        game.play(decide(PolicyPlayer("greedy"), game))
    cards = game.hand(0)
    text = game.play_text([*cards, cards[0]])
    typist = Typist(game, [text, "?", "x", game.play_text(cards)])
    typist.terminal().play()
    said = "\n".join(typist.shown)
    assert "You do not hold these cards." in said
    assert "(R6.1)" in said
    assert "heuristic would:" in said
    assert "'x' at position 0" in said


def test_leaving_ends_the_game(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert play_in_terminal(Game("one_deck", 3), 0, "greedy", "zh") == 0
    assert "♠33" in capsys.readouterr().out


def test_the_command_line_names_what_is_wrong(capsys):
    assert main(["--text", "--seat", "9"]) == 2
    assert "seat: 9 given; allowed: 0 to 3" in capsys.readouterr().err
    assert main(["--agents", "nobody"]) == 2
    assert "'nobody' is not known" in capsys.readouterr().err

"""Transcripts and counts of legal plays for fixed deals: ``python -m tests.golden.regenerate``.

Writes a text file for each preset; what changed in the rules shows as their difference. Each
decision is a random walk through the masks that only the seed and the step decide, and is
followed by the number of plays that were legal.
"""

from pathlib import Path

from tests.property.playing import choice
from tuolaji_env.game import Game
from tuolaji_env.notation import cards_text
from tuolaji_env.rules import preset_names

HERE = Path(__file__).parent
SEED = 1
COUNT_SEEDS, DECISIONS = range(2, 6), 50
LIMIT = 5000


def decide(game):
    """Make the next decision; returns its text and the number of legal ones."""
    plays = len(game.legal_plays(LIMIT))
    phase, decision = game.phase, len(game.history[-1])
    while not game.is_over and len(game.history[-1]) == decision:
        options = game.legal_actions()
        game.do(options[choice(game.seed, int(game.record["steps"]), len(options))])
    text = game.play_text(game.history[-1][-1], phase)
    return text, f"{plays}" if plays < LIMIT else f">{LIMIT - 1}"


def counts(preset, seed):
    """The numbers of legal plays at the first decisions of a deal, in one line."""
    game, numbers = Game(preset, seed, episode="deal"), []
    while not game.is_over and len(numbers) < DECISIONS:
        numbers.append(decide(game)[1])
    return f"seed {seed}: {' '.join(numbers)}"


def transcript(preset, seed):
    """A whole deal, line by line: what led to the first lead, hands, tricks, result."""
    game = Game(preset, seed, episode="deal")
    s, seats = game.record, range(game.rules.players)
    yield f"{preset}, seed {seed}: level {game.level}, first drawer {s['first_drawer']}"
    while game.phase in ("bid", "bury", "call"):
        phase, seat, drawn = game.phase, game.seat, int(s["drawn"])
        text, number = decide(game)
        yield f"{phase} {seat} after {drawn}: {text} ({number})"
    yield f"trump {game.trump}, declarer {s['declarer']}, kitty {cards_text(kitty(game))}"
    yield from (f"{seat}: {cards_text(game.hand(seat))}" for seat in seats)
    while not game.is_over:
        leader, plays = game.seat, []
        taken = s["taken"].copy()
        for _ in seats:
            seat, before = game.seat, game.hand(game.seat)
            text, number = decide(game)
            played = list(before)
            for card in game.hand(seat):
                played.remove(card)
            fails = "" if cards_text(played) == text else f" fails, {cards_text(played)}"
            plays.append(f"{text}{fails} ({number})")
        points = int((s["taken"] - taken).sum())
        yield f"{leader} leads {' '.join(plays)}: {s['winner']} takes {points}"
    rises = " ".join(map(str, s["rise"][: len(seats)]))
    fines = " ".join(map(str, s["fined"][: len(seats)]))
    yield f"score {s['score']}, kitty counts {s['capture']}, fines {fines}, rises {rises}"


def kitty(game):
    """The cards of the kitty."""
    return [k for plane in game.record["kitty"] for k in range(54) if int(plane) >> k & 1]


def golden(preset):
    """The whole text for a preset."""
    lines = [*transcript(preset, SEED), "", *(counts(preset, seed) for seed in COUNT_SEEDS)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name in preset_names():
        (HERE / f"{name}.txt").write_text(golden(name), encoding="utf-8")

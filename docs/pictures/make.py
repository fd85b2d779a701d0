"""The pictures of the README: ``make pictures``, or ``python docs/pictures/make.py [FOLDER]``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np

from tuolaji_env import Game, Record
from tuolaji_env.files import write_whole
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.render import image
from tuolaji_env.render.film import save_film

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gil")
ROWS = np.array([0])


def played(rules: str, seed: int, until: Callable[[Game], bool]) -> Game:
    """A deal between heuristic players, up to a moment."""
    game, player = Game(rules, seed, episode="deal"), PolicyPlayer("heuristic", seed)
    while not game.is_over and not until(game):
        game.do(int(player.act(game.batch, ROWS)[0]))
    return game


def at(trick: int, plays: int) -> Callable[[Game], bool]:
    """So many plays of a trick (from 1) are on the table."""
    return lambda game: int(game.record["tricks"]) == trick - 1 and len(game.trick()) == plays


def main(folder: Path) -> None:
    """Make all pictures."""
    pictures = {
        "table": (played("two_deck", 3, at(5, 3)), 0),
        "open": (played("six_player", 3, at(4, 5)), None),
        "friends": (played("find_friends_7x4", 3, at(3, 6)), 4),
    }
    for name, (game, viewer) in pictures.items():
        out = BytesIO()
        picture = image(game, viewer, NAMES[: game.rules.players], scale=1.0)
        picture.quantize(192, dither=0).save(out, "PNG", optimize=True)
        write_whole(folder / f"{name}.png", out.getvalue())
    deal = played("two_deck", 5, lambda game: False)
    save_film(Record.of(deal, NAMES[:4]), folder / "deal.gif", scale=0.5)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)

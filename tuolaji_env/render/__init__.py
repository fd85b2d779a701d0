"""The table shown: as text, as a picture, in a window. Pictures need the extra ``render``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from PIL import Image

    from ..game import Game
    from .window import Window

MODES = ("ansi", "human", "rgb_array")
FRAMES_PER_SECOND = 8  # in a window


def image(
    game: Game,
    viewer: int | None = None,
    names: Sequence[str] | None = None,
    scale: float = 1.0,
) -> Image.Image:
    """The table as a picture, 1200 x 880 pixels times the scale.

    viewer: the seat that sits at the bottom and whose knowledge is shown, other hands as backs;
    None: everything, seat 0 at the bottom. names: the players', by seat.
    Raises ModuleNotFoundError, naming the extra, where Pillow is not installed.
    """
    try:
        from .picture import picture
    except ModuleNotFoundError as error:
        if error.name != "PIL":
            raise
        raise ModuleNotFoundError(
            "pictures need Pillow: pip install 'tuolaji-env[render]'", name="PIL"
        ) from None
    from .scene import scene

    return picture(scene(game, viewer, names), scale)


class Screen:
    """What an environment shows of its game, by render mode."""

    def __init__(self, mode: str | None) -> None:
        if mode not in (None, *MODES):
            raise ValueError(
                f"render_mode: {mode!r} is not known; allowed: {', '.join(MODES)}, None"
            )
        self.mode = mode
        self._window: Window | None = None
        self._tried = False

    def show(self, game: Game, viewer: int | None) -> Any:
        """`ansi` returns text, `rgb_array` returns [880, 1200, 3] uint8, `human` returns nothing.

        `human` opens a window, or prints the text where there is no display or no extra `render`.
        """
        if self.mode == "ansi":
            return game.render(viewer)
        if self.mode == "rgb_array":
            return np.asarray(image(game, viewer)).copy()
        if self.mode == "human":
            self._to_people(game, viewer)
        return None

    def _to_people(self, game: Game, viewer: int | None) -> None:
        if not self._tried:
            from .window import open_window

            self._tried, self._window = True, open_window("Tuolaji", FRAMES_PER_SECOND)
        if self._window is None:
            print(game.render(viewer), end="\n\n")
        else:
            self._window.show(image(game, viewer))

    def close(self) -> None:
        """Close the window, if there is one; the next picture opens another."""
        if self._window is not None:
            self._window.close()
        self._window, self._tried = None, False


def check_viewer(viewer: int | None, players: int) -> int | None:
    """A seat, or None for everything; ValueError with what is allowed for anything else."""
    if viewer is not None and viewer not in range(players):
        raise ValueError(f"viewer: {viewer!r} given; allowed: 0 to {players - 1}, or None")
    return viewer

"""A window for ``render_mode="human"``, where there is a display."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

_BLIND = ("dummy", "offscreen")  # what SDL takes where there is no display


class Window:
    """Shows pictures one after another, at most so many in a second."""

    def __init__(self, pygame: Any, title: str, frames_per_second: float) -> None:
        self._pygame, self._title, self._pace = pygame, title, frames_per_second
        self._clock = pygame.time.Clock()
        self._surface: Any = None
        self._closed = False

    def show(self, picture: Image.Image) -> None:
        """Show a picture; nothing more is shown once the user has closed the window."""
        pygame = self._pygame
        if self._closed:
            return
        if self._surface is None:
            self._surface = pygame.display.set_mode(picture.size)
            pygame.display.set_caption(self._title)
        drawn = pygame.image.frombytes(picture.tobytes(), picture.size, "RGB")
        self._surface.blit(drawn, (0, 0))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            return
        self._clock.tick(self._pace)

    def close(self) -> None:
        """Take the window away."""
        self._closed = True
        self._pygame.display.quit()


def open_window(title: str, frames_per_second: float) -> Window | None:
    """A window, or None where there is no display, no pygame or no Pillow."""
    if find_spec("pygame") is None or find_spec("PIL") is None:
        return None
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    try:
        pygame.display.init()
    except pygame.error:
        return None
    asked_for = os.environ.get("SDL_VIDEODRIVER") in _BLIND
    if pygame.display.get_driver() in _BLIND and not asked_for:
        pygame.display.quit()
        return None
    return Window(pygame, title, frames_per_second)

"""The pictures of the table in the documentation, taken anew.

python -m tests.web.pictures docs/pictures
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page

from agents.play.lobby import Lobby
from agents.play.messages import read_new_room

from .browsing import DESKTOP, PHONE, act, browsing, page_of
from .serving import serving

_AT_TABLE = '{"rules": "two_deck", "pace": "fast", "seed": 4, "seats": ["human", %s]}'
_ON_PHONE = '{"rules": "find_friends_5", "pace": "fast", "seed": 7, "seats": ["human", %s]}'


def _open(page: Page, address: str, lobby: Lobby, wish: str, bots: int) -> None:
    """Sit down at a table whose deal is fixed by its seed."""
    seats = ", ".join(['"heuristic"'] * bots)
    room = lobby.open(read_new_room((wish % seats).encode()))
    page.goto(f"{address}/#/room/{room.secret}/{room.seats[0].token}")
    page.wait_for_selector(".table")


def _play_until(page: Page, ready: str, tricks: int = 0) -> None:
    """Play on until a moment that is worth a picture."""
    for _ in range(600):
        played = page.locator(".played").count()
        if page.locator(ready).count() and played >= tricks:
            return
        act(page)


def _take(page: Page, path: Path) -> None:
    page.wait_for_timeout(250)
    page.screenshot(path=path)
    print(path)


def take_all(browser: Browser, folder: Path) -> None:
    """Take every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with serving() as (address, lobby):
        with page_of(browser, DESKTOP) as page:
            _open(page, address, lobby, _AT_TABLE, 3)
            _play_until(page, "#play", tricks=2)
            for _ in range(4):
                act(page)
            _play_until(page, "#play", tricks=2)
            page.click("#suggest")
            page.wait_for_selector(".card.chosen")
            page.evaluate("document.getElementById('toasts').replaceChildren()")
            _take(page, folder / "page.png")
            _play_until(page, "#result")
            page.click("#review")
            page.wait_for_selector(".alternatives", timeout=120_000)
            slider = page.locator("#review-at")
            slider.evaluate("it => { it.value = 60; it.dispatchEvent(new Event('change')); }")
            page.wait_for_function("document.querySelector('.count').textContent.startsWith('60/')")
            _take(page, folder / "page_replay.png")
        with page_of(browser, PHONE, "zh") as page:
            _open(page, address, lobby, _ON_PHONE, 4)
            _play_until(page, "#play", tricks=3)
            _take(page, folder / "page_phone.png")


if __name__ == "__main__":
    with browsing() as found:
        take_all(found, Path(sys.argv[1]))

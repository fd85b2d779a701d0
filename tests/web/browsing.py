"""A real browser without a screen, and what a player does in it by clicks."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


def chromium() -> str | None:
    """The browser's program, if there is one."""
    return CHROMIUM if os.path.exists(CHROMIUM) else shutil.which("chromium")


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def page_of(
    browser: Browser,
    size: dict[str, int],
    language: str = "en",
    touch: bool = False,
    strict: bool = False,
) -> Iterator[Page]:
    """A page in a window of this size; errors in its console fail.

    strict: keep the page's security policy, under which tests cannot run scripts in it.
    """
    context = browser.new_context(
        bypass_csp=not strict,
        viewport=size,
        has_touch=touch,
        locale="zh-CN" if language == "zh" else "en-GB",
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    try:
        yield page
    finally:
        context.close()
        assert not errors, errors


def open_table(page: Page, address: str, **wish: object) -> None:
    """Open a table from the lobby, sitting at the first seat."""
    page.goto(address)
    page.wait_for_selector("#rules")
    for field in ("rules", "episode", "pace"):
        if field in wish:
            page.select_option(f"#{field}", str(wish[field]))
    page.click("#open")
    page.wait_for_selector(".table")


def act(page: Page) -> str:
    """Do what the table asks of this player, by clicks; returns what it was."""
    if page.locator("#result").count():
        return "done"
    if page.locator("#pass:not(.on)").count():
        page.click("#pass:not(.on)")
        return "pass"
    if page.locator(".call-grid .card").count():
        page.locator(".call-grid .card").first.click()
        page.locator(".copy").first.click()
        return "call"
    if page.locator("#play").count():
        return _play(page)
    page.wait_for_timeout(100)
    return "wait"


def _play(page: Page) -> str:
    """Pick cards that may be added until the selection is a legal play, and play it."""
    for _ in range(60):
        if page.locator("#play.primary").count():
            page.locator("#play.primary").click()
            page.wait_for_timeout(60)
            return "play"
        cards = page.locator(".hand .card:not(.dim):not(.chosen)")
        if not cards.count():
            page.wait_for_timeout(50)
            return "wait"
        before = page.locator(".hand .card.chosen").count()
        cards.last.click(position={"x": 8, "y": 12})
        page.wait_for_timeout(80)
        if page.locator(".hand .card.chosen").count() <= before:
            return "wait"
    return "stuck"

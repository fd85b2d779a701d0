"""The page in a real browser: a deal played by clicks, in both languages, and on a phone."""

import os

import pytest

from tests.web.serving import serving

if os.environ.get("CI", "false") == "false":
    pytest.importorskip("playwright", reason="playwright is not installed")

from agents.play.lobby import Offer
from tests.web.browsing import DESKTOP, PHONE, act, browsing, chromium, open_table, page_of
from tests.web.clients import make_table, play_deal
from tuolaji_env.record import Record

if chromium() is None and os.environ.get("CI", "false") == "false":
    pytest.skip("there is no Chromium: apt-get install chromium", allow_module_level=True)

#: Things that would lie outside the window, or on top of one another.
_MISPLACED = """() => {
  const wide = document.documentElement.clientWidth, high = window.innerHeight, wrong = [];
  for (const box of document.querySelectorAll(".chip, .played, .panel, .actions, .hand .card")) {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    if (left < -1 || right > wide + 1 || top < -1 || bottom > high + 1) wrong.push(box.className);
  }
  const chips = [...document.querySelectorAll(".chip")].map((box) => box.getBoundingClientRect());
  const beside = (a, b) => a.left < b.right && b.left < a.right;
  const level = (a, b) => a.top < b.bottom && b.top < a.bottom;
  chips.forEach((a, i) => chips.slice(i + 1).forEach((b) => {
    if (beside(a, b) && level(a, b)) wrong.push("chips overlap");
  }));
  return wrong;
}"""


@pytest.fixture(scope="module")
def browser():
    with browsing() as found:
        yield found


@pytest.fixture(scope="module")
def address():
    with serving() as (found, _):
        yield found


def misplaced(page):
    return page.evaluate(_MISPLACED)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "size", "language"),
    [
        ("one_deck", DESKTOP, "en"),
        ("one_deck", PHONE, "zh"),
        ("find_friends_5", PHONE, "en"),
        ("chaodipi_2", DESKTOP, "zh"),
        ("nanning", PHONE, "en"),
    ],
)
def test_a_deal_is_played_by_clicks(browser, address, preset, size, language):
    with page_of(browser, size, language, touch=size is PHONE) as page:
        open_table(page, address, rules=preset, pace="fast", episode="deal")
        done = set()
        for _ in range(3000):
            done.add(act(page))
            assert not misplaced(page)
            if "done" in done:
                break
        assert {"play", "done"} <= done
        assert "stuck" not in done
        words = page.inner_text("#result")
        assert ("分" in words) == (language == "zh")
        page.click("#review")
        page.wait_for_selector(".alternatives, .open-hands", timeout=120_000)
        page.click("#review-on")
        page.wait_for_function("document.querySelector('.count').textContent.startsWith('1/')")
        page.click("#leave-review")
        page.click("#next")
        page.wait_for_selector("#result", state="detached")


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("preset", ["find_friends_7x4", "six_player", "guigang"])
def test_seven_seats_and_four_decks_have_room(browser, address, preset, size):
    with page_of(browser, size) as page:
        open_table(page, address, rules=preset, pace="fast")
        page.click("#auto")
        for _ in range(25):
            page.wait_for_timeout(400)
            assert not misplaced(page)


@pytest.mark.slow
def test_an_illegal_wish_is_explained_and_a_play_suggested(browser, address):
    with page_of(browser, DESKTOP) as page:
        open_table(page, address, rules="competition", pace="fast")
        while not page.locator("#play").count():
            act(page)
        page.evaluate("document.querySelector('#clear').click()")
        page.click("#play")
        page.wait_for_selector(".toast.bad")
        assert "(R" in page.inner_text(".toast.bad")
        page.click("#suggest")
        page.wait_for_selector("#play.primary")
        page.click("#play.primary")
        page.wait_for_function("!document.querySelector('#play.primary')")


@pytest.mark.slow
def test_a_second_person_by_link_a_reload_and_the_bot(browser, address):
    with page_of(browser, DESKTOP) as page, page_of(browser, PHONE) as other:
        page.goto(address)
        page.wait_for_selector("#rules")
        page.fill("#name", "Ann")
        page.select_option("#pace", "fast")
        page.locator(".seat-choice").nth(2).select_option("human")
        page.click("#open")
        page.wait_for_selector(".table")
        page.click("#invite")
        links = page.locator(".link input")
        other.goto(links.nth(0).input_value())
        other.wait_for_selector(".table.seated")
        assert "Ann" in other.inner_text(".felt")
        page.click("dialog .close")
        page.reload()
        page.wait_for_selector(".table.seated")
        page.click("#auto")
        page.wait_for_selector("#auto.on")
        page.click("#auto")
        page.wait_for_selector("#auto:not(.on)")
        other.click("#language")
        other.wait_for_function("document.querySelector('#auto').textContent.includes('托管')")


@pytest.mark.slow
def test_a_record_is_replayed(browser, tmp_path):
    table, _ = make_table("find_friends_5", people=0, seed=2)
    play_deal(table)
    Record.of(table.game).save(tmp_path / "arena" / "five.txt")
    with (
        serving(
            Offer(records=tmp_path, agents=("heuristic",), valuers=("search:worlds=2", "search"))
        ) as (address, _),
        page_of(browser, PHONE, "zh") as page,
    ):
        page.goto(address)
        page.click("#records")
        page.click("text=five.txt")
        page.wait_for_selector(".alternatives")
        assert page.locator(".open-hand").count() == 5
        steps = page.locator("#review-at").get_attribute("max")
        page.click("#review-on")
        page.wait_for_function("document.querySelector('.count').textContent.startsWith('1/')")
        assert page.inner_text(".count") == f"1/{steps}"
        assert not misplaced(page)
        page.select_option("#valuer", "search")
        page.wait_for_function("document.querySelector('#valuer').value === 'search'")
        assert not misplaced(page)
        page.click("#leave-review")
        page.wait_for_selector(".records")


@pytest.mark.slow
def test_who_looks_on_has_no_hand_and_the_policy_is_kept(browser, address):
    with page_of(browser, PHONE, strict=True) as page:
        page.goto(address)
        page.wait_for_selector("#rules")
        page.locator(".seat-choice").nth(0).select_option("greedy")
        page.select_option("#pace", "fast")
        page.click("#open")
        page.wait_for_selector(".table.watching")
        page.wait_for_selector(".played .card", timeout=60_000)
        assert not page.locator(".hand").count()

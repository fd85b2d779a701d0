"""Pictures of the table: all modes, nothing hidden, nothing clipped or covered, the same bytes."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageChops

import tuolaji_env
from tuolaji_env import Game, Record, testing
from tuolaji_env.games import GameBatch, game_seeds
from tuolaji_env.record import RecordError
from tuolaji_env.recordcommand import main
from tuolaji_env.render import Screen, image, lettering
from tuolaji_env.render.cardart import back, face, suit_mask
from tuolaji_env.render.film import frames, save_film
from tuolaji_env.render.html import game_html
from tuolaji_env.render.layout import (
    HEADER,
    HEIGHT,
    INDEX,
    KITTY,
    MIDDLE,
    ROW,
    SIDEBAR,
    TALL,
    WIDTH,
    Box,
    places,
    spread,
)
from tuolaji_env.render.scene import scene

PRESETS = ("two_deck", "nanning", "find_friends_7x4", "chaodipi_3", "six_player", "henan")


def moments(rules, seed=0, every=60):
    """A random deal, and copies of it on the way."""
    game, rng = Game(rules, seed, episode="deal"), np.random.default_rng(seed)
    found = []
    while not game.is_over:
        game.do(int(testing.random_actions(game.action_mask()[None], rng)[0]))
        if rng.random() < (0.3 if game.phase == "bid" else 1 / every):
            found.append(game.copy())
    return [*found, game]


# --- what is shown ----------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_pictures_of_hidden_twins_are_the_same(preset):
    rng = np.random.default_rng(1)
    compared = 0
    for game in moments(preset, 1, 12):
        for viewer in rng.choice(game.rules.players, 2, replace=False):
            viewer = int(viewer)
            seen, text = scene(game, viewer), game.render(viewer)
            for what, twin in testing.hidden_twins(game.batch, viewer, rng):
                other = game.copy()
                other._records = twin.records
                assert scene(other, viewer) == seen, what
                assert other.render(viewer) == text, what
                assert game_html(other, viewer) == game_html(game, viewer), what
                if compared % 16 == 0:
                    pictures = [image(each, viewer, scale=0.3) for each in (game, other)]
                    assert pictures[0].tobytes() == pictures[1].tobytes(), what
                compared += 1
    assert compared > 30


def test_a_seat_sees_its_own_cards_and_the_backs_of_the_others():
    game = next(g for g in moments("two_deck", 3) if g.phase == "follow")
    seen, whole = scene(game, 1), scene(game)
    assert [chair.hand is None for chair in seen.chairs] == [True, False, True, True]
    for chair in whole.chairs:
        assert sorted(sum(chair.hand, ())) == list(game.hand(chair.seat))
        assert chair.held == len(game.hand(chair.seat))
    assert seen.chairs[1].hand == whole.chairs[1].hand
    assert (seen.kitty is None) != (int(game.record["burier"]) == 1)
    assert image(game, 1, scale=0.3).tobytes() != image(game, scale=0.3).tobytes()


def test_hands_begin_with_the_highest_trump():
    game = Game.from_position(
        "level 5; trump ♥; declarer 0; leader 1; hands ♠5A♥23★☆ | ♠KQJ♥467 | ♣2345♦67 | ♠2346♦89"
    )
    hands = [chair.hand for chair in scene(game).chairs]
    assert "★☆♠5♥32  ♠A" in game.render()
    assert [len(group) for group in hands[0]] == [5, 1]


def test_the_last_trick_stays_until_the_next_lead():
    game, rng = Game("two_deck", 2, episode="deal"), np.random.default_rng(2)
    while not (game.phase == "lead" and int(game.record["tricks"]) == 2 and not game.partial):
        game.do(int(testing.random_actions(game.action_mask()[None], rng)[0]))
    chairs = scene(game).chairs
    assert all(chair.played for chair in chairs)
    assert [chair.seat for chair in chairs if chair.wins] == [game.seat]
    game.play(game.legal_plays(1)[0])
    assert [chair.seat for chair in scene(game).chairs if chair.played] == [
        int(game.record["leader"])
    ]


def test_secret_bids_are_backs():
    game, rng = Game("nanning", 0, episode="deal"), np.random.default_rng(0)
    while int(game.record["bid_seat"]) < 0:
        game.do(int(testing.random_actions(game.action_mask()[None], rng)[0]))
    bidder = int(game.record["bid_seat"])
    own, other = scene(game, bidder), scene(game, (bidder + 1) % 4)
    assert own.chairs[bidder].played == own.bid != ()
    assert other.chairs[bidder].played == other.bid == ()
    assert other.chairs[bidder].secret == len(own.bid)
    assert other.trump == ""


# --- where things are -------------------------------------------------------------------------


def apart(a: Box, b: Box) -> bool:
    return a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y


@pytest.mark.parametrize("players", [4, 5, 6, 7])
def test_boxes_are_apart_and_on_the_table(players):
    boxes = [box for p in places(players) for box in (p.plate, p.hand, p.play)]
    boxes += [MIDDLE, KITTY, SIDEBAR]
    for box in boxes:
        assert box.x >= 12
        assert box.y >= HEADER + 10
        assert box.x + box.w <= WIDTH - 12
        assert box.y + box.h <= HEIGHT - 10
    for a, b in combinations(boxes, 2):
        assert apart(a, b), (a, b)


@pytest.mark.parametrize("box", [places(4)[0].hand, places(4)[1].hand, places(4)[1].play, KITTY])
def test_every_card_fits_and_its_index_is_in_sight(box):
    rng = np.random.default_rng(0)
    for count in [*range(1, 60), 75, 108, 129]:
        cuts = np.sort(rng.choice(count, min(count, 5), replace=False))
        sizes = tuple(int(n) for n in np.diff([0, *cuts, count]) if n)
        laid = spread(sizes, box, 88, lift=0.16)
        assert len(laid.corners) == count
        for x, y in laid.corners:
            assert x >= box.x - 1e-6
            assert x + laid.width <= box.x + box.w + 1e-6
            assert y >= box.y + 0.16 * laid.width - 1e-6
            assert y + laid.width * TALL <= box.y + box.h + 1e-6
        for (x, y), (further, below) in zip(laid.corners, laid.corners[1:], strict=False):
            if below == y:
                assert further - x >= INDEX * laid.width - 1e-6
            else:
                assert below - y >= ROW * laid.width - 1e-6
        if count <= 54:
            assert laid.width >= 18


def test_cards_are_told_apart():
    faces = [face(kind, 64, False) for kind in range(54)] + [back(64)]
    for a, b in combinations(faces, 2):
        assert ImageChops.difference(a, b).getbbox() is not None
        strip = (0, 0, int(64 * INDEX), int(64 * ROW))
        assert ImageChops.difference(a.crop(strip), b.crop(strip)).getbbox() is not None
    for suit in range(4):
        mask = np.asarray(suit_mask(suit, 64))
        assert 0.2 < (mask > 127).mean() < 0.75
        assert abs(int(mask[:, :32].sum()) - int(mask[:, 32:].sum())) < 0.02 * mask.sum()


@pytest.mark.parametrize("preset", tuolaji_env.preset_names())
def test_every_preset_is_drawn_and_the_bytes_are_the_same(preset):
    for game in moments(preset, 4, 120)[-2:]:
        first, again = image(game, 0, scale=0.25), image(game, 0, scale=0.25)
        assert first.size == (300, 220)
        assert first.tobytes() == again.tobytes()


def test_long_names_are_cut_and_odd_ones_drawn():
    game = moments("two_deck", 3)[-2]
    plain = image(game, 0)
    named = image(game, 0, ["Maximiliana of Somewhere " * 5, "", "张三", "<b>&"])
    assert plain.size == named.size == (WIDTH, HEIGHT)
    assert plain.tobytes() != named.tobytes()


def test_names_in_other_scripts_are_drawn_or_replaced_by_the_seat_never_boxes(monkeypatch):
    game = moments("two_deck", 3)[-2]

    def drawn(*names):
        return image(game, 0, list(names), 0.5).tobytes()

    def forget():
        for memory in (lettering._face, lettering._has, lettering._nothing, lettering._sized):
            memory.cache_clear()

    try:
        nameless = drawn("seat 0", "seat 1", "seat 2", "seat 3")
        assert drawn("seat 0", "\U0010fffe", "seat 2", "seat 3") == nameless  # no font has it
        same = drawn("张三", "b", "c", "d") == drawn("seat 0", "b", "c", "d")
        assert same != lettering.readable("张三")
        assert lettering.readable("Zoë 10")
        forget()
        monkeypatch.setattr(lettering, "_FILES", (("no such font.ttf", 0),))
        assert not lettering.readable("张三")
        assert drawn("张三", "李四", "王五", "赵六") == nameless
    finally:
        forget()


# --- modes ------------------------------------------------------------------------------------


def test_rgb_arrays_of_both_faces():
    env = tuolaji_env.env(render_mode="rgb_array", viewer=2)
    env.reset(seed=1)
    picture = env.render()
    assert (picture.shape, picture.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
    assert np.array_equal(picture, np.asarray(image(env.unwrapped.game, 2)))
    single = tuolaji_env.TuolajiEnv(render_mode="rgb_array", seat=3)
    single.reset(seed=1)
    assert np.array_equal(single.render(), np.asarray(image(single.game, 3)))
    whole = tuolaji_env.TuolajiEnv(render_mode="ansi", seat=3, viewer=None)
    whole.reset(seed=1)
    assert whole.render() == whole.game.render()


def test_human_mode_prints_where_there_is_no_display(capsys, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    env = tuolaji_env.TuolajiEnv(render_mode="human", seat=0)
    env.reset(seed=1)
    env.step(env.game.legal_actions()[0])
    assert capsys.readouterr().out.strip() == env.game.render(0).strip()
    assert env.render() is None
    env.close()


def test_human_mode_shows_a_window(monkeypatch, capsys):
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = tuolaji_env.env(render_mode="human", viewer=1)
    env.reset(seed=1)
    assert env.render() is None
    game = env.unwrapped.game
    shown = pygame.image.tobytes(pygame.display.get_surface(), "RGB")
    assert shown == image(game, 1).tobytes()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.render()
    env.render()  # the user has closed the window: nothing more is shown
    assert not pygame.display.get_init()
    env.close()
    env.render()
    assert pygame.display.get_init()
    env.close()
    assert capsys.readouterr().out == ""


def test_refusals():
    with pytest.raises(ValueError, match="render_mode: 'film' is not known; allowed: ansi, human"):
        tuolaji_env.raw_env(render_mode="film")
    with pytest.raises(ValueError, match="viewer: 4 given; allowed: 0 to 3, or None"):
        tuolaji_env.raw_env(viewer=4)
    with pytest.raises(ValueError, match="viewer: 'me' given; allowed: 0 to 3, or None"):
        tuolaji_env.TuolajiEnv(viewer="me")
    game = Game("one_deck", 1)
    with pytest.raises(ValueError, match="viewer: 9 given"):
        image(game, 9)
    with pytest.raises(ValueError, match="scale: 9 given"):
        game.image(scale=9)
    with pytest.raises(ValueError, match="names: 2 given; allowed: 4"):
        image(game, None, ["a", "b"])
    assert Screen(None).show(game, None) is None


WITHOUT_PILLOW = """
import sys
sys.modules["PIL"] = None
import tuolaji_env
from tuolaji_env.recordcommand import main
env = tuolaji_env.TuolajiEnv(render_mode="human", seat=0)
env.reset(seed=1)
env.step(env.game.legal_actions()[0])
print(env.game._repr_html_()[:4])
env.game.to_record().save(sys.argv[1])
assert main(["gif", sys.argv[1], sys.argv[1] + ".gif"]) == 2
try:
    env.game.image()
except ModuleNotFoundError as error:
    print(error)
"""


def test_without_pillow_only_pictures_are_missing(tmp_path):
    command = [sys.executable, "-c", WITHOUT_PILLOW, str(tmp_path / "game.txt")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    needed = "pictures need Pillow: pip install 'tuolaji-env[render]'"
    assert needed in done.stdout
    assert needed in done.stderr
    assert "two_deck: level" in done.stdout


# --- films and notebooks ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def record() -> Record:
    return moments("one_deck", 6)[-1].to_record(["<i>Ann", "Bob", "Cleo", "Dan"])


def test_gif_command(record, tmp_path, capsys):
    file, film = tmp_path / "game.txt", tmp_path / "game.gif"
    record.save(file)
    assert main(["gif", str(file), str(film), "--viewer", "1", "--scale", "0.25"]) == 0
    with Image.open(film) as shown:
        assert shown.size == (300, 220)
        decisions = record.deals[0].decisions
        made = 1 + sum(decision.play != "-" for decision in decisions)
        assert made / 2 < shown.n_frames <= made  # equal pictures are shown longer
        shown.seek(shown.n_frames - 1)
        assert shown.info["duration"] >= 5000
    assert main(["gif", str(file), str(film), "--deal", "2"]) == 2
    assert "deal: 1 given" in capsys.readouterr().err
    with pytest.raises(ValueError, match="colors: 2 given"):
        save_film(record, film, colors=2)


def test_films_of_a_viewer_show_only_what_it_may_see(record):
    pictures = [picture for picture, _ in frames(record, 0, 1, 0.25)]
    moment = next(m for m in record.replay() if m.game.phase == "follow")
    assert image(moment.game, 1, record.seats, 0.25).tobytes() in [p.tobytes() for p in pictures]


def test_html_is_one_piece_with_names_escaped(record):
    html = record._repr_html_()
    assert "&lt;i&gt;Ann" in html
    assert "<i>" not in html
    assert html.count("<div") == html.count("</div>")
    assert html.count("<table>") == html.count("</table>")
    assert "src=" not in html
    assert "http" not in html
    for decision in record.deals[0].decisions:
        if decision.phase == "play":
            assert decision.play[0] in html
    game = moments("two_deck", 3)[0]
    assert game._repr_html_().count("<span") > sum(map(len, map(game.hand, range(4))))


def test_html_tells_what_was_thrown_in_vain():
    rules = tuolaji_env.load_rules({"preset": "two_deck", "throw_penalty_points": 30})
    record = moments(rules, 3)[-1].to_record()
    failed = [d for d in record.deals[0].decisions if d.failed]
    html = record._repr_html_()
    assert failed
    assert html.count("failed throw of") == html.count("−30 points") == len(failed)


def test_html_of_a_long_match_stays_short():
    games = GameBatch("one_deck", 1)
    games.begin(game_seeds(1, 1))
    game, rng = Game("one_deck", 1), np.random.default_rng(0)
    for _ in range(8):
        while not game.is_over:
            game.do(int(testing.random_actions(game.action_mask()[None], rng)[0]))
        game.next_deal()
    html = game.to_record()._repr_html_()
    assert html.count("<details") == 3
    assert "deal 8" in html


def test_html_of_a_wrong_record_says_so(record):
    wrong = record.model_copy(update={"seed": record.seed + 1})
    with pytest.raises(RecordError):
        wrong.verify()
    assert "does not verify" in wrong._repr_html_()


@pytest.mark.slow
def test_pictures_of_the_readme_are_made_by_their_command(tmp_path):
    root = Path(__file__).parents[2]
    script = root / "docs" / "pictures" / "make.py"
    subprocess.run([sys.executable, script, tmp_path], check=True, cwd=root)
    made = {path.name for path in tmp_path.iterdir()}
    kept = {path.name for path in script.parent.iterdir() if path.suffix in (".png", ".gif")}
    assert made == {name for name in kept if not name.startswith("page")}  # of the web page
    for name in made:
        with Image.open(tmp_path / name) as new, Image.open(script.parent / name) as old:
            assert new.size == old.size
    assert (script.parent / "deal.gif").stat().st_size < 1_500_000

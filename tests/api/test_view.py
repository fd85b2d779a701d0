"""`View` and its worlds: nothing hidden gets in, what is known is kept, deals are alike likely."""

from collections import Counter
from itertools import combinations
from math import factorial, prod

import numpy as np
import pytest

from tests.oracle.follow import is_legal_follow
from tests.oracle.lead import beaten_units
from tests.oracle.order import Order
from tests.oracle.shapes import decompose
from tuolaji_env.core.facts import FACTS
from tuolaji_env.core.hidden import HIDDEN
from tuolaji_env.core.jit import COMPILED
from tuolaji_env.core.record import BID, BURY, END, LEAD, OVER, new_games
from tuolaji_env.core.worlds import sample_worlds
from tuolaji_env.games import GameBatch, cards_in
from tuolaji_env.observe import Layout
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import load_rules, preset_names
from tuolaji_env.setup import planes_of
from tuolaji_env.testing import hidden_twins, same_game
from tuolaji_env.view import View, determinize


def played_on(rules, seed, left=None, steps=0, chance=0.3, policy="greedy"):
    """A game played on until so many tricks (cards in a hand) are left, or for some steps."""
    games = GameBatch(rules, 1)
    games.begin(seed)
    rng = np.random.default_rng(seed)
    rows, s = np.arange(1), games.records[0]
    count = 0
    while s["phase"] != OVER:
        leads = s["phase"] == LEAD and s["picked"] == 0
        if left is not None and leads and max(s["held"][: rules.players]) <= left:
            break
        if left is None and count >= steps:
            break
        player = PolicyPlayer("random", seed) if rng.random() < chance else PolicyPlayer(policy)
        games.step(player.act(games, rows), rows)
        count += 1
    return games


def order_of(rules, s):
    trump = int(s["trump"])
    level = int(s["level_rank"])
    return Order(rules, None if level == 13 else level, None if trump == 4 else trump)


def bound(view, seat):
    """Copies that a seat must hold, and those that it must hold or have buried."""
    s = view.record
    gone = Counter(cards_in(s["played"][seat])) + Counter(cards_in(s["trick"][seat]))
    held = Counter(view.exposed(seat))
    told = Counter(view.shown(seat))
    if int(s["burier"]) == seat and not view.bids:
        told |= Counter(cards_in(s["flipped"]))
    if int(s["parted"]) >> seat & 1:
        # what was shown before an earlier burial may have been buried in it, and found by another
        told = Counter()
        for bidder, card in reversed(view.bids if int(s["burier"]) == seat else ()):
            if bidder != seat:
                break
            told[card] += 1
        told &= Counter(view.shown(seat))
    told -= gone
    if int(s["burier"]) == seat:
        return held, held | told
    return held | told, held | told


def contradictions(view, hands, kitty):
    """Why hands (by seat) and kitty cannot be, by the oracle: an empty list if they can."""
    rules, s = view.rules, view.record
    order, wrong = order_of(rules, s), []
    others = [seat for seat in range(rules.players) if seat != view.seat]
    for seat in others:
        if len(hands[seat]) != view.held(seat):
            wrong.append(f"seat {seat} holds {len(hands[seat])}")
        if {order.suit[k] for k in hands[seat]} & view.voids(seat):
            wrong.append(f"seat {seat} has a suit that he lacks")
        held, somewhere = bound(view, seat)
        buried = kitty if int(s["burier"]) == seat else []
        if held - Counter(hands[seat]) or somewhere - Counter(hands[seat]) - Counter(buried):
            wrong.append(f"seat {seat} lacks what he must have")
    then = {seat: list(cards) for seat, cards in hands.items()}
    for trick in reversed(view.tricks):
        for seat, cards in trick.plays:
            then[seat] = then[seat] + list(cards)
        lead = trick.plays[0][1]
        if len(lead) == 1 and not trick.failed:
            continue  # nothing but voids
        for seat, cards in trick.plays[1:]:
            if seat != view.seat and not is_legal_follow(rules, order, lead, then[seat], cards):
                wrong.append(f"seat {seat} could not follow {lead} by {cards}")
        rivals = [then[seat] for seat in range(rules.players) if seat != trick.leader]
        if (len(decompose(order, lead)) > 1 or trick.failed) and (
            bool(beaten_units(order, lead, rivals)) != trick.failed
        ):
            wrong.append(f"the throw {lead} could not have come out so")
    return wrong


def sets_of(view, record):
    """Hands by seat and kitty of a record, as lists."""
    hands = {p: cards_in(record["hand"][p]) for p in range(view.rules.players)}
    return hands, cards_in(record["kitty"])


def deals_of(view):
    """All ways to deal the unseen kinds: (weight in physical cards, hands, kitty)."""
    others = [p for p in range(view.rules.players) if p != view.seat]
    sizes = [view.held(p) for p in others]
    unseen = Counter(view.unseen)
    knows = view.kitty is not None
    own = list(view.hand)

    def go(i, left):
        if i == len(others):
            yield [sorted(left.elements())]
            return
        for part in {*combinations(sorted(left.elements()), sizes[i])}:
            for rest in go(i + 1, left - Counter(part)):
                yield [list(part), *rest]

    for parts in go(0, unseen):
        kitty = list(view.kitty) if knows else parts[-1]
        hands = dict(zip(others, parts, strict=False)) | {view.seat: own}
        ways = prod(factorial(n) for n in unseen.values())
        for part in parts:
            ways //= prod(factorial(n) for n in Counter(part).values())
        yield ways, hands, kitty


def chi_square_z(view, samples, seed):
    """Standard score of a chi-square test of uniformity; None where only one deal is possible."""
    weights, seats = {}, range(view.rules.players)
    for ways, hands, kitty in deals_of(view):
        if not contradictions(view, hands, kitty):
            planes = [planes_of(cards) for cards in (*(hands[p] for p in seats), kitty)]
            weights[np.array(planes).tobytes()] = ways
    worlds = view.worlds(samples, seed)
    assert worlds.clean == samples
    seen = Counter()
    for record in worlds.records:
        seen[record["hand"][: len(seats)].tobytes() + record["kitty"].tobytes()] += 1
    assert set(seen) <= set(weights)
    if len(weights) == 1:
        return None
    total = sum(weights.values())
    expected = {deal: samples * ways / total for deal, ways in weights.items()}
    # rare deals are counted together
    rare = [deal for deal in weights if expected[deal] < 5]
    cells = [(seen[deal], expected[deal]) for deal in weights if expected[deal] >= 5]
    if sum(expected[deal] for deal in rare) >= 5:
        cells.append((sum(seen[d] for d in rare), sum(expected[d] for d in rare)))
    chi = sum((n - e) ** 2 / e for n, e in cells)
    degrees = max(len(cells) - 1, 1)
    return (chi - degrees) / (2 * degrees) ** 0.5


@pytest.mark.parametrize("preset", ["two_deck", "one_deck", "find_friends_5", "nanning"])
def test_deals_are_equally_likely(preset):
    rules = load_rules(preset)
    rules = rules.replace(kitty=4) if preset == "two_deck" else rules
    scores = []
    for seed in range(60):
        games = played_on(rules, seed, left=1 + seed % 2)
        for seat in range(rules.players):
            view = View(games, 0, seat)
            if int(games.records["phase"][0]) == OVER or len(view.unseen) > 7:
                continue
            score = chi_square_z(view, 4000, seed)
            if score is not None:
                scores.append(score)
        if len(scores) >= 12:
            break
    assert len(scores) >= 8
    assert max(scores) < 5, scores
    assert abs(np.mean(scores)) < 4 / len(scores) ** 0.5, scores


def bites(view, cap):
    """Whether the unseen cards could break a cap on tuples."""
    order = order_of(view.rules, view.record)
    unseen = Counter(k for k in view.unseen if order.suit[k] == cap.suit)
    wide = sum(n >= cap.width for n in unseen.values())
    return cap.seat != view.seat and 0 <= cap.tuples < wide and view.held(cap.seat) >= cap.width


def causes(view):
    """All that rules out deals, by itself: words of `contradictions`."""
    words = ("a suit that he lacks", "lacks what he must have", "could not follow")
    found = set()
    for _, hands, kitty in deals_of(view):
        wrong = contradictions(view, hands, kitty)
        named = {word for word in words for each in wrong if word in each}
        found |= named if len(named) == 1 else set()
    return found


@pytest.mark.parametrize(("preset", "first"), [("two_deck", 140), ("guangzhou", 130)])
def test_deals_are_equally_likely_where_voids_caps_and_exposed_cards_coincide(preset, first):
    rules, scores, together = load_rules(preset), [], set()
    for seed in range(first, first + 600):
        games = played_on(rules, seed, left=2, chance=0.7)
        for seat in range(4 if int(games.records["phase"][0]) != OVER else 0):
            view = View(games, 0, seat)
            others = [p for p in range(4) if p != seat]
            if len(view.unseen) > 8 or not any(bites(view, cap) for cap in view.caps):
                continue
            if not any(map(view.voids, others)) or not any(map(view.exposed, others)):
                continue
            score = chi_square_z(view, 4000, seed)
            if score is not None:
                scores.append(score)
                together |= causes(view)
        if len(scores) >= 4 and len(together) == 3:
            break
    assert len(scores) >= 4
    assert len(together) == 3, together
    assert max(scores) < 5, scores


@pytest.mark.parametrize("preset", preset_names())
def test_worlds_agree_with_everything_known(preset):
    rules = load_rules(preset)
    layout = Layout(rules)
    clean = 0
    for seed in range(14):
        games = played_on(rules, seed, steps=15 * seed)
        s = games.records[0]
        if s["phase"] == OVER:
            continue
        seat = int(s["seat"])
        view = View(games, 0, seat)
        seats = np.array([seat])
        row, mask = games.observe(layout, seats=seats), int(s["mask"])
        worlds = view.worlds(5, seed)
        clean += worlds.clean
        other = GameBatch(rules, 1)
        for record in worlds.records:
            other.records[0] = record
            assert np.array_equal(other.observe(layout, seats=seats), row)
            assert int(record["mask"]) == mask
            hands, kitty = sets_of(view, record)
            if s["phase"] >= LEAD and worlds.clean == 5:
                assert contradictions(view, hands, kitty) == []
            assert Counter(view.unseen) == hidden_in(view, record)
            play_through(other)
    assert clean > 0


def hidden_in(view, record):
    """What the viewer cannot see of a record."""
    hands, kitty = sets_of(view, record)
    out = Counter(k for p, cards in hands.items() if p != view.seat for k in cards)
    if view.record["phase"] == BID and int(view.record["burier"]) < 0:
        return out + Counter(record["deck"][int(record["drawn"]) : view.rules.deck_size].tolist())
    if view.kitty is None and view.record["phase"] != BURY:
        out += Counter(kitty)
    return out


def must_lie(games, seat):
    """What the sampler deals to everybody, by seat (-1: the kitty), and to burier or kitty."""
    hidden, facts = np.zeros(1, HIDDEN), np.zeros(1, FACTS)
    arguments = (games.table, games.records, 0, seat, hidden, facts, new_games(1))
    assert sample_worlds(*arguments, 0, 1, new_games(1))[0] == 1
    h = hidden[0]
    fixed = {int(h["seat"][i]): Counter(cards_in(h["fixed"][i])) for i in range(h["holders"])}
    return fixed, Counter(cards_in(h["loose"]))


def choose(games, rng):
    """An action: bids are late, so that the kitty goes round, and as low as they can be."""
    s = games.records[0]
    if s["phase"] != BID:
        return PolicyPlayer("random", int(rng.integers(1 << 30))).act(games, np.arange(1))
    mask, passes = int(s["mask"]), 0.2 if s["rebidding"] else 0.99
    if mask >> END & 1 and (s["picked"] or rng.random() < passes):
        return np.array([END])
    return np.array([rng.choice([a for a in range(63) if a != END and mask >> a & 1])])


def check_truth(games):
    """The true cards are possible for whoever may ask; returns whether something is passed on."""
    s = games.records[0]
    burier, passed_on = int(s["burier"]), False
    for seat in range(4) if s["phase"] != BID else [int(s["seat"])]:
        view = View(games, 0, seat)
        hands, kitty = sets_of(view, s)
        assert contradictions(view, hands, kitty) == []
        fixed, loose = must_lie(games, seat)
        assert all(fixed[p] <= Counter(hands[p] if p >= 0 else kitty) for p in fixed)
        own = Counter(hands[burier] + kitty)
        assert loose <= own - fixed.get(burier, Counter())
        gone = cards_in(s["played"][burier]) + cards_in(s["trick"][burier])
        passed_on |= seat != burier and not Counter(view.shown(burier)) <= own + Counter(gone)
    return passed_on


@pytest.mark.skipif(not COMPILED, reason="needs the compiler")
@pytest.mark.parametrize(
    "preset", [name for name in preset_names() if load_rules(name).rebid_after_bury]
)
def test_the_true_cards_are_possible_where_the_kitty_goes_round(preset):
    again, passed_on = 0, 0
    for seed in range(160):
        games, rng, buriers, plays = (
            GameBatch(load_rules(preset), 1),
            np.random.default_rng(seed),
            [],
            0,
        )
        games.begin(seed)
        s = games.records[0]
        while s["phase"] != OVER and plays < 40:
            if s["burier"] >= 0 and buriers[-1:] != [s["burier"]]:
                buriers.append(int(s["burier"]))
            assert int(s["parted"]) == sum(1 << p for p in set(buriers[:-1]))
            comes_back = len(set(buriers)) < len(buriers)
            if s["phase"] >= LEAD and not comes_back and seed % 20:
                break
            if comes_back or (seed % 20 == 0 and buriers):
                passed_on += check_truth(games)
            games.step(choose(games, rng), np.arange(1))
            plays += s["phase"] >= LEAD
        again += comes_back
    assert again
    assert passed_on or preset == "chaodipi_2"


def play_through(games):
    """Play a world to its end at random; every card is played once."""
    player, rows = PolicyPlayer("random", 1), np.arange(1)
    while games.records["phase"][0] != OVER:
        games.step(player.act(games, rows), rows)
    s = games.records[0]
    if s["ended"] == 1:
        everything = Counter(cards_in(s["gone"])) + Counter(cards_in(s["kitty"]))
        assert set(everything.values()) == {games.rules.decks}


@pytest.mark.parametrize("preset", ["two_deck", "find_friends_5", "nanning", "chaodipi_2"])
def test_a_view_does_not_change_with_what_is_hidden(preset):
    rules = load_rules(preset)
    rng = np.random.default_rng(3)
    for seed in range(10):
        games = played_on(rules, seed, steps=int(rng.integers(160)))
        if games.records["phase"][0] == OVER:
            continue
        for seat in range(rules.players):
            view = View(games, 0, seat)
            for what, twin in hidden_twins(games, seat, rng):
                assert View(twin, 0, seat) == view, (what, seat)


def test_worlds_do_not_depend_on_how_many_are_made():
    games = played_on(load_rules("two_deck"), 3, steps=100)
    seat = int(games.records["seat"][0])
    few, many = determinize(games, 0, seat, 3, seed=9), determinize(games, 0, seat, 30, seed=9)
    assert same_game(few, many[:3])
    assert not same_game(few, determinize(games, 0, seat, 3, seed=10))


def test_worlds_for_a_seat_that_is_not_to_move_ask_the_mover_anew():
    games = played_on(load_rules("two_deck"), 5, steps=90)
    s = games.records[0]
    mover = int(s["seat"])
    for record in determinize(games, 0, (mover + 1) % 4, 20):
        assert record["seat"] == mover
        assert record["picked"] == 0
        assert int(record["mask"]) & ~int(record["hand"][mover][0]) == 0


def test_a_view_tells_the_course_of_play():
    games = played_on(load_rules("two_deck"), 2, steps=120)
    s = games.records[0]
    for seat in range(4):
        view = View(games, 0, seat)
        assert view.hand == tuple(cards_in(s["hand"][seat]))
        assert view.kitty == (tuple(cards_in(s["kitty"])) if s["burier"] == seat else None)
        for p in range(4):
            cards = [k for t in view.tricks for who, play in t.plays if who == p for k in play]
            both = cards_in(s["played"][p]) + cards_in(s["trick"][p])
            assert sorted(cards) == sorted(both)
            assert len(cards) + view.held(p) == 25
        assert view.bids
        assert len(view.unseen) == 108 - len(view.hand) - sum(
            len(play) for t in view.tricks for _, play in t.plays
        ) - len(view.kitty or ())


def test_caps_hold_for_the_hands_that_there_are():
    """A pair led and none played: no pair is left in the suit; the true hands never break a cap."""
    found = 0
    for seed in range(30):
        rules = load_rules("two_deck" if seed % 2 else "guangzhou")
        games = played_on(rules, seed, steps=60 + 3 * seed)
        s = games.records[0]
        if not LEAD <= s["phase"] < OVER:
            continue
        order = order_of(rules, s)
        view = View(games, 0, int(s["seat"]))
        for cap in view.caps:
            held = Counter(k for k in cards_in(s["hand"][cap.seat]) if order.suit[k] == cap.suit)
            wide = sum(n >= cap.width for n in held.values())
            assert cap.tuples < 0 or wide <= cap.tuples
            found += 1
    assert found > 5


def test_other_seats_bids_and_finished_deals_have_no_worlds():
    games = played_on(load_rules("two_deck"), 1, steps=0)
    assert games.records["phase"][0] == BID
    other = (int(games.records["seat"][0]) + 1) % 4
    with pytest.raises(ValueError, match="asked for bids"):
        View(games, 0, other).worlds(1)
    games = played_on(load_rules("two_deck"), 1, left=0)
    with pytest.raises(ValueError, match="over"):
        View(games, 0, 0).worlds(1)
    with pytest.raises(ValueError, match="seat: 4 given; allowed: 0 to 3"):
        View(games, 0, 4)

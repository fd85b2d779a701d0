"""How a game may begin otherwise than by lot: levels, declarer, deck, trump and kitty given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cards import NUM_KINDS
from .core import batch
from .core.record import new_games
from .games import GameBatch
from .notation import cards_text, parse_cards, parse_trump
from .rules import Rules

OPTIONS = ("levels", "declarer", "first_drawer", "deck", "trump", "kitty")


def begin(games: GameBatch, seed: int, episode: str, options: dict[str, Any]) -> None:
    """Begin the game of a batch of one; `Game.reset` says what the options mean."""
    if unknown := sorted(set(options) - {*OPTIONS}):
        raise ValueError(f"option {unknown[0]!r} is not known; allowed: {', '.join(OPTIONS)}")
    records, rules = games.records, games.rules
    batch.prepare(games.table, records, seed, episode == "match")
    record = records[0]
    if options.get("levels") is not None:
        _set_levels(record, rules, options["levels"])
    for option, field in (("declarer", "next_declarer"), ("first_drawer", "first_drawer")):
        if option in options:
            record[field] = seat_of(option, options[option], rules)
    if options.get("deck") is not None:
        _set_deck(games, options["deck"])
    if options.get("trump") is None:
        if options.get("kitty") is not None:
            raise ValueError("kitty: given without a trump; allowed: both or neither")
        batch.start(games.table, records)
    else:
        _deal_for_play(record, rules, options["trump"], options.get("kitty"))
        batch.start_from_lead(games.table, records, int(record["declarer"]))


def ladder_place(name: str, rules: Rules) -> int:
    """The place of a level on the ladder, from 0."""
    ladder: Sequence[str] = rules.ladder
    if name not in ladder:
        raise ValueError(f"levels: {name!r} is not on the ladder; allowed: {' '.join(ladder)}")
    return ladder.index(name)


def seat_of(option: str, seat: int | None, rules: Rules) -> int:
    """A seat as the core counts it: -1 for none."""
    if seat is None:
        return -1
    if not 0 <= seat < rules.players:
        raise ValueError(f"{option}: {seat} given; allowed: 0 to {rules.players - 1}, or None")
    return int(seat)


def _set_levels(record: Any, rules: Rules, given: Any) -> None:
    names = [given] * rules.players if isinstance(given, str | int) else list(given)
    if len(names) != rules.players:
        raise ValueError(f"levels: {len(names)} given; allowed: one, or {rules.players}")
    places = [ladder_place(str(name), rules) for name in names]
    if rules.teams == "fixed" and len({*places[::2]}) + len({*places[1::2]}) > 2:
        raise ValueError(
            f"levels: {names} given; allowed: one for each team (seats 0, 2, … and 1, 3, …)"
        )
    record["level"][: rules.players] = places


def _set_deck(games: GameBatch, deck: Any) -> None:
    record, rules = games.records[0], games.rules
    if isinstance(deck, int):
        other = new_games(1)
        batch.prepare(games.table, other, deck, True)
        record["deck"] = other["deck"][0]
        return
    if isinstance(deck, str):
        cards = [kind for word in deck.split() for kind in parse_cards(word)]
    else:
        cards = [int(kind) for kind in deck]
    kinds = NUM_KINDS if rules.jokers else NUM_KINDS - 2
    if sorted(cards) != sorted(list(range(kinds)) * rules.decks):
        raise ValueError(
            f"deck: {len(cards)} cards given; allowed: each of the {kinds} kinds "
            f"{rules.decks} times, in any order"
        )
    record["deck"][: rules.deck_size] = cards


def _deal_for_play(record: Any, rules: Rules, trump: Any, kitty: Any) -> None:
    """Deal all hands, and put the kitty down as given: the other hands stay as dealt."""
    declarer = int(record["next_declarer"])
    if declarer < 0:
        raise ValueError("trump: given without a declarer; allowed: with declarer=SEAT")
    first = int(record["first_drawer"])
    first = declarer if first < 0 else first
    deck = record["deck"][: rules.deck_size].tolist()
    dealt, players = rules.deck_size - rules.kitty, rules.players
    hands = [deck[(seat - first) % players : dealt : players] for seat in range(players)]
    buried = deck[dealt:]
    if kitty is not None:
        wanted = list(parse_cards(kitty) if isinstance(kitty, str) else kitty)
        pool = hands[declarer] + buried
        if len(wanted) != rules.kitty or any(wanted.count(k) > pool.count(k) for k in wanted):
            raise ValueError(
                f"kitty: {cards_text(wanted)} given; allowed: {rules.kitty} cards of "
                f"{cards_text(pool)}"
            )
        for kind in wanted:
            pool.remove(kind)
        hands[declarer], buried = pool, wanted
    for seat, cards in enumerate(hands):
        record["hand"][seat] = planes_of(cards)
    record["kitty"] = planes_of(buried)
    record["trump"] = parse_trump(trump) if isinstance(trump, str) else trump
    record["declarer"], record["first_drawer"] = declarer, first


def planes_of(cards: Iterable[int]) -> NDArray[np.int64]:
    """Cards as bit planes. [4] int64."""
    planes = np.zeros(4, np.int64)
    for kind in cards:
        place = next(j for j in range(4) if not int(planes[j]) >> kind & 1)
        planes[place] |= np.int64(1) << np.int64(kind)
    return planes

"""Why a wish at the table cannot be granted: the clause, and the numbers that go with it.

The codes are sentences in the language files (`static/lang`).
"""

from __future__ import annotations

from typing import Any

from tuolaji_env.cards import counts_of
from tuolaji_env.core.record import BURY, LEAD
from tuolaji_env.game import Game

from .choice import Choices
from .messages import Refused

_FOLLOW_CLAUSE = {"longest": "R6.3", "exact": "R6.4", "cards": "R6.4"}


def refusal(game: Game, choices: Choices, cards: list[int]) -> Refused | None:
    """Why the mover cannot bury, lead or follow with some cards; None if he can."""
    if choices.of(cards).whole:
        return None
    hand = counts_of(game.hand(game.seat))
    if (counts_of(cards) > hand).any():
        return Refused("not_held")
    phase = int(game.record["phase"])
    if phase == BURY:
        return Refused("bury_count", "R8.7", count=int(game.record["count"]), given=len(cards))
    if phase == LEAD:
        return _lead_refusal(game, cards)
    return _follow_refusal(game, choices, cards)


def _lead_refusal(game: Game, cards: list[int]) -> Refused:
    suits = _suits(game, cards)
    if not cards:
        return Refused("lead_nothing", "R5.1")
    if len(set(suits)) > 1:
        return Refused("lead_one_suit", "R5.1")
    if game.rules.throws == "off":
        return Refused("lead_one_unit", "R5.1")
    return Refused("lead_not_certain", "R5.2")


def _follow_refusal(game: Game, choices: Choices, cards: list[int]) -> Refused:
    s = game.record
    count, suit = int(s["count"]), int(s["suit"])
    held = _suits(game, list(game.hand(game.seat))).count(suit)
    played = _suits(game, cards).count(suit)
    if len(cards) != count:
        return Refused("follow_count", "R6.1", count=count, given=len(cards))
    if played < min(held, count):
        return Refused("follow_suit", "R6.1", suit=suit, count=min(held, count), given=played)
    clause = _FOLLOW_CLAUSE[game.rules.follow]
    return Refused("follow_pattern", clause, pattern=_pattern(s), example=choices.example())


def _pattern(s: Any) -> list[list[int]]:
    """The pieces that a follower owes, as (width, length)."""
    owed = s["owed"].tolist()
    tractors = [[owed[5 + 2 * t], owed[6 + 2 * t]] for t in range(owed[0])]
    return tractors + [[width, 1] for width in (4, 3, 2) for _ in range(owed[width])]


def _suits(game: Game, cards: list[int]) -> list[int]:
    """The effective suits of some cards (R3.4)."""
    suit_of = game.batch.table[0]["suit_of"][int(game.record["combo"])]
    return [int(suit_of[kind]) for kind in cards]


def bid_refusal(game: Game) -> Refused:
    """Why a bid cannot be made."""
    standing = int(game.record["bid_strength"]) > 0
    return Refused("bid_too_weak" if standing else "bid_unknown", "R8.2", scheme=game.rules.bids)

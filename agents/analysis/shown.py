"""What is shown: every bid that a player makes, its cards, and whether its suit is the longest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.cards import BIG_JOKER, NUM_RANKS, NUM_SUITS, SMALL_JOKER
from tuolaji_env.core.record import BID, END
from tuolaji_env.games import GameBatch
from tuolaji_env.rules import Rules

from ..base import Agent
from . import hands
from .bids import stands_for
from .playing import deal, finish


@dataclass(frozen=True)
class Shown:
    """N bids; all arrays are [N].

    deal; copies: level cards shown; small, big: jokers shown; stands: index into `bids.STANDS`,
    what was over-bid; drawn: own cards drawn; longest: whether no other suit of a level card in
    hand would make more trumps (false for jokers alone).  deals: all that were played.
    """

    deal: NDArray[np.int64]
    copies: NDArray[np.int64]
    small: NDArray[np.int64]
    big: NDArray[np.int64]
    stands: NDArray[np.int64]
    drawn: NDArray[np.int64]
    longest: NDArray[np.bool_]
    deals: int

    @property
    def names(self) -> list[str]:
        """What each bid shows, in words."""
        return [
            _name(*cards)
            for cards in zip(
                self.copies.tolist(), self.small.tolist(), self.big.tolist(), strict=True
            )
        ]


def watch_shown(rules: str | Rules, agent: Agent, deals: int, seed: int) -> Shown:
    """The bids of some deals that an agent plays in all seats."""
    parts: list[tuple[NDArray[Any], ...]] = []

    def look(games: GameBatch, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        s = games.records
        ends = (s["phase"][rows] == BID) & (s["picked"][rows] > 0) & (actions >= END)
        if ends.any():
            parts.append((rows[ends], *_about(games, s[rows[ends]])))

    games = deal(rules, deals, seed)
    finish(games, agent, look)
    empty = [(np.zeros(0, np.int64),) * 7]
    columns = [np.concatenate(column) for column in zip(*(parts or empty), strict=True)]
    order = np.argsort(columns[0], kind="stable")
    number, copies, small, big, stands, drawn, longest = (column[order] for column in columns)
    return Shown(number, copies, small, big, stands, drawn, longest.astype(np.bool_), deals)


def _about(games: GameBatch, records: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Columns of `Shown` after the deal, for games in which a bid is about to be finished."""
    seat, each = records["seat"], np.arange(len(records))
    hand = hands.copies(records["hand"][each, seat])
    picked = hands.copies(records["pick"])
    small, big = picked[:, SMALL_JOKER], picked[:, BIG_JOKER]
    copies = picked[:, :SMALL_JOKER].sum(axis=1)
    kind = picked[:, :SMALL_JOKER].argmax(axis=1)
    rank, suits = kind % NUM_RANKS, hands.effective_suits(games.table)
    length = np.stack(
        [
            np.where(
                hand[each, NUM_RANKS * suit + rank] > 0,
                hands.trumps(hand, suits, rank * (NUM_SUITS + 1) + suit),
                -1,
            )
            for suit in range(NUM_SUITS)
        ],
        axis=1,
    )
    longest = (copies > 0) & (length[each, kind // NUM_RANKS] == length.max(axis=1))
    stands = stands_for(games.rules, records)
    return copies, small, big, stands, hand.sum(axis=1), longest


def _name(copies: int, small: int, big: int) -> str:
    jokers = ("small jokers" if not big else "big jokers" if not small else "jokers").removesuffix(
        "s" if small + big == 1 else ""
    )
    if not copies:
        return f"{small + big} {jokers}"
    level = f"{copies} level card{'s' if copies > 1 else ''}"
    return f"{level} and a joker" if small + big else level

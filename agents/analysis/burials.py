"""What players bury, and what it is worth: the same cards, buried by each and played on alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.cards import NUM_RANKS, SMALL_JOKER, TRUMP, cards_of
from tuolaji_env.core.record import BURY, copied
from tuolaji_env.games import GameBatch
from tuolaji_env.notation import cards_text, level_text, trump_text
from tuolaji_env.rules import Rules

from ..arena.stats import Estimate, estimate
from ..base import Agent
from . import hands
from .playing import deal, finish, games_of, levels_of, points_of


@dataclass(frozen=True)
class Burials:
    """What one player buried of N hands.

    held: [N, 54] copies before it, the kitty among them; buried: [N, 54]; trumps: [N] held; voids:
    [N] side suits that it had and has no more; points: [N] buried; buried_trumps: [N] cards.
    """

    held: NDArray[np.int64]
    buried: NDArray[np.int64]
    trumps: NDArray[np.int64]
    voids: NDArray[np.int64]
    points: NDArray[np.int64]
    buried_trumps: NDArray[np.int64]
    side: NDArray[np.bool_] = field(repr=False)  # [N, 54] kinds of side suits

    def share_by_rank(self) -> NDArray[np.float64]:
        """Of the side cards held of each rank 2 … A, the share that was buried; NaN: none. [13]."""
        rank = np.arange(SMALL_JOKER) % NUM_RANKS
        held, buried = (
            np.bincount(rank, (cards * self.side)[:, :SMALL_JOKER].sum(axis=0), NUM_RANKS)
            for cards in (self.held, self.buried)
        )
        share: NDArray[np.float64] = np.where(held > 0, buried / np.maximum(held, 1), np.nan)
        return share

    def row(self) -> list[str]:
        """Means with standard errors, as cells of a table."""
        cards = (self.voids, self.points, self.buried_trumps)
        found = [estimate(each.astype(np.float64)) for each in cards]
        return [f"{each.mean:.2f} ± {each.se:.2f}" for each in found]


def hands_to_bury(rules: str | Rules, agent: Agent, deals: int, seed: int) -> GameBatch:
    """Games as somebody is about to bury for the first time, bid by an agent in all seats.

    Raises ValueError where no deal has a kitty to bury.
    """
    games = deal(rules, deals, seed)
    finish(games, agent, until=lambda records: records["phase"] >= BURY)
    there = games.records["phase"] == BURY
    if not there.any():
        raise ValueError(f"rules: {games.rules.name or 'these'} have no kitty to bury")
    return games_of(games, games.records[there].copy())


def bury(games: GameBatch, agent: Agent) -> tuple[Burials, GameBatch]:
    """What an agent buries in each of the games, and the games after it; the given stay."""
    after = games_of(games, copied(games.records))
    finish(after, agent, until=lambda records: records["phase"] != BURY)
    before = games.records
    each, seat = games.everybody, before["seat"]
    held = hands.copies(before["hand"][each, seat])
    left = hands.copies(after.records["hand"][each, seat])
    suits, combo = hands.effective_suits(games.table), before["combo"]
    lengths = [hands.side_lengths(cards, suits, combo) for cards in (held, left)]
    found = Burials(
        held,
        held - left,
        hands.trumps(held, suits, combo),
        ((lengths[0] > 0) & (lengths[1] == 0)).sum(axis=1),
        hands.points(held - left),
        hands.trumps(held - left, suits, combo),
        ~suits[combo, TRUMP],
    )
    return found, after


def duel(
    games: GameBatch, buriers: Mapping[str, Agent], player: Agent
) -> dict[str, tuple[Burials, NDArray[np.float64], NDArray[np.float64]]]:
    """Each burier's burials, and what the declarers then get: levels and points, [N] each.

    The deals are the same for all; after the burial `player` plays all seats.  Points are the
    non-declarers' with a minus, so that more is better for the burier's side.
    """
    out = {}
    for name, burier in buriers.items():
        found, after = bury(games, burier)
        finish(after, player)
        seat = after.records["declarer"]
        players, everybody = games.players, games.everybody
        out[name] = (
            found,
            levels_of(after.records, players, seat, everybody),
            points_of(after.records, players, seat, everybody),
        )
    return out


def against(
    results: Mapping[str, tuple[Burials, NDArray[np.float64], NDArray[np.float64]]], other: str
) -> dict[str, tuple[Estimate, Estimate]]:
    """Levels and points a deal that each burier gains over another's burials, on the same cards."""
    _, levels, points = results[other]
    return {
        name: (estimate(ours - levels), estimate(theirs - points))
        for name, (_, ours, theirs) in results.items()
        if name != other
    }


def example(games: GameBatch, number: int, burials: Mapping[str, Burials]) -> list[list[str]]:
    """One hand and what each buried of it, as rows of a table."""
    record: Any = games.records[number]
    first = next(iter(burials.values()))
    level, trump = level_text(int(record["level_rank"])), trump_text(int(record["trump"]))
    rows = [["", f"level {level}, trump {trump}"]]
    rows.append(["held", cards_text(cards_of(first.held[number]))])
    for name, each in burials.items():
        rows.append([f"`{name}` buries", cards_text(cards_of(each.buried[number]))])
    return rows

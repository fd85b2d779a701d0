"""Every moment at which a seat may bid in a suit: hand, what stands, who would bid, the outcome.

A race to bid is a row of questions: after each own draw a seat that has a legal bid is asked
(R8.1), and passing leaves no trace.  A moment is one such question, looked at by the suit in which
a bid would make most trumps; moments with joker bids alone are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.cards import NUM_RANKS, NUM_SUITS, SMALL_JOKER, TRUMP
from tuolaji_env.core.record import BID, END
from tuolaji_env.games import Episode, GameBatch
from tuolaji_env.rules import Rules, load_rules

from ..base import Agent
from . import hands
from .playing import deal, finish, levels_of
from .values import real_values

STANDS = (
    "nobody has bid",
    "the partner's bid stands",
    "an opponent's bid stands",
    "the own stands",
)
ROLES = ("no declarer yet", "own side declares", "the others declare")


@dataclass(frozen=True)
class Moments:
    """M moments; all arrays are [M].

    records: the games as the mover was asked; deal: number of the deal; seat: the mover; kind: the
    level card of the suit looked at.  trumps, pairs, jokers, level_cards: in hand, if that suit
    were trump; surplus: trumps above the mean of a hand of as many cards; drawn: share of the own
    cards drawn (0 … 1); place: of the seat in the order of drawing;
    stands, role: indices into `STANDS` and `ROLES`; level: the level rank; ahead: levels by which
    the own side is ahead in the match.  value: the player's for what it did; gap: its best bid's
    less its pass's (NaN where it has none).  levels: what the deal then gave its side.
    bids: by player, whether it would bid (any bid) at that moment.
    """

    records: NDArray[Any]
    deal: NDArray[np.int64]
    seat: NDArray[np.int64]
    kind: NDArray[np.int64]
    trumps: NDArray[np.int64]
    surplus: NDArray[np.float64]
    pairs: NDArray[np.int64]
    jokers: NDArray[np.int64]
    level_cards: NDArray[np.int64]
    drawn: NDArray[np.float64]
    place: NDArray[np.int64]
    stands: NDArray[np.int64]
    role: NDArray[np.int64]
    level: NDArray[np.int64]
    ahead: NDArray[np.int64]
    value: NDArray[np.float64]
    gap: NDArray[np.float64]
    levels: NDArray[np.float64]
    bids: dict[str, NDArray[np.bool_]]
    rules: Rules
    deals: int

    def __len__(self) -> int:
        return len(self.deal)

    def where(self, keep: NDArray[Any]) -> Moments:
        """Some of the moments, by a mask or by indices."""
        parts = {f.name: getattr(self, f.name)[keep] for f in fields(self) if f.name not in _WHOLE}
        return replace(self, **parts, bids={name: each[keep] for name, each in self.bids.items()})


_WHOLE = ("bids", "rules", "deals")


def watch_bids(
    rules: str | Rules,
    agent: Agent,
    deals: int,
    seed: int,
    others: Mapping[str, Agent] | None = None,
    episode: Episode = "deal",
    rounds: int = 1,
) -> Moments:
    """The moments of some deals that an agent plays in all seats.

    others: players who are asked at the same moments, and never obeyed.  With episode `match`,
    `deals` matches are played for `rounds` deals each (a match that ends begins anew).
    """
    rules = load_rules(rules)
    watcher = _Watcher(agent, dict(others or {}))
    games = deal(rules, deals, seed, episode)
    finals = []
    for number in range(rounds):
        watcher.base = number * deals
        finish(games, agent, watcher.look)
        finals.append(games.records.copy())
        _go_on(games, seed + number + 1, episode)
    return watcher.moments(games, np.concatenate(finals), rounds * deals)


def _go_on(games: GameBatch, seed: int, episode: Episode) -> None:
    """The next deal of each match; those that are over begin anew."""
    over = games.records["match_over"] != 0
    if episode == "match":
        games.next_deals(games.everybody[~over])
    fresh = games.everybody if episode == "deal" else games.everybody[over]
    if len(fresh):
        words = np.random.SeedSequence(seed).generate_state(len(fresh), np.uint64)
        games.begin((words >> np.uint64(1)).astype(np.int64), fresh, episode)


class _Watcher:
    """Notes the moments as they come by."""

    def __init__(self, agent: Agent, others: dict[str, Agent]) -> None:
        self.agent, self.others, self.base = agent, others, 0
        self.parts: list[dict[str, NDArray[Any]]] = []

    def look(self, games: GameBatch, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        records = games.records
        asked = (records["phase"][rows] == BID) & (records["picked"][rows] == 0)
        asked &= records["mask"][rows] & ((1 << SMALL_JOKER) - 1) != 0
        rows, actions = rows[asked], actions[asked]
        if not len(rows):
            return
        values = real_values(self.agent, games, rows)
        part = {
            "records": records[rows],
            "deal": self.base + rows,
            self.agent.name: actions != END,
            "value": values[np.arange(len(rows)), actions],
            "gap": _best(values[:, :END]) - values[:, END],
        }
        for name, other in self.others.items():
            part[name] = other.act(games, rows) != END
        self.parts.append(part)

    def moments(self, games: GameBatch, finals: NDArray[Any], deals: int) -> Moments:
        if not self.parts:
            raise ValueError(f"{games.rules.name or 'rules'}: nobody was asked for a bid in a suit")
        joined = {name: np.concatenate([p[name] for p in self.parts]) for name in self.parts[0]}
        order = np.argsort(joined["deal"], kind="stable")
        joined = {name: each[order] for name, each in joined.items()}
        records, number = joined["records"], joined["deal"]
        names = (self.agent.name, *self.others)
        features = about(games, records)
        return Moments(
            records=records,
            deal=number,
            **features,
            value=joined["value"],
            gap=joined["gap"],
            levels=levels_of(finals, games.players, features["seat"], number),
            bids={name: joined[name] for name in names},
            rules=games.rules,
            deals=deals,
        )


def about(games: GameBatch, records: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """What can be said of moments from the games' records: fields of `Moments` by name."""
    rules, players = games.rules, games.players
    seat = records["seat"]
    hand = hands.copies(records["hand"][np.arange(len(records)), seat])
    kind, count = best_suit(games, records, hand)
    combo = kind % NUM_RANKS * 5 + kind // NUM_RANKS
    suits = hands.effective_suits(games.table)
    declarer, other_side = records["declarer"], (seat + 1) % players
    declares = (declarer - seat) % (2 if rules.teams == "fixed" else players) == 0
    level = records["level"].astype(np.int64)
    each = np.arange(len(records))
    held = hand.sum(axis=1)
    share = suits[combo, TRUMP].sum(axis=1) * rules.decks / rules.deck_size
    return {
        "seat": seat,
        "kind": kind,
        "trumps": count,
        "surplus": count - held * share,
        "pairs": hands.trump_pairs(hand, suits, combo),
        "jokers": hands.jokers(hand),
        "level_cards": hands.level_cards(hand, kind % NUM_RANKS),
        "drawn": np.minimum(held / rules.hand_size, 1.0),
        "place": (seat - records["first_drawer"]) % players,
        "stands": stands_for(rules, records),
        "role": np.select([declarer < 0, declares], [0, 1], 2),
        "level": kind % NUM_RANKS,
        "ahead": level[each, seat] - level[each, other_side],
    }


def stands_for(rules: Rules, records: NDArray[Any]) -> NDArray[np.int64]:
    """Whose bid stands, as the mover sees it: indices into `STANDS`. [M].

    Where friends are called nobody has a partner while bids are made.
    """
    bidder, seat = records["bid_seat"], records["seat"]
    ally = (bidder - seat) % 2 == 0 if rules.teams == "fixed" else bidder == seat
    stands: NDArray[np.int64] = np.select([bidder < 0, bidder == seat, ally], [0, 3, 1], 2)
    return stands


def best_suit(
    games: GameBatch, records: NDArray[Any], hand: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The level card whose suit makes most trumps (then most pairs), of those that may be bid.

    hand: [M, 54] of the movers.  Returns kind and trumps, [M] each.
    """
    suits = hands.effective_suits(games.table)
    kinds = NUM_RANKS * NUM_SUITS
    moment, kind = np.nonzero(records["mask"][:, None] >> np.arange(kinds) & 1)
    combo = kind % NUM_RANKS * 5 + kind // NUM_RANKS
    count = hands.trumps(hand[moment], suits, combo)
    pairs = hands.trump_pairs(hand[moment], suits, combo)
    order = np.lexsort((kind, pairs, count, moment))
    last = np.append(np.diff(moment[order]) != 0, True)
    best = order[last]
    return kind[best], count[best]


def _best(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest of each row's numbers, NaN where there are none."""
    low = np.where(np.isnan(values), -np.inf, values).max(axis=1)
    return np.where(np.isinf(low), np.nan, low)


def opening_features(m: Moments) -> dict[str, NDArray[np.float64]]:
    """What may count for an opening bid, trumps first, as `logit.worths` takes it. [M] each."""
    return {
        "a trump": m.trumps.astype(np.float64),
        "a pair of trumps": m.pairs.astype(np.float64),
        "a joker": m.jokers.astype(np.float64),
        "a level card": m.level_cards.astype(np.float64),
        "five cards more drawn": m.drawn * m.rules.hand_size / 5,
        "to declare by it": (m.role == 0).astype(np.float64),
    }

"""What a seat got after each of its decisions: levels, points as they fall, discounted by tricks.

Rewards are zero-sum over the seats.  A decision belongs to the seat that took it, and its return
counts what that seat's side gets: no seat is credited with another's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.core.record import LEAD
from tuolaji_env.games import GameBatch


class Rewards(NamedTuple):
    """level_weight: of the levels of the deal; point_weight: of hundreds of points as they fall,
    above `par`, the points at which the others take over, as far as cards are played (else not
    to declare would pay); discount: of a reward one trick later; trace: lambda, a trick (1:
    nothing is bootstrapped)."""

    level_weight: float
    point_weight: float
    discount: float
    trace: float
    par: float = 0.0


class Trail(NamedTuple):
    """What is kept of each decision until its deal is over, and where each step begins."""

    starts: list[int]  # of steps 0 .. S-1 and the end
    game: NDArray[np.int64]  # [N]
    seat: NDArray[np.int64]  # [N]
    tricks: NDArray[np.int64]  # [N] finished before the decision
    paid: NDArray[np.float64]  # [N] the non-declarers' score before it, above par
    value: NDArray[np.float32]  # [N] of the action taken, as the network had it; NaN: not asked


class Ledger:
    """Keeps what returns need of each decision while deals are played (`add`, before each step)."""

    def __init__(self, games: GameBatch, par: int) -> None:
        self.games, self.par = games, par
        self.kept: list[tuple[NDArray[Any], ...]] = []
        self.starts = [0]

    def add(
        self, live: NDArray[np.int64], seat: NDArray[np.int64], values: NDArray[np.float32]
    ) -> None:
        """The games of a step, their movers, and what the actions or states are valued. [n]."""
        records = self.games.records
        begun = records["phase"][live] >= LEAD
        left = records["held"][live, seat] / self.games.rules.hand_size
        paid = records["paid"][live] - self.par * np.where(begun, 1 - left, 0)
        self.kept.append((live, seat, records["tricks"][live], paid, values))
        self.starts.append(self.starts[-1] + len(live))

    def close(self, rewards: Rewards) -> tuple[Trail, NDArray[np.float32]]:
        """All decisions and their returns, once the deals are over. [N]."""
        trail = Trail(self.starts, *(np.concatenate(p) for p in zip(*self.kept, strict=True)))
        rewards = rewards._replace(par=self.par)
        return trail, returns_of(trail, self.games.records, self.games.players, rewards)


def seat_levels(last: NDArray[Any], players: int) -> NDArray[np.float32]:
    """Levels that a finished deal is worth to each seat, zero-sum. last: [G]; [G, P]."""
    wins = (last["winners"][:, None] >> np.arange(players)) & 1 == 1
    rise = np.where(wins, last["rise"][:, :players], 0)
    losers = np.maximum(players - wins.sum(1), 1)
    lost = -rise.sum(1) / losers
    return np.where(wins, rise, lost[:, None]).astype(np.float32)


def seat_share(last: NDArray[Any], players: int) -> NDArray[np.float32]:
    """What a point of the non-declarers is worth to each seat, in hundreds, zero-sum. [G, P]."""
    others = last["side"][:, :players] == 1
    count = others.sum(1)
    share = -count / np.maximum(players - count, 1)
    return (np.where(others, 1, share[:, None]) / 100).astype(np.float32)


def returns_of(trail: Trail, last: NDArray[Any], players: int, c: Rewards) -> NDArray[np.float32]:
    """What each decision's seat got after it. [N].

    A reward that falls in the k-th trick from the decision on counts discount ** k (the trick in
    which the decision falls: k = 0).  With `trace` below 1, what follows the seat's first decision
    in each later trick is in part taken at the network's word (TD(lambda) of the values).
    """
    share, levels = seat_share(last, players), seat_levels(last, players)
    fresh = first_in_trick(trail, len(last), players)
    ahead_of = np.zeros((len(last), players))  # what each seat gets after the step, by game
    tricks, paid = last["tricks"].copy(), last["paid"] - float(c.par)  # after the step, by game
    final = np.ones(len(last), np.bool_)
    out = np.empty(len(trail.game), np.float32)
    for start, stop in zip(trail.starts[-2::-1], trail.starts[:0:-1], strict=True):
        game, seat = trail.game[start:stop], trail.seat[start:stop]
        passed = tricks[game] - trail.tricks[start:stop]
        moved = paid[game] - trail.paid[start:stop]
        reward = c.point_weight * moved[:, None] * share[game]
        reward[final[game]] += c.level_weight * levels[game][final[game]]
        # what moves in a step falls in the last trick that the step finishes
        later = c.discount ** np.maximum(passed - 1, 0)
        gains = later[:, None] * reward + (c.discount**passed)[:, None] * ahead_of[game]
        mine = np.arange(len(game)), seat
        out[start:stop] = gains[mine]
        if c.trace < 1:
            mixed = c.trace * gains[mine] + (1 - c.trace) * trail.value[start:stop]
            known = fresh[start:stop] & ~np.isnan(mixed)
            gains[mine] = np.where(known, mixed, gains[mine])
        ahead_of[game] = gains
        tricks[game], paid[game] = trail.tricks[start:stop], trail.paid[start:stop]
        final[game] = False
    return out


def first_in_trick(trail: Trail, games: int, players: int) -> NDArray[np.bool_]:
    """Which decisions are their seat's first in a trick (before the first lead: at all). [N]."""
    seen = np.full((games, players), -1)
    out = np.empty(len(trail.game), np.bool_)
    for start, stop in zip(trail.starts[:-1], trail.starts[1:], strict=True):
        game, seat = trail.game[start:stop], trail.seat[start:stop]
        out[start:stop] = seen[game, seat] != trail.tricks[start:stop]
        seen[game, seat] = trail.tricks[start:stop]
    return out

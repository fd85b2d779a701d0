"""Self-play by a network for all seats, with a guide on some sides, and gradients of what it gave.

A `Worker` has its own share of the games, its own buffers, and a copy of the network that shares
the weights and has gradients of its own: workers run in threads side by side.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (torch's own custom)
from numpy.typing import NDArray

from agents.neural import Network
from agents.registry import make_agent
from tuolaji_env.core.record import LEAD, TRUMP_OF
from tuolaji_env.games import NUM_ACTIONS, GameBatch, is_over
from tuolaji_env.observe import Layout

from .returns import Trail, returns_of

if TYPE_CHECKING:
    from .dmc import Config


class Deals(NamedTuple):
    """Finished deals as decisions: N of them, of all seats, with what followed."""

    rows: NDArray[np.uint8]  # [N, D] observation
    actions: NDArray[np.int64]  # [N]
    returns: NDArray[np.float32]  # [N]
    last: NDArray[Any]  # [G] final records
    trail: Trail


def turned_actions() -> NDArray[np.int64]:
    """Real actions in the canonical view, by trump (4: none). [5, 63]."""
    out = np.tile(np.arange(NUM_ACTIONS), (5, 1))
    for trump in range(4):
        order = [suit for suit in range(4) if suit != trump] + [trump]
        for place, suit in enumerate(order):
            out[trump, 13 * suit : 13 * suit + 13] = np.arange(13 * place, 13 * place + 13)
            out[trump, TRUMP_OF + suit] = TRUMP_OF + place
    return out


class Worker:
    """A share of the games, the decisions taken in them, and gradients of what was learned.

    Its network is a copy that shares the weights of `network` and has gradients of its own.
    """

    def __init__(self, config: Config, layout: Layout, network: Network, games: int) -> None:
        self.config, self.layout = config, layout
        self.network = copy.deepcopy(network)
        for mine, theirs in zip(self.network.parameters(), network.parameters(), strict=True):
            mine.data = theirs.data
        self.bf16 = config.precision == "bf16"
        self.games = GameBatch(config.rules, games)
        self.guide = make_agent(config.guide, self.games.rules)
        self.turned = turned_actions() if config.canonical else None
        self.par = self.games.rules.takeover
        self.rows = np.empty((games * 128, layout.size), np.uint8)
        self.mask = np.empty((games, NUM_ACTIONS), np.int8)
        self.deals: Deals
        self._compile()

    def _compile(self) -> None:
        """Call once what `play` calls: kernels are compiled in one thread, before the others."""
        one = self.games.everybody[:1]
        self.games.begin(0, one, skip_forced=True)
        self.games.observe(self.layout, one, out=self.rows[:1])
        actions = self.games.masks(one, out=self.mask[:1]).argmax(1)
        self.games.step(actions, one, skip_forced=True)
        self.games.real_actions(actions, one)
        if not is_over(self.games.records[one]):
            self.guide.act(self.games, one)

    def play(self, seed: list[int], epsilon: float, guided: float) -> None:
        """Play a fresh deal in each game.

        seed: words that fix it all; guided: share of sides that the guide plays.
        """
        source, noise = np.random.SeedSequence(seed).spawn(2)
        seeds = (source.generate_state(len(self.games), np.uint64) >> np.uint64(1)).astype(np.int64)
        self.games.begin(seeds, skip_forced=True)
        rng = np.random.default_rng(noise)
        self.guide.reset(int(source.generate_state(1)[0]))
        follows = self.sides(rng, guided)
        records, live, at = self.games.records, self.games.everybody, 0
        kept: list[tuple[NDArray[Any], ...]] = []
        starts, chosen = [0], []
        while len(live):
            if at + len(live) > len(self.rows):
                longer = np.empty((len(self.rows) * 5 // 4 + len(live), self.layout.size), np.uint8)
                longer[:at] = self.rows[:at]
                self.rows = longer
            rows = self.games.observe(self.layout, live, out=self.rows[at : at + len(live)])
            mask = self.games.masks(live, self.layout.canonical, self.mask[: len(live)])
            seat, tricks, paid = (records[name][live] for name in ("seat", "tricks", "paid"))
            actions, values = self.choose(rows, mask, live, follows[live, seat], epsilon, rng)
            begun = records["phase"][live] >= LEAD
            left = records["held"][live, seat] / self.games.rules.hand_size
            paid = paid - self.par * np.where(begun, 1 - left, 0)
            kept.append((live, seat, tricks, paid, values))
            chosen.append(actions.copy())
            at += len(live)
            starts.append(at)
            if self.layout.canonical:
                self.games.real_actions(actions, live)
            self.games.step(actions, live, skip_forced=True)
            live = live[~is_over(records[live])]
        trail = Trail(starts, *(np.concatenate(part) for part in zip(*kept, strict=True)))
        rewards = self.config.rewards._replace(par=self.par)
        returns = returns_of(trail, records, self.games.players, rewards)
        self.deals = Deals(self.rows[:at], np.concatenate(chosen), returns, records, trail)

    def sides(self, rng: np.random.Generator, guided: float) -> NDArray[np.bool_]:
        """Which seats the guide plays: whole sides of fixed teams, else each by itself. [G, P]."""
        fixed = self.games.rules.teams == "fixed"
        players = self.games.players
        drawn = rng.random((len(self.games), 2 if fixed else players)) < guided
        return drawn[:, np.arange(players) % drawn.shape[1]]

    def choose(
        self,
        rows: NDArray[np.uint8],
        mask: NDArray[np.int8],
        live: NDArray[np.int64],
        follows: NDArray[np.bool_],
        epsilon: float,
        rng: np.random.Generator,
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """An allowed action for each mover, and its value where the network was asked.

        rows: [n, D]; mask: [n, 63]; live: [n] the games; follows: [n] where the guide plays.
        Returns [n] each.
        """
        actions = np.empty(len(rows), np.int64)
        value = np.full(len(rows), np.nan, np.float32)
        (asks,), (own,) = np.nonzero(follows), np.nonzero(~follows)
        if len(asks):
            actions[asks] = self.guide.act(self.games, live[asks])
            if self.turned is not None:
                trump = self.games.records["trump"][live[asks]]
                actions[asks] = self.turned[trump, actions[asks]]
        if len(own):
            if len(asks):
                rows = rows[own]
            with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
                values = self.network(torch.from_numpy(rows)).float().numpy()
            liked = self.network.preferences(values, rows)
            if self.config.temperature:  # the best of values with Gumbel noise: a draw by softmax
                noise = rng.standard_exponential(values.shape, np.float32)
                liked = liked - self.config.temperature * np.log(noise)
            actions[own] = np.where(mask[own], liked, -np.inf).argmax(1)
        (odd,) = np.nonzero(rng.random(len(actions)) < epsilon)
        actions[odd] = np.where(mask[odd], rng.random((len(odd), NUM_ACTIONS)), -1).argmax(1)
        if len(own):
            value[own] = values[np.arange(len(own)), actions[own]]
        return actions, value

    def learn(self, picks: NDArray[np.int64]) -> tuple[float, float, float]:
        """Gradients of the mean loss over some decisions; loss, squared error, mean value."""
        rows = torch.from_numpy(self.deals.rows).index_select(0, torch.from_numpy(picks))
        actions = torch.from_numpy(self.deals.actions[picks])
        target = torch.from_numpy(self.deals.returns[picks])
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            values = self.network(rows)
        value = values.float().gather(1, actions[:, None])[:, 0]
        loss = F.mse_loss(value, target)
        error = float(loss.detach())
        if self.config.loss == "huber":
            loss = F.smooth_l1_loss(value, target)
        self.network.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        return float(loss.detach()), error, float(value.detach().mean())

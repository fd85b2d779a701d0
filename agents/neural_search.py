"""`neural-search`: a network's choice, overruled where rollouts in sampled worlds are clear.

The search is `agents.search`'s, with three things from the network: its own decision is what stands
unless another is clearly better; only the candidates that it values most are compared; they are
ranked by its value of their last card, which is its value of the whole play.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.core.batch import COMPLETES, try_action
from tuolaji_env.core.record import new_games
from tuolaji_env.games import GameBatch
from tuolaji_env.view import View

from .neural import NeuralAgent, turned_actions
from .search import SearchAgent

Path = tuple[int, ...]


class NeuralSearchAgent(SearchAgent):
    """Searches each decision, beginning with what a network thinks of it.

    network: for the rules that are played; keep: candidates compared at the most; spec: options of
    `SearchOptions`.
    """

    def __init__(
        self, network: NeuralAgent, spec: str = "", seed: int = 0, *, keep: int = 8, name: str = ""
    ) -> None:
        super().__init__(spec, seed)
        if keep < 2:
            raise ValueError(f"neural-search: keep: {keep} given; allowed: 2 or more")
        self.network, self.keep = network, keep
        self.turned = turned_actions() if network.layout.canonical else None
        self.name = name or f"neural-search:{network.name}"

    def candidates(self, view: View) -> list[Path]:
        """The decisions that are compared, as actions; the first is the network's own."""
        own = self.decision(view)
        found = super().candidates(view)
        if len(found) < 2:
            return [own]
        others = [path for path in found if path != own]
        ranked = [others[i] for i in np.argsort(-self.path_values(view, others), kind="stable")]
        compared = [own, *ranked[: self.keep - 1]]
        self._write(compared)
        return compared

    def _write(self, paths: list[Path]) -> None:
        """Make these the candidates of the search that has begun."""
        w: Any = self._space[0]
        for c, path in enumerate(paths):
            w["paths"][c, : len(path)], w["lengths"][c] = path, len(path)
        w["count"] = len(paths)

    def decision(self, view: View) -> Path:
        """The network's own decision, action by action."""
        game = _copies(view, 1)
        path: list[int] = []
        while True:
            (action,) = self.network.act(game, game.everybody).tolist()
            path.append(action)
            if try_action(game.table, game.records, action) == COMPLETES:
                return tuple(path)

    def path_values(self, view: View, paths: list[Path]) -> NDArray[np.float32]:
        """The network's value of the last action with a choice on each path. [N]."""
        games = _copies(view, len(paths))
        values = np.full(len(paths), -np.inf, np.float32)
        for n in range(max(map(len, paths))):
            rows = np.array([i for i, path in enumerate(paths) if n < len(path)])
            masks = games.masks(rows)
            chosen = (masks.sum(1) > 1).nonzero()[0]
            if len(chosen):
                seen = self.network.values(games, rows[chosen])
                wanted = np.array([paths[i][n] for i in rows[chosen]])
                if self.turned is not None:
                    wanted = self.turned[games.records["trump"][rows[chosen]], wanted]
                values[rows[chosen]] = seen[np.arange(len(chosen)), wanted]
            going = rows[[n + 1 < len(paths[i]) for i in rows]]
            if len(going):
                games.step(np.array([paths[i][n] for i in going]), going)
        return values


def _copies(view: View, count: int) -> GameBatch:
    """A view's game, so many times."""
    records = new_games(count)
    records.view(np.uint8).reshape(count, -1)[:] = view.records.view(np.uint8)
    return GameBatch.over(view.rules, view.table, records)

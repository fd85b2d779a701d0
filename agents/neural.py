"""The agent that plays what its network values most."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tuolaji_env.core.record import TRUMP_OF
from tuolaji_env.games import NUM_ACTIONS, GameBatch
from tuolaji_env.observe import Layout
from tuolaji_env.rules import Rules

from . import checkpoint
from .checkpoint import CheckpointError
from .networks import Network, build_network


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch use one thread: small batches are slower with more."""
    before = torch.get_num_threads()
    if before > 1:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        if before > 1:
            torch.set_num_threads(before)


def turned_actions() -> NDArray[np.int64]:
    """Real actions in the canonical view, by trump (4: none). [5, 63]."""
    out = np.tile(np.arange(NUM_ACTIONS), (5, 1))
    for trump in range(4):
        order = [suit for suit in range(4) if suit != trump] + [trump]
        for place, suit in enumerate(order):
            out[trump, 13 * suit : 13 * suit + 13] = np.arange(13 * place, 13 * place + 13)
            out[trump, TRUMP_OF + suit] = TRUMP_OF + place
    return out


def masked_best(values: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """The best allowed action of each row, the lowest of equal ones. [N, 63] each; returns [N]."""
    best: NDArray[np.int64] = np.where(mask != 0, values, -np.inf).argmax(axis=1)
    return best


class NeuralAgent:
    """Plays the allowed action that its network values most (advice weighed in, if there is any).

    bf16: compute in bfloat16, faster where the processor knows it.  Rounding may depend on the
    number of rows asked for at once, so that near ties are the only thing a batch can decide.
    """

    def __init__(
        self,
        network: Network,
        layout: Layout,
        name: str = "neural",
        *,
        bf16: bool = False,
        device: str = "cpu",
    ) -> None:
        self.network = network.to(device).eval()
        self.layout, self.name, self.bf16, self.device = layout, name, bf16, device

    @classmethod
    def from_checkpoint(
        cls,
        path: str | Path,
        rules: Rules,
        allow_other_rules: bool = False,
        name: str = "",
        **options: Any,
    ) -> NeuralAgent:
        """The agent of a checkpoint, for a rule set. Raises CheckpointError."""
        path = Path(path)
        weights, meta = checkpoint.load(path, rules, allow_other_rules)
        layout = checkpoint.layout_of(meta, rules)
        try:
            network = build_network(meta.network, layout.size)
            network.load_state_dict(weights)
        except (ValueError, RuntimeError) as error:
            raise CheckpointError(f"{path}: {error}") from None
        if not all(bool(torch.isfinite(w).all()) for w in weights.values()):
            raise CheckpointError(f"{path}: weights: not all are finite numbers")
        return cls(network, layout, name or path.stem, **options)

    def reset(self, seed: int) -> None:
        """Nothing here is drawn."""

    def values(self, games: GameBatch, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Values of the movers' allowed actions, by the layout's actions; others may be anything.

        rows: [N] int64; returns [N, 63] float32.
        """
        mask = games.masks(rows, canonical=self.layout.canonical)
        return self._values(games.observe(self.layout, rows), mask)

    def _values(self, seen: NDArray[np.uint8], mask: NDArray[np.int8]) -> NDArray[np.float32]:
        tensors = (torch.from_numpy(array).to(self.device) for array in (seen, mask))
        with (
            torch.inference_mode(),
            one_thread(),
            torch.autocast(self.device, torch.bfloat16, enabled=self.bf16),
        ):
            out: NDArray[np.float32] = self.network(*tensors).float().cpu().numpy()
        return out

    def act(self, games: GameBatch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The best action of each mover. rows: [N] int64; returns [N] int64."""
        mask = games.masks(rows, canonical=self.layout.canonical)
        seen = games.observe(self.layout, rows)
        actions = masked_best(self.network.preferences(self._values(seen, mask), seen), mask)
        if self.layout.canonical:
            games.real_actions(actions, rows)
        return actions

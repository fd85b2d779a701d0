"""Networks over observation rows, and the agent that plays what they value most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tuolaji_env.observe import Layout
from tuolaji_env.rules import Rules
from tuolaji_env.vector import NUM_ACTIONS, GameBatch

from . import checkpoint
from .checkpoint import CheckpointError


class QNetwork(nn.Module):
    """Values of the 63 actions from rows of observation, by a plain network of ReLU layers.

    layout_size: numbers in a row, D; hidden: sizes of the hidden layers; scale: [D] by which the
    uint8 numbers are multiplied (`Layout.scale`), kept with the weights.
    """

    kind = "q"

    def __init__(
        self,
        layout_size: int,
        hidden: Sequence[int] = (512, 512, 512),
        scale: NDArray[np.float32] | None = None,
    ) -> None:
        super().__init__()
        self.hidden = tuple(hidden)
        ones = torch.ones(layout_size) if scale is None else torch.tensor(scale)
        self.scale: Tensor
        self.register_buffer("scale", ones)
        sizes = (layout_size, *self.hidden)
        layers: list[nn.Module] = []
        for i in range(len(self.hidden)):
            layers += [nn.Linear(sizes[i], sizes[i + 1]), nn.ReLU()]
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(sizes[-1], NUM_ACTIONS)

    @property
    def spec(self) -> dict[str, Any]:
        """What `build_network` needs to build the network anew, as JSON."""
        return {"kind": self.kind, "hidden": list(self.hidden)}

    def forward(self, rows: Tensor) -> Tensor:
        """Values of all actions. rows: [N, D] uint8; returns [N, 63] float."""
        return self.head(self.body(rows.to(self.scale.dtype) * self.scale))


#: Networks by the `kind` in their spec; each is built as (layout size, **the rest of the spec).
NETWORKS: dict[str, type[QNetwork]] = {QNetwork.kind: QNetwork}


def build_network(spec: Mapping[str, Any], layout_size: int) -> QNetwork:
    """The untrained network of a spec. Raises ValueError for a spec that builds none."""
    rest = dict(spec)
    kind = rest.pop("kind", None)
    if kind not in NETWORKS:
        raise ValueError(f"network kind: {kind!r} is not known; allowed: {', '.join(NETWORKS)}")
    try:
        return NETWORKS[kind](layout_size, **rest)
    except (TypeError, RuntimeError) as error:
        raise ValueError(f"network: {dict(spec)!r} cannot be built: {error}") from None


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


def masked_best(values: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """The best allowed action of each row, the lowest of equal ones. [N, 63] each; returns [N]."""
    best: NDArray[np.int64] = np.where(mask != 0, values, -np.inf).argmax(axis=1)
    return best


class NeuralAgent:
    """Plays the allowed action that its network values most.

    bf16: compute in bfloat16, faster where the processor knows it.  Rounding may depend on the
    number of rows asked for at once, so that near ties are the only thing a batch can decide.
    """

    def __init__(
        self,
        network: QNetwork,
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
        """Values of all actions of the movers, by the layout's actions. [N, 63] float32."""
        seen = torch.from_numpy(games.observe(self.layout, rows)).to(self.device)
        with (
            torch.inference_mode(),
            one_thread(),
            torch.autocast(self.device, torch.bfloat16, enabled=self.bf16),
        ):
            out: NDArray[np.float32] = self.network(seen).float().cpu().numpy()
        return out

    def act(self, games: GameBatch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The best action of each mover. rows: [N] int64; returns [N] int64."""
        mask = games.masks(rows, canonical=self.layout.canonical)
        actions = masked_best(self.values(games, rows), mask)
        if self.layout.canonical:
            games.real_actions(actions, rows)
        return actions

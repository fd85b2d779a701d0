"""What looks at each card that may be added by itself, with what players count about it."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from tuolaji_env.games import NUM_ACTIONS

from .counts import COUNTS, as_places, count


class CardEyes(nn.Module):
    """A number for each action that is asked about, by the same layers for all.

    places: `counts.places_of` a layout; context: features of the whole row, given to every
    action; width: of the first layer, the second has half.
    """

    def __init__(self, places: Mapping[str, int], context: int, width: int) -> None:
        super().__init__()
        self.places = as_places(places)
        self.counts = nn.Linear(COUNTS, width)
        self.context = nn.Linear(context, width, bias=False)
        self.action = nn.Embedding(NUM_ACTIONS, width)
        self.second = nn.Linear(width, width // 2)
        self.out = nn.Linear(width // 2, 1)
        nn.init.zeros_(self.action.weight)

    def forward(self, rows: Tensor, mask: Tensor, context: Tensor) -> Tensor:
        """[N, D] uint8, [N, 63], [N, context]; returns [N, 63], zeros where the mask is."""
        at, actions = mask.nonzero(as_tuple=True)
        counts = count(self.places, *(x.cpu().numpy() for x in (rows, at, actions)))
        numbers = torch.from_numpy(counts).to(context.device)
        each = self.counts(numbers) + self.context(context)[at] + self.action(actions)
        values = self.out(torch.relu(self.second(torch.relu(each))))[:, 0]
        out = torch.zeros(mask.shape, dtype=values.dtype, device=values.device)
        return out.index_put((at, actions), values)

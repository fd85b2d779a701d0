"""Networks over observation rows: values of all actions, each kind built in its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tuolaji_env.cards import NUM_KINDS
from tuolaji_env.games import NUM_ACTIONS
from tuolaji_env.observe import Layout

from .card_eyes import CardEyes
from .counts import places_of


class Network(nn.Module):
    """Values of the 63 actions from rows of observation; each kind is built in its own way.

    It is called with rows [N, D] uint8 and a mask [N, 63], nonzero where a value is asked for, and
    returns [N, 63] float: values that are not asked for may be anything.

    scale: [D] by which the uint8 numbers of a row are multiplied (`Layout.scale`), kept with the
    weights.  margin: where rows end with a policy's advice (`Layout.advice`), what another action
    must be better by to be preferred, so that an untrained network plays as the policy does.
    """

    kind = ""

    def __init__(
        self, layout_size: int, scale: NDArray[np.float32] | None, margin: float = 0.0
    ) -> None:
        super().__init__()
        self.margin = margin
        self.scale: Tensor
        self.register_buffer(
            "scale", torch.ones(layout_size) if scale is None else torch.tensor(scale)
        )

    @property
    def spec(self) -> dict[str, Any]:
        """What `build_network` needs to build the network anew, as JSON."""
        return {"kind": self.kind} | ({"margin": self.margin} if self.margin else {})

    def begin_flat(self, *heads: nn.Linear) -> None:
        """Let all values begin equal where there is advice, so that it alone decides."""
        for head in heads if self.margin else ():
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def preferences(self, values: Any, rows: Any) -> Any:
        """Values with what advice adds: the best of these is played. [N, 63], rows [N, D].

        Arrays or tensors.
        """
        return values + self.margin * rows[:, -NUM_ACTIONS:] if self.margin else values


class QNetwork(Network):
    """A plain network of ReLU layers.

    layout_size: numbers in a row, D; hidden: sizes of the hidden layers.
    """

    kind = "q"

    def __init__(
        self,
        layout_size: int,
        hidden: Sequence[int] = (512, 512, 512),
        scale: NDArray[np.float32] | None = None,
        margin: float = 0.0,
    ) -> None:
        super().__init__(layout_size, scale, margin)
        self.hidden = tuple(hidden)
        self.body = dense((layout_size, *self.hidden))
        self.head = nn.Linear((layout_size, *self.hidden)[-1], NUM_ACTIONS)
        self.begin_flat(self.head)

    @property
    def spec(self) -> dict[str, Any]:
        """What `build_network` needs to build the network anew, as JSON."""
        return super().spec | {"hidden": list(self.hidden)}

    def forward(self, rows: Tensor, mask: Tensor) -> Tensor:
        """Values, as `Network` says."""
        out: Tensor = self.head(_scaled(self.body, rows.to(self.scale.dtype), self.scale))
        return out


class SuitEyes(Network):
    """What looks at all side suits with the same eyes; for the canonical view.

    An eye reads the planes of one suit (13 ranks of the hand, the trick, the cards played …) into
    `suit` features; the side suits share one, trump has its own.  ReLU layers read the features
    of all suits and the rest of the row.

    planes: (offset, number) of the runs of 54-number planes in a row; rest: (begin, end) of what
    is read besides (`segment_runs` finds both).
    """

    def __init__(
        self,
        layout_size: int,
        hidden: Sequence[int],
        suit: int,
        planes: Sequence[Sequence[int]],
        rest: Sequence[Sequence[int]],
        scale: NDArray[np.float32] | None = None,
        margin: float = 0.0,
    ) -> None:
        super().__init__(layout_size, scale, margin)
        self.hidden, self.suit = tuple(hidden), suit
        self.planes = tuple((int(at), int(number)) for at, number in planes)
        self.rest = tuple((int(begin), int(end)) for begin, end in rest)
        count = sum(number for _, number in self.planes)
        others = 2 * count + sum(end - begin for begin, end in self.rest)
        self.side = dense((13 * count, 2 * suit, suit))
        self.trump = dense((13 * count, 2 * suit, suit))
        self.body = dense((4 * suit + others, *self.hidden))

    def split(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Planes by suit [4, …, 13 C] and all else [N, …], of rows [N, D] or of the scale."""
        planes = torch.cat(
            [rows[:, at : at + NUM_KINDS * n].view(-1, n, NUM_KINDS) for at, n in self.planes],
            dim=1,
        )  # [N, C, 54]
        suits = planes[:, :, :52].view(len(rows), -1, 4, 13).permute(2, 0, 1, 3)
        jokers = planes[:, :, 52:].flatten(1)
        others = torch.cat([jokers, *(rows[:, begin:end] for begin, end in self.rest)], dim=1)
        return suits.flatten(2), others

    def read(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Features of the suits [N, 4 suit], and of the whole [N, hidden]. rows: [N, D] uint8."""
        count, kind = len(rows), self.scale.dtype
        suits, others = self.split(rows)
        by_suit, by_other = self.split(self.scale[None])
        cards = suits.to(kind)
        side = _scaled(self.side, cards[:3].flatten(0, 1), by_suit[0])  # [3 N, suit]
        trump = _scaled(self.trump, cards[3], by_suit[3])
        seen = torch.cat([*side.view(3, count, -1), trump], dim=1)  # [N, 4 suit]
        # the first layer in two parts: what is not learned needs no gradient
        first, width = cast(nn.Linear, self.body[0]), seen.shape[1]
        body = functional.linear(others.to(kind), first.weight[:, width:] * by_other, first.bias)
        return seen, self.body[1:](body + functional.linear(seen, first.weight[:, :width]))


class SuitNetwork(SuitEyes):
    """A network whose head is shared by the side suits, too.

    The value of a card is that of its place, as in `QNetwork`, plus what a head makes of its suit's
    features and the whole.  For the rest see `SuitEyes`.
    """

    kind = "suits"

    def __init__(
        self,
        layout_size: int,
        hidden: Sequence[int] = (256, 256),
        suit: int = 32,
        planes: Sequence[Sequence[int]] = ((0, 1),),
        rest: Sequence[Sequence[int]] = (),
        scale: NDArray[np.float32] | None = None,
        margin: float = 0.0,
    ) -> None:
        super().__init__(layout_size, hidden, suit, planes, rest, scale, margin)
        width = self.hidden[-1]
        self.head = nn.Linear(width, NUM_ACTIONS)
        self.to_suit = nn.Linear(width, 4 * suit)
        self.from_suit = nn.Linear(suit, suit, bias=False)
        self.side_head, self.trump_head = nn.Linear(suit, 13), nn.Linear(suit, 13)
        self.begin_flat(self.head, self.side_head, self.trump_head)

    @classmethod
    def for_layout(
        cls,
        layout: Layout,
        hidden: Sequence[int],
        suit: int,
        rules: bool = False,
        margin: float = 0.0,
    ) -> Self:
        """The network for rows of a layout. rules: see `segment_runs`."""
        planes, rest = segment_runs(layout, rules)
        row = layout.size, hidden, suit, planes, rest, layout.scale, margin
        return cls(*row, **cls.more(layout))

    @classmethod
    def more(cls, layout: Layout) -> dict[str, Any]:
        """What else the network must be told of a layout's rows."""
        return {}

    @property
    def spec(self) -> dict[str, Any]:
        """What `build_network` needs to build the network anew, as JSON."""
        runs = {"planes": [*map(list, self.planes)], "rest": [*map(list, self.rest)]}
        return super().spec | {"hidden": list(self.hidden), "suit": self.suit, **runs}

    def forward(self, rows: Tensor, mask: Tensor) -> Tensor:
        """Values, as `Network` says."""
        return self.values(*self.read(rows))

    def values(self, seen: Tensor, body: Tensor) -> Tensor:
        """Values from features of the suits and of the whole (`read`)."""
        count = len(body)
        own = self.to_suit(body).view(count, 4, -1)
        own = torch.relu(own + self.from_suit(seen.view(count, 4, -1)))
        kinds = [self.side_head(own[:, :3]).flatten(1), self.trump_head(own[:, 3])]
        more = functional.pad(torch.cat(kinds, dim=1), (0, NUM_ACTIONS - 52))
        return self.head(body) + more


class CardNetwork(SuitNetwork):
    """A `SuitNetwork` that judges each action by itself as well; see `CardEyes`.

    places: where rows have what is counted (`places_of`); width: of what judges an action.
    """

    kind = "cards"

    def __init__(
        self, *args: Any, places: Mapping[str, int], width: int = 256, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.places, self.width = dict(places), width
        self.cards = CardEyes(places, self.hidden[-1], width)
        self.begin_flat(self.cards.out)

    @classmethod
    def more(cls, layout: Layout) -> dict[str, Any]:
        """What else the network must be told of a layout's rows."""
        return {"places": places_of(layout)}

    @property
    def spec(self) -> dict[str, Any]:
        """What `build_network` needs to build the network anew, as JSON."""
        return super().spec | {"places": self.places, "width": self.width}

    def forward(self, rows: Tensor, mask: Tensor) -> Tensor:
        """Values, as `Network` says."""
        seen, body = self.read(rows)
        return self.values(seen, body) + self.cards(rows, mask, body)


def segment_runs(layout: Layout, rules: bool = False) -> tuple[list[list[int]], list[list[int]]]:
    """Where rows of a layout have planes of 54 numbers, and what else is read (`SuitEyes`).

    rules: read the rule options too, which never change where one rule set is trained.
    """
    planes: list[list[int]] = []
    rest: list[list[int]] = []
    for segment in layout.segments.values():
        if segment.shape[-1] == NUM_KINDS:
            if planes and planes[-1][0] + NUM_KINDS * planes[-1][1] == segment.offset:
                planes[-1][1] += segment.size // NUM_KINDS
            else:
                planes.append([segment.offset, segment.size // NUM_KINDS])
        elif segment.size and (rules or segment.name != "rules"):
            if rest and rest[-1][1] == segment.offset:
                rest[-1][1] += segment.size
            else:
                rest.append([segment.offset, segment.offset + segment.size])
    return planes, rest


def _scaled(layers: nn.Sequential, rows: Tensor, scale: Tensor) -> Tensor:
    """What layers make of rows times a scale: the first weights are scaled, not the rows."""
    first = cast(nn.Linear, layers[0])
    out: Tensor = layers[1:](functional.linear(rows, first.weight * scale, first.bias))
    return out


def dense(sizes: Sequence[int]) -> nn.Sequential:
    """Linear layers of these sizes, each with a ReLU."""
    layers: list[nn.Module] = []
    for i in range(len(sizes) - 1):
        layers += [nn.Linear(sizes[i], sizes[i + 1]), nn.ReLU()]
    return nn.Sequential(*layers)


#: Networks by the `kind` in their spec; each takes the layout size and the rest of the spec.
NETWORKS: dict[str, Callable[..., Network]] = {
    n.kind: n for n in (QNetwork, SuitNetwork, CardNetwork)
}


def build_network(spec: Mapping[str, Any], layout_size: int) -> Network:
    """The untrained network of a spec. Raises ValueError for a spec that builds none."""
    rest = dict(spec)
    kind = rest.pop("kind", None)
    if kind not in NETWORKS:
        raise ValueError(f"network kind: {kind!r} is not known; allowed: {', '.join(NETWORKS)}")
    try:
        return NETWORKS[kind](layout_size, **rest)
    except (TypeError, RuntimeError) as error:
        raise ValueError(f"network: {dict(spec)!r} cannot be built: {error}") from None

"""A deal of a record as a moving picture (GIF)."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from ..files import write_whole
from . import image

if TYPE_CHECKING:
    from PIL import Image

    from ..record import Moment, Record

_PLAY, _TRICK, _END = 700, 1500, 5000  # milliseconds
_SAMPLES = 8


def frames(
    record: Record, deal: int = 0, viewer: int | None = None, scale: float = 0.5
) -> Iterator[tuple[Image.Image, int]]:
    """The pictures of a deal, each with the milliseconds that it is shown; passes are left out.

    deal: from 0; viewer, scale: as for `render.image`.
    """
    if not 0 <= deal < len(record.deals):
        raise ValueError(f"deal: {deal} given; allowed: 0 to {len(record.deals) - 1}")
    decisions = record.deals[deal].decisions
    moments = [moment for moment in record.replay() if moment.deal == deal]
    yield image(moments[0].game, viewer, record.seats, scale), _PLAY
    for before, after in pairwise(moments):
        if decisions[before.number].play != "-":
            yield image(after.game, viewer, record.seats, scale), _shown_for(after)


def _shown_for(moment: Moment) -> int:
    if moment.game.is_over:
        return _END
    return _TRICK if moment.game.phase == "lead" else _PLAY


def save_film(
    record: Record,
    path: str | Path,
    deal: int = 0,
    viewer: int | None = None,
    scale: float = 0.5,
    colors: int = 96,
) -> None:
    """Write a deal as an animated GIF, whole or not at all. colors: 8 to 256 in all pictures."""
    if not 8 <= colors <= 256:
        raise ValueError(f"colors: {colors} given; allowed: 8 to 256")
    shown = list(frames(record, deal, viewer, scale))
    few = _one_palette([picture for picture, _ in shown], colors)
    out = BytesIO()
    few[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=few[1:],
        duration=[milliseconds for _, milliseconds in shown],
        loop=0,
        optimize=False,
    )
    write_whole(path, out.getvalue())


def _one_palette(pictures: list[Image.Image], colors: int) -> list[Image.Image]:
    """Pictures in few colors, the same in all, so that what stays the same is stored once."""
    from PIL import Image

    some = pictures[:: max(len(pictures) // _SAMPLES, 1)]
    width, height = some[0].size
    together = Image.new("RGB", (width, height * len(some)))
    for i, picture in enumerate(some):
        together.paste(picture, (0, i * height))
    palette = together.quantize(colors, method=Image.Quantize.MEDIANCUT)
    return [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]

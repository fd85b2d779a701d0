"""What all pictures share: a figure that notebooks show as it is, colours, error bars."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..files import write_whole
from .rates import Groups

COLOURS = ("#2b6cb0", "#dd6b20", "#2f855a", "#805ad5", "#b83280", "#4a5568")
MARKS = "osD^vP"


class Picture(Figure):
    """A figure that a notebook shows by itself, whatever is set up for plots there."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__(figsize=(width, height), layout="constrained")

    def png(self, dpi: int = 110) -> bytes:
        """The picture as PNG."""
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=dpi)
        return buffer.getvalue()

    def save(self, path: str | Path, dpi: int = 110) -> None:
        """Write the picture as PNG, whole or not at all."""
        write_whole(path, self.png(dpi))

    @property
    def title(self) -> str:
        """What the picture shows: its title, or those of its panels."""
        parts = [self.get_suptitle(), *(axes.get_title() for axes in self.axes)]
        return "; ".join(part for part in parts if part)

    def _repr_png_(self) -> tuple[bytes, dict[str, str]]:
        return self.png(), {"alt": self.title}


def panels(picture: Picture, rows: int, columns: int, **options: Any) -> list[Axes]:
    """The picture's panels in reading order, without frames above and to the right."""
    axes = picture.subplots(rows, columns, squeeze=False, **options)
    flat: list[Axes] = list(axes.flat)
    for each in flat:
        each.spines[["top", "right"]].set_visible(False)
        each.grid(axis="y", alpha=0.25)
        each.set_axisbelow(True)
    return flat


def draw_groups(axes: Axes, groups: Groups, label: str, number: int = 0, shift: float = 0) -> None:
    """Figures by group as a line with error bars, in the colour and mark of its number."""
    axes.errorbar(
        groups.at + shift,
        groups.value,
        groups.bars,
        label=label,
        color=COLOURS[number % len(COLOURS)],
        marker=MARKS[number % len(MARKS)],
        markersize=4,
        linewidth=1.3,
        capsize=2,
    )


def as_percent(axes: Axes) -> None:
    """Shares from 0 to 1 as percents on the upright axis."""
    axes.set_ylim(-0.03, 1.03)
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")


def name_ticks(axes: Axes, names: Sequence[str], rotation: int = 0) -> None:
    """Names instead of the numbers 0, 1, … on the level axis."""
    align = "right" if rotation else "center"
    axes.set_xticks(np.arange(len(names)), names, rotation=rotation, ha=align)


def legend_below(picture: Picture, axes: Axes, columns: int = 3) -> None:
    """One legend for the whole picture, below it."""
    handles, labels = axes.get_legend_handles_labels()
    picture.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False)

"""Games of the arena as files: a record of each (``--records FOLDER``)."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.record import Record

from .play import Keep


def keeper(folder: Path, names: tuple[str, str], preset: str, kind: str, first: int) -> Keep:
    """Write the games of a step of a pairing, each into a file of its own.

    ``FOLDER/PRESET/A+B/deal_000012.txt``: games are counted in the order in which they are played
    for the results, the seatings of a deal one after another.  names: the agents'; kind: `deal` or
    `match`; first: the number of the step's first game.
    """
    place = folder / preset / "+".join(quote(name, safe="") for name in names)

    def keep(number: int, seating: NDArray[np.int64], record: Record) -> None:
        record = record.model_copy(update={"seats": tuple(names[i] for i in seating)})
        record.save(place / f"{kind}_{first + number:06d}.txt")

    return keep

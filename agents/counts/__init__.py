"""What players count: numbers about each action, from rows of observation.

How many unseen cards beat a card, whether it takes the trick as it stands, how likely a later seat
holds more or ruffs, what else its suit holds, how it stands to what a built-in player advises: such
counts compare many cards with each other, and layers learn them slowly from planes.  They are
functions of the row alone, of what its seat may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji_env.observe import Layout

from .kernels import COUNTS, PLACES, READ, TALLY, count_actions

__all__ = ["COUNTS", "NAMES", "as_places", "count", "places_of"]

#: What is counted, in order. Pairs are kinds of two copies or more, the card is the action's (of an
#: `END` the highest picked), groups of other seats are the next one, those between, the last one.
NAMES = (
    *("any_picked", "picked", "most_copies_picked", "kinds_picked", "points_picked"),
    *("singles_picked_that_can_be_beaten", "is_end", "suit_is_that_picked", "power_above_picked"),
    *("next_to_picked", "is_highest_picked"),
    *("is_advised", "end_is_advised", "advised_power", "advised_is_trump", "advised_points"),
    *("advised_copies", "suit_is_advised", "power_above_advised", "held_of_advised_suit"),
    *("points_above_advised", "any_advised"),
    *("power", "is_trump", "points", "own_copies", "unseen_copies", "held", "held_pairs"),
    *("unseen", "unseen_pairs", "held_points", "unseen_points", "winners", "winning_pairs"),
    *("last_of_suit", "trumps_held", "trumps_unseen", "trump_winners", "voids"),
    *("unseen_above", "own_above", "unseen_pairs_above", "own_pairs_above"),
    *("unseen_below", "own_below", "unseen_pairs_below", "own_pairs_below"),
    *("unseen_equals", "nothing_above", "no_pair_above", "beside_own_pair"),
    *("leads", "takes", "power_above_standing", "follows_suit", "held_of_suit_led"),
    *("cards_led", "one_card_led", "ally_stands", "trick_points", "ally_gets_trick_points"),
    *("ally_gets_points", "plays_last", "seats_to_come"),
    *(
        f"{group}_{what}"
        for group in ("next", "between", "last")
        for what in ("has_higher", "has_higher_pair", "is_void", "ruffs")
    ),
    *("next_shown_void", "between_shown_void", "last_shown_void"),
    *(
        f"{group}_{what}"
        for group in ("next", "between", "last")
        for what in ("played_of_suit", "points_played_of_suit")
    ),
    *("ours_take_not", "theirs_take_not", "points_safe", "lead_stands", "takes_and_stands"),
    *("hand", "bids", "trumps_if_bid", "short_suits_if_bid", "small_jokers", "big_jokers"),
)


def places_of(layout: Layout) -> dict[str, int]:
    """Where rows of a layout have what is read (`PLACES`), as JSON."""
    named = layout.segments
    places = {name: named[name].offset if name in named else -1 for name in READ}
    told = layout.kind == "universal"
    at = named["rules"].offset + layout.option_names.index("players") if told else -1
    players = 0 if told else layout.seats
    return places | {"seats": layout.seats, "players": players, "players_at": at}


def as_places(places: Mapping[str, int]) -> NDArray[Any]:
    """`places_of` as a record. [1]."""
    return np.array([tuple(int(places[name]) for name in PLACES.names or ())], PLACES)


def count(
    places: NDArray[Any],
    rows: NDArray[np.uint8],
    at: NDArray[np.int64],
    actions: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Numbers about some actions. places: `as_places`; rows: [N, D] uint8; at, actions: [M], the
    row of each action, rows in order.  Returns [M, `COUNTS`] float32 by `NAMES`,
    most of them within -1 … 2.
    """
    out = np.empty((len(at), COUNTS), np.float32)
    count_actions(places, rows, at, actions, np.empty(1, TALLY), out)
    return out

"""Built-in players as kernels over records: opponents in the wheel, rollouts inside search.

A policy gives an action for the mover of one game.  It reads only what that mover may know: of the
hands `s.hand[s.seat]`, the kitty only where `s.burier == s.seat`, of standing bids nothing that
`hidden_bids` hides; never `s.deck`, and of the working space (`w_…`) only what it has just written
there.  Chance comes from its own seed, the game's seed and `s.steps`, so that a choice does not
depend on what else is in a batch.
"""

from __future__ import annotations

from .drive import GREEDY, HEURISTIC, RANDOM, act_games, play_out

#: Policies by name; the numbers are what `act_games` and `play_out` take.
POLICIES = {"random": RANDOM, "greedy": GREEDY, "heuristic": HEURISTIC}

__all__ = ["POLICIES", "act_games", "play_out", "policy_id"]


def policy_id(name: str) -> int:
    """The number of a policy. Raises ValueError, naming those there are."""
    if name not in POLICIES:
        raise ValueError(f"policy: {name!r} is not known; allowed: {', '.join(POLICIES)}")
    return POLICIES[name]

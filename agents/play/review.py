"""The replay of a deal: each decision with its alternatives, as an agent values them.

The deal is over and everything is open; the agent values a decision by what the mover knew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tuolaji_env.game import Game, Play
from tuolaji_env.notation import parse_cards
from tuolaji_env.policies import POLICIES
from tuolaji_env.recordplay import do_play
from tuolaji_env.view import View

from ..base import Agent
from ..search import SearchAgent
from .messages import Refused
from .sight import playing_sight, sorted_hand
from .thinking import Players, decide

WORLDS = 40  # in which `search` compares candidates
SHOWN = 12  # alternatives at most

_ROW = np.zeros(1, np.int64)


class DealReview:
    """The decisions of the last deal of a game: `states[i]` is the game before decision i."""

    def __init__(self, game: Game) -> None:
        *earlier, deal = game.history
        replay = Game(game.rules, game.seed, episode=game.episode, **game.options)
        for plays in earlier:
            for play in plays:
                _make(replay, play)
            replay.next_deal()
        states = [replay.copy()]
        for play in deal:
            _make(replay, play)
            states.append(replay.copy())
        self._begin(states, deal, (game.seed, len(game.history)))

    @classmethod
    def over(cls, states: list[Game], plays: list[Play]) -> DealReview:
        """The review of decisions whose games, before each and after the last, are there."""
        review = cls.__new__(cls)
        review._begin(states, plays)
        return review

    def _begin(
        self, states: list[Game], plays: list[Play], of: tuple[int, int] | None = None
    ) -> None:
        self.states, self.plays, self._of = states, plays, of
        self._shown: dict[tuple[str, int], dict[str, Any]] = {}

    def is_of(self, game: Game) -> bool:
        """Whether this is the last deal of a game."""
        return self._of == (game.seed, len(game.history))

    def show(self, players: Players, by: str, step: int) -> dict[str, Any]:
        """A decision and its alternatives; one after the last: how the deal ended."""
        step = min(step, len(self.plays))
        if (by, step) not in self._shown:
            self._shown[by, step] = self._decision(players, by, step)
        return self._shown[by, step]

    def _decision(self, players: Players, by: str, step: int) -> dict[str, Any]:
        game = self.states[step]
        told: dict[str, Any] = {"type": "review", "step": step, "steps": len(self.plays), "by": by}
        told["table"] = open_sight(game)
        if step < len(self.plays):
            made = self.plays[step]
            told |= {"mover": game.seat, "made": list(made)}
            if failed := do_play(game.copy(), made):
                told["failed"] = {"led": parse_cards(failed.led), "penalty": failed.penalty}
            told["alternatives"] = alternatives(game, made, players, by)
        return told


def valuer(by: str, valuers: Sequence[str]) -> str:
    """Who is asked for values; the first if nobody is named. Raises Refused for all others."""
    if by and by not in valuers:
        code = "no_values" if by in POLICIES else "unknown_agent"
        raise Refused(code, by=by, allowed=", ".join(valuers))
    return by or valuers[0]


def gives_values(agent: Agent) -> bool:
    """Whether an agent can say what alternatives are worth."""
    return isinstance(agent, SearchAgent) or hasattr(agent, "values")


def open_sight(game: Game) -> dict[str, Any]:
    """A game with all hands open."""
    table, combo = game.batch.table, int(game.record["combo"])
    hands = [sorted_hand(table, combo, list(game.hand(p))) for p in range(game.rules.players)]
    return playing_sight(game, None) | {"hands": hands}


def alternatives(game: Game, made: Play, players: Players, by: str) -> list[dict[str, Any]]:
    """What else could have been done, best first: actions, value and its error where there are any.

    The values of `search` are what a decision makes more than the policy's own, in levels and
    points; those of a network are its estimates of the return.  Others name only their choice.
    Raises Refused for an agent that cannot play these rules.
    """
    try:
        agent = players.agent(by)
    except ValueError as error:
        raise Refused("agent_failed", why=str(error)[:300]) from None
    found: list[dict[str, Any]]
    if isinstance(agent, SearchAgent):
        paths, means, errors = agent.weigh(View(game.batch, 0, game.seat), WORLDS)
        found = [
            {"actions": list(path), "value": float(mean), "error": float(error)}
            for path, mean, error in zip(paths, means, errors, strict=True)
        ]
    elif hasattr(agent, "values"):
        found = _by_network(game, agent)
    else:
        found = [{"actions": list(decide(agent, game)), "value": None, "error": None}]
    known = [each["actions"] for each in found]
    if list(made) not in known:
        found.append({"actions": list(made), "value": None, "error": None})
    found.sort(key=_worth, reverse=True)
    kept = [each for i, each in enumerate(found) if i < SHOWN or each["actions"] == list(made)]
    return [each | {"made": each["actions"] == list(made)} for each in kept]


def _worth(alternative: dict[str, Any]) -> float:
    value = alternative["value"]
    return -np.inf if value is None else float(value)


def _by_network(game: Game, agent: Any) -> list[dict[str, Any]]:
    """What a network expects of the candidates of `search`, at the last action of each."""
    paths = SearchAgent().candidates(View(game.batch, 0, game.seat))
    return [
        {"actions": list(path), "value": _network_value(game, agent, path), "error": None}
        for path in paths
    ]


def _network_value(game: Game, agent: Any, path: Play) -> float:
    trial, last = game.copy(), path[-1]
    for action in path[:-1]:
        trial.do(action)
    values = agent.values(trial.batch, _ROW)[0]
    if not agent.layout.canonical:
        return float(values[last])
    turned = np.arange(len(values))
    trial.batch.real_actions(turned, np.zeros(len(values), np.int64))
    return float(values[int(np.flatnonzero(turned == last)[0])])


def _make(game: Game, play: Play) -> None:
    for action in play:
        game.do(action)

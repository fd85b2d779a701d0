"""PettingZoo AEC face, `tuolaji_v0`: agents `seat_0`, `seat_1`, … in the order of play.

One action adds one card (or ends what is being built), so the same agent may be selected several
times in a row. Observations are ``{"observation": row, "action_mask": int8 [63]}``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .game import Game
from .games import NUM_ACTIONS, Episode, check_choice, game_seeds
from .observe import Layout, LayoutKind
from .record import Record
from .render import FRAMES_PER_SECOND, MODES, Screen, check_viewer
from .rules import Rules
from .vector import DType, Reward, full_states, state_size


def env(rules: str | Rules = "two_deck", **options: Any) -> AECEnv:
    """`raw_env` in PettingZoo's usual wrappers: an illegal action ends the game for the mover."""
    wrapped: Any = raw_env(rules, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # noqa: N801  PettingZoo's name for it
    """The environment itself; an illegal action raises IllegalActionError and changes nothing.

    Parameters: rules; episode `deal` or `match`; reward `levels`, `points` or `match`; layout
    `rules` or `universal`; canonical; dtype; skip_forced: as for `VectorEnv`; render_mode `ansi`
    (text), `rgb_array` (a picture; needs the extra `render`), `human` (a window, or text where
    there is no display, after each step) or None; viewer: the seat whose knowledge is shown, or
    None for everything.
    `reset(seed, options)` takes the options of `Game.reset`.
    """

    metadata = {  # noqa: RUF012  PettingZoo reads it so
        "name": "tuolaji_v0",
        "render_modes": list(MODES),
        "is_parallelizable": False,
        "render_fps": FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        rules: str | Rules = "two_deck",
        *,
        episode: Episode = "deal",
        reward: Reward = "levels",
        layout: LayoutKind = "rules",
        canonical: bool = False,
        dtype: DType = "uint8",
        skip_forced: bool = False,
        render_mode: str | None = None,
        viewer: int | None = None,
    ) -> None:
        super().__init__()
        self._screen = Screen(render_mode)
        self.render_mode = render_mode
        check_choice("reward", reward, Reward)
        if reward == "match" and episode == "deal":
            raise ValueError("reward: 'match' given with episode 'deal'; allowed: levels, points")
        self.game = Game(rules, 0, episode=episode)
        self.viewer = check_viewer(viewer, self.game.rules.players)
        self.layout = Layout(self.game.rules, layout, canonical)
        self.skip_forced = skip_forced
        self._reward = get_args(Reward).index(reward)
        self._paid = np.zeros(self.game.rules.players, np.float32)
        self._dtype = np.dtype(check_choice("dtype", dtype, DType))
        self._seeds = np.random.SeedSequence()
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.rules.players)]
        high = 255 if dtype == "uint8" else np.inf
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, high, (self.layout.size,), self._dtype.type),
                "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {a: spaces.Discrete(NUM_ACTIONS) for a in self.possible_agents}
        size = state_size(self.game.rules, self.layout)
        self.state_space = spaces.Box(0, 255, (size,), np.uint8)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew. Without a seed, games follow one another from the last seed given."""
        if seed is not None:
            self._seeds = np.random.SeedSequence(seed)
        game_seed = int(game_seeds(int(self._seeds.generate_state(1)[0]), 1)[0])
        self._seeds = self._seeds.spawn(1)[0]
        # PettingZoo's own test passes {"options": 1}, which means nothing to any game
        given = {name: value for name, value in (options or {}).items() if name != "options"}
        self.game.reset(game_seed, **given)
        if self.skip_forced:
            self._skip()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.seat]

    def _skip(self) -> None:
        while not self.game.is_over and len(actions := self.game.legal_actions()) == 1:
            self.game.do(actions[0])

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat knows; the mask is all zero for a seat that is not to act."""
        seat = self.possible_agents.index(agent)
        games = self.game.batch
        out = np.empty((1, self.layout.size), self._dtype)
        games.observe(self.layout, seats=np.array([seat]), out=out)
        to_act = seat == self.game.seat and not self.game.is_over
        if to_act:
            mask = games.masks(canonical=self.layout.canonical)[0]
        else:
            mask = np.zeros(NUM_ACTIONS, np.int8)
        return {"observation": out[0], "action_mask": mask}

    def state(self) -> Any:
        """Everything there is, hidden cards too, for centralised critics (`full_states`)."""
        return full_states(self.game.batch, self.layout)[0]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        game = self.game
        chosen = np.array([-1 if action is None else action], np.int64)
        if self.layout.canonical:
            game.batch.real_actions(chosen, game.batch.everybody)
        if not game.pay(int(chosen[0]), self.skip_forced, self._reward, self._paid):
            game.verify(int(chosen[0]))
        self._cumulative_rewards[agent] = 0.0
        for name, paid in zip(self.possible_agents, self._paid.tolist(), strict=True):
            self.rewards[name] = paid
        if game.is_over:
            if game.episode == "match" and not game.match_over:
                game.next_deal()
                if self.skip_forced:
                    self._skip()
            else:
                self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[game.seat]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The table, as the render mode has it: text, [880, 1200, 3] uint8, or None (`human`)."""
        return self._screen.show(self.game, self.viewer)

    def to_record(self, seats: Sequence[str] | None = None) -> Record:
        """The game so far as a `Record`. seats: the players' names, by default the agents'."""
        return Record.of(self.game, seats or self.possible_agents)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._screen.close()

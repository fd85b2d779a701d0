"""Tuolaji (拖拉机): a reinforcement-learning environment for the card game in all its rules.

Faces over one rules core: `Game` (one game), `VectorEnv` (many, for training), `env` (PettingZoo
AEC) and ``gymnasium.make("tuolaji_env/Tuolaji-v0")`` (one learning seat).
"""

from gymnasium.envs.registration import register

from .aec import env, raw_env
from .game import Game
from .observe import Layout
from .rules import Rules, RulesError, load_rules, preset_names
from .single import TuolajiEnv
from .vector import GameBatch, IllegalActionError, VectorEnv

__version__ = "0.1.0"

__all__ = [
    "Game",
    "GameBatch",
    "IllegalActionError",
    "Layout",
    "Rules",
    "RulesError",
    "TuolajiEnv",
    "VectorEnv",
    "env",
    "load_rules",
    "preset_names",
    "raw_env",
]

register(id="tuolaji_env/Tuolaji-v0", entry_point="tuolaji_env.single:TuolajiEnv")

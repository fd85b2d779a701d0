"""Tuolaji (拖拉机): a reinforcement-learning environment for the card game in all its rules.

Faces over one rules core: `Game` (one game), `VectorEnv` (many, for training), `env` (PettingZoo
AEC) and ``gymnasium.make("tuolaji_env/Tuolaji-v0")`` (one learning seat).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gymnasium.envs.registration import register

if TYPE_CHECKING:
    from .aec import env, raw_env
    from .game import Game
    from .games import GameBatch, IllegalActionError
    from .observe import Layout
    from .record import Record, RecordError
    from .recorder import Recorder
    from .rules import Rules, RulesError, load_rules, preset_names
    from .single import TuolajiEnv
    from .vector import VectorEnv
    from .view import View, determinize

__version__ = "0.1.0"

__all__ = [
    "Game",
    "GameBatch",
    "IllegalActionError",
    "Layout",
    "Record",
    "RecordError",
    "Recorder",
    "Rules",
    "RulesError",
    "TuolajiEnv",
    "VectorEnv",
    "View",
    "determinize",
    "env",
    "load_rules",
    "preset_names",
    "raw_env",
]

_HOMES = {
    "aec": ("env", "raw_env"),
    "game": ("Game",),
    "observe": ("Layout",),
    "record": ("Record", "RecordError"),
    "recorder": ("Recorder",),
    "rules": ("Rules", "RulesError", "load_rules", "preset_names"),
    "single": ("TuolajiEnv",),
    "games": ("GameBatch", "IllegalActionError"),
    "vector": ("VectorEnv",),
    "view": ("View", "determinize"),
}

register(id="tuolaji_env/Tuolaji-v0", entry_point="tuolaji_env.single:TuolajiEnv")


def __getattr__(name: str) -> Any:
    """Import what is asked for: a module run with ``python -m`` must not be loaded before."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f".{home}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

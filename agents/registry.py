"""Agents by what a command line calls them."""

from __future__ import annotations

from tuolaji_env.policies import POLICIES
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import Rules

from .base import Agent
from .search import SearchAgent

CHECKPOINT = "ckpt:"
SEARCH = "search"


def agent_specs() -> tuple[str, ...]:
    """The forms of spec that `make_agent` knows."""
    return (*POLICIES, f"{SEARCH}[:OPTION=VALUE,…]", f"{CHECKPOINT}PATH")


def make_agent(spec: str, rules: Rules, seed: int = 0, *, allow_other_rules: bool = False) -> Agent:
    """The agent that a spec names, for a rule set.

    A policy's name; `search`, with options (`agents.search.SearchOptions`) after a colon, such as
    `search:worlds=30,confirm=300` or `search:ms=50`; or `ckpt:` and a file.

    allow_other_rules: take a checkpoint that was trained on other rules, if it can read these.
    Raises ValueError for a spec that names none, CheckpointError for a file that is refused.
    """
    if spec in POLICIES:
        return PolicyPlayer(spec, seed)
    name, _, options = spec.partition(":")
    if name == SEARCH:
        return SearchAgent(options, seed)
    if spec.startswith(CHECKPOINT) and spec != CHECKPOINT:
        try:
            from .neural import NeuralAgent
        except ModuleNotFoundError as error:
            raise ValueError(
                f"agent: {spec!r} needs {error.name}: pip install 'tuolaji-env[train]'"
            ) from None
        return NeuralAgent.from_checkpoint(
            spec.removeprefix(CHECKPOINT), rules, allow_other_rules=allow_other_rules
        )
    raise ValueError(f"agent: {spec!r} is not known; allowed: {', '.join(agent_specs())}")

"""Agents by what a command line calls them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tuolaji_env.policies import POLICIES
from tuolaji_env.policies.player import PolicyPlayer
from tuolaji_env.rules import Rules

from .base import Agent
from .published import best
from .search import SearchAgent

if TYPE_CHECKING:
    from .neural import NeuralAgent

CHECKPOINT = "ckpt:"
SEARCH = "search"
BEST = "best"  # the strongest published checkpoint for the rules
NEURAL_SEARCH = "neural-search"


def agent_specs() -> tuple[str, ...]:
    """The forms of spec that `make_agent` knows."""
    search = "[:OPTION=VALUE,…]"
    return (*POLICIES, SEARCH + search, f"{CHECKPOINT}PATH", BEST, f"{NEURAL_SEARCH}{search}")


def make_agent(spec: str, rules: Rules, seed: int = 0, *, allow_other_rules: bool = False) -> Agent:
    """The agent that a spec names, for a rule set.

    A policy's name; `search`, with options (`agents.search.SearchOptions`) after a colon, such as
    `search:worlds=30,confirm=300` or `search:ms=50`; `ckpt:` and a file; `best`, the strongest
    published checkpoint for the rules; `neural-search`, with options as `search` has them, and
    `network=FILE` (`best` without it) and `keep`, the candidates compared at the most.

    allow_other_rules: take a checkpoint that was trained on other rules, if it can read these.
    Raises ValueError for a spec that names none, CheckpointError for a file that is refused.
    """
    if spec in POLICIES:
        return PolicyPlayer(spec, seed)
    name, _, options = spec.partition(":")
    if name == SEARCH:
        return SearchAgent(options, seed)
    try:
        if spec == BEST:
            return _network(best(rules), rules, allow_other_rules, BEST)
        if spec.startswith(CHECKPOINT) and spec != CHECKPOINT:
            return _network(spec.removeprefix(CHECKPOINT), rules, allow_other_rules)
        if name == NEURAL_SEARCH:
            return _neural_search(spec, options, rules, seed, allow_other_rules)
    except ModuleNotFoundError as error:
        raise ValueError(
            f"agent: {spec!r} needs {error.name}: pip install 'tuolaji-env[train]'"
        ) from None
    raise ValueError(f"agent: {spec!r} is not known; allowed: {', '.join(agent_specs())}")


def _network(path: str | Path, rules: Rules, other_rules: bool, name: str = "") -> NeuralAgent:
    from .neural import NeuralAgent

    return NeuralAgent.from_checkpoint(path, rules, allow_other_rules=other_rules, name=name)


def _neural_search(spec: str, options: str, rules: Rules, seed: int, other_rules: bool) -> Agent:
    from .neural_search import NeuralSearchAgent

    own = {"network": "", "keep": "8"}
    rest = []
    for part in options.split(",") if options else []:
        key, _, value = part.partition("=")
        if key in own:
            own[key] = value
        else:
            rest.append(part)
    if not own["keep"].isdecimal():
        raise ValueError(f"neural-search: keep: {own['keep']!r} is no int")
    network = _network(own["network"] or best(rules), rules, other_rules)
    return NeuralSearchAgent(network, ",".join(rest), seed, keep=int(own["keep"]), name=spec)

"""The results as a page and a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from agents.files import write_whole
from tuolaji_env.bench import MODES
from tuolaji_env.rules import load_rules, preset_names

Figures = dict[str, dict[str, float]]

HEAD = """# Speed

Written by `make bench`: one pinned core, {rounds} rounds of all measurements in turn, medians with
ranges. Random legal play; a micro-step is one action (one card, or the end of a lead or a bid).

{processor}, {system}, Python {python}; {versions}.
"""


def millions(row: dict[str, float]) -> str:
    return f"{row['median'] / 1e6:.2f} ({row['low'] / 1e6:.2f}–{row['high'] / 1e6:.2f})"


def plain(row: dict[str, float], digits: int = 1) -> str:
    return f"{row['median']:,.{digits}f} ({row['low']:,.{digits}f}–{row['high']:,.{digits}f})"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def peers(figures: Figures) -> str:
    """Other environments, and how many times faster `two_deck` is."""
    kernel = {mode: figures[f"kernel/two_deck/{mode}"]["median"] for mode in MODES}
    rows = []
    for name, row in figures.items():
        if not name.startswith("peer/"):
            continue
        ratio = "–"
        if "PettingZoo" not in name:
            mode = "float32" if "tensors" in name or "RLCard" in name else "mask"
            ratio = f"{kernel[mode] / row['median']:,.0f} × ({mode})"
        rows.append([name.removeprefix("peer/"), plain(row, 0), ratio])
    return _table(["environment", "steps/s", "`two_deck` is faster by"], rows)


def readme(figures: Figures) -> str:
    """What the README quotes."""
    masks, rows, floats = (figures[f"kernel/two_deck/{mode}"]["median"] / 1e6 for mode in MODES)
    slowest = min(figures[f"kernel/{preset}/mask"]["median"] for preset in preset_names()) / 1e6
    said = (
        f"`two_deck` on one core: {masks:.1f} M micro-steps/s with exact masks, {rows:.1f} M with\n"
        f"uint8 observations, {floats:.1f} M with float32; slowest preset {slowest:.1f} M with\n"
        "masks ([all figures](tests/bench/RESULTS.md)).\n\n"
    )
    return said + peers(figures)


def markdown(result: dict[str, Any]) -> str:
    """The page."""
    figures: Figures = result["figures"]
    machine = result["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    parts = [HEAD.format(**machine | {"rounds": result["rounds"], "versions": versions})]
    presets = [
        [f"`{preset}`", *(millions(figures[f"kernel/{preset}/{mode}"]) for mode in MODES)]
        for preset in preset_names()
    ]
    forced = [millions(figures[f"forced/two_deck/{mode}"]) for mode in MODES]
    presets.append(["`two_deck`, forced moves skipped: decisions", *forced])
    head = ["millions of micro-steps/s, 1,024 games", "masks", "+ uint8 rows", "+ float32 rows"]
    parts += ["## Kernels\n", _table(head, presets)]
    rows = []
    for dtype in ("uint8", "float32"):
        row, kernel = figures[f"vector/{dtype}/1"], figures[f"batch/4096/{dtype}"]
        share = row["median"] / kernel["median"]
        rows.append([f"`VectorEnv.step`, 4,096 games, {dtype}", f"{millions(row)} M/s"])
        rows.append(["the same, of the kernel's own speed", f"{share:.0%}"])
    if "vector/two threads" in figures:
        rows.append(["two threads, of one", f"{plain(figures['vector/two threads'], 2)} ×"])
    for name, text in (
        ("aec_raw", "PettingZoo AEC, raw, steps/s"),
        ("aec_wrapped", "PettingZoo AEC, wrapped, steps/s"),
    ):
        rows.append([text, plain(figures[f"face/{name}"], 0)])
    rows.append(["`Game` copy and one action, µs", plain(figures["face/game_copy_step_us"], 2)])
    for policy in ("random", "greedy", "heuristic"):
        row = figures[f"rollout/{policy}"]
        rows.append([f"a whole deal by `{policy}` in a kernel, µs", plain(row)])
    rows.append(["hidden hands (`determinize`), worlds/s", plain(figures["worlds"], 0)])
    rows.append(["start with nothing compiled, s", plain(figures["face/cold_start_s"])])
    rows.append(["start with kernels in the cache, s", plain(figures["face/cached_start_s"])])
    parts += ["## Faces\n", _table(["what", "median (range)"], rows)]
    parts += ["## Others\n", peers(figures), "## Growth\n\n![growth](growth.png)\n"]
    return "\n".join(parts)


def draw(figures: Figures, path: Path) -> None:
    """How cost grows with the batch, and with decks, players and hands."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    for mode in ("mask", "uint8"):
        sizes = sorted(
            int(n.split("/")[1]) for n in figures if n.startswith("batch/") and mode in n
        )
        cost = [1e9 / figures[f"batch/{size}/{mode}"]["median"] for size in sizes]
        left.plot(sizes, cost, marker="o", label="masks" if mode == "mask" else "+ uint8 rows")
    left.set(xscale="log", xlabel="games in the batch", ylabel="ns a micro-step", ylim=(0, None))
    left.set_title("two_deck, by batch")
    left.legend()
    for preset in preset_names():
        rules = load_rules(preset)
        cost = 1e9 / figures[f"kernel/{preset}/mask"]["median"]
        hand = (rules.deck_size - rules.kitty) // rules.players
        right.scatter(hand, cost, s=30 * rules.decks, c=f"C{rules.players - 4}", alpha=0.7)
    for players in range(4, 8):
        right.scatter([], [], c=f"C{players - 4}", label=f"{players} players")
    right.set(xlabel="cards in a hand (dots grow with the decks)", ylabel="ns a micro-step")
    right.set(ylim=(0, 1.1 * right.get_ylim()[1]), title="masks, by preset")
    right.legend()
    temporary = path.with_suffix(".tmp.png")
    figure.savefig(temporary, dpi=110)
    plt.close(figure)
    write_whole(path, temporary.read_bytes())
    temporary.unlink()

"""The table's command line.

python -m agents.play                                   a server on port 8000, and its page
python -m agents.play --agents ckpt:model.zip --port 80 with another agent to play against
python -m agents.play --records runs/games              keeps records, and replays those there
python -m agents.play --text --rules guangzhou          in the terminal
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tuolaji_env.game import Game
from tuolaji_env.rules import RulesError, preset_names

from .lobby import BUILT_IN, Offer
from .words import LANGUAGES


def main(arguments: list[str]) -> int:
    """Run the server or the game in the terminal; returns the exit status."""
    options = _parser().parse_args(arguments)
    offer = Offer(
        agents=(*BUILT_IN, *options.agents),
        adviser=options.adviser,
        houses=tuple(options.house_rules),
        records=options.records,
        valuers=tuple(options.valuers),
    )
    try:
        offer.check()
        if options.text:
            from .text import play_in_terminal

            game = Game(options.rules, options.seed)
            return play_in_terminal(game, options.seat, options.against, options.language)
    except (ValueError, RulesError) as error:
        print(f"agents.play: {error}", file=sys.stderr)
        return 2
    return _serve(offer, options.host, options.port)


def _serve(offer: Offer, host: str, port: int) -> int:
    try:
        import uvicorn

        from .server import build_app
    except ModuleNotFoundError as error:
        print(f"agents.play needs {error.name}: pip install 'tuolaji-env[web]'", file=sys.stderr)
        return 2
    from .lobby import Lobby

    print(f"The table is at http://{host}:{port}/ (end with Ctrl-C)", flush=True)
    uvicorn.run(
        build_app(Lobby(offer)),
        host=host,
        port=port,
        ws="websockets-sansio",
        ws_max_size=65536,
        log_level="warning",
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agents.play", description="Play in a browser or in the terminal."
    )
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets other machines in")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--agents", nargs="*", default=[], metavar="SPEC", help="further agents")
    parser.add_argument("--adviser", default="heuristic", metavar="SPEC", help="suggests plays")
    parser.add_argument(
        "--valuers", nargs="*", default=[], metavar="SPEC", help="value decisions in replays"
    )
    parser.add_argument("--house-rules", nargs="*", default=[], metavar="FILE", help="rule files")
    parser.add_argument("--records", type=Path, metavar="FOLDER", help="kept and replayed here")
    parser.add_argument("--text", action="store_true", help="play in the terminal")
    parser.add_argument("--rules", default="two_deck", help=f"--text: {', '.join(preset_names())}")
    parser.add_argument("--seat", type=int, default=0, help="--text: your seat")
    parser.add_argument("--against", default="heuristic", metavar="SPEC", help="--text: the others")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="--text: its words")
    parser.add_argument("--seed", type=int, default=None, help="--text: of the deal")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

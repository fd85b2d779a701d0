"""The table in a terminal: one person and agents, plays typed in notation."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from tuolaji_env.core.record import BURY, FOLLOW, LEAD
from tuolaji_env.game import Game, Play
from tuolaji_env.games import IllegalActionError
from tuolaji_env.notation import SUITS, NotationError, cards_text

from .choice import Choices
from .messages import Refused
from .reasons import bid_refusal, refusal
from .thinking import Players
from .words import STATIC

Read = Callable[[str], str]
Write = Callable[[str], None]


class Terminal:
    """One game in the terminal. read: asks for a line; write: shows one."""

    def __init__(
        self,
        game: Game,
        seat: int,
        against: str,
        *,
        adviser: str = "heuristic",
        language: str = "en",
        read: Read = input,
        write: Write = print,
    ) -> None:
        if not 0 <= seat < game.rules.players:
            raise ValueError(f"seat: {seat} given; allowed: 0 to {game.rules.players - 1}")
        self.game, self.seat, self.against, self.adviser = game, seat, against, adviser
        self.read, self.write = read, write
        self.players = Players(game.rules, game.seed)
        path = STATIC / "lang" / f"{language}.json"
        self.words: dict[str, str] = json.loads(path.read_text("utf-8"))

    def play(self) -> None:
        """Deal after deal, until the match is over or the person leaves (EOFError)."""
        while True:
            self._deal()
            self.write(self.game.render(self.seat))
            self.write(self._said("result_points", n=self.game.score))
            if self.game.match_over or self.game.episode == "deal":
                return
            self.read(self._said("next_deal") + " ⏎ ")
            self.game.next_deal()

    def _deal(self) -> None:
        game = self.game
        while not game.is_over:
            mover, phase = game.seat, game.phase
            play = self._ask() if mover == self.seat else self.players.decide(self.against, game)
            hidden = phase == "bury" or (phase == "bid" and len(play) == 1)
            hidden |= phase == "bid" and game.rules.hidden_bids
            if mover != self.seat and not hidden:
                self.write(f"  {mover}: {game.play_text(play)}")
            for action in play:
                game.do(action)

    def _ask(self) -> Play:
        """What the person wants to do, once it is legal."""
        game = self.game
        self.write(game.render(self.seat))
        while True:
            line = self.read(f"{self._said(f'text_{game.phase}')} ").strip()
            if line == "?":
                play = self.players.decide(self.adviser, game)
                what = game.play_text(play)
                self.write(self._said("suggests", by=self.adviser, what=what))
                continue
            try:
                return game.verify_play(line or ("-" if game.phase == "bid" else ""))
            except NotationError as error:
                self.write(str(error))
            except IllegalActionError as error:
                self.write(self._why(line, error))

    def _why(self, line: str, error: IllegalActionError) -> str:
        game, phase = self.game, int(self.game.record["phase"])
        reason = None
        if phase in (BURY, LEAD, FOLLOW):
            cards = [action for action in game.actions_of(line) if action < 54]
            reason = refusal(game, Choices(game.batch), cards)
        elif game.phase == "bid":
            reason = bid_refusal(game)
        return self._reason(reason) if reason else str(error)

    def _reason(self, reason: Refused) -> str:
        values: dict[str, Any] = dict(reason.details)
        if "suit" in values:
            values["suit"] = [*SUITS, self.words["trump"]][values["suit"]]
        if "pattern" in values:
            pieces = [
                self._said(f"unit_{w}_tractor" if length > 1 else f"unit_{w}", n=length)
                for w, length in values["pattern"]
            ]
            values["pattern"] = self.words["comma"].join(pieces)
        if "example" in values:
            values["example"] = cards_text(values["example"])
        if "scheme" in values:
            values["scheme"] = self.words[f"bids_{values['scheme']}"]
        clause = f" ({reason.clause})" if reason.clause else ""
        return self._said(reason.code, **values) + clause

    def _said(self, key: str, **values: Any) -> str:
        return self.words[key].format(**values)


def play_in_terminal(game: Game, seat: int, against: str, language: str = "en") -> int:
    """Play until the end, or until the person leaves; returns the exit status."""
    terminal = Terminal(game, seat, against, language=language)
    terminal.write(terminal.words["text_help"])
    try:
        terminal.play()
    except (EOFError, KeyboardInterrupt):
        print(file=sys.stderr)
    return 0

"""The table in text: what `render_mode="ansi"` and `print(game)` show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..cards import suit_of
from ..core.record import BURY, OVER, TRUMP
from ..games import cards_in
from ..notation import cards_text

if TYPE_CHECKING:
    from ..game import Game


def table_text(game: Game, viewer: int | None = None) -> str:
    """Score line, trick, hands by effective suit, trump first.

    viewer: the seat whose knowledge is shown (other hands as numbers of cards); None: everything.
    """
    s, players = game.record, game.rules.players
    lines = [_headline(game)]
    shown = cards_in(s["kitty"]) if viewer in (None, int(s["burier"])) else []
    if game.rules.kitty and int(s["burier"]) >= 0 and int(s["phase"]) != BURY:
        lines.append(f"  kitty {cards_text(shown) if shown else f'{game.rules.kitty} cards'}")
    trick = game.trick()
    if trick:
        plays = [
            f"{seat}{'*' if seat == int(s['winner']) else ''}: {cards_text(cards)}"
            for seat, cards in trick.items()
        ]
        lines.append("  trick   " + "   ".join(plays))
    for seat in range(players):
        marks = "D" if seat == int(s["declarer"]) else " "
        marks += ">" if seat == game.seat and int(s["phase"]) != OVER else " "
        cards = hand_text(game, seat) if viewer in (None, seat) else f"{int(s['held'][seat])} cards"
        lines.append(f"{marks} {seat}  {int(s['taken'][seat]):>3}  {cards}")
    if game.partial and viewer in (None, game.seat):
        lines.append(f"  picked {game.play_text_partial()}")
    return "\n".join(lines)


def hand_text(game: Game, seat: int) -> str:
    """A hand in groups: trumps, then the side suits, each from the highest down."""
    s, table = game.record, game.batch.table[0]
    combo = int(s["combo"])
    power, suits = table["power"][combo], table["suit_of"][combo]
    groups: dict[int, list[int]] = {}
    for kind in game.hand(seat):
        groups.setdefault(int(suits[kind]), []).append(kind)
    words = []
    for suit in (TRUMP, 3, 2, 1, 0):
        cards = sorted(groups.get(suit, []), key=lambda k: (-int(power[k]), -k))
        if cards:
            words.append(_run(cards))
    return "  ".join(words)


def _run(cards: list[int]) -> str:
    """Cards in the order given, a suit symbol wherever the suit changes."""
    text, before = "", None
    for kind in cards:
        word = cards_text([kind])
        suit = suit_of(kind)
        text += word if suit is None or suit != before else word[1:]
        before = suit
    return text


def _headline(game: Game) -> str:
    s: Any = game.record
    parts = [f"{game.rules.name or 'house rules'}: level {game.level}, trump {game.trump}"]
    if int(s["declarer"]) >= 0:
        parts.append(f"declarer {int(s['declarer'])}")
    parts.append(f"others {game.score} points")
    parts.append("deal over" if game.is_over else f"seat {game.seat} to {game.phase}")
    return ", ".join(parts)

"""The table in text: what `render_mode="ansi"` and `print(game)` show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..cards import suit_of
from ..notation import cards_text
from .scene import Chair, Scene, scene

if TYPE_CHECKING:
    from ..game import Game


def table_text(game: Game, viewer: int | None = None) -> str:
    """Score line, trick, hands by effective suit, trump first.

    viewer: the seat whose knowledge is shown (other hands as numbers of cards); None: everything.
    """
    table = scene(game, viewer)
    lines = [_headline(table)]
    if table.kitty_size:
        shown = cards_text(table.kitty) if table.kitty else f"{table.kitty_size} cards"
        lines.append(f"  kitty {shown}")
    if trick := game.trick():
        plays = [
            f"{seat}{'*' if table.chairs[seat].wins else ''}: {cards_text(cards)}"
            for seat, cards in trick.items()
        ]
        lines.append("  trick   " + "   ".join(plays))
    lines += [_hand_line(chair) for chair in table.chairs]
    if game.partial and viewer in (None, game.seat):
        lines.append(f"  picked {game.play_text_partial()}")
    return "\n".join(lines)


def _hand_line(chair: Chair) -> str:
    marks = ("D" if chair.declarer else " ") + (">" if chair.turn else " ")
    cards = f"{chair.held} cards" if chair.hand is None else hand_text(chair.hand)
    return f"{marks} {chair.seat}  {chair.points:>3}  {cards}"


def hand_text(hand: Iterable[Iterable[int]]) -> str:
    """A hand in groups, each in the order given, a suit symbol wherever the suit changes."""
    return "  ".join(map(_run, hand))


def _run(cards: Iterable[int]) -> str:
    text, before = "", None
    for kind in cards:
        word = cards_text([kind])
        suit = suit_of(kind)
        text += word if suit is None or suit != before else word[1:]
        before = suit
    return text


def _headline(table: Scene) -> str:
    parts = [f"{table.rules}: level {table.level}, trump {table.trump or 'open'}"]
    declarer = next((chair.seat for chair in table.chairs if chair.declarer), None)
    if declarer is not None:
        parts.append(f"declarer {declarer}")
    parts.append(f"others {table.points} points")
    if table.phase == "over":
        parts.append(f"deal over: {table.result}")
    else:
        parts.append(table.phase if table.turn is None else f"seat {table.turn} to {table.phase}")
    return ", ".join(parts)

"""The text of cards, plays, bids, calls, actions, levels and trumps: one way to write it.

Cards are a suit and its ranks, ``♠3344``; ☆ is the small joker, ★ the big one. A reader also takes
``d c h s`` for suits, ``w W`` for the jokers, ``T`` for 10, white suits, and blanks between cards.
Every writer has a reader that gives back the same thing and raises :class:`NotationError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .cards import (
    BIG_JOKER,
    LEVEL_NAMES,
    NO_TRUMP,
    NUM_KINDS,
    NUM_RANKS,
    RANK_NAMES,
    SMALL_JOKER,
    kind_of,
)
from .core.record import END, ORDINAL, TRUMP_OF

SUITS = "♦♣♥♠"
JOKERS = "☆★"
TRUMPS = (*SUITS, "NT")  # by trump: the suits, then no trump
ORDINALS = tuple(f"#{copy}" for copy in range(1, 1 + TRUMP_OF - ORDINAL))

_SUIT = {name: suit for names in (SUITS, "♢♧♡♤", "dchs") for suit, name in enumerate(names)}
_JOKER = {name: SMALL_JOKER + big for names in (JOKERS, "wW") for big, name in enumerate(names)}
_RANK = {name: rank for rank, name in enumerate(RANK_NAMES)} | {"T": RANK_NAMES.index("10")}
_TOKEN = re.compile("10|[^\\s\ufe0f]")  # U+FE0F only asks for a coloured picture of a suit

_A_CARD = "a suit ♦ ♣ ♥ ♠ (d c h s) and its ranks 2 … 10 (T) J Q K A, ☆ (w) or ★ (W)"


class NotationError(ValueError):
    """A text that cannot be read: quotes it, and says where and what is allowed there.

    ``text`` is the whole text, ``position`` the index of the first character that does not fit.
    """

    def __init__(self, text: str, position: int, allowed: str) -> None:
        super().__init__(text, position, allowed)
        self.text, self.position, self.allowed = text, position, allowed

    def __str__(self) -> str:
        found = repr(self.text[self.position]) if self.position < len(self.text) else "the end"
        return f"{self.text!r}: {found} at position {self.position}; allowed: {self.allowed}"


def cards_text(cards: Iterable[int]) -> str:
    """Cards in ascending order of kinds, each suit named once: ``♥1010J♠A☆``; of none, empty."""
    text, current = "", -1
    for kind in sorted(cards):
        if not 0 <= kind < NUM_KINDS:
            raise ValueError(f"{kind} is no kind; allowed: 0 to {NUM_KINDS - 1}")
        suit, rank = divmod(kind, NUM_RANKS)
        if kind >= SMALL_JOKER:
            text += JOKERS[kind - SMALL_JOKER]
        else:
            text += ("" if suit == current else SUITS[suit]) + RANK_NAMES[rank]
        current = suit
    return text


def parse_cards(text: str) -> tuple[int, ...]:
    """The kinds of the cards in a text, ascending. An empty text has none."""
    return _cards(text, 0, len(text))


def _cards(text: str, start: int, end: int) -> tuple[int, ...]:
    kinds: list[int] = []
    suit: int | None = None
    bare = False  # a suit is still without a rank
    for match in _TOKEN.finditer(text, start, end):
        token = match[0]
        if token in _RANK and suit is not None:
            kinds.append(kind_of(suit, _RANK[token]))
            bare = False
        elif bare:
            raise NotationError(text, match.start(), "the ranks of the suit, 2 … 10 (T) J Q K A")
        elif token in _SUIT:
            suit, bare = _SUIT[token], True
        elif token in _JOKER:
            kinds.append(_JOKER[token])
            suit = None
        else:
            raise NotationError(text, match.start(), _A_CARD)
    if bare:
        raise NotationError(text, end, "the ranks of the suit, 2 … 10 (T) J Q K A")
    return tuple(sorted(kinds))


def _card(text: str, end: int) -> int:
    cards = _cards(text, 0, end)
    if len(cards) != 1:
        raise NotationError(text, 0 if cards else end, f"one card: {_A_CARD}")
    return cards[0]


def level_text(level: int) -> str:
    """A level rank 0 … 12 by its name, ``NO_LEVEL`` (13) as ``NT``."""
    return _name(LEVEL_NAMES, level, "level")


def parse_level(text: str) -> int:
    """The level rank 0 … 12 of a rank's name, or ``NO_LEVEL`` (13) for ``NT``."""
    return _RANK["T"] if text.strip() == "T" else _choice(text, 0, LEVEL_NAMES)


def trump_text(trump: int) -> str:
    """A trump suit 0 … 3 as its symbol, ``NO_TRUMP`` (4) as ``NT``."""
    return _name(TRUMPS, trump, "trump")


def parse_trump(text: str) -> int:
    """The trump suit 0 … 3 of a symbol, or ``NO_TRUMP`` (4) for ``NT``."""
    return _trump(text, 0)


def _trump(text: str, start: int) -> int:
    name = text[start:].strip().removesuffix("\ufe0f")
    return _SUIT[name] if name in _SUIT else _choice(text, start, TRUMPS)


def _name(names: tuple[str, ...], number: int, what: str, first: int = 0) -> str:
    if not first <= number < first + len(names):
        raise ValueError(f"{number} is no {what}; allowed: {first} to {first + len(names) - 1}")
    return names[number - first]


def _choice(text: str, start: int, names: tuple[str, ...]) -> int:
    name = text[start:].strip()
    if name not in names:
        raise NotationError(text, start, " ".join(names))
    return names.index(name)


PASS = "-"


def bid_text(cards: Iterable[int], trump: int | None = None) -> str:
    """A bid by its cards, and its trump where that is free: ``♠22``, ``☆★★=♥``; ``-`` is a pass.

    ``trump`` is 0 … 3, ``NO_TRUMP`` (4), or None where the cards decide. No cards: a pass.
    """
    shown = sorted(cards)
    if not shown:
        if trump is not None:
            raise ValueError("a pass names no trump")
        return PASS
    text = cards_text(shown)
    return text if trump is None else f"{text}={trump_text(trump)}"


def parse_bid(text: str) -> tuple[tuple[int, ...], int | None]:
    """The cards a bid shows, ascending (none: a pass), and the trump it names, if it does."""
    if text.strip() == PASS:
        return (), None
    end = text.find("=")
    cards = _cards(text, 0, len(text) if end < 0 else end)
    if not cards:
        raise NotationError(text, 0, f"{PASS} or cards, and =♦ =♣ =♥ =♠ =NT where trump is free")
    return cards, None if end < 0 else _trump(text, end + 1)


def call_text(kind: int, ordinal: int) -> str:
    """A friend call (R9.1): the kind and which of its copies counts, from 1: ``♠A#2``."""
    return cards_text((kind,)) + _name(ORDINALS, ordinal, "ordinal", first=1)


def parse_call(text: str) -> tuple[int, int]:
    """The kind and the ordinal (1 … 4) of a friend call."""
    end = text.find("#")
    if end < 0:
        raise NotationError(text, len(text), "# and the ordinal of the copy, as in ♠A#2")
    return _card(text, end), 1 + _choice(text, end, ORDINALS)


_ACTIONS = (
    *(cards_text((kind,)) for kind in range(BIG_JOKER + 1)),
    "END",
    *ORDINALS,
    *(f"={SUITS[suit]}" for suit in range(NO_TRUMP)),
)


def action_text(action: int) -> str:
    """An action by its id: 0 … 53 a card, 54 ``END``, 55 … 58 ``#1`` …, 59 … 62 ``=♦`` …."""
    return _name(_ACTIONS, action, "action")


def parse_action(text: str) -> int:
    """The id of an action's text."""
    word = text.strip()
    if word == "END":
        return END
    if word.startswith("#"):
        return ORDINAL + _choice(text, 0, ORDINALS)
    if word.startswith("="):
        start = text.index("=") + 1
        trump = _trump(text, start)
        if trump == NO_TRUMP:
            raise NotationError(text, start, "♦ ♣ ♥ ♠; a free bid for no trump finishes with END")
        return TRUMP_OF + trump
    return _card(text, len(text))

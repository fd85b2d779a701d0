"""What a table shows, to everybody or to one seat: the one source of all pictures and texts.

A scene for a seat is made of its `View`, so that nothing hidden can be shown to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..cards import NUM_KINDS
from ..core.record import BID, BURY, LEAD, NO_BIDS, OVER, TRUMP
from ..games import cards_in
from ..notation import level_text, trump_text
from ..view import View, tricks_of
from . import check_viewer

if TYPE_CHECKING:
    from ..game import Game

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Chair:
    """A seat: its cards in groups, trumps first, each from the highest down (None: not shown).

    played: the cards before it, of this trick, or of the one before until there is a lead, or
    shown in bids; secret: cards of a bid that are not told; ally: known to be with the declarer.
    """

    seat: int
    name: str
    level: str
    points: int
    held: int
    hand: tuple[Cards, ...] | None
    picked: Cards
    played: Cards
    secret: int
    wins: bool
    turn: bool
    declarer: bool
    ally: bool


@dataclass(frozen=True)
class Scene:
    """A table. Points are the non-declarers', `takeover` those at which they declare next.

    chairs: by seat; trump: a suit, `NT`, or empty until it is settled; failed: a throw failed in
    the trick on the table; bidder: who made the standing bid, with its cards; calls: friend cards
    as (kind, which copy, who was found by it: None, nobody yet); result: how the deal ended.
    """

    rules: str
    viewer: int | None
    phase: str
    level: str
    trump: str
    points: int
    takeover: int
    deal: int
    trick: int
    failed: bool
    kitty: Cards | None
    kitty_size: int
    bidder: int | None
    bid: Cards
    calls: tuple[tuple[int, int, int | None], ...]
    chairs: tuple[Chair, ...]
    trumps: frozenset[int]
    result: str

    @property
    def turn(self) -> int | None:
        """The seat that is to act, if that is known."""
        return next((chair.seat for chair in self.chairs if chair.turn), None)

    @property
    def status(self) -> str:
        """What is going on, in words."""
        if self.phase == "over":
            return self.result
        doing = {"bid": "bidding", "bury": "burying", "call": "calling", "lead": "leading"}
        what = doing.get(self.phase, "following")
        return what if self.turn is None else f"{self.chairs[self.turn].name} is {what}"


def scene(game: Game, viewer: int | None = None, names: Sequence[str] | None = None) -> Scene:
    """The table as it is, all open, or as a seat sees it. names: the players', by seat."""
    check_viewer(viewer, game.rules.players)
    if names is not None and len(names) != game.rules.players:
        raise ValueError(f"names: {len(names)} given; allowed: {game.rules.players}")
    view = None if viewer is None else View(game.batch, 0, viewer)
    s = game.record if view is None else view.record
    rules, players = game.rules, game.rules.players
    phase, over = int(s["phase"]), int(s["phase"]) == OVER
    bidding = phase == BID and int(s["burier"]) < 0
    tricks = tricks_of(s, players)
    names = names or [f"seat {seat}" for seat in range(players)]
    shown = {seat: _shown(s, view, seat) for seat in range(players)}
    on_table = dict(tricks[-1].plays) if tricks else shown if phase < LEAD else {}
    bidder = int(s["bid_seat"])
    kitty = cards_in(s["kitty"])
    chairs = tuple(
        Chair(
            seat=seat,
            name=names[seat],
            level=rules.ladder[int(s["level"][seat])],
            points=int(s["taken"][seat]),
            held=int(s["held"][seat]),
            hand=groups(game, cards_in(s["hand"][seat])) if viewer in (None, seat) else None,
            picked=_picked(game, s, seat) if viewer in (None, seat) else (),
            played=on_table.get(seat, ()),
            secret=_secret(s, view, seat) if phase < LEAD else 0,
            wins=bool(tricks) and seat == int(s["leader" if phase == LEAD else "winner"]),
            turn=not over and seat == int(s["seat"]),
            declarer=seat == int(s["declarer"]),
            ally=int(s["side"][seat]) == 0 and 0 <= int(s["declarer"]) != seat,
        )
        for seat in range(players)
    )
    return Scene(
        rules=rules.name or "house rules",
        viewer=viewer,
        phase=game.phase,
        level=level_text(int(s["level_rank"])),
        trump="" if bidding else trump_text(int(s["trump"])),
        points=game.score,
        takeover=rules.takeover,
        deal=int(s["deal"]) + (not over),
        trick=len(tricks),
        failed=bool(tricks) and tricks[-1].failed,
        kitty=tuple(kitty) if kitty else None,
        kitty_size=rules.kitty if int(s["burier"]) >= 0 and phase != BURY else 0,
        bidder=bidder if bidder >= 0 else None,
        bid=shown.get(bidder, ()),
        calls=_calls(s),
        chairs=chairs,
        trumps=_trumps(game),
        result=_result(game, chairs) if over else "",
    )


def groups(game: Game, cards: Sequence[int]) -> tuple[Cards, ...]:
    """Cards in groups by effective suit: trumps, then ♠ ♥ ♣ ♦, each from the highest down."""
    table, combo = game.batch.table[0], int(game.record["combo"])
    power, suits = table["power"][combo], table["suit_of"][combo]
    found: dict[int, list[int]] = {}
    for kind in cards:
        found.setdefault(int(suits[kind]), []).append(kind)
    return tuple(
        tuple(sorted(found[suit], key=lambda kind: (-int(power[kind]), -kind)))
        for suit in (TRUMP, 3, 2, 1, 0)
        if suit in found
    )


def _trumps(game: Game) -> frozenset[int]:
    suits = game.batch.table[0]["suit_of"][int(game.record["combo"])]
    return frozenset(kind for kind in range(NUM_KINDS) if int(suits[kind]) == TRUMP)


def _picked(game: Game, s: Any, seat: int) -> Cards:
    """What a seat has picked for its decision; a friend call picks no card of its own."""
    mine = seat == int(s["seat"]) and game.phase not in ("call", "over")
    return tuple(cards_in(s["pick"])) if mine else ()


def _shown(s: Any, view: View | None, seat: int) -> Cards:
    return tuple(cards_in(s["shown"][seat])) if view is None else view.shown(seat)


def _secret(s: Any, view: View | None, seat: int) -> int:
    """Cards of a bid of which only the number is told."""
    return len(cards_in(s["shown"][seat])) - len(_shown(s, view, seat))


def _calls(s: Any) -> tuple[tuple[int, int, int | None], ...]:
    calls = range(int(s["calls"]))
    found = [int(s["call_seat"][i]) for i in calls]
    return tuple(
        (int(s["call_kind"][i]), int(s["call_ordinal"][i]), found[i] if found[i] >= 0 else None)
        for i in calls
    )


def _result(game: Game, chairs: tuple[Chair, ...]) -> str:
    s = game.record
    if int(s["ended"]) == NO_BIDS:
        return "nobody bid"
    won = [chair.seat for chair in chairs if int(s["winners"]) >> chair.seat & 1]
    side = "the others" if any(s["side"][seat] for seat in won) else "the declarer's side"
    rise = max((int(s["rise"][seat]) for seat in won), default=0)
    levels = "level" if rise == 1 else "levels"
    return f"{side} won" + (f" and rose {rise} {levels}" if rise else "")

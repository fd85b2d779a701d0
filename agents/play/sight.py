"""What one seat, or somebody who looks on, is told of a game, as plain values for JSON.

Everything is read from the seat's own `View`, in which whatever is hidden is blank.  Somebody who
looks on gets the view of a seat that has no part in the decision, its hand left out.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from tuolaji_env.cards import POINTS
from tuolaji_env.core.record import NO_LEVEL, NO_TRUMP, NOT_ENDED, OVER, TRUMP
from tuolaji_env.game import PHASES, Game
from tuolaji_env.games import cards_in
from tuolaji_env.notation import level_text
from tuolaji_env.view import View

from .drawing import Drawing, bids_made

UNKNOWN = -1
_BLACK, _RED = (3, 1), (2, 0)


def sorted_hand(table: Any, combo: int, cards: list[int]) -> list[list[int]]:
    """Cards by effective suit, trump first, colours in turn, each from the highest down."""
    suit_of, power = table[0]["suit_of"][combo], table[0]["power"][combo]
    groups: dict[int, list[int]] = {}
    for kind in cards:
        groups.setdefault(int(suit_of[kind]), []).append(kind)
    black, red = ([suit for suit in suits if suit in groups] for suits in (_BLACK, _RED))
    both = zip_longest(*((red, black) if len(red) > len(black) else (black, red)))
    order = [TRUMP, *(suit for pair in both for suit in pair if suit is not None)]
    return [
        sorted(groups[suit], key=lambda kind: (-int(power[kind]), -kind))
        for suit in order
        if suit in groups
    ]


def drawing_sight(game: Game, drawing: Drawing, seat: int | None) -> dict[str, Any]:
    """While cards are dealt and bids are made: own cards so far, and the bids."""
    players, level = game.rules.players, drawing.level_rank
    bids = _told_bids(game, seat)
    trump = bids[-1]["trump"] if bids else UNKNOWN
    combo = level * (NO_TRUMP + 1) + (trump if trump >= 0 else NO_TRUMP)
    hand = [] if seat is None else drawing.hand(seat)
    sides = game.rules.teams == "fixed" and drawing.declarer >= 0
    return {
        "phase": "bid",
        "level": _level(game, level),
        "trump": trump,
        "declarer": drawing.declarer,
        "hand": sorted_hand(game.batch.table, combo, hand),
        "held": [drawing.rounds] * players,
        "bids": bids,
        "score": 0,
        "taken": [0] * players,
        "sides": [(p - drawing.declarer) % 2 if sides else UNKNOWN for p in range(players)],
        "turn": UNKNOWN,
    } | _standings(game)


def playing_sight(game: Game, seat: int | None, bidding: bool = False) -> dict[str, Any]:
    """From the first bury on.  bidding: whether the table waits for bids after a bury (R8.7)."""
    s = game.record
    view = View(game.batch, 0, _bystander(s, game.rules.players) if seat is None else seat)
    r = view.record
    over = int(r["phase"]) == OVER
    combo, players = int(r["combo"]), game.rules.players
    kitty = cards_in(s["kitty"]) if over else [] if seat is None else list(view.kitty or ())
    tricks = view.tricks
    current = tricks[-1] if tricks and len(tricks) > int(r["tricks"]) else None
    past = tricks[-2] if current and len(tricks) > 1 else tricks[-1] if tricks else None
    return {
        "phase": "bid" if bidding else PHASES[int(s["phase"])],
        "level": _level(game, int(s["level_rank"])),
        "trump": int(s["trump"]),
        "declarer": int(s["declarer"]),
        "burier": int(s["burier"]),
        "hand": sorted_hand(view.table, combo, [] if seat is None else list(view.hand)),
        "held": r["held"][:players].tolist(),
        "bids": bids_made(s),
        "score": game.score,
        "taken": r["taken"][:players].tolist(),
        "fined": r["fined"][:players].tolist(),
        "sides": _sides(game),
        "turn": UNKNOWN if bidding or over else int(s["seat"]),
        "trick": None if current is None else _trick(view, current.plays, int(r["winner"])),
        "last": None if past is None else _trick(view, past.plays, _taker(game, tricks, past)),
        "tricks": int(r["tricks"]),
        "failed": bool(current and current.failed),
        "exposed": [_sorted(view, list(view.exposed(p))) for p in range(players)],
        "kitty": _sorted(view, kitty),
        "flipped": cards_in(s["flipped"]),
        "calls": _calls(s),
    } | _standings(game)


def _sorted(view: View, cards: list[int]) -> list[int]:
    groups = sorted_hand(view.table, int(view.record["combo"]), cards) if cards else []
    return [kind for group in groups for kind in group]


def _trick(view: View, plays: Any, winner: int) -> dict[str, Any]:
    told = [[seat, _sorted(view, list(cards))] for seat, cards in plays]
    worth = sum(int(POINTS[kind]) for _, cards in plays for kind in cards)
    return {"plays": told, "winner": winner, "points": worth}


def _taker(game: Game, tricks: Any, trick: Any) -> int:
    """Who took a trick: the leader of the next, or the winner of the last."""
    at = tricks.index(trick) + 1
    if at < len(tricks):
        return int(tricks[at].leader)
    s = game.record
    return int(s["winner"] if int(s["phase"]) == OVER else s["leader"])


def _bystander(s: Any, players: int) -> int:
    """A seat that knows nothing special: it neither buried nor is to act."""
    parties = {int(s["seat"]), int(s["burier"])}
    return next(p for p in range(players) if p not in parties)


def _told_bids(game: Game, seat: int | None) -> list[dict[str, Any]]:
    """The bids while bidding is on, as a seat knows them (R8.6): the core may be further on."""
    s = game.record
    bids = bids_made(s)
    if not game.rules.hidden_bids:
        return bids
    told = [bid | {"cards": [UNKNOWN] * len(bid["cards"]), "trump": UNKNOWN} for bid in bids]
    if told and told[-1]["seat"] == seat:
        cards = [int(s["bid_kind"])] * len(told[-1]["cards"])
        told[-1] |= {"cards": cards, "trump": int(s["bid_trump"])}
    return told


def _level(game: Game, rank: int) -> str:
    """The level rank; empty where the bidding of friends is to find it (R9.3)."""
    unknown = rank == NO_LEVEL and "NT" not in game.rules.ladder
    return "" if unknown else level_text(rank)


def _sides(game: Game) -> list[int]:
    """By seat: 0 with the declarer, 1 against him, -1 not known yet."""
    s, players = game.record, game.rules.players
    sides: list[int] = s["side"][:players].tolist()
    friends = game.rules.teams == "friends"
    if friends and int(s["ended"]) == NOT_ENDED:
        found = all(int(s["call_left"][i]) == 0 for i in range(int(s["calls"])))
        if not found or int(s["calls"]) < game.rules.friends_called:
            return [0 if side == 0 else UNKNOWN for side in sides]
    return sides


def _calls(s: Any) -> list[dict[str, int]]:
    return [
        {
            "kind": int(s["call_kind"][i]),
            "ordinal": int(s["call_ordinal"][i]),
            "seat": int(s["call_seat"][i]),
        }
        for i in range(int(s["calls"]))
    ]


def _standings(game: Game) -> dict[str, Any]:
    """Levels, deals played, and after a deal its result."""
    s, players, ladder = game.record, game.rules.players, game.rules.ladder
    standings: dict[str, Any] = {
        "levels": [ladder[int(place)] for place in s["level"][:players]],
        "deal": int(s["deal"]) + (int(s["phase"]) != OVER),
        "redeals": int(s["redeals"]),
        "result": None,
    }
    if int(s["phase"]) == OVER:
        standings["result"] = {
            "score": int(s["score"]),
            "capture": int(s["capture"]),
            "ended": int(s["ended"]),
            "winners": _bits(int(s["winners"]), players),
            "rise": s["rise"][:players].tolist(),
            "match_over": bool(s["match_over"]),
            "match_winners": _bits(int(s["match_winners"]), players),
        }
    return standings


def _bits(word: int, players: int) -> list[int]:
    return [seat for seat in range(players) if word >> seat & 1]

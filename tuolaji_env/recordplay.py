"""Deals played again: to note what was done in them, and to compare what is stated of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from .cards import LevelName
from .core.record import NO_BIDS, REVOKED
from .game import Game
from .games import IllegalActionError
from .gametext import deck_text
from .notation import cards_text, parse_cards
from .recordparts import Deal, Decision, Deck, Failed, Part, Phase, RecordError, Result
from .view import tricks_of

_ENDS = {NO_BIDS: "no_bids", REVOKED: "revoked"}


class Moment(NamedTuple):
    """A game before a decision of a deal, both counted from 0; after the last one at its end."""

    game: Game
    deal: int
    number: int


def deal_of(game: Game, plays: Sequence[Sequence[int]]) -> Deal:
    """Play a deal's decisions in a game at its beginning, and note them."""
    begun = _begun(game)
    decks, decisions, deck = [], [], b""
    for number, play in enumerate([*plays, ()]):
        if (lies := game.record["deck"].tobytes()) != deck:
            decks.append(Deck(at=number, cards=deck_text(_deck(game))))
            deck = lies
        if play:
            decision, failed = _decision(game, play), do_play(game, play)
            decisions.append(decision.model_copy(update={"failed": failed}))
    return Deal(
        **begun,
        decks=tuple(decks),
        decisions=tuple(decisions),
        result=_result(game) if game.is_over else None,
    )


def replayed(game: Game, deal: Deal, number: int) -> Iterator[Moment]:
    """Play a deal again, comparing all that is stated."""
    for part, value in _begun(game).items():
        agree(getattr(deal, part), value, (number, part, 0))
    decks = {deck.at: at for at, deck in enumerate(deal.decks)}
    lies, stated = b"", -1
    for at, decision in enumerate([*deal.decisions, None]):
        stated = decks.get(at, stated)
        if lies != game.record["deck"].tobytes() or at in decks:
            _agree_deck(game, deal.decks[max(stated, 0)], (number, "decks", max(stated, 0)))
            lies = game.record["deck"].tobytes()
        yield Moment(game, number, at)
        if decision is not None:
            _make(game, decision, (number, "decisions", at))
    result = _result(game) if game.is_over else None
    agree(deal.result, result, (number, "result", 0))


def _make(game: Game, decision: Decision, place: tuple[int, str, int]) -> None:
    """Make a decision that must be legal now."""
    if game.is_over:
        raise RecordError(f"{decision.play}: the deal is over", place)
    facts = {"seat": game.seat, "phase": _phase(game), "drawn": _drawn(game)}
    for name, value in facts.items():
        agree(getattr(decision, name), value, place, f"{name} of {decision.play}")
    try:
        play = game.verify_play(decision.play)
    except ValueError as error:  # notation or rules
        raise RecordError(_blame(error), place) from None
    if (text := game.play_text(play)) != decision.play:
        raise RecordError(f"{decision.play!r} is written {text!r}", place)
    failed = do_play(game, play)
    if decision.failed is not None:
        agree(decision.failed, failed, place, f"the throw {decision.play}")


def do_play(game: Game, play: Sequence[int]) -> Failed | None:
    """Make a legal decision; what came of it if it was a throw that failed (R5.3)."""
    leads, seat, fined = game.phase == "lead", game.seat, game.record["fined"].copy()
    for action in play:
        game.do(action)
    tricks = tricks_of(game.record, game.rules.players) if leads else ()
    if not tricks or not tricks[-1].failed:
        return None
    penalty = int(game.record["fined"][seat]) - int(fined[seat])
    return Failed(led=cards_text(tricks[-1].plays[0][1]), penalty=penalty)


def _blame(error: ValueError) -> str:
    """An error without what it says of batches."""
    text = str(error)
    return text.removeprefix("game 0, ") if isinstance(error, IllegalActionError) else text


def agree(stated: Any, value: Any, place: tuple[int, str, int], what: str = "") -> None:
    if stated != value:
        what = what or place[1]
        raise RecordError(f"{what}: {_shown(stated)} stated; it is {_shown(value)}", place)


def _shown(value: Any) -> str:
    if isinstance(value, Part):
        return " ".join(f"{name} {_shown(part)}" for name, part in value)
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def _agree_deck(game: Game, deck: Deck, place: tuple[int, str, int]) -> None:
    try:
        stated = [kind for word in deck.cards.split() for kind in parse_cards(word)]
    except ValueError as error:
        raise RecordError(f"deck: {error}", place) from None
    dealt = _deck(game)
    if len(stated) != len(dealt):
        raise RecordError(f"deck: {len(stated)} cards stated; there are {len(dealt)}", place)
    for at, (card, right) in enumerate(zip(stated, dealt, strict=True)):
        if card != right:
            said, is_it = deck_text([card]), deck_text([right])
            raise RecordError(f"deck: card {at + 1} is {said} as stated; it is {is_it}", place)


# --- what a game shows ------------------------------------------------------------------------


def _begun(game: Game) -> dict[str, Any]:
    declarer = int(game.record["declarer"])
    return {
        "levels": _levels(game),
        "declarer": None if declarer < 0 else declarer,
        "first_drawer": int(game.record["first_drawer"]),
    }


def _levels(game: Game) -> tuple[LevelName, ...]:
    ladder = game.rules.ladder
    return tuple(ladder[int(place)] for place in game.record["level"][: game.rules.players])


def _deck(game: Game) -> list[int]:
    cards: list[int] = game.record["deck"][: game.rules.deck_size].tolist()
    return cards


def _phase(game: Game) -> Phase:
    return "play" if game.phase in ("lead", "follow") else cast(Phase, game.phase)


def _drawn(game: Game) -> int | None:
    return int(game.record["drawn"]) if game.phase == "bid" else None


def _decision(game: Game, play: Sequence[int]) -> Decision:
    return Decision(
        seat=game.seat, phase=_phase(game), play=game.play_text(play), drawn=_drawn(game)
    )


def _seats(bits: Any) -> tuple[int, ...]:
    return tuple(seat for seat in range(7) if int(bits) >> seat & 1)


def _result(game: Game) -> Result:
    s, players = game.record, game.rules.players
    declarer = int(s["declarer"])
    return Result.model_validate(
        {
            "ended": _ENDS.get(int(s["ended"]), "played"),
            "declarer": None if declarer < 0 else declarer,
            "trump": game.trump,
            "score": game.score,
            "winners": _seats(s["winners"]),
            "rise": tuple(int(rise) for rise in s["rise"][:players]),
            "levels": _levels(game),
        }
    )


def match_winners(game: Game) -> tuple[int, ...] | None:
    over = game.episode == "match" and game.is_over and game.match_over
    return _seats(game.record["match_winners"]) if over else None

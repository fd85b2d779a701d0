"""Games and positions as text: what `repr(game)` shows and reads back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .core import batch
from .game import Game
from .games import Episode, check_choice
from .notation import cards_text, parse_cards, parse_trump, trump_text
from .rules import Rules, load_rules, preset_names
from .rulesfile import is_path
from .setup import OPTIONS, ladder_place, planes_of, seat_of

_GAME = ("rules", "episode", "seed", *OPTIONS, "plays")
_SEATS = ("declarer", "first_drawer")
_NONE = "none"
_POSITION = ("level", "trump", "declarer", "leader", "hands", "kitty", "taken", "trick")


class GameTextError(ValueError):
    """Text that describes no game: names the field, what it has, and what is allowed."""


def game_text(game: Game) -> str:
    """A game in one line: rules, seed, options, and all decisions; deals are parted by `/`.

    ``tuolaji 1; rules two_deck; episode match; seed 7; plays - ♠2 … ♠A ♠3 ♠5 ♠K +♦3``: a last word
    with + is a decision that has only begun.
    """
    if game.position is not None:
        raise GameTextError("position: a game set up from one has no seed; keep the position")
    fields = [f"rules {rules_text(game.rules)}", f"episode {game.episode}", f"seed {game.seed}"]
    fields += [f"{name} {text}" for name, text in options_text(game.options).items()]
    deals = " / ".join(" ".join(words) for words in _words(game))
    partial = f" +{cards_text(game.partial)}" if game.partial else ""
    return f"tuolaji 1; {'; '.join(fields)}; plays {deals}{partial}".rstrip()


def _words(game: Game) -> Iterator[list[str]]:
    replay = Game(game.rules, game.seed, episode=game.episode, **game.options)
    for number, plays in enumerate(game.history):
        if number:
            replay.next_deal()
        words = []
        for play in plays:
            words.append(replay.play_text(play))
            for action in play:
                replay.do(action)
        yield words


def read_game(text: str) -> Game:
    """The game of `game_text`. Raises GameTextError, NotationError or IllegalActionError."""
    head, _, rest = text.partition(";")
    if head.split() != ["tuolaji", "1"]:
        raise GameTextError(f"game: begins with {head!r}; allowed: 'tuolaji 1'")
    fields = _fields(rest, "game", _GAME, required=_GAME[:3])
    options = parse_options({name: fields[name] for name in OPTIONS if name in fields})
    rules = parse_rules(fields["rules"])
    episode = check_choice("episode", fields["episode"], Episode)
    game = Game(rules, int(fields["seed"]), episode=episode, **options)
    for number, deal in enumerate(fields.get("plays", "").split("/")):
        if number:
            game.next_deal()
        for word in deal.split():
            if word.startswith("+"):
                for kind in parse_cards(word[1:]):
                    game.do(kind)
            else:
                game.play(word)
    return game


def read_position(text: str, rules: str | Rules = "two_deck") -> Game:
    """A game in the middle of a deal.

    ``level 5; trump ♥; declarer 0; leader 1; hands ♠AA ♥3 | ♠K … | … | …; kitty ♦5…; taken 0 10 0
    5; trick ♠33, ♠44``: hands are those at the start of the trick, `trick` lists the plays made in
    it from the leader on, `taken` the points by seat; the last three may be left out.
    """
    fields = _fields(text, "position", _POSITION, required=_POSITION[:5])
    game = Game(rules, 0, levels=fields["level"])
    games, players = game.batch, game.rules.players
    batch.prepare(games.table, games.records, 0, True)
    record = games.records[0]
    record["level"][:] = ladder_place(fields["level"], game.rules)
    record["declarer"] = seat_of("declarer", int(fields["declarer"]), game.rules)
    record["trump"] = parse_trump(fields["trump"])
    hands = [parse_cards("".join(hand.split())) for hand in fields["hands"].split("|")]
    if len(hands) != players or len({len(hand) for hand in hands}) > 1 or not hands[0]:
        sizes = [len(hand) for hand in hands]
        raise GameTextError(f"hands: {sizes} cards given; allowed: {players} hands of one size")
    for seat, hand in enumerate(hands):
        record["hand"][seat] = planes_of(hand)
    record["kitty"] = planes_of(parse_cards("".join(fields.get("kitty", "").split())))
    leader = seat_of("leader", int(fields["leader"]), game.rules)
    batch.start_from_lead(games.table, games.records, leader)
    taken = [int(points) for points in fields.get("taken", "").split()]
    record["taken"][: len(taken)] = taken
    game.position = text
    for play in filter(None, (play.strip() for play in fields.get("trick", "").split(","))):
        game.play(play)
    return game


def _fields(text: str, what: str, names: Sequence[str], required: Sequence[str]) -> dict[str, str]:
    found = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, _, value = part.partition(" ")
        if name not in names:
            raise GameTextError(f"{what}: {name!r} is not known; allowed: {', '.join(names)}")
        found[name] = value.strip()
    if missing := [name for name in required if name not in found]:
        raise GameTextError(f"{what}: {missing[0]} is missing; needed: {', '.join(required)}")
    return found


def rules_text(rules: Rules) -> str:
    """A preset's name, or the fields that differ from the defaults as JSON."""
    if rules.name in preset_names() and load_rules(rules.name).digest == rules.digest:
        return rules.name
    return rules.model_dump_json(exclude_defaults=True)


def parse_rules(text: str) -> Rules:
    """The rules of `rules_text`; no files are read. Raises RulesError or GameTextError."""
    if not text.startswith("{"):
        if is_path(text):
            raise GameTextError(f"rules: {text!r} is a file; allowed: a preset, or fields as JSON")
        return load_rules(text)
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GameTextError(f"rules: {error}") from None
    return load_rules(fields)


def options_text(options: Mapping[str, Any]) -> dict[str, str]:
    """The options of `Game.reset` that say something, each in words."""
    return {name: _option_text(name, options[name]) for name in OPTIONS if _says(name, options)}


def parse_options(texts: Mapping[str, str]) -> dict[str, Any]:
    """The options of `options_text`."""
    return {name: _parse_option(name, text) for name, text in texts.items()}


def _says(name: str, options: Mapping[str, Any]) -> bool:
    """Whether an option changes anything: no declarer is a choice, no levels are none."""
    return name in options and (options[name] is not None or name in _SEATS)


def _option_text(name: str, value: Any) -> str:
    if value is None:
        return _NONE
    if isinstance(value, str):
        return " ".join(value.split())
    if name == "trump":
        return trump_text(value)
    if name == "levels" and not isinstance(value, int):
        return ",".join(map(str, value))
    if name == "kitty":
        return cards_text(value)
    if name == "deck" and not isinstance(value, int):
        return deck_text(value)
    return str(value)


def deck_text(cards: Iterable[int]) -> str:
    """Cards in their order, each by itself: ``♠3 ♦5 …``."""
    return " ".join(cards_text([kind]) for kind in cards)


def _parse_option(name: str, text: str) -> Any:
    if name == "levels" and "," in text:
        return text.split(",")
    if name in _SEATS and text == _NONE:
        return None
    if name in _SEATS or (name == "deck" and text.isdigit()):
        return int(text)
    return text

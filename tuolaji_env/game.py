"""One game: reset, legal plays, play by notation, text. A batch of one over the same kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .core import batch
from .core.record import BID, BURY, CALL, END, FOLLOW, LEAD, ORDINAL, OVER, TRUMP_OF, copied
from .core.walk import MAX_PATH, walk
from .games import (
    Episode,
    GameBatch,
    IllegalActionError,
    cards_in,
    check_choice,
    game_seeds,
    mask_text,
)
from .notation import (
    NotationError,
    bid_text,
    call_text,
    cards_text,
    level_text,
    parse_bid,
    parse_call,
    parse_cards,
    trump_text,
)
from .observe import Layout
from .rules import Rules
from .setup import begin

if TYPE_CHECKING:
    from PIL import Image

    from .record import Record

PHASES = ("bid", "bury", "call", "lead", "follow", "over")

_NEXT_DEAL = -1

#: What was done before, the last action or `_NEXT_DEAL`, and whether it completed a decision.
_Past = tuple["_Past", int, bool] | None

#: A decision as the actions that make it up: the cards in ascending order, then what ends it.
Play = tuple[int, ...]


class Game:
    """A game at a table of one: every rule, no learning.

    >>> game = Game("two_deck", seed=1)
    >>> while not game.is_over:
    ...     game.play(game.legal_plays(limit=1)[0])

    rules: a preset's name, a YAML file or `Rules`; episode: `match` (levels go on from deal to
    deal, `next_deal` begins the next) or `deal`; other keywords as for `reset`.
    """

    def __init__(
        self,
        rules: str | Rules = "two_deck",
        seed: int | None = None,
        *,
        episode: Episode = "match",
        **options: Any,
    ) -> None:
        games = GameBatch(rules, 1)
        self.rules, self._table, self._records = games.rules, games.table, copied(games.records)
        self.episode: Episode = check_choice("episode", episode, Episode)
        self.position: str | None
        self._past: _Past  # a chain, so that copies cost nothing
        self.reset(seed, **options)

    # --- beginning ------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, **options: Any) -> None:
        """Begin anew. Options, each replacing what the episode would draw:

        levels: a ladder entry for all, or one per seat; declarer, first_drawer: a seat, or None for
        none yet; deck: all cards in the order in which they are drawn, the kitty last (text or
        kinds), or the seed of a shuffle; trump and kitty: play only, from the first lead, with
        this kitty buried (kitty None: as the deck has it).
        Raises ValueError naming the option, the value and what is allowed.
        """
        self.seed = int(game_seeds(None, 1)[0]) if seed is None else int(seed)
        self.options = options
        self.position = None
        self._past = None
        begin(self.batch, self.seed, self.episode, options)

    @property
    def batch(self) -> GameBatch:
        """The game as a batch of one, over the same record."""
        return GameBatch.over(self.rules, self._table, self._records)

    # --- what is --------------------------------------------------------------------------------

    @property
    def record(self) -> Any:
        """The game's record (`core/record.py`): everything there is, hidden cards too."""
        return self._records[0]

    @property
    def history(self) -> list[list[Play]]:
        """The decisions of each deal so far."""
        deals: list[list[Play]] = [[]]
        for play in self._decisions():
            if play is None:
                deals.append([])
            elif play[1]:
                deals[-1].append(play[0])
        return deals

    @property
    def partial(self) -> list[int]:
        """The actions of the decision that is being made."""
        *_, last = None, *self._decisions()
        return [] if last is None or last[1] else list(last[0])

    def _decisions(self) -> list[tuple[Play, bool] | None]:
        """Decisions in order, with whether they are complete; None: the next deal begins."""
        found: list[tuple[Play, bool] | None] = []
        actions: list[int] = []
        past, complete = self._past, False
        while past is not None:
            past, action, ends = past
            if actions and (ends or action == _NEXT_DEAL):
                found.append((tuple(reversed(actions)), complete))
                actions = []
            if action == _NEXT_DEAL:
                found.append(None)
                continue
            if not actions:
                complete = ends
            actions.append(action)
        if actions:
            found.append((tuple(reversed(actions)), complete))
        return found[::-1]

    @property
    def phase(self) -> str:
        """bid, bury, call, lead, follow or over."""
        return PHASES[int(self.record["phase"])]

    @property
    def seat(self) -> int:
        """The player to act."""
        return int(self.record["seat"])

    @property
    def is_over(self) -> bool:
        """Whether the deal is over."""
        return int(self.record["phase"]) == OVER

    @property
    def match_over(self) -> bool:
        """Whether the match is over."""
        return bool(self.record["match_over"])

    @property
    def level(self) -> str:
        """The deal's level rank (R2.1), or NT."""
        return level_text(int(self.record["level_rank"]))

    @property
    def trump(self) -> str:
        """The trump suit, or NT; NT until it is settled."""
        return trump_text(int(self.record["trump"]))

    @property
    def score(self) -> int:
        """The non-declarers' points: so far, and at the end as they were read (R10.4)."""
        s, players = self.record, self.rules.players
        if self.is_over:
            return int(s["score"])
        others = s["side"][:players] == 1
        taken, fined = s["taken"][:players], s["fined"][:players]
        return int(taken[others].sum() - fined[others].sum() + fined[~others].sum())

    def hand(self, seat: int) -> tuple[int, ...]:
        """A seat's cards, ascending."""
        return tuple(cards_in(self.record["hand"][seat]))

    def trick(self) -> dict[int, tuple[int, ...]]:
        """The plays of this trick by seat, the leader's first."""
        s, players = self.record, self.rules.players
        order = [(int(s["leader"]) + i) % players for i in range(players)]
        return {p: tuple(cards_in(s["trick"][p])) for p in order if int(s["trick"][p][0])}

    def observe(self, layout: Layout, seat: int | None = None) -> NDArray[np.uint8]:
        """What a seat (by default the mover) sees. [layout.size] uint8."""
        seats = None if seat is None else np.array([seat])
        return self.batch.observe(layout, seats=seats)[0]

    def action_mask(self) -> NDArray[np.int8]:
        """[63] int8: the mover's legal actions."""
        return self.batch.masks()[0]

    # --- actions --------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """The mover's legal actions, ascending; empty when the deal is over."""
        mask = int(self.record["mask"])
        return [action for action in range(63) if mask >> action & 1]

    def can(self, action: int) -> bool:
        """Whether an action is legal now."""
        return 0 <= action < 63 and bool(int(self.record["mask"]) >> action & 1)

    def verify(self, action: int) -> None:
        """Raise IllegalActionError, saying why, unless an action is legal now."""
        if not self.can(action):
            clause = _CLAUSES[int(self.record["phase"])]
            where = f"{clause}; {self.phase} at level {self.level}, trump {self.trump}"
            raise IllegalActionError(f"{self.batch.illegal(0, action)} ({where})")

    def do(self, action: int) -> None:
        """Apply one action; an illegal one raises and changes nothing."""
        done = batch.try_action(self._table, self._records, action)
        if not done:
            self.verify(action)
        self._past = self._past, action, done == batch.COMPLETES

    def pay(self, action: int, skip_forced: bool, reward: int, paid: NDArray[np.float32]) -> bool:
        """Apply an action and fill in what it pays to each seat; False if it is illegal.

        reward: an index into `vector.Reward`; paid: [P] float32.
        """
        done = batch.play_one(self._table, self._records, action, reward, paid)
        if not done:
            return False
        self._past = self._past, action, done == batch.COMPLETES
        if skip_forced:
            total = paid.copy()
            while not self.is_over and len(actions := self.legal_actions()) == 1:
                self.pay(actions[0], False, reward, paid)
                total += paid
            paid[:] = total
        return True

    # --- whole plays ----------------------------------------------------------------------------

    def legal_plays(self, limit: int = 10_000) -> list[Play]:
        """The ways to complete the mover's decision, at most `limit` of them."""
        if self.is_over:
            return []
        paths = np.empty((limit, MAX_PATH), np.int8)
        lengths = np.empty(limit, np.int64)
        masks = np.empty(MAX_PATH, np.int64)
        found = walk(self._table, self._records, paths, lengths, masks)
        return [tuple(paths[i, : lengths[i]].tolist()) for i in range(found)]

    def actions_of(self, play: str | Iterable[int]) -> Play:
        """A decision, in notation or as cards or actions, as the actions that make it up.

        Notation by phase: cards ``♠3344``; a bid ``♠2`` or ``★★☆=♥``, a pass ``-``; a friend call
        ``♠A#2``.
        """
        phase = int(self.record["phase"])
        if not isinstance(play, str):
            actions = tuple(sorted(int(action) for action in play))
            if phase == LEAD and END not in actions:
                actions += (END,)
            return actions
        if phase == CALL:
            kind, ordinal = parse_call(play)
            return kind, ORDINAL + ordinal - 1
        if phase == BID:
            cards, trump = parse_bid(play)
            return (*cards, END if trump is None or trump > 3 else TRUMP_OF + trump)
        cards = parse_cards(play)
        return (*cards, END) if phase == LEAD else cards

    def can_play(self, play: str | Iterable[int]) -> bool:
        """Whether a whole decision is legal now."""
        try:
            self.verify_play(play)
        except (IllegalActionError, NotationError):
            return False
        return True

    def verify_play(self, play: str | Iterable[int]) -> Play:
        """The actions of a decision; raises IllegalActionError, and changes nothing, if illegal."""
        actions = self.actions_of(play)
        trial = self.copy()
        complete = False
        for action in actions:
            if trial.is_over or complete:
                raise IllegalActionError(f"{self.play_text(actions)}: too many cards")
            trial.do(action)
            complete = trial._past is not None and trial._past[2]
        if not complete:
            allowed = mask_text(int(trial.record["mask"]))
            raise IllegalActionError(
                f"{cards_text(k for k in actions if k < END)}: not a whole {self.phase}; "
                f"may go on with {allowed}"
            )
        return actions

    def play(self, play: str | Iterable[int]) -> None:
        """Make a whole decision; an illegal one raises and changes nothing."""
        for action in self.verify_play(play):
            self.do(action)

    def play_text(self, actions: Iterable[int], phase: str | None = None) -> str:
        """A decision of this phase (or of a given one) in notation."""
        actions = tuple(actions)
        cards = [action for action in actions if action < END]
        if (phase or self.phase) == "call":
            return call_text(cards[0], actions[-1] - ORDINAL + 1)
        if (phase or self.phase) == "bid":
            end = actions[-1]
            return bid_text(cards, end - TRUMP_OF if end >= TRUMP_OF else None)
        return cards_text(cards)

    def play_text_partial(self) -> str:
        """The cards picked so far for the decision that is being made."""
        return cards_text(kind for kind in self.partial if kind < END)

    def next_deal(self) -> None:
        """Begin the next deal of a match."""
        if not self.is_over or self.match_over:
            raise ValueError(
                f"next_deal: the deal is {'over and so is the match' if self.is_over else 'on'}; "
                "allowed: after a deal of a match that goes on"
            )
        self.batch.next_deals(np.array([0]))
        self._past = self._past, _NEXT_DEAL, True

    def copy(self) -> Game:
        """An independent copy of the game as it stands."""
        other = Game.__new__(Game)
        other.__dict__ = self.__dict__.copy()
        other._records = copied(self._records)
        return other

    # --- text -----------------------------------------------------------------------------------

    def to_text(self) -> str:
        """The whole game in one line: rules, seed, options and every decision so far."""
        from .gametext import game_text

        return game_text(self)

    @classmethod
    def from_text(cls, text: str) -> Game:
        """The game that `to_text` described, played again to the same record."""
        from .gametext import read_game

        return read_game(text)

    def to_record(self, seats: Sequence[str] | None = None) -> Record:
        """The game so far as a `Record`, for files and replays. seats: the players' names."""
        from .record import Record

        return Record.of(self, seats)

    @classmethod
    def from_position(cls, text: str, rules: str | Rules = "two_deck") -> Game:
        """A game in the middle of a deal (`gametext.read_position` gives the form)."""
        from .gametext import read_position

        return read_position(text, rules)

    def __repr__(self) -> str:
        return f"Game.from_text({self.to_text()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.to_text() == other.to_text()

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __str__(self) -> str:
        return self.render()

    def render(self, viewer: int | None = None) -> str:
        """The table in text: all hands, or only what seat `viewer` may see."""
        from .render.ansi import table_text

        return table_text(self, viewer)

    def image(self, viewer: int | None = None, scale: float = 1.0) -> Image.Image:
        """The table as a picture (`render.image`); needs the extra `render`."""
        from .render import image

        return image(self, viewer, scale=scale)

    def _repr_html_(self) -> str:
        from .render.html import game_html

        return game_html(self)


_CLAUSES = {BID: "R8.2", BURY: "R8.7", CALL: "R9.1", LEAD: "R5", FOLLOW: "R6", OVER: "the end"}

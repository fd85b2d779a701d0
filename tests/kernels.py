"""Single questions to the kernels, and the plays they allow, in plain Python values.

A set of cards is a list of kinds; a play is its path, the tuple of actions that makes it.
"""

from collections import Counter, defaultdict
from functools import lru_cache

import numpy as np

from tuolaji_env.casefile import planes_of, shapes_of
from tuolaji_env.core import batch, probe
from tuolaji_env.core.record import (
    END,
    LEAD,
    NO_LEVEL,
    NO_TRUMP,
    SMALL_JOKER,
    TRUMP_OF,
    new_games,
)
from tuolaji_env.core.tables import compile_rules
from tuolaji_env.core.walk import MAX_PATH, walk

LIMIT = 1 << 16
_PATHS = np.empty((LIMIT, MAX_PATH), np.int8)
_LENGTHS = np.empty(LIMIT, np.int64)
_MASKS = np.empty(MAX_PATH, np.int64)

compiled = lru_cache(maxsize=1024)(compile_rules)


def kinds_of(planes):
    """Bit planes as an ascending list of kinds."""
    return sorted(kind for plane in planes for kind in bits_of(plane))


def bits_of(mask):
    """The places of the set bits."""
    return [place for place in range(63) if int(mask) >> place & 1]


def walked(rules, games):
    """All paths that complete the decision of games[0]; None if there are `LIMIT` or more."""
    if not games[0]["mask"]:
        return []
    found = walk(compiled(rules), games, _PATHS, _LENGTHS, _MASKS)
    if found == LIMIT:
        return None
    return [tuple(_PATHS[i, : _LENGTHS[i]].tolist()) for i in range(found)]


def step(rules, games, actions):
    """One action, which must be allowed, in each game."""
    rows = np.arange(len(games))
    actions = np.array(actions, np.int64)
    assert batch.step_games(compiled(rules), games, rows, actions, False) == -1


def assert_plays(rules, games, plays):
    """The kernels allow exactly these plays: as a walk, and at every action of every path."""
    assert sorted(walked(rules, games)) == sorted(plays)
    assert_masks(rules, games, plays)


def assert_masks(rules, games, plays):
    """At every action of the paths of these plays, the mask is what goes on with one of them."""
    following = defaultdict(set)
    for play in plays:
        for depth, action in enumerate(play):
            following[play[:depth]].add(action)
    prefixes, games = [()], games.copy()
    while prefixes:
        for prefix, mask in zip(prefixes, games["mask"], strict=True):
            assert bits_of(mask) == sorted(following[prefix]), f"after {prefix}"
        longer = [
            (i, (*prefix, action))
            for i, prefix in enumerate(prefixes)
            for action in sorted(following[prefix])
            if (*prefix, action) in following
        ]
        if longer:
            games = games[[i for i, _ in longer]]
            step(rules, games, [prefix[-1] for _, prefix in longer])
        prefixes = [prefix for _, prefix in longer]


def bid_path(bid):
    """The path of a bid (cards, trump), where jokers in number leave the trump free."""
    cards, trump = bid
    free = trump is not None and all(card >= SMALL_JOKER for card in cards)
    return (*cards, TRUMP_OF + trump if free else END)


class Kernels:
    """A table at one level (a rank, None for NT) and trump (a suit or None).

    Every question goes to a blank game of its own, at which seat 0 leads and seat 1 follows.
    """

    def __init__(self, rules, level=None, trump=None):
        self.rules, self.table = rules, compiled(rules)
        level = NO_LEVEL if level is None else level
        trump = NO_TRUMP if trump is None else trump
        self.combo = level * 5 + trump
        self.level, self.trump = level, trump

    def blank(self, **fields):
        """A game without cards, with these fields."""
        games = new_games(1)
        fields = {"bid_seat": -1, "single_seat": -1, "last": -1, "burier": -1, "side": 1} | fields
        fields |= {"combo": self.combo, "level_rank": self.level, "trump": self.trump}
        for name, value in fields.items():
            games[name] = value
        return games

    def look_up(self, name):
        """A line of a table by kinds: `suit_of`, `power`, `link`, `tractor_power`, `higher`."""
        return self.table[0][name][self.combo].tolist()

    def led(self, cards):
        """A game in which these cards are led."""
        games = self.blank(picked=len(cards), last=max(cards))
        games["pick"][0] = planes_of(cards)
        probe.lead_pick(self.table, games)
        return games

    def _units(self, games):
        s = games[0]
        return [
            (int(s["unit_width"][i]), int(s["unit_length"][i]), bits_of(s["unit_kinds"][i]))
            for i in range(s["units"])
        ]

    def units(self, cards):
        """R4.6: (width, length, kinds) of the units, in the order in which they are taken."""
        return self._units(self.led(cards))

    def follow(self, lead, hand):
        """A game in which a hand must follow."""
        games = self.led(lead)
        games["hand"][0, 1] = planes_of(hand)
        probe.ask_follow(self.table, games, 1)
        return games

    def pattern(self, lead, hand):
        """P* of R6.2, as a list of shapes."""
        return shapes_of(self.follow(lead, hand)["owed"][0])

    def follows(self, lead, hand):
        """All legal follows."""
        return walked(self.rules, self.follow(lead, hand))

    def lead(self, hand, gone=(), buried=(), voids=()):
        """A game in which a hand must lead; `buried` by it, `voids` in which nobody else has."""
        games = self.blank(phase=LEAD, count=0)
        games["hand"][0, 0] = planes_of(hand)
        games["gone"][0], games["kitty"][0] = planes_of(gone), planes_of(buried)
        games["burier"] = 0 if buried else -1
        games["void"][0, 1:] = sum(1 << suit for suit in voids)
        games["mask"] = games["lawful"] = games["hand"][0, 0, 0]
        return games

    def leads(self, hand, **seen):
        """All legal leads, without the END of their paths."""
        return [path[:-1] for path in walked(self.rules, self.lead(hand, **seen))]

    def throw(self, hands, thrown):
        """R5.3, R5.4: (the cards led in the end, the penalty)."""
        games = self.led(thrown)
        for seat, hand in enumerate(hands):
            games["hand"][0, seat] = planes_of(hand)
        unit, beaten = probe.throw(self.table, games)
        if unit < 0:
            return sorted(thrown), 0
        width, _, kinds = self._units(games)[unit]
        rules = self.rules
        return (
            sorted(kinds * width),
            rules.throw_penalty_per_card * int(beaten) + rules.throw_penalty_points,
        )

    def winner(self, plays):
        """R7: the index of the play that takes the trick."""
        games = self.led(plays[0])
        for seat, play in enumerate(plays):
            games["trick"][0, seat] = planes_of(play)
        return int(probe.judge(self.table, games))

    def capture(self, lead, play, kitty_points):
        """R10.1."""
        games = self.led(lead)
        games["trick"][0, 0] = planes_of(play)
        return int(probe.capture(self.table, games, kitty_points))

    def bid(self, levels, history, bidder, hand):
        """A game in which a seat is asked for a bid after others; no mask where it has none."""
        games = self.blank(bid_ranks=sum(1 << rank for rank in levels))
        for seat, (cards, trump) in history:
            games["seat"], games["picked"] = seat, len(cards)
            games["pick"][0] = planes_of(cards)
            probe.make(self.table, games, bid_path((cards, trump))[-1])
        games["hand"][0, bidder] = planes_of(hand)
        probe.ask_bid(self.table, games, bidder)
        return games


def rest_of(cards, part):
    """The cards without some of them, ascending."""
    return sorted((Counter(cards) - Counter(part)).elements())

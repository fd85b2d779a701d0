"""`compile_rules`: from a `Rules` object to the `RULES` record that kernels look things up in.

Orders and links (R3, R4) for every level x trump, bidding forms (R8.3), score rows (R10.4).
The rules object is read by its field names only; nothing of it reaches a kernel.
"""

from __future__ import annotations

import numpy as np

from .record import KINDS, LINKS, NO_LEVEL, NO_TRUMP, RULES, TRUMP, records

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_JOKER_LINKS = (LINKS - 2, LINKS - 1)  # guangxi: linked to each other, far from all else
_ANY = (1, 1, 1, 1)
_RED, _BLACK = (1, 0, 1, 0), (0, 1, 0, 1)


def rank_index(name: str) -> int:
    """A ladder entry as a level rank: 0..12, or 13 for NT."""
    return NO_LEVEL if name == "NT" else RANKS.index(name)


def compile_rules(rules) -> np.ndarray:
    """The `RULES` record of a `Rules` object, as an array of one."""
    out = records(1, RULES)
    r = out.view(np.recarray)[0]
    r.players, r.decks, r.kitty, r.jokers = rules.players, rules.decks, rules.kitty, rules.jokers
    r.friends = rules.friends_called if rules.teams == "friends" else 0
    r.deck_size = rules.decks * (54 if rules.jokers else 52)
    r.hand_size = (r.deck_size - rules.kitty) // rules.players
    r.ladder_length = len(rules.ladder)
    for i, name in enumerate(rules.ladder):
        r.ladder[i] = rank_index(name)
        r.mandatory[i] = name in rules.mandatory
    r.defending = rules.win_by == "defending"
    for name in (
        "cyclic max_deals top_no_trump top_needs_trump_capture same_count protect_wider reinforce "
        "reclaim max_redeals hidden_bids rebid_after_bury capture_factor capture_bonus all_pairs "
        "capture_needs_trump last_trick_multiplies below_zero_step"
    ).split():
        setattr(r, name, getattr(rules, name))
    r.base_points, r.step_points = rules.base, rules.step
    r.natural = rules.permanent_links == "natural"
    r.throws = ("off", "certain", "attempt").index(rules.throws)
    r.failed_lowest = rules.failed_throw_plays == "lowest"
    r.penalty_per_card, r.penalty_points = rules.throw_penalty_per_card, rules.throw_penalty_points
    r.follow = ("longest", "exact", "cards").index(rules.follow)
    r.prefers_width = rules.follow_prefers == "width"
    r.throw_compare = ("main", "lexicographic", "all").index(rules.throw_compare)
    r.wider_beats = ("off", "tractor", "all").index(rules.wider_beats)
    r.poll_draw = rules.bid_poll == "draw"
    r.henan = rules.bids == "henan"
    r.first_declarer = ("bidder", "first_bidder", "drawn").index(
        rules.first_declarer.replace("given", "drawn")  # where none is given, the seed draws
    )
    r.no_bid = ("redeal", "flip", "no_trump").index(rules.no_bid)
    r.capture = (
        "unit_cards",
        "pow2_cards",
        "pow2_pairs",
        "tractor_pow2",
        "play_cards",
        "bonus",
    ).index(rules.capture)
    if rules.clamp is not None:
        r.clamped, r.clamp[:] = 1, rules.clamp
    if rules.table is not None:
        r.rows = len(rules.table)
        for i, (points, side, rise) in enumerate(sorted(rules.table)):
            r.row[i] = points, side == "others", rise
    r.max_rise = 30000 if rules.max_rise is None else rules.max_rise
    r.forfeit = rules.revoke == "forfeit"
    forms = bid_forms(rules)
    r.forms = len(forms)
    for i, (cards, strength, trump) in enumerate(forms):
        r.form_cards[i], r.form_strength[i], r.form_trump[i] = cards, strength, trump
    for suit in range(4):
        r.points[13 * suit + 3], r.points[13 * suit + 8], r.points[13 * suit + 11] = 5, 10, 10
    for rank in range(13):
        r.rank_kinds[rank] = sum(1 << (13 * suit + rank) for suit in range(4))
    for level in range(NO_LEVEL + 1):
        for trump in range(NO_TRUMP + 1):
            _fill_order(r, level * 5 + trump, Order(rules, level, trump))
    return out


class Order:
    """Effective suits, powers and links of all kinds for one level and trump (R3, R4.2-R4.5).

    Attributes are lists over the 54 kinds: `suit` 0..4, `power` from 0 up within the effective
    suit, `link` the place in the suit's tractor chain (-1: none); kinds are linked neighbours iff
    they share the suit and their links differ by one.  `height` is the power on one scale with
    `tractor_power`, by which a kind counts in a tractor, so that tops of all shapes compare.
    """

    def __init__(self, rules, level: int, trump: int):
        permanents = _permanents(rules, level)
        named = {level, *permanents}
        self.suit = [
            TRUMP if k >= 52 or k % 13 in named or k // 13 == trump else k // 13
            for k in range(KINDS)
        ]
        self.power = [0] * KINDS
        self.link = [-1] * KINDS
        for suit in range(4):
            plain = [k for k in range(13 * suit, 13 * suit + 13) if self.suit[k] == suit]
            for place, k in enumerate(plain):
                self.power[k] = self.link[k] = place
        groups = _trump_groups(level, trump, permanents)
        for place, group in enumerate(groups):
            for k in group:
                self.power[k] = self.link[k] = place
        self.height = self.tractor_power = self.power
        if rules.permanent_links == "natural":
            self._natural_trumps(level, trump, permanents, groups)
        if rules.links == "guangxi":
            self._ring(rules, level, trump)

    def _natural_trumps(self, level, trump, permanents, groups) -> None:
        """R4.3: permanents of the trump suit link at their natural rank, the others to nothing."""
        plain = [] if trump == NO_TRUMP else [[13 * trump + r] for r in range(13) if r != level]
        chain = plain + [g for g in groups if not _rank_in(g[0], permanents) and g not in plain]
        for k in range(52):
            if k % 13 in permanents:
                self.link[k] = -1
        for place, group in enumerate(chain):
            for k in group:
                self.link[k] = place
        # In a tractor, a permanent card of the trump suit stands above the next lower plain one.
        tuples = [(power, -1) for power in self.power]
        tractors = tuples.copy()
        for rank in permanents if trump != NO_TRUMP else ():
            lower = [r for r in range(rank) if r != level and r not in permanents]
            tractors[13 * trump + rank] = (len(lower) - 1, rank)
        scale = sorted({*tuples, *tractors})
        self.height = [scale.index(height) for height in tuples]
        self.tractor_power = [scale.index(height) for height in tractors]

    def _ring(self, rules, level, trump) -> None:
        """R4.4, R4.5: ranks on a ring cut at the level rank, at NT below 2."""
        cut = 12 if level == NO_LEVEL else level
        for k in range(52):
            rank = k % 13
            if rank == level:
                self.link[k] = -1
            elif self.link[k] >= 0:
                self.link[k] = (rank - cut - 1) % 13
        self.link[52], self.link[53] = _JOKER_LINKS
        if rules.level3_with_2 and level == 1 and trump != NO_TRUMP:
            three = 13 * trump + 1
            self.link[three] = self.link[three - 1] + 1


def _rank_in(kind: int, ranks) -> bool:
    return kind < 52 and kind % 13 in ranks


def _permanents(rules, level: int) -> list[int]:
    """R3.3: the permanent ranks beside this level, ascending."""
    if level == NO_LEVEL:
        return []
    if rules.permanent_trumps == "next_level":
        ladder = [rank_index(name) for name in rules.ladder]
        place = ladder.index(level) + 1 if level in ladder else len(ladder)
        return [ladder[place]] if place < len(ladder) and ladder[place] != NO_LEVEL else []
    return sorted(r for r in map(rank_index, rules.permanent_trumps) if r != level)


def _trump_groups(level: int, trump: int, permanents: list[int]) -> list[list[int]]:
    """R3.2 from the lowest up: kinds in one group are equal."""

    def others(rank):
        return [13 * suit + rank for suit in range(4) if suit != trump]

    groups = []
    if trump != NO_TRUMP:
        groups += [[13 * trump + r] for r in range(13) if r != level and r not in permanents]
        for rank in permanents:
            groups += [others(rank), [13 * trump + rank]]
        if level != NO_LEVEL:
            groups += [others(level), [13 * trump + level]]
    else:
        if permanents:
            groups.append([k for rank in permanents for k in others(rank)])
        if level != NO_LEVEL:
            groups.append(others(level))
    return [*groups, [52], [53]]


def _fill_order(r, combo: int, order: Order) -> None:
    r.suit_of[combo], r.power[combo], r.height[combo] = order.suit, order.power, order.height
    r.tractor_power[combo], r.link[combo] = order.tractor_power, order.link
    suit_kinds = [0] * 5
    link_kinds = [[0] * LINKS for _ in range(5)]
    higher = [0] * KINDS
    seen = [(-1, 0)] * 5  # by suit: the last power met, and all kinds of a higher one
    for k in sorted(range(KINDS), key=order.power.__getitem__, reverse=True):
        suit, link, power = order.suit[k], order.link[k], order.power[k]
        if seen[suit][0] != power:
            seen[suit] = power, suit_kinds[suit]
        higher[k] = seen[suit][1]
        suit_kinds[suit] |= 1 << k
        if link >= 0:
            link_kinds[suit][link] |= 1 << k
    r.suit_kinds[combo], r.link_kinds[combo], r.higher[combo] = suit_kinds, link_kinds, higher


def bid_forms(rules) -> list[tuple[tuple[int, int, int], tuple[int, ...], int]]:
    """R8.3 as rows: (level copies, small jokers, big jokers), strength by suit, trump made.

    Trump made: 0 the suit shown, 1 no-trump, 2 the bidder's choice.
    """
    rows: list[tuple[tuple[int, int, int], tuple[int, ...], int]] = []
    rank = 0  # strengths so far

    def add(cards, suits=_ANY, trump=0, ranked=False):
        nonlocal rank
        ups = (0, 1, 2, 3) if ranked else (0, 0, 0, 0)
        rows.append((cards, tuple((rank + 1 + up) * on for up, on in zip(ups, suits)), trump))

    def close(width=1):
        nonlocal rank
        rank += width

    decks, scheme = rules.decks, rules.bids
    if scheme in ("count", "standard", "joker_backed"):
        for copies in range(1, decks + 1):
            if scheme == "joker_backed" and copies == 1:
                add((1, 0, 1), _RED)
                add((1, 1, 0), _BLACK)
            else:
                add((copies, 0, 0))
            close()
        rank = 4
    elif scheme == "henan":
        for copies in (1, 2):
            add((copies, 1, 0))
            add((copies, 0, 1))
            close()
    else:
        add((1, 0, 0), ranked=rules.single_by_suit and scheme == "chaodi2")
        close(4)
        add((2, 0, 0), ranked=True)
        close(4)
    if scheme != "count" and rules.jokers and decks >= 2:
        for pair in ((0, 2, 0), (0, 0, 2)):
            add(pair, trump=1)
            close()
    if scheme == "chaodi2":
        for three in ((0, 2, 1), (0, 1, 2)):
            add(three, trump=2)
    elif scheme == "chaodi3":
        add((3, 0, 0), ranked=True)
        close(4)
        for tier in (((0, 3, 0), (0, 2, 1)), ((0, 1, 2), (0, 0, 3))):
            for three in tier:
                add(three, trump=1)
            close()
        for four in ((0, 3, 1), (0, 2, 2), (0, 1, 3)):
            add(four, trump=2)
    return rows

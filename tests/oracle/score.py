"""The end of a deal and the ladder: R10.1-10.4 and the rises of R2.

Readings chosen where the text is terse:

* R10.1 `all_pairs` changes `pow2_pairs` only.
* R10.4 a cap by `max_rise` comes last; `below_zero_step` adds to the rise of whichever side the
  score names. Table rows are searched in order of their points.
* R2.2 a rise that starts at a mandatory level goes on only if the riser declared in this deal.
* R2.3, R2.5 a side passes the top only from the top itself under `defending` and
  `top_needs_trump_capture`; a rise that reaches the top in the same deal stops there.
* R2.4 under `cyclic` the step from the top to the first level asks nothing of `win_by`, but
  `top_needs_trump_capture` still holds.
"""

from collections import Counter, namedtuple

from .order import TRUMP
from .shapes import common_suit, decompose, main_unit

Rise = namedtuple("Rise", "to gained match_won")


def capture(rules, order, lead, winning_play, kitty_points):
    """R10.1: what the non-declarers score for the kitty when they take the last trick.

    Nothing under `capture_needs_trump` unless the winning play is trumps, led or ruffed.
    """
    if rules.capture_needs_trump and common_suit(order, winning_play) != TRUMP:
        return 0
    unit = main_unit(decompose(order, lead))
    cards = unit.w * unit.length
    if rules.capture == "bonus":
        return kitty_points + rules.capture_bonus
    if rules.capture == "unit_cards":
        times = cards * rules.capture_factor
    elif rules.capture == "pow2_cards":
        times = 2**cards
    elif rules.capture == "pow2_pairs":
        pairs = unit.length * (unit.w // 2)
        if rules.all_pairs:
            pairs = sum(copies // 2 for copies in Counter(winning_play).values())
        times = 2 ** (1 + pairs)
    elif rules.capture == "tractor_pow2":
        times = 2**unit.length if unit.length >= 2 else 2
    elif rules.capture == "play_cards":
        times = rules.capture_factor * len(winning_play)
    else:
        raise ValueError(f"capture: {rules.capture}")
    return kitty_points * times


def last_trick(rules, cards_led, trick_points, others_take_it):
    """R10.2: what the last trick's own points change in the non-declarers' score."""
    if not rules.last_trick_multiplies or cards_led < 2:
        return trick_points if others_take_it else 0
    return trick_points * cards_led if others_take_it else -trick_points * cards_led


def clamped(rules, score):
    """R10.3: the score within its bounds."""
    if rules.clamp is None:
        return score
    low, high = rules.clamp
    return max(low, min(high, score))


def result(rules, score):
    """R10.3, R10.4: (the side that declares next, "declarers" or "others"; its rise)."""
    score = clamped(rules, score)
    if rules.table:
        side, levels = _by_table(rules.table, score)
    else:
        side, levels = _by_steps(rules.base, rules.step, score)
    if rules.below_zero_step and score < 0:
        levels += -score // rules.below_zero_step
    return side, capped(rules, levels)


def capped(rules, levels):
    """R10.4: `max_rise`, which also holds for a forfeit."""
    return levels if rules.max_rise is None else min(levels, rules.max_rise)


def _by_table(table, score):
    rows = sorted(table, key=lambda row: row[0])
    found = rows[0]
    for row in rows:
        if score >= row[0]:
            found = row
    return found[1], found[2]


def _by_steps(base, step, score):
    if score >= base:
        return "others", (score - base) // step
    levels, threshold = 0, base
    while threshold > 0:
        levels += score < threshold
        threshold -= step
    return "declarers", levels + (score <= 0)


def rise(rules, start, levels, declared, last_trick_by_trumps):
    """R2: where a rise from a ladder entry ends, what was gained, whether the match is won.

    `declared`: the riser declared in this deal, at `start`. The step past the top counts one.
    """
    ladder = list(rules.ladder)
    top = len(ladder) - 1
    place, gained = ladder.index(start), 0
    for step in range(levels):
        here = step == 0 and declared
        if ladder[place] in rules.mandatory and not here:
            break
        if place == top:
            if rules.top_needs_trump_capture and not (here and last_trick_by_trumps):
                break
            if not rules.cyclic:
                if rules.win_by == "defending" and not here:
                    break
                return Rise(ladder[top], gained + 1, True)
        place = (place + 1) % len(ladder)
        gained += 1
    return Rise(ladder[place], gained, False)

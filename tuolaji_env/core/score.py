"""The end of a deal (R10) and the levels (R2): capture, result, rise."""

from __future__ import annotations

from .jit import inline, kernel
from .trick import pairs_of

# How `rise_from` and `deal_result` pack their answers.
GAINED, WON, OTHERS = 1 << 8, 1 << 32, 1 << 32


@kernel
def capture_score(R, kitty_points, width, length, play, play_cards, by_trumps):
    """What the non-declarers score for the kitty when they take the last trick (R10.1), points.

    width, length: the lead's main unit; play: planes of the winning play; by_trumps: it is trump.
    """
    if R.capture_needs_trump and not by_trumps:
        return 0
    cards = width * length
    if R.capture == 0:
        return kitty_points * cards * R.capture_factor
    if R.capture == 1:
        return kitty_points << min(cards, 40)
    if R.capture == 2:
        pairs = pairs_of(play) if R.all_pairs else length * (width // 2)
        return kitty_points << min(1 + pairs, 40)
    if R.capture == 3:
        return kitty_points << (length if length > 1 else 1)
    if R.capture == 4:
        return kitty_points * R.capture_factor * play_cards
    return kitty_points + R.capture_bonus


@inline
def last_trick_score(R, trick_points, cards_led, others_take_it):
    """What the last trick's own points change in the non-declarers' score (R10.2)."""
    times = cards_led if R.last_trick_multiplies and cards_led >= 2 else 1
    if others_take_it:
        return trick_points * times
    return -trick_points * times if times > 1 else 0


@inline
def clamp_score(R, points):
    """R10.3."""
    if R.clamped:
        return min(max(points, R.clamp[0]), R.clamp[1])
    return points


@kernel
def deal_result(R, points):
    """R10.4 for a clamped score: levels to rise, plus OTHERS if the others declare next."""
    side, rise = 0, 0
    if R.rows:
        row = 0
        for i in range(R.rows):
            if points >= R.row[i, 0]:
                row = i
        side, rise = R.row[row, 1], R.row[row, 2]
    elif points >= R.base_points:
        side, rise = 1, (points - R.base_points) // R.step_points
    else:
        threshold = R.base_points
        while threshold > 0:
            if points < threshold:
                rise += 1
            threshold -= R.step_points
        if points <= 0:
            rise += 1
    if R.below_zero_step and points < 0 and side == 0:
        rise += -points // R.below_zero_step
    return side * OTHERS + min(rise, R.max_rise)


@kernel
def rise_from(R, place, levels, declared, trump_capture):
    """R2: rise from a place on the ladder: place + GAINED * levels gained (+ WON: match won).

    declared: the side declared this deal at that level (under friends: he was the declarer);
    trump_capture: it took the last trick with trumps.
    """
    top = R.ladder_length - 1
    gained = 0
    if R.mandatory[place] and not declared:
        return place
    first = True
    for _ in range(levels):
        if not first and R.mandatory[place]:
            break
        if place == top:
            passes = not R.top_needs_trump_capture or (declared and first and trump_capture)
            if not R.cyclic and R.defending:
                passes = passes and declared and first
            if not passes:
                break
            gained += 1
            if not R.cyclic:
                return place + GAINED * gained + WON
            place = 0
        else:
            place += 1
            gained += 1
        first = False
    return place + GAINED * gained

"""What a finished deal comes to: points, rises, the next declarer, the match (R9.2-9.3, R10, R2).

A `Deal` is what the game hands over. A party is what stands at a level: team seat % 2 under
`teams: fixed`, the seat itself under friends (R2.1).

Readings chosen where the text is terse:

* R5.4 a penalty paid by the declaring side adds to the non-declarers' score, one paid by the
  others is taken off it; it may go below zero before `clamp`.
* R9.3 under friends `declared` and `last_trick_by_trumps` are asked of the player who rises.
* R10.5 a forfeit counts no score; it names the rise alone, 3 before `max_rise`.
* R2.4 `max_deals` counts this deal; redeals are none. Levels gained are those of `score.rise`.
* R8.5 a match drawn for want of bids ends even before `max_deals`, whoever gained more.
"""

from collections import namedtuple

from . import score
from .order import TRUMP, points
from .shapes import common_suit

Deal = namedtuple(
    "Deal",
    "declarer declaring_side tricks kitty penalties forfeit levels gained deals_played order",
)
Trick = namedtuple("Trick", "leader plays winner")

Result = namedtuple(
    "Result",
    "points captured side levels rises gained next_declarer new_levels total_gained "
    "deals_played next_first_drawer last_winners match_over winners forfeit",
)
Result.__doc__ = """How a deal ended.

points        the non-declarers' score before `clamp`, kitty and penalties in it; None on a forfeit
captured      what of it the kitty brought
side, levels  who declares next, "declarers" or "others" of this deal, and the rise of that side
rises         levels to rise, by seat; gained: those really gained, by seat
new_levels    ladder entries by party; total_gained: levels gained in the match, by party
winners       seats that won the match; empty if it is drawn or goes on
"""


def party_of(rules, seat):
    """Which entry of the levels a seat owns (R2.1)."""
    return seat if rules.teams == "friends" else seat % 2


def trick_points(trick):
    """The points in a trick (R7.4)."""
    return sum(points(play) for play in trick.plays)


def winning_play(trick, players):
    """The cards that took a trick."""
    return trick.plays[(trick.winner - trick.leader) % players]


def final_score(rules, deal):
    """(the non-declarers' score, the part the kitty brought): R5.4, R9.2, R10.1, R10.2."""
    others = set(range(rules.players)) - deal.declaring_side
    last = deal.tricks[-1]
    total = sum(trick_points(trick) for trick in deal.tricks[:-1] if trick.winner in others)
    taken = last.winner in others
    total += score.last_trick(rules, len(last.plays[0]), trick_points(last), taken)
    total += sum(-lost if seat in others else lost for seat, lost in deal.penalties)
    captured = 0
    if taken and deal.kitty:
        play = winning_play(last, rules.players)
        captured = score.capture(rules, deal.order, last.plays[0], play, points(deal.kitty))
    return total + captured, captured


def trump_taker(rules, deal):
    """The seat that took the last trick with trumps, or None."""
    last = deal.tricks[-1] if deal.tricks and deal.forfeit is None else None
    if last and common_suit(deal.order, winning_play(last, rules.players)) == TRUMP:
        return last.winner
    return None


def outcome(rules, deal):
    """(score, captured, the side that declares next, its rise): R10.3-10.5."""
    if deal.forfeit is not None:
        guilty = deal.forfeit in deal.declaring_side
        return None, 0, "others" if guilty else "declarers", score.capped(rules, 3)
    total, captured = final_score(rules, deal)
    return total, captured, *score.result(rules, total)


def settle(rules, deal):
    """The whole `Result` of a deal."""
    total, captured, side, levels = outcome(rules, deal)
    seats = set(range(rules.players))
    rising = deal.declaring_side if side == "declarers" else seats - deal.declaring_side
    taker = trump_taker(rules, deal)
    rises, gained = [0] * rules.players, [0] * rules.players
    new_levels, total_gained = list(deal.levels), list(deal.gained)
    won = set()
    for seat in sorted(rising):
        party = party_of(rules, seat)
        friends = rules.teams == "friends"
        declared = seat == deal.declarer if friends else side == "declarers"
        by_trumps = taker == seat if friends else taker in rising
        end = score.rise(rules, deal.levels[party], levels, declared, by_trumps)
        rises[seat], gained[seat], new_levels[party] = levels, end.gained, end.to
        total_gained[party] = deal.gained[party] + end.gained
        if end.match_won:
            won.add(seat)
    deals_played = deal.deals_played + 1
    over = bool(won) or deals_played >= rules.max_deals
    return Result(
        points=total,
        captured=captured,
        side=side,
        levels=levels,
        rises=rises,
        gained=gained,
        next_declarer=next_declarer(rules, deal.declarer, side),
        new_levels=new_levels,
        total_gained=total_gained,
        deals_played=deals_played,
        next_first_drawer=next_first_drawer(rules, deal.declarer, side),
        last_winners=rising,
        match_over=over,
        winners=won or (most_gained(rules, total_gained) if over else set()),
        forfeit=deal.forfeit,
    )


def next_declarer(rules, declarer, side):
    """R8.4; under friends the next bid says it (R9.3)."""
    if rules.teams == "friends":
        return None
    return (declarer + (2 if side == "declarers" else 1)) % rules.players


def next_first_drawer(rules, declarer, side):
    """R8.1: the declarer; under friends the last deal's declarer."""
    return declarer if rules.teams == "friends" else next_declarer(rules, declarer, side)


def most_gained(rules, total_gained):
    """R2.4, R9.3: the winners at `max_deals`; a tie of teams is drawn, of friends shared."""
    most = max(total_gained)
    best = [party for party, gained in enumerate(total_gained) if gained == most]
    if rules.teams == "fixed" and len(best) > 1:
        return set()
    return {seat for seat in range(rules.players) if party_of(rules, seat) in best}


def no_bids(rules, levels, gained, deals_played):
    """R8.5: the match ends drawn because nobody bid too often in a row."""
    nothing = [0] * rules.players
    return Result(
        points=0,
        captured=0,
        side=None,
        levels=0,
        rises=nothing,
        gained=nothing,
        next_declarer=None,
        new_levels=list(levels),
        total_gained=list(gained),
        deals_played=deals_played,
        next_first_drawer=None,
        last_winners=set(),
        match_over=True,
        winners=set(),
        forfeit=None,
    )

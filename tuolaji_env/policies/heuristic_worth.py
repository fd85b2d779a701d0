"""The numbers of `heuristic`, found by play against `greedy` (agents/EXPERIMENTS.md).

Unless a comment says otherwise they are eighths of a point.
"""

from __future__ import annotations

# Playing: what a trick is worth
EVEN = 560  # the chance of the trick at which a point given to it costs nothing, of 1024
TEMPO = 15  # the lead after the trick
TEMPO_WINNER = 4  # and for each side winner in hand, six at most
LATER = 14  # what a later seat will add, for each card of the lead

# Playing: what cards are worth to keep
TRUMP_BASE = 24  # any trump
TRUMP_RANK = 40  # times the share of unseen trumps that it beats
TRUMP_TOP = 33  # one that no unseen trump beats
TRUMP_PAIR = 11  # each card of a pair
LAST_TRICK = 16  # the top trump when the last trick is near
LAST_PAIR = 10  # each trump of a pair then
LAST_CARDS = 6  # in hand when it is near
SIDE_RANK = 16  # times the share of its suit's unseen cards that it beats
SIDE_TOP = 14  # one that no unseen card of its suit beats
SIDE_SECOND = 10  # one that a single unseen card beats
SIDE_PAIR = 12  # each card of a pair
SHORT = 12  # taken off a card of a suit of one or, halved, two cards
BREAK = 9  # leaving a copy of the kind behind
BREAKS = BREAK, BREAK, BREAK

# Leading
LEAD_POINTS = 8  # what each opponent adds to a lead, for each of its cards, six at most
SPEND = 6  # sixteenths of what cards are worth to keep that leading them costs
SPEND_WITH_FRIENDS = 4  # the same under friends
VOID_BY_LEAD = 4  # leading the last of a side suit
DRAW_TRUMPS = -4  # trump led by the declarers
DRAW_WITH_FRIENDS = 20  # the same under friends, where few can ruff for him
OTHERS_TRUMP = 24  # taken off trump led by a non-declarer

# Burying
BURY_RANK = 5  # eighths of a side card's power
BURY_POINTS = 0  # eighths for each point
BURY_STRONG = 6  # taken off that for each four trumps over a fair share
BURY_POINTS_WITH_FRIENDS = 14  # the same two under friends
BURY_STRONG_WITH_FRIENDS = 12
BURY_TOP = 7  # the top of a side suit
BURY_PAIR = 6  # each card of a pair
BURY_VOID = 40  # the gain of a void
BURY_TRUMP = 100  # any trump

# Bidding, in twelfths of a trump over the fair share
BID_PAIR = 10  # a pair of trumps
BID_TOP = 10  # the top card of a side suit
BID_FIRST = -1  # needed for the first bid
BID_TO_DECLARE = -16  # more needed where the bidder will declare
BID_OVER_OPPONENT = 3  # needed over an opponent's bid
BID_TO_TAKE_OVER = -6  # more where the bidder will declare
BID_OVER_PARTNER = 48  # needed over a partner's bid
BID_REINFORCE = 22  # needed to reinforce
BID_FRIENDS = 20  # under friends: needed for the first bid
BID_FRIENDS_DECLARE = -5  # more where the bidder will declare
BID_FRIENDS_OVER = 20  # needed over another's bid

# Friends
CALL_RANK = 20  # a called card's power
CALL_HELD = 10  # taken off for each copy that the caller holds
FRIEND_ODDS = 64  # 64ths of an even share of the calls that a seat may answer
JOIN_DECLARER = 35  # playing the called card

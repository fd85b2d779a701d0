"""Rules in words: what a rule set says, where two differ, the table of presets.

python -m tuolaji_env.rules                     all presets, a line each
python -m tuolaji_env.rules explain guangzhou   one in words (a preset or a YAML file)
python -m tuolaji_env.rules diff two_deck henan the fields that differ
python -m tuolaji_env.rules table               the presets as a Markdown table
"""

from __future__ import annotations

from collections.abc import Iterator

from .rules import Rules, clauses, load_rules, preset_names

_BIDS = {
    "count": "level cards of one suit, more copies over fewer; no joker bids",
    "standard": "level cards of one suit, more copies over fewer, then a pair of small jokers, "
    "then of big jokers (both no-trump)",
    "joker_backed": "a single level card needs a joker beside it (big for red suits, small for "
    "black), then more copies, then joker pairs (no-trump)",
    "henan": "a joker with one or two level cards, then joker pairs, which make no-trump and take "
    "the kitty",
    "chaodi2": "single, pair (by suit ♦♣♥♠), joker pairs (no-trump), three jokers (any trump)",
    "chaodi3": "single, pair (by suit), joker pairs, triple (by suit), three jokers (no-trump), "
    "four jokers (any trump)",
}
_DECLARER = {
    "bidder": "the last bidder declares the first deal",
    "first_bidder": "the first bidder declares the first deal",
    "drawn": "the first declarer is drawn by lot",
    "given": "declarer and level are given with the deal, bids make trump only",
}
_NO_BID = {
    "redeal": "without a bid the cards are dealt again, at most {max_redeals} times in a row",
    "flip": "without a bid the kitty is turned up for trump",
    "no_trump": "without a bid there is no trump suit",
}
_THROWS = {
    "off": "one unit at a time may be led, no throws",
    "certain": "throws only of cards that stand for certain",
    "attempt": "any throw may be tried; if it fails, the {failed} beaten unit is led instead",
}
_FOLLOW = {
    "longest": "a follower must play the longest pieces that match the lead, {prefers} first",
    "exact": "a unit asks for itself, else for tuples of its width, then for narrower pieces",
    "cards": "the same shape, else the largest tractor that fits, then pairs",
}
_COMPARE = {
    "main": "throws compare by their largest unit",
    "lexicographic": "throws compare unit by unit, the largest first",
    "all": "a throw is beaten only in every unit at once",
}
_WIDER = {
    "off": "",
    "tractor": "a wider tractor beats a narrower one of as many cards",
    "all": "a wider unit beats any narrower one of as many cards, trump or not",
}
_CAPTURE = {
    "unit_cards": "the kitty counts {capture_factor} times for each card of the lead's main unit",
    "pow2_cards": "the kitty counts 2 to the power of the main unit's cards",
    "pow2_pairs": "the kitty counts double, and doubles again for each pair {pairs}",
    "tractor_pow2": "the kitty counts double, for a tractor 2 to the power of its length",
    "play_cards": "the kitty counts {capture_factor} times for each card of the winning play",
    "bonus": "the kitty counts once, with {capture_bonus} points on top",
}


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names)


def _ladder(rules: Rules) -> str:
    return f"{rules.ladder[0]} to {rules.ladder[-1]}" if len(rules.ladder) > 1 else rules.ladder[0]


def _table(rules: Rules) -> Iterator[str]:
    if rules.table is None:
        yield (
            f"at {rules.base} points the others take over; each {rules.step} points more is a "
            f"level for them, each {rules.step} fewer one for the declarers, none at all one more"
        )
    else:
        for points, side, rise in rules.table:
            who = "the declarers" if side == "declarers" else "the others"
            yield f"from {points} points: {who} declare next and rise {rise}"
    if rules.below_zero_step:
        yield f"one more level for each {rules.below_zero_step} points below 0"
    if rules.clamp:
        yield f"the score is read between {rules.clamp[0]} and {rules.clamp[1]}"
    if rules.max_rise:
        yield f"at most {rules.max_rise} levels a deal"


def sections(rules: Rules) -> Iterator[tuple[str, list[str]]]:
    """The rules as headed lists of sentences."""
    r = rules
    sides = "fixed sides, every other seat"
    if r.teams == "friends":
        sides = f"the declarer calls {r.friends_called} friend card(s); who plays one joins him"
    jokers = "with jokers" if r.jokers else "without jokers"
    yield (
        "Table",
        [
            f"{r.players} players, {r.decks} deck{'s' if r.decks > 1 else ''} {jokers}, "
            f"{r.hand_size} cards each, {r.kitty or 'none'} in the kitty",
            sides,
        ],
    )
    top = {
        "passing": "the first side to rise past the top wins the match",
        "defending": "the match is won by declaring at the top and winning there",
    }[r.win_by]
    levels = [
        f"levels {_ladder(r)}",
        "after the top comes the bottom again" if r.cyclic else top,
        f"after {r.max_deals} deals at the latest, more levels gained wins",
    ]
    if r.mandatory:
        levels.append(f"{_list(r.mandatory)} must be played: no rise passes over them")
    if r.top_no_trump:
        levels.append("the top is played without trump suit and without bids")
    if r.top_needs_trump_capture:
        levels.append("the top is passed only by taking its last trick with trumps as declarers")
    yield "Levels", levels

    trump = [
        "jokers, level cards and the trump suit are trump"
        if r.jokers
        else "level cards and the trump suit are trump"
    ]
    if r.permanent_trumps == "next_level":
        trump.append("so are the cards of the next level")
    elif r.permanent_trumps:
        trump.append(f"so are all {_list(r.permanent_trumps)}")
    if r.links == "guangxi":
        trump.append(
            "tractors: ranks on a ring cut at the level, no gap is bridged, level cards "
            "link to nothing, jokers only to each other"
        )
    else:
        trump.append("tractors run across the gaps left by trump ranks, and on through the trumps")
    if r.permanent_trumps:
        how = "at their natural rank" if r.permanent_links == "natural" else "in the trump order"
        trump.append(f"permanent trumps link {how}")
    if r.level3_with_2:
        trump.append("at level 3, the trump suit's 3 and 2 link as the highest tractor but jokers")
    yield "Trump and tractors", trump

    scheme = "count" if r.bids == "standard" and not r.jokers else r.bids
    bids = [_BIDS[scheme]]
    bids.append(
        "asked after each own draw" if r.bid_poll == "draw" else "asked after the last draw"
    )
    if r.single_by_suit:
        bids.append("singles compare by suit as well")
    bids.append(
        "a bidder may add copies to his bid" if r.reinforce else "nobody adds to his own bid"
    )
    if r.reclaim:
        bids.append("a single over-bid by a pair may be reclaimed by its second copy")
    if r.hidden_bids:
        bids.append("a bid's suit stays secret until bidding is over")
    bids += [_DECLARER[r.first_declarer], _NO_BID[r.no_bid].format(max_redeals=r.max_redeals)]
    if r.rebid_after_bury:
        bids.append("after each bury the others may over-bid, take the kitty and bury again")
    yield "Bidding", bids

    failed = "lowest" if r.failed_throw_plays == "lowest" else "widest kind of"
    play = [_THROWS[r.throws].format(failed=failed)]
    if r.throws == "attempt" and r.throw_penalty_per_card:
        play.append(f"a failed throw costs {r.throw_penalty_per_card} points a beaten card")
    if r.throws == "attempt" and r.throw_penalty_points:
        play.append(f"a failed throw costs {r.throw_penalty_points} points")
    prefers = "tractors" if r.follow_prefers == "tractor" else "wide pieces"
    play.append(_FOLLOW[r.follow].format(prefers=prefers))
    if r.same_count:
        play.append("any one unit of as many cards answers a lead")
    play.append(
        "nobody must cut a triple or quad" if r.protect_wider else "pairs are cut from triples"
    )
    play += [text for text in (_COMPARE[r.throw_compare], _WIDER[r.wider_beats]) if text]
    if r.revoke == "forfeit":
        play.append("an illegal follow can be played and loses the deal, the other side rising 3")
    yield "Play", play

    end = []
    if r.kitty:
        pairs = "of the whole winning play" if r.all_pairs else "of the lead's main unit"
        text = _CAPTURE[r.capture].format(
            capture_factor=r.capture_factor, capture_bonus=r.capture_bonus, pairs=pairs
        )
        who = "with trumps " if r.capture_needs_trump else ""
        end.append(f"if the non-declarers take the last trick {who}{text}")
    if r.last_trick_multiplies:
        end.append("the last trick's points count once a card led, for or against the others")
    yield "Score", [*end, *_table(r)]


def explain(rules: Rules) -> str:
    """A rule set in words."""
    lines = [rules.name or "house rules"]
    for heading, sentences in sections(rules):
        lines += ["", heading, *(f"  - {sentence}" for sentence in sentences)]
    return "\n".join(lines)


def diff(a: Rules, b: Rules) -> str:
    """The fields in which two rule sets differ."""
    where = clauses()
    lines = [
        f"{where[name]:6} {name}: {getattr(a, name)!r} -> {getattr(b, name)!r}"
        for name in Rules.model_fields
        if name != "name" and getattr(a, name) != getattr(b, name)
    ]
    return "\n".join(lines) or "the same rules"


def preset_table() -> str:
    """All presets as a Markdown table."""
    lines = [
        "| preset | players | decks | kitty | bids | throws | follow | the others take over at |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in preset_names():
        r = load_rules(name)
        players = f"{r.players} (friends)" if r.teams == "friends" else str(r.players)
        lines.append(
            f"| `{name}` | {players} | {r.decks} | {r.kitty} | {r.bids} | {r.throws} "
            f"| {r.follow} | {r.takeover} |"
        )
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """The command line; returns the exit status."""
    if not arguments:
        for name in preset_names():
            r = load_rules(name)
            sides = "friends" if r.teams == "friends" else "sides"
            print(f"{name:28} {r.players} players, {r.decks} decks, {sides}, bids {r.bids}")
        return 0
    if arguments[0] == "explain" and len(arguments) == 2:
        print(explain(load_rules(arguments[1])))
        return 0
    if arguments[0] == "diff" and len(arguments) == 3:
        print(diff(load_rules(arguments[1]), load_rules(arguments[2])))
        return 0
    if arguments == ["table"]:
        print(preset_table())
        return 0
    print(__doc__)
    return 2

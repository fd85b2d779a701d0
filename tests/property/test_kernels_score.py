"""What a deal is worth and where a rise ends (R2, R10.2-10.4): the kernels against the oracle."""

from itertools import product

from hypothesis import given

from tests.kernels import compiled
from tests.oracle import score
from tuolaji_env.core import probe

from . import strategies as some

BOTH = (False, True)


@some.examples(60)
@given(some.rules())
def test_r10_3_and_r10_4_result_of_every_score(rules):
    for points in range(-405, 905, 5):
        others, levels = probe.result(compiled(rules), points)
        assert (("declarers", "others")[others], levels) == score.result(rules, points), points


@some.examples(60)
@given(some.rules())
def test_r10_2_last_trick(rules):
    for cards, points, others in product((1, 2, 5), (0, 25), BOTH):
        expected = score.last_trick(rules, cards, points, others)
        assert probe.last_trick(compiled(rules), points, cards, others) == expected


@some.examples(60)
@given(some.rules())
def test_r2_rise_from_every_level(rules):
    ladder = list(rules.ladder)
    for start, levels, declared, trumps in product(ladder, range(15), BOTH, BOTH):
        place, gained, won = probe.rise(
            compiled(rules), ladder.index(start), levels, declared, trumps
        )
        expected = score.rise(rules, start, levels, declared, trumps)
        assert (ladder[place], gained, bool(won)) == expected, (start, levels, declared, trumps)

"""When two strategies have played enough."""

from random import Random

import pytest

from mcmulti.arena.play import ArenaGame
from mcmulti.arena.sprt import FEWEST, SequentialTest

ARENAS = 400


def _games(match: int, won: tuple[bool, bool]) -> list[ArenaGame]:
    """A match of two games in which the strategies swap seats, and whether the first won each."""
    return [
        ArenaGame(2 * match + n, match, (n, 1 - n), (n if first else 1 - n,), (), "cash", 9, ())
        for n, first in enumerate(won)
    ]


def _decided(random: Random, lead: float, low: float, high: float) -> str | None:
    test, rate = SequentialTest(dict.fromkeys(range(1, 5001), 2), low, high), 1 / (1 + 10 ** (-lead / 400))
    for match in range(1, 5001):
        lucky = random.random() < rate
        first, second = (lucky if random.random() < 0.5 else random.random() < rate for _ in range(2))
        for game in _games(match, (first, second)):
            test.add(game)
        if test.result.decided is not None:
            break
    return test.result.decided


@pytest.mark.parametrize(("low", "high"), [(0, 100), (-60, 60)])
def test_each_claim_is_wrongly_given_up_as_rarely_as_promised(low: float, high: float) -> None:
    """5 % at most. In 400 arenas that is 20, and 29 is two standard deviations (of 4.4) more."""
    random = Random(1)
    for lead, other in ((low, "high"), (high, "low")):
        decided = [_decided(random, lead, low, high) for _ in range(ARENAS)]
        assert None not in decided
        assert decided.count(other) <= 29


def test_who_wins_everything_is_better_after_the_fewest_matches() -> None:
    test = SequentialTest(dict.fromkeys(range(1, 101), 2), 0, 100)
    for match in range(1, 101):
        for game in _games(match, (True, True)):
            test.add(game)
    assert (test.result.decided, test.result.matches) == ("high", FEWEST)


def test_it_makes_no_difference_in_which_order_games_end() -> None:
    random = Random(3)
    games = [game for match in range(1, 41) for game in _games(match, (random.random() < 0.8, random.random() < 0.8))]
    found = []
    for order in (games, games[::-1], random.sample(games, len(games))):
        test = SequentialTest(dict.fromkeys(range(1, 41), 2), -20, 20)
        for game in order:
            test.add(game)
        found.append((test.result, [test.counted(game) for game in games]))
    assert found[0] == found[1] == found[2]
    assert found[0][0].decided == "high"
    assert found[0][1].count(True) == 2 * found[0][0].matches


def test_a_match_counts_when_it_is_whole() -> None:
    test = SequentialTest({1: 2, 2: 2}, 0, 50)
    first, second = _games(1, (True, False))
    test.add(second)
    assert test.result.matches == 0
    test.add(first)
    assert (test.result.matches, test.result.decided) == (1, None)

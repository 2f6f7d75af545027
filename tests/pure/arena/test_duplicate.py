"""Duplicate scoring: the same seat with the same dice, compared."""

import pytest

from mcmulti.arena.play import ArenaGame
from mcmulti.arena.ratings import duplicate_scores


def _game(
    number: int, seats: tuple[int, ...], winners: tuple[int, ...], money: tuple[int, ...], left: tuple[int, ...] = ()
) -> ArenaGame:
    return ArenaGame(number, 1, seats, winners, left, "cash", 9, money)


def _points(*games: ArenaGame, entrants: int = 2) -> dict[int, tuple[float, int]]:
    return {score.entrant: (score.share.value, score.comparisons) for score in duplicate_scores(games, entrants)}


def test_money_decides_between_two_that_won_with_the_same_seat() -> None:
    """The first seat is lucky and wins both games, but A makes more of each seat: 800 to 760, and 500 to 300."""
    found = _points(_game(1, (0, 1), (0,), (800, 300)), _game(2, (1, 0), (0,), (760, 500)))
    assert found == {0: (1.0, 2), 1: (0.0, 2)}


def test_a_victory_is_better_than_money_and_a_seat_that_was_given_up_the_worst() -> None:
    """A wins the first seat with 700, B loses it with 720. On the second, A leaves in the lead, and B stays poor."""
    found = _points(_game(1, (0, 1), (0,), (700, 10)), _game(2, (1, 0), (1,), (720, 900), left=(1,)))
    assert found == {0: (0.5, 2), 1: (0.5, 2)}


def test_equal_results_are_half_a_point_for_each() -> None:
    found = _points(_game(1, (0, 1), (0, 1), (750, 750)), _game(2, (1, 0), (0, 1), (750, 750)))
    assert found == {0: (0.5, 2), 1: (0.5, 2)}


def test_three_strategies_are_compared_by_pairs_on_every_seat() -> None:
    """On seat 1: 30, 20, 10. On seat 2: C 5, A 4, B 3. On seat 3: B 9, C 8, A 9: half a point for A and B.

    A: 2 + 1 + 1.5, B: 1 + 0 + 1.5, C: 0 + 2 + 0, each of six.
    """
    found = _points(
        _game(1, (0, 2, 1), (), (30, 5, 9)),
        _game(2, (1, 0, 2), (), (20, 4, 8)),
        _game(3, (2, 1, 0), (), (10, 3, 9)),
        entrants=3,
    )
    assert found == {0: (4.5 / 6, 6), 1: (2.5 / 6, 6), 2: (2 / 6, 6)}


def test_a_strategy_is_not_compared_with_itself_nor_across_matches() -> None:
    alone = _game(1, (0, 0, 1, 1), (0,), (9, 8, 7, 6))
    other = ArenaGame(2, 2, (1, 1, 0, 0), (0,), (), "cash", 9, (9, 8, 7, 6))
    [first, second] = duplicate_scores([alone, other], 2)
    assert (first.comparisons, second.comparisons) == (0, 0)
    assert (first.share.low, first.share.value, first.share.high) == (0.0, 0.5, 1.0)


@pytest.mark.parametrize("matches", [1, 10])
def test_the_interval_narrows_with_more_matches_and_never_is_certain(matches: int) -> None:
    games = []
    for n in range(matches):
        games += [
            ArenaGame(2 * n, n, (0, 1), (0,), (), "cash", 9, (9, 1)),
            ArenaGame(2 * n + 1, n, (1, 0), (1,), (), "cash", 9, (1, 9)),
        ]
    best, worst = duplicate_scores(games, 2)
    assert (best.entrant, best.share.value, best.share.high) == (0, 1.0, 1.0)
    assert (worst.entrant, worst.share.value, worst.share.low) == (1, 0.0, 0.0)
    assert (best.share.low > 0.7) == (matches == 10)

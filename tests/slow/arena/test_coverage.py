"""Intervals contain the true share and rating 95 times of 100, whatever the number of matches and the win rate."""

import pytest

from tests.pure.arena.coverage import NEAR, coverage


@pytest.mark.parametrize(("matches", "games"), [(5, 2), (5, 4), (10, 2), (10, 4), (50, 2)])
@pytest.mark.parametrize("rate", NEAR)
def test_intervals_hold_what_is_true_as_often_as_they_say(rate: float, matches: int, games: int) -> None:
    """Half of the result of a match is due to its dice. A strategy that wins everything has an infinite interval.

    Five matches of four games each are twenty games, which the interval treats as slightly more information than they
    are.
    """
    shares, ratings = coverage(games, 0.5, matches, rate, arenas=500 if matches > 10 else 2000)
    most = 0.98 if (games, matches) == (4, 5) else 0.97
    if rate == 1:
        assert (shares, ratings) == (1, 1)
    else:
        assert 0.93 <= shares <= most
        assert 0.93 <= ratings <= most

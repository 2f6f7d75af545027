"""The gambler among strategies that are written to exploit it, and among those that stake by position alone."""

import pytest

from benchmarks.contests import interval
from benchmarks.exploiters import EXPLOITERS, victories
from mcmulti.bots.strategies.gambler.gambler import gambler


@pytest.mark.parametrize("exploiter", sorted(EXPLOITERS))
def test_no_exploiter_wins_more_than_its_share(exploiter: str) -> None:
    """A third of the games of three, as far as this few can show."""
    games = 18
    least, _ = interval(sum(victories(EXPLOITERS[exploiter], gambler, 3, games)), games)
    assert least < 1 / 3


@pytest.mark.parametrize(("seats", "games"), [(3, 72), (4, 12), (5, 10)])
def test_a_gambler_beats_those_who_stake_by_position(seats: int, games: int) -> None:
    """More than its share, beyond luck in this many games: the fewer they are, the more it takes."""
    least, _ = interval(sum(victories(gambler, EXPLOITERS["position"], seats, games)), games)
    assert least > 1 / seats

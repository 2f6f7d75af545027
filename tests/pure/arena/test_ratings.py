"""What games show about who is better."""

from collections.abc import Sequence
from math import log10
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcmulti.arena.play import ArenaGame
from mcmulti.arena.ratings import Won, rated, share, standings
from tests.pure.arena.coverage import coverage
from tests.thorough import examples

TABLES = st.lists(
    st.tuples(st.permutations(range(4)).map(lambda seats: tuple(seats[:3])), st.integers(0, 2)), min_size=1, max_size=40
)


def _results(tables: Sequence[tuple[tuple[int, ...], int]]) -> list[ArenaGame]:
    return [ArenaGame(n, n // 3, seats, (winner,), (), "cash", 9, ()) for n, (seats, winner) in enumerate(tables)]


@pytest.mark.parametrize(("won", "lost"), [(3, 1), (0, 10), (7, 7)])
def test_of_two_the_ratings_are_those_of_a_formula(won: int, lost: int) -> None:
    """One more game that both share counts as half a victory for each."""
    first, second = rated(_results([((0, 1), 0)] * won + [((1, 0), 0)] * lost), 2)
    assert first - second == pytest.approx(400 * log10((won + 0.5) / (lost + 0.5)), abs=0.01)
    assert first + second == pytest.approx(0)


@examples(20)
@given(TABLES, st.randoms(use_true_random=True))
def test_the_order_of_games_makes_no_difference(tables: list[tuple[tuple[int, ...], int]], random: Random) -> None:
    results = _results(tables)
    shuffled = random.sample(results, len(results))
    assert standings(results, 4) == standings(shuffled, 4)
    assert rated(results, 4) == rated(shuffled, 4)


@examples(100)
@given(TABLES, st.data())
def test_who_wins_more_is_never_rated_lower(tables: list[tuple[tuple[int, ...], int]], data: st.DataObject) -> None:
    changed = data.draw(st.integers(0, len(tables) - 1))
    seats, winner = tables[changed]
    other = data.draw(st.sampled_from([seat for seat in range(3) if seat != winner]))
    better = seats[other]
    more = [*tables[:changed], (seats, other), *tables[changed + 1 :]]
    assert rated(_results(more), 4)[better] > rated(_results(tables), 4)[better]


def test_a_shared_victory_counts_for_each_in_part() -> None:
    shared = [ArenaGame(1, 1, (0, 1, 2), (0, 1), (), None, 9, ())]
    first, second, third = sorted(standings(shared, 3), key=lambda standing: standing.entrant)
    assert (first.victories, second.victories, third.victories) == (0.5, 0.5, 0)
    assert first.rating.value == pytest.approx(second.rating.value)
    assert first.rating.value > third.rating.value


def test_who_sits_on_more_seats_is_expected_to_win_more() -> None:
    fair = [ArenaGame(n, n, (0, 0, 1), (n % 3,), (), None, 9, ()) for n in range(30)]
    first, second = standings(fair, 2)
    assert first.rating.value == pytest.approx(second.rating.value, abs=5)
    assert {round(each.share.value, 6) for each in (first, second)} == {0.333333}


@pytest.mark.parametrize("matches", [5, 10])
@pytest.mark.parametrize("rate", [0.5, 0.76, 0.95])
def test_intervals_hold_what_is_true_as_often_as_they_say(rate: float, matches: int) -> None:
    """More matches, and matches of four games, are in tests/slow/arena."""
    shares, ratings = coverage(2, 0.5, matches, rate, arenas=4000)
    assert 0.93 <= shares <= 0.97
    assert 0.93 <= ratings <= 0.97


def test_who_lost_everything_may_be_as_bad_as_can_be_but_hardly_an_equal() -> None:
    """Ten games in five matches, as one of Jeffreys: of Beta(1/2, 5 1/2), 97.5 % lie below 0.385 (from a table)."""
    best, worst = standings([ArenaGame(n, n // 2, (0, 1), (0,), (), "cash", 9, ()) for n in range(10)], 2)
    assert (best.share.value, best.share.high, best.rating.high) == (1, 1, None)
    assert (worst.share.value, worst.share.low, worst.rating.low) == (0, 0, None)
    assert worst.share.high == pytest.approx(0.385, abs=0.05)
    assert best.rating.low is not None
    assert 0 < best.rating.low < best.rating.value


def test_who_sits_twice_at_a_table_cannot_win_more_than_half_of_its_seats() -> None:
    """Two seats of four each: one victory per game is the maximum."""
    results = [ArenaGame(n, n // 2, (0, 1, 0, 1), (n % 2 * 2,), (), "cash", 9, ()) for n in range(8)]
    best, worst = standings(results, 2)
    assert (best.share.value, best.share.high) == (0.5, 0.5)
    assert (worst.share.value, worst.share.low) == (0, 0)
    assert 0.25 < best.share.low < 0.5


@given(TABLES)
@examples(20)
def test_only_what_can_be_is_told(tables: list[tuple[tuple[int, ...], int]]) -> None:
    for standing in standings(_results(tables), 4):
        share, rating = standing.share, standing.rating
        assert 0 <= share.low <= share.value <= share.high <= 1
        assert rating.low is None or rating.low <= rating.value
        assert rating.high is None or rating.high >= rating.value
        assert (rating.low is None) == (standing.victories == 0)
        assert (rating.high is None) == (standing.victories == standing.games)


def test_matches_that_vary_little_tell_more() -> None:
    alike, varied = (
        share({Won(victories, 4, 4): count for victories, count in kinds.items()}, Random(1))
        for kinds in ({1.0: 19, 2.0: 1}, {4.0: 5, 0.0: 15})
    )
    assert alike.high - alike.low < (varied.high - varied.low) / 2
    assert share({}, Random(1)) == share({Won(0.0, 0, 0): 1}, Random(1))


def test_the_interval_of_a_rating_narrows_with_more_matches() -> None:
    random = Random(5)

    def arena(matches: int) -> float:
        results = [
            ArenaGame(n, n // 2, (0, 1), (0,) if random.random() < 0.6 else (1,), (), None, 9, ())
            for n in range(2 * matches)
        ]
        best = standings(results, 2)[0].rating
        assert best.low is not None
        assert best.high is not None
        assert best.low <= best.value <= best.high
        return best.high - best.low

    assert arena(400) < arena(40) / 2

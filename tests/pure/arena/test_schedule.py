"""Who plays whom: all get the same seats, neighbors, and dice."""

from collections import Counter

import pytest

from mcmulti.arena.schedule import ArenaPlan, dice_of, pairings, player_id, strategy_seed


def _plan(entrants: int, seats: int, seed: int = 1) -> ArenaPlan:
    return ArenaPlan(1, "mcmulti", 1, {}, seats, seed, tuple(f"bot {n}" for n in range(entrants)))


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (4, 4), (2, 4), (3, 4), (6, 4), (5, 3), (3, 2)])
def test_every_entrant_sits_on_every_seat_equally_often(entrants: int, seats: int) -> None:
    games = pairings(_plan(entrants, seats), 600)
    sat = Counter((seat, entrant) for game in games for seat, entrant in enumerate(game.seats))
    assert len(sat) == entrants * seats
    assert max(sat.values()) - min(sat.values()) <= 0.15 * max(sat.values())
    for entrant in range(entrants):
        if entrants >= seats:
            assert len({sat[seat, entrant] for seat in range(seats)}) == 1


@pytest.mark.parametrize(("entrants", "seats"), [(4, 4), (2, 4), (6, 3)])
def test_matches_are_whole_and_no_game_of_one_is_played_twice(entrants: int, seats: int) -> None:
    games = pairings(_plan(entrants, seats), 101)
    assert [game.number for game in games] == list(range(1, len(games) + 1))
    assert 101 <= len(games) < 101 + seats
    for match in {game.match for game in games}:
        tables = [game.seats for game in games if game.match == match]
        assert len(set(tables)) == len(tables)
        assert len({tuple(sorted(table)) for table in tables}) == 1
        rotated = {table[by:] + table[:by] for table in tables for by in range(seats)}
        assert rotated == set(tables)


def test_neighbors_change_from_match_to_match() -> None:
    orders = {game.seats for game in pairings(_plan(4, 4), 400)}
    assert len(orders) == 24


def test_more_games_begin_with_the_same_ones() -> None:
    assert pairings(_plan(5, 3), 300)[:30] == pairings(_plan(5, 3), 30)


def test_dice_and_strategies_follow_from_the_seed() -> None:
    one, other = _plan(4, 4), _plan(4, 4, seed=2)
    assert dice_of(one, 1) == dice_of(one, 1)
    assert len({dice_of(plan, match) for plan in (one, other) for match in (1, 2)}) == 4
    made = [strategy_seed(plan, 1, entrant, copy) for plan in (one, other) for entrant in (0, 1) for copy in (0, 1)]
    assert len(set(made)) == 8
    assert len({player_id(one, entrant, copy) for entrant in (0, 1) for copy in (0, 1)}) == 4

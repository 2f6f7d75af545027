"""How lucky a roll was: what it lets each seat operate, compared with the sum over all 36 rolls, worked out by hand."""

from collections import Counter

import pytest

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.shown.gauges import Die, Luck
from mcmulti.domain.mcmulti.gauges import luck, thrown
from mcmulti.domain.mcmulti.phases.dice import DiceRolled, EconomyChanged
from mcmulti.domain.mcmulti.phases.ending import TurnBegan
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.table import StartingRoll, StartRolled
from mcmulti.domain.oil.names import EconomyName
from tests.pure.mcmulti.situations import situation


def lucky(state: State, red: int, black: int) -> set[Luck]:
    """How lucky everybody is with these dice."""
    rolled = luck(state, DiceRolled(state.now.seat, Draw(1, 6, red), Draw(2, 6, black)))
    assert len(set(rolled)) == len(rolled)
    return set(rolled)


def test_the_quadrant_at_turn_by_both_dice() -> None:
    """Red 2 and black 5 against a well on 2-1, a station on 1-5, a refinery on rows and columns 2 and 3, a rig on 2-5.

    The well lies in row 2: two barrels. The station lies in column 5: one. The refinery is hit by row 2: one.
    The rig is crossed: one strike. Over all rolls: row 2 is named by red in 6 of 36 and column 1 by black in 6, so the
    well is hit 12 times, which makes 24 barrels; the station is hit 12 times. Two rows in 12 rolls and two columns in
    12 hit the refinery 24 times. The rig is crossed by red 2 with black 5 only, 1 roll of 36.
    """
    state = situation(assets={0: "well 2-1, station 1-5, refinery 2-2, rig 2-5"})
    assert lucky(state, 2, 5) == {
        Luck(0, "well", 2, 24, 36),
        Luck(0, "station", 1, 12, 36),
        Luck(0, "refinery", 1, 24, 36),
        Luck(0, "rig", 1, 1, 36),
    }


def test_a_roll_that_hits_nothing_is_bad_luck() -> None:
    """Red 6 and black 6 miss the well on 2-1, which two rolls in six hit: 24 barrels over all 36."""
    assert lucky(situation(assets={0: "well 2-1, rig 3-3"}), 6, 6) == {
        Luck(0, "well", 0, 24, 36),
        Luck(0, "rig", 0, 1, 36),
    }


def test_what_both_dice_hit_counts_twice() -> None:
    """On 4-4, red 4 and black 4 hit a well twice, for four barrels; a refinery on 1-1 is hit by row 1 and column 2."""
    assert lucky(situation(assets={0: "well 4-4"}), 4, 4) == {Luck(0, "well", 4, 24, 36)}
    assert lucky(situation(assets={0: "refinery 1-1"}), 1, 2) == {Luck(0, "refinery", 2, 24, 36)}


@pytest.mark.parametrize(("at", "by_red", "by_black"), [(0, 1, 3), (1, 0, 2), (2, 3, 1), (3, 2, 0)])
def test_neighbors_by_one_die_each(at: int, by_red: int, by_black: int) -> None:
    """Rows are shared by 0 and 1 and by 2 and 3, columns by 1 and 2 and by 3 and 0 (`board/quadrants`).

    Red 2, black 5: row 2 of one neighbor has a station, hit once; in column 5 of the other stands a well: two
    barrels. Over all rolls one line is named 6 times: 6 for the station, 12 barrels for the well. Rigs gain nothing,
    and the opposite quadrant nothing at all.
    """
    opposite = (at + 2) % 4
    assets = {by_red: "station 2-3, rig 2-5", by_black: "well 4-5", opposite: "well 2-5, station 2-2"}
    state = situation(quadrant=at, assets=assets)
    assert lucky(state, 2, 5) == {Luck(by_red, "station", 1, 6, 36), Luck(by_black, "well", 2, 12, 36)}


def test_with_two_players_both_neighbors_are_one_opponent() -> None:
    """Ben's stations on 2-1 (by red 2: hit) and on 1-4 (by black 5: missed), 6 rolls each: 1 of 12."""
    state = situation(2, assets={1: "station 2-1", 3: "station 1-4"})
    assert lucky(state, 2, 5) == {Luck(1, "station", 1, 12, 36)}


def test_the_ghost_rolls_for_its_neighbors_and_gets_nothing() -> None:
    """The ghost's quadrant 3 is to move: its left neighbor 0 has a column hit by black 5, one station 6 of 36."""
    state = situation(3, quadrant=3, assets={0: "station 1-5"})
    assert state.owners[3] is None
    assert lucky(state, 2, 5) == {Luck(0, "station", 1, 6, 36)}


def test_idle_refineries_cannot_be_lucky() -> None:
    """Of two refineries, both hit by red 1, the one on 1-4 waits for its clean-up: 1 barrel, 24 over all rolls."""
    state = situation(assets={0: "refinery 1-1, refinery 1-4"}, idle={0: "refinery 1-4"})
    assert lucky(state, 1, 6) == {Luck(0, "refinery", 1, 24, 36)}


@pytest.mark.parametrize("at", range(4))
def test_all_36_rolls_together_bring_what_is_expected(at: int) -> None:
    """Every roll has the same sum, and the rolls add up to it, whatever assets there are."""
    mixed = "rig 1-1, rig 6-6, well 3-1, well 6-2, well 2-6, station 1-3, station 4-4, refinery 5-3, refinery 1-4"
    state = situation(2, quadrant=at, assets=dict.fromkeys(range(4), mixed), idle={1: "refinery 1-4"})
    brought: Counter[tuple[int, str]] = Counter()
    expected: dict[tuple[int, str], int] = {}
    for red in range(1, 7):
        for black in range(1, 7):
            for one in lucky(state, red, black):
                brought[one.seat, one.kind] += one.actual
                assert expected.setdefault((one.seat, one.kind), one.expected) == one.expected
    assert expected
    assert brought == expected


def test_other_events_are_neither_lucky_nor_unlucky() -> None:
    assert luck(situation(assets={0: "well 1-1"}), TurnBegan(5, 0, 0)) == ()


def test_dice_are_named_after_their_colors() -> None:
    before: EconomyName = "recovery"
    assert thrown(DiceRolled(0, Draw(1, 6, 3), Draw(2, 6, 4))) == (Die("red", 3), Die("black", 4))
    assert thrown(EconomyChanged(Draw(3, 6, 6), before, "expansion")) == (Die("green", 6),)
    started = StartRolled((StartingRoll(0, Draw(4, 6, 2)), StartingRoll(1, Draw(5, 6, 5))))
    assert thrown(started) == (Die("start", 2), Die("start", 5))
    assert thrown(TurnBegan(5, 0, 0)) == ()

"""What stakes came back as, next to what was to be expected; and which dice were thrown."""

from fractions import Fraction
from itertools import product

import pytest

from mcmulti.domain.core.luck import Die
from mcmulti.domain.millionenspiel.components import TRACK
from mcmulti.domain.millionenspiel.luck import MOVES, WAYS, colours, luck, thrown
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.domain.millionenspiel.throwing import FirstThrown, PawnMoved
from tests.millionenspiel.situations import landing, situation, throw


def test_three_steps_come_in_two_of_36_ways_and_five_in_four_and_by_a_double_of_1_before_three() -> None:
    """3 is 1 + 2. 5 is 1 + 4 or 2 + 3, or a double of 1 and then 1 + 2: 4 / 36 + 1 / 36 * 2 / 36."""
    assert Fraction(MOVES[3], WAYS) == Fraction(2, 36)
    assert Fraction(MOVES[5], WAYS) == Fraction(4, 36) + Fraction(1, 36) * Fraction(2, 36)
    assert Fraction(MOVES[2], WAYS) == 0, "a double never ends a move, but for the fifth"
    assert sum(MOVES.values()) == WAYS


@pytest.mark.parametrize("field", [0, 13, 41])
def test_every_move_ends_somewhere(field: int) -> None:
    """Next to all two throws there are, of which the first is no double."""
    assert sum(colours(field).values()) == WAYS
    single = [a + b for a, b in product(range(1, 7), repeat=2) if a != b]
    for colour in set(TRACK):
        least = sum(TRACK[(field + steps) % 56] == colour for steps in single)
        assert Fraction(colours(field)[colour], WAYS) >= Fraction(least, 36)


@pytest.mark.parametrize(
    ("field", "colour", "back"), [(3, "blue", 2), (4, "beige", 0), (15, "yellow", 11), (43, "red", 101)]
)
def test_what_a_stake_came_back_as(field: int, colour: str, back: int) -> None:
    before = landing(field, {0: Pieces(1)}, {1: Pieces(tens=3)})
    [found] = luck(before, PawnMoved(3, 0, field, colour))  # type: ignore[arg-type]
    assert (found.seat, found.kind, found.actual) == (1, "stake", 30 * back)
    start = colours(field - 3)
    times = 2 * start["blue"] + 11 * start["yellow"] + 101 * start["red"] + start["green"] + start["black"]
    assert (found.expected, found.ways) == (30 * times, WAYS)


def test_who_staked_nothing_has_neither_luck_nor_bad_luck() -> None:
    assert luck(situation({0: Pieces(5)}), PawnMoved(3, 0, 3, "blue")) == ()
    assert luck(situation({}, {0: Pieces(5)}), FirstThrown(0, throw(1, 2))) == ()


def test_both_dice_of_a_throw_are_counted() -> None:
    assert thrown(FirstThrown(0, throw(1, 2))) == (Die("first", 1), Die("second", 2))

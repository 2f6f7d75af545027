"""The results of stakes, compared with their expectation, and the dice that were thrown."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec import Struct

from mcmulti.domain.core.shown.gauges import Die
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.components import TRACK
from mcmulti.domain.millionenspiel.luck import MOVES, WAYS, colours, luck, thrown
from mcmulti.domain.millionenspiel.phases.staking import Stake
from mcmulti.domain.millionenspiel.phases.throwing import AcceptThrow, DeclineThrow, FirstThrown, PawnMoved
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.domain.millionenspiel.tallies import tallied
from tests.pure.millionenspiel.situations import happened, landing, situation, started, throw


def test_three_steps_come_in_two_of_36_ways_and_five_in_four_and_by_a_double_of_1_before_three() -> None:
    """3 is 1 + 2. 5 is 1 + 4 or 2 + 3, or a double of 1 and then 1 + 2: 4 / 36 + 1 / 36 * 2 / 36."""
    assert Fraction(MOVES[3], WAYS) == Fraction(2, 36)
    assert Fraction(MOVES[5], WAYS) == Fraction(4, 36) + Fraction(1, 36) * Fraction(2, 36)
    assert Fraction(MOVES[2], WAYS) == 0, "a double never ends a move, but for the fifth"
    assert sum(MOVES.values()) == WAYS


@pytest.mark.parametrize("field", [0, 13, 41])
def test_every_move_ends_somewhere(field: int) -> None:
    """Compared with all possible pairs of throws of which the first is not a double."""
    assert sum(colours(field).values()) == WAYS
    single = [a + b for a, b in product(range(1, 7), repeat=2) if a != b]
    for color in set(TRACK):
        least = sum(TRACK[(field + steps) % 56] == color for steps in single)
        assert Fraction(colours(field)[color], WAYS) >= Fraction(least, 36)


@pytest.mark.parametrize(
    ("field", "color", "back"), [(3, "blue", 2), (4, "beige", 0), (15, "yellow", 11), (43, "red", 101)]
)
def test_what_a_stake_came_back_as(field: int, color: str, back: int) -> None:
    before = landing(field, {0: Pieces(1)}, {1: Pieces(tens=3)})
    [found] = luck(before, PawnMoved(3, 0, field, color))  # type: ignore[arg-type]
    assert (found.seat, found.kind, found.actual) == (1, "stake", 30 * back)
    start = colours(field - 3)
    times = 2 * start["blue"] + 11 * start["yellow"] + 101 * start["red"] + start["green"] + start["black"]
    assert (found.expected, found.ways) == (30 * times, WAYS)


def test_who_staked_nothing_has_neither_luck_nor_bad_luck() -> None:
    assert luck(situation({0: Pieces(5)}), PawnMoved(3, 0, 3, "blue")) == ()
    assert luck(situation({}, {0: Pieces(5)}), FirstThrown(0, throw(1, 2))) == ()


def test_both_dice_of_a_throw_are_counted() -> None:
    assert thrown(FirstThrown(0, throw(1, 2))) == (Die("first", 1), Die("second", 2))


def test_what_a_color_brought_and_took_and_how_everybody_staked_and_threw() -> None:
    """Round 1:

    Ben stakes 5, Cleo a 1, Ada passes and declines. Then blue, 3: of 6 staked, 6 are gained. Round 2, Ben has the dice:
    Cleo stakes 2 and Ada 5, Ben passes. Field 7 is black, a 5 gives Ben their 7. Round 3, Cleo has them: Ada has
    nothing, Ben stakes his 7 in seven 1s, Cleo passes. Field 11 is beige: 7 are lost.
    """
    tallies: Counter[tuple[str, int | None, str | None, str]] = Counter()
    state = started()

    def move(seat: int, command: Struct, *dice: int) -> None:
        nonlocal state
        before = state
        state, events = happened(state, seat, command, dice)
        for event in events:
            for row in tallied(before, event):
                tallies.update({(row.table, row.seat, row.name, column): each for column, each in row.figures.items()})
            before = RULESET.evolve(before, event)

    for seat, stake in ((1, Stake(ones=5)), (2, Stake(ones=1))):
        move(seat, stake)
    move(0, Stake(), 6, 5)
    move(0, DeclineThrow(), 1, 2)
    for seat, stake in ((2, Stake(ones=2)), (0, Stake(ones=5))):
        move(seat, stake)
    move(1, Stake(), 1, 3)
    move(1, AcceptThrow(), 5)
    move(1, Stake(ones=7))
    move(2, Stake(), 1, 3)
    move(2, AcceptThrow())
    assert tallies == {
        ("stakers", 1, None, "placed"): 2,
        ("stakers", 1, None, "stakes"): 12,
        ("stakers", 1, None, "passed"): 1,
        ("stakers", 2, None, "placed"): 2,
        ("stakers", 2, None, "stakes"): 3,
        ("stakers", 2, None, "passed"): 1,
        ("stakers", 0, None, "passed"): 1,
        ("stakers", 0, None, "placed"): 1,
        ("stakers", 0, None, "stakes"): 5,
        ("rollers", 0, None, "thrown"): 1,
        ("rollers", 0, None, "declined"): 1,
        ("rollers", 1, None, "thrown"): 1,
        ("rollers", 1, None, "deciders"): 1,
        ("rollers", 2, None, "thrown"): 1,
        ("fields", None, "blue", "landed"): 1,
        ("fields", None, "blue", "stakes"): 6,
        ("fields", None, "blue", "gained"): 6,
        ("fields", None, "black", "landed"): 1,
        ("fields", None, "black", "stakes"): 7,
        ("fields", None, "black", "taken"): 7,
        ("fields", None, "beige", "landed"): 1,
        ("fields", None, "beige", "stakes"): 7,
        ("fields", None, "beige", "lost"): 7,
    }

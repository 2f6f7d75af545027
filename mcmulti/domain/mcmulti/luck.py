"""How lucky a production roll was, and which dice an event threw."""

from typing import Any

from mcmulti.domain.luck import Die, Luck
from mcmulti.domain.mcmulti.components import KINDS, Kind
from mcmulti.domain.mcmulti.events import DiceRolled, EconomyChanged, StartRolled
from mcmulti.domain.mcmulti.state import Quadrant, State
from mcmulti.domain.oilfield.board import Lines, left, lines_of_left, lines_of_right, right

# Of the 36 rolls each line is named by 6. A site lies on one row and one column, a refinery on two of each, a well
# brings two barrels a hit, and one roll alone crosses a rig. A neighbour has one line of the two.
_AT_TURN: dict[Kind, int] = {"rig": 1, "well": 24, "station": 12, "refinery": 24}
_NEIGHBOUR: dict[Kind, int] = {"rig": 0, "well": 12, "station": 6, "refinery": 12}


def luck(before: State, event: Any) -> tuple[Luck, ...]:
    """What the roll lets each seat operate, by kind: in its quadrant at turn (`production/hit`) or as a neighbour.

    Barrels of stations, refineries and wells, and for rigs the strikes, one at most (`production/rig`). Whether
    there is crude to refine or cash to strike does not matter, nor what news the roll brings. Idle refineries and
    kinds that no roll could hit are left out.
    """
    if not isinstance(event, DiceRolled):
        return ()
    at, red, black = before.now.quadrant, event.red.value, event.black.value
    actual: dict[tuple[int, Kind], int] = {}
    expected: dict[tuple[int, Kind], int] = {}
    for index, lines, chances in (
        (at, Lines(red, black), _AT_TURN),
        (left(at), lines_of_left(at, red, black), _NEIGHBOUR),
        (right(at), lines_of_right(at, red, black), _NEIGHBOUR),
    ):
        seat = before.owners[index]
        if seat is None:
            continue
        quadrant = before.quadrants[index]
        hits = _hits(quadrant, lines)
        for kind in KINDS:
            working = quadrant.standing(kind) & ~(quadrant.idle if kind == "refinery" else 0)
            if working and chances[kind]:
                key = seat, kind
                actual[key] = actual.get(key, 0) + hits[kind]
                expected[key] = expected.get(key, 0) + chances[kind] * working.bit_count()
    return tuple(Luck(seat, kind, actual[seat, kind], sum_) for (seat, kind), sum_ in expected.items())


def _hits(quadrant: Quadrant, lines: Lines) -> dict[Kind, int]:
    """The barrels that the lines let a quadrant operate, and the rigs that both lines cross."""
    return {
        "rig": lines.crossing(quadrant.rigs).bit_count(),
        "well": 2 * lines.single(quadrant.wells),
        "station": lines.single(quadrant.stations),
        "refinery": lines.blocks(quadrant.refineries & ~quadrant.idle),
    }


def dice(event: Any) -> tuple[Die, ...]:
    """The red and the black die of a roll, the green one of the economy, and those for who starts."""
    if isinstance(event, DiceRolled):
        return Die("red", event.red.value), Die("black", event.black.value)
    if isinstance(event, EconomyChanged):
        return (Die("green", event.green.value),)
    if isinstance(event, StartRolled):
        return tuple(Die("start", roll.die.value) for roll in event.rolls)
    return ()

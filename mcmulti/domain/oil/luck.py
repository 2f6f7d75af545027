"""The luck of a roll."""

from mcmulti.domain.core.shown.gauges import Luck
from mcmulti.domain.oil.names import KINDS, Kind
from mcmulti.domain.oil.rules.board import left, lines_hit, right
from mcmulti.domain.oil.rules.quadrant import hits
from mcmulti.domain.oil.state import Oilfield
from mcmulti.domain.oil.turn import DiceRolled

ROLLS = 36
"""The number of possible rolls of two dice."""

# Each line is named by 6 of the 36 rolls. A site is in one row and one column, a refinery in two of each. A well brings
# two barrels per hit, and only one roll crosses a rig. A neighbor has only one of the two lines.
_AT_TURN: dict[Kind, int] = {"rig": 1, "well": 24, "station": 12, "refinery": 24}
_NEIGHBOUR: dict[Kind, int] = {"rig": 0, "well": 12, "station": 6, "refinery": 12}


def luck_of(before: Oilfield, at: int, event: DiceRolled) -> tuple[Luck, ...]:
    """What a roll lets each seat operate, by kind: in its quadrant `at` turn or as a neighbor of it.

    Barrels of stations, refineries, and wells, and for rigs the double hits, one at most. Whether there is crude to
    refine or cash to pay does not matter. Idle refineries and kinds that no roll could hit are left out.
    """
    red, black = event.red.value, event.black.value
    actual: dict[tuple[int, Kind], int] = {}
    expected: dict[tuple[int, Kind], int] = {}
    for index, chances in ((at, _AT_TURN), (left(at), _NEIGHBOUR), (right(at), _NEIGHBOUR)):
        seat = before.owners[index]
        if seat is None:
            continue
        quadrant = before.quadrants[index]
        hit = hits(quadrant, lines_hit(index, at, red, black))
        operated = {
            "rig": hit.crossed.bit_count(),
            "well": hit.wells,
            "station": hit.stations,
            "refinery": hit.refineries - hit.idle,
        }
        for kind in KINDS:
            working = quadrant.standing(kind) & ~(quadrant.idle if kind == "refinery" else 0)
            if working and chances[kind]:
                key = seat, kind
                actual[key] = actual.get(key, 0) + operated[kind]
                expected[key] = expected.get(key, 0) + chances[kind] * working.bit_count()
    return tuple(Luck(seat, kind, actual[seat, kind], sum_, ROLLS) for (seat, kind), sum_ in expected.items())

"""What the dice hit in a quadrant."""

from msgspec import Struct

from mcmulti.domain.oil.rules.board import COLUMNS, ROWS, Lines
from mcmulti.domain.oil.rules.quadrant import Quadrant


class Hits(Struct, frozen=True, gc=False):
    """Barrels that stations can sell, refineries refine, and wells pump; `idle` are those of idle refineries.

    `crossed`: the rigs that both lines hit, as bits.
    """

    stations: int = 0
    refineries: int = 0
    idle: int = 0
    wells: int = 0
    crossed: int = 0


NO_HITS = Hits()


def hits(quadrant: Quadrant, lines: Lines) -> Hits:
    """How often the lines hit the assets of a quadrant (`production/hit`), two barrels for each hit of a well."""
    return Hits(
        lines.single(quadrant.stations),
        lines.blocks(quadrant.refineries),
        lines.blocks(quadrant.idle) if quadrant.idle else 0,
        2 * lines.single(quadrant.wells),
        lines.crossing(quadrant.rigs),
    )


def productive_assets(quadrant: Quadrant, lines: Lines) -> Quadrant:
    """The assets that the lines hit, including idle refineries."""
    hit = ROWS[lines.row] | COLUMNS[lines.column]
    return Quadrant(
        quadrant.rigs & hit,
        quadrant.wells & hit,
        quadrant.stations & hit,
        lines.productive_blocks(quadrant.refineries),
    )

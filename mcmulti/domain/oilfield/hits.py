"""What the dice hit in a quadrant. The same few quadrants are asked for again and again while they operate."""

from functools import lru_cache

from msgspec import Struct

from mcmulti.domain.oilfield.board import Lines
from mcmulti.domain.oilfield.quadrant import Quadrant


class Hits(Struct, frozen=True, gc=False):
    """Barrels that stations can sell, refineries refine and wells pump; `idle` are those of idle refineries.

    `crossed` are the rigs that both lines hit, as bits.
    """

    stations: int = 0
    refineries: int = 0
    idle: int = 0
    wells: int = 0
    crossed: int = 0


NO_HITS = Hits()


@lru_cache(maxsize=8192)
def hits(quadrant: Quadrant, lines: Lines) -> Hits:
    """How often the lines hit what stands in a quadrant (`production/hit`), two barrels a hit of a well."""
    return Hits(
        lines.single(quadrant.stations),
        lines.blocks(quadrant.refineries),
        lines.blocks(quadrant.idle),
        2 * lines.single(quadrant.wells),
        lines.crossing(quadrant.rigs),
    )


@lru_cache(maxsize=8192)
def productive_assets(quadrant: Quadrant, lines: Lines) -> Quadrant:
    """Those of the assets that the lines hit, idle refineries among them."""
    return Quadrant(
        lines.productive(quadrant.rigs),
        lines.productive(quadrant.wells),
        lines.productive(quadrant.stations),
        lines.productive_blocks(quadrant.refineries),
    )

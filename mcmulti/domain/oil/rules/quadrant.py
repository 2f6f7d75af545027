"""The assets of a quadrant: their sites, placing and removing, and what the dice hit."""

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.oil.names import Kind, Site
from mcmulti.domain.oil.rules.board import COLUMNS, ROWS, Lines, bit, footprint


class Quadrant(Struct, frozen=True, gc=False):
    """The assets of a quadrant as bits (see `board`); `idle` are refineries that cannot refine now."""

    rigs: int = 0
    wells: int = 0
    stations: int = 0
    refineries: int = 0
    idle: int = 0

    @property
    def occupied(self) -> int:
        """Every occupied site."""
        return self.rigs | self.wells | self.stations | footprint(self.refineries)

    def standing(self, kind: Kind) -> int:
        """The assets of a kind, as bits."""
        if kind == "rig":
            return self.rigs
        if kind == "well":
            return self.wells
        return self.stations if kind == "station" else self.refineries


EMPTY = Quadrant()


def placed(quadrant: Quadrant, kind: Kind, at: Site) -> Quadrant:
    """The quadrant with one more asset. Raises ValueError if the site is not free."""
    site = bit(at)
    if quadrant.occupied & (footprint(site) if kind == "refinery" else site):
        raise ValueError(f"{at} is not free")
    if kind == "rig":
        return replace(quadrant, rigs=quadrant.rigs | site)
    if kind == "station":
        return replace(quadrant, stations=quadrant.stations | site)
    return replace(quadrant, refineries=quadrant.refineries | site)


def removed(quadrant: Quadrant, kind: Kind, at: Site) -> Quadrant:
    """The quadrant without that asset."""
    site = bit(at)
    if kind == "rig":
        return replace(quadrant, rigs=quadrant.rigs & ~site)
    if kind == "well":
        return replace(quadrant, wells=quadrant.wells & ~site)
    if kind == "station":
        return replace(quadrant, stations=quadrant.stations & ~site)
    return replace(quadrant, refineries=quadrant.refineries & ~site, idle=quadrant.idle & ~site)


def converted(quadrant: Quadrant, at: Site) -> Quadrant:
    """The quadrant with a well in place of the rig."""
    site = bit(at)
    return replace(quadrant, rigs=quadrant.rigs & ~site, wells=quadrant.wells | site)


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

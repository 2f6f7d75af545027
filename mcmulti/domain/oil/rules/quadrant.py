"""The assets of a quadrant: their sites, placing and removing."""

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.oil.names import Kind
from mcmulti.domain.oil.rules.board import bit, footprint
from mcmulti.domain.oil.site import Site


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

"""The climates of the postal rules, as players know them. Money is in millions of dollars."""

from collections.abc import Mapping

from mcmulti.bots.strategies.almanac import Almanac, Kind, economy_state

CLIMATES = Almanac(
    {
        "recovery": economy_state(3, 24, 30, 30, ("expansion", 5), ("rapid_growth", 1)),
        "expansion": economy_state(5, 32, 60, 50, ("recovery", 1), ("rapid_growth", 4), ("prosperity", 1)),
        "rapid_growth": economy_state(9, 50, 80, 65, ("expansion", 1), ("prosperity", 4), ("downturn", 1)),
        "prosperity": economy_state(12, 60, 100, 75, ("rapid_growth", 1), ("downturn", 4), ("recession", 1)),
        "downturn": economy_state(8, 45, 65, 60, ("prosperity", 1), ("recession", 4), ("depression", 1)),
        "recession": economy_state(4, 30, 32, 45, ("depression", 4), ("recovery", 2)),
        "depression": economy_state(2, 18, 24, 20, ("recovery", 4), ("expansion", 2)),
    },
    changes=0.65,
)
"""The bank's prices for assets, and the next climates by double. There are four rolls a round, and one in six is a
double.
"""

_BUY: Mapping[str, tuple[int, int, int]] = {
    "recovery": (5, 48, 64),
    "expansion": (9, 66, 96),
    "rapid_growth": (14, 88, 132),
    "prosperity": (16, 100, 160),
    "downturn": (12, 75, 120),
    "recession": (8, 55, 80),
    "depression": (4, 32, 50),
}


def price(kind: Kind, climate: str) -> int:
    """The bank's price for a rig, a station, or a refinery. Raises KeyError for a well, which is not sold."""
    rig, station, refinery = _BUY[climate]
    return {"rig": rig, "station": station, "refinery": refinery}[kind]


def reachable(climate: str, changes: int) -> tuple[str, ...]:
    """The possible climates after up to this many changes: the current one first, then by distance."""
    found = [climate]
    nearest = [climate]
    for _ in range(changes):
        nearest = [after for name in nearest for after in CLIMATES.cards[name].next]
        found += nearest
    return tuple(dict.fromkeys(found))

"""A quadrant's field of six rows and six columns, and where to build on it."""

from functools import lru_cache
from typing import Any

Spot = tuple[int, int]
"""Row and column, 1 to 6; for a refinery, those of its top-left site."""

_LINES = range(1, 7)
_PLACES = dict.fromkeys((row, column) for row in _LINES for column in _LINES)


class Ground:
    """The assets on the field. Assets of a kind are spread, so that every roll hits some and few rolls hit many."""

    def __init__(self, assets: list[dict[str, Any]]) -> None:
        self._kinds: dict[Spot, str] = {}
        for asset in assets:
            self._stand(asset["kind"], (asset["site"]["row"], asset["site"]["column"]))

    def count(self, kind: str) -> int:
        """The number of sites with assets of a kind."""
        return sum(stands == kind for stands in self._kinds.values())

    def place(self, kind: str) -> Spot | None:
        """The best free place for an asset; None if there is no room."""
        return _best_place(kind, tuple(sorted(self._kinds.items())))

    def build(self, kind: str) -> Spot:
        """Build an asset on its best place. Raises LookupError if there is no room."""
        place = self.place(kind)
        if place is None:
            raise LookupError(f"no room for a {kind}")
        self._stand(kind, place)
        return place

    def _stand(self, kind: str, place: Spot) -> None:
        for site in _covers(kind, place):
            self._kinds[site] = kind


@lru_cache(maxsize=8192)
def _best_place(kind: str, stand: tuple[tuple[Spot, str], ...]) -> Spot | None:
    """The best free place for an asset among the assets on these sites. Cached, since boards recur."""
    kinds = dict(stand)
    places = [place for place in _PLACES if all(site in _PLACES and site not in kinds for site in _covers(kind, place))]
    return min(places, key=lambda place: _crowding(kinds, kind, place), default=None)


def _crowding(kinds: dict[Spot, str], kind: str, place: Spot) -> tuple[int, int, Spot]:
    """How many of its kind share its lines, how far it is off the grid of blocks, and where."""
    row, column = place
    rows = {site[0] for site in _covers(kind, place)}
    columns = {site[1] for site in _covers(kind, place)}
    alike = sum((other[0] in rows) + (other[1] in columns) for other, stands in kinds.items() if stands == kind)
    if kind == "refinery":
        return alike, (row - 1) % 2 + (column - 1) % 2, place
    return alike, _free_around(kinds, place), place


def _free_around(kinds: dict[Spot, str], place: Spot) -> int:
    """How many sites are free in the place's block of two by two: whole blocks are spared."""
    row, column = (place[0] - 1) // 2 * 2 + 1, (place[1] - 1) // 2 * 2 + 1
    return sum(site not in kinds for site in _covers("refinery", (row, column)))


def _covers(kind: str, place: Spot) -> list[Spot]:
    row, column = place
    if kind != "refinery":
        return [place]
    return [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]

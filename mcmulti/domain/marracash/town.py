"""The town: shops, fountains, and the streets between them, all derived from the grid (`board/streets`)."""

from collections.abc import Iterator
from functools import cache
from typing import cast

from msgspec import Struct

from mcmulti.domain.marracash.components import COLOURS, GRID, SHOPS, Colour, ShopName

Square = tuple[int, int]
"""Row and column, from 1."""

_SPOTS: dict[Square, str] = {
    (row, column): name
    for row, line in enumerate(GRID.strip().split("\n"), start=1)
    for column, name in enumerate(line.split(), start=1)
}
_AROUND: tuple[Square, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))

FOUNTAINS: dict[int, Square] = dict(
    sorted((int(name.rstrip("*")), spot) for spot, name in _SPOTS.items() if name[0].isdigit())
)
"""The square of each fountain, by its number, in order."""
ENTRANCES: tuple[int, ...] = tuple(sorted(int(name[:-1]) for name in _SPOTS.values() if name.endswith("*")))
"""The numbers of the fountains that are entrances."""
ROWS, COLUMNS = max(_SPOTS)

_COLOUR: dict[str, Colour] = {colour[0].upper(): colour for colour in COLOURS}


def colour_of(shop: str) -> Colour:
    """The color of a shop, with which its name begins."""
    return _COLOUR[shop[0]]


@cache
def spots_of(shop: str) -> tuple[Square, ...]:
    """The squares of a shop."""
    return tuple(spot for spot, name in _SPOTS.items() if name == shop)


class Street(Struct, frozen=True):
    """A street from one fountain to another. `path`: its squares, including both fountains.

    `doors`: the shops at each step, in order, each where it is passed first. `shops`: all of them, in order. `passed`:
    the same, with the color of each and its index in a state.
    """

    start: int
    to: int
    path: tuple[Square, ...]
    doors: tuple[tuple[ShopName, ...], ...]
    shops: tuple[ShopName, ...]
    passed: tuple[tuple[ShopName, Colour, int], ...]


def _streets() -> Iterator[Street]:
    numbers = {spot: number for number, spot in FOUNTAINS.items()}
    for number, spot in FOUNTAINS.items():
        for direction in _AROUND:
            path = _walked(spot, direction, numbers)
            if path:
                doors = _doors(path)
                shops = tuple(shop for step in doors for shop in step)
                passed = tuple((shop, colour_of(shop), SHOPS.index(shop)) for shop in shops)
                yield Street(number, numbers[path[-1]], path, doors, shops, passed)


def _walked(start: Square, heading: Square, numbers: dict[Square, int]) -> tuple[Square, ...]:
    """Straight on, if blocked to the only open side, up to the first fountain; empty if no street begins here."""
    path = [start]
    if not _open(_ahead(start, heading)):
        return ()
    while len(path) == 1 or path[-1] not in numbers:
        if not _open(_ahead(path[-1], heading)):
            back = (-heading[0], -heading[1])
            [heading] = [side for side in _AROUND if side != back and _open(_ahead(path[-1], side))]
        path.append(_ahead(path[-1], heading))
    return tuple(path)


def _doors(path: tuple[Square, ...]) -> tuple[tuple[ShopName, ...], ...]:
    steps: list[tuple[ShopName, ...]] = []
    seen: set[str] = set()
    for spot in path[1:]:
        beside = [shop for shop in beside_spot(spot) if shop not in seen]
        seen.update(beside)
        if beside:
            steps.append(tuple(beside))
    return tuple(steps)


def beside_spot(spot: Square) -> tuple[ShopName, ...]:
    """The shops with a door at this square, by name."""
    names = {_SPOTS.get(_ahead(spot, side), "#") for side in _AROUND}
    return tuple(cast(ShopName, name) for name in sorted(names) if name[0] in _COLOUR)


def _ahead(spot: Square, heading: Square) -> Square:
    return spot[0] + heading[0], spot[1] + heading[1]


def _open(spot: Square) -> bool:
    return _SPOTS.get(spot, "#")[0] in ".0123456789"


STREETS: dict[tuple[int, int], Street] = {(street.start, street.to): street for street in _streets()}
"""Every street, in both directions, by the fountains it leads from and to."""
NEIGHBOURS: dict[int, tuple[int, ...]] = {
    number: tuple(sorted(to for start, to in STREETS if start == number)) for number in FOUNTAINS
}
"""The fountains that a street leads to, by the fountain it leads from."""
STREETS_FROM = {number: tuple([STREETS[number, to] for to in NEIGHBOURS[number]]) for number in FOUNTAINS}
"""The streets from a fountain, in the order of their destinations."""
BESIDE: dict[ShopName, int] = {shop: number for number, spot in FOUNTAINS.items() for shop in beside_spot(spot)}
"""The fountain next to a shop, for shops that have one (`auction/waiting`)."""

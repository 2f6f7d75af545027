"""Where the pawn can land, with probabilities: exact, except that very rare landings are left out."""

from collections import defaultdict
from functools import cache
from itertools import product
from typing import NamedTuple

ROW = 5
"""A move is assumed to end after this many throws: one in 7776 goes on with a fifth double."""
RARE = 1 / 2000
"""Less likely landings are left out: each would take as long to evaluate as a likely one."""


class Landing(NamedTuple):
    """How a move ends: the color, and how often the pawn reached or passed the arrow."""

    colour: str
    laps: int


Mix = tuple[tuple[int, float], ...]
"""Probabilities of landings, by their numbers."""


class Throws(NamedTuple):
    """The possible throws from a field.

    `landings`: the ways to end the move. `again`: the results of another throw instead of the first. `first`: the
    probability that the first throw leads to each mix of landings if it stands.
    """

    landings: tuple[Landing, ...]
    again: Mix
    first: tuple[tuple[float, Mix], ...]

    def standing(self, first: int, second: int, track: tuple[str, ...], field: int) -> Mix:
        """The results of a first throw with these dice if it stands."""
        steps = first + second
        return _mixed(self.landings, moves() if first == second else {0: 1.0}, track, field + steps)


@cache
def throws_from(track: tuple[str, ...], field: int) -> Throws:
    """The possible throws with the pawn on this field."""
    ends: defaultdict[Landing, float] = defaultdict(float)
    for steps, chance in moves().items():
        ends[_landing(track, field + steps)] += chance
    landings = tuple(sorted(landing for landing, chance in ends.items() if chance > RARE))
    throws = Throws(landings, _mixed(landings, moves(), track, field), ())
    first: defaultdict[Mix, float] = defaultdict(float)
    for one, other in product(range(1, 7), repeat=2):
        first[throws.standing(one, other, track, field)] += 1 / 36
    return throws._replace(first=tuple((chance, mix) for mix, chance in first.items()))


def _mixed(landings: tuple[Landing, ...], steps: dict[int, float], track: tuple[str, ...], field: int) -> Mix:
    found: defaultdict[int, float] = defaultdict(float)
    for number, chance in steps.items():
        landing = _landing(track, field + number)
        if landing in landings:
            found[landings.index(landing)] += chance
    known = sum(found.values())
    return tuple((number, chance / known) for number, chance in found.items())


def _landing(track: tuple[str, ...], steps: int) -> Landing:
    laps, field = divmod(steps, len(track))
    return Landing(track[field], laps)


@cache
def moves() -> dict[int, float]:
    """The probability of each number of steps, including all further throws after doubles."""
    ending: defaultdict[int, float] = defaultdict(float)
    going_on = {0: 1.0}
    for number in range(1, ROW + 1):
        doubled: defaultdict[int, float] = defaultdict(float)
        for (steps, chance), (first, second) in product(going_on.items(), product(range(1, 7), repeat=2)):
            goes_on = first == second and number < ROW
            (doubled if goes_on else ending)[steps + first + second] += chance / 36
        going_on = doubled
    return dict(ending)

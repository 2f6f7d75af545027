"""The dice that an event threw, and what stakes came back as, compared with the average."""

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

from mcmulti.domain.core.shown.gauges import Die, Luck
from mcmulti.domain.millionenspiel.components import FIELDS, GAINS, TRACK, Colour
from mcmulti.domain.millionenspiel.phases.settling import DeciderThrown
from mcmulti.domain.millionenspiel.phases.throwing import FirstThrown, PawnMoved, ReplacementThrown, ThrownAgain
from mcmulti.domain.millionenspiel.state import Millionenspiel
from mcmulti.domain.millionenspiel.table import StartThrown

THROWS = 5
"""A move is assumed to end after this many throws: one in 7776 goes on with a fifth double."""
WAYS = 36**THROWS
"""In how many ways this many throws of two dice can fall."""


def _moves() -> Counter[int]:
    """In how many of the `WAYS` the pawn moves each number of steps, if nothing is declined."""
    ending: Counter[int] = Counter()
    going_on = Counter({0: WAYS})
    for number in range(1, THROWS + 1):
        doubled: Counter[int] = Counter()
        for (steps, ways), (first, second) in product(going_on.items(), product(range(1, 7), repeat=2)):
            goes_on = first == second and number < THROWS
            (doubled if goes_on else ending)[steps + first + second] += ways // 36
        going_on = doubled
    return ending


MOVES = _moves()


@cache
def colours(field: int) -> Counter[Colour]:
    """In how many of the `WAYS` the next move from a field ends on each color."""
    found: Counter[Colour] = Counter()
    for steps, ways in MOVES.items():
        found[TRACK[(field + steps) % FIELDS]] += ways
    return found


def back(colour: Colour) -> int:
    """The factor with which a stake comes back on a color; on black before the decider."""
    return 0 if colour == "beige" else 1 + GAINS.get(colour, 0)


def luck(before: Millionenspiel, event: Any) -> tuple[Luck, ...]:
    """What every stake came back as, compared with the average over all moves from there that are not declined."""
    if not isinstance(event, PawnMoved):
        return ()
    expected = sum(ways * back(colour) for colour, ways in colours(before.pawn).items())
    return tuple(
        Luck(seat, "stake", player.stake.worth * back(event.colour), player.stake.worth * expected, WAYS)
        for seat, player in enumerate(before.players)
        if player.stake
    )


def thrown(event: Any) -> tuple[Die, ...]:
    """Both dice of a throw, the decider, and those for the first roller."""
    if isinstance(event, FirstThrown | ReplacementThrown | ThrownAgain):
        return Die("first", event.throw.first.value), Die("second", event.throw.second.value)
    if isinstance(event, DeciderThrown):
        return (Die("decider", event.die.value),)
    if isinstance(event, StartThrown):
        return tuple(Die("start", die.value) for each in event.throws for die in (each.throw.first, each.throw.second))
    return ()

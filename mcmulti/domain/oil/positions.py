"""What no position of an oil game can have: overlapping assets, prices off the track, debts."""

from collections.abc import Iterator

from mcmulti.domain.core.course.positions import Fault, Reasons, outside, wrong_length
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.oil.names import GOODS, MARKETS
from mcmulti.domain.oil.rules.board import ALL_BLOCKS, ALL_SITES, footprint
from mcmulti.domain.oil.rules.quadrant import Quadrant
from mcmulti.domain.oil.state import Oilfield

_BECAUSE = Reasons("mcmulti.domain.oil")


def lists(state: Oilfield, seats: int) -> Iterator[Fault]:
    """Lists without exactly one item for each seat, or quadrant."""
    yield from wrong_length("players", state.players, seats)
    yield from wrong_length("owners", state.owners, 4)
    yield from wrong_length("quadrants", state.quadrants, 4)


def board(state: Oilfield, fields: int) -> Iterator[Fault]:
    """The faults of a board whose lists are complete; `fields`: the number of fields of a market's track."""
    for seat, player in enumerate(state.players):
        for name in ("cash", "crude", "gasoline"):
            yield from outside(f"players[{seat}].{name}", getattr(player, name), 0, MOST)
    for number, quadrant in enumerate(state.quadrants):
        yield from _assets(f"quadrants[{number}]", quadrant)
        if state.owners[number] is None and quadrant.occupied:
            yield Fault(f"quadrants[{number}]", _BECAUSE("unowned"))
    for market in MARKETS:
        for good in GOODS:
            yield from outside(f"{market}.{good}", state.market(market).free(good), 0, fields)
    yield from outside("still", state.still, 0, MOST)
    for name in ("stood_still", "standings", "winners"):
        if getattr(state, name):
            yield Fault(name, _BECAUSE("says_over"))


def bits(field: str, value: int) -> Iterator[Fault]:
    """A fault if a number is not a bit mask of the 36 sites."""
    if value & ~ALL_SITES or value < 0:
        yield Fault(field, _BECAUSE("no_site"))


def _assets(field: str, quadrant: Quadrant) -> Iterator[Fault]:
    kinds = ("rigs", "wells", "stations", "refineries", "idle")
    beyond = [fault for kind in kinds for fault in bits(f"{field}.{kind}", getattr(quadrant, kind))]
    if beyond:
        yield from beyond
        return
    if quadrant.refineries & ~ALL_BLOCKS:
        yield Fault(f"{field}.refineries", _BECAUSE("over_the_edge"))
        return
    blocks = footprint(quadrant.refineries)
    if blocks.bit_count() != 4 * quadrant.refineries.bit_count():
        yield Fault(f"{field}.refineries", _BECAUSE("two_refineries"))
    standing = (quadrant.rigs, quadrant.wells, quadrant.stations, blocks)
    if quadrant.occupied.bit_count() != sum(each.bit_count() for each in standing):
        yield Fault(field, _BECAUSE("two_assets"))
    if quadrant.idle & ~quadrant.refineries:
        yield Fault(f"{field}.idle", _BECAUSE("no_refinery"))

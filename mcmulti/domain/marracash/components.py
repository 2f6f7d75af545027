"""The components of `components.toml` as values, and the names of colors, shops, and ends of the queue."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, zip_longest
from typing import Any, Literal, get_args

from mcmulti.domain.core.wording.data import read

Colour = Literal["red", "blue", "green", "yellow", "purple"]
# fmt: off
ShopName = Literal[
    "R1", "R2", "R3", "R4", "R5",
    "B1", "B2", "B3", "B4", "B5",
    "G1", "G2", "G3", "G4", "G5",
    "Y1", "Y2", "Y3", "Y4", "Y5",
    "P1", "P2", "P3", "P4", "P5",
]
# fmt: on
QueueEnd = Literal["front", "back"]

COLOURS: tuple[Colour, ...] = get_args(Colour)
SHOPS: tuple[ShopName, ...] = get_args(ShopName)
ENDS: tuple[QueueEnd, ...] = get_args(QueueEnd)


COMPONENTS: dict[str, Any] = read(__package__, "components.toml")

PROPERTIES: Mapping[str, str] = read(__package__, "properties.toml")

GRID: str = COMPONENTS["town"]["grid"]
SIGNS: int = COMPONENTS["shops"]["signs"]
VISITORS: dict[Colour, int] = {colour: COMPONENTS["visitors"][colour] for colour in COLOURS}
AT_AN_ENTRANCE: int = COMPONENTS["visitors"]["at_an_entrance"]
IN_A_ROW: int = COMPONENTS["visitors"]["in_a_row"]
LET_IN_LEAST: int = COMPONENTS["visitors"]["let_in"]["least"]
LET_IN_MOST: int = COMPONENTS["visitors"]["let_in"]["most"]
LEAST_PLAYERS: int = COMPONENTS["players"]["least"]
CASH: int = COMPONENTS["capital"]["cash"]
LEAST_BID: int = COMPONENTS["auction"]["least"]
STEP: int = COMPONENTS["auction"]["step"]
OPEN_SOUVENIRS: int = COMPONENTS["souvenirs"]["open"]
STANDSTILL: int = COMPONENTS["standstill"]["rounds"]

_INCOME: tuple[int, ...] = tuple(COMPONENTS["customers"]["income"])
_TAKEN = (0, *accumulate(_INCOME[min(number, len(_INCOME) - 1)] for number in range(sum(VISITORS.values()))))
"""The total that the first customers of a shop pay, by their number."""


def auction_commission(price: int) -> int:
    """The auctioneer's commission if another player buys the shop for this many dirham (`auction/commission`)."""
    return _step(COMPONENTS["auction"]["commission"], price)


def income(before: int, customers: int) -> int:
    """What N customers pay, in dirham, in a shop that had some before (`customer/income`)."""
    return _TAKEN[before + customers] - _TAKEN[before]


def customer_commission(customers: int, taken: int) -> int:
    """The commission for bringing N customers, if the shop takes this many dirham from them (`customer/commission`)."""
    return customers * _step(COMPONENTS["customers"]["commission"], taken)


def commission_by_customer(before: int, customers: int, spent: Sequence[int] = ()) -> int:
    """The commission if each customer's own payment decides, in a shop that had some before (`customer/commission`).

    `spent`: what the first of them spend on souvenirs, in dirham (`souvenirs/sale`).
    """
    rates = COMPONENTS["customers"]["commission"]
    paid = [income(number, 1) for number in range(before, before + customers)]
    return sum(_step(rates, sum(each)) for each in zip_longest(paid, spent, fillvalue=0))


def _step(rates: Mapping[str, int], amount: int) -> int:
    return rates["low"] if amount <= rates["up_to"] else rates["high"]

"""What can be read off a game at a moment: the figures that are followed through its course."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import BarrelCount, Code, Millions, Seat


class Holding(Struct, frozen=True, gc=False):
    """What a seat has: cash in millions of dollars, barrels of both goods.

    `worth` is its net worth in millions of dollars: the cash, and what the bank would pay for all assets now.
    """

    seat: Seat
    cash: Millions
    crude: BarrelCount
    gasoline: BarrelCount
    worth: Millions


class Gauges(Struct, frozen=True):
    """`period` is the economy card in force.

    `prices` are in millions of dollars, by name; null where the good cannot be bought. `values` are what the next piece
    fetches, by its unit in the books: an asset from the bank, a barrel on the better market. Empty before the start.
    """

    period: Code
    holdings: Annotated[tuple[Holding, ...], Meta(max_length=4)]
    prices: dict[Code, Millions | None]
    values: dict[Code, Millions]

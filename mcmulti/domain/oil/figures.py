"""The ranges of numbers in the oil games."""

from typing import Annotated

from msgspec import Meta

from mcmulti.domain.core.figures import MOST

Seat = Annotated[int, Meta(ge=0, le=3, description="Seat number, from 0.")]
Seats = Annotated[tuple[Seat, ...], Meta(max_length=4, description="Seat numbers, from 0.")]
QuadrantNumber = Annotated[int, Meta(ge=0, le=3, description="Number of a quadrant, clockwise from 0.")]
Millions = Annotated[int, Meta(ge=0, le=MOST, description="Millions of dollars.")]
BarrelCount = Annotated[int, Meta(ge=0, le=MOST, description="Barrels.")]
Pieces = Annotated[int, Meta(ge=0, le=144, description="Pieces on the board, which has 144 sites.")]
Owners = Annotated[tuple[Seat | None, ...], Meta(max_length=4, description="The seat that owns each quadrant.")]
Quadrants = Annotated[tuple[QuadrantNumber, ...], Meta(max_length=4, description="Numbers of quadrants, in order.")]
Prices = Annotated[
    tuple[Millions, ...], Meta(max_length=144, description="The price of each barrel, in millions of dollars.")
]

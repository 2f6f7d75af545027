"""The names, the ranges of numbers, and the sites of the oil games."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST
from mcmulti.domain.core.offers import Choice

Good = Literal["crude", "gasoline"]
MarketName = Literal["domestic", "foreign"]
Kind = Literal["rig", "well", "station", "refinery"]
Buyable = Literal["rig", "station", "refinery"]
EconomyName = Literal["recovery", "expansion", "rapid_growth", "prosperity", "downturn", "recession", "depression"]

GOODS: tuple[Good, ...] = get_args(Good)
MARKETS: tuple[MarketName, ...] = get_args(MarketName)
KINDS: tuple[Kind, ...] = get_args(Kind)

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


class Site(Struct, frozen=True, gc=False, forbid_unknown_fields=True, order=True):
    """A site on the board: quadrant 0 to 3, row and column 1 to 6. A refinery is named by its top-left site."""

    quadrant: QuadrantNumber
    row: Annotated[int, Meta(ge=1, le=6)]
    column: Annotated[int, Meta(ge=1, le=6)]

    def __str__(self) -> str:
        return f"row {self.row}, column {self.column} of quadrant {self.quadrant}"


class SiteChoice(Choice[Site], frozen=True, gc=False, omit_defaults=True, tag=True):
    """A field that takes one of the listed sites. `limited_by` is the limit that keeps other sites out."""

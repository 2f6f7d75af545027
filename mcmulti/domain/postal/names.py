"""What orders refer to: words, sites of the board, lines of the sheet."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

LINES = 200
"""The most lines of a sheet (`postal/sheet`)."""

Line = Annotated[int, Meta(ge=1, le=LINES, description="Number of a line of the sheet, from 1.")]


class Plot(Struct, frozen=True, gc=False, forbid_unknown_fields=True, order=True):
    """A site of a quadrant: row and column 1 to 6. A standing refinery is named by any of its four sites.

    To buy a refinery, name its top-left site.
    """

    row: Annotated[int, Meta(ge=1, le=6)]
    column: Annotated[int, Meta(ge=1, le=6)]


Deal = Literal["buy", "sell"]
AssetDeed = Literal["bought", "sold", "converted"]
BarrelDeed = Literal["bought", "sold"]
Buyer = Literal["domestic", "foreign", "consumers"]
"""The buyer or seller of barrels: one of the two markets, or the consumers, who buy at pumps."""
Relation = Literal["more", "at_least", "equal", "at_most", "less"]
Outcome = Literal["in_full", "in_part", "skipped"]
"""The outcome of a line: carried out in full, as far as possible, or not at all."""

"""What orders and conditions refer to: a site of the board, a line of the sheet."""

from typing import Annotated

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

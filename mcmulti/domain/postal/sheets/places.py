"""What orders and conditions point at: a site of the board, a line of the sheet."""

from typing import Annotated

from msgspec import Meta, Struct

LINES = 200
"""The most that a sheet has (`postal/sheet`)."""

Line = Annotated[int, Meta(ge=1, le=LINES, description="Number of a line of the sheet, from 1.")]


class Plot(Struct, frozen=True, gc=False, forbid_unknown_fields=True, order=True):
    """A site of a quadrant: row and column 1 to 6. Any of its four sites names a refinery that stands.

    A refinery that is bought takes the plot as its top-left site.
    """

    row: Annotated[int, Meta(ge=1, le=6)]
    column: Annotated[int, Meta(ge=1, le=6)]

"""The sites of assets."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.oil.figures import QuadrantNumber


class Site(Struct, frozen=True, gc=False, forbid_unknown_fields=True, order=True):
    """A site on the board: quadrant 0 to 3, row and column 1 to 6. A refinery is named by its top-left site."""

    quadrant: QuadrantNumber
    row: Annotated[int, Meta(ge=1, le=6)]
    column: Annotated[int, Meta(ge=1, le=6)]

    def __str__(self) -> str:
        return f"row {self.row}, column {self.column} of quadrant {self.quadrant}"

"""Where assets stand."""

from msgspec import Struct


class Site(Struct, frozen=True, gc=False, forbid_unknown_fields=True, order=True):
    """A site on the board: quadrant 0 to 3, row 1 to 6, column 1 to 6. A refinery is named by its top-left site."""

    quadrant: int
    row: int
    column: int

    def __str__(self) -> str:
        return f"row {self.row}, column {self.column} of quadrant {self.quadrant}"

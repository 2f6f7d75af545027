"""The board: sites as bits, so that a line hit by a die is one mask.

Bit ``6 * (row - 1) + (column - 1)`` is a site; a refinery is the bit of its top-left site.
"""

from msgspec import Struct

from mcmulti.domain.oil.names import Site

QUADRANTS = range(4)
SITES = tuple(
    tuple(Site(quadrant, row, column) for row in range(1, 7) for column in range(1, 7)) for quadrant in QUADRANTS
)

_ROWS_OF_SITES = tuple(
    tuple(
        tuple(tuple(site for place, site in enumerate(row) if bits >> place & 1) for bits in range(64))
        for row in (quadrant[start : start + 6] for start in range(0, 36, 6))
    )
    for quadrant in SITES
)
"""The sites of every six-bit pattern, by quadrant and row."""

ALL_SITES = 2**36 - 1
"""A bit for each site of a quadrant."""

# The sites that a line hits, by its number; 0 means no line.
ROWS = (0, *(0b111111 << 6 * row for row in range(6)))
COLUMNS = (0, *(sum(1 << 6 * row + column for row in range(6)) for column in range(6)))
# A refinery is hit by a row when its top-left site is in that row or in the one above it.
BLOCK_ROWS = (0, *(ROWS[row] | ROWS[row - 1] for row in range(1, 7)))
BLOCK_COLUMNS = (0, *(COLUMNS[column] | COLUMNS[column - 1] for column in range(1, 7)))
ALL_BLOCKS = ALL_SITES & ~ROWS[6] & ~COLUMNS[6]
"""The top-left sites of all blocks of two by two."""


class Lines(Struct, frozen=True, gc=False):
    """The row and the column that are hit in a quadrant; 0 for none."""

    row: int
    column: int

    def single(self, sites: int) -> int:
        """How often the lines hit one-site assets: a site at their crossing counts twice (`production/hit`)."""
        return (sites & ROWS[self.row]).bit_count() + (sites & COLUMNS[self.column]).bit_count()

    def blocks(self, top_lefts: int) -> int:
        """How often the lines hit refineries: at most once by each die (`production/hit`)."""
        return (top_lefts & BLOCK_ROWS[self.row]).bit_count() + (top_lefts & BLOCK_COLUMNS[self.column]).bit_count()

    def crossing(self, sites: int) -> int:
        """The one-site assets that both dice hit."""
        return sites & ROWS[self.row] & COLUMNS[self.column]

    def productive_blocks(self, top_lefts: int) -> int:
        """The refineries that a die hits."""
        return top_lefts & (BLOCK_ROWS[self.row] | BLOCK_COLUMNS[self.column])


def left(quadrant: int) -> int:
    """The next quadrant clockwise (`board/neighbours`)."""
    return (quadrant + 1) % 4


def right(quadrant: int) -> int:
    """The next quadrant counterclockwise (`board/neighbours`)."""
    return (quadrant - 1) % 4


def lines_hit(quadrant: int, at_turn: int, red: int, black: int) -> Lines:
    """Where the dice of the active quadrant hit a quadrant: itself by both, neighbors by one (`neighbour/lines`)."""
    if quadrant == at_turn:
        return Lines(red, black)
    if quadrant // 2 == at_turn // 2:  # side by side, with the same rows
        return Lines(red, 0)
    if quadrant % 2 != at_turn % 2:  # one above the other, with the same columns
        return Lines(0, black)
    return Lines(0, 0)


def bit(site: Site) -> int:
    """The bit of a site."""
    return 1 << 6 * (site.row - 1) + (site.column - 1)


def sites(quadrant: int, bits: int) -> tuple[Site, ...]:
    """The sites of the bits, row by row."""
    one, two, three, four, five, six = _ROWS_OF_SITES[quadrant]
    return (
        one[bits & 63]
        + two[bits >> 6 & 63]
        + three[bits >> 12 & 63]
        + four[bits >> 18 & 63]
        + five[bits >> 24 & 63]
        + six[bits >> 30]
    )


def footprint(top_lefts: int) -> int:
    """All sites that refineries cover (`site/refinery`)."""
    return top_lefts | top_lefts << 1 | top_lefts << 6 | top_lefts << 7


def free_sites(occupied: int) -> int:
    """Where a one-site asset can be placed (`site/one-asset`)."""
    return ALL_SITES & ~occupied


def free_blocks(occupied: int) -> int:
    """Top-left sites of free blocks of two by two (`site/refinery`)."""
    free = ALL_SITES & ~occupied
    return free & free >> 1 & free >> 6 & free >> 7 & ALL_BLOCKS

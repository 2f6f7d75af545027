"""Series: several tables at which the same dice are rolled, so that players can be compared."""

from typing import Annotated

from msgspec import Meta, Struct

MOST_TABLES = 16


class SeriesTable(Struct, frozen=True, gc=False):
    """The place of a table in a series.

    All tables of the series have the same `commitment`, and their dice follow from the id of the series in place of the
    game's. Their seed is revealed when all of them are over, so it is in none of their logs.
    """

    series: Annotated[
        str,
        Meta(
            pattern="^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
            description="Id of the series.",
            extra_json_schema={"format": "uuid"},
        ),
    ]
    table: Annotated[int, Meta(ge=1, le=MOST_TABLES, description="Number of the table in the series, from 1.")]
    tables: Annotated[int, Meta(ge=2, le=MOST_TABLES, description="How many tables the series has.")]

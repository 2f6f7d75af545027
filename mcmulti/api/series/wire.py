"""Requests and responses about series."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from mcmulti.api.http.problems import refused_as
from mcmulti.api.telling.tables import Name, TableView
from mcmulti.api.telling.wire import HouseBotsAsked, InvitedNames
from mcmulti.domain.core.course.series import MOST_TABLES
from mcmulti.domain.core.figures import Count, RulesetName, Seat, Sha256
from mcmulti.domain.rulesets import CURRENT

HowManyTables = Annotated[int, Meta(ge=2, le=MOST_TABLES, description="The number of tables.")]
TableNumber = Annotated[int, Meta(ge=1, le=MOST_TABLES, description="Number of a table in its series, from 1.")]
Worth = Annotated[int, Meta(description="Money, in the rule set's unit.")]

_FOR_WHOM = """
`tables`: how many tables with the same dice. `invited`: if present, only these players may sit down. `house_bots`: the
levels of server bots that sit down at once on the last seats of each table.
""".strip()

NEW_SERIES: tuple[type[Struct], ...] = tuple(
    msgspec.defstruct(
        f"New{ruleset.view_type.__name__.removesuffix('View')}Series",
        [
            ("tables", HowManyTables),
            ("setup", Annotated[ruleset.setup, refused_as("series_practice")], ruleset.setup()),
            ("invited", InvitedNames | None, None),
            ("house_bots", HouseBotsAsked, ()),
        ],
        frozen=True,
        forbid_unknown_fields=True,
        tag=ruleset.name,
        tag_field="ruleset",
        namespace={"__doc__": f"Open a series of {ruleset.title}.\n\n{_FOR_WHOM}"},
    )
    for ruleset in CURRENT.values()
)
"""The bodies that open series, one type per rule set, tagged by `ruleset`."""


class SeriesScore(Struct, frozen=True):
    """What a player made of a seat, compared with the same seat at the other tables. A better result is a point, an
    equal one half a point. A larger part of the victory is the better result; if it is equal, more money at the end. A
    seat that its player left is the worst.

    `player`: who had the seat last. `name`: null for an erased player. `won`: whether it won, alone or with others.
    `left`: whether its player left it. `money`: what it had at the end: the worth of everything if not only money
    counts. `points` of `comparisons`. `difference`: its money, minus the mean of the same seat at the other tables.
    """

    table: TableNumber
    seat: Seat
    player: UUID
    name: Name | None
    won: bool
    left: bool
    money: Worth
    points: float
    comparisons: Count
    difference: float


class SeriesView(Struct, frozen=True):
    """A series: several tables with the same dice. As long as one of them is not over, only its own players can look at
    a table that has started.

    `series`: its id. `opened_by`: the player who opened it. `commitment`: the SHA-256 of the seed of all tables.
    `seed`: that seed, null until all tables are over. `scores`: the best first, and those with the same points by
    `difference`; empty until all tables are over.
    """

    series: UUID
    ruleset: RulesetName
    version: Count
    status: Literal["open", "running", "finished"]
    commitment: Sha256
    seed: Sha256 | None
    opened_by: UUID | None
    tables: Annotated[tuple[TableView, ...], Meta(max_length=MOST_TABLES, description="By number.")]
    scores: Annotated[tuple[SeriesScore, ...], Meta(max_length=16 * MOST_TABLES)]

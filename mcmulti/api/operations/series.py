"""Series, several tables with the same dice: open one, and look at it."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal
from uuid import UUID, uuid4, uuid5

import msgspec
from msgspec import Meta, Struct

from mcmulti.api.admission.access import hash_of_wish
from mcmulti.api.admission.series import table_id
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import DEAR, Call, LanguageQuery, answer, operation
from mcmulti.api.http.problems import ApiError, refused_as
from mcmulti.api.http.received import decoded, read_body
from mcmulti.api.operations.games import NamesRuleset, NewTable, levels_there, opened_once, opened_there
from mcmulti.api.telling.tables import Name, TableView
from mcmulti.api.telling.wire import HouseBotsAsked, InvitedNames
from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.event import MOST_TABLES, SeriesTable
from mcmulti.domain.core.figures import Count, RulesetName, Seat, Sha256
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import Conflict, UnknownGame
from mcmulti.events.ports.game_index import Access
from mcmulti.projections.comparison import compared, given_up, money_of, seat_result

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


@operation(
    "POST",
    "/v1/series",
    tag="games",
    summary="Open a series: several tables with the same dice",
    body=NEW_SERIES,
    answer=SeriesView,
    status=201,
    problems=("refused", "key_reused", "too_many_open_games", "no_house_bots"),
    quota="new_games",
    cost=DEAR,
)
async def open_series(
    call: Call, query: LanguageQuery, caller: Player, idempotency_key: str | None, body: bytes
) -> Answer:
    """Sets up the tables of a series. All of them commit to the same seed before anybody sits down. Nobody sits at them
    yet, not even you. Players take seats as at other tables, but each at only one of them, and all seats must be taken
    before a table starts. The tables are not in lists; hand out their addresses, or that of the series. They are not
    rated.
    """
    new: Any = read_body(body, *NEW_SERIES)
    decoded(body, NamesRuleset)
    ruleset = CURRENT[new.__struct_config__.tag]
    if new.setup.practice:
        raise ApiError("series_practice", "A series compares players. Leave out `practice`.", field="setup.practice")
    shared = call.service
    levels = levels_there(call, ruleset, new.house_bots, None, new.setup.seats, query.language)
    series = uuid4() if idempotency_key is None else uuid5(caller.player_id, f"series\n{idempotency_key}")
    first, place = table_id(series, 1), SeriesTable(str(series), 1, new.tables)
    asked = hash_of_wish(False, new.invited, False, 0, False, levels, place)
    access = Access(False, new.invited is not None, (), None, asked, house_bots=levels)
    table = NewTable(ruleset, new.setup, access, None, place)
    _, access, replayed = await opened_once(call, caller, first, idempotency_key, table, new.invited or ())
    secret = await shared.log.secret(first)
    for number in range(2, new.tables + 1):
        game = table_id(series, number)
        if replayed and await shared.log.heads([game]):
            continue
        await shared.count("new_games", call.request, caller)
        with suppress(Conflict):  # the same request came twice at once
            place = SeriesTable(str(series), number, new.tables)
            await opened_there(call, caller, game, table._replace(access=access, series=place), secret)
    view = await _view(call, series)
    return answer(view, 201, None, Location=f"/v1/series/{series}", Cache_Control="no-store", **replayed)


@operation(
    "GET",
    "/v1/series/{series}",
    tag="games",
    summary="Show a series: its tables, and in the end its seed and scores",
    answer=SeriesView,
    cost=DEAR,
)
async def get_series(call: Call, series: str) -> Answer:
    """Everyone may look. Once all tables are over, the seed is revealed, each table can be proven with it, and the
    scores compare what the players made of the same seats with the same dice.
    """
    return answer(await _view(call, series_id(series)), Cache_Control="no-store")


def series_id(text: str) -> UUID:
    """The id of a series, from the path. Raises a problem."""
    try:
        return UUID(text)
    except ValueError:
        raise _unknown(text) from None


def _unknown(series: object) -> ApiError:
    return ApiError("unknown_series", f"There is no series {str(series)[:40]!r}.")


async def _view(call: Call, series: UUID) -> SeriesView:
    """A series as everybody may see it. Raises a problem if there is none."""
    shared = call.service
    try:
        first = await shared.referee.position(table_id(series, 1))
    except UnknownGame:
        raise _unknown(series) from None
    seed = await shared.series.seed(first)
    over = seed is not None
    positions = await shared.series.tables(first.state.series)
    everybody = {player for at in positions for player in at.state.everybody}
    called = (await shared.names.lookup(tuple(sorted(everybody)))).called
    tables = tuple([await shared.tables.at(at, called) for at in positions])
    untouched = all(table.status == "open" for table in tables)
    ruleset = first.ruleset
    return SeriesView(
        series,
        ruleset.name,
        ruleset.version,
        "finished" if over else "open" if untouched else "running",
        first.state.commitment,
        seed,
        None if first.state.opened_by is None else UUID(first.state.opened_by),
        tables,
        scores_of([at.presented(called) for at in positions]) if over else (),
    )


def scores_of(tables: Sequence[Position]) -> tuple[SeriesScore, ...]:
    """The scores of a series whose tables are over."""
    seats = range(len(tables[0].state.player_ids))
    found = [score for seat in seats for score in _at_seat(tables, seat)]
    return tuple(sorted(found, key=lambda score: (-score.points, -score.difference, score.table, score.seat)))


def _at_seat(tables: Sequence[Position], seat: int) -> Iterator[SeriesScore]:
    """What the players of the same seat made of it."""
    held = []
    for at in tables:
        ruleset, state = at.ruleset, at.state
        winners = ruleset.outcome(state).winners
        held.append((at, seat_result(seat, winners, given_up(ruleset, state), money_of(ruleset, state))))
    points = {at.game_id: 0.0 for at in tables}
    for at_table, gained in compared([(at.game_id, result) for at, result in held]):
        points[at_table] += gained
    others = len(tables) - 1
    total = sum(result.money for _, result in held)
    for at, result in held:
        player = at.state.player_ids[seat] or departures_of(at.state).tenants[seat][-1]
        yield SeriesScore(
            at.state.series.table,
            seat,
            UUID(player),
            at.state.called.get(player),
            result.won > 0,
            not result.kept,
            result.money,
            points[at.game_id],
            others,
            round(result.money - (total - result.money) / others, 2) if others else 0.0,
        )

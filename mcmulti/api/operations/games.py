"""Games: open, list, view."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID, uuid4

from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from msgspec.structs import asdict, replace

from mcmulti.api.admission.access import admit_rated, hash_of_passcode, hash_of_wish, new_passcode, players_named
from mcmulti.api.admission.house import admit_opponents, is_house_bot, levels_beside
from mcmulti.api.admission.quotas import address_of
from mcmulti.api.caching.moments import MomentQuery, moment, past_moment, seat_seen
from mcmulti.api.caching.representation import Representation
from mcmulti.api.chat.rooms import rooms_wanted
from mcmulti.api.http.answers import Answer, StreamAnswer, encoded
from mcmulti.api.http.contract import NOTHING, Beside, Call, LanguageQuery, answer, operation
from mcmulti.api.http.received import Tags, decoded, given, read_body
from mcmulti.api.logging import note
from mcmulti.api.service import identified
from mcmulti.api.streams import lobby as stream_lobby
from mcmulti.api.streams.items import FORMATS, NDJSON, SSE, Heartbeat, LobbyHead, Stopping, TableGone, TableListed
from mcmulti.api.telling.rated import seated
from mcmulti.api.telling.refusals import refusal, unfit
from mcmulti.api.telling.tables import VISIBLE, Cursor, TableView, bookmark_of, cursor_of, opened_under
from mcmulti.api.telling.wire import NEW_GAMES, Games, GameView, NewlyOpened
from mcmulti.domain.core.capabilities.positions import BadPosition
from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.event import SeriesTable
from mcmulti.domain.core.offers import NO_SEAT, OUT_OF_RANGE, Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.game_index import NO_BOT, Access, GamesWanted, ListOrder, Sought
from mcmulti.events.ports.notices import Notification
from mcmulti.metering import bytes_stored
from mcmulti.notify.news import notices_of
from mcmulti.referee.ruling import KeyReused

HOUSE_BOT_BYTES = 250_000
"""Bytes that each of the server's bots at a table counts as: it may play on when everybody else has left."""
NAMESAKES = 100
"""The most players by whose name a search finds games."""
_DIGITS = re.compile("[0-9a-f]{4,32}")
LOBBY_ITEMS = 2**63
"""The default number of tables in a stream of the lobby: unlimited."""


class TablesWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Filters for tables, within what the caller may see.

    `player`: only games at which this player sits; `mine`: the caller. `free`: only tables with a free seat, at which
    the game has not begun; `invited`: only those to which the caller is invited by name; `bots`: only those that ask
    for a bot on a free seat. `house_bots`: only games that are not over at which bots of the server were asked for.
    `my_turn`: only running games that wait for the caller, or for a companion of the caller. `left`: only running games
    with a vacant seat, at tables that agreed on a `substitute` for it, or on house bots (`bot`).
    """

    status: Literal["open", "running", "finished"] | UnsetType = UNSET
    ruleset: Annotated[str, Meta(max_length=40, pattern="^[a-z_]{1,40}$")] | UnsetType = UNSET
    player: UUID | UnsetType = UNSET
    mine: bool = False
    my_turn: bool = False
    free: bool = False
    invited: bool = False
    bots: bool = False
    house_bots: bool = False
    left: Literal["substitute", "bot"] | UnsetType = UNSET


class GamesQuery(TablesWanted, frozen=True, forbid_unknown_fields=True):
    """`order`: by when games were opened, or by when they last moved. `before`: the `next` of the previous page, in the
    same order. `named`: only games with a player whose name contains, for each given word, a word that starts with it,
    or whose id starts with the text, which must then be at least four digits.
    """

    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    named: Annotated[str, Meta(min_length=1, max_length=40, pattern=VISIBLE)] | UnsetType = UNSET
    before: Cursor | UnsetType = UNSET
    order: ListOrder = "opened"


class LobbyQuery(TablesWanted, frozen=True, forbid_unknown_fields=True):
    """`limit`: the stream ends after this many tables."""

    limit: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET


class NamesRuleset(Struct, frozen=True):
    """A body that names the rule set. msgspec does not require it while there is only one."""

    ruleset: str


@operation(
    "POST",
    "/v1/games",
    summary="Open a game",
    body=NEW_GAMES,
    answer=NewlyOpened,
    status=201,
    etag=True,
    problems=("refused", "key_reused", "too_many_open_games", "no_house_bots", "no_chat"),
    quota="new_games",
)
async def open_game(
    call: Call, query: LanguageQuery, caller: Player, idempotency_key: str | None, body: bytes
) -> Answer:
    """Sets up a table. Nobody sits at it yet, not even you. A passcode is shown only in this response: the server keeps
    only its hash. With the same `Idempotency-Key` you can get it again until the table gets another one.
    """
    new: Any = read_body(body, *NEW_GAMES)
    decoded(body, NamesRuleset)
    ruleset = CURRENT[new.__struct_config__.tag]
    setup = new.setup if new.position is None else replace(new.setup, practice=True)
    if new.rated:
        admit_rated(ruleset, setup, listed=new.listed)
    shared = call.service
    levels = levels_there(call, ruleset, new.house_bots, new.seat, setup.seats, query.language)
    # The key determines the game id, so no record is needed to find the game again.
    game = uuid4() if idempotency_key is None else opened_under(caller.player_id, idempotency_key)
    passcode = await new_passcode(shared, f"passcode of {game}", idempotency_key) if new.passcode else None
    passcode_hash = None if passcode is None else hash_of_passcode(game, passcode)
    chat = rooms_wanted(new.chat, here=shared.chats is not None) if new.chat else ()
    asked = hash_of_wish(new.listed, new.invited, new.passcode, new.bots, new.rated, levels, new.position, chat)
    closed = new.invited is not None or new.passcode
    access = Access(new.listed, closed, (), passcode_hash, asked, None, new.bots, new.rated, levels, chat)
    table = NewTable(ruleset, setup, access, None if new.position is None else Origin(new.position))
    position, kept, replayed = await opened_once(call, caller, game, idempotency_key, table, new.invited or ())
    there = passcode if kept.code_hash == passcode_hash else None  # there may be another one by now
    shown = game_view(position, position.seat_of(caller.player_id), await shared.tables.at(position))
    return table_answer(NewlyOpened(**asdict(shown), passcode=there), position.head, 201, **replayed)


def table_answer(shown: GameView, head: Head, status: int, **headers: str) -> Answer:
    """The response of an operation that opens a table."""
    return answer(shown, status, head, Location=f"/v1/games/{shown.game}", Cache_Control="no-store", **headers)


def levels_there(
    call: Call, ruleset: Ruleset[Any], levels: tuple[str, ...], seat: int | None, seats: int, language: Language
) -> tuple[str, ...]:
    """The levels of server bots on the last seats of a table, which leave this `seat` free. Raises a problem if this
    server does not provide them, or if the table has no such seat.
    """
    admit_opponents(ruleset.name, levels, seats, here=call.service.house_bots)
    if seat is not None and seat >= seats:
        raise refusal(ruleset, Rejection(OUT_OF_RANGE.code, NO_SEAT.rule, "seat", seats - 1), language)
    return levels_beside(seat, levels, seats)


class NewTable(NamedTuple):
    """What a table is opened with. `series`: its place in one."""

    ruleset: Ruleset[Any]
    setup: Any
    access: Access
    origin: Origin | None = None
    series: SeriesTable | None = None


async def opened_once(
    call: Call, caller: Player, game: UUID, key: str | None, new: NewTable, named: Sequence[str] = ()
) -> tuple[Position, Access, dict[str, str]]:
    """Open a table for the players `named`, or find the one that the same request with this `key` opened before: as it
    was then, who may see it and sit down now, and the headers of a repeated response. Raises `KeyReused` if the key was
    used for something else.
    """
    shared = call.service
    # Names may have moved by now, and the first table of a series may be over, so that it needs room again.
    if key is None or not (named or new.series) or not await shared.log.heads([game]):
        access = replace(new.access, invited=await players_named(shared.log, named))
        try:
            return await opened_there(call, caller, game, new._replace(access=access)), access, {}
        except Conflict:
            if key is None:
                raise
    position, kept = await shared.referee.position_at(game, 1), (await shared.log.game(game)).access
    before = (position.ruleset.name, position.ruleset.setup_of(position.state), kept.asked_hash)
    if before != (new.ruleset.name, new.setup, new.access.asked_hash):
        raise KeyReused(key)
    return position, kept, {"Idempotent_Replayed": "true"}


async def opened_there(call: Call, caller: Player, game: UUID, new: NewTable, secret: bytes | None = None) -> Position:
    """Open a table if the limits of the caller and its address allow one more, and tell those who are invited. Raises
    `Conflict` if the game exists.

    The tables of a series share a `secret`. Only its first table sends invitations.
    """
    shared, address = call.service, address_of(call.request.scope)
    ruleset, setup, access, origin, series = new
    news: Sequence[Notification] = ()
    try:
        async with shared.open_games.room(caller, game, address):
            if access.invited and (series is None or series.table == 1):
                others = {*access.invited} - {caller.player_id}
                news = await notices_of("game.invitation", shared.log, shared.notify, game, others, shared.clock())
            opened = await shared.referee.open(
                ruleset, setup, game, caller.player_id, access, origin, news, series, secret
            )
    except BadPosition as bad:
        raise unfit(bad, getattr(call.parameters, "language", "en")) from None
    shared.open_games.opened(caller, address, game)
    bytes_stored(HOUSE_BOT_BYTES * sum([level != NO_BOT for level in access.house_bots]))
    note(game_id=str(game), **opened.line())
    return opened.position


@operation("GET", "/v1/games", summary="List games by age or by last move, newest first", answer=Games)
async def list_games(call: Call, query: GamesQuery, caller: Player | None) -> Answer:
    """Returns a page of games: listed games, and unlisted games that you opened, sit at, or are invited to. `mine`,
    `my_turn`, and `invited` need a token. When you list by last move, games that move while you page are at the front
    of the next list. All other games appear exactly once.
    """
    away: set[str] = set()
    before = None if isinstance(query.before, UnsetType) else bookmark_of(query.before)
    wanted = replace(_wanted(query, caller), named=await _sought(call, query.named))
    games = await call.service.log.games(query.limit, before, wanted, away, query.order)
    more = cursor_of(games[-1].mark(query.order)) if len(games) == query.limit else None
    tables = await call.service.tables.summaries(games)
    await call.service.ladder.glance()
    ratings = seated(call.service.ladder, tables)
    return answer(Games(tables, more, bool(away), ratings), Cache_Control="no-store")


@operation(
    "GET",
    "/v1/games/stream",
    summary="Stream tables as they are opened, change, and close",
    answer=TableListed,
    json=False,
    streams={
        SSE: (LobbyHead, TableListed, TableGone, Stopping),
        NDJSON: (LobbyHead, TableListed, TableGone, Heartbeat, Stopping),
    },
)
async def follow_lobby(call: Call, query: LobbyQuery, caller: Player | None) -> Answer:
    """Streams up to a thousand tables, in the order of their last move, and then changes. A new or changed table is
    sent in full, and a table that no longer matches is sent as gone. The stream cannot be resumed: a new one starts
    with all tables.
    """
    limit = given(query.limit, LOBBY_ITEMS)
    chunks = stream_lobby.chunks(
        call.service.lobby, call.service.ladder, _wanted(query, caller), limit, FORMATS[call.media_type]
    )
    return StreamAnswer(chunks, call.media_type)


async def _rematch(call: Call, position: Position, past: bool) -> Beside:
    """The rematch of a game, if it is over and there is one."""
    if position.ruleset.status(position.state) != "finished":
        return NOTHING
    rematch = (await call.service.tables.rematches([position.game_id])).get(position.game_id)
    return Beside(rematch, rematch)


@operation(
    "GET",
    "/v1/games/{game}",
    summary="Show a game, now or at any moment",
    answer=GameView,
    named=True,
    beside=_rematch,
)
async def get_game(call: Call, query: MomentQuery, caller: Player | None, game: UUID, if_none_match: Tags) -> Answer:
    """Everyone may look. A moment in the past (`at`) never changes, except for the names of players."""
    at = await (moment(call, game) if isinstance(query.at, UnsetType) else past_moment(call, game, query.at))
    told = Representation(call, at)
    if known := told.unchanged(if_none_match):
        return known
    body = told.kept()
    if body is None:
        called = at.called
        if isinstance(query.at, UnsetType):
            position, table = await call.service.tables.current(at.position, called, at.beside.value)
            if position.head != told.head:
                told = Representation(call, at._replace(position=position, seat=seat_seen(call, position)))
        else:
            position = at.position
            if position.state is None:
                position = await call.service.referee.position_at(game, query.at)
            table = await call.service.tables.at(position, called, past=True)
        body = told.keep(encoded(game_view(position.presented(called), told.seat, table)))
    return told.answer(body)


def game_view(position: Position, seat: int | None, table: TableView) -> GameView:
    """A game as a seat, or a spectator, sees it."""
    head, view = position.head, encoded(position.ruleset.view(position.state, seat))
    origin = position.state.origin
    branch_of = UNSET if origin is None or origin.branch_of is None else origin.branch_of
    series = position.state.series or UNSET
    return GameView(position.game_id, head.seq, head.hash.hex(), table, Raw(view), branch_of, series)


def _wanted(query: TablesWanted, caller: Player | None) -> GamesWanted:
    """The caller's filters, within what it may see. Raises a problem if they require a token and there is none."""
    me = identified(caller).player_id if query.mine or query.my_turn or query.invited else None
    sits = (me if query.mine else None, given(query.player, None))
    reader = caller and caller.player_id
    return GamesWanted(
        given(query.status, None),
        given(query.ruleset, None),
        tuple(player for player in sits if player is not None),
        query.free,
        me if query.my_turn else None,
        me if query.invited else None,
        # A house bot's list contains all games, since any of them may need it.
        seen_by=UNSET if reader and is_house_bot(reader) else reader,
        left=given(query.left, None),
        bots=query.bots,
        house_bots=query.house_bots,
    )


async def _sought(call: Call, text: str | UnsetType) -> Sought | None:
    """What a text can be the name of: players, or a game."""
    if isinstance(text, UnsetType):
        return None
    digits = text.strip().replace("-", "").lower()
    players = await call.service.log.players_found(text, NAMESAKES)
    return Sought(tuple(players), digits if _DIGITS.fullmatch(digits) else "")

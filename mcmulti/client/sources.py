"""Sources of games for inspection: a folder, a database, a server, a file.

A source is a string: a folder with the server's own PostgreSQL, ``postgresql://...``, the address of a server or of a
game on it, a game file, or ``-`` for a game file on standard input.
"""

import re
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from uuid import UUID

import msgspec

from mcmulti.client.addresses import without_password
from mcmulti.domain.core.table import Called
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import recorded
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.ports.accounts import called
from mcmulti.events.ports.errors import DamagedGame, UnknownGame
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.log import Log
from mcmulti.events.store.game_file import GameRecord, NotAGameFile, heading, players_in, read
from mcmulti.events.store.names import can_be_shown
from mcmulti.events.store.redaction import for_onlookers

if TYPE_CHECKING:
    from mcmulti.api.telling.wire import Games
    from mcmulti.client.client import Client

PAGE = 1000
_Sent = TypeVar("_Sent")
_DATABASE = re.compile("postgres(ql)?://")
_SERIES_ADDRESS = re.compile(r"^(https?://[^/]+)(?:/v1)?/series/([0-9a-f-]{36})/?$")
_GAME_ADDRESS = re.compile(r"^(https?://[^/]+)(?:/v1/games/([^/?#]+))?/?$")


class NamedLog(NamedTuple):
    """The log of a game, and its players' names, as far as they are known, since they are not in the log."""

    events: Sequence[Recorded]
    called: Called


def server_in(source: str) -> str | None:
    """The address of the server that a source is, or that its game is on; None for other sources."""
    address = _GAME_ADDRESS.match(source)
    return None if address is None else address[1]


class SourceError(Exception):
    """The source cannot be read, or has no such game."""


@asynccontextmanager
async def log_in(source: str) -> AsyncIterator[Log]:
    """The log in a folder or a database. Raises `SourceError`, and `ServerError` if the database does not start."""
    from mcmulti.server.database import opened_log  # a file needs no server, whose imports take longest

    async with _database(source) as conninfo, opened_log(conninfo) as log:
        yield log


async def record_in(source: str, game: UUID | None = None, *, as_owner: bool = False) -> GameRecord:
    """A game as a game file contains it: with the head that its server signed. `game` and errors as in `log_of_game`.

    A game from a folder or a database is signed with its key, and sealed where players may not know it yet, unless it
    is read `as_owner`.
    """
    if address := _GAME_ADDRESS.match(source):
        async with _client(address[1]) as client:
            return await record_at(client, str(game or address[2] or await _youngest_at(client)))
    if _is_file(source):
        return _in_file(source, game)
    async with log_in(source) as log:
        listed = await _game_in(log, source, game)
        found = await _signed_record(log, listed, await log.signer(token_bytes(32)))
        return found if as_owner else found._replace(events=for_onlookers(found.events))


async def records_in(source: str) -> AsyncIterator[GameRecord]:
    """Every game in a source, newest first, as `record_in` returns it to the owner. Errors as in `record_in`.

    Here, a source can also be the address of a series on a server: then the games are its tables, in order.
    """
    if series := _SERIES_ADDRESS.match(source):
        async with _client(series[1]) as client:
            found = parsed(series[1], await client.content(f"/v1/series/{series[2]}"), SeriesListed, "has a series")
            for table in found.tables:
                yield await record_at(client, str(table.game))
        return
    address = _GAME_ADDRESS.match(source)
    if address and not address[2]:
        async with _client(address[1]) as client:
            behind: str | None = None
            while True:
                page = await _games_at(client, behind)
                for listed in page.games:
                    yield await record_at(client, str(listed.game))
                if page.incomplete:
                    raise SourceError(
                        f"Part of the database of {without_password(client.server)} is unavailable: the list "
                        "is incomplete."
                    )
                if (behind := page.next) is None or not page.games:
                    return
    elif address or _is_file(source):
        yield await record_in(source)
    else:
        async with log_in(source) as log:
            key = await log.signer(token_bytes(32))
            before = None
            while games := await log.games(PAGE, before):
                for game in games:
                    yield await _signed_record(log, game, key)
                before = games[-1].mark()


async def log_of_game(source: str, game: UUID | None = None) -> NamedLog:
    """The log of a game: the given one, or else the newest, if the source has several.

    What players may not know yet is sealed, whatever the source; a file is read unchanged.

    Raises `SourceError`, `HttpProblem` and `ServerAway` for a server, and `ServerError` if a database does not start.
    """
    if address := _GAME_ADDRESS.match(source):
        async with _client(address[1]) as client:
            found = str(game or address[2] or await _youngest_at(client))
            events = await fetched(client, found)
            return NamedLog(events, await called_at(client, found, events))
    if _is_file(source):
        record = _in_file(source, game)
        return NamedLog(record.events, record.file.names)
    async with log_in(source) as log:
        listed = await _game_in(log, source, game)
        if not (events := await log.read(listed.game_id)):
            raise SourceError(f"Game {listed.game_id} in {without_password(source)} has no events.")
        return NamedLog(for_onlookers(events), await called_in(log, events))


async def called_in(log: Log, events: Sequence[Recorded]) -> Called:
    """The names of the players in these events, as far as the log knows them."""
    return await called(log, players_in(events))


async def _game_in(log: Log, source: str, game: UUID | None) -> Game:
    """The given game, or the youngest. Raises `SourceError`."""
    if game is None:
        for youngest in await log.games(1):
            return youngest
        raise SourceError(f"There is no game in {without_password(source)} yet.")
    try:
        return await log.game(game)
    except UnknownGame:
        raise SourceError(f"There is no game {game} in {without_password(source)}.") from None


async def _signed_record(log: Log, game: Game, key: SigningKey) -> GameRecord:
    """A game with its signed head. For a damaged game, all rows, with the head from the log, unsigned."""
    from mcmulti.events.store.history import History  # a file needs none of it

    try:
        head = await History(log).examine(game.game_id, game.head)
        events, signs = await log.read(game.game_id, limit=head.seq), key
    except DamagedGame:
        head, events, signs = game.head, await log.read(game.game_id), None
    names = await called_in(log, events)
    return GameRecord(heading(game.game_id, game.ruleset, game.version, head, signs, names), events)


def _client(address: str) -> "Client":
    from mcmulti.client.client import Client  # a file needs none, and importing it takes a tenth of an export

    return Client(address)


async def fetched(client: "Client", game: str, behind: int = 0) -> list[Recorded]:
    """The log of a game from its server, page by page, sealed where the client may not know it yet: all of it, or what
    there is behind an event.

    Raises `SourceError` if it is invalid, and like the client.
    """
    from mcmulti.api.telling.wire import Events

    events: list[Recorded] = []
    after: int | None = behind
    while after is not None:
        content = await client.events(game, after, limit=PAGE)
        page = parsed(client.server, content, Events, "sends a log")
        try:
            events += (recorded(page.game, item) for item in page.events)
        except (ValueError, RecursionError) as error:
            raise SourceError(f"{without_password(client.server)} sends a log that cannot be read: {error}.") from error
        if page.next is not None and page.next <= after:
            raise SourceError(f"{without_password(client.server)} sends an endless log.")
        after = page.next
    if not events and not behind:
        raise SourceError(f"{without_password(client.server)} sends a log without events.")
    return events


async def called_at(client: "Client", game: str, events: Sequence[Recorded]) -> Called:
    """The names of the players at a game, from its table, and of those who left, from the server.

    Names that are unknown or cannot be displayed are missing. Raises like the client.
    """
    from mcmulti.client.client import HttpProblem

    shown = await _seated_at(client, game)
    for player in sorted(players_in(events) - shown.keys()):
        try:
            told = msgspec.json.decode(await client.content(f"/v1/players/{player}"), type=_Named)
        except (HttpProblem, ValueError, RecursionError):  # the player was erased, or played elsewhere
            continue
        if can_be_shown(told.name):
            shown[player] = told.name
    return shown


class _Named(msgspec.Struct):
    name: str


async def _seated_at(client: "Client", game: str) -> dict[str, str]:
    table = (await client.view(game)).get("table")
    seats = table.get("seats") if isinstance(table, dict) else None
    shown = {}
    for seat in seats if isinstance(seats, list) else ():
        player, name = (seat.get("player"), seat.get("name")) if isinstance(seat, dict) else (None, None)
        if isinstance(player, str) and isinstance(name, str) and can_be_shown(name):
            shown[player] = name
    return shown


async def record_at(client: "Client", game: str) -> GameRecord:
    path = f"/v1/games/{game}/file"
    return _record_read(f"{without_password(client.server)}{path}", (await client.content(path)).splitlines())


async def _games_at(client: "Client", before: str | None = None, **asked: int) -> "Games":
    further = {} if before is None else {"before": before}
    return games_in(client.server, await client.content("/v1/games", **asked, **further))


def games_in(server: str, content: bytes) -> "Games":
    """Parse a server's list of games. Raises `SourceError` if it is invalid."""
    from mcmulti.api.telling.wire import Games

    return parsed(server, content, Games, "lists games")


class _Tabled(msgspec.Struct):
    game: UUID


class SeriesListed(msgspec.Struct):
    """The tables of a series."""

    tables: list[_Tabled]


class RulesListed(msgspec.Struct):
    """The texts of a rule set's rules, by id."""

    rules: dict[str, str]


def parsed(server: str, content: bytes, kind: type[_Sent], what: str) -> _Sent:
    """Parse what a server sent. Raises `SourceError` if it is invalid, which says `what` the server does."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{without_password(server)} {what} that cannot be read: {error}.") from error


async def _youngest_at(client: "Client") -> UUID:
    games = (await _games_at(client, limit=1)).games
    if not games:
        raise SourceError(f"There is no game at {without_password(client.server)} yet.")
    return games[0].game


def _is_file(source: str) -> bool:
    if re.match("https?:", source):
        raise SourceError(
            f"{without_password(source)} is not the address of a server or of a game on it, .../v1/games/ID."
        )
    return source == "-" or (not _DATABASE.match(source) and Path(source).is_file())


def _in_file(source: str, game: UUID | None) -> GameRecord:
    name = "standard input" if source == "-" else source
    try:
        with nullcontext(sys.stdin.buffer) if source == "-" else open(source, "rb") as content:
            found = _record_read(name, content)
    except OSError as error:
        raise SourceError(f"{name} cannot be read: {error.strerror}.") from error
    if game not in (None, found.file.game):
        raise SourceError(f"{name} holds game {found.file.game}, not {game}.")
    return found


def _record_read(name: str, content: Iterable[bytes]) -> GameRecord:
    try:
        return read(content)
    except NotAGameFile as error:
        raise SourceError(f"{name} is not a game file: {str(error).rstrip('.')}.") from error


@asynccontextmanager
async def _database(source: str) -> AsyncIterator[str]:
    """The address to connect to."""
    if _DATABASE.match(source):
        yield source
        return
    from mcmulti.events.embedded.server import has_data
    from mcmulti.server.database import embedded

    folder = Path(source).absolute()  # noqa: ASYNC240 - nothing else goes on
    if not has_data(folder):
        raise SourceError(f"{without_password(source)} is not a folder with games, a game file, or an address.")
    async with embedded(folder) as conninfo:
        yield conninfo

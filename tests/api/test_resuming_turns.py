"""An interrupted stream of a player: nothing is lost, and little is repeated."""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

import msgspec
import pytest

from mcmulti.api.service import Service
from mcmulti.api.streams import player as stream_player
from mcmulti.api.streams.items import FORMATS
from mcmulti.api.streams.player import Turns, chunks, id_of, moment_of
from mcmulti.events.log.envelope import Head
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import TableRow
from tests.api.guests import Table
from tests.api.stream_client import NDJSON, SSE, Message, StreamClient
from tests.api.stream_server import served
from tests.games import random_game

GAMES = [random_game(2, seed) for seed in range(4)]
PLAYER = UUID("00000000-0000-4000-9000-000000000001")
"""The player at random games."""


class Shelf(MemoryLog):
    """Games of one player, which end all at once and elsewhere. `clock`: the log's. `away`: its outage."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = datetime(2026, 1, 1, tzinfo=UTC)
        self.away = False

    async def begin(self, number: int) -> str:
        events = GAMES[number]
        await self.create(events[0].game_id, "mcmulti", 1, TableRow("running", (PLAYER,)), bytes(32), events[:3])
        return str(events[0].game_id)

    async def end(self, number: int) -> str:
        events = GAMES[number]
        await self.append(events[0].game_id, Head(3, events[2].hash), events[3:], TableRow("finished"))
        return str(events[0].game_id)

    async def now(self) -> datetime:
        if self.away:
            raise LogUnavailable("away")
        return self.clock

    def pass_time(self, **span: float) -> None:
        self.clock += timedelta(**span)


class Reader:
    """A stream of the player. `id`: that of the last item received."""

    def __init__(self, turns: Turns, mark: datetime, *, resumed: bool = True) -> None:
        self._chunks = chunks(turns, PLAYER, FORMATS[NDJSON], mark, resumed=resumed)
        self.id = ""

    async def ended(self, number: int) -> list[str]:
        """The games of this many ends."""
        found: list[str] = []
        async with asyncio.timeout(60):
            while len(found) < number:
                found += await self.read()
        return found

    async def read(self) -> list[str]:
        """One piece: the games that ended."""
        items = [msgspec.json.decode(line) for line in (await anext(self._chunks)).splitlines()]
        self.id = items[-1]["id"]
        return [item["game"] for item in items if item["type"] == "GameOver"]

    async def close(self) -> None:
        await self._chunks.aclose()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polls and heartbeats every few milliseconds."""
    monkeypatch.setattr(stream_player, "POLL", 0.02)
    monkeypatch.setattr("mcmulti.api.streams.items.HEARTBEAT", 0.1)


@pytest.fixture
async def log() -> Shelf:
    shelf = Shelf()
    for number in range(4):
        await shelf.begin(number)
    return shelf


def server(log: MemoryLog) -> Turns:
    """Another process on the same log."""
    return Service(log).turns


async def test_what_ended_while_nobody_listened_is_told_behind_the_id_by_every_server(log: Shelf) -> None:
    """The server that resumes knows nothing, and was started after all that."""
    first = Reader(server(log), log.clock, resumed=False)
    assert await first.read() == []
    await first.close()
    log.pass_time(hours=1)
    gone = [await log.end(0), await log.end(1)]
    log.pass_time(hours=1)
    gone.append(await log.end(2))
    log.pass_time(hours=1)
    second = Reader(server(log), moment_of(int(first.id)))
    assert await second.ended(3) == gone
    await second.read()
    await second.close()
    log.pass_time(hours=1)
    third = Reader(server(log), moment_of(int(second.id)))
    gone = [await log.end(3)]
    assert await third.ended(1) == gone, "and nothing twice that ended more than a minute before the id"
    await third.close()


async def test_a_stream_without_an_id_tells_nothing_that_is_over(log: Shelf) -> None:
    await log.end(0)
    log.pass_time(seconds=1)
    reader = Reader(server(log), log.clock, resumed=False)
    assert [await reader.read() for _ in range(3)] == [[], [], []]
    gone = await log.end(1)
    assert await reader.ended(1) == [gone]
    await reader.close()


async def test_a_game_that_comes_to_be_seen_after_later_ones_is_told(log: Shelf) -> None:
    """Its append took half a minute; the reader has an id that is later than its end."""
    reader = Reader(server(log), log.clock, resumed=False)
    await reader.read()
    ended_at = log.clock + timedelta(seconds=10)
    log.pass_time(seconds=40)
    later = await log.end(1)
    assert await reader.ended(1) == [later]
    await reader.read()
    assert moment_of(int(reader.id)) > ended_at
    late = await log.end(0)
    log._games[UUID(late)].ended_at = ended_at
    assert await reader.ended(1) == [late], "by the stream that is open"
    await reader.close()
    resumed = Reader(server(log), moment_of(int(reader.id)))
    assert sorted(await resumed.ended(2)) == sorted([late, later]), "and by one that is resumed: once more"
    await resumed.close()


async def test_an_end_is_told_once_by_one_stream(log: Shelf) -> None:
    """However often the game is read, and when the log is queried again."""
    reader = Reader(server(log), log.clock, resumed=False)
    await reader.read()
    told = []
    for number in range(4):
        await log.end(number)
        for _ in range(4):
            told += await reader.read()
            log.pass_time(seconds=25)
    assert told == [str(events[0].game_id) for events in GAMES]
    await reader.close()


async def test_what_ended_during_an_outage_is_told(log: Shelf) -> None:
    reader = Reader(server(log), log.clock, resumed=False)
    await reader.read()
    await reader.read()
    await reader.close()
    turns = server(log)
    log.away = True
    reader = Reader(turns, log.clock, resumed=False)
    for _ in range(3):
        assert await reader.read() == [], "heartbeats"
    log.pass_time(minutes=10)
    log.away = False
    gone = await log.end(2)
    log.pass_time(minutes=10)
    assert await reader.ended(1) == [gone]
    await reader.close()


async def test_a_reader_that_is_slow_gets_what_the_server_has_forgotten(log: Shelf) -> None:
    turns = server(log)
    slow, quick = (Reader(turns, log.clock, resumed=False) for _ in range(2))
    for reader in (slow, quick):
        await reader.read()
        await reader.read()
    gone = [await log.end(0)]
    assert await quick.ended(1) == gone
    log.pass_time(minutes=10)
    for _ in range(3):
        await quick.read()
    async with turns.feed(PLAYER) as feed:
        assert not feed.ends
    gone.append(await log.end(1))
    assert await slow.ended(2) == gone
    for reader in (slow, quick):
        await reader.close()


async def test_many_ends_come_in_pages_and_an_id_within_them_loses_none(
    log: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_player, "PAGE", 2)
    began = log.clock
    gone = []
    for number in range(4):
        log.pass_time(hours=1)
        gone.append(await log.end(number))
    log.pass_time(hours=1)
    for broken_off in range(1, 4):
        reader = Reader(server(log), began)
        told = await reader.ended(broken_off)
        await reader.close()
        again = Reader(server(log), moment_of(int(reader.id)))
        told += await again.ended(4 - broken_off + 1)
        await again.close()
        assert list(dict.fromkeys(told)) == gone
        assert told[broken_off - 1] == told[broken_off], "what the id belongs to ended in its minute"


def test_an_id_names_no_later_moment_than_its_own() -> None:
    moment = datetime(2026, 7, 1, 12, 0, 0, 999_999, UTC)
    assert id_of(moment) == "1782907200999"
    assert moment_of(1782907200999) == moment.replace(microsecond=999_000)
    assert len(id_of(datetime(2286, 1, 1, tzinfo=UTC))) == 13


@pytest.fixture
async def at_table(database: str) -> AsyncIterator[tuple[str, Table]]:
    """A server's address, and a table there."""
    async with served(database) as found:
        yield found


async def _first(reader: StreamClient, type_: str) -> Message:
    async with asyncio.timeout(60):
        async for message in reader.messages():
            if message.data is not None and message.data["type"] == type_:
                return message
    raise AssertionError(type_)


@pytest.mark.parametrize("accept", [SSE, NDJSON])
async def test_every_item_has_its_id_and_the_stream_resumes_behind_it(at_table: tuple[str, Table], accept: str) -> None:
    """`Last-Event-ID`, or `after` for clients that cannot send it; the header has priority."""
    address, table = at_table
    game = await table.start()
    token = table.guests[0].token
    async with StreamClient.open(address, "/v1/stream", accept, token) as reader:
        turn = await _first(reader, "YourTurn")
    assert turn.data is not None
    assert turn.data["game"] == game
    last = str(turn.data["id"])
    assert accept == NDJSON or str(turn.id) == last
    over = GAMES[0]
    player = await _player(table, token)
    await table.log.create(over[0].game_id, "mcmulti", 1, TableRow("running", (player,)), bytes(32), over[:3])
    await table.log.append(over[0].game_id, Head(3, over[2].hash), over[3:], TableRow("finished"))
    for path, headers in (
        ("/v1/stream", {"Last_Event_ID": last}),
        (f"/v1/stream?after={last}", {}),
        ("/v1/stream?after=9999999999", {"Last_Event_ID": last}),
    ):
        async with StreamClient.open(address, path, accept, token, 0, **headers) as reader:
            assert (await reader.next())["game"] == str(over[0].game_id)
            again = await reader.next()
        assert (again["type"], again["game"], again["seq"]) == ("YourTurn", game, turn.data["seq"]), "it still stands"


async def _player(table: Table, token: str) -> UUID:
    holder = await table.log.holder(sha256(token.encode()).digest())
    assert holder is not None
    return holder.player.player_id


@pytest.mark.parametrize("id_", ["x", "-1", "1.5", "1e3", "1" * 14, "\u0661", "", "1,2"])
async def test_an_id_that_is_none_is_refused(at_table: tuple[str, Table], id_: str) -> None:
    _, table = at_table
    guest = await table.guest("Ada")
    answered = await guest.get("/v1/stream", headers={"Last-Event-ID": id_.encode()})
    assert (answered.status_code, answered.json()["code"]) == (400, "invalid_header"), answered.text
    answered = await guest.get("/v1/stream", params={"after": id_})
    assert (answered.status_code, answered.json()["code"]) == (400, "invalid_query"), answered.text


async def test_an_id_a_little_ahead_of_the_clock_is_taken(at_table: tuple[str, Table]) -> None:
    """The database may have moved to a machine whose clock is behind."""
    address, table = at_table
    guest = await table.guest("Ada")
    for ahead, status in ((30, 200), (120, 404)):
        id_ = str(int((time.time() + ahead) * 1000))
        async with StreamClient.open(address, "/v1/stream", SSE, guest.token, Last_Event_ID=id_) as reader:
            assert reader.status == status


async def test_a_stream_tells_where_it_resumes_before_it_tells_anything(at_table: tuple[str, Table]) -> None:
    address, table = at_table
    guest = await table.guest("Ada")
    async with StreamClient.open(address, "/v1/stream", SSE, guest.token) as reader:
        messages = reader.messages()
        opening, alive = [await asyncio.wait_for(anext(messages), 60) for _ in range(2)]
    assert opening.text == b"retry: 1000"
    assert alive.id is not None
    assert abs(moment_of(int(alive.id)).timestamp() - time.time()) < 60

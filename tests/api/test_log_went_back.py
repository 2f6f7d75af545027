"""A running server whose log goes back: a backup is restored under it, or an older copy takes over."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from mcmulti.api.streams.game import EventRange, batches
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Head, Recorded, broken_link
from mcmulti.events.log.positions import Position
from mcmulti.events.log.snapshot import shape
from mcmulti.projections.proof.proof import verify
from mcmulti.referee.feed import LogWentBack
from tests.api.guests import Guest, Table
from tests.api.owner import Owner
from tests.api.stream_client import NDJSON, SSE, StreamClient
from tests.api.stream_server import served
from tests.golden.games import load
from tests.server.readings import somebody_polls

THREE_PLAYERS = Path(__file__).parents[1] / "golden" / "three-players.jsonl"
RIG = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 1, "column": 1}}
Two = tuple[tuple[str, Table], tuple[str, Table]]
"""Two servers on one database: their addresses, and tables."""
OTHER_RIG = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 2, "column": 2}}


@pytest.fixture
async def two(database: str) -> AsyncIterator[Two]:
    """Two servers on one database, with a table of guests at each; the guests are those of the first."""
    async with served(database) as first, served(database) as second:
        yield first, second


@pytest.fixture
def owner(database: str) -> Owner:
    return Owner(database)


def at_the_other(table: Table, other: Table) -> list[Guest]:
    """The guests of one server, at another one."""
    return [Guest(other.client, guest.name, guest.token) for guest in table.guests]


async def sound(table: Table, game: str) -> None:
    """Check that the log of a game has an intact chain, and follows the rules."""
    events = await table.log.read(UUID(game))
    assert broken_link(events) is None
    assert verify(events).fault is None


async def test_a_server_shows_what_the_log_holds_and_plays_on_from_there(two: Two, owner: Owner) -> None:
    """Ada bought a rig for 4; the backup is from before that. Then she buys another one."""
    ((_, table), _) = two
    game = await table.start()
    before = (await table.client.get(f"/v1/games/{game}")).json()
    bought = (await table.guests[0].send(game, RIG)).json()
    tag = (await table.client.get(f"/v1/games/{game}")).headers["ETag"]
    owner.take_back(game, before["seq"])

    shown = await table.client.get(f"/v1/games/{game}", headers={"If-None-Match": tag})
    assert shown.status_code == 200
    assert shown.json() == before
    again = await table.guests[0].send(game, OTHER_RIG, If_Match=tag)
    assert (again.status_code, again.json()["code"]) == (412, "stale")
    again = await table.guests[0].send(game, OTHER_RIG)
    assert again.status_code == 200
    assert again.json()["seq"] == bought["seq"]
    assert again.json()["hash"] != bought["hash"]
    await sound(table, game)


async def test_a_command_is_the_first_that_meets_the_log_that_went_back(two: Two, owner: Owner) -> None:
    """The cache says that Ada has bought her rig; she buys it again, and the site is free."""
    ((_, table), _) = two
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    assert (await table.guests[0].send(game, RIG)).status_code == 200
    owner.take_back(game, seq)
    assert (await table.guests[0].send(game, RIG)).status_code == 200
    await sound(table, game)


@pytest.mark.parametrize("more", [0, 1])
async def test_what_another_server_appended_since_follows_on_no_other_state(two: Two, owner: Owner, more: int) -> None:
    """The first server knows the rig at 1/1. The log goes back; at the second one Ada buys one at 2/2, or two."""
    (_, table), (_, other) = two
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    assert (await table.guests[0].send(game, RIG)).status_code == 200
    owner.take_back(game, seq)
    ada, ben = at_the_other(table, other)
    assert (await ada.send(game, OTHER_RIG)).status_code == 200
    for _ in range(more):
        assert (await ada.send(game, {"type": "EndPurchases"})).status_code == 200

    here, there = [(await each.client.get(f"/v1/games/{game}")) for each in (table, other)]
    assert here.json() == there.json()
    assert here.headers["ETag"] == there.headers["ETag"]
    mover = table.guests[0] if not more else table.guests[1]
    assert (await mover.send(game, {"type": "EndPurchases"})).status_code == 200
    assert ben.name == "Ben"
    await sound(table, game)


async def test_a_command_on_what_never_was_is_decided_on_what_is(two: Two, owner: Owner) -> None:
    """The first server would sell Ada a rig after one that no longer exists, at the number of the other
    server's event.
    """
    (_, table), (_, other) = two
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    assert (await table.guests[0].send(game, RIG)).status_code == 200
    owner.take_back(game, seq)
    ada, _ = at_the_other(table, other)
    assert (await ada.send(game, OTHER_RIG)).status_code == 200
    refused = await table.guests[0].send(game, OTHER_RIG)
    assert (refused.status_code, refused.json()["code"]) == (409, "site")
    assert (await table.guests[0].send(game, RIG)).status_code == 200
    await sound(table, game)


async def test_a_game_that_is_no_more_is_unknown_and_so_is_who_registered_since(two: Two, owner: Owner) -> None:
    ((_, table), _) = two
    game, other = await table.start(), await table.start()
    dora = await table.guest("Dora")
    assert (await dora.get("/v1/games")).status_code == 200
    owner.drop(game)
    owner.do("DELETE FROM player WHERE name = 'Dora'")
    assert (await table.client.get(f"/v1/games/{game}")).json()["code"] == "unknown_game"
    assert (await table.guests[0].send(game, RIG)).json()["code"] == "unknown_game"
    assert (await table.guests[0].send(other, RIG)).status_code == 200
    assert (await dora.send(other, RIG)).json()["code"] == "unauthenticated"


@pytest.mark.parametrize("accept", [NDJSON, SSE])
async def test_a_stream_ends_with_the_reason(two: Two, owner: Owner, accept: str) -> None:
    """Detected by a follower's poll, without a request; the id of a lost event leads nowhere."""
    ((address, table), _) = two
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    path = f"/v1/games/{game}/events"
    async with StreamClient.open(address, f"{path}?after={seq}", accept) as reader:
        await reader.next()
        assert (await table.guests[0].send(game, RIG)).status_code == 200
        gone = await reader.next()
        owner.take_back(game, seq)
        assert await reader.next() == {"type": "WentBack"}
        with pytest.raises(StopAsyncIteration):
            await reader.next()
    last = f"{gone['seq']}-{gone['hash']}"
    async with StreamClient.open(address, path, accept, Last_Event_ID=last) as reader:
        assert await reader.problem() == "unknown_moment"
    assert (await table.guests[0].send(game, OTHER_RIG)).status_code == 200
    for more in ({"type": "EndPurchases"}, None):
        async with StreamClient.open(address, path, accept, Last_Event_ID=last) as reader:
            assert await reader.problem() == "unknown_moment"
        if more:
            assert (await table.guests[0].send(game, more)).status_code == 200


async def test_a_stream_never_goes_on_with_another_history() -> None:
    """The game went back and on past the reader's position, before anybody looked: the new events do not follow it."""
    events = load(THREE_PLAYERS)[:9]
    ruleset = opened_with(events[0])
    now = Position(events[0].game_id, ruleset, fold(ruleset, events), Head(9, events[8].hash))
    pages = iter([events[:4], [events[4]._replace(prev_hash=bytes(32)), *events[5:]]])

    class Passed:
        position, finished = now, False

        async def moved(self, after: int, wait: float) -> bool:
            return True

        async def page(self, after: int, limit: int) -> list[Recorded]:
            return list(next(pages))

    @asynccontextmanager
    async def feed(game_id: UUID) -> AsyncIterator[Passed]:
        yield Passed()

    referee: Any = SimpleNamespace(feed=feed)
    reading = batches(referee, now.game_id, None, EventRange(0, 100, 100), 1)
    assert [event.seq for event in (await anext(reading)).events] == [1, 2, 3, 4]
    with pytest.raises(LogWentBack):
        await anext(reading)


async def test_who_waits_for_the_next_event_is_told(two: Two, owner: Owner) -> None:
    """Whether the log goes back before or after the query for the next event."""
    ((_, table), _) = two
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    assert (await table.guests[0].send(game, RIG)).status_code == 200
    waiting = asyncio.create_task(table.client.get(f"/v1/games/{game}/events?after={seq + 1}&wait=60"))
    await somebody_polls()
    owner.take_back(game, seq)
    told = await waiting
    assert (told.status_code, told.json()["code"]) == (503, "went_back")
    assert told.headers["Retry-After"] == "1"


async def test_a_player_is_told_of_the_turn_that_stands_again(two: Two, owner: Owner) -> None:
    """Ada had ended her purchases, so it was Ben's turn; the log goes back, and it is Ada's."""
    ((address, table), _) = two
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    async with AsyncExitStack() as stack:
        ada, ben = [
            await stack.enter_async_context(StreamClient.open(address, "/v1/stream", NDJSON, guest.token))
            for guest in table.guests
        ]
        assert (await ada.next())["seat"] == 0
        assert (await table.guests[0].send(game, {"type": "EndPurchases"})).status_code == 200
        assert (await ben.next())["seat"] == 1
        owner.take_back(game, seq)
        told = await ada.next()
        assert (told["type"], told["seat"], told["seq"]) == ("YourTurn", 0, seq)


async def test_a_snapshot_of_what_never_was_is_not_believed(two: Two, owner: Owner) -> None:
    """A server that has not noticed yet may store one, after the log went back."""
    ((_, table), (_, other)) = two
    game = await table.start()
    for _ in range(2):
        assert (await table.guests[0].send(game, {"type": "EndPurchases"})).status_code == 200
        assert (await table.guests[1].send(game, {"type": "EndPurchases"})).status_code == 200
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    owner.do(
        """INSERT INTO snapshot (game_id, shape, seq, hash, state)
        VALUES (%(game)s, %(shape)s, %(seq)s, %(hash)s, %(state)s)""",
        game=UUID(game),
        shape=await shape_of(other, game),
        seq=seq - 1,
        hash=bytes(32),
        state=b"of a game that never was",
    )
    past = {"at": seq - 1}
    told = await other.client.get(f"/v1/games/{game}", params=past)
    assert (told.status_code, told.json()["seq"]) == (200, seq - 1)
    assert told.json() == (await table.client.get(f"/v1/games/{game}", params=past)).json()
    assert await other.log.snapshot(UUID(game), seq, await shape_of(other, game)) is None


async def shape_of(table: Table, game: str) -> bytes:
    """The shape of the snapshots of a game."""
    return shape(opened_with((await table.log.read(UUID(game), limit=1))[0]))


READS = "?at=8", "/proof", "/proof?at=8", "/replay", "/ledger", "/statistics", "/charts/cash", "/report", "/file"


@pytest.mark.parametrize("read", READS)
async def test_the_log_goes_back_while_a_game_is_read(
    read: str, two: Two, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had not when the server read the head. The log is shorter when it reads the events."""
    ((_, table), (_, other)) = two
    game = await table.start()
    start = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    for rig in (RIG, OTHER_RIG):
        assert (await table.guests[0].send(game, rig)).status_code == 200
    assert (await other.client.get(f"/v1/games/{game}")).status_code == 200
    reads = other.log.read

    async def gone_meanwhile(*asked: Any, **named: Any) -> list[Recorded]:
        owner.take_back(game, start)
        return await reads(*asked, **named)

    monkeypatch.setattr(other.log, "read", gone_meanwhile)
    asked = await other.client.get(f"/v1/games/{game}{read}")
    assert (asked.status_code, asked.json()["code"]) == (503, "went_back")
    now = read.removesuffix("?at=8")
    again, known = [await each.client.get(f"/v1/games/{game}{now}") for each in (other, table)]
    assert (again.status_code, again.headers["ETag"]) == (200, known.headers["ETag"])

"""A repeated response is served without reading more of the log than necessary, and to nobody else."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from uuid import UUID

import pytest
from httpx import ASGITransport, AsyncClient, Response

from mcmulti.api.app import application
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.snapshot import Snapshot
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.game_index import Game
from mcmulti.referee.referee import Referee
from tests.api.guests import Guest, Json, Table, problem
from tests.api.sealed_game import OTHER, stand_still, submit


class Notebook(MemoryLog):
    """Records queries about games. `before` runs before the next query of where they stand."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.before: list[Callable[[], Awaitable[None]] | None] = []

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        self.asked.append("heads")
        happens = self.before.pop(0) if self.before else None
        if happens is not None:
            await happens()
        return await super().heads(game_ids)

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        self.asked.append("read")
        return await super().read(game_id, after, limit)

    async def snapshot(self, game_id: UUID, until: int, shape: bytes) -> Snapshot | None:
        self.asked.append("snapshot")
        return await super().snapshot(game_id, until, shape)

    async def names(self, player_ids: Sequence[UUID]) -> dict[UUID, str]:
        self.asked.append("names")
        return await super().names(player_ids)

    async def game(self, game_id: UUID) -> Game:
        self.asked.append("game")
        return await super().game(game_id)


@pytest.fixture
async def log() -> Notebook:
    return Notebook()


@pytest.fixture
async def table(log: Notebook) -> AsyncIterator[Table]:
    app = application(log)
    transport = ASGITransport(app)  # type: ignore[arg-type]
    async with (
        app.state.service.callers.listening(),
        AsyncClient(transport=transport, base_url="http://mcmulti") as client,
    ):
        yield Table(client, log)  # type: ignore[arg-type]


def _told(answered: Response) -> tuple[int, bytes, Json]:
    """Everything that must be the same the next time."""
    headers = {name: value for name, value in answered.headers.items() if name != "x-request-id"}
    return answered.status_code, answered.content, headers


async def _twice(log: Notebook, reader: Guest | AsyncClient, path: str) -> tuple[Response, list[str]]:
    """The response, which is the same both times, and the queries to the log the second time."""
    first = await reader.get(path)
    log.asked = []
    second = await reader.get(path)
    assert first.status_code == 200, first.text
    assert _told(second) == _told(first)
    return second, log.asked


@pytest.mark.parametrize(("ruleset", "seats"), [("mcmulti", 2), ("postal", 4)])
async def test_for_a_view_the_log_is_asked_where_the_game_stands(
    table: Table, log: Notebook, ruleset: str, seats: int
) -> None:
    """Not even for the deadline, which only a new head could change."""
    game = await table.start(seats, ruleset)
    move = {"type": "EndPurchases"} if ruleset == "mcmulti" else submit(OTHER)
    ada = table.guests[0]
    deadlines = set()
    for mover in table.guests[:2]:
        for reader in (ada, table.client):
            answered, asked = await _twice(log, reader, f"/v1/games/{game}")
            assert asked == ["heads"]
            assert answered.json()["view"]["you"] == (0 if reader is ada else None)
            deadlines.add(answered.json()["table"]["deadline"])
        seq = answered.json()["seq"]
        assert (await mover.send(game, move)).status_code == 200
        assert (await ada.get(f"/v1/games/{game}")).json()["seq"] > seq
    assert len(deadlines) == 1
    assert (deadlines == {None}) == (ruleset == "mcmulti")


async def test_a_moment_of_the_past_is_answered_without_the_log(table: Table, log: Notebook) -> None:
    game = await table.market_phase()
    ada, ben = table.guests
    path = f"/v1/games/{game}?at=5"
    seats = []
    for reader in (ada, table.client, ben):
        answered, asked = await _twice(log, reader, path)
        assert asked == []
        seats.append(answered.json()["view"]["you"])
        assert answered.json()["seq"] == 5
        kept = "public" if reader is table.client else "private"
        assert answered.headers["cache-control"] == f"{kept}, no-cache"
    assert seats == [0, None, 1]
    log.asked = []
    known = await ben.get(path, headers={"If-None-Match": answered.headers["etag"]})
    assert (known.status_code, known.content, log.asked) == (304, b"", [])
    problem(await ada.get(path, headers={"If-None-Match": "x"}), 400, "invalid_header")
    problem(await ada.get(f"/v1/games/{game}?at=0"), 404, "unknown_moment")


async def test_a_moment_of_the_past_is_folded_once_until_the_log_goes_back(table: Table, log: Notebook) -> None:
    """Each picture of it is another response. Responses from before a log went back may be wrong after it."""
    game = await table.market_phase()
    asked = []
    for language in ("en", "de"):
        log.asked = []
        assert (await table.client.get(f"/v1/games/{game}/board.txt?at=5&language={language}")).status_code == 200
        asked.append("snapshot" in log.asked)
    assert asked == [True, False]
    kept = log._games[UUID(game)]
    del kept.events[6:]
    kept.game = kept.game._replace(head=Head(6, kept.events[-1].hash))
    log.asked = []
    assert (await table.client.get(f"/v1/games/{game}/board.svg?at=5")).status_code == 200
    assert "snapshot" in log.asked


async def test_nobody_has_a_seat_in_a_past_before_it_was_taken(table: Table, log: Notebook) -> None:
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    game = (await ada.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2}})).json()["game"]
    for guest in (ada, ben):
        assert (await guest.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    said = {
        (guest.name, at): (await _twice(log, guest, f"/v1/games/{game}?at={at}"))[0].json()["view"]["you"]
        for at in (1, 2, 3)
        for guest in (ben, ada)
    }
    assert said == {
        ("Ada", 1): None,
        ("Ben", 1): None,
        ("Ada", 2): 0,
        ("Ben", 2): None,
        ("Ada", 3): 0,
        ("Ben", 3): 1,
    }


async def test_a_moment_that_was_the_last_stays_what_it_was(table: Table, log: Notebook) -> None:
    game = await table.market_phase()
    ada = table.guests[0]
    seq = (await ada.get(f"/v1/games/{game}")).json()["seq"]
    before, asked = await _twice(log, ada, f"/v1/games/{game}?at={seq}")
    assert asked == []
    assert (await ada.send(game, {"type": "RollDice"})).status_code == 200
    log.asked = []
    assert _told(await ada.get(f"/v1/games/{game}?at={seq}")) == _told(before)
    assert log.asked == []


@pytest.mark.parametrize("query", ["", "?after=2&limit=3", "?after=4&until=6", "?after=4&until=2", "?limit=3&wait=9"])
async def test_for_a_page_the_log_is_asked_where_the_game_stands(table: Table, log: Notebook, query: str) -> None:
    game = await table.market_phase()
    ada = table.guests[0]
    path = f"/v1/games/{game}/events{query}"
    before, asked = await _twice(log, ada, path)
    assert asked == ["heads"]
    assert (await table.client.get(path)).content == before.content
    assert (await ada.send(game, {"type": "RollDice"})).status_code == 200
    after, asked = await _twice(log, ada, path)
    assert asked == ["heads"]
    assert after.json()["seq"] > before.json()["seq"]
    assert after.headers["etag"] != before.headers["etag"]
    if query:
        assert after.json()["events"] == before.json()["events"]
    else:
        assert len(after.json()["events"]) == after.json()["seq"]


async def test_a_page_that_held_nothing_yet_is_still_waited_for(table: Table, log: Notebook) -> None:
    game = await table.market_phase()
    ada, ben = table.guests
    seq = (await ada.get(f"/v1/games/{game}")).json()["seq"]
    path = f"/v1/games/{game}/events?after={seq}"
    empty, asked = await _twice(log, ben, path)
    assert (empty.json()["events"], asked) == ([], ["heads"])
    waiting = asyncio.create_task(ben.get(f"{path}&wait=30"))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    assert (await ada.send(game, {"type": "RollDice"})).status_code == 200
    assert (await waiting).json()["events"][0]["seq"] == seq + 1
    assert (await ben.get(path)).json()["events"][0]["seq"] == seq + 1


async def test_a_page_tells_every_reader_what_it_may_know_by_now(table: Table, log: Notebook) -> None:
    """Only Ada's page has her sheet until the game is over, in whatever order the pages are requested."""
    game = await table.start(4, ruleset="postal")
    eve = await table.guest("Eve")
    ada, ben = table.guests[:2]
    sent = (await ada.send(game, submit(OTHER))).json()
    seq, salt = sent["seq"], sent["events"][0]["data"]["salt"]
    path = f"/v1/games/{game}/events?after={seq - 1}&limit=1"
    for readers in ((ada, table.client, eve, ben), (eve, ben, ada, table.client)):
        for reader in readers:
            answered, asked = await _twice(log, reader, path)
            assert asked == ["heads"]
            assert (salt in answered.text) == (reader is ada)
        assert (await ada.send(game, submit(OTHER))).status_code == 200
    for guest in table.guests[1:4]:
        assert (await guest.send(game, submit(OTHER))).status_code == 200
    for reader in (ada, table.client, eve, ben):
        assert (salt in (await _twice(log, reader, path))[0].text) == (reader is ada)
    await stand_still(table, game)
    for reader in (ada, table.client, eve, ben):
        assert salt in (await _twice(log, reader, path))[0].text


async def test_who_takes_a_seat_meanwhile_shows_nobody_else_what_it_sees(table: Table, log: Notebook) -> None:
    """Another server seats Dan and accepts his sheet while this one reads his page, at first as a spectator's."""
    for name in ("Ada", "Ben", "Cleo"):
        await table.guest(name)
    ada = table.guests[0]
    game = (await ada.post("/v1/games", json={"ruleset": "postal", "setup": {"seats": 4}})).json()["game"]
    for guest in table.guests:
        assert (await guest.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    registered = (await table.client.post("/v1/players", json={"name": "Dan"})).json()
    dan, player = Guest(table.client, "Dan", registered["token"]), Player(UUID(registered["player"]), "Dan")
    path = f"/v1/games/{game}/events"
    seq = (await dan.get(path)).json()["seq"]

    async def elsewhere() -> None:
        there = Referee(log)
        for command in (TakeSeat(str(player.player_id)), StartGame(), SubmitOrders(1, OrderSheet())):
            await there.command(UUID(game), player, [command])

    log.before = [None, elsewhere]
    path = f"{path}?limit=1000"
    shown = (await dan.get(path)).json()
    assert log.before == []
    assert shown["seq"] > seq
    assert "data" in shown["events"][-1]
    for reader in (table.client, ada, dan):
        last = (await reader.get(path)).json()["events"][-1]
        assert (last["type"], "data" in last) == ("OrdersSubmitted", reader is dan)

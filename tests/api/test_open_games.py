"""The limit of unfinished games of a player, and of an address: at one server, at two, and however they ask."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from uuid import uuid4

import pytest
from httpx import ASGITransport, AsyncClient, Response

from mcmulti.api.admission.gate import Admission
from mcmulti.api.app import application
from mcmulti.events.postgres.log import PostgresLog
from tests.api.guests import Guest, Json, problem
from tests.api.owner import Owner

MOST = 3
BOX: Json = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0}}


class Servers:
    """Two servers on one database, with clients at several addresses."""

    def __init__(self, stack: AsyncExitStack, logs: list[PostgresLog], most: int = MOST) -> None:
        self._stack = stack
        self._apps = [application(log, Admission(open_games=most)) for log in logs]

    async def at(self, server: int = 0, address: str = "192.0.2.1") -> AsyncClient:
        transport = ASGITransport(self._apps[server], client=(address, 1))  # type: ignore[arg-type]
        return await self._stack.enter_async_context(AsyncClient(transport=transport, base_url="http://mcmulti"))

    async def guest(self, name: str, kind: str = "human") -> Guest:
        client = await self.at(address="192.0.2.99")
        registered = await client.post("/v1/players", json={"name": name, "kind": kind})
        return Guest(client, name, registered.json()["token"])

    async def opens(
        self, guest: Guest, server: int = 0, address: str = "192.0.2.1", key: str | None = None
    ) -> Response:
        headers = {} if key is None else {"Idempotency-Key": key}
        client = await self.at(server, address)
        return await Guest(client, guest.name, guest.token).post("/v1/games", json=BOX, headers=headers)

    async def sits(self, guest: Guest, game: str, server: int = 0) -> Response:
        client = await self.at(server)
        return await Guest(client, guest.name, guest.token).post(f"/v1/games/{game}/seats", json={})


@pytest.fixture
async def servers(database: str) -> AsyncIterator[Servers]:
    async with AsyncExitStack() as stack:
        logs = [await stack.enter_async_context(PostgresLog.open(database)) for _ in range(2)]
        yield Servers(stack, logs)


def full(answered: Response) -> None:
    """It is refused because of games held already, and the problem has the limit."""
    told = problem(answered, 409, "too_many_open_games")
    assert (told["quota"], told["limit"]) == ("open_games", MOST)


async def test_a_player_opens_so_many_wherever_and_whichever_server_is_asked(servers: Servers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    for number in range(MOST):
        assert (await servers.opens(ada, number % 2, f"192.0.2.{number}")).status_code == 201
    for server in (0, 1):
        full(await servers.opens(ada, server, "198.51.100.1"))
    assert (await servers.opens(ben, 1, "198.51.100.1")).status_code == 201


async def test_who_sits_at_games_of_others_holds_them_too(servers: Servers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    games = [(await servers.opens(ada)).json()["game"] for _ in range(MOST)]
    assert [(await servers.sits(ben, game, number % 2)).status_code for number, game in enumerate(games)] == [
        201
    ] * MOST
    full(await servers.opens(ben, 1))
    other = (await servers.opens(await servers.guest("Cleo"), address="192.0.2.7")).json()["game"]
    full(await servers.sits(ben, other))
    problem(await servers.sits(ben, games[0]), 409, "already_seated")


async def test_who_opened_a_game_sits_down_at_it_though_no_other_may_follow(servers: Servers) -> None:
    ada = await servers.guest("Ada")
    games = [(await servers.opens(ada)).json()["game"] for _ in range(MOST)]
    for server, game in enumerate(games[:2]):
        assert (await servers.sits(ada, game, server)).status_code == 201
    full(await servers.opens(ada))


async def test_a_request_that_is_repeated_gets_its_answer_again(servers: Servers) -> None:
    """The response to the last request that had room was lost."""
    ada, key = await servers.guest("Ada"), uuid4().hex
    for _ in range(MOST - 1):
        await servers.opens(ada)
    first = await servers.opens(ada, key=key)
    again = await servers.opens(ada, 1, key=key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.json()["game"] == first.json()["game"]
    full(await servers.opens(ada, key=uuid4().hex))


@pytest.mark.parametrize(
    "over",
    [
        "UPDATE game SET status = 'finished' WHERE id = %(game)s",
        "UPDATE game SET created_at = created_at - interval '31 days' WHERE id = %(game)s",
    ],
    ids=["over", "abandoned"],
)
async def test_a_game_that_is_over_or_abandoned_makes_room(servers: Servers, database: str, over: str) -> None:
    ada = await servers.guest("Ada")
    games = [(await servers.opens(ada)).json()["game"] for _ in range(MOST)]
    full(await servers.opens(ada))
    Owner(database).do(over, game=games[1])
    assert (await servers.opens(ada, 1)).status_code == 201
    full(await servers.opens(ada, 0))


async def test_who_leaves_a_table_has_room_again(servers: Servers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    games = [(await servers.opens(ada)).json()["game"] for _ in range(MOST)]
    for game in games:
        await servers.sits(ben, game)
    assert (await ben.send(games[0], {"type": "LeaveSeat"})).status_code == 200
    assert (await servers.opens(ben, address="192.0.2.8")).status_code == 201


async def test_an_address_opens_so_many_at_a_server_for_whomever_and_bots_apart(servers: Servers) -> None:
    people = [await servers.guest(name) for name in ("Ada", "Ben")]
    bots = [await servers.guest(name, "bot") for name in ("One", "Two")]
    for number in range(MOST):
        assert (await servers.opens(bots[number % 2])).status_code == 201
    full(await servers.opens(bots[0]))
    for number in range(MOST):
        assert (await servers.opens(people[number % 2])).status_code == 201
    full(await servers.opens(people[1]))
    assert (await servers.opens(people[1], address="2001:db8::1")).status_code == 201


async def test_an_address_has_room_again_when_its_games_are_over(servers: Servers, database: str) -> None:
    people = [await servers.guest(name) for name in ("Ada", "Ben", "Cleo", "Dan")]
    games = [(await servers.opens(guest)).json()["game"] for guest in people[:MOST]]
    full(await servers.opens(people[3]))
    Owner(database).do("UPDATE game SET status = 'finished' WHERE id = %(game)s", game=games[0])
    assert (await servers.opens(people[3])).status_code == 201
    full(await servers.opens(people[3]))


async def test_many_at_once_get_no_more(servers: Servers) -> None:
    """At one server exactly the limit; two servers may each let in one more at the same moment."""
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    at_one = await asyncio.gather(*(servers.opens(ada, address=f"192.0.2.{number}") for number in range(20)))
    assert sorted(answered.status_code for answered in at_one) == [201] * MOST + [409] * (20 - MOST)
    at_two = await asyncio.gather(*(servers.opens(ben, number % 2, f"192.0.2.{number}") for number in range(20)))
    assert MOST <= [answered.status_code for answered in at_two].count(201) <= MOST + 1


async def test_the_games_that_bots_played_to_their_end_cost_nothing(servers: Servers, database: str) -> None:
    """Ten thousand seats in finished games: open games are still found."""
    zed = await servers.guest("Zed", "bot")
    Owner(database).do(
        """INSERT INTO game (
            id, ruleset, version, status, head_seq, head_hash, created_at, moved_at, moved_minute, opened_by
        )
        SELECT gen_random_uuid(), 'mcmulti', 1, 'finished', 1, sha256('x'), now(), now(), 0, player.id
        FROM player, generate_series(1, 10000) WHERE name = 'Zed'""",
        "INSERT INTO seat (game_id, player_id) SELECT id, opened_by FROM game WHERE opened_by IS NOT NULL",
        "ANALYZE game, seat",
    )
    for _ in range(MOST):
        assert (await servers.opens(zed)).status_code == 201
    full(await servers.opens(zed))

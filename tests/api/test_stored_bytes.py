"""What the requests from an address may add to the database: bytes of events, messages, and rows."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from httpx import ASGITransport, AsyncClient, Response

from mcmulti.api.admission.gate import Admission
from mcmulti.api.app import application
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.api.guests import Guest, problem

HERE, THERE, HOME = "192.0.2.1", "192.0.2.2", "127.0.0.1"
At = Callable[[str], AsyncClient]
ORDER = {"type": "BuyAssetOrder", "kind": "refinery", "plot": {"row": 3, "column": 6}}
SHEET = {"type": "SubmitOrders", "round": 1, "sheet": {"orders": [ORDER] * 100}}


@asynccontextmanager
async def bounded(stored_bytes: str) -> AsyncIterator[At]:
    """A server with this limit, as it is reached from an address."""
    app = application(MemoryLog(), Admission(stored_bytes=stored_bytes))

    def at(address: str) -> AsyncClient:
        return AsyncClient(transport=ASGITransport(app, client=(address, 1)), base_url="http://mcmulti")  # type: ignore[arg-type]

    yield at


async def register(client: AsyncClient, name: str, kind: str = "human") -> Response:
    return await client.post("/v1/players", json={"name": name, "kind": kind})


async def guest(client: AsyncClient, name: str, kind: str = "human") -> Guest:
    return Guest(client, name, (await register(client, name, kind)).json()["token"])


def full(answered: Response) -> None:
    assert answered.status_code == 429, answered.text[-300:]
    told = problem(answered, 429, "too_many_requests")
    assert (told["quota"], answered.headers["retry-after"]) == ("stored_bytes", str(told["retry_after"]))
    assert '"stored_bytes";r=0;t=' in answered.headers["ratelimit"]


async def test_an_address_adds_so_many_bytes_and_others_are_not_refused() -> None:
    """Over the network, 512 for each request: of ten that fit, those that are refused or only read count as nothing."""
    admission = Admission("1000/hour", trusted_proxies=("127.0.0.1",), stored_bytes="5120/day")
    with bound("127.0.0.1", 0) as listener:
        async with (
            answering(MemoryLog(), listener, admission) as address,
            AsyncClient(base_url=address, trust_env=False, headers={"X-Forwarded-For": HERE}) as client,
        ):
            for number in range(10):
                problem(await register(client, "Admin"), 422, "reserved_name")
                assert (await register(client, f"Ada {number}")).status_code == 201
                assert (await client.get("/v1/rulesets")).status_code == 200
            refused = await register(client, "Ben")
            full(refused)
            policy = refused.headers["ratelimit-policy"]
            assert policy == '"requests";q=1000;w=3600, "stored_bytes";q=5120;w=86400'
            assert refused.headers["ratelimit"].startswith('"requests";r=969;t=')
            assert (await client.get("/v1/games")).status_code == 200
            client.headers["X-Forwarded-For"] = THERE
            assert (await register(client, "Ben")).status_code == 201


async def test_long_sheets_count_with_the_event_and_the_command() -> None:
    """A hundred orders of 71 bytes each, with commas, take 7.2 KB in the event and in its command: with what every
    request and event counts, some 15.7 KB. The fourth uses up the 60,000 bytes; then nothing else can be sent from
    there, and everything from elsewhere.
    """
    async with bounded("60000/day") as at:
        guests = [await guest(at(HOME), name) for name in ("Ada", "Ben", "Cleo", "Dan")]
        game = (await guests[0].post("/v1/games", json={"ruleset": "postal"})).json()["game"]
        for each in guests:
            assert (await each.post(f"/v1/games/{game}/seats", json={})).status_code == 201
        assert (await guests[0].send(game, {"type": "StartGame"})).status_code == 200
        for each in guests:
            each.client = at(HERE)
        assert [(await guests[0].send(game, SHEET)).status_code for _ in range(4)] == [200] * 4
        for each in guests:
            full(await each.send(game, SHEET))
            assert (await each.get(f"/v1/games/{game}/offers")).status_code == 200
        guests[0].client = at(THERE)
        assert (await guests[0].send(game, SHEET)).status_code == 200


async def test_messages_count_with_their_bytes() -> None:
    """A message of 200 euro signs has 600 bytes, and its request counts as 512: of 3,000 bytes, three are too many."""
    async with bounded("3000/day") as at:
        ada = await guest(at(HOME), "Ada")
        table = {"ruleset": "mcmulti", "setup": {"seats": 2}, "chat": ["spectators"]}
        game = (await ada.post("/v1/games", json=table)).json()["game"]
        ada.client = at(HERE)
        said = [
            await ada.post(f"/v1/games/{game}/chat", json={"room": "spectators", "text": "€" * 200}) for _ in "1234"
        ]
        assert [each.status_code for each in said[:3]] == [201] * 3, said[0].text
        full(said[3])


async def test_tokens_that_are_made_and_revoked_count_too() -> None:
    """512 bytes each: of 10,000, twenty requests are too many."""
    async with bounded("10000/day") as at:
        ada = await guest(at(HOME), "Ada")
        ada.client = at(HERE)
        for _ in range(10):
            made = await ada.post("/v1/players/me/tokens", json={"name": "spare", "scopes": ["read"]})
            assert made.status_code == 201
            assert (await ada.delete(f"/v1/players/me/tokens/{made.json()['about']['id']}")).status_code == 200
        full(await ada.post("/v1/players/me/tokens", json={"name": "spare", "scopes": ["read"]}))


async def test_bots_of_the_server_count_when_a_table_is_opened_for_them() -> None:
    """A quarter of a megabyte each: two tables with two of them are 1,000,000 bytes, after which there is no third."""
    app = application(MemoryLog(), Admission(stored_bytes="1000000/day"), house_bots=True)
    async with AsyncClient(transport=ASGITransport(app, client=(HERE, 1)), base_url="http://mcmulti") as client:  # type: ignore[arg-type]
        ada = await guest(client, "Ada")
        table = {"ruleset": "mcmulti", "setup": {"seats": 3}, "house_bots": ["random", "random"]}
        assert [(await ada.post("/v1/games", json=table)).status_code for _ in range(2)] == [201] * 2
        full(await ada.post("/v1/games", json=table))


async def test_people_and_bots_have_as_much_each_and_the_machine_itself_has_no_limit() -> None:
    """Of 2,048 bytes, to register takes 512. The first request with a token counts for the people, too."""
    async with bounded("2048/day") as at:
        ada, robo = await guest(at(HERE), "Ada"), await guest(at(HERE), "Robo", "bot")
        for each in (ada, robo):
            assert (await each.get("/v1/players/me")).status_code == 200  # known from here on
        new = {"name": "spare", "scopes": ["read"]}
        assert [(await ada.post("/v1/players/me/tokens", json=new)).status_code for _ in range(2)] == [201] * 2
        full(await ada.post("/v1/players/me/tokens", json=new))
        full(await register(at(HERE), "Ben"))
        assert [(await robo.post("/v1/players/me/tokens", json=new)).status_code for _ in range(4)] == [201] * 4
        full(await robo.post("/v1/players/me/tokens", json=new))
        ada.client = at(HOME)
        assert [(await ada.post("/v1/players/me/tokens", json=new)).status_code for _ in range(10)] == [201] * 10

"""Rate limits, and caching by clients."""

import re
from collections.abc import AsyncIterator

import pytest
from httpx import ASGITransport, AsyncClient, Response

from mcmulti.api.admission import quotas, rates
from mcmulti.api.admission.gate import Admission
from mcmulti.api.admission.quotas import limit_of
from mcmulti.api.app import application
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.api.guests import Guest, Table, problem
from tests.api.stream_server import finished_game


@pytest.fixture
async def limited() -> AsyncIterator[AsyncClient]:
    """A server that allows three requests a minute."""
    transport = ASGITransport(application(MemoryLog(), Admission("3/hour")))  # type: ignore[arg-type]
    async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
        yield client


async def test_the_fourth_request_of_three_is_told_when_to_come_back(limited: AsyncClient) -> None:
    for left in (2, 1, 0):
        answered = await limited.get("/v1/rulesets")
        assert answered.status_code == 200
        assert answered.headers["ratelimit-policy"] == '"requests";q=3;w=3600'
        assert answered.headers["ratelimit"].startswith(f'"requests";r={left};t=')
    refused = await limited.get("/v1/rulesets")
    problem(refused, 429, "too_many_requests")
    assert 1 <= int(refused.headers["retry-after"]) <= 3600
    assert refused.headers["ratelimit"].startswith('"requests";r=0;t=')


async def test_each_player_has_a_limit_of_its_own_once_its_token_is_known(limited: AsyncClient) -> None:
    """Registering, and the first request with the token, count for the address."""
    registered = await limited.post("/v1/players", json={"name": "Ada"})
    ada = Guest(limited, "Ada", registered.json()["token"])
    for left in (1, 2, 1, 0):
        answered = await ada.get("/v1/games?mine=true")
        assert answered.status_code == 200
        assert answered.headers["ratelimit"].startswith(f'"requests";r={left};t=')
    problem(await ada.get("/v1/games?mine=true"), 429, "too_many_requests")
    assert (await limited.get("/v1/rulesets")).headers["ratelimit"].startswith('"requests";r=0;')


async def test_invented_tokens_count_for_the_address(limited: AsyncClient) -> None:
    for number in range(3):
        problem(await Guest(limited, "Eve", f"token-{number}").get("/v1/games"), 401, "unauthenticated")
    for scheme in ("Bearer", "Basic", ""):
        invented = {"Authorization": f"{scheme} another"}
        problem(await limited.get("/v1/games", headers=invented), 429, "too_many_requests")
    problem(await limited.get("/v1/games"), 429, "too_many_requests")


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
    ],
)
async def test_who_is_counted_together(one: str, other: str, together: bool) -> None:
    app = application(MemoryLog(), Admission("1/hour"))
    statuses = []
    for address in (one, other):
        transport = ASGITransport(app, client=(address, 1))  # type: ignore[arg-type]
        async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
            statuses.append((await client.get("/v1/rulesets")).status_code)
    assert statuses == [200, 429 if together else 200]


@pytest.mark.parametrize(
    ("trusted", "forwarded", "statuses"),
    [
        pytest.param((), ["192.0.2.1", "192.0.2.2"], [200, 429], id="nobody is believed"),
        pytest.param(("127.0.0.0/8",), ["192.0.2.1", "192.0.2.2"], [200, 200], id="the proxy is believed"),
        pytest.param(("127.0.0.1",), ["192.0.2.9, 192.0.2.1", "192.0.2.8, 192.0.2.1"], [200, 429], id="the last hop"),
        pytest.param(
            ("127.0.0.1", "10.0.0.0/8"), ["192.0.2.1, 10.0.0.1", "192.0.2.2, 10.0.0.1"], [200, 200], id="two proxies"
        ),
        pytest.param(("10.0.0.0/8",), ["192.0.2.1", "192.0.2.2"], [200, 429], id="another proxy"),
    ],
)
async def test_whom_a_proxy_speaks_for(trusted: tuple[str, ...], forwarded: list[str], statuses: list[int]) -> None:
    admission = Admission("1/hour", trusted)
    with bound("127.0.0.1", 0) as listener:
        async with (
            answering(MemoryLog(), listener, admission) as address,
            AsyncClient(base_url=address, trust_env=False) as client,
        ):
            asked = [await client.get("/v1/rulesets", headers={"X-Forwarded-For": hops}) for hops in forwarded]
    assert [answered.status_code for answered in asked] == statuses


async def test_the_state_of_health_is_always_told(limited: AsyncClient) -> None:
    for _ in range(5):
        answered = await limited.get("/healthz")
        assert answered.status_code == 200
        assert "ratelimit" not in answered.headers


@pytest.mark.parametrize("text", ["", "many", "10", "10/fortnight", "-1/second"])
def test_a_limit_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        limit_of(text)


async def test_what_the_client_has_already_is_not_sent_again(table: Table) -> None:
    game = await table.start()
    for path in ("", "/offers", "?at=2"):
        first = await table.guests[0].get(f"/v1/games/{game}{path}")
        again = await table.guests[0].get(f"/v1/games/{game}{path}", headers={"If-None-Match": first.headers["etag"]})
        assert again.status_code == 304
        assert again.content == b""
        assert again.headers["etag"] == first.headers["etag"]
    await table.guests[0].send(game, {"type": "EndPurchases"})
    tag = first.headers["etag"]
    assert (await table.guests[0].get(f"/v1/games/{game}", headers={"If-None-Match": tag})).status_code == 200


async def test_the_past_may_be_kept_for_ever_if_it_says_no_names_and_the_present_not(table: Table) -> None:
    game = await table.start()
    named = await table.client.get(f"/v1/games/{game}?at=2")
    assert named.headers["cache-control"] == "public, no-cache"
    past = await table.client.get(f"/v1/games/{game}/proof?at=2")
    assert past.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert (await table.guests[0].get(f"/v1/games/{game}/proof?at=2")).headers["cache-control"].startswith("private, ")
    now = await table.client.get(f"/v1/games/{game}")
    assert now.headers["cache-control"] == "public, no-cache"
    assert now.headers["vary"] == "Authorization, Accept-Encoding"


async def test_a_replayed_answer_has_the_tag_of_the_first(table: Table) -> None:
    game = await table.start()
    first = await table.guests[0].send(game, {"type": "EndPurchases"}, Idempotency_Key="k")
    again = await table.guests[0].send(game, {"type": "EndPurchases"}, Idempotency_Key="k")
    assert again.headers["etag"] == first.headers["etag"]


def _counted(**limits: str) -> AsyncClient:
    transport = ASGITransport(application(MemoryLog(), Admission(**limits)))  # type: ignore[arg-type]
    return AsyncClient(transport=transport, base_url="http://mcmulti")


@pytest.mark.parametrize(
    ("path", "accept", "cost"),
    [
        ("", "application/json", 1),
        ("/replay?limit=1", "application/json", 1),
        ("/replay", "application/json", 11),
        ("/replay?limit=500", "application/json", 51),
        ("/replay?by=turn&limit=30", "application/json", 31),
        ("/replay?by=turn&limit=1000", "application/json", 51),
        ("/replay?limit=1000", "application/json", 51),
        ("/replay", "application/x-ndjson", 51),
        ("/replay?by=turn", "application/x-ndjson", 51),
        ("/replay?limit=oops", "application/json", 1),
        ("/statistics", "application/json", 10),
        ("/board.svg", "image/svg+xml", 1),
        ("/board.txt", "text/plain", 1),
        ("/board.png", "image/png", 10),
        ("/ledger", "text/csv", 10),
    ],
)
async def test_what_takes_long_counts_as_many(path: str, accept: str, cost: int) -> None:
    """A replay of a hundred events counts as ten more requests, and so does one of ten turns."""
    async with _counted(rate_limit="200/hour") as client:
        told = await client.get(f"/v1/games/00000000-0000-4000-8000-000000000000{path}", headers={"Accept": accept})
    assert told.status_code in (400, 404)
    assert told.headers["ratelimit"].startswith(f'"requests";r={200 - cost};t=')


async def test_a_request_that_is_refused_says_of_which_quota_and_for_how_long() -> None:
    async with _counted(rate_limit="20/hour") as client:
        replay = "/v1/games/00000000-0000-4000-8000-000000000000/replay"
        assert (await client.get(replay)).status_code == 404
        refused = await client.get(replay)
    told = problem(refused, 429, "too_many_requests")
    assert told["quota"] == "requests"
    assert str(told["retry_after"]) == refused.headers["retry-after"]
    assert "counts as 11" in told["detail"]


async def test_what_counts_as_more_than_there_is_takes_all_there_is(limited: AsyncClient) -> None:
    """Three a minute: a replay is admitted, and nothing after it."""
    assert (await limited.get("/v1/games/00000000-0000-4000-8000-000000000000/replay")).status_code == 404
    problem(await limited.get("/v1/rulesets"), 429, "too_many_requests")


async def test_an_address_registers_so_many_players() -> None:
    async with _counted(registrations="2/hour") as client:
        for name in ("Ada", "Ben"):
            assert (await client.post("/v1/players", json={"name": name})).status_code == 201
        refused = await client.post("/v1/players", json={"name": "Cleo"})
        assert (await client.get("/v1/rulesets")).status_code == 200
    told = problem(refused, 429, "too_many_requests")
    assert told["quota"] == "registrations"
    assert 1 <= told["retry_after"] <= 3600
    assert refused.headers["ratelimit-policy"] == '"registrations";q=2;w=3600'


async def test_a_player_opens_so_many_games_from_wherever_and_an_address_for_whomever() -> None:
    """Two an hour: Ada's third is refused from elsewhere too; Ben's first is refused only at Ada's address."""
    app = application(MemoryLog(), Admission(new_games="2/hour"))
    clients = [
        AsyncClient(transport=ASGITransport(app, client=(address, 1)), base_url="http://mcmulti")  # type: ignore[arg-type]
        for address in ("192.0.2.1", "192.0.2.2")
    ]
    tokens = [(await clients[0].post("/v1/players", json={"name": name})).json()["token"] for name in ("Ada", "Ben")]
    for token in tokens:  # known to the server from here on
        await Guest(clients[0], "", token).get("/v1/games?mine=true")

    async def opened(place: int, who: int) -> int:
        new = {"ruleset": "mcmulti", "setup": {"seats": 2}}
        answered = await Guest(clients[place], "", tokens[who]).post("/v1/games", json=new)
        assert answered.status_code == 201 or answered.json()["quota"] == "new_games"
        return answered.status_code

    assert [await opened(0, 0), await opened(0, 0)] == [201, 201]
    assert [await opened(1, 0), await opened(0, 1), await opened(1, 1)] == [429, 429, 201]


async def test_what_bots_open_counts_for_itself() -> None:
    """Two an hour for each: the bots at an address share theirs, and a person there has both of her own."""
    async with _counted(new_games="2/hour", bot_games="2/hour") as client:
        guests = {}
        for name, kind in (("Ada", "human"), ("One", "bot"), ("Two", "bot")):
            registered = await client.post("/v1/players", json={"name": name, "kind": kind})
            guests[name] = Guest(client, name, registered.json()["token"])
        told = []
        for name in ("One", "Two", "One", "Two", "Ada", "Ada", "Ada"):
            answered = await guests[name].post("/v1/games", json={"ruleset": "mcmulti"})
            told.append((answered.status_code, answered.json().get("quota")))
            quota = "new_games" if name == "Ada" else "bot_games"
            assert answered.headers["ratelimit-policy"].startswith(f'"{quota}";q=2;w=3600')
    assert told == [(201, None)] * 2 + [(429, "bot_games")] * 2 + [(201, None)] * 2 + [(429, "new_games")]


async def test_the_events_of_a_player_are_counted_and_a_repeated_request_gets_its_answer() -> None:
    """Three an hour: sitting down and leaving are one event each. The fourth time Ada may do nothing more."""
    async with _counted(events="3/hour") as client:
        guests = {}
        for name in ("Ada", "Ben"):
            registered = await client.post("/v1/players", json={"name": name})
            guests[name] = Guest(client, name, registered.json()["token"])
        game = (await guests["Ada"].post("/v1/games", json={"ruleset": "mcmulti"})).json()["game"]

        async def sit(name: str) -> Response:
            return await guests[name].post(f"/v1/games/{game}/seats", json={})

        async def leave(name: str, key: str) -> Response:
            return await guests[name].send(game, {"type": "LeaveSeat"}, Idempotency_Key=key)

        assert [(await sit("Ada")).status_code, (await leave("Ada", "one")).status_code] == [201, 200]
        assert (await sit("Ada")).status_code == 201
        refused = await leave("Ada", "two")
        told = problem(refused, 429, "too_many_requests")
        assert (told["quota"], refused.headers["retry-after"]) == ("events", str(told["retry_after"]))
        assert (await leave("Ada", "one")).headers["idempotent-replayed"] == "true"
        assert (await sit("Ben")).status_code == 201


async def test_a_long_event_counts_as_one_more_for_every_kibibyte() -> None:
    """A sheet of a hundred orders takes 7 KB in the event and 7 KB in its command: the fourth uses up the sixty."""
    order = {"type": "BuyAssetOrder", "kind": "refinery", "plot": {"row": 3, "column": 6}}
    submitted = {"type": "SubmitOrders", "round": 1, "sheet": {"orders": [order] * 100}}
    async with _counted(events="60/hour") as client:
        guests = []
        for name in ("Ada", "Ben", "Cleo", "Dan"):
            registered = await client.post("/v1/players", json={"name": name})
            guests.append(Guest(client, name, registered.json()["token"]))
        game = (await guests[0].post("/v1/games", json={"ruleset": "postal"})).json()["game"]
        for guest in guests:
            assert (await guest.post(f"/v1/games/{game}/seats", json={})).status_code == 201
        assert (await guests[0].send(game, {"type": "StartGame"})).status_code == 200
        sent = [(await guests[0].send(game, submitted)).status_code for _ in range(5)]
        assert sent == [200] * 4 + [429]
        assert (await guests[1].send(game, submitted)).status_code == 200


async def test_all_bots_together_have_so_many_requests_and_people_the_rest() -> None:
    async with _counted(rate_limit="100/hour", bot_requests="3/hour") as client:
        guests = {}
        for name, kind in (("Ada", "human"), ("One", "bot"), ("Two", "bot")):
            registered = await client.post("/v1/players", json={"name": name, "kind": kind})
            guests[name] = Guest(client, name, registered.json()["token"])
            await guests[name].get("/v1/games?mine=true")  # known to the server from here on
        for name in ("One", "Two", "One"):
            answered = await guests[name].get("/v1/rulesets")
            assert answered.status_code == 200
            assert ', "bot_requests";r=' in answered.headers["ratelimit"]
        refused = await guests["Two"].get("/v1/rulesets")
        told = problem(refused, 429, "too_many_requests")
        assert (told["quota"], refused.headers["retry-after"]) == ("bot_requests", str(told["retry_after"]))
        for _ in range(10):
            answered = await guests["Ada"].get("/v1/rulesets")
            assert answered.status_code == 200
            assert "bot_requests" not in answered.headers["ratelimit"]


async def test_what_is_not_understood_opens_nothing_and_counts_as_nothing() -> None:
    async with _counted(registrations="1/hour", new_games="1/hour") as client:
        for body in ({"name": ""}, {}, {"name": "Ada", "cat": 1}):
            problem(await client.post("/v1/players", json=body), 400, "invalid_body")
        registered = await client.post("/v1/players", json={"name": "Ada"})
        assert registered.status_code == 201
        problem(await client.post("/v1/games", json={"ruleset": "mcmulti"}), 401, "unauthenticated")
        ada = Guest(client, "Ada", registered.json()["token"])
        assert (await ada.post("/v1/games", json={"ruleset": "mcmulti"})).status_code == 201


async def test_an_address_that_uses_up_processor_time_is_refused_and_others_are_not() -> None:
    """It asks for what takes the server long, each time for something else. All requests take a tenth of a millisecond,
    so 60 ms are used up after at most 600 of them.
    """
    log = MemoryLog()
    game = await finished_game(log)
    app = application(log, Admission(processor_time="60/hour"))
    players, crowd = (ASGITransport(app, client=(address, 1)) for address in ("192.0.2.1", "192.0.2.2"))  # type: ignore[arg-type]
    async with (
        AsyncClient(transport=players, base_url="http://mcmulti") as client,
        AsyncClient(transport=crowd, base_url="http://mcmulti") as hostile,
    ):
        registered = await client.post("/v1/players", json={"name": "Ada"})
        ada = Guest(client, "Ada", registered.json()["token"])
        for at in range(1000, 1610):
            answered = await hostile.get(f"/v1/games/{game}/charts/cash?at={at % 400 + 1000}")
            assert answered.headers["ratelimit-policy"] == '"processor_ms";q=60;w=3600'
            if answered.status_code == 429:
                break
            assert answered.status_code == 200
        told = problem(answered, 429, "too_many_requests")
        assert (told["quota"], answered.headers["retry-after"]) == ("processor_ms", str(told["retry_after"]))
        assert (await ada.get("/v1/games?mine=true")).status_code == 200
        assert (await ada.get(f"/v1/games/{game}")).status_code == 200
        assert (await client.get("/v1/rulesets")).status_code == 200
        for path in ("/healthz", "/readyz"):
            assert (await hostile.get(path)).status_code == 200


async def test_players_of_one_address_share_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request takes 10 ms, a player has 100 and the address 150. What comes back in a day makes no difference.

    To register, and the first request with a token, are the address's: 60 of 150. Ada takes 60 more, and Ben 30. On the
    machine itself, Ben could take 70 more. Bots at an address have a budget of their own.
    """
    monkeypatch.setattr(quotas, "_milliseconds_used", lambda _: 10.0)
    for address, refused in (("192.0.2.3", True), ("127.0.0.1", False)):
        app = application(MemoryLog(), Admission(processor_time="100/day"))
        transport = ASGITransport(app, client=(address, 1))  # type: ignore[arg-type]
        async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
            ada, ben, bot = [
                Guest(
                    client, name, (await client.post("/v1/players", json={"name": name, "kind": kind})).json()["token"]
                )
                for name, kind in (("Ada", "human"), ("Ben", "human"), ("Robo", "bot"))
            ]
            for guest, requests in ((bot, 1), (ada, 7), (ben, 4)):
                for _ in range(requests):
                    assert (await guest.get("/v1/games?mine=true")).status_code == 200
            answered = await ben.get("/v1/games?mine=true")
            if not refused:
                assert answered.status_code == 200
                continue
            told = problem(answered, 429, "too_many_requests")
            assert "150 ms of processor time in 86400 seconds for all who ask from your address" in told["detail"]
            assert (await bot.get("/v1/games?mine=true")).status_code == 200
        elsewhere = ASGITransport(app, client=("192.0.2.4", 1))  # type: ignore[arg-type]
        async with AsyncClient(transport=elsewhere, base_url="http://mcmulti") as client:
            assert (await Guest(client, "Ben", ben.token).get("/v1/games?mine=true")).status_code == 200


async def test_what_is_left_is_told_of_every_limit() -> None:
    async with _counted(rate_limit="10/hour", processor_time="5000/10 seconds") as client:
        answered = await client.get("/v1/rulesets")
        assert answered.headers["ratelimit-policy"] == '"requests";q=10;w=3600, "processor_ms";q=5000;w=10'
        assert re.fullmatch(r'"requests";r=9;t=\d+, "processor_ms";r=\d+;t=\d+', answered.headers["ratelimit"])
    async with _counted(rate_limit="10/hour", processor_time="10/hour") as client:
        answers = [await client.get("/v1/games") for _ in range(9)]
        assert all('"requests";r=' in answered.headers["ratelimit"] for answered in answers)


async def test_the_state_of_health_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "HEALTH", "5/hour")
    async with _counted(rate_limit="1/hour") as client:
        for _ in range(5):
            assert (await client.get("/readyz")).status_code == 200
        refused = await client.get("/readyz")
        problem(refused, 429, "too_many_requests")
        assert int(refused.headers["retry-after"]) >= 1
        assert (await client.get("/v1/rulesets")).status_code == 200


async def test_without_limits_anybody_may_have_anything() -> None:
    async with _counted() as client:
        for number in range(400):
            assert (await client.post("/v1/players", json={"name": f"Bot {number}"})).status_code == 201

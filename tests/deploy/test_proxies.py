"""Bots, streams, and unusual clients through nginx, Caddy, and HAProxy with TLS, as `deploy` configures them."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from mcmulti.api.admission.gate import Admission
from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.bots.seats.player import play
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.client.client import Client
from mcmulti.server.database import opened_log
from mcmulti.server.process import answering, bound
from tests.deploy.certificate import Certificate, self_signed
from tests.deploy.proxies import PROXIES, proxied

pytestmark = [
    pytest.mark.parametrize("proxy", [pytest.param(name, marks=pytest.mark.needs(name)) for name in PROXIES]),
]


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return self_signed(tmp_path)


@asynccontextmanager
async def serving(
    proxy: str, database: str, folder: Path, certificate: Certificate, **limits: Any
) -> AsyncIterator[str]:
    """The address of a proxy before a server that trusts its headers."""
    admission = Admission(trusted_proxies=("127.0.0.1/32",), **limits)
    with bound("127.0.0.1", 0) as listener:
        async with (
            opened_log(database) as log,
            answering(log, listener, admission) as server,
            proxied(proxy, server, folder, certificate) as address,
        ):
            yield address


def asking(address: str, certificate: Certificate, **more: Any) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(verify=certificate.trusted(), **more)
    return httpx.AsyncClient(base_url=address, transport=transport, timeout=30)


async def test_bots_play_a_whole_game_over_https(
    proxy: str, database: str, tmp_path: Path, certificate: Certificate
) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(serving(proxy, database, tmp_path, certificate))
        one, two = [
            await stack.enter_async_context(
                Client(address, transport=httpx.AsyncHTTPTransport(verify=certificate.trusted()))
            )
            for _ in range(2)
        ]
        await one.register("One")
        await two.register("Two")
        game = str((await one.open_game("mcmulti", seats=2))["game"])
        await one.take_seat(game, 0)
        await two.take_seat(game, 1)
        views = await asyncio.gather(play(one, game, tycoon), play(two, game, tycoon))
    assert [view["status"] for view in views] == ["finished", "finished"]


@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
async def test_events_come_through_at_once_and_a_stream_is_told_that_the_server_stops(
    proxy: str, form: str, database: str, tmp_path: Path, certificate: Certificate
) -> None:
    async with AsyncExitStack() as outer:
        client = httpx.AsyncClient()
        stopping = await outer.enter_async_context(AsyncExitStack())
        with bound("127.0.0.1", 0) as listener:
            log = await outer.enter_async_context(opened_log(database))
            believing = Admission(trusted_proxies=("127.0.0.1/32",))
            server = await stopping.enter_async_context(answering(log, listener, believing))
            address = await outer.enter_async_context(proxied(proxy, server, tmp_path, certificate))
            client = await outer.enter_async_context(asking(address, certificate))
            ada = {
                "Authorization": f"Bearer {(await client.post('/v1/players', json={'name': 'Ada'})).json()['token']}"
            }
            game = (await client.post("/v1/games", json={"ruleset": "mcmulti"}, headers=ada)).json()["game"]
            events = client.stream("GET", f"/v1/games/{game}/events?after=1", headers={"Accept": form})
            stream = await outer.enter_async_context(events)
            items = _items(stream)
            assert (await anext(items))["type"] == "StreamHead"
            for _ in range(3):
                taken = await client.post(f"/v1/games/{game}/seats", json={}, headers=ada)
                assert (await anext(items))["seq"] == taken.json()["seq"]
                left = {"commands": [{"type": "LeaveSeat"}]}
                await client.post(f"/v1/games/{game}/commands", json=left, headers=ada)
                assert (await anext(items))["type"] == "SeatLeft"  # a buffer would hold it until the stream ends
            await stopping.aclose()
            assert [item["type"] async for item in items] == ["Stopping"]
            assert (await client.get("/healthz")).status_code in (502, 503)


async def test_long_responses_come_through_complete(
    proxy: str, database: str, tmp_path: Path, certificate: Certificate
) -> None:
    """More than a megabyte, compressed and as it is."""
    async with serving(proxy, database, tmp_path, certificate) as address, asking(address, certificate) as client:
        whole = document(ROUTES)
        assert len(whole) > 1_000_000
        for encoding in ("identity", "gzip"):
            contract = await client.get("/openapi.json", headers={"Accept-Encoding": encoding})
            assert contract.headers.get("Content-Encoding", "identity") == encoding
            assert contract.content == whole


async def _items(stream: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    """The events of a stream, in either format."""
    async for line in stream.aiter_lines():
        text = line.removeprefix("data:").strip()
        if text.startswith("{"):
            item = json.loads(text)
            if item["type"] not in ("Heartbeat", "TableMoved"):
                yield item


async def test_who_asks_is_the_client_and_not_who_it_says_it_is(
    proxy: str, database: str, tmp_path: Path, certificate: Certificate
) -> None:
    async with serving(proxy, database, tmp_path, certificate, registrations="2/hour") as address:
        statuses = {}
        for ours in ("127.0.0.2", "127.0.0.3"):
            async with asking(address.replace("localhost", "127.0.0.1"), certificate, local_address=ours) as client:
                host = {"Host": address.removeprefix("https://")}
                statuses[ours] = [
                    (
                        await client.post(
                            "/v1/players",
                            json={"name": f"Player {ours[-1]}{number}"},
                            headers={"X-Forwarded-For": f"192.0.2.{number}", **host},
                            extensions={"sni_hostname": "localhost"},
                        )
                    ).status_code
                    for number in range(3)
                ]
    assert statuses == {ours: [201, 201, 429] for ours in statuses}


async def test_what_is_too_large_is_refused_by_the_server_which_says_why(
    proxy: str, database: str, tmp_path: Path, certificate: Certificate
) -> None:
    async with serving(proxy, database, tmp_path, certificate) as address, asking(address, certificate) as client:
        assert (await client.get("/healthz", headers={"X-Large": "x" * 40_000})).status_code == 200
        heads = await client.get("/healthz", headers={"X-Large": "x" * 40_000, "X-Larger": "x" * 40_000})
        assert (heads.status_code, heads.json()["code"]) == (431, "head_too_large")
        target = await client.get(f"/healthz?{'x' * 9000}")
        assert (target.status_code, target.json()["code"]) == (414, "target_too_long")
        body = await client.post("/v1/players", json={"name": "x" * 1_000_000})
        assert (body.status_code, body.json()["code"]) == (413, "body_too_large")
        well = await client.get("/healthz")
        assert (well.status_code, well.headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
        assert well.headers.get_list("X-Content-Type-Options") == ["nosniff"]

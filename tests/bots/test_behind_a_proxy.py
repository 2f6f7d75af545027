"""Bots play through proxies between them and the server."""

import asyncio
import gzip
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from mcmulti.bots.seats.player import play
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.client.client import Client
from mcmulti.server.process import bound
from tests.needs import found

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/errors; worker_processes 1;
events {{ worker_connections 64; }}
http {{
    log_format tags '$uri $status $upstream_http_etag $sent_http_etag';
    access_log {folder}/requests tags;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    gzip on; gzip_types application/json; gzip_min_length 1; gzip_proxied any; gzip_http_version 1.0;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass {server};
            proxy_set_header Accept-Encoding "";
            proxy_read_timeout 90s;
        }}
    }}
}}
"""


class WeakeningProxy(httpx.AsyncBaseTransport):
    """As nginx with ``gzip on``: what comes unpacked it packs, and marks its tag as weak."""

    def __init__(self) -> None:
        self._server = httpx.AsyncHTTPTransport()
        self.weakened = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.headers["Accept-Encoding"] = "identity"
        answered = await self._server.handle_async_request(request)
        packed = gzip.compress(await answered.aread())
        headers = answered.headers.copy()
        headers.update({"Content-Encoding": "gzip", "Content-Length": str(len(packed))})
        if "ETag" in headers:
            self.weakened += 1
            headers["ETag"] = f"W/{headers['ETag']}"
        return httpx.Response(answered.status_code, headers=headers, stream=httpx.ByteStream(packed))

    async def aclose(self) -> None:
        await self._server.aclose()


async def _play(address: str, way: Callable[[], httpx.AsyncBaseTransport]) -> None:
    async with Client(address, transport=way()) as one, Client(address, transport=way()) as two:
        await one.register("One")
        await two.register("Two")
        game = str((await one.open_game("mcmulti", seats=2))["game"])
        await one.take_seat(game, 0)
        await two.take_seat(game, 1)
        views = await asyncio.gather(play(one, game, tycoon), play(two, game, tycoon))
    assert [view["status"] for view in views] == ["finished", "finished"]


async def test_bots_play_through_a_proxy_that_weakens_tags(server: str) -> None:
    proxies: list[WeakeningProxy] = []

    def way() -> WeakeningProxy:
        proxies.append(WeakeningProxy())
        return proxies[-1]

    await _play(server, way)
    assert all(proxy.weakened > 100 for proxy in proxies)


@pytest.mark.needs("nginx")
async def test_bots_play_through_nginx_that_compresses(server: str, tmp_path: Path) -> None:
    with bound("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(NGINX.format(folder=tmp_path, port=port, server=server))
    nginx = await asyncio.create_subprocess_exec(
        found("nginx"), "-p", tmp_path, "-c", configuration, "-e", tmp_path / "errors"
    )
    try:
        await _play(f"http://127.0.0.1:{port}", httpx.AsyncHTTPTransport)
    finally:
        nginx.terminate()
        await nginx.wait()
    requests = (tmp_path / "requests").read_text().splitlines()
    assert sum("/offers 200" in line and " W/" in line for line in requests) > 20, requests[:20]

"""Streams through three nginx in a chain, each with the location that `deploy` configures, all of them compressing."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest

from mcmulti.server.database import opened_log
from mcmulti.server.process import answering, bound
from tests.deploy.proxies import DEPLOY, listening
from tests.needs import found

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/errors; worker_processes 1;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    gzip on; gzip_types text/event-stream application/x-ndjson; gzip_min_length 1; gzip_proxied any;
    gzip_http_version 1.0;
    {servers}
}}
"""


@asynccontextmanager
async def chained(server: str, folder: Path, versions: tuple[str, ...], encoding: str) -> AsyncIterator[str]:
    """The address of the outermost of several nginx.

    `versions`: the HTTP version that each speaks to the next one, outermost first. `encoding`: what each accepts.
    """
    conf = (DEPLOY / "nginx" / "mcmulti.conf").read_text()
    [location] = re.findall(r"^    location / \{\n.*?^    \}\n", conf, re.DOTALL | re.MULTILINE)
    behind = server.removeprefix("http://")
    blocks = []
    for version in reversed(versions):
        with bound("127.0.0.1", 0) as listener:
            port = listener.getsockname()[1]
        mine = location.replace("http://mcmulti", f"http://{behind}")
        mine = mine.replace("proxy_http_version 1.1;", f"proxy_http_version {version};")
        mine = mine.replace("{\n", f'{{\nproxy_set_header Accept-Encoding "{encoding}";\n', 1)
        assert mine.count(f"{behind};") == mine.count(f"version {version};") == 1
        blocks.append(f"server {{ listen 127.0.0.1:{port}; {mine} }}")
        behind = f"127.0.0.1:{port}"
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, servers="\n".join(blocks)))
    command = (found("nginx"), "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "errors")
    with (folder / "said").open("wb") as out:
        process = await asyncio.create_subprocess_exec(*command, stdout=out, stderr=out)
    try:
        await listening(int(behind.rpartition(":")[2]), process, folder)
        yield f"http://{behind}"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@pytest.fixture
async def server(database: str) -> AsyncIterator[str]:
    """The address of a server."""
    with bound("127.0.0.1", 0) as listener:
        async with opened_log(database) as log, answering(log, listener) as address:
            yield address


@pytest.mark.needs("nginx")
@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
@pytest.mark.parametrize("versions", [("1.0", "1.1", "1.1"), ("1.1", "1.1", "1.1"), ("1.0", "1.0", "1.0")])
@pytest.mark.parametrize("encoding", ["$http_accept_encoding", ""])
async def test_events_come_through_at_once(
    server: str, tmp_path: Path, form: str, versions: tuple[str, ...], encoding: str
) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(chained(server, tmp_path, versions, encoding))
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=address, timeout=30))
        registered = await client.post("/v1/players", json={"name": "Ada"})
        ada = {"Authorization": f"Bearer {registered.json()['token']}"}
        game = (await client.post("/v1/games", json={"ruleset": "mcmulti"}, headers=ada)).json()["game"]
        follow = client.stream("GET", f"/v1/games/{game}/events?after=1", headers={"Accept": form})
        stream = await stack.enter_async_context(follow)
        assert stream.headers["Content-Encoding"] == "gzip"
        types = (
            json.loads(line.removeprefix("data:"))["type"]
            async for line in stream.aiter_lines()
            if line.removeprefix("data:").strip().startswith("{")
        )
        assert await anext(types) == "StreamHead"
        for _ in range(2):
            await client.post(f"/v1/games/{game}/seats", json={}, headers=ada)
            assert [await anext(types), await anext(types)] == ["SeatTaken", "TableMoved"]  # a buffer would hold them
            left = {"commands": [{"type": "LeaveSeat"}]}
            await client.post(f"/v1/games/{game}/commands", json=left, headers=ada)
            assert [await anext(types), await anext(types)] == ["SeatLeft", "TableMoved"]

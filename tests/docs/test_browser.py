"""The JavaScript in the guide to following games runs in a browser, on a page of another origin."""

import asyncio
import json
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from httpx import AsyncClient

from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.docs.manual import page
from tests.needs import found

GUIDE = page("how-to/follow-games")
PAGE = """<!doctype html><script type="module">
%s
const post = async (path, token, body) => {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}`, "Idempotency-Key": "k" };
  return await fetch(api + path, { method: "POST", headers, body: JSON.stringify(body) });
};
const told = [];
try {
  const opened = await post("/v1/games", token, { ruleset: "mcmulti", setup: { seats: 2 } });
  const game = opened.headers.get("Location");
  told.push(opened.headers.get("ETag") !== null);
  for await (const item of items(api + game + "/events?until=2", token)) {
    if (item.type !== "TableMoved") told.push(item.type);
    if (item.type === "GameOpened") await post(game + "/seats", token, {});
  }
  const refused = await post(game + "/seats", token, { seat: 77 });
  told.push((await refused.json()).code);
  for await (const item of items(api + "/v1/stream", "nobody's"));
} catch (error) {
  told.push(error.message);
}
await fetch("/told", { method: "POST", body: JSON.stringify(told) });
</script>"""


@pytest.mark.needs("chromium")
async def test_a_page_follows_a_game_with_a_token(tmp_path: Path) -> None:
    (snippet,) = re.findall(r"```js\n(.*?)```", GUIDE, re.DOTALL)
    with bound("127.0.0.1", 0) as listener:
        async with answering(MemoryLog(), listener) as address, AsyncClient(base_url=address) as client:
            token = (await client.post("/v1/players", json={"name": "Ada"})).json()["token"]
            page = PAGE % f"const api = {json.dumps(address)}, token = {json.dumps(token)};\n{snippet}"
            told = await shown(page, tmp_path)
    assert told == [
        *(True, "StreamHead", "GameOpened", "SeatTaken", "invalid_body"),
        "Unknown bearer token. It may have been revoked.",
    ]


async def shown(page: str, folder: Path) -> list[object]:
    """What a page reports to its own server once a browser has run it."""
    told: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
    async with serving(page.encode(), told) as address:
        browser = await asyncio.create_subprocess_exec(
            *(found("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
            *(f"--user-data-dir={folder}", address),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # what Debian installs is a script, which need not be run from its own folder
        )
        try:
            async with asyncio.timeout(60):
                answer: list[object] = json.loads(await told)
        finally:
            os.killpg(browser.pid, signal.SIGKILL)
            await browser.wait()
    return answer


@asynccontextmanager
async def serving(page: bytes, told: asyncio.Future[bytes]) -> AsyncIterator[str]:
    """A server with one page, which receives what the page reports."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:  # browsers connect in advance, and may request nothing
            writer.close()
            return
        length = re.search(rb"content-length: (\d+)", head.lower())
        body = await reader.readexactly(int(length[1])) if length else b""
        if head.startswith(b"POST") and not told.done():
            told.set_result(body)
        top = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
        writer.write(top % len(page) + page)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"

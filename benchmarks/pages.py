"""The page of a game in a browser: how soon the board is there, in how many bytes, how soon a move made elsewhere is
seen, alone and among 200 watchers, and whether a game of 10,000 events stays smooth.

A watcher is what a page asks for: the stream, and behind every event the frames and the picture. One is a real page.
"""

import asyncio
import re
import sys
import time
from collections.abc import Sequence
from itertools import product
from statistics import median
from typing import Any

import httpx
import uvloop
from playwright.async_api import Browser, Page, async_playwright

from benchmarks.commands import advance
from mcmulti.api.logging import configure
from mcmulti.cli.bench.games import prepared
from mcmulti.events.memory import MemoryLog
from mcmulti.referee.referee import Referee
from mcmulti.server.process import answering, bound

WATCHERS = 200
LONG = 10_000
MOVES = 12
FIRST = 7
"""The event with which the game that is watched begins."""
PAUSE = 1.5
"""Seconds between two moves."""
CHROMIUM = "/usr/bin/chromium"
SITES = [*product(range(1, 7), range(1, 7))]

_SEEN = """(part) => new Promise((resolve) => {
  const root = document.querySelector(".board").shadowRoot;
  const look = () => root.querySelector(`[data-part="${part}"] title`)?.textContent.startsWith("rig")
    ? resolve(Date.now()) : requestAnimationFrame(look);
  look();
})"""
_FRAMES = """() => {
  window.longest = 0;
  let last = performance.now();
  const look = (now) => {
    window.longest = Math.max(window.longest, now - last);
    last = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


async def serve() -> None:
    """Run a server, and its clients in a process of their own."""
    configure(json=False, level="error")
    log = MemoryLog()
    (game,) = await prepared(log, 1, 4, LONG, seed=1)
    await advance(Referee(log), game, iter(game.moves), LONG)
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener) as address:
            arguments = (sys.executable, "-m", "benchmarks.pages", address, str(game.game_id))
            await (await asyncio.create_subprocess_exec(*arguments)).wait()


async def measure(address: str, long: str) -> None:
    """Look at games, and print what that took."""
    unbounded = httpx.Limits(max_connections=None)
    async with (
        httpx.AsyncClient(base_url=address, trust_env=False, timeout=100, limits=unbounded) as client,
        async_playwright() as playwright,
    ):
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        await _cold(browser, address, long)
        await _smooth(browser, address, long)
        for watchers in (1, WATCHERS):
            await _seen(browser, client, watchers)
        await browser.close()


async def _cold(browser: Browser, address: str, game: str) -> None:
    taken, sent = [], 0
    for _ in range(5):
        page = await browser.new_page()
        session = await page.context.new_cdp_session(page)
        await session.send("Network.enable")
        sizes: list[float] = []
        session.on("Network.loadingFinished", lambda event, sizes=sizes: sizes.append(event["encodedDataLength"]))
        start = time.perf_counter()
        await page.goto(f"{address}/games/{game}")
        await page.locator(".board svg").wait_for()
        taken.append(1000 * (time.perf_counter() - start))
        await page.locator(".story [aria-current]").wait_for()
        sent = round(sum(sizes))
        await page.context.close()
    spread = f"{min(taken):.0f} to {max(taken):.0f}"
    print(f"cold load: board after {median(taken):.0f} ms (of 5: {spread}), {sent:,} bytes in all")


async def _smooth(browser: Browser, address: str, game: str) -> None:
    page = await browser.new_page()
    await page.goto(f"{address}/games/{game}?at={LONG // 2}")
    await page.locator(".story [aria-current]").wait_for()
    await page.evaluate(_FRAMES)
    start = time.perf_counter()
    for _ in range(100):
        await page.keyboard.press("ArrowRight")
        await page.wait_for_timeout(30)
    steps = await page.locator(".scrubber").input_value()
    print(f"{LONG:,} events: 100 steps to {steps} in {time.perf_counter() - start:.1f} s, {await _stall(page)}")
    for seq in range(1, LONG, LONG // 40):
        await page.locator(".scrubber").evaluate(_SCRUBBED, seq)
        await page.wait_for_timeout(50)
    print(f"{LONG:,} events: scrubbed from end to end, {await _stall(page)}")
    await page.context.close()


_SCRUBBED = "(slider, at) => { slider.value = String(at); slider.dispatchEvent(new Event('input')); }"


async def _stall(page: Page) -> str:
    longest = await page.evaluate("() => { const stall = window.longest; window.longest = 0; return stall; }")
    return f"longest frame {longest:.0f} ms, {await page.locator('.story li').count()} sentences in the page"


async def _seen(browser: Browser, client: httpx.AsyncClient, watchers: int) -> None:
    async def post(path: str, token: str | None, **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answered = await client.post(path, json=body, headers=headers)
        answered.raise_for_status()
        return answered.json()

    tokens = [(await post("/v1/players", None, name=f"{name} {watchers}"))["token"] for name in ("Ada", "Ben")]
    opened = await post("/v1/games", tokens[0], ruleset="mcmulti", setup={"seats": 2, "first_seat": 0})
    game = f"/v1/games/{opened['game']}"
    for token in tokens:
        await post(f"{game}/seats", token)
    await post(f"{game}/commands", tokens[0], commands=[{"type": "StartGame"}])
    page = await browser.new_page()
    await page.goto(f"{client.base_url}/games/{opened['game']}")
    await page.locator(".story [aria-current]").wait_for()
    came: dict[int, list[float]] = {}
    where = client.base_url.host, client.base_url.port or 80
    following = [asyncio.create_task(_watch(where, game, came)) for _ in range(watchers - 1)]
    await asyncio.sleep(3)
    pages, others = [], []
    for row, column in SITES[:MOVES]:
        seen = asyncio.create_task(page.evaluate(_SEEN, f"site-0-{row}-{column}"))
        await asyncio.sleep(0.05)
        sent = time.time()
        site = {"quadrant": 0, "row": row, "column": column}
        done = await post(f"{game}/commands", tokens[0], commands=[{"type": "BuyAsset", "kind": "rig", "site": site}])
        pages.append(await seen - 1000 * sent)
        await asyncio.sleep(PAUSE)
        others += [1000 * (each - sent) for each in came.get(done["seq"], [])]
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    await page.context.close()
    print(f"{watchers} watching: a move is on the board of the page after {_told(pages)}")
    if others:
        print(f"{watchers} watching: frames and picture are with the others after {_told(others)}, {len(others)} times")


class _Connection:
    """One that is kept open. A whole client would take longer for 200 of them than the server takes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def ask(self, path: str, accept: str) -> None:
        headers = f"Host: localhost\r\nAccept: {accept}\r\nAccept-Encoding: gzip, deflate, br, zstd"
        self.writer.write(f"GET {path} HTTP/1.1\r\n{headers}\r\n\r\n".encode())

    async def get(self, path: str, accept: str) -> None:
        """Read an answer to its end."""
        self.ask(path, accept)
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        if length is None or b" 200 " not in head:
            raise AssertionError(f"{path} was answered with {head!r}")
        await self.reader.readexactly(int(length[1]))


async def _watch(where: tuple[str, int], game: str, came: dict[int, list[float]]) -> None:
    """Follow as a page does."""
    stream, frames, board = [_Connection(*await asyncio.open_connection(*where)) for _ in range(3)]
    known = 0
    stream.ask(f"{game}/events", "text/event-stream")
    while line := await stream.reader.readline():
        named = re.match(rb"id: (\d+)-", line)
        if named is None:
            continue
        seq = int(named[1])
        if seq > FIRST:  # what there was before anybody looked is not asked for
            await asyncio.gather(
                frames.get(f"{game}/replay?after={known}&limit=1000&language=en", "application/json"),
                board.get(f"{game}/board.svg?at={seq}&language=en", "image/svg+xml"),
            )
            came.setdefault(seq, []).append(time.time())
        known = seq


def _told(milliseconds: Sequence[float]) -> str:
    ordered = sorted(milliseconds)
    return f"{median(ordered):.0f} ms (95 of 100: {ordered[int(0.95 * (len(ordered) - 1))]:.0f} ms)"


if __name__ == "__main__":
    uvloop.run(measure(*sys.argv[1:]) if len(sys.argv) > 1 else serve())

"""The page of a game in a browser.

How soon the board is there, in how many bytes; how soon a move made elsewhere is seen, alone and among 200 watchers;
and whether a game of 10,000 events stays smooth. A watcher requests what a page requests: the stream, and after every
event the frames and the picture. One is a real page.
"""

import asyncio
import re
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import count, product
from math import ceil
from shutil import which
from statistics import median
from typing import Any, NamedTuple

import httpx
import uvloop
from playwright.async_api import Browser, Page, async_playwright

from benchmarks.clients import tell, told_by
from benchmarks.commands import advance
from benchmarks.figures import Aim, Figure, Item, Measure
from benchmarks.scale import Scale
from mcmulti.cli.bench.games import prepared
from mcmulti.cli.bench.load import HUNG_UP, refusal
from mcmulti.events.memory.log import MemoryLog
from mcmulti.referee.referee import Referee
from mcmulti.server.process import answering, bound

FIRST = 7
"""The first event of the game that is watched."""
PAUSE = 1.5
"""Seconds between two moves."""
SETTLE = 3.0
"""Seconds in which all watchers have connected."""
PATIENCE = 100.0
"""Seconds for a response, and for a move to be seen."""
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


COLD = Figure("cold load, until the board is there", "ms")
BYTES = Figure("cold load, all responses together", "bytes")
STEPS = Figure("100 steps by key, 3 s of waiting among them", "s")
STEP_FRAME = Figure("longest frame of these steps", "ms")
SCRUB_FRAME = Figure("longest frame when scrubbed from end to end", "ms")
PAGE = {
    crowd: {
        name: Figure(f"{who}: a move made elsewhere is on the board: {name}", "ms") for name in ("p50", "p95", "p99")
    }
    for crowd, who in ((False, "1 watcher"), (True, "200 watchers"))
}
OTHERS = {
    name: Figure(f"200 watchers: the others have frames and picture: {name}", "ms") for name in ("p50", "p95", "p99")
}
AIMS = (
    *(
        Aim(figures[name].what, figures[name], (), "under", most)
        for figures in (*PAGE.values(), OTHERS)
        for name, most in (("p50", 200), ("p99", 500))
    ),
    *(Aim(f"a game of 10,000 events: {each.what}", each, (), "under", 50) for each in (STEP_FRAME, SCRUB_FRAME)),
)


async def _prepared(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    log = MemoryLog()
    (game,) = await prepared(log, 1, 4, scale.long, seed=1)
    await advance(Referee(log), game, iter(game.moves), scale.long)
    listener = exits.enter_context(bound("127.0.0.1", 0))
    address = await exits.enter_async_context(answering(log, listener))
    number = count()
    sizes = [str(each) for each in (scale.long, scale.watchers, scale.moves)]
    return [lambda: told_by("benchmarks.pages", address, str(game.game_id), *sizes, str(next(number)))]


ITEMS = (
    Item(
        "page",
        _prepared,
        (COLD, BYTES, STEPS, STEP_FRAME, SCRUB_FRAME, *PAGE[False].values(), *PAGE[True].values(), *OTHERS.values()),
        ("chromium",),
    ),
)


class Look(NamedTuple):
    """What a client looks at: a server, a long game, its events, the numbers of watchers and moves, the round."""

    address: str
    game: str
    length: int
    watchers: int
    moves: int
    round: int


async def measure(look: Look) -> None:
    """Look at games, and report the times."""
    unbounded = httpx.Limits(max_connections=None)
    async with (
        httpx.AsyncClient(base_url=look.address, trust_env=False, timeout=PATIENCE, limits=unbounded) as client,
        async_playwright() as playwright,
    ):
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = await playwright.chromium.launch(executable_path=which("chromium"), args=flags)
        found = [*await _cold(browser, look), *await _smooth(browser, look)]
        alone, _ = await _seen(browser, client, look, 1)
        pages, others = await _seen(browser, client, look, look.watchers)
        await browser.close()
    for figures, milliseconds in ((PAGE[False], alone), (PAGE[True], pages), (OTHERS, others)):
        found.append((figures["p50"], median(milliseconds)))
        found += [(figures[f"p{share}"], percentile(milliseconds, share)) for share in (95, 99)]
    tell(found)


async def _cold(browser: Browser, look: Look) -> list[tuple[Figure, float]]:
    page = await browser.new_page()
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    start = time.perf_counter()
    await page.goto(f"{look.address}/games/{look.game}")
    await page.locator(".board svg").wait_for()
    taken = 1000 * (time.perf_counter() - start)
    await page.locator(".story [aria-current]").wait_for()
    await page.context.close()
    return [(COLD, taken), (BYTES, sum(sizes))]


async def _smooth(browser: Browser, look: Look) -> list[tuple[Figure, float]]:
    page = await browser.new_page()
    await page.goto(f"{look.address}/games/{look.game}?at={look.length // 2}")
    await page.locator(".story [aria-current]").wait_for()
    await page.evaluate(_FRAMES)
    start = time.perf_counter()
    for _ in range(100):
        await page.keyboard.press("ArrowRight")
        await page.wait_for_timeout(30)
    steps, step = time.perf_counter() - start, await _longest(page)
    for seq in range(1, look.length, look.length // 40):
        await page.locator(".scrubber").evaluate(_SCRUBBED, seq)
        await page.wait_for_timeout(50)
    scrub = await _longest(page)
    await page.context.close()
    return [(STEPS, steps), (STEP_FRAME, step), (SCRUB_FRAME, scrub)]


_SCRUBBED = "(slider, at) => { slider.value = String(at); slider.dispatchEvent(new Event('input')); }"


async def _longest(page: Page) -> float:
    return float(await page.evaluate("() => { const stall = window.longest; window.longest = 0; return stall; }"))


async def _seen(
    browser: Browser, client: httpx.AsyncClient, look: Look, watchers: int
) -> tuple[list[float], list[float]]:
    """Milliseconds until a move is on the board of a page, and until the other watchers have it."""

    async def post(path: str, token: str | None, **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answered = await client.post(path, json=body, headers=headers)
        answered.raise_for_status()
        return answered.json()

    names = [f"{name} {watchers} {look.round}" for name in ("Ada", "Ben")]
    tokens = [(await post("/v1/players", None, name=name))["token"] for name in names]
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
    await asyncio.sleep(SETTLE)
    pages, others = [], []
    for row, column in SITES[: look.moves]:
        seen = asyncio.create_task(page.evaluate(_SEEN, f"site-0-{row}-{column}"))
        await asyncio.sleep(0.05)
        sent = time.time()
        site = {"quadrant": 0, "row": row, "column": column}
        done = await post(f"{game}/commands", tokens[0], commands=[{"type": "BuyAsset", "kind": "rig", "site": site}])
        pages.append(await asyncio.wait_for(seen, PATIENCE) - 1000 * sent)
        await asyncio.sleep(PAUSE)
        others += [1000 * (each - sent) for each in came.get(done["seq"], [])]
    for task in following:
        if task.done():
            task.result()  # a watcher that ended was refused
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    await page.context.close()
    return pages, others


class _Connection:
    """A kept connection. A whole client would take longer for 200 of them than the server does."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def ask(self, path: str, accept: str) -> None:
        headers = f"Host: localhost\r\nAccept: {accept}\r\nAccept-Encoding: gzip, deflate, br, zstd"
        self.writer.write(f"GET {path} HTTP/1.1\r\n{headers}\r\n\r\n".encode())

    async def get(self, path: str, accept: str) -> None:
        """Read a response to its end."""
        self.ask(path, accept)
        async with asyncio.timeout(PATIENCE):
            head = await self.reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head)
            body = await self.reader.readexactly(int(length[1]) if length else 0)
        status = int(head.split(None, 2)[1])
        if status != 200:
            raise AssertionError(f"a watcher was refused: {refusal(status, body)}")


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
        if seq > FIRST:  # what existed before anybody looked is not requested
            await asyncio.gather(
                frames.get(f"{game}/replay?after={known}&limit=1000&language=en", "application/json"),
                board.get(f"{game}/boards?after={seq - 1}&limit=1&language=en", "application/json"),
            )
            came.setdefault(seq, []).append(time.time())
        known = seq
    raise AssertionError(f"a watcher was refused: {HUNG_UP}")


def percentile(milliseconds: Sequence[float], share: int) -> float:
    """The value that at least this share of 100 does not exceed. The 99th of fewer than 100 is the maximum."""
    return sorted(milliseconds)[ceil(share * len(milliseconds) / 100) - 1]


if __name__ == "__main__":
    address, game, *numbers = sys.argv[1:]
    uvloop.run(measure(Look(address, game, *map(int, numbers))))

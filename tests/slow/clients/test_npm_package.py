"""The npm package: packed, installed elsewhere, and used in Node and in a browser, over connections that break."""

import asyncio
import json
import re
import threading
import tomllib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import async_playwright

from mcmulti.bots.seats.seat import Invitation, take_part
from mcmulti.client.client import Client
from mcmulti.web.files import site
from tests.deploy.holding import HoldingProxy, holding
from tests.needs import found
from tests.release.artifacts import NPM_PACKAGE, pack
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.tools import CLIENT, PATIENCE, copy_package, once, run

PACKAGE = ROOT / NPM_PACKAGE
BUDGETS = (30_000, 90_000, 45_000, 150_000, 60_000)
"""Bytes after which connections break, in turn: in the middle of a response, or of a line of a stream."""
COUNTED = """
const followed: number[] = [];
for await (const item of client.follow(game)) if ("rule" in item) followed.push(item.seq);
const read: number[] = [];
for await (const { seq } of client.events(game)) read.push(seq);
const listed: string[] = [];
for await (const table of client.games({ player: me.player, limit: 1 })) listed.push(table.game);
const refused = await client.send(game, [{ type: "RollDice" }]).catch((error: unknown) => error);
console.log(JSON.stringify({ followed, read, listed, code: refused instanceof Refused ? refused.code : null }));
"""
PAGE = """<!doctype html><title>A page</title>
<script type="importmap">{"imports": {
  "mcmulti-client": "/node_modules/mcmulti-client/dist/index.js",
  "openapi-fetch": "/node_modules/openapi-fetch/dist/index.mjs"
}}</script>"""
IN_A_PAGE = """async ([server, game]) => {
  const { connect } = await import("mcmulti-client");
  const client = connect(server), told = [];
  for await (const item of client.follow(game)) if ("rule" in item) told.push(item.seq);
  await client.register("Page");
  return [told, (await client.api.GET("/v1/players/me")).data.name];
}"""

pytestmark = pytest.mark.needs("node", "npm")


def packed(folder: Path) -> None:
    """Build the package in a copy of the checkout, and install its tarball in an application next to it."""
    pack(copy_package(folder), folder)
    [archive] = folder.glob("*.tgz")
    application = folder / "application"
    application.mkdir()
    (application / "package.json").write_text('{"private": true, "type": "module"}')
    run(found("npm"), "install", "--ignore-scripts", "--no-audit", "--no-fund", archive, folder=application)


@pytest.fixture(scope="session")
def application(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package is installed."""
    return once(tmp_path_factory, "npm", packed) / "application"


@asynccontextmanager
async def breaking(server: str) -> AsyncIterator[tuple[str, Callable[[], int]]]:
    """The address of a proxy whose connections break after some bytes, and how many have broken."""
    host, port = server.removeprefix("http://").split(":")
    broken = 0
    opened = 0

    async def passed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, budget: float) -> bool:
        """Whether the budget is used up."""
        with suppress(ConnectionError):
            while part := await reader.read(4096):
                writer.write(part[: int(min(budget, len(part)))])
                await writer.drain()
                budget -= len(part)
                if budget <= 0:
                    return True
        return False

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal broken, opened
        budget = BUDGETS[opened % len(BUDGETS)]
        opened += 1
        their_reader, their_writer = await asyncio.open_connection(host, int(port))
        asked = asyncio.create_task(passed(reader, their_writer, float("inf")))
        answered = asyncio.create_task(passed(their_reader, writer, budget))
        await asyncio.wait((asked, answered), return_when=asyncio.FIRST_COMPLETED)
        broken += answered.done() and answered.result()
        for way in (asked, answered):
            way.cancel()
        for each in (writer, their_writer):
            each.transport.abort()

    async with await asyncio.start_server(connected, "127.0.0.1", 0) as proxy:
        yield f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}", lambda: broken


def readme() -> str:
    """The bot in the README of the package."""
    [bot] = re.findall(r"```ts\n(.*?)```", (PACKAGE / "README.md").read_text("utf-8"), re.DOTALL)
    return str(bot)


@pytest.mark.parametrize("held", [False, True], ids=["connections break", "streams are held back"])
async def test_the_bot_of_the_readme_plays_behind_a_proxy(application: Path, server: str, held: bool) -> None:
    here = application / f"bot-{held}"
    here.mkdir()
    bot = (
        readme()
        .replace('"http://127.0.0.1:8000"', "process.argv[2]!")
        .replace("await client.reg", "const me = await client.reg")
    )
    told = bot.replace("\nfor await", "\nconsole.log(game);\n\nfor await", 1)
    assert told.count("process.argv") == told.count("console.log(game)") == told.count("const me") == 1
    (here / "bot.ts").write_text(f"declare const process: {{ argv: string[] }};\n{told}{COUNTED}")
    compiler = application.parent / "openapi" / "typescript" / "node_modules" / ".bin" / "tsc"
    options = ("--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext")
    run(compiler, *options, "bot.ts", folder=here)

    async with holding(server, passes_heads=True) if held else breaking(server) as (address, proxy):
        playing = await asyncio.create_subprocess_exec(
            found("node"), here / "bot.js", address, cwd=here, stdout=asyncio.subprocess.PIPE
        )
        try:
            async with asyncio.timeout(PATIENCE):
                assert playing.stdout is not None
                game = UUID((await playing.stdout.readline()).decode().strip())
                await take_part(server, Invitation(str(game)), "Tycoon", "tycoon", 0, lambda _: None)
                printed, _ = await playing.communicate()
        finally:
            if playing.returncode is None:
                playing.kill()
                await playing.wait()
        assert playing.returncode == 0
        assert isinstance(proxy, HoldingProxy) or proxy() >= len(BUDGETS)
    async with Client(server) as client:
        shown = await client.view(str(game))
    assert shown["view"]["status"] == "finished"
    every_event = list(range(1, shown["seq"] + 1))
    counted = json.loads(printed)
    assert (counted["followed"], counted["read"]) == (every_event, every_event)
    assert counted["listed"] == [str(game)]
    assert counted["code"] == "game_over"


@pytest.mark.needs("chromium")
async def test_a_page_of_another_origin_follows_a_game(application: Path, server: str) -> None:
    (application / "page.html").write_text(PAGE)
    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(application)))
    threading.Thread(target=files.serve_forever).start()
    async with Client(server) as ada, Client(server) as ben:
        await ada.register("Ada")
        await ben.register("Ben")
        game = (await ada.open_game("mcmulti", seats=2))["game"]
        for each in (ada, ben):
            await each.take_seat(game)
        await ada.send(game, [{"type": "StartGame"}])
        await ben.send(game, [{"type": "Resign"}])
        shown = await ada.view(game)
    assert shown["view"]["status"] == "finished"
    try:
        async with async_playwright() as playwright:
            chromium = await playwright.chromium.launch(executable_path=found("chromium"), args=["--no-sandbox"])
            page = await chromium.new_page()
            await page.goto(f"http://127.0.0.1:{files.server_port}/page.html")
            told = await page.evaluate(IN_A_PAGE, [server, game])
            await chromium.close()
    finally:
        files.shutdown()
        files.server_close()
    assert told == [list(range(1, shown["seq"] + 1)), "Page"]


class Quiet(SimpleHTTPRequestHandler):
    """Sends files, and prints nothing."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing."""


def test_the_package_has_the_version_of_the_server_and_no_more_files_than_it_needs(application: Path) -> None:
    installed = application / "node_modules" / "mcmulti-client"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    package = json.loads((installed / "package.json").read_text("utf-8"))
    assert (package["version"], package["license"]) == (project["version"], project["license"])
    modules = ("client", "contract", "errors", "index", "items", "requests", "streams")
    assert {str(file.relative_to(installed)) for file in installed.rglob("*") if file.is_file()} == {
        *("LICENSE", "README.md", "package.json"),
        *(f"dist/{module}.{kind}" for module in modules for kind in ("js", "d.ts")),
    }


def test_pages_load_the_modules_of_the_package(application: Path) -> None:
    installed = application / "node_modules" / "mcmulti-client" / "dist"
    shared = {file.name: file.read_bytes() for file in (ROOT / CLIENT).iterdir()}
    assert {*shared} == {"errors.js", "requests.js", "streams.js"}
    assert {name: (installed / name).read_bytes() for name in shared} == shared
    loaded = site().imported["lobby/page.js"]
    assert {f"client/{name}" for name in shared} <= {*loaded}

"""Every page, as all kinds of people see it: nothing goes wrong, nobody is kept out, whatever players' names are.

With ``SCREENSHOTS=folder``, a picture of each is saved there.
"""

import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient
from playwright.async_api import Browser, Page

from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import bound
from mcmulti.web.files import site
from tests.api.applications import answering_again
from tests.api.guests import Guest, Table
from tests.pure.properties.random_games import seats_of
from tests.web.browsing import barriers, overflow, visiting

pytestmark = pytest.mark.needs("chromium", "npm")
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "'\"><svg onload=alert(3)>",
    "${alert(4)}{{alert(5)}}%00&lt;",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
)
SEATS = {name: max(3, seats_of(name)[0]) for name in SHIPPED}
SCREENSHOTS = os.environ.get("SCREENSHOTS")
VIEWS: dict[str, dict[str, Any]] = {
    "player": {},
    "onlooker-narrow-dark-german": {"size": "narrow", "dark": True, "language": "de"},
}
LEFT_TO_THE_OTHER = {
    view: re.compile(rf"({'|'.join(others)})-(open|over)|/rules/({'|'.join(others)})")
    for view, others in zip(VIEWS, ([*SEATS][1::2], [*SEATS][::2]), strict=True)
}
"""Waiting and finished games, and rules, of each game are shown in one of these views."""
MORE_VIEWS: dict[str, dict[str, Any]] = {
    "onlooker": {},
    "player-dark-german": {"dark": True, "language": "de"},
    "player-phone": {"size": "phone"},
}
"""Further views of which pictures are saved."""
ADDRESSES = [
    "/",
    "/account",
    "/ratings",
    "/learn",
    "/series",
    "/series/none",
    *(f"/games/{{{ruleset}-{state}}}" for ruleset in SEATS for state in ("open", "running", "over")),
    *(
        f"/games/{{{ruleset}-{state}}}/{page}"
        for ruleset in SEATS
        for page in ("proof", "audit", "review")
        for state in ("over",)
    ),
    "/games/{mcmulti-running}/proof",
    "/games/{mcmulti-running}/audit",
    "/games/{mcmulti-running}/review",
    "/docs",
    "/docs/api",
    *(f"/rules/{ruleset}" for ruleset in SEATS),
    "/email/confirm",
    "/nowhere",
    "/games/none",
    "/players/none",
]


LINES = """each => {
  const range = document.createRange();
  range.selectNodeContents(each);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""
"""The number of lines of a text."""


class Town:
    """A server with games of every rule set in every state, among people with hostile names."""

    def __init__(self, client: AsyncClient, table: Table) -> None:
        self.address = str(client.base_url)
        self.games: dict[str, str] = {}
        self.account: dict[str, Any] = {}
        self._table = table

    async def build(self) -> None:
        for name in HOSTILE[:4]:
            await self._table.guest(name)
        who = self._table.guests[0]
        self.account = {**(await who.get("/v1/players/me")).json(), "name": who.name, "token": who.token}
        for ruleset, seats in SEATS.items():
            for state in ("open", "running", "over"):
                game = await (self._table.open if state == "open" else self._table.start)(seats, ruleset)
                self.games[f"{ruleset}-{state}"] = game
                for guest in self._table.guests[1:seats] if state == "over" else ():
                    await _resigned(guest, game)

    def at(self, address: str) -> str:
        for name, game in self.games.items():
            address = address.replace(f"{{{name}}}", game)
        return address


async def _resigned(guest: Guest, game: str) -> None:
    sent = await guest.send(game, {"type": "Resign"})
    assert sent.status_code == 200, sent.text


@pytest.fixture(scope="module")
async def town() -> AsyncIterator[Town]:
    log: Any = MemoryLog()
    with bound("127.0.0.1", 0) as listener:
        async with answering_again(log, listener) as address, AsyncClient(base_url=address) as client:
            built = Town(client, Table(client, log))
            await built.build()
            yield built


def test_every_page_is_visited() -> None:
    visited = {
        "/": "lobby",
        "/account": "account",
        "/ratings": "ladder",
        "/learn": "learn",
        "/series": "series",
        "/docs": "guide",
        "/docs/api": "docs",
        "/nowhere": "missing",
        "/email/confirm": "email",
        "/players/none": "player",
    }
    visited |= {"/rules/mcmulti": "rules"}
    below = {"": "game", "/proof": "proof", "/audit": "audit", "/review": "review"}
    games = {f"/games/{{mcmulti-over}}{path}": page for path, page in below.items()}
    assert {page for address, page in {**visited, **games}.items() if address in ADDRESSES} == site().pages


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("view", VIEWS | (MORE_VIEWS if SCREENSHOTS else {}))
async def test_all_pages_are_whole_and_open_to_all(browser: Browser, town: Town, view: str) -> None:
    """One visit loads all pages, so a window and its processes start once."""
    look = (VIEWS | MORE_VIEWS)[view]
    account = town.account if view.startswith("player") else None
    found: dict[str, list[str]] = {}
    async with visiting(browser, town.address, account, **look) as visit:
        for address in ADDRESSES:
            if not SCREENSHOTS and LEFT_TO_THE_OTHER[view].search(address):
                continue
            page = await visit.go(town.at(address), 404 if address == "/nowhere" else 200)
            await settled(page)
            if SCREENSHOTS:
                name = re.sub(r"\W+", "-", address).strip("-") or "lobby"
                await page.screenshot(path=Path(SCREENSHOTS) / f"{name}.{view}.png", full_page=True)
            findings = await faults(page, look.get("language", "en")) + visit.faults
            visit.faults.clear()
            if findings:
                found[address] = findings
    assert found == {}


async def faults(page: Page, language: str) -> list[str]:
    """Faults of any page."""
    wrong = await barriers(page)
    if wider := await overflow(page):
        wrong.append(f"{wider} pixels wider than the window")
    if (headings := await page.locator("h1").count()) != 1:
        wrong.append(f"{headings} top headings")
    if (lang := await page.evaluate("document.documentElement.lang")) != language:
        wrong.append(f"in {lang!r} instead of {language!r}")
    return wrong


async def test_printed_pages_have_all_there_is_to_read_and_nothing_to_press(browser: Browser, town: Town) -> None:
    pressed = "header.top, footer.bottom, button:not(.name), input[type=search], .contents"
    async with visiting(browser, town.address, dark=True) as visit:
        for address in (
            "/",
            "/games/{mcmulti-running}",
            "/games/{mcmulti-over}/audit",
            "/rules/marracash",
            "/docs/how-to/play-by-post",
        ):
            page = await visit.go(town.at(address))
            await settled(page)
            names = page.locator(".seats .name:visible")
            before = await names.count()
            assert before > 0 or address != "/"
            await page.emulate_media(media="print", color_scheme="light")
            assert await page.locator(f":is({pressed}):visible").count() == 0, address
            assert await page.locator("h1:visible").count() == 1, address
            if address == "/":
                assert await names.count() == before
            await page.emulate_media(media="screen", color_scheme="dark")
            assert visit.faults == [], address


async def test_names_are_not_torn_where_there_is_room(browser: Browser, town: Town) -> None:
    async with visiting(browser, town.address) as visit:
        page = await visit.go("/")
        await settled(page)
        free = (
            page.locator(".seats .seat", has_not=page.locator(".tag")).filter(has_text="onerror").locator(".name").first
        )
        assert await free.evaluate(LINES) == 1


async def settled(page: Page) -> None:
    """Wait until a page shows its content, and nothing new comes for a moment."""
    await page.locator("main h1").wait_for()
    before = ""
    for _ in range(40):
        now = await page.locator("body").inner_text()
        if now == before:
            return
        before = now
        await page.wait_for_timeout(250)

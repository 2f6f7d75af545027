"""Whole games, from the first move to the last, played on the pages without a mouse, and without any other requests.

The first player has only a keyboard: types every other move, and makes the rest by the numbered controls and on the
board. The second has only a phone, and taps. All others use the keyboard too. The server is restarted halfway through.
A spectator watches all the time, replays the game by keyboard afterward, and proves it in the browser.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, cast

import pytest
from httpx import URL, AsyncClient
from playwright.async_api import Browser, Page, expect
from playwright.async_api import Error as PlaywrightError

from mcmulti.domain.rulesets import CURRENT, PLAYED_BY_ORDERS
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.process import answering, bound
from tests.api.guests import Json, Table
from tests.profiles import ShortGame, profile_of
from tests.web.browsing import Visit, visiting
from tests.web.hands import by_keys, by_sheet, by_tapped_sheet, by_taps, by_typing
from tests.web.people import account
from tests.web.short_games import settle

pytestmark = pytest.mark.needs("chromium")
UNASKED = "localStorage.setItem('mcmulti.asking', '{\"chance\": false, \"passing\": false}')"
LONGEST = 600
"""Maximum seconds of a game, even on a busy machine."""
PHONE = 1
"""The seat of the player with a phone."""
RESTART = 10
"""The server is restarted before the move with this number."""
SHORT = {name: short for name in CURRENT if (short := profile_of(name).short)}


class House:
    """A server that can be restarted at the same address, with the same log."""

    def __init__(self) -> None:
        self.log = cast(PostgresLog, MemoryLog())
        self.port = 0
        self._running = AsyncExitStack()

    async def open(self) -> str:
        listener = self._running.enter_context(bound("127.0.0.1", self.port))
        self.port = listener.getsockname()[1]
        return await self._running.enter_async_context(answering(self.log, listener))

    async def close(self) -> None:
        await self._running.aclose()


class Evening:
    """A game in progress: its table and server, the visits of its players, and of a spectator."""

    def __init__(self, house: House, table: Table, visits: list[Visit], onlooker: Visit) -> None:
        self.house, self.table, self.visits, self.onlooker = house, table, visits, onlooker
        self.game = ""

    async def shown(self, seat: int = 0) -> Json:
        """The game as a seat sees it."""
        found: Any = (await self.table.guests[seat].get(f"/v1/games/{self.game}")).json()
        return cast(Json, found)

    async def offers(self, seat: int) -> list[Json]:
        """What a seat is offered."""
        found: Any = (await self.table.guests[seat].get(f"/v1/games/{self.game}/offers")).json()
        return cast(list[Json], found["offers"])

    async def restart(self) -> None:
        """Restart the server, which all pages report."""
        pages = [visit.page for visit in (*self.visits, self.onlooker)]
        await self.house.close()
        for page in pages:
            await page.get_by_text("Connection lost").wait_for()
        await self.house.open()
        for page in pages:
            await expect(page.get_by_text("Connection lost")).to_have_count(0)


@asynccontextmanager
async def evening(browser: Browser, short: ShortGame) -> AsyncIterator[Evening]:
    """The evening of a game that has begun."""
    house = House()
    address = await house.open()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(house.close)
        client = await stack.enter_async_context(AsyncClient(base_url=URL(address), timeout=30))
        table = Table(client, house.log)
        game = await table.start(short.seats, short.ruleset)
        assert game == short.id
        visits = []
        for seat, who in enumerate([*[await account(guest) for guest in table.guests[: short.seats]], None]):
            look: Any = {"size": "phone", "touch": True} if seat == PHONE else {}
            visit = await stack.enter_async_context(visiting(browser, address, who, **look))
            await visit.page.add_init_script(UNASKED)
            await visit.go(f"/games/{game}")
            await visit.page.locator(".story li").first.wait_for(state="attached")
            visits.append(visit)
        playing = Evening(house, table, visits[:-1], visits[-1])
        playing.game = game
        yield playing


@pytest.mark.timeout(LONGEST + 60)
@pytest.mark.parametrize("ruleset", [name for name in SHORT if name not in PLAYED_BY_ORDERS])
async def test_a_whole_game_is_played_by_keyboard_and_by_touch(
    browser: Browser, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = SHORT[ruleset]
    settle(monkeypatch, short)
    async with asyncio.timeout(LONGEST), evening(browser, short) as playing:
        moves: Counter[int] = Counter()
        while (now := await playing.shown())["table"]["status"] == "running":
            if moves.total() == RESTART:
                await playing.restart()
            [seat] = now["table"]["to_move"]
            page = playing.visits[seat].page
            await page.locator(f'.play[data-ready="{now["seq"]}"]').wait_for()
            offers = await playing.offers(seat)
            [command] = short.play((await playing.shown(seat))["view"], offers)
            typed = seat == 0 and "site" not in command and moves[seat] % 2 == 0
            await (by_taps if seat == PHONE else by_typing if typed else by_keys)(page, command, offers)
            await moved(page, now["seq"], str(command))
            moves[seat] += 1
        assert moves.total() > RESTART
        assert set(moves) == {*range(short.seats)}
        await replayed_and_proven(playing, now["seq"])


@pytest.mark.timeout(LONGEST + 60)
async def test_a_whole_game_by_post_is_played_by_keyboard_and_by_touch(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = SHORT["postal"]
    settle(monkeypatch, short)
    async with asyncio.timeout(LONGEST), evening(browser, short) as playing:
        rounds = 0
        while (now := await playing.shown())["table"]["status"] == "running":
            if rounds == 1:
                for visit in (*playing.visits, playing.onlooker):
                    await visit.page.locator("details.reports").wait_for()
                await playing.restart()
            [command] = short.play(now["view"], [])
            for visit in playing.visits:
                title = f"Order sheet for round {command['round']}"
                await visit.page.get_by_role("heading", name=title, exact=True).wait_for()
            first = playing.visits[0].page
            await first.locator(f'.play[data-ready="{now["seq"]}"]').wait_for()
            await by_typing(first, command, await playing.offers(0))
            await expect(first.locator(".post")).to_contain_text("Your sheet is in.")
            _, phone, *others = playing.visits
            sheet = command["sheet"]
            await asyncio.gather(by_tapped_sheet(phone.page, sheet), *(by_sheet(each.page, sheet) for each in others))
            await refereed(playing, command["round"])
            rounds += 1
        assert rounds > 1
        await replayed_and_proven(playing, now["seq"])


async def moved(page: Page, seq: int, what: str) -> None:
    """Wait until the page shows a later event than this, or that the game is over."""
    try:
        await page.locator(f'.replay .scrubber:not([max="{seq}"])').wait_for(state="attached")
    except PlaywrightError as error:
        raise AssertionError(f"{what} moved nothing: {await page.locator('.play').inner_text()}") from error


async def refereed(playing: Evening, number: int) -> None:
    """Wait until the round is over: its last sheet may still be on its way when its sender is done."""
    async with asyncio.timeout(LONGEST):
        while (now := await playing.shown())["table"]["status"] == "running" and now["view"]["round"] == number:
            await playing.onlooker.page.wait_for_timeout(50)


async def replayed_and_proven(playing: Evening, last: int) -> None:
    """Everybody sees the end. The spectator goes back to the beginning by keyboard, and proves the game."""
    onlooker = playing.onlooker.page
    for visit in (*playing.visits, playing.onlooker):
        await expect(visit.page.get_by_label("Moment", exact=True)).to_have_value(str(last))
        await expect(visit.page.locator(".whose")).to_contain_text("won")
    for key, moment in (
        ("Home", 1),
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", last),
        ("ArrowLeft", last - 1),
    ):
        await onlooker.keyboard.press(key)
        await expect(onlooker.get_by_label("Moment", exact=True)).to_have_value(str(moment))
    await expect(onlooker).to_have_url(f"{playing.onlooker.address}/games/{playing.game}?at={last - 1}")
    await playing.onlooker.go(f"/games/{playing.game}/proof")
    await onlooker.locator("main").get_by_text("Proven, as far as possible without the rules.").wait_for()

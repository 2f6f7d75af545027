"""A proxy that holds streams back until they end, which they never do: pages show a note, and poll."""

import pytest
from playwright.async_api import Browser, expect

from tests.api.guests import Table
from tests.deploy.holding import holding
from tests.web.browsing import visiting

pytestmark = pytest.mark.needs("chromium")
HELD = "Live updates do not get through"


@pytest.mark.parametrize("passes_heads", [False, True])
async def test_the_page_of_a_game_polls_with_a_note_until_streams_get_through(
    browser: Browser, table: Table, passes_heads: bool
) -> None:
    game = await table.open(2)
    async with (
        holding(str(table.client.base_url).rstrip("/"), passes_heads) as (address, proxy),
        visiting(browser, address) as visit,
    ):
        page = await visit.go(f"/games/{game}")
        said = page.locator(".lost")
        await expect(said).to_contain_text(HELD)
        await table.guests[0].send(game, {"type": "StartGame"})
        await expect(page.locator("main")).to_contain_text("The game starts with Ada")
        await expect(said).to_contain_text(HELD)
        proxy.lets_through.set()
        await expect(said).to_be_hidden()


async def test_the_lobby_polls_with_a_note(browser: Browser, table: Table) -> None:
    first = await table.open(2)
    async with (
        holding(str(table.client.base_url).rstrip("/"), passes_heads=True) as (address, _),
        visiting(browser, address) as visit,
    ):
        page = await visit.go("/")
        said = page.locator(".problem", has_text=HELD)
        await expect(said).to_be_visible()
        await expect(page.locator(f'a[href="/games/{first}"]').first).to_be_visible()
        second = await table.open(3)
        await expect(page.locator(f'a[href="/games/{second}"]').first).to_be_visible()
        await expect(said).to_be_visible()

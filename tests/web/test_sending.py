"""Moves on their way: no response comes, the server is busy, a token is revoked, and nothing is done twice."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.api.guests import Table
from tests.web.playing import moves, seated

pytestmark = pytest.mark.needs("chromium")
UNASKED = '{"chance": false, "passing": false}'
COMMANDS = "**/commands?*"


class Way:
    """What happens to moves on their way to the server, and the keys with which they were sent, in order."""

    def __init__(self, lost: int = 0, reached: int = False, busy: int = 0) -> None:
        self.lost, self.reached, self.busy = lost, reached, busy
        self.open = asyncio.Event()
        self.open.set()
        self.keys: list[str] = []

    async def __call__(self, route: Route) -> None:
        """Lose it before or after it reached the server, or respond in the server's place that it is busy."""
        self.keys.append(route.request.headers["idempotency-key"])
        await self.open.wait()
        number = len(self.keys)
        if number <= self.busy:
            problem = '{"code": "database_away", "title": "Busy", "detail": "Try again.", "status": 503}'
            headers = {"Retry-After": "1", "Content-Type": "application/problem+json"}
            await route.fulfill(status=503, headers=headers, body=problem)
        elif number <= self.lost:
            if self.reached:
                await route.fetch()
            await route.abort()
        else:
            await route.continue_()


async def sell(page: Page) -> None:
    """Sell a barrel of crude on the domestic market, for 5 million dollars."""
    sale = moves(page).locator('[data-command="SellBarrels"]').first
    await sale.get_by_role("button", name="Sell", exact=True).click()


async def cash(table: Table, game: str) -> Any:
    return (await table.guests[0].get(f"/v1/games/{game}")).json()["view"]["seats"][0]["cash"]


@pytest.mark.parametrize("fails", [{"lost": 1}, {"lost": 2, "reached": True}, {"busy": 1}])
async def test_a_move_without_an_answer_is_sent_again_and_made_once(
    browser: Browser, table: Table, fails: dict[str, int]
) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        way = Way(**fails)
        await ada.page.route(COMMANDS, way)
        await sell(ada.page)
        await expect(ada.page.locator("#news")).to_contain_text("Sent.")
        await expect(moves(ada.page).locator(".note")).to_be_empty()
        assert len(way.keys) == 1 + way.lost + way.busy
        assert len(set(way.keys)) == 1
        assert await cash(table, game) == 305


async def test_who_presses_again_meanwhile_is_told_that_it_is_being_sent(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        way = Way()
        way.open.clear()
        await ada.page.route(COMMANDS, way)
        await sell(ada.page)
        await sell(ada.page)
        await expect(moves(ada.page)).to_contain_text("Sending. No response yet.")
        await expect(moves(ada.page)).not_to_have_attribute("data-ready", "12")
        way.open.set()
        await expect(ada.page.locator("#news")).to_contain_text("Sent.")
        await expect(moves(ada.page).locator(".note")).to_be_empty()
        assert len(way.keys) == 1
        assert await cash(table, game) == 305


async def test_a_move_that_was_made_though_no_answer_came_is_told_of(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        await ada.page.route(COMMANDS, Way(lost=99, reached=True))
        await sell(ada.page)
        await expect(moves(ada.page)).to_contain_text("No response came, but the move was made.")
        await expect(moves(ada.page)).to_have_attribute("data-ready", "13")
        assert await cash(table, game) == 305


async def test_a_move_that_got_lost_can_be_made_again_under_its_key(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        way = Way(lost=99)
        await ada.page.route(COMMANDS, way)
        await sell(ada.page)
        await expect(moves(ada.page)).to_contain_text("The move may or may not have been made")
        assert await cash(table, game) == 300
        tried, way.lost = len(way.keys), 0
        assert tried > 1
        await sell(ada.page)
        await expect(ada.page.locator("#news")).to_contain_text("Sent.")
        assert len(way.keys) == tried + 1
        assert len(set(way.keys)) == 1
        assert await cash(table, game) == 305


async def test_a_trial_without_an_answer_claims_nothing(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game, 1) as (ada,):
        await ada.page.route(COMMANDS, lambda route: route.abort())
        await sell(ada.page)
        await expect(moves(ada.page).get_by_role("alert")).to_contain_text("The server does not answer.")
        assert await cash(table, game) == 300


async def test_whose_token_was_revoked_looks_on_and_is_told_so(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        page, guest = ada.page, table.guests[0]
        tokens = "/v1/players/me/tokens"
        made = await guest.post(tokens, json={"name": "another", "scopes": ["read", "play", "account"]})
        other = {"Authorization": f"Bearer {made.json()['token']}"}

        async def meanwhile(route: Route) -> None:
            announced = {"action": "replace_owner_token"}
            await table.client.post("/v1/players/me/pending", json=announced, headers=other)
            assert (await table.client.post("/v1/players/me/owner-token", headers=other)).status_code == 200
            await route.continue_()

        await page.route(COMMANDS, meanwhile)
        await sell(page)
        await expect(page.get_by_text("The server does not know your token anymore.")).to_be_visible()
        await expect(moves(page)).to_have_count(0)
        await expect(page.get_by_role("link", name="Sign in or register")).to_be_visible()
        seen: Any = (await table.client.get(f"/v1/games/{game}")).json()["view"]
        assert seen["seats"][0]["cash"] == 300

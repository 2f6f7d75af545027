"""What all pages share: requests and streams that survive a lost connection, and tokens that stay in their place."""

from contextlib import AsyncExitStack
from typing import Any

import pytest
from playwright.async_api import Browser

from mcmulti.server.process import bound
from mcmulti.web.files import site
from tests.api.applications import answering_again
from tests.api.guests import Table
from tests.web.browsing import Visit, visiting

pytestmark = pytest.mark.needs("chromium")
FOLLOW = """async ([api, path, unseen]) => {
  const { follow } = await import(api);
  window.items = [];
  window.states = [];
  window.end = follow(path, {
    onItem: (item) => window.items.push(item.type),
    onState: (state) => window.states.push(state),
    poll: async () => {},
    ...(unseen ? { unseen } : {}),
  });
}"""
HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


async def following(visit: Visit, game: str, unseen: dict[str, int] | None = None) -> None:
    await visit.go("/")
    await visit.page.evaluate(FOLLOW, [site().address("lib/api.js"), f"/v1/games/{game}/events", unseen])
    await seen(visit, "items.includes('StreamHead')")


async def seen(visit: Visit, expression: str) -> None:
    await visit.page.wait_for_function(f"() => window.{expression}")


async def test_a_stream_brings_what_happens_and_ends_when_told(browser: Browser, table: Table) -> None:
    game = await table.open(2)
    async with visiting(browser, str(table.client.base_url)) as visit:
        await following(visit, game)
        await table.guests[0].send(game, {"type": "StartGame"})
        await seen(visit, "items.includes('GameStarted')")
        await visit.page.evaluate("window.end()")
        assert await visit.page.evaluate("window.states") == ["live"]


async def test_a_page_that_nobody_sees_holds_no_stream_and_catches_up(browser: Browser, table: Table) -> None:
    game = await table.open(2)
    async with visiting(browser, str(table.client.base_url)) as visit:
        await following(visit, game, {"after": 50, "every": 600_000, "look": 50})
        async with visit.page.expect_event("requestfailed"):  # the stream, which it closes
            await visit.page.evaluate(HIDDEN, True)
        await table.guests[0].send(game, {"type": "StartGame"})
        assert "GameStarted" not in await visit.page.evaluate("window.items")
        await visit.page.evaluate(HIDDEN, False)
        await seen(visit, "items.includes('GameStarted')")
        items: list[Any] = await visit.page.evaluate("window.items")
        assert items.count("SeatTaken") == 2  # nothing twice
        assert await visit.page.evaluate("window.states") == ["live", "live"]


async def test_a_page_that_nobody_sees_looks_in_from_time_to_time(browser: Browser, table: Table) -> None:
    game = await table.open(2)
    async with visiting(browser, str(table.client.base_url)) as visit:
        await following(visit, game, {"after": 50, "every": 200, "look": 500})
        async with visit.page.expect_event("requestfailed"):
            await visit.page.evaluate(HIDDEN, True)
        await table.guests[0].send(game, {"type": "StartGame"})
        await seen(visit, "items.includes('GameStarted')")


async def test_a_stream_goes_on_when_the_server_is_back(browser: Browser, table: Table) -> None:
    game = await table.open(2)
    async with AsyncExitStack() as first, AsyncExitStack() as second:
        listener = first.enter_context(bound("127.0.0.1", 0))
        address = await first.enter_async_context(answering_again(table.log, listener))
        async with visiting(browser, address) as visit:
            await following(visit, game)
            await first.aclose()
            await seen(visit, "states.includes('lost')")
            again = second.enter_context(bound("127.0.0.1", int(address.rpartition(":")[2])))
            await second.enter_async_context(answering_again(table.log, again))
            await table.guests[0].send(game, {"type": "StartGame"})
            await seen(visit, "items.includes('GameStarted')")
            items: list[Any] = await visit.page.evaluate("window.items")
            assert items.count("SeatTaken") == 2


async def test_a_stream_that_the_server_refuses_is_not_asked_for_again(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        await visit.go("/")
        path = "/v1/games/00000000-0000-4000-8000-000000000000/events"
        await visit.page.evaluate(FOLLOW, [site().address("lib/api.js"), path, None])
        await seen(visit, "states.includes('ended')")
        await visit.page.wait_for_timeout(600)
        assert await visit.page.evaluate("window.states") == ["ended"]


ACCOUNT = """async ([lib, who, keep]) => {
  const { signIn } = await import(lib);
  signIn(who, keep);
  return [sessionStorage.length, localStorage.length];
}"""
WHO = {"player": "00000000-0000-4000-8000-000000000000", "name": "<img src=x onerror=alert(1)>", "token": "mcm_none"}


@pytest.mark.parametrize(("keep", "where"), [(False, [1, 0]), (True, [0, 1])])
async def test_a_token_is_kept_where_its_owner_wants(
    browser: Browser, table: Table, keep: bool, where: list[int]
) -> None:
    who = {**WHO, "token": (await table.guest("Ada")).token}
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/")
        assert await page.evaluate(ACCOUNT, [site().address("lib/account.js"), who, keep]) == where
        await page.get_by_role("link", name=WHO["name"]).wait_for()
        other = await visit.context.new_page()
        await other.goto(f"{visit.address}/")
        await other.get_by_role("heading", name="Games", exact=True).wait_for()
        assert await other.get_by_role("link", name=WHO["name"]).count() == keep
        assert "mcm_" not in page.url


async def test_a_token_that_the_server_does_not_know_is_forgotten(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/")
        await page.evaluate(ACCOUNT, [site().address("lib/account.js"), WHO, True])
        asked = """async (lib) => {
          const { get } = await import(lib);
          return await get("/v1/players/me").then(() => "answered", (problem) => problem.code);
        }"""
        assert await page.evaluate(asked, site().address("lib/api.js")) == "unauthenticated"
        assert await page.evaluate("localStorage.length") == 0
        await page.get_by_role("link", name="Sign in or register").wait_for()

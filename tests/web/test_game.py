"""The page of a running game, as people watch it."""

import re
from contextlib import AsyncExitStack
from typing import cast

import pytest
from httpx import URL, AsyncClient
from playwright.async_api import Browser, Route, expect

from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.process import bound
from mcmulti.web.files import site
from tests.api.applications import answering_again
from tests.api.guests import Table
from tests.api.owner import Owner
from tests.api.stream_server import served
from tests.web.browsing import SIZES, barriers, overflow, visiting
from tests.web.layouts import settled
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")
HOSTILE = ("<img src=x onerror=alert(1)>", '"><script>alert(2)</script>', "</style></svg>{{7*7}}")
SHOWN = {"Verlauf": "li", "Besitz": "td", "Kurven": "svg", "In Worten": "p"}
"""What is visible in each view, once it is there."""
UNFOLDED = "() => document.querySelectorAll('[role=tabpanel]').forEach(panel => { panel.hidden = false; })"
RIG = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 3, "column": 4}}


def server(table: Table) -> str:
    return str(table.client.base_url)


async def test_a_move_made_elsewhere_is_on_the_page_without_a_reload(browser: Browser, table: Table) -> None:
    """The picture, whose move it is, and the story. On the board, exactly what changed is marked."""
    game = await table.start(2)
    async with visiting(browser, server(table)) as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_text("Ada to move").wait_for()
        await page.evaluate("window.notReloaded = true")
        board = page.locator(".board")
        assert (await table.guests[0].send(game, RIG)).status_code == 200
        await page.locator(".story").get_by_text("Ada buys a rig").wait_for()
        await expect(board.locator('[data-part="site-0-3-4"] title')).to_have_text("rig, row 3, column 4")
        await expect(board.locator(".mark")).not_to_have_count(0)
        assert (await table.guests[0].send(game, {"type": "EndPurchases"})).status_code == 200
        await page.get_by_text("Ben to move").wait_for()
        assert await page.evaluate("window.notReloaded")
        await expect(page.locator("#news")).to_contain_text("Ada buys a rig")


async def test_everybody_can_use_the_page_of_every_game(browser: Browser, table: Table) -> None:
    """On a phone and on a desktop, by day and by night: nothing is wider than the window, whichever view is open.

    axe checks all views at once, since it takes long for a page with a board.
    """
    games = {ruleset: await table.start(4, ruleset) for ruleset in SHIPPED}
    async with visiting(browser, server(table), size="narrow", language="de", dark=True) as visit:
        for ruleset, game in games.items():
            page = await visit.go(f"/games/{game}")
            await page.locator(".story li").first.wait_for()
            for view in ("Verlauf", "Besitz", "Kurven", "In Worten"):
                await page.get_by_role("tab", name=view).click()
                await expect(page.get_by_role("tabpanel").locator(SHOWN[view]).first).to_be_visible()
                for width in ("desktop", "narrow"):
                    await page.set_viewport_size(SIZES[width])  # type: ignore[arg-type]
                    assert await overflow(page) == 0, (ruleset, view, width)
            await page.evaluate(UNFOLDED)
            await settled(page)
            assert await barriers(page) == [], ruleset
            await page.emulate_media(color_scheme="light")
            await page.set_viewport_size(SIZES["desktop"])  # type: ignore[arg-type]
            await settled(page)
            assert await barriers(page) == [], ruleset
            await page.emulate_media(color_scheme="dark")
            await page.set_viewport_size(SIZES["narrow"])  # type: ignore[arg-type]
            assert visit.faults == [], ruleset


async def test_a_table_that_waits_for_players_and_one_that_is_over(browser: Browser, table: Table) -> None:
    game = await table.start(2)
    opened = await table.guests[0].post("/v1/games", json={"ruleset": "marracash", "setup": {"seats": 3}})
    assert (await table.guests[1].send(game, {"type": "Resign"})).status_code == 200
    async with visiting(browser, server(table)) as visit:
        page = await visit.go(f"/games/{opened.json()['game']}")
        await page.get_by_role("heading", name="Waiting for players").wait_for()
        await expect(page.locator(".title .seats li")).to_have_count(3)
        await visit.go(f"/games/{game}")
        await expect(page.locator(".whose")).to_have_text("Ada won")
        for name in ("Verify it yourself", "Books", "Game file"):
            await expect(page.get_by_role("link", name=name)).to_be_visible()
        await expect(page.get_by_role("button", name="Play again")).to_have_count(0)  # spectators do not
        await visit.go("/games/6f6c3a0e-0000-4000-8000-000000000000")
        await page.get_by_text("No such game.").wait_for()


async def test_whoever_played_asks_for_a_rematch_with_a_button(browser: Browser, table: Table) -> None:
    game = await table.start(2)
    assert (await table.guests[1].send(game, {"type": "Resign"})).status_code == 200
    me = (await table.guests[0].get("/v1/players/me")).json()
    async with visiting(browser, server(table), {**me, "token": table.guests[0].token}) as visit:
        page = await visit.go(f"/games/{game}")
        ending = page.locator(".ending")
        await expect(ending.get_by_role("heading", name="Ada won")).to_be_visible()
        await expect(ending.locator("tbody tr").first).to_have_text(re.compile("Ada.*winner"))
        await page.set_viewport_size(
            {"width": 390, "height": 844}
        )  # on a phone, the results have as much room as moves
        shown = await page.locator(".actions").bounding_box()
        assert shown is not None
        assert shown["height"] > 844 * 0.4
        await ending.get_by_role("button", name="Play again").click()
        await page.wait_for_url(re.compile(r"/games/(?!" + game + ")"))
        await page.get_by_role("link", name="Previous game").click()
        await page.get_by_role("link", name="To the rematch").wait_for()


async def test_names_are_text_wherever_they_stand(browser: Browser, table: Table) -> None:
    for name in HOSTILE:
        await table.guest(name)
    game = await table.start(3)
    async with visiting(browser, server(table), size="narrow") as visit:
        page = await visit.go(f"/games/{game}")
        await expect(page.locator(".title .seats .name")).to_have_text([*HOSTILE])
        await expect(page.locator(".story")).to_contain_text(HOSTILE[0])
        await expect(page.locator(".board").get_by_text(HOSTILE[0][:12]).first).to_be_attached()
        await page.get_by_role("tab", name="Holdings").click()
        await expect(page.get_by_role("tabpanel")).to_contain_text(HOSTILE[1])
        assert await page.locator("main img, main script").count() == 0
        assert await overflow(page) == 0


async def test_marks_stay_until_the_next_move_and_moves_are_taken_back_before_everybodys_eyes(
    browser: Browser, table: Table
) -> None:
    """Live, and in the replay of the same moments."""
    game = await table.start(2, undo="own")
    async with visiting(browser, server(table)) as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_text("Ada to move").wait_for()
        site, marks = page.locator('.board [data-part="site-0-3-4"] title'), page.locator(".board .mark")
        bought = (await table.guests[0].send(game, RIG)).json()["seq"]
        await expect(site).to_have_text("rig, row 3, column 4")
        await expect(marks).not_to_have_count(0)
        marked = await marks.count()
        await page.get_by_role("tab", name="Holdings").click()  # looked around, and nothing happened
        await page.wait_for_timeout(600)
        assert await marks.count() == marked
        back = await table.guests[0].send(game, {"type": "TakeBack", "moves": 1})
        assert back.status_code == 200, back.text
        await expect(site).not_to_have_text("rig, row 3, column 4")
        await expect(page.locator("#news")).to_contain_text("is taken back, as Ada wants it")
        await page.get_by_role("button", name="Back one event").click()
        await expect(page.get_by_label("Moment", exact=True)).to_have_value(str(bought))
        await expect(site).to_have_text("rig, row 3, column 4")


async def test_a_log_that_went_back_is_read_anew(browser: Browser, database: str) -> None:
    """A backup was restored under the server: nothing that is gone stays on the page."""
    async with served(database) as (address, table), visiting(browser, address) as visit:
        game = await table.start(2)
        page = await visit.go(f"/games/{game}")
        site = page.locator('.board [data-part="site-0-3-4"] title')
        before = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
        assert (await table.guests[0].send(game, RIG)).status_code == 200
        await expect(site).to_have_text("rig, row 3, column 4")
        await expect(page.locator(".story [aria-current]")).to_contain_text("buys a rig")
        Owner(database).take_back(game, before)
        await expect(site).not_to_have_text("rig, row 3, column 4")
        await expect(page.locator(".count")).to_have_text(f"{before} / {before}")
        await expect(page.locator(".story")).not_to_contain_text("buys a rig")
        other = {**RIG, "site": {"quadrant": 0, "row": 2, "column": 2}}
        assert (await table.guests[0].send(game, other)).status_code == 200
        await expect(page.locator('.board [data-part="site-0-2-2"] title')).to_have_text("rig, row 2, column 2")


async def test_bookings_are_told_in_the_words_of_the_rule_set(browser: Browser, table: Table) -> None:
    game = await table.start(2)
    assert (await table.guests[0].send(game, RIG)).status_code == 200
    async with visiting(browser, server(table), language="de") as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_role("tab", name="Besitz").click()
        await expect(page.locator(".booked")).to_contain_text("Ada: ")
        view = (await table.client.get("/v1/rulesets/mcmulti", params={"language": "de"})).json()
        await expect(page.locator(".booked")).to_contain_text(f"({view['words']['assets_bought']})")
        assert "assets" not in await page.locator(".booked").inner_text()


def seconds(clock: str) -> int:
    """What a clock shows, such as 9:57."""
    minutes, rest = clock.split(":")
    return 60 * int(minutes) + int(rest)


async def test_clocks_run_down(browser: Browser, table: Table) -> None:
    game = await table.start(2, clock={"move_seconds": 600, "bank_seconds": 600})
    async with visiting(browser, server(table)) as visit:
        page = await visit.go(f"/games/{game}")
        left = page.locator(".whose .clock")
        await expect(left).to_have_text(re.compile(r"^(10:00|9:\d\d)$"))
        earlier = await left.inner_text()
        await expect(left).not_to_have_text(earlier)
        assert seconds(await left.inner_text()) < seconds(earlier)
        await expect(page.locator(".title .seats .clock")).to_have_text(["bank 10:00"] * 2)


@pytest.mark.parametrize("wait", [1, 60])
async def test_a_page_that_was_over_its_limit_of_requests_goes_on_by_itself(
    browser: Browser, table: Table, wait: int
) -> None:
    """Nothing else happens that would make the page ask again: it is the reader's move."""
    game = await table.start(2)
    ada = table.guests[0]
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go(f"/games/{game}")
        await page.locator(".play[data-ready]").wait_for()
        refused: list[str] = []

        async def refuse(route: Route) -> None:
            refused.append(route.request.url)
            if len(refused) == 1:
                problem = {"type": "about:blank", "code": "too_many_requests", "status": 429, "retry_after": wait}
                await route.fulfill(status=429, json=problem, headers={"Content-Type": "application/problem+json"})
            else:
                await route.fallback()

        await page.route("**/replay?*", refuse)
        answered = await ada.send(game, RIG)
        assert answered.status_code == 200, answered.text
        await page.locator(f'.play[data-ready="{answered.json()["seq"]}"]').wait_for()
        assert len(refused) == 2
        assert "limit=10" in refused[0]  # the time of a move, and not all the time that there may be
        await expect(page.get_by_text("Connection lost")).to_have_count(0)


async def test_a_connection_that_is_lost_is_told_of_and_taken_up_again(browser: Browser) -> None:
    """The server stops, and another one takes over at the same address, with the same log."""
    log = cast(PostgresLog, MemoryLog())
    async with AsyncExitStack() as first, AsyncClient() as client, AsyncExitStack() as second:
        listener = first.enter_context(bound("127.0.0.1", 0))
        port = listener.getsockname()[1]
        address = await first.enter_async_context(answering_again(log, listener))
        client.base_url = URL(address)
        table = Table(client, log)
        game = await table.start(2)
        visit = await second.enter_async_context(visiting(browser, address))
        page = await visit.go(f"/games/{game}")
        await page.get_by_text("Ada to move").wait_for()
        await first.aclose()
        await page.get_by_text("Connection lost").wait_for()
        again = second.enter_context(bound("127.0.0.1", port))
        await second.enter_async_context(answering_again(log, again))
        assert (await table.guests[0].send(game, {"type": "EndPurchases"})).status_code == 200
        await page.get_by_text("Ben to move").wait_for()
        await expect(page.get_by_text("Connection lost")).to_have_count(0)
        await expect(page.locator("#news")).to_contain_text("Connected again")
        await visit.context.close()


FOLLOWED = """async ([folder, game]) => {
  const { Model } = await import(`${folder}/model.js`);
  const { serverSource } = await import(`${folder}/source.js`);
  const follow = (after, hash, told) => {
    window.told = told;
    return () => {};
  };
  window.model = new Model({ ...serverSource(game), follow });
  await window.model.open();
  window.model.follow();
}"""


async def test_a_page_whose_stream_comes_back_after_the_end_reads_how_the_game_ended(
    browser: Browser, table: Table
) -> None:
    """The stream begins with the table at that time, and the page closes it before any event."""
    game = await table.start(2)
    async with visiting(browser, str(table.client.base_url)) as visit:
        await visit.go("/")
        folder = site().address("game/model.js").rpartition("/")[0]
        await visit.page.evaluate(FOLLOWED, [folder, game])
        assert (await table.guests[1].send(game, {"type": "Resign"})).status_code == 200
        over = (await table.client.get(f"/v1/games/{game}")).json()
        assert over["table"]["status"] == "finished"
        await visit.page.evaluate("table => window.told.onTable(table)", over["table"])
        await visit.page.wait_for_function("seq => window.model.seq === seq", arg=over["seq"])
        assert await visit.page.evaluate("window.model.view") == over["view"]

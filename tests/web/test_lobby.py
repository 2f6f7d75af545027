"""The lobby as people use it: look, search, open a table, sit down, start."""

import re
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Browser, expect

from mcmulti.api.streams import lobby
from mcmulti.server.process import bound
from tests.api.applications import answering_again
from tests.api.guests import Table
from tests.web.browsing import SIZES, barriers, overflow, visiting
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")

HOSTILE = "<img src=x onerror=alert(1)>"
TYPED_AT_ONCE = """(field, text) => {
  for (let end = 1; end <= text.length; end++) {
    field.value = text.slice(0, end);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}"""
"""Letters typed faster than any timer."""
RTL = "\u05d0\u05d1\u05d2 (7) [8]"


async def test_whoever_opens_the_address_of_the_server_sees_the_games(browser: Browser, table: Table) -> None:
    game = await table.start(2)
    waiting = await table.open(2)
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/")
        await page.get_by_role("heading", name="Games", exact=True).wait_for()
        running = page.get_by_role("region", name="Running games").locator(f'[data-game="{game}"]')
        await expect(running).to_contain_text("To move: Ada")
        assert await running.get_by_role("link", name="Watch: McMulti").get_attribute("href") == f"/games/{game}"
        opened = page.get_by_role("region", name="Open tables").locator(f'[data-game="{waiting}"]')
        await expect(opened).to_contain_text("Waiting to start")
        await page.get_by_role("figure").get_by_role("img").wait_for()
        await expect(page.get_by_role("region", name="My games")).to_be_hidden()
        assert await barriers(page) == []
        assert await overflow(page) == 0


async def test_what_happens_elsewhere_is_shown_without_a_reload(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/")
        await expect(page.get_by_text("No tables are waiting for players")).to_be_visible()
        game = await table.open(2)
        row = page.get_by_role("region", name="Open tables").locator(f'[data-game="{game}"]')
        await expect(row).to_contain_text("Ben")
        await table.guests[0].send(game, {"type": "StartGame"})
        row = page.get_by_role("region", name="Running games").locator(f'[data-game="{game}"]')
        await expect(row).to_contain_text("To move: Ada")
        await (link := row.get_by_role("button", name="Ben")).focus()
        await table.guests[0].send(game, {"type": "EndPurchases"})
        await expect(row).to_contain_text("To move: Ben")
        await expect(link).to_be_focused()
        await table.guests[1].send(game, {"type": "Resign"})
        row = page.get_by_role("region", name="Finished games").locator(f'[data-game="{game}"]')
        await expect(row).to_contain_text("Won by Ada")


async def test_names_are_text_whatever_they_are(browser: Browser, table: Table) -> None:
    for name in (HOSTILE, RTL):
        await table.guest(name)
    game = await table.start(2)
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0]), size="phone") as visit:
        page = await visit.go("/")
        row = page.get_by_role("region", name="My games").locator(f'[data-game="{game}"]')
        await expect(row.get_by_role("button", name=HOSTILE)).to_be_visible()
        await row.get_by_role("button", name=RTL).click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_role("heading", name=RTL)).to_be_visible()
        await expect(dialog.get_by_role("row", name="McMulti with people")).to_contain_text("1")
        assert await barriers(page) == []
        await page.keyboard.press("Escape")
        await expect(row.get_by_role("button", name=RTL)).to_be_focused()
        assert await page.locator("img[src=x]").count() == 0
        assert await overflow(page) == 0


async def test_one_s_own_games_stand_first_those_that_wait_for_one_before_others(
    browser: Browser, table: Table
) -> None:
    asked = await table.start(2)
    other = await table.start(2)
    await table.guests[0].send(other, {"type": "EndPurchases"})
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0])) as visit:
        page = await visit.go("/")
        mine = page.get_by_role("region", name="My games").locator("[data-game]")
        await expect(mine).to_have_count(2)
        assert [await mine.nth(n).get_attribute("data-game") for n in (0, 1)] == [asked, other]
        await expect(mine.nth(0)).to_contain_text("Your turn")
        await expect(mine.nth(1)).not_to_contain_text("Your turn")
        assert await page.title() == "(1) Games · mcmulti"
        assert "turn.svg" in (await page.locator("link[rel=icon]").get_attribute("href") or "")
        await table.guests[0].send(asked, {"type": "EndPurchases"})
        await expect(page).to_have_title("Games · mcmulti")
        await table.guests[1].send(asked, {"type": "EndPurchases"})
        await expect(page).to_have_title("(1) Games · mcmulti")


async def test_games_are_found_by_player_game_state_and_free_seats(browser: Browser, table: Table) -> None:
    two = await table.start(2)
    three = await table.start(3, "marracash")
    body = {"ruleset": "mcmulti", "setup": {"seats": 3}}
    free = (await table.guests[0].post("/v1/games", json=body)).json()["game"]
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/")
        rows = page.locator("li[data-game]")
        await expect(rows).to_have_count(3)

        async def found(*games: str) -> None:
            await expect(rows).to_have_count(len(games))
            assert {await rows.nth(n).get_attribute("data-game") for n in range(len(games))} == {*games}

        await page.get_by_label("Player, game, or id").fill("cle")
        await found(three)
        await page.get_by_label("Player, game, or id").fill("nobody")
        await found()
        await expect(page.locator("main section:visible li")).to_have_count(0)
        await page.get_by_label("Player, game, or id").fill("marra")
        await found(three)
        await page.get_by_label("Player, game, or id").fill(two[:8])
        await found(two)
        await page.get_by_label("Player, game, or id").fill("")
        await page.get_by_role("search").get_by_role("combobox", name="Game").select_option("mcmulti")
        await found(two, free)
        await page.get_by_label("With free seats").check()
        await found(free)


async def test_games_that_the_page_has_not_loaded_are_found_too(
    browser: Browser, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream follows one game only. The search is in the address, beside parameters that others added to it."""
    monkeypatch.setattr(lobby, "ROWS", 1)
    old = await table.start(3)
    hidden = (
        await table.guests[2].post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2}, "listed": False})
    ).json()["game"]
    await table.guests[2].post(f"/v1/games/{hidden}/seats", json={})
    await table.start(2)
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/?search=CLEO&utm_source=mail")
        rows, search = page.locator("li[data-game]"), page.get_by_label("Player, game, or id")
        await expect(search).to_have_value("CLEO")
        await expect(rows).to_have_count(1)
        assert await rows.get_attribute("data-game") == old
        await expect(page.locator("#news")).to_contain_text("1 game found")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if "named=" in request.url else None)
        await search.press_sequentially("x")
        await expect(rows).to_have_count(0)
        await search.fill("")
        await expect(rows).to_have_count(2)
        assert page.url.endswith("/?utm_source=mail")
        asked.clear()
        async with page.expect_request(re.compile(f"named={old[:8]}")):
            await search.evaluate(TYPED_AT_ONCE, old[:8])
        await expect(rows).to_have_count(1)
        assert page.url.endswith(f"/?utm_source=mail&search={old[:8]}")
        assert len(asked) == 1, asked  # not one for each letter
        await search.fill(f"{hidden[:8]}")
        await expect(rows).to_have_count(0)
        await search.fill(HOSTILE)
        await expect(rows).to_have_count(0)
        await page.reload()
        await expect(search).to_have_value(HOSTILE)


async def test_names_lead_to_a_page_of_the_player_with_record_and_games(browser: Browser, table: Table) -> None:
    over = await table.start(2)
    assert (await table.guests[1].send(over, {"type": "Resign"})).status_code == 200
    running = await table.start(2, "mcmulti")
    ada = (await table.guests[0].get("/v1/players/me")).json()["player"]
    async with visiting(browser, str(table.client.base_url), size="narrow") as visit:
        page = await visit.go(f"/games/{over}")
        await page.locator(".ending").get_by_role("link", name="Ada").click()
        await page.wait_for_url(f"**/players/{ada}")
        await expect(page.get_by_role("heading", name="Ada", level=1)).to_be_visible()
        await expect(page).to_have_title(re.compile("Ada"))
        games = page.locator("li[data-game]")
        await expect(games).to_have_count(2)
        assert {await each.get_attribute("data-game") for each in await games.all()} == {over, running}
        await expect(page.get_by_role("rowheader", name="McMulti")).to_be_visible()
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await games.first.get_by_role("button", name="Ben").click()
        await page.get_by_role("dialog").get_by_role("link", name="Profile").click()
        await expect(page.get_by_role("heading", name="Ben", level=1)).to_be_visible()


@pytest.mark.parametrize(
    ("language", "mentions"),
    [
        (
            "en",
            "McMulti: Drill for oil and sell gasoline. For two to four players. Against the computer, you make about",
        ),
        (
            "de",
            "MarraCash: Kauf Läden und führ Kunden hinein. Für drei oder vier Spieler; gegen den Computer sind es",
        ),
    ],
)
async def test_the_first_page_says_what_is_played_by_how_many_and_how_long_and_shows_it(
    browser: Browser, table: Table, language: str, mentions: str
) -> None:
    """This includes an empty server. As soon as a game runs, its board is the picture."""
    async with visiting(browser, str(table.client.base_url), language=language, size="narrow") as visit:
        page = await visit.go("/")
        await expect(page.locator(".intro")).to_contain_text("Millionenspiel")
        await expect(page.locator(".intro")).to_contain_text(mentions)
        picture = page.locator(".now img")
        await page.wait_for_function("() => document.querySelector('.now img').naturalWidth > 0")
        assert await picture.get_attribute("alt")
        rules = {"en": "Rules:", "de": "Regeln:"}[language]
        await expect(page.get_by_role("group", name=rules).get_by_role("link")).to_have_count(4)
        source = await picture.evaluate("(picture) => picture.src")
        async with visiting(browser, str(table.client.base_url)) as other:
            await other.page.goto(source)
            await expect(other.page.get_by_text("Nordwesten")).to_be_visible(visible=language == "de")
            await expect(other.page.get_by_text("north-west")).to_be_visible(visible=language == "en")
        assert await overflow(page) == 0
        assert await barriers(page) == []
        game = await table.start(2)
        await expect(page.locator(f'.now a[href="/games/{game}"] img')).to_be_visible()


async def test_an_empty_server_says_how_to_begin(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url), size="phone") as visit:
        page = await visit.go("/")
        await expect(page.get_by_text("All you need to play is a name")).to_be_visible()
        await page.get_by_role("link", name="How to seat a bot").click()
        await expect(page.get_by_role("heading", name="Your first bot")).to_be_visible()
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/")
        await expect(page.get_by_text("All you need to play is a name")).to_be_visible()
        await table.start(2)
        await expect(page.get_by_text("All you need to play is a name")).to_be_hidden()


async def test_a_lost_connection_is_said_and_found_again(browser: Browser, table: Table) -> None:
    async with AsyncExitStack() as first, AsyncExitStack() as second:
        listener = first.enter_context(bound("127.0.0.1", 0))
        address = await first.enter_async_context(answering_again(table.log, listener))
        async with visiting(browser, address) as visit:
            page = await visit.go("/")
            await expect(page.get_by_text("No tables are waiting for players")).to_be_visible()
            await first.aclose()
            await expect(page.get_by_text("Connection lost.")).to_be_visible()
            again = second.enter_context(bound("127.0.0.1", int(address.rpartition(":")[2])))
            await second.enter_async_context(answering_again(table.log, again))
            await expect(page.get_by_text("Connection lost.")).to_be_hidden()
            game = await table.open(2)
            await expect(page.locator(f'li[data-game="{game}"]')).to_be_visible()


async def test_a_table_is_opened_with_what_the_contract_lets_one_choose(browser: Browser, table: Table) -> None:
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/")
        for ruleset, fields in (
            ("McMulti by post", ["Hours for a round", "Hours of grace"]),
            ("MarraCash", ["Players", "Taking moves back"]),
            ("Millionenspiel", ["Players", "If somebody leaves"]),
            ("McMulti", ["Players", "Target", "Who begins", "Standing instructions"]),
        ):
            if await page.get_by_role("form", name="Open a table").count() == 0:
                await page.get_by_role("button", name="Open a table").click()
            form = page.get_by_role("form", name="Open a table")
            await form.get_by_role("combobox", name="Game").select_option(label=ruleset)
            if ruleset == "McMulti by post":
                await form.get_by_text("More", exact=True).click()  # and it stays open
            for field in fields:
                await expect(form.get_by_label(field, exact=True)).to_be_visible()
        assert await barriers(page) == []
        await form.get_by_label("Players", exact=True).select_option("2")
        await form.get_by_label("Target", exact=True).select_option("1000")
        await form.get_by_label("Who begins", exact=True).select_option(label="Seat 4")
        await form.get_by_role("button", name="Open the table").click()
        refused = form.get_by_role("alert").filter(has_text="The first seat is not one of the table's seats.")
        await expect(refused).to_be_visible()
        await expect(form.get_by_label("Who begins", exact=True)).to_be_focused()
        await form.get_by_label("Who begins", exact=True).select_option(label="Seat 2")
        await form.get_by_label("With a clock").check()
        await form.get_by_label("Seconds for a move").fill("60")
        await form.get_by_label("Taking moves back").select_option("agreed")
        await form.get_by_label("Only for invited players").check()
        await form.get_by_label("Player names").fill("Nobody At All")
        await form.get_by_role("button", name="Open the table").click()
        await expect(form.get_by_role("alert").filter(has_text="Nobody At All")).to_be_visible()
        await expect(refused).to_have_count(0)  # a fixed error does not stay
        await expect(form.get_by_label("Who begins", exact=True)).not_to_have_attribute("aria-invalid", "true")
        await expect(form.get_by_role("alert").filter(has_text="Nobody At All")).to_be_visible()
        await form.get_by_label("Player names").fill("")
        await form.get_by_label("Seats for bots").fill("1")
        await form.get_by_label("List the table for everyone").uncheck()
        assert await overflow(page) == 0
        await form.get_by_role("button", name="Open the table").click()
        await expect(page.get_by_role("heading", name="The table is open.")).to_be_visible()
        passcode = await page.locator("code.secret").nth(1).inner_text()
        assert re.fullmatch("[A-Z2-7]{16}", passcode)
        address = await page.locator("code.secret").nth(0).inner_text()
        assert passcode not in address
        assert passcode not in page.url
    game = (await ada.get(f"/v1/games/{address.rpartition('/')[2]}")).json()
    setup = game["view"]["setup"]
    clock = {"move_seconds": 60, "bank_seconds": 0, "misses": 3}
    assert (setup["seats"], setup["target"], setup["first_seat"]) == (2, 1000, 1)
    assert (setup["clock"], setup["undo"]) == (clock, "agreed")
    assert (game["table"]["listed"], game["table"]["closed"]) == (False, True)
    assert game["table"]["seats"][0]["name"] == "Ada"


async def test_the_numbers_of_a_consumer_track_of_one_s_own_are_written_in_a_line(
    browser: Browser, table: Table
) -> None:
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Open a table").click()
        form = page.get_by_role("form", name="Open a table")
        await form.get_by_text("More", exact=True).click()
        await form.get_by_label("A consumer track of your own").check()
        await form.get_by_label("Prices of the red fields").fill("14, 31")
        await form.get_by_label("Prices of all fields").fill("10, 14, 20, 25-27, 30")
        await form.get_by_role("button", name="Open the table").click()
        refused = form.get_by_role("alert").filter(has_text="Every red field must be one of the prices")
        await expect(refused).to_be_visible()
        await form.get_by_label("Prices of the red fields").fill("14, none")
        await form.get_by_role("button", name="Open the table").click()
        await expect(form.get_by_role("alert").filter(has_text="expected integer, got string")).to_be_visible()
        await form.get_by_label("Prices of the red fields").fill("14, 30")
        await form.get_by_label("Sale prices of refineries").select_option(label="as by post")
        await form.get_by_role("button", name="Open the table").click()
        await page.wait_for_url("**/games/*")
        await page.get_by_text("Terms of this table: McMulti").click()
        await expect(page.get_by_text("10, 14, 20, 25-27, 30")).to_be_visible()
        game = (await ada.get(f"/v1/games/{page.url.rpartition('/')[2]}")).json()
    setup = game["view"]["setup"]
    assert setup["consumer_track"] == {"red_fields": [14, 30], "prices": [10, 14, 20, 25, 26, 27, 30]}
    assert setup["refinery_sales"] == "postal"


async def test_whoever_has_no_account_opens_a_table_with_nothing_but_a_name(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Open a table").click()
        form = page.get_by_role("form", name="Open a table")
        await form.get_by_label("Your name").fill("Zoe")
        await expect(form.get_by_label("Who begins")).to_be_hidden()  # which few want to say
        await form.get_by_role("button", name="Open the table").click()
        await expect(page.locator(".waiting-room").get_by_role("button", name="Zoe")).to_be_visible()


async def test_signing_in_leads_back(browser: Browser, table: Table) -> None:
    who = await account(await table.guest("Ada"))
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/rules/marracash?look=1")
        await page.get_by_role("link", name="Sign in or register").click()
        form = page.get_by_role("form", name="Sign in")
        await form.get_by_label("Token").fill(who["token"])
        await form.get_by_role("button", name="Sign in").click()
        await page.wait_for_url("**/rules/marracash?look=1")


async def test_nobody_scrolls_sideways_and_german_is_german(browser: Browser, table: Table) -> None:
    await table.start(4)
    ada = await account(table.guests[0])
    async with visiting(browser, str(table.client.base_url), ada, size="narrow", language="de", dark=True) as visit:
        page = await visit.go("/")
        await expect(page.get_by_role("heading", name="Meine Partien")).to_be_visible()
        await page.get_by_role("button", name="Tisch eröffnen").click()
        await page.get_by_label("Mit Uhr").check()
        assert await overflow(page) == 0
        await page.set_viewport_size(SIZES["phone"])  # type: ignore[arg-type]
        assert await overflow(page) == 0
        assert await barriers(page) == []

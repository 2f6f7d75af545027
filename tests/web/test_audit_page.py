"""The books of a game on their page: the figures of the API, at any moment."""

import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from httpx import AsyncClient
from playwright.async_api import Browser, Locator, Page, expect

from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.game_index import TableRow
from mcmulti.server.process import bound
from tests.api.applications import answering_again
from tests.api.guests import Json, Table
from tests.games import recorded_games
from tests.golden.games import seed_of
from tests.web.browsing import SIZES, barriers, overflow, visiting

pytestmark = pytest.mark.needs("chromium")

HOSTILE = "<img src=x onerror=alert(1)>"


@asynccontextmanager
async def golden(ruleset: str) -> AsyncIterator[tuple[str, str]]:
    """The address of a server with a finished game of a rule set, and the game's address."""
    games = recorded_games(ruleset)
    events = games[len(games) // 2]
    log = MemoryLog()
    await log.create(
        events[0].game_id, ruleset, CURRENT[ruleset].version, TableRow("finished"), seed_of(events), events
    )
    with bound("127.0.0.1", 0) as listener:
        async with answering_again(log, listener) as address:
            yield address, f"/games/{events[0].game_id}"


async def asked(address: str, path: str, **query: int | str) -> Json:
    async with AsyncClient(base_url=address) as client:
        answered = await client.get(f"/v1{path}", params=query)
        assert answered.status_code == 200, answered.text
        body: Json = answered.json()
        return body


async def settled(page: Page) -> None:
    """Wait until all requested figures are shown."""
    await page.locator("#postings h2").wait_for()
    await expect(page.locator("main")).not_to_have_attribute("aria-busy", "true")


async def rows(table: Locator) -> list[list[str]]:
    """The cells of a table's rows."""
    found: list[list[str]] = await table.locator("tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return found


def figures(found: list[list[str]]) -> Counter[int]:
    """All figures of a table, whatever its layout."""
    cells = [cell.replace(",", "").lstrip("+") for row in found for cell in row[1:]]
    return Counter(int(cell) for cell in cells if cell.lstrip("-").isdecimal())


@pytest.mark.parametrize("ruleset", [*CURRENT])
async def test_figures_and_picture_match_the_api_now_and_at_any_moment(browser: Browser, ruleset: str) -> None:
    async with golden(ruleset) as (address, game), visiting(browser, address) as visit:
        last = (await asked(address, game))["seq"]
        money = CURRENT[ruleset].books.money
        for at in (last, last // 2):
            page = await visit.go(f"{game}/audit?at={at}")
            await settled(page)
            balances = await asked(address, f"{game}/balances", at=at)
            shown = await rows(page.locator("section", has_text="Trial balance").first.locator("table"))
            assert [cell.replace(",", "") for cell in shown[-1][1:]] == ["0"] * len(balances["trial_balance"])
            for column, unit in enumerate((each["unit"] for each in balances["trial_balance"]), 1):
                held = [row[column].replace(",", "") for row in shown[1:-1]]
                amounts = [each["balance"] for each in balances["balances"] if each["unit"] == unit]
                assert sum(int(cell) for cell in held if cell and not cell.startswith("-")) >= max(amounts)
                assert sum(int(cell) for cell in held if cell) == sum(amounts) == 0

            stated = (await asked(address, f"{game}/statements", at=at))["statements"]
            wanted = Counter(
                amount
                for statement in stated
                if statement["unit"] == money
                for amount in (
                    statement["opening"],
                    statement["closing"],
                    *(each["amount"] for each in statement["movements"]),
                )
            )
            assert figures(await rows(page.locator("table.statements"))) == wanted

            flows = [flow for flow in (await asked(address, f"{game}/flows", at=at))["flows"] if flow["unit"] == money]
            exchanged = await rows(page.locator("details table"))
            assert sum(int(row[2].replace(",", "")) for row in exchanged[1:]) == sum(flow["amount"] for flow in flows)
            assert sum(int(row[3].replace(",", "")) for row in exchanged[1:]) == sum(flow["count"] for flow in flows)
        assert await barriers(page) == []

        await page.set_viewport_size(SIZES["narrow"])  # type: ignore[arg-type]
        page = await visit.go(f"{game}/audit")
        await settled(page)
        assert await overflow(page) == 0
        flows = (await asked(address, f"{game}/flows"))["flows"]
        between = [
            flow
            for flow in flows
            if flow["unit"] == money and flow["source"].split(":")[:2] != flow["target"].split(":")[:2]
        ]
        bars = page.locator(".sankey .party title")
        said = [title.rsplit(" ", 1)[1] for title in await bars.all_text_contents()]
        total = sum(flow["amount"] for flow in between)
        assert sum(int(figure.replace(",", "")) for figure in said) == 3 * total  # who gave, what for, who got


async def test_postings_are_those_of_the_filter_and_lead_to_their_moment(browser: Browser) -> None:
    async with golden("mcmulti") as (address, game), visiting(browser, address) as visit:
        page = await visit.go(f"{game}/audit")
        await settled(page)
        await page.get_by_label("Account").select_option("seat:1:cash")
        await settled(page)
        await page.locator("select[name=reason]").select_option("assets_bought")
        await settled(page)
        assert "account=seat%3A1%3Acash" in page.url
        ledger = await asked(address, f"{game}/ledger", account="seat:1:cash", reason="assets_bought", limit=60)
        lines = await rows(page.locator("table.postings"))
        shown = [(int(row[2].replace(",", "")), int(row[3].replace(",", ""))) for row in lines[1:] if len(row) == 4]
        assert shown == [(line["amount"], line["balance"]) for line in ledger["lines"]]
        told = await asked(address, f"{game}/replay", after=ledger["lines"][0]["seq"] - 1, limit=1)
        event = page.locator("tr.event").first
        await expect(event).to_contain_text(told["frames"][0]["happened"][0]["sentence"])
        await expect(event.locator(".rule-id")).to_have_text(ledger["lines"][0]["rule"])
        link = event.get_by_role("link").first
        assert await link.get_attribute("href") == f"{game}?at={ledger['lines'][0]['seq']}"


async def test_all_postings_can_be_had_page_by_page(browser: Browser) -> None:
    async with golden("marracash") as (address, game), visiting(browser, address, language="de") as visit:
        page = await visit.go(f"{game}/audit?of=dirham")
        await settled(page)
        more = page.get_by_role("button", name="Weitere Buchungen")
        while await more.is_visible():
            await more.click()
            await page.wait_for_function(  # the button goes with the last page
                """() => [...document.querySelectorAll('button')].every(
                  (one) => !one.disabled || one.textContent !== 'Weitere Buchungen')"""
            )
        ledger = await asked(address, f"{game}/ledger", unit="dirham", limit=1000)
        assert await page.locator("table.postings tbody tr:not(.event)").count() == len(ledger["lines"])


async def test_the_moment_is_chosen_by_number_and_keyboard_and_the_address_names_it(browser: Browser) -> None:
    async with golden("mcmulti") as (address, game), visiting(browser, address) as visit:
        page = await visit.go(f"{game}/audit")
        await settled(page)
        await page.get_by_label("After event").fill("40")
        await page.get_by_label("After event").press("Enter")
        await page.wait_for_url("**?at=40")
        await settled(page)
        await expect(page.locator("#news")).to_contain_text("The books after event 40.")
        await page.get_by_role("slider").press("ArrowRight")
        await page.wait_for_url("**?at=41")
        await page.get_by_role("button", name="Now").click()
        await page.wait_for_url("**/audit")
        await page.get_by_role("spinbutton", name="from").fill("2")
        await page.get_by_role("spinbutton", name="from").press("Enter")
        await page.wait_for_url("**?from=2")
        await settled(page)
        money = CURRENT["mcmulti"].books.money
        stated = (await asked(address, f"{game}/statements", from_turn=2))["statements"]
        before = (await rows(page.locator("table.statements")))[1][1:]
        assert [int(cell.replace(",", "")) for cell in before] == [
            each["opening"] for each in stated if each["unit"] == money
        ]


async def test_what_the_address_asks_in_vain_is_told(browser: Browser) -> None:
    async with golden("postal") as (address, game), visiting(browser, address) as visit:
        for query in ("at=99999999", "account=%3Cimg%3E", "at=x", "unit=__proto__", "reason=constructor"):
            page = await visit.go(f"{game}/audit?{query}")
            if query.startswith(("at", "account")):
                await page.get_by_role("alert").wait_for()
            else:
                await settled(page)
            assert await page.locator("main img").count() == 0, query
            assert visit.faults == [], query


async def test_downloads_are_what_the_api_answers(browser: Browser, tmp_path: Path) -> None:
    async with golden("millionenspiel") as (address, game), visiting(browser, address) as visit:
        page = await visit.go(f"{game}/audit?at=60")
        await settled(page)
        wanted = {
            "Journal for hledger": ("ledger.journal?at=60", "*/*"),
            "Journal for beancount": ("ledger.beancount?at=60", "*/*"),
            "Postings as CSV": ("ledger?at=60", "text/csv"),
            "Statements as CSV": ("statements?at=60", "text/csv"),
            "Game file": ("file", "*/*"),
        }
        async with AsyncClient(base_url=address) as client:
            for button, (path, accept) in wanted.items():
                async with page.expect_download() as downloading:
                    await page.get_by_role("button", name=button).click()
                download = await downloading.value
                await download.save_as(tmp_path / "saved")
                answered = await client.get(f"/v1{game}/{path}", headers={"Accept": accept})
                assert (tmp_path / "saved").read_bytes() == answered.content, button
                assert download.suggested_filename.startswith(game.removeprefix("/games/"))


async def test_names_are_text_and_a_game_that_has_not_begun_has_no_books(browser: Browser, table: Table) -> None:
    await table.guest(HOSTILE)
    game = await table.open(2)
    async with visiting(browser, str(table.client.base_url), size="narrow") as visit:
        page = await visit.go(f"/games/{game}/audit")
        await settled(page)
        await expect(page.get_by_text("Nothing has been booked yet.").first).to_be_visible()
        started = await table.guests[0].send(game, {"type": "StartGame"})
        assert started.status_code == 200
        page = await visit.go(f"/games/{game}/audit")
        await settled(page)
        await expect(page.get_by_role("columnheader", name=HOSTILE)).to_be_visible()
        assert await page.locator("main img").count() == 0
        assert await overflow(page) == 0


async def test_now_goes_on_as_the_game_does_and_an_earlier_moment_stays(browser: Browser, table: Table) -> None:
    """All parts show the same moment. What is open, chosen, and focused stays so."""
    game = await table.start()
    address = str(table.client.base_url)
    buy = {"type": "BuyAsset", "kind": "rig"}
    async with visiting(browser, address) as visit:
        page = await visit.go(f"/games/{game}/audit")
        await settled(page)
        await page.get_by_text("Show as a table").click()
        await page.get_by_label("Account").select_option("seat:0:cash")
        await settled(page)
        await page.get_by_label("Account").focus()
        bought = await table.guests[0].send(game, {**buy, "site": {"quadrant": 0, "row": 1, "column": 1}})
        head = bought.json()["seq"]
        await expect(page.locator(".moments")).to_contain_text(f"of {head}")
        await expect(page.get_by_label("After event")).to_have_value(str(head))
        await expect(page.locator("table.postings tbody").last).to_contain_text("buys a rig")
        await expect(page.get_by_label("Account")).to_be_focused()
        await expect(page.locator("details")).to_have_attribute("open", "")
        assert "at=" not in page.url
        stated = (await asked(address, f"/games/{game}/statements", at=head))["statements"]
        money = CURRENT["mcmulti"].books.money
        left = (await rows(page.locator("table.statements")))[-1][1:]
        assert left == [f"{each['closing']:,}" for each in stated if each["unit"] == money]

        await page.get_by_label("After event").fill(str(head - 1))
        await page.get_by_label("After event").press("Enter")
        await page.wait_for_url(re.compile("[?&]at="))
        await settled(page)
        shown = await page.locator("main section").all_inner_texts()
        bought = await table.guests[0].send(game, {**buy, "site": {"quadrant": 0, "row": 2, "column": 2}})
        assert bought.status_code == 200
        await expect(page.locator(".moments")).not_to_contain_text(f"of {head}")
        assert await page.locator("main section").all_inner_texts() == shown
        await page.get_by_role("button", name="Now", exact=True).click()
        await expect(page.get_by_label("After event")).not_to_have_value(str(head - 1))
        await settled(page)
        left = (await rows(page.locator("table.statements")))[-1][1:]
        assert left[0] != f"{stated[0]['closing']:,}"


async def test_on_paper_there_are_figures_and_no_controls(browser: Browser) -> None:
    async with golden("postal") as (address, game), visiting(browser, address) as visit:
        page = await visit.go(f"{game}/audit")
        await settled(page)
        await page.emulate_media(media="print")
        await expect(page.locator(".moments")).to_be_hidden()
        await expect(page.locator(".filter")).to_be_hidden()
        await expect(page.locator(".sankey")).to_be_visible()
        await expect(page.locator("table.statements")).to_be_visible()

"""Sheets by post, written in the browser: tried out, confirmed, changed, and taken back. Also the reports."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.guests import Table
from tests.web.browsing import barriers, overflow, visiting
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")

STATION = {"type": "BuyAssetOrder", "kind": "station", "plot": {"row": 2, "column": 3}}


async def sheet_of(table: Table, game: str, seat: int = 0) -> object:
    return (await table.guests[seat].get(f"/v1/games/{game}")).json()["view"]["sheet"]


async def choose(page: Page, line: int, **fields: str) -> None:
    within = page.locator(f'.post [data-line="{line}"]')
    for name, value in fields.items():
        await within.get_by_role("combobox", name=name.replace("_", " "), exact=True).first.select_option(label=value)


async def test_a_sheet_is_written_tried_confirmed_changed_and_taken_back(browser: Browser, table: Table) -> None:
    game = await table.start(4, "postal")
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0])) as visit:
        page = await visit.go(f"/games/{game}")
        post = page.locator(".post")
        await expect(post.get_by_role("heading", name="Order sheet for round 1")).to_be_visible()
        await expect(post.get_by_text("The round closes on")).to_be_visible()
        await expect(post).to_contain_text("an order to do nothing")
        await post.get_by_role("button", name="Add: Phase 1").click()
        await choose(page, 1, Which="Buy an asset")
        await choose(page, 1, Kind="station", Row="2", Column="3")
        await post.get_by_role("button", name="Add: Phase 1").click()
        await choose(page, 2, Which="If …")
        await choose(page, 2, If="cash is")
        await page.locator('.post [data-line="2"]').get_by_label("From").fill("100")
        await page.locator('.post [data-line="2"]').get_by_role("button", name="Add: then").click()
        await choose(page, 3, Which="Buy an asset")
        await choose(page, 3, Kind="refinery", Row="4", Column="4")
        await post.get_by_role("button", name="Add: Phase 2").click()
        await choose(page, 4, Which="Sell barrels")
        await choose(page, 4, Market="foreign", Good="gasoline")
        await page.locator('.post [data-line="4"]').get_by_label("How many").fill("2")
        await page.locator('.post [data-line="4"]').get_by_label("At least (price)").fill("8")
        await expect(post).to_contain_text("Ada sells 2 barrels of gasoline on the foreign market for $18M")
        await expect(post).to_contain_text("106 million dollars")
        assert await barriers(page) == []
        assert await sheet_of(table, game) is None
        await page.reload()
        await expect(page.locator('.post [data-line="4"]').get_by_label("How many")).to_have_value("2")
        await post.get_by_role("button", name="Send the sheet").click()
        await page.keyboard.press("Escape")
        assert await sheet_of(table, game) is None
        await post.get_by_role("button", name="Send the sheet").click()
        await page.get_by_role("dialog").get_by_role("button", name="Send").click()
        await expect(post).to_contain_text("Your sheet is in.")
        refinery = {"type": "BuyAssetOrder", "kind": "refinery", "plot": {"row": 4, "column": 4}}
        condition = {"type": "CashIs", "at_least": 100}
        sale = {"type": "SellBarrelsOrder", "market": "foreign", "good": "gasoline", "quantity": 2, "not_below": 8}
        assert await sheet_of(table, game) == {
            "orders": [STATION, {"type": "IfOrder", "condition": condition, "then": [refinery]}],
            "trades": [sale],
            "pumps": {"type": "SellAtPumps"},
        }
        await page.locator('.post [data-line="1"]').get_by_role("button", name="Down").first.click()
        await expect(post).to_contain_text("unsent changes")
        await post.get_by_role("button", name="Revert to what you sent").click()
        await expect(post).to_contain_text("Your sheet is in.")
        await post.get_by_role("button", name="Take it back").click()
        await page.get_by_role("dialog").get_by_role("button", name="Take it back").click()
        await expect(post).to_contain_text("You have not sent a sheet yet.")
        assert await sheet_of(table, game) is None


async def test_what_looks_like_a_mistake_is_told_at_its_line(browser: Browser, table: Table) -> None:
    game = await table.start(4, "postal")
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0]), size="phone") as visit:
        page = await visit.go(f"/games/{game}")
        post = page.locator(".post")
        for _ in range(2):
            await post.get_by_role("button", name="Add: Phase 2").click()
        await choose(page, 2, Market="foreign")
        await post.get_by_role("button", name="Line 2").click()
        await expect(page.locator('.post [data-line="2"] select').first).to_be_focused()
        await page.locator('.post [data-line="1"]').get_by_label("How many").fill("999")
        await expect(page.locator('.post [data-line="1"]').get_by_role("alert")).to_contain_text("144")
        await page.locator('.post [data-line="1"]').get_by_label("How many").fill("998")
        await page.locator('.post [data-line="2"] select').first.focus()
        await expect(page.locator('.post [data-line="1"]').get_by_role("alert")).to_contain_text("144")
        await page.wait_for_timeout(1000)  # the forecast comes while the player is elsewhere
        await expect(page.locator('.post [data-line="2"] select').first).to_be_focused()
        assert await overflow(page) == 0
        assert await barriers(page) == []


async def test_a_sheet_is_written_by_keyboard_alone(browser: Browser, table: Table) -> None:
    game = await table.start(4, "postal")
    for guest in table.guests[1:]:
        await guest.send(game, {"type": "SubmitOrders", "round": 1, "sheet": {}})
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0]), language="de") as visit:
        page = await visit.go(f"/games/{game}")
        post = page.locator(".post")
        await post.get_by_role("button", name="Hinzufügen: Phase 1").focus()
        await page.keyboard.press("Enter")
        await expect(page.locator('.post [data-line="1"] select').first).to_be_focused()
        await page.keyboard.type("Anlage kaufen")
        for name, typed in (("Art", "Tankstelle"), ("Reihe", "2"), ("Spalte", "3")):
            await page.keyboard.press("Tab")
            await expect(post.get_by_role("combobox", name=name)).to_be_focused()
            await page.keyboard.type(typed)
        await expect(post).to_contain_text("48 Mio. $")
        await post.get_by_role("button", name="Bogen senden").focus()
        await page.keyboard.press("Enter")
        await page.keyboard.press("Enter")
        await expect(post.get_by_role("heading", name="Auftragsbogen für Runde 2")).to_be_visible()
        reports = page.locator("details.reports")
        await reports.locator("summary").focus()
        await page.keyboard.press("Enter")
        await expect(reports.get_by_role("article")).to_contain_text("Runde 1")
        await expect(reports.get_by_role("article")).to_contain_text("48 Mio. $")
        assert await barriers(page) == []
        assert await overflow(page) == 0


async def test_nobody_but_who_sits_there_sees_a_sheet(browser: Browser, table: Table) -> None:
    game = await table.start(4, "postal")
    await table.guests[0].send(game, {"type": "SubmitOrders", "round": 1, "sheet": {"orders": [STATION]}})
    url = str(table.client.base_url)
    async with visiting(browser, url, await account(table.guests[1])) as other, visiting(browser, url) as nobody:
        page = await other.go(f"/games/{game}")
        await expect(page.locator(".post")).to_contain_text("In: Ada")
        await expect(page.locator(".post")).to_contain_text("You have not sent a sheet yet.")
        page = await nobody.go(f"/games/{game}")
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await expect(page.locator(".post")).to_have_count(0)


async def test_what_one_writes_stays_when_others_send_theirs(browser: Browser, table: Table) -> None:
    game = await table.start(4, "postal")
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0])) as visit:
        page = await visit.go(f"/games/{game}")
        post = page.locator(".post")
        await post.get_by_role("button", name="Add: Phase 1").click()
        await choose(page, 1, Which="Buy an asset")
        await post.get_by_role("combobox", name="Row").focus()
        await table.guests[1].send(game, {"type": "SubmitOrders", "round": 1, "sheet": {}})
        await expect(post).to_contain_text("In: Ben")
        await expect(post.get_by_role("combobox", name="Row")).to_be_focused()


async def test_a_sheet_is_written_as_text_and_the_form_follows(browser: Browser, table: Table) -> None:
    game = await table.start(4, "postal")
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0])) as visit:
        page = await visit.go(f"/games/{game}")
        post = page.locator(".post")
        text = post.get_by_label("The same as text")
        await expect(text).to_have_value("pumps: sell\n")
        await post.get_by_role("button", name="Add: Phase 1").click()
        await choose(page, 1, Which="Buy an asset")
        await choose(page, 1, Kind="station", Row="2", Column="3")
        await expect(text).to_have_value("buy pump B3\npumps: sell\n")
        await text.fill("buy pump B3\n\nif cash at least 100: buy refinery D9")
        await expect(post.get_by_role("alert")).to_contain_text("Line 3, column 36: expected a site such as B3")
        await expect(post.get_by_role("button", name="Send the sheet")).to_be_disabled()
        assert await barriers(page) == []
        await post.get_by_role("button", name="Go there").click()
        await expect(text).to_be_focused()
        await page.keyboard.type("D4")
        await expect(page.locator('.post [data-line="3"]').get_by_role("combobox", name="Row")).to_have_value("4")
        await expect(text).to_have_value("buy pump B3\n\nif cash at least 100: buy refinery D4")
        await page.reload()
        await expect(text).to_have_value("buy pump B3\n\nif cash at least 100: buy refinery D4")
        await text.press("Control+End")
        await page.keyboard.type("\nsell 1 crude foreign not below 99")
        await post.get_by_role("button", name="Line 4").click()
        await expect(text).to_be_focused()
        assert await overflow(page) == 0
        await post.get_by_role("button", name="Send the sheet").click()
        await page.get_by_role("dialog").get_by_role("button", name="Send").click()
        await expect(post).to_contain_text("Your sheet is in.")
        refinery = {"type": "BuyAssetOrder", "kind": "refinery", "plot": {"row": 4, "column": 4}}
        sheet = await sheet_of(table, game)
        assert isinstance(sheet, dict)
        assert sheet["orders"] == [
            STATION,
            {"type": "IfOrder", "condition": {"type": "CashIs", "at_least": 100}, "then": [refinery]},
        ]
        assert sheet["trades"][0]["not_below"] == 99
        canonical = (
            "buy pump B3\nbuy refinery D4 if cash at least 100\nsell 1 crude foreign not below 99\npumps: sell\n"
        )
        await expect(text).to_have_value(canonical)


async def sent(page: Page, sure: str) -> None:
    """Send the current sheet, which needs confirmation."""
    await page.locator(".post").get_by_role("button", name="Send the sheet").click()
    await expect(page.get_by_role("dialog")).to_contain_text(sure)
    await page.get_by_role("dialog").get_by_role("button", name="Send").click()


async def taken_back(page: Page, sure: str) -> None:
    await page.locator(".post").get_by_role("button", name="Take it back").click()
    await expect(page.get_by_role("dialog")).to_contain_text(sure)
    await page.get_by_role("dialog").get_by_role("button", name="Take it back").click()


async def test_a_sheet_for_a_later_round_is_written_as_text_too(browser: Browser, table: Table) -> None:
    """It has its own draft. Once sent, it can be read, changed, and taken back."""
    game = await table.start(4, "postal")
    ada = table.guests[0]
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go(f"/games/{game}")
        post = page.locator(".post")
        text, chosen = post.get_by_label("The same as text"), post.get_by_role("combobox", name="Round", exact=True)
        await expect(text).to_have_value("pumps: sell\n")
        await expect(chosen.locator("option")).to_have_count(21)

        await chosen.select_option(label="Round 3")
        await expect(post.get_by_role("heading", name="Order sheet for round 3")).to_be_visible()
        await text.fill("convert keep 20")
        await expect(post).to_contain_text("no rig had a double hit")
        await sent(page, "Send this sheet for round 3?")
        await expect(post).to_contain_text("Send your sheet for this round first")
        await chosen.select_option(label="Round 1, this one")
        await expect(text).to_have_value("pumps: sell\n")
        await sent(page, "Send this sheet for round 1?")
        await expect(post).to_contain_text("Your sheet is in.")
        await chosen.select_option(label="Round 3")
        await expect(text).to_have_value("convert keep 20")
        await sent(page, "Send this sheet for round 3?")
        await expect(text).to_have_value("convert rig keep 20 cash\npumps: sell\n")
        convert = {"orders": [{"type": "ConvertRigOrder", "keep": 20}], "pumps": {"type": "SellAtPumps"}}
        later = (await ada.get(f"/v1/games/{game}")).json()["view"]["later"]
        assert later == [{"round": 3, "sheet": convert, "standing": False}]
        await chosen.select_option(label="Round 2")
        await expect(text).to_have_value("pumps: sell\n")
        await post.get_by_role("button", name="Round 3").click()
        await expect(text).to_have_value("convert rig keep 20 cash\npumps: sell\n")
        await taken_back(page, "Your standing orders, if any")
        await expect(post.get_by_role("button", name="Round 3")).to_have_count(0)
        assert (await ada.get(f"/v1/games/{game}")).json()["view"]["later"] == []


async def test_standing_orders_are_written_as_text_too(browser: Browser, table: Table) -> None:
    """They begin with the current contents. They are shown while they wait for their round, and while they hold."""
    game = await table.start(4, "postal")
    ada = table.guests[0]
    await ada.send(game, {"type": "SubmitOrders", "round": 1, "sheet": {}})
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go(f"/games/{game}")
        post = page.locator(".post")
        text, always = post.get_by_label("The same as text"), post.get_by_label("and all rounds after it")
        await post.get_by_role("combobox", name="Round", exact=True).select_option(label="Round 2")
        await expect(text).to_have_value("pumps: sell\n")
        await text.fill("pumps: hold")
        await always.check()
        await expect(post.get_by_role("heading", name="Standing orders from round 2 on")).to_be_visible()
        await expect(text).to_have_value("pumps: hold")
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await sent(page, "Send this sheet for round 2 and all rounds after it?")
        await expect(post.get_by_role("button", name="From round 2 on")).to_be_visible()
        held = {"pumps": {"type": "HoldPumps"}}
        later = (await ada.get(f"/v1/games/{game}")).json()["view"]["later"]
        assert later == [{"round": 2, "sheet": held, "standing": True}]
        for guest in table.guests[1:]:
            await guest.send(game, {"type": "SubmitOrders", "round": 1, "sheet": {}})
        await post.get_by_role("button", name="Standing orders").click()
        await expect(always).to_be_checked()
        await expect(text).to_have_value("pumps: hold\n")
        await taken_back(page, "End your standing orders?")
        await expect(post.get_by_role("button", name="Standing orders")).to_have_count(0)
        view = (await ada.get(f"/v1/games/{game}")).json()["view"]
        assert (view["standing"], view["later"], view["sheet"]) == (None, [], held)

"""An open table on its page: sit down, agree, start, leave, be invited."""

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.api.guests import Guest, Table, problem
from tests.web.browsing import barriers, overflow, visiting
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")

HOSTILE = "<img src=x onerror=alert(1)>"


async def opened(guest: Guest, **more: object) -> str:
    body = {"ruleset": "mcmulti", "setup": {"seats": 2}, **more}
    return str((await guest.post("/v1/games", json=body)).json()["game"])


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def test_two_sit_down_and_start_by_keyboard(browser: Browser, table: Table) -> None:
    ada, ben = await table.guest(HOSTILE), await table.guest("Ben")
    game = await opened(ada, setup={"seats": 3})
    url = str(table.client.base_url)
    async with (
        visiting(browser, url, await account(ada)) as one,
        visiting(browser, url, await account(ben), size="phone", language="de", dark=True) as other,
    ):
        page, phone = await one.go(f"/games/{game}"), await other.go(f"/games/{game}")
        sit = page.get_by_role("button", name="Sit down")
        await expect(sit).to_have_count(3)
        await sit.first.focus()
        await press(page, "Enter")
        await expect(phone.get_by_role("button", name=HOSTILE)).to_be_visible()
        await expect(phone.get_by_text("hat noch nicht zugestimmt")).to_be_visible()
        await phone.get_by_role("button", name="Platz nehmen").first.focus()
        await press(phone, "Enter")
        await expect(page.get_by_role("button", name="Ben")).to_be_visible()
        agree = phone.locator('[data-command="AgreeToStart"]')
        await agree.focus()
        assert await barriers(phone) == []
        assert await overflow(phone) == 0
        await press(phone, "Enter")
        await expect(page.get_by_text("1 of 2 agree to start.")).to_be_visible()
        assert await barriers(page) == []
        await page.locator('[data-command="StartGame"]').focus()
        await press(page, "Enter")
        await expect(page.locator(".waiting-room")).to_have_count(0)
        await expect(phone.locator(".waiting-room")).to_have_count(0)
    assert (await ada.get(f"/v1/games/{game}")).json()["table"]["status"] == "running"


async def test_who_may_start_at_once_is_not_asked_to_agree_as_well(browser: Browser, table: Table) -> None:
    game = await table.open(2)
    async with visiting(browser, str(table.client.base_url), await account(table.guests[1])) as visit:
        page = await visit.go(f"/games/{game}")
        await expect(page.locator('[data-command="StartGame"]')).to_be_visible()
        await expect(page.locator('[data-command="AgreeToStart"]')).to_have_count(0)


async def test_one_leaves_only_when_one_says_so_twice(browser: Browser, table: Table) -> None:
    game = await table.open(2)
    async with visiting(browser, str(table.client.base_url), await account(table.guests[1])) as visit:
        page = await visit.go(f"/games/{game}")
        leave = page.locator('[data-command="LeaveSeat"]')
        await leave.click()
        await page.keyboard.press("Escape")
        await expect(leave).to_be_focused()
        await leave.click()
        await page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
        await expect(page.get_by_role("button", name="Sit down")).to_be_visible()


async def test_an_invitation_is_a_link_and_a_passcode_that_is_typed(browser: Browser, table: Table) -> None:
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    url = str(table.client.base_url)
    game = await opened(ada, invited=[], listed=False)
    async with visiting(browser, url, await account(ada)) as one, visiting(browser, url, await account(ben)) as other:
        page, guest = await one.go(f"/games/{game}"), await other.go(f"/games/{game}")
        await page.get_by_role("button", name="Create a new passcode").click()
        passcode = await page.locator(".waiting-room p:has-text('shown only now') + p code").inner_text()
        await guest.get_by_role("button", name="Sit down").first.click()
        await expect(guest.get_by_role("alert")).to_be_visible()
        typed = guest.get_by_role("textbox", name="This table is for invited players")
        await typed.fill(passcode.lower())
        await guest.get_by_role("button", name="Sit down").first.click()
        await expect(guest.locator('[data-command="LeaveSeat"]')).to_be_visible()
        assert passcode not in await guest.content()
        assert await barriers(page) == []
        await page.get_by_role("textbox", name="Name").fill("Nobody")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("alert")).to_contain_text("Nobody")
        await table.guest("Cleo")
        await page.get_by_role("textbox", name="Name").fill("Cleo")
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="Withdraw").click()
        await expect(page.get_by_text("Nobody has been invited by name.")).to_be_visible()
    problem(await table.guests[2].post(f"/v1/games/{game}/seats", json={}), 403, "not_invited")


async def test_a_seat_that_was_left_is_taken_by_a_substitute(browser: Browser, table: Table) -> None:
    game = await table.start(3)
    await table.guests[2].send(game, {"type": "Resign"})
    dan = await table.guest("Dan")
    async with visiting(browser, str(table.client.base_url), await account(dan)) as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_role("button", name="Sit down as a substitute").click()
        await expect(page.locator(".waiting-room")).to_have_count(0)
    seats = (await dan.get(f"/v1/games/{game}")).json()["table"]["seats"]
    assert [seat["name"] for seat in seats] == ["Ada", "Ben", "Dan"]


async def in_pages_of_two(route: Route) -> None:
    """Request pages of two events, as if the log were long."""
    await route.continue_(url=route.request.url.replace("limit=1000", "limit=2"))


async def test_who_left_a_seat_is_asked_back_and_nobody_else(browser: Browser, table: Table) -> None:
    game = await table.start(3, if_left="bot", clock={"move_seconds": 3600})
    await table.guests[2].send(game, {"type": "Resign"})
    dan = await table.guest("Dan")
    url = str(table.client.base_url)
    async with (
        visiting(browser, url, await account(table.guests[2])) as left,
        visiting(browser, url, await account(dan)) as stranger,
    ):
        await left.page.route("**/events?limit=1000&*", in_pages_of_two)
        back = (await left.go(f"/games/{game}")).get_by_role("button", name="Return to my seat")
        await expect(back).to_be_visible()
        page = await stranger.go(f"/games/{game}")
        await expect(page.locator(".waiting-room li")).to_have_count(3)
        await expect(page.locator(".waiting-room li button:not(.name)")).to_have_count(0)
        await back.click()
        await expect(page.locator(".waiting-room")).to_have_count(0)


async def test_a_visitor_sits_down_with_nothing_but_a_name(browser: Browser, table: Table) -> None:
    game = await opened(await table.guest("Ada"))
    async with visiting(browser, str(table.client.base_url), size="narrow") as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_label("Your name").fill("Ada")
        await page.get_by_role("button", name="Sit down").click()
        await expect(page.get_by_role("alert")).to_contain_text("Ada")
        await page.get_by_label("Your name").fill("Ben")
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await page.get_by_role("button", name="Sit down").click()
        await expect(page.locator('[data-command="LeaveSeat"]')).to_be_visible()
    seats = (await table.guests[0].get(f"/v1/games/{game}")).json()["table"]["seats"]
    assert [seat["name"] for seat in seats] == ["Ben", None]


async def test_strangers_are_led_to_an_account_and_back(browser: Browser, table: Table) -> None:
    game = await opened(await table.guest("Ada"))
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_role("link", name="I have an account").click()
        form = page.get_by_role("form", name="Register")
        await form.get_by_role("textbox", name="Name").fill("Ben")
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="I saved it").click()
        await page.get_by_role("button", name="Sit down").first.click()
        await expect(page.locator('[data-command="LeaveSeat"]')).to_be_visible()

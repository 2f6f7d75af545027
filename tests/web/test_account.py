"""The account page: register, sign in, tokens, another name, and erasing the account."""

import re

import pytest
from playwright.async_api import Browser, expect

from tests.api.guests import Guest, Table, problem
from tests.web.browsing import barriers, overflow, visiting
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.parametrize("kept", ["in this tab", "on this device"])
async def test_one_registers_by_a_name_and_sees_the_token_once(browser: Browser, table: Table, kept: str) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/account?then=/%23player=x")
        form = page.get_by_role("form", name="Register")
        await form.get_by_label("Name").fill("Ada")
        await form.get_by_label(kept).check()
        assert await barriers(page) == []
        await page.keyboard.press("Enter")
        token = await page.locator("code.secret").inner_text()
        assert token.startswith("mcm_")
        assert token not in page.url
        stored = (
            "Boolean(localStorage.getItem('mcmulti.account'))",
            "Boolean(sessionStorage.getItem('mcmulti.account'))",
        )
        assert [await page.evaluate(each) for each in stored] == [kept == "on this device", kept == "in this tab"]
        await page.get_by_role("button", name="I saved it").click()
        await page.wait_for_url(f"{visit.address}/#player=x")
        await visit.go("/account")
        await expect(page.get_by_role("heading", name="Ada")).to_be_visible()
        assert token not in await page.content()
        other = await visit.context.new_page()
        await other.goto(f"{visit.address}/account")
        signed_in = other.get_by_role("heading", name="Ada")
        await expect(
            signed_in if kept == "on this device" else other.get_by_role("form", name="Register")
        ).to_be_visible()
        assert await overflow(page) == 0


async def test_signing_in_leads_back_to_what_is_shown_by_then(browser: Browser, table: Table) -> None:
    """Another moment of the game than when the page was opened, and another tab."""
    ada = await table.guest("Ada")
    game = await table.start(2)
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_role("tab", name="Holdings").click()
        await page.get_by_role("button", name="Back one event").click()
        await page.wait_for_url(re.compile(r"\?at=\d+#view-1$"))
        shown = page.url
        await page.get_by_role("link", name="Sign in or register").click()
        await page.get_by_role("textbox", name="Token").fill(ada.token)
        await page.get_by_role("button", name="Sign in with a token").click()
        await page.wait_for_url(shown)
        await expect(page.get_by_role("tab", name="Holdings")).to_have_attribute("aria-selected", "true")
        await expect(page.get_by_role("tabpanel", name="Holdings").get_by_role("table").first).to_be_visible()
        await page.get_by_role("tab", name="Story").click()
        assert page.url == shown.removesuffix("#view-1")


async def test_nobody_is_led_elsewhere_by_an_address(browser: Browser, table: Table) -> None:
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url)) as visit:
        for then in ("//evil.example/", "https://evil.example/", "javascript:alert(1)", "/\\evil.example"):
            page = await visit.go(f"/account?then={then}")
            await page.get_by_role("textbox", name="Token").fill(ada.token)
            await page.get_by_role("button", name="Sign in with a token").click()
            await expect(page.get_by_role("heading", name="Ada")).to_be_visible()
            await page.locator("main").get_by_role("button", name="Sign out").click()
            await expect(page.get_by_role("form", name="Register")).to_be_visible()


async def test_a_name_that_is_taken_and_a_token_that_is_none_are_told(browser: Browser, table: Table) -> None:
    await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/account")
        await page.get_by_role("form", name="Register").get_by_label("Name").fill("Ada")
        await page.get_by_role("button", name="Register", exact=True).click()
        await expect(page.get_by_role("alert")).to_contain_text("Ada")
        for token in ("mcm_" + "x" * 43, "nothing like it"):
            await page.get_by_role("textbox", name="Token").fill(token)
            await page.get_by_role("button", name="Sign in with a token").click()
            await expect(page.get_by_role("alert").last).to_contain_text("does not know this token")


async def test_tokens_are_made_listed_and_revoked(browser: Browser, table: Table) -> None:
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/account")
        await page.get_by_text("Create a token").first.click()
        form = page.get_by_role("form", name="Create a token")
        await form.get_by_label("Purpose").fill("<b>my bot</b>")
        await form.get_by_role("button").click()
        token = await page.locator("code.secret").inner_text()
        headers = {"Authorization": f"Bearer {token}"}
        me = (await table.client.get("/v1/players/me", headers=headers)).json()
        assert me["token"]["scopes"] == ["read", "play"]
        row = page.get_by_role("row", name="<b>my bot</b>")
        await expect(row).to_contain_text("playing")
        assert await barriers(page) == []
        await row.get_by_role("button", name="Revoke").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        await expect(row).to_have_count(0)
        problem(await table.client.get("/v1/players/me", headers=headers), 401, "unauthenticated")


async def test_another_name_is_taken_and_shown_at_once(browser: Browser, table: Table) -> None:
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url), await account(ada), language="de") as visit:
        page = await visit.go("/account")
        form = page.get_by_role("form", name="Namen ändern")
        await form.get_by_label("Name").fill("Ada L.")
        await form.get_by_role("button").click()
        await expect(page.get_by_role("banner")).to_contain_text("Ada L.")
        await expect(page.get_by_role("heading", name="Ada L.")).to_be_visible()
    assert (await ada.get("/v1/players/me")).json()["name"] == "Ada L."


async def test_one_is_erased_in_two_steps_by_name(browser: Browser, table: Table) -> None:
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url), await account(ada), size="phone") as visit:
        page = await visit.go("/account")
        await page.get_by_role("button", name="Erase the account").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("textbox").fill("Eve")
        await dialog.get_by_role("button", name="Announce it").click()
        await expect(dialog).to_be_visible()
        assert (await ada.get("/v1/players/me")).json()["pending"] is None
        await dialog.get_by_role("textbox").fill("Ada")
        await dialog.get_by_role("button", name="Announce it").click()
        pending = page.get_by_role("region", name="This account is about to be erased")
        await expect(pending).to_be_visible()
        assert await barriers(page) == []
        await pending.get_by_role("button", name="Erase forever").click()
        await dialog.get_by_role("textbox").fill("Ada")
        await dialog.get_by_role("button", name="Erase forever").click()
        await expect(page.get_by_role("form", name="Register")).to_be_visible()
        await expect(page.get_by_text("Your account has been erased.").first).to_be_visible()
    assert (await ada.get("/v1/players/me")).status_code == 401


ALL = {"name": "spare", "scopes": ["read", "play", "account"]}


async def test_what_a_thief_announced_is_shown_and_canceled(browser: Browser, table: Table) -> None:
    ada = await table.guest("Ada")
    thief = Guest(table.client, "Ada", (await ada.post("/v1/players/me/tokens", json=ALL)).json()["token"])
    await thief.post("/v1/players/me/pending", json={"action": "erase"})
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/account")
        pending = page.get_by_role("region", name="This account is about to be erased")
        await expect(pending).to_contain_text("another token")
        await expect(pending.get_by_role("button", name="Erase forever")).to_have_count(0)
        await pending.get_by_role("button", name="Cancel the announcement").click()
        await page.get_by_role("dialog").get_by_role("button", name="Cancel the announcement").click()
        await expect(pending).to_have_count(0)
        assert (await ada.get("/v1/players/me")).json()["pending"] is None
        await page.get_by_role("button", name="Revoke all others").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revoke all others").click()
        await expect(page.get_by_role("row", name="spare")).to_have_count(0)
    problem(await thief.get("/v1/players/me"), 401, "unauthenticated")


async def test_a_spare_token_becomes_the_owner_token(browser: Browser, table: Table) -> None:
    ada = await table.guest("Ada")
    heir = Guest(table.client, "Ada", (await ada.post("/v1/players/me/tokens", json=ALL)).json()["token"])
    async with visiting(browser, str(table.client.base_url), await account(heir), language="de") as visit:
        page = await visit.go("/account")
        await page.get_by_role("button", name="Zum Hauptschlüssel machen").click()
        await page.get_by_role("dialog").get_by_role("button", name="Ankündigen").click()
        await page.get_by_role("button", name="Hauptschlüssel ersetzen").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("textbox").fill("Ada")
        await dialog.get_by_role("button", name="Hauptschlüssel ersetzen").click()
        await expect(page.get_by_role("row", name="first")).to_have_count(0)
    problem(await ada.get("/v1/players/me"), 401, "unauthenticated")


async def test_a_token_that_revokes_itself_signs_one_out(browser: Browser, table: Table) -> None:
    ada = await table.guest("Ada")
    spare = Guest(table.client, "Ada", (await ada.post("/v1/players/me/tokens", json=ALL)).json()["token"])
    async with visiting(browser, str(table.client.base_url), await account(spare)) as visit:
        page = await visit.go("/account")
        await page.get_by_role("row", name="spare").get_by_role("button", name="Revoke").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        await expect(page.get_by_role("form", name="Register")).to_be_visible()
        assert await page.evaluate("localStorage.getItem('mcmulti.account')") is None

"""The contract on its page: every operation and type, and requests that can be tried out."""

import json
import shlex
from itertools import pairwise

import pytest
from playwright.async_api import Browser, Page, expect

from mcmulti.domain.rulesets import CURRENT
from tests.api.guests import Table
from tests.web.browsing import barriers, overflow, visiting

pytestmark = pytest.mark.needs("chromium")

IDS = "[...document.querySelectorAll('details.part')].map(each => each.id)"
TOLD = """operations => Object.fromEntries(operations.map(id => {
  const part = document.getElementById(id);
  const links = [...part.querySelectorAll("a[href^='#schema-']")].map(each => each.hash);
  return [id, {
    text: part.innerText,
    statuses: [...part.querySelectorAll(".status h4")].map(each => each.innerText),
    dead: links.filter(link => !document.getElementById(link.slice(1))),
  }];
}))"""


ALONE = """parts => document.querySelectorAll("details.part").forEach(part => {
  if (!parts.includes(part.id)) part.remove();
})"""
"""Remove all operations and types but these."""


async def opened(page: Page, operation: str) -> None:
    await page.evaluate("id => { location.hash = id }", operation)
    await page.locator(f"#{operation} .inside > *").first.wait_for()


async def test_every_operation_and_every_type_is_there(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url), size="narrow") as visit:
        for narrowed in ("", *(f"?ruleset={ruleset}" for ruleset in CURRENT)):
            contract = (await table.client.get(f"/openapi.json{narrowed}")).json()
            operations = {each["operationId"] for item in contract["paths"].values() for each in item.values()}
            page = await visit.go(f"/docs/api{narrowed}")
            await page.locator("details.part").first.wait_for()
            types = {f"schema-{name}" for name in contract["components"]["schemas"]}
            assert {*await page.evaluate(IDS)} == operations | types, narrowed
            assert await overflow(page) == 0, narrowed
            assert visit.faults == [], narrowed


async def test_all_of_an_operation_is_told(browser: Browser, table: Table) -> None:
    contract = (await table.client.get("/openapi.json")).json()
    operations = {
        operation["operationId"]: (f"{method.upper()} {path} {operation['summary']}", operation)
        for path, item in contract["paths"].items()
        for method, operation in item.items()
    }
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/docs/api#sendCommands")
        await page.locator("#sendCommands .inside > *").first.wait_for()
        await page.evaluate("document.querySelectorAll('details.part').forEach(part => { part.open = true; })")
        filled = "() => [...document.querySelectorAll('details.part')].every(part => part.querySelector('.inside > *'))"
        await page.wait_for_function(filled)
        told = await page.evaluate(TOLD, [*operations])
        assert [*told] == [*operations]
        for name, (heading, operation) in operations.items():
            assert heading in told[name]["text"]
            for parameter in operation.get("parameters", ()):
                assert parameter["name"] in told[name]["text"]
            assert told[name]["statuses"] == sorted(operation["responses"])
            assert told[name]["dead"] == []
        parts = ("sendCommands", "listGames", "getBalances")  # a body, many parameters, several media types
        await page.evaluate(ALONE, parts)  # which are like all others, and axe takes long for a hundred
        assert await barriers(page) == []


async def test_types_lead_to_each_other_and_can_be_searched_for(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url), language="de") as visit:
        page = await visit.go("/docs/api#getBalances")
        await page.locator("#getBalances").get_by_role("link", name="Balances", exact=True).first.click()
        await expect(page.locator("#schema-Balances")).to_have_attribute("open", "")
        await page.locator("#schema-Balances").get_by_role("link", name="AccountBalance").click()
        await expect(page.locator("#schema-AccountBalance")).to_be_in_viewport()
        await page.get_by_label("In Operationen").fill("ledger")
        await expect(page.locator("#getLedger")).to_be_visible()
        await expect(page.locator("#openGame")).to_be_hidden()
        search = page.get_by_label("In Operationen")
        await search.fill("whether it is in everybody")  # about a field
        await expect(page.locator("#schema-TableView")).to_be_visible()
        await expect(page.locator("#getLedger")).to_be_hidden()
        await search.fill("rematch_of")  # the name of one
        await expect(page.locator("#schema-TableView")).to_be_visible()
        await search.fill("name_taken")
        row = page.locator("#problem-name_taken")
        await expect(row).to_contain_text("409")
        await expect(page.locator("#problem-refused")).to_be_hidden()
        await row.get_by_role("link", name="registerPlayer").click()
        await expect(page.locator("#registerPlayer")).to_have_attribute("open", "")


async def test_what_is_tried_out_is_sent_as_it_is_shown(browser: Browser, table: Table) -> None:
    registered = (await table.client.post("/v1/players", json={"name": "O'Hara $(id)"})).json()
    async with visiting(browser, str(table.client.base_url), registered) as visit:
        page = await visit.go("/docs/api#openGame")
        part = page.locator("#openGame")
        await expect(part).to_contain_text("Sent as O'Hara $(id).")
        body = {"ruleset": "mcmulti", "setup": {"seats": 2}, "listed": False}
        await part.get_by_role("textbox", name="Body").fill(json.dumps(body))
        await part.locator("input[name=Idempotency-Key]").fill("it's-mine")
        curl = shlex.split((await part.locator(".curl").inner_text()).replace("\\\n", " "))
        async with page.expect_request("**/v1/games") as asking:
            await part.get_by_role("button", name="Send").click()
        sent = await asking.value
        assert curl[:4] == ["curl", "-X", sent.method, sent.url]
        headers = dict(line.split(": ", 1) for flag, line in pairwise(curl) if flag == "-H")
        assert headers.pop("Authorization") == "Bearer $TOKEN"  # not on the screen
        assert (await sent.all_headers())["authorization"] == f"Bearer {registered['token']}"
        assert {name: (await sent.all_headers())[name] for name in headers} == headers
        assert headers["idempotency-key"] == "it's-mine"
        assert json.loads(curl[curl.index("-d") + 1]) == json.loads(sent.post_data or "") == body
        await expect(part.locator(".outcome h5")).to_contain_text("Response: 201")
        game = json.loads(await part.locator(".answer").inner_text())["game"]
        await opened(page, "getBalances")
        part = page.locator("#getBalances")
        await part.locator("input[name=game]").fill(game)
        await part.get_by_label("Response as").select_option("text/csv")
        await part.get_by_role("button", name="Send").click()
        await expect(part.locator(".answer")).to_contain_text('"account","unit","balance"')


async def test_refusals_are_shown_and_broken_bodies_are_not_sent(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/docs/api#openGame")
        part = page.locator("#openGame")
        await part.get_by_role("button", name="Send").click()
        await expect(part.locator(".outcome h5")).to_contain_text("401")
        await expect(part.locator(".answer")).to_contain_text("unauthenticated")
        await part.get_by_role("textbox", name="Body").fill("{")
        await part.get_by_role("button", name="Send").click()
        await expect(part.get_by_role("alert")).to_have_text("The body is not valid JSON.")
        await opened(page, "getPlayer")
        part = page.locator("#getPlayer")
        await part.locator("input[name=player]").fill("../../<img src=x onerror=alert(1)>?x=y")
        await part.get_by_role("button", name="Send").click()
        await expect(part.locator(".outcome h5")).to_contain_text("404")
        assert await page.locator("main img").count() == 0

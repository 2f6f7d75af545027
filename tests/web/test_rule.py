"""Rules where pages name them: their text on hover, and a link to more."""

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from mcmulti.domain.rulesets import CURRENT
from mcmulti.web.files import site
from tests.api.guests import Table
from tests.web.browsing import Visit, barriers, visiting

pytestmark = pytest.mark.needs("chromium")

RULE = "market/buy"


def said(rule: str, ruleset: str = "mcmulti", language: str = "en") -> str:
    """What hovers beside a rule."""
    return f"{rule} {CURRENT[ruleset].texts.rules[language][rule]}"  # type: ignore[index]


async def named(visit: Visit, ruleset: str = "mcmulti", rule: str = RULE, do: str = "") -> tuple[Page, Locator]:
    """A page that names a rule, and a button after it."""
    page = await visit.go("/")
    await page.get_by_role("heading").first.wait_for()
    await page.evaluate(
        """async ([address, ruleset, rule, taught]) => {
            const { ruleLink, teach } = await import(address);
            if (taught) teach(ruleset, { [rule]: taught });
            const button = document.createElement("button");
            button.textContent = "next";
            document.querySelector("main").replaceChildren(ruleLink(ruleset, rule), " ", button);
        }""",
        [site().address("lib/rule.js"), ruleset, rule, do],
    )
    return page, page.locator(".rule-id")


async def test_a_rule_says_its_text_to_the_mouse_and_leads_to_its_page(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        page, link = await named(visit)
        await link.hover()
        tip = page.get_by_role("tooltip")
        await expect(tip).to_have_text(said(RULE))
        await tip.hover()  # a reader may rest the mouse there
        await page.wait_for_timeout(400)
        await expect(tip).to_be_visible()
        assert await barriers(page) == []
        await page.mouse.move(0, 0)
        await expect(tip).to_be_hidden()
        assert await link.get_attribute("href") == f"/rules/mcmulti#{RULE}"


async def test_a_rule_that_comes_to_lie_under_a_mouse_that_rests_says_nothing(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url), own_window=True) as visit:
        page, link = await named(visit)
        box = await link.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await page.clock.install()
        await link.evaluate("link => { link.hidden = true; }")
        await page.mouse.move(x, y)
        await link.evaluate("link => { link.hidden = false; }")
        await page.wait_for_function("() => document.querySelector('.rule-id').matches(':hover')")
        await page.clock.run_for(10_000)
        await expect(page.get_by_role("tooltip")).to_be_hidden()
        await page.mouse.move(x + 1, y)
        await expect(page.get_by_role("tooltip")).to_have_text(said(RULE))


async def test_a_rule_says_its_text_to_the_keyboard_until_escape(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url), language="de") as visit:
        page, link = await named(visit, "postal", "postal/pump")
        await page.get_by_role("button", name="next").focus()
        await page.keyboard.press("Shift+Tab")
        tip = page.get_by_role("tooltip")
        await expect(tip).to_have_text(said("postal/pump", "postal", "de"))
        await expect(link).to_have_accessible_description(said("postal/pump", "postal", "de"))
        await page.keyboard.press("Escape")
        await expect(tip).to_be_hidden()
        await expect(link).to_be_focused()


async def test_the_first_touch_says_the_text_and_the_second_leads_to_the_page(browser: Browser, table: Table) -> None:
    context = await browser.new_context(has_touch=True, viewport={"width": 360, "height": 640}, locale="en")
    visit = Visit(context, await context.new_page(), str(table.client.base_url))
    page, link = await named(visit)
    await link.tap()
    await expect(page.get_by_role("tooltip")).to_have_text(said(RULE))
    assert page.url == visit.address + "/"
    box = await page.get_by_role("tooltip").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    await link.tap()
    await page.wait_for_url(f"**/rules/mcmulti#{RULE}")
    await context.close()


async def test_of_a_rule_that_is_not_known_nothing_is_said_but_that(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        for rule in ("no/such-rule", "toString", '<img src=x onerror="alert(1)">'):
            page, link = await named(visit, "mcmulti", rule)
            await link.hover()
            await expect(page.get_by_role("tooltip")).to_contain_text("its text is not known here")
            assert visit.faults == [], rule


async def test_a_page_that_brings_the_texts_asks_no_server(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        page, link = await named(visit, do="As it was in 2026.")
        await page.route("**/v1/**", lambda route: route.abort())
        await link.focus()
        await page.get_by_role("button").focus()
        await page.keyboard.press("Shift+Tab")
        await expect(page.get_by_role("tooltip")).to_have_text(f"{RULE} As it was in 2026.")
        assert await link.get_attribute("href") is None

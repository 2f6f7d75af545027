"""The rules of each game on their page."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from mcmulti.domain.core.wording.manual import components_of, manual_of, readings_of
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.rulesets import CURRENT
from tests.api.guests import Table
from tests.web.browsing import overflow, visiting

pytestmark = pytest.mark.needs("chromium")

ENTRIES = (
    "Object.fromEntries([...document.querySelectorAll('article[id]')]"
    ".map(e => [e.id, e.querySelector('p').textContent]))"
)


def plain(text: str) -> str:
    """A text without code marks."""
    return text.replace("`", "")


def leaves(value: Any) -> list[Any]:
    """All figures of components."""
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, list):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_rules_readings_options_and_commands_are_told(browser: Browser, table: Table, language: Language) -> None:
    """Every rule at its anchor."""
    async with visiting(browser, str(table.client.base_url), language=language, size="narrow") as visit:
        for ruleset in CURRENT:
            texts = CURRENT[ruleset].texts.rules[language]
            manual = manual_of(CURRENT[ruleset], language)
            page = await visit.go(f"/rules/{ruleset}")
            await page.locator("#commands article").first.wait_for()
            assert await page.evaluate(ENTRIES) == {rule: plain(text) for rule, text in texts.items()}
            readings = readings_of(CURRENT[ruleset], language)
            listed = await page.locator(".contents a").evaluate_all("all => all.map(each => each.hash.slice(1))")
            assert ("readings" in listed) == bool(readings)
            shown = {part: await page.locator(f"#{part}").inner_text() for part in listed}
            for reading in readings:
                assert reading.question in shown["readings"]
                assert plain(reading.answer) in shown["readings"]
            assert all(plain(field.meaning) in shown["options"] for field in manual.setup)
            for each in (*manual.commands, *manual.types):
                assert plain(each.meaning) in shown["commands"]
                assert all(plain(field.meaning) in shown["commands"] for field in each.fields)
            assert await overflow(page) == 0, ruleset
            assert visit.faults == [], ruleset


async def test_every_figure_is_shown_and_says_where_it_is_from(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        for ruleset in CURRENT:
            components = components_of(CURRENT[ruleset], "en")
            provenance = components.pop("provenance", {"sources": {}, "figures": {}})
            page = await visit.go(f"/rules/{ruleset}")
            await page.locator("#refusals").wait_for()
            section = page.locator("#figures")
            await expect(section).to_have_count(1 if components else 0)
            shown = await section.inner_text() if components else ""
            for figure in leaves(components):
                if isinstance(figure, int) and not isinstance(figure, bool):
                    assert f"{figure:,}" in shown, ruleset
            for source, text in provenance["sources"].items():
                await expect(page.locator(f"#source-{source}")).to_have_text(text)
            used = set(provenance["figures"].values())
            marks = await section.locator("a.source").evaluate_all("all => all.map(each => each.hash.slice(8))")
            assert {*marks} == used, ruleset
            assert visit.faults == [], ruleset


async def test_an_exception_on_one_card_is_marked_on_that_card_alone(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/rules/mcmulti")
        for card, from_elsewhere in (("Downturn", True), ("Recession", False)):
            shown = page.locator(".card", has=page.get_by_role("heading", name=card))
            refinery = shown.locator("dt", has_text="Sell").locator("+ dd").locator("dt", has_text="Refinery")
            await expect(refinery).to_have_count(1)
            await expect(refinery.locator('a[href="#source-reimplementations"]')).to_have_count(int(from_elsewhere))


async def test_an_address_with_a_rule_leads_to_it_also_while_others_are_searched_for(
    browser: Browser, table: Table
) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/rules/mcmulti#final/winner")
        await expect(page.locator('[id="final/winner"]')).to_be_in_viewport()
        await page.get_by_label("Search rules").fill("red fields")
        await expect(page.locator('[id="consumer/red-fields"]')).to_be_visible()
        await expect(page.locator('[id="final/winner"]')).to_be_hidden()
        await expect(page.locator("#options")).to_be_hidden()
        await page.get_by_label("Search rules").fill("")
        await expect(page.locator("#options")).to_be_visible()
        await page.get_by_label("Search rules").fill("red fields")
        await page.evaluate("location.hash = 'market/buy'")
        await expect(page.locator('[id="market/buy"]')).to_be_in_viewport()
        await expect(page.locator('[id="market/buy"]')).to_have_class("entry here")


async def test_a_code_of_refusal_leads_to_its_rule(browser: Browser, table: Table) -> None:
    rules = (await table.client.get("/v1/rulesets/mcmulti")).json()
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go(f"/rules/mcmulti?version={rules['version']}&utm_source=mail#code-cash")
        row = page.locator("#code-cash")
        await row.get_by_role("link", name=rules["code_rules"]["cash"]).click()
        await expect(page.locator(f'[id="{rules["code_rules"]["cash"]}"]')).to_be_in_viewport()
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/rules/mcmulti?version=999")
        await expect(page.get_by_role("alert")).to_contain_text("has no version 999")


async def test_of_a_rule_set_that_there_is_not_the_page_says_so(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        for name in ("chess", "%3Cimg%20src=x%20onerror=alert(1)%3E"):
            page = await visit.go(f"/rules/{name}")
            await expect(page.get_by_role("alert")).to_be_visible()
            assert await page.locator("main img").count() == 0, name


async def test_an_example_turn_is_shown_with_the_board_after_each_step(browser: Browser, table: Table) -> None:
    """What the game reports can be read on request, with the rule of each sentence."""
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/rules/marracash#example")
        steps = page.locator("#example article")
        await expect(steps).to_have_count(4)
        third = steps.nth(2)
        await third.locator("img").scroll_into_view_if_needed()
        await page.wait_for_function("document.querySelectorAll('#example img')[3].naturalWidth > 0")
        await third.get_by_text("What the game reports").click()
        await expect(third).to_contain_text("Ben buys B4 for 150 dirham; Ada gets a commission of 100 dirham.")
        await expect(third.locator('a[data-rule="auction/commission"]')).to_be_visible()
        assert visit.faults == []

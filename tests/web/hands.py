"""How a person makes a move on the page of a game: by typing it, by keys on its controls, by clicks, or by taps."""

from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Locator, Page, expect

from mcmulti.bots.strategy import Command, Offer
from mcmulti.domain.core.wording.grammar import say
from tests.api.guests import Json
from tests.web.playing import line

STOPS = 100
"""Tab stops, or steps on the board, within which everything must be reachable."""
Press = Callable[[Locator], Awaitable[None]]
"""How a control is used: `Locator.click` or `Locator.tap`."""
NOTHING = {"x": 0.0, "y": 0.0, "width": 0.0, "height": 0.0}


async def by_typing(page: Page, command: Command, offers: list[Offer]) -> None:
    """Type the move on the command line."""
    if not await has_focus(line(page)):
        await page.keyboard.press("Escape")
        await page.keyboard.press("c")
        await expect(line(page)).to_be_focused()
    await page.keyboard.type(say(command, offers))
    await page.keyboard.press("Enter")


async def by_keys(page: Page, command: Command, offers: list[Offer]) -> None:
    """Go to the move by its number, or to a site on the board, make the choices, and press Enter."""
    commands = list(dict.fromkeys(offer["command"] for offer in offers))
    number = commands.index(command["type"])
    alike = [offer for offer in offers if offer["command"] == command["type"]]
    index = next(index for index, offer in enumerate(alike) if admits(offer, command))
    move = page.locator(f".play ol.moves > li:nth-child({number + 1}) .move").nth(index)
    await page.keyboard.press("Escape")
    if "site" in command:
        await page.keyboard.press(str(number + 1))
        aim = move.locator('[data-part="aim"]')
        if await aim.get_attribute("aria-pressed") == "false":
            await tab_to(page, aim)
            await page.keyboard.press("Enter")
        else:
            await page.keyboard.press("Escape")
            await page.keyboard.press("p")
        await to_light(page, "site=" + ",".join(map(str, command["site"].values())))
        await page.keyboard.press("Enter")
        await page.keyboard.press("g")
    else:
        await page.keyboard.press(str(number + 1))
        await tab_to(page, move)
        for name, field in alike[index].get("fields", {}).items():
            await set_field(page, move, name, field, command[name])
    go = move.locator('[data-part="go"]')
    if await go.count():
        await tab_to(page, go)
    await page.keyboard.press("Enter")


async def by_clicks(page: Page, command: Command, offers: list[Offer]) -> None:
    """Make the move with the mouse: on the board, and on the controls."""
    await _by_pressing(page, command, offers, Locator.click)


async def by_taps(page: Page, command: Command, offers: list[Offer]) -> None:
    """Make the move with a finger: on the board, and on the controls."""
    await _by_pressing(page, command, offers, Locator.tap)


async def _by_pressing(page: Page, command: Command, offers: list[Offer], press: Press) -> None:
    """Make the move by clicks or by taps."""
    alike = [offer for offer in offers if offer["command"] == command["type"]]
    index = next(index for index, offer in enumerate(alike) if admits(offer, command))
    move = page.locator(f'.play .move[data-command="{command["type"]}"]').nth(index)
    for name, field in alike[index].get("fields", {}).items():
        await _press_field(page, move, name, field, command[name], press)
    go = move.locator('[data-part="go"]')
    if await go.count():
        await press(go)


async def _press_field(page: Page, move: Locator, name: str, field: Json, value: Any, press: Press) -> None:
    """Choose a value: on the board if it is a site, else in the controls. Nothing if there is no choice."""
    part = move.locator(f'[data-part="{name}"]')
    if not await part.count():
        written = str(value).lower() if isinstance(value, bool) else str(value)
        button = move.locator(f'button[data-part="{written}"]')
        if await button.count():
            await press(button)
    elif name == "site":
        aim = move.locator('[data-part="aim"]')
        if await aim.get_attribute("aria-pressed") == "false":
            await press(aim)
        pick = "site=" + ",".join(map(str, value.values()))
        await press(page.locator(f'.board .light[data-pick="{pick}"]'))
    else:
        kind = await part.first.evaluate("(part) => part.type")
        if kind == "number":
            await part.fill(str(value))
        elif kind == "radio":
            await press(part.nth(field["options"].index(value)))
        else:
            await part.select_option(value=str(value))


async def by_sheet(page: Page, sheet: Json) -> None:
    """Write a sheet that sells barrels, or an empty one, look at its forecast, and send it."""
    post = page.locator(".post")
    for sale in sheet.get("trades", []):
        await tab_to(page, post.get_by_role("button", name="Add: Phase 2"))
        await page.keyboard.press("Enter")
        for chosen in ("Sell barrels", sale["market"], sale["good"]):
            await page.keyboard.type(chosen)
            await page.keyboard.press("Tab")
        await expect(post.get_by_label("How many")).to_be_focused()
        await page.keyboard.press("Control+a")
        await page.keyboard.type(str(sale["quantity"]))
        await forecast(page, sale)
    await tab_to(page, post.get_by_role("button", name="Send the sheet"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def by_tapped_sheet(page: Page, sheet: Json) -> None:
    """Write such a sheet with a finger, look at its forecast, and send it."""
    post = page.locator(".post")
    for sale in sheet.get("trades", []):
        await post.get_by_role("button", name="Add: Phase 2").tap()
        for name, chosen in (("Which", "Sell barrels"), ("Market", sale["market"]), ("Good", sale["good"])):
            await post.get_by_role("combobox", name=name, exact=True).first.select_option(label=chosen)
        await post.get_by_label("How many").fill(str(sale["quantity"]))
        await forecast(page, sale)
    await post.get_by_role("button", name="Send the sheet").tap()
    await page.get_by_role("dialog").get_by_role("button").first.tap()
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def forecast(page: Page, sale: Json) -> None:
    """The sheet says what this sale does, and that nothing looks wrong."""
    aside = page.locator(".post aside")
    told = f"sells {sale['quantity']} barrels of {sale['good']} on the {sale['market']} market"
    await expect(aside).to_contain_text(told)
    await expect(aside).to_contain_text("Nothing looks like a mistake")


async def set_field(page: Page, move: Locator, name: str, field: Json, value: object) -> None:
    """Choose a value by keys: arrows in numbers, lists, and radio buttons, and Tab to single buttons."""
    part = move.locator(f'[data-part="{name}"]')
    if not await part.count():
        if value is not None and await move.locator(f'button[data-part="{value}"]').count():
            await tab_to(page, move.locator(f'button[data-part="{value}"]'))
        return
    kind = await part.first.evaluate("(part) => part.type")
    if kind == "number":
        await tab_to(page, part)
        assert isinstance(value, int)
        if value == field["max"]:
            await page.keyboard.press("PageUp")
        else:
            await page.keyboard.press("PageDown")
            for _ in range((value - field["min"]) // field["step"]):
                await page.keyboard.press("ArrowUp")
        await expect(part).to_have_value(str(value))
    elif kind == "radio":
        await tab_to(page, move.locator(f'fieldset:has([data-part="{name}"])'))
        wanted = part.nth(field["options"].index(value))
        await page.keyboard.press("Space")
        for _ in field["options"]:
            if await wanted.is_checked():
                break
            await page.keyboard.press("ArrowDown")
        await expect(wanted).to_be_checked()
    else:
        await tab_to(page, part)
        await page.keyboard.press("Home")
        for _ in range(field["options"].index(value) + 1):
            await page.keyboard.press("ArrowDown")


async def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until the focus is on or in the element."""
    for _ in range(STOPS):
        if await has_focus(wanted):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"the tabulator does not reach {wanted}")


async def to_light(page: Page, pick: str) -> None:
    """Go from one highlighted site of the board to the next by arrow keys, until the site is reached."""
    wanted = page.locator(f'.board .light[data-pick="{pick}"]')
    for _ in range(STOPS):
        if await has_focus(wanted):
            return
        here = await page.locator(".board .light:focus").bounding_box() or NOTHING
        there = await wanted.bounding_box() or NOTHING
        across, down = there["x"] - here["x"], there["y"] - here["y"]
        sideways = abs(across) > abs(down)
        key = ("ArrowRight" if across > 0 else "ArrowLeft") if sideways else ("ArrowDown" if down > 0 else "ArrowUp")
        await page.keyboard.press(key)
    raise AssertionError(f"arrow keys do not lead to {pick}")


async def has_focus(wanted: Locator) -> bool:
    """Whether the focus is on or in this element."""
    focused: list[bool] = await wanted.evaluate_all("(all) => all.map((each) => each.matches(':focus, :focus-within'))")
    assert len(focused) <= 1, f"there are several {wanted}"
    return focused == [True]


def admits(offer: Offer, command: Command) -> bool:
    """Whether a command may be an instance of this offer."""
    return all(
        command[name] in field["options"] if "options" in field else field["min"] <= command[name] <= field["max"]
        for name, field in offer.get("fields", {}).items()
    )

"""Visitors: a browser on the pages that notices whatever goes wrong there.

A window costs more than most pages, so visits use windows one after the other. What a visit changed in its window is
undone before the next: storage, cookies, routes, size, media, other pages. A clock, or being offline, is not: such a
visit asks for a window of its own.
"""

import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Dialog, Error, Page, expect

from tests.needs import found

HERE = Path(__file__).parent
PATIENCE = 60_000
"""Milliseconds until something missing on a page is an error. A busy machine takes seconds to draw a page."""
expect.set_options(timeout=PATIENCE)
SIZES: dict[str, dict[str, int]] = {
    "desktop": {"width": 1280, "height": 800},
    "phone": {"width": 390, "height": 844},
    "narrow": {"width": 360, "height": 640},
}


_idle: dict[tuple[Browser, str, bool], list[Page]] = {}
"""Windows that wait for their next visit, by the language of their browser, and whether it is a phone's."""
_SEED = """kept => {
  for (const storage of [sessionStorage, localStorage]) storage.clear();
  for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value);
}"""


class Visit:
    """A person's browser on the pages of a server: what they look at, and what went wrong meanwhile."""

    def __init__(self, context: BrowserContext, page: Page, address: str) -> None:
        self.context = context
        self.page = page
        self.address = address
        self.faults: list[str] = []
        self._listening: dict[Any, Any] = {
            "console": self._said,
            "weberror": lambda error: self.faults.append(f"error: {error.error}"),
            "request": self._asked,
            "dialog": self._asked_by_a_dialog,
        }
        for event, heard in self._listening.items():
            context.on(event, heard)

    async def go(self, path: str, status: int = 200) -> Page:
        """Open a page, which must have this status, and wait until its modules have been loaded."""
        answered = await self.page.goto(f"{self.address}{path}")
        assert answered is not None
        assert answered.status == status
        return self.page

    def end(self) -> None:
        """Stop listening."""
        for event, heard in self._listening.items():
            self.context.remove_listener(event, heard)

    def _said(self, message: ConsoleMessage) -> None:
        failed, url = message.text.startswith("Failed to load resource"), message.location["url"]
        told = "/v1/" in url or url == self.page.url  # a refusal by the API is a response; the page's own is checked
        if message.type in ("error", "warning") and not (failed and told):
            self.faults.append(f"{message.type}: {message.text} ({message.location['url']})")

    async def _asked_by_a_dialog(self, dialog: Dialog) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        await dialog.dismiss()

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.faults.append(f"asks somebody else: {request.url}")


@asynccontextmanager
async def visiting(
    browser: Browser,
    address: str,
    account: dict[str, Any] | None = None,
    *,
    size: Literal["desktop", "phone", "narrow"] = "desktop",
    dark: bool = False,
    language: str = "en",
    calm: bool = True,
    asking: str | None = None,
    own_window: bool = False,
    touch: bool = False,
) -> AsyncIterator[Visit]:
    """A visit. `account`: the response to registering, if signed in. Anything that went wrong by its end is a failure.

    `calm`: with reduced motion. `asking`: which moves need confirmation, as the page stores it. `own_window`: nobody
    else uses it before or afterward. `touch`: on a phone, which has neither a mouse nor a keyboard.
    """
    idle = [] if own_window else _idle.setdefault((browser, language, touch), [])
    page = idle.pop() if idle else await _window(browser, language, touch)
    ended = False
    try:
        await page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
        await page.emulate_media(
            media="null",
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if calm else "no-preference",
        )
        await _blank(page, address)
        kept = {"mcmulti.asking": asking} if asking else {}
        if account:
            kept["mcmulti.account"] = json.dumps({name: account[name] for name in ("player", "name", "token")})
        await page.evaluate(_SEED, kept)
        visit = Visit(page.context, page, address)
        yield visit
        assert visit.faults == [], visit.faults
        visit.end()
        ended = not own_window and await _emptied(page, address)
    finally:
        if ended:
            idle.append(page)
        else:
            await page.context.close()


async def _window(browser: Browser, language: str, touch: bool) -> Page:
    """A new window. It answers requests for empty pages itself: a route would do that too, but disable the cache."""
    context = await browser.new_context(locale=language, has_touch=touch, is_mobile=touch)
    context.set_default_timeout(PATIENCE)
    page = await context.new_page()
    session = await context.new_cdp_session(page)

    async def answer(paused: dict[str, Any]) -> None:
        html = [{"name": "Content-Type", "value": "text/html"}]
        answered = {"requestId": paused["requestId"], "responseCode": 200, "responseHeaders": html}
        await session.send("Fetch.fulfillRequest", answered)

    session.on("Fetch.requestPaused", answer)
    await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*/blank"}]})
    return page


async def _blank(page: Page, address: str) -> None:
    """Show an empty page of the server, where the storage of its pages can be set."""
    blank = f"{address}/blank"
    if page.url != blank:
        await page.goto(blank)


async def _emptied(page: Page, address: str) -> bool:
    """Leave a page, and undo what a visit changed in its window. Return whether the window still exists."""
    if page.is_closed():
        return False
    for other in page.context.pages:
        if other is not page:
            await other.close()
    await page.unroute_all()
    await page.context.clear_cookies()
    try:
        await _blank(page, address)
    except Error as error:
        if "ERR_ABORTED" in error.message:  # it was just navigating by itself
            return False
        raise
    await page.mouse.move(-1, -1)
    return True


@cache
def packages() -> Path:
    """The folder of the installed npm packages that check the pages."""
    if not (HERE / "node_modules" / "axe-core").exists():
        npm = (found("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
        subprocess.run(npm, cwd=HERE, check=True, capture_output=True, timeout=300)
    return HERE / "node_modules"


_GRAVE = """() => {
  const light = axe._audit.rules.filter(({ impact }) => !["serious", "critical"].includes(impact));
  const rules = Object.fromEntries(light.map(({ id }) => [id, { enabled: false }]));
  return axe.run(document, { rules, preload: false, resultTypes: ["violations"] });
}"""
"""Without the rules of which every violation is too light to count, and without the styles of other hosts: there are
none.
"""


async def barriers(page: Page) -> list[str]:
    """What axe finds on a page that keeps people from using it, serious or worse: each with its place."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate((packages() / "axe-core" / "axe.min.js").read_text("utf-8") + ";undefined")
    found_ = await page.evaluate(_GRAVE)
    return [
        f"{each['id']}: {each['help']} ({'; '.join(' '.join(map(str, node['target'])) for node in each['nodes'])})"
        for each in found_["violations"]
        if each["impact"] in ("serious", "critical")
    ]


async def overflow(page: Page) -> int:
    """How many pixels a page is wider than the window: nobody should have to scroll sideways."""
    wider: int = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider

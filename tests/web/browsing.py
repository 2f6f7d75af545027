"""Visitors: a browser on the pages, which notices whatever goes wrong there."""

import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, expect

from tests.needs import found

HERE = Path(__file__).parent
PATIENCE = 60_000
"""Milliseconds until what a page should show counts as missing: a busy machine takes seconds to draw a page."""
expect.set_options(timeout=PATIENCE)
SIZES: dict[str, dict[str, int]] = {
    "desktop": {"width": 1280, "height": 800},
    "phone": {"width": 390, "height": 844},
    "narrow": {"width": 360, "height": 640},
}


class Visit:
    """A browser of somebody's own on the pages of a server: what they look at, and what went wrong meanwhile."""

    def __init__(self, context: BrowserContext, page: Page, address: str) -> None:
        self.context = context
        self.page = page
        self.address = address
        self.faults: list[str] = []
        context.on("console", self._said)
        context.on("weberror", lambda error: self.faults.append(f"error: {error.error}"))
        context.on("request", self._asked)
        context.on("dialog", self._asked_by_a_dialog)

    async def go(self, path: str, status: int = 200) -> Page:
        """Open a page, which is answered with this status, and wait until its modules have been loaded."""
        answered = await self.page.goto(f"{self.address}{path}")
        assert answered is not None
        assert answered.status == status
        return self.page

    def _said(self, message: ConsoleMessage) -> None:
        failed, url = message.text.startswith("Failed to load resource"), message.location["url"]
        told = "/v1/" in url or url == self.page.url  # a refusal by the API is an answer; the page's own is looked at
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
) -> AsyncIterator[Visit]:
    """A visit; `account` is what registering answered, of who is signed in. What went wrong by its end is a failure.

    `calm`: with reduced motion.
    """
    kept = json.dumps({name: account[name] for name in ("player", "name", "token")}) if account else None
    items = [{"name": "mcmulti.account", "value": kept}] if kept else []
    state: Any = {"cookies": [], "origins": [{"origin": address, "localStorage": items}]}
    context = await browser.new_context(
        viewport=SIZES[size],  # type: ignore[arg-type]
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if calm else "no-preference",
        locale=language,
        storage_state=state,
    )
    context.set_default_timeout(PATIENCE)
    try:
        visit = Visit(context, await context.new_page(), address)
        yield visit
        assert visit.faults == [], visit.faults
    finally:
        await context.close()


@cache
def packages() -> Path:
    """The folder of the packages of npm that check the pages, installed."""
    if not (HERE / "node_modules" / "axe-core").exists():
        npm = (found("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
        subprocess.run(npm, cwd=HERE, check=True, capture_output=True, timeout=300)
    return HERE / "node_modules"


async def barriers(page: Page) -> list[str]:
    """What axe finds on a page that keeps people from using it, serious or worse: each with where it is."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate((packages() / "axe-core" / "axe.min.js").read_text("utf-8") + ";undefined")
    found_ = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']}: {each['help']} ({'; '.join(' '.join(map(str, node['target'])) for node in each['nodes'])})"
        for each in found_["violations"]
        if each["impact"] in ("serious", "critical")
    ]


async def overflow(page: Page) -> int:
    """How many pixels a page is wider than the window: nobody shall have to scroll sideways."""
    wider: int = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider

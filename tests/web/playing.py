"""People at a table, each with a browser, who play through the pages alone."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Literal

from playwright.async_api import Browser, Page

from tests.api.guests import Table
from tests.web.browsing import Visit, visiting
from tests.web.people import account

Size = Literal["desktop", "phone", "narrow"]


@asynccontextmanager
async def seated(
    browser: Browser, table: Table, game: str, seats: int = 2, asking: str = "{}", **look: Any
) -> AsyncIterator[list[Visit]]:
    """A visit of each guest at the table, with their moves before them. `asking`: which moves need confirmation."""
    async with AsyncExitStack() as stack:
        visits = []
        for guest in table.guests[:seats]:
            who = await account(guest)
            visiting_ = visiting(browser, str(table.client.base_url), who, asking=asking, **look)
            visit = await stack.enter_async_context(visiting_)
            page = await visit.go(f"/games/{game}")
            await moves(page).wait_for()
            visits.append(visit)
        yield visits


def moves(page: Page) -> Any:
    """The place of the offers."""
    return page.locator(".play")


def line(page: Page) -> Any:
    """The command line."""
    return page.get_by_label("Command line", exact=True).and_(page.locator("input"))

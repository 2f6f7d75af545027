"""The page of a game in windows of all sizes, at its first turn, its tenth, and its fiftieth."""

from typing import Any

import pytest
from playwright.async_api import Browser

from mcmulti.domain.rulesets import CURRENT, PLAYED_BY_ORDERS
from tests.api.guests import Table
from tests.profiles import profile_of
from tests.web.browsing import visiting
from tests.web.layouts import at_every_size
from tests.web.long_games import played
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")
TURNS = (1, 10, 50)
LONG = {name: long for name in CURRENT if (long := profile_of(name).long)}


async def _turn(table: Table, game: str) -> int:
    shown: Any = (await table.client.get(f"/v1/games/{game}")).json()
    return int(shown["table"]["turn"])


@pytest.mark.timeout(300)
@pytest.mark.parametrize("ruleset", LONG)
async def test_what_the_game_asks_for_is_seen_in_every_window_however_long_it_lasts(
    browser: Browser, table: Table, ruleset: str
) -> None:
    wrong = []
    for turn in TURNS:
        game = await played(table, ruleset, turn)
        who = await account(table.guests[0])
        async with visiting(browser, str(table.client.base_url), who, language="de" if turn == 10 else "en") as visit:
            page = await visit.go(f"/games/{game}")
            await page.locator(".play[data-ready]").wait_for()
            await page.locator(".story [aria-current]").wait_for()
            assert (await _turn(table, game)) >= min(turn, LONG[ruleset].last)
            if ruleset in PLAYED_BY_ORDERS:
                await page.locator(".post .sending button").first.wait_for()
            wrong += await at_every_size(page, f"turn {turn}")
    assert wrong == []

"""No request costs more than the table allows, and the guard notices one that does."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from mcmulti.api.operations import play
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.store.lru_cache import LruCache
from tests.conftest import new_database
from tests.guard.counting import PACKAGE, counted
from tests.guard.requests import KINDS
from tests.guard.server import Request, Server, server
from tests.guard.table import COMMAND, TABLE, Cost, differences, measured, read, written

SALE = {"sale": KINDS["sale"]}
OF_ALL_GAMES = {"rule sets"}
"""The requests that cost more if another game is plugged in."""


async def test_requests_cost_what_the_table_says(database: str) -> None:
    """A failure names the row. If the cost is worth it, rewrite the table, and say why in the commit message."""
    left_out = set() if CURRENT.keys() == SHIPPED.keys() else OF_ALL_GAMES
    kinds = {name: kind for name, kind in KINDS.items() if name not in left_out}
    table = {name: cost for name, cost in read(TABLE.read_text("utf-8")).items() if name not in left_out}
    found = differences(await measured(database, kinds), table)
    assert not found, "\n".join(["", *found, f"To rewrite {TABLE.name}: {COMMAND}"])


async def test_a_command_takes_the_path_that_the_map_describes(database: str) -> None:
    """Each step of the walk, in order, except for those that only run when a server starts or a game is not cached."""
    text = (PACKAGE.parent / "ARCHITECTURE.md").read_text("utf-8")
    steps = text.partition("## The life of a command\n\n")[2].partition("\n\n")[0]
    named = re.findall(r"`([a-z]\w+)`\s+\(`([a-z_/]+\.py)`\)", steps)
    walk = [(name, file) for name, file in named if (name, file) != ("now", "events/store/history.py")]
    assert len(walk) >= 10
    async with server(database) as ours:
        kind = await KINDS["sale"](ours)
        for request in kind.requests:
            tally = await counted(partial(_sent, ours, request))
    called = [(code.co_name, str(Path(code.co_filename).relative_to(PACKAGE))) for code in tally.calls]
    assert [each for each in dict.fromkeys(called) if each in walk] == list(dict.fromkeys(walk))


async def _sent(ours: Server, request: Request) -> None:
    await ours.send(request)


def test_the_table_is_as_the_command_writes_it() -> None:
    text = TABLE.read_text("utf-8")
    assert written(read(text)) == text


@contextmanager
def dearer_sales(calls: int, statements: int) -> Iterator[None]:
    """Responses to commands take this much longer."""
    result, cache = play._result, LruCache[int, int](1)

    async def dearer(call: Any, *told: Any) -> Any:
        for _ in range(calls):
            cache.get(0)
        for _ in range(statements):
            await call.service.log.ready()
        return await result(call, *told)

    with patch.object(play, "_result", dearer):
        yield


async def test_a_dearer_handler_is_noticed(postgres: EmbeddedPostgres, migrated: str) -> None:
    async def sale(calls: int = 0, statements: int = 0) -> Cost:
        with new_database(postgres, template=migrated) as name, dearer_sales(calls, statements):
            return (await measured(postgres.url(database=name), SALE))["sale"]

    usual = await sale()
    table = {"sale": usual}
    assert await sale() == usual
    few, many = usual.calls * 2 // 100, -(-usual.calls * 5 // 100)
    assert not differences({"sale": await sale(calls=few)}, table)
    (calls,) = differences({"sale": await sale(calls=many)}, table)
    assert calls == f"sale: calls {usual.calls} -> {usual.calls + many}, more than 3 % above the table"
    asked = await sale(statements=1)
    assert asked.statements == usual.statements + 1
    said = f"sale: statements {usual.statements} -> {asked.statements}, more than 3 % above the table"
    assert said in differences({"sale": asked}, table)


@pytest.mark.parametrize("kind", ["state", "roll"])
async def test_a_request_costs_the_same_whatever_was_asked_before(
    kind: str, database: str, postgres: EmbeddedPostgres, migrated: str
) -> None:
    (alone,) = (await measured(database, {kind: KINDS[kind]})).values()
    with new_database(postgres, template=migrated) as name:
        among = await measured(postgres.url(database=name), {"offers": KINDS["offers"], **SALE, kind: KINDS[kind]})
    assert among[kind] == alone

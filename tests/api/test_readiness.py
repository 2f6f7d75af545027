"""Readiness means that writes work: a server whose commands would fail reports it, and gets no requests."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest

from mcmulti.api import readiness
from mcmulti.metrics import WRITES_FAIL
from tests.api.guests import Table
from tests.api.owner import Owner
from tests.api.stream_server import served


@pytest.fixture
async def table(database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    monkeypatch.setattr(readiness, "AGE", 0.0)
    async with served(database) as (_, table):
        yield table


async def ready(table: Table) -> tuple[int, str]:
    answered = await table.client.get("/readyz")
    return answered.status_code, answered.json().get("code", "ok")


@pytest.mark.parametrize(
    "right", ["INSERT ON event", "INSERT ON receipt", "UPDATE (head_seq) ON game", "UPDATE (at) ON probe"]
)
async def test_a_server_that_may_not_write_is_not_ready(right: str, table: Table, database: str) -> None:
    owner = Owner(database)
    assert await ready(table) == (200, "ok")
    owner.do(f"REVOKE {right} FROM mcmulti_server")
    assert await ready(table) == (503, "database_away")
    assert WRITES_FAIL._value.get() == 1
    assert (await table.client.get("/healthz")).status_code == 200
    owner.do(f"GRANT {right} TO mcmulti_server")
    assert await ready(table) == (200, "ok")
    assert WRITES_FAIL._value.get() == 0


async def test_a_server_of_a_database_that_is_only_read_is_not_ready(table: Table, database: str) -> None:
    """As after a failover to a replica: reads still work."""
    name = psycopg.conninfo.conninfo_to_dict(database)["dbname"]
    ends = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()"""
    for setting, status in (("on", 503), ("off", 200)):
        with psycopg.connect(database, autocommit=True, options="-c default_transaction_read_only=off") as owner:
            owner.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {setting}'.encode())
            owner.execute(ends.encode())
        async with asyncio.timeout(60):
            while (await ready(table))[0] != status:  # noqa: ASYNC110 - what is waited for has no bell
                await asyncio.sleep(0.1)
        assert (await table.client.get("/v1/games")).status_code == 200


async def test_a_server_whose_writes_hang_is_not_ready(table: Table, database: str) -> None:
    """Another session holds the row, as a hanging commit does."""
    with psycopg.connect(database) as owner:
        owner.execute("SELECT FROM probe FOR UPDATE")
        assert await ready(table) == (503, "database_away")
    assert await ready(table) == (200, "ok")


async def test_however_many_ask_the_database_is_asked_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "AGE", 3600.0)
    log, asked = table.log, 0
    writable = type(log).writable

    async def counted(self: object) -> None:
        nonlocal asked
        asked += 1
        await writable(log)

    monkeypatch.setattr(type(log), "writable", counted)
    answered = await asyncio.gather(*(table.client.get("/readyz") for _ in range(50)))
    assert {each.status_code for each in answered} == {200}
    assert asked <= 1

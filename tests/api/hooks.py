"""A server that sends messages, and the webhooks of its guests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcmulti.api.service import Service
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.notify.settings import Notify
from tests.api.applications import table_of
from tests.api.guests import Guest, Json, Table

HOOKS = "/v1/players/me/webhooks"
URL = "https://example.org/hook?key=word"
SITE = Notify("https://play.example.org")


@asynccontextmanager
async def served(log: PostgresLog, notify: Notify | None = SITE) -> AsyncIterator[Table]:
    async with table_of(Service(log, notify=notify), log) as table:
        yield table


async def added(guest: Guest, headers: dict[str, str] | None = None, **body: Any) -> Json:
    answered = await guest.post(HOOKS, json={"url": URL, **body}, headers=headers or {})
    assert answered.status_code == 201, answered.text
    assert answered.headers["cache-control"] == "no-store"
    made: Json = answered.json()
    return made


async def listed(guest: Guest) -> list[Json]:
    found: list[Json] = (await guest.get(HOOKS)).json()["webhooks"]
    return found

"""A server answers the common faults of bots as the guide to clients says."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from mcmulti.server.database import opened_log
from mcmulti.server.process import answering, bound
from tests.docs.manual import page

ROOT = Path(__file__).parents[2]
DEALING = {"type": "BuyBarrels", "market": "domestic", "good": "crude", "quantity": 1}
ROLLING = {"type": "RollDice"}


@pytest.fixture
async def server(database: str) -> AsyncIterator[str]:
    """The address of a server."""
    with bound("127.0.0.1", 0) as listener:
        async with opened_log(database) as log, answering(log, listener) as address:
            yield address


class Table:
    """A game of two with the first seat to move, after the special purchase round."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._tokens: list[str] = []
        self._game = ""

    async def begin(self, sign: str) -> None:
        """Open it, with this suffix in the players' names, and play to the first market phase."""
        for name in (f"Ada {sign}", f"Ben {sign}"):
            told = (await self._http.post("/v1/players", json={"name": name, "kind": "bot"})).json()
            self._tokens.append(told["token"])
        opened = await self.ask(
            "POST", "/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0}}
        )
        self._game = opened.json()["game"]
        for seat in (0, 1):
            await self.ask("POST", "/seats", seat, json={"seat": seat})
        await self.send({"type": "StartGame"})
        for seat in (0, 1, 0, 1):
            assert (await self.send({"type": "EndPurchases"}, seat=seat)).is_success

    async def ask(self, method: str, path: str, seat: int | None = 0, **how: Any) -> httpx.Response:
        headers = how.pop("headers", {})
        if seat is not None:
            headers = {"Authorization": f"Bearer {self._tokens[seat]}", **headers}
        address = path if path.startswith("/v1/") else f"/v1/games/{self._game}{path}"
        return await self._http.request(method, address, headers=headers, **how)

    async def send(self, *commands: Any, seat: int | None = 0, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.ask("POST", "/commands", seat, json={"commands": commands}, headers=named)


Fault = Callable[[Table], Awaitable[httpx.Response]]


async def ignored(table: Table) -> httpx.Response:
    return await table.send({"type": "EndTurn"})


async def others_move(table: Table) -> httpx.Response:
    return await table.send(ROLLING, seat=1)


async def stale(table: Table) -> httpx.Response:
    tag = (await table.ask("GET", "/offers")).headers["ETag"]
    assert (await table.send(DEALING)).is_success
    return await table.send(DEALING, If_Match=tag)


async def sent_twice(table: Table) -> httpx.Response:
    before = (await table.ask("GET", "")).json()["view"]["seats"][0]["crude"]
    await table.send(DEALING)
    again = await table.send(DEALING)
    assert (await table.ask("GET", "")).json()["view"]["seats"][0]["crude"] == before + 2
    return again


async def sent_again_with_its_key(table: Table) -> httpx.Response:
    first = await table.send(DEALING, Idempotency_Key="a-deal-1")
    again = await table.send(DEALING, Idempotency_Key="a-deal-1")
    assert again.content == first.content
    assert again.headers["Idempotent-Replayed"] == "true"
    return again


async def a_key_for_all(table: Table) -> httpx.Response:
    await table.send(DEALING, Idempotency_Key="the-only-key")
    return await table.send(ROLLING, Idempotency_Key="the-only-key")


async def polling(table: Table) -> httpx.Response:
    tag = (await table.ask("GET", "/offers")).headers["ETag"]
    return await table.ask("GET", "/offers", headers={"If-None-Match": tag})


async def a_float(table: Table) -> httpx.Response:
    return await table.send({**DEALING, "quantity": 1.0})


async def a_field_too_many(table: Table) -> httpx.Response:
    return await table.send({**DEALING, "reason": "cheap"})


async def dice_before_the_end(table: Table) -> httpx.Response:
    return await table.send(ROLLING, DEALING)


async def no_token(table: Table) -> httpx.Response:
    return await table.send(ROLLING, seat=None)


async def no_json(table: Table) -> httpx.Response:
    return await table.ask("POST", "/commands", content="commands=RollDice", headers={"Content-Type": "text/plain"})


async def the_wrong_game(table: Table) -> httpx.Response:
    return await table.send({"type": "SubmitOrders", "round": 1, "sheet": {}})


FAULTS: tuple[Fault, ...] = (
    ignored,
    others_move,
    stale,
    sent_twice,
    sent_again_with_its_key,
    a_key_for_all,
    polling,
    a_float,
    a_field_too_many,
    dice_before_the_end,
    no_token,
    no_json,
    the_wrong_game,
)
"""In the order of the table."""


def rows() -> list[list[str]]:
    """The rows of the table in the guide."""
    section = page("how-to/write-a-client").split("\n## Common faults\n")[1].split("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in re.findall(r"^\|.*\|$", section, re.MULTILINE)[2:]]


async def test_the_server_answers_as_the_guide_says(server: str) -> None:
    said = []
    async with httpx.AsyncClient(base_url=server) as http:
        for number, fault in enumerate(FAULTS):
            table = Table(http)
            await table.begin(f"{number}")
            answer = await fault(table)
            code = f" `{answer.json()['code']}`" if answer.is_error else ""
            said.append(f"{answer.status_code}{code}")
    assert said == [row[1] for row in rows()]

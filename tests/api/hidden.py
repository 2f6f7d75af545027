"""Two games that differ only in what is hidden: readers who may not see it get the same bytes for both.

Other tests look for known traces of a sheet. These find whatever a response reveals of what is hidden, in any form: it
is exchanged, all else stays the same, and every operation of the contract is called, with all documented parameters, by
everybody who may not know. Hashes, signatures, digests, and the reader's own salts and tokens differ necessarily: they,
and nothing else, are ignored.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import unquote
from uuid import UUID

import msgspec
from httpx import ASGITransport, AsyncClient

from mcmulti.api.app import application
from mcmulti.domain.rulesets import PLAYED_BY_ORDERS, SHIPPED
from mcmulti.events.memory.log import MemoryLog
from tests.api.all_operations import Request, requests
from tests.api.applications import application_behind
from tests.api.guests import Json, Table
from tests.api.sealed_game import OTHER, SECRET, submit
from tests.profiles import profile_of

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MODERATE: Json = {"pumps": {"type": "SellAtPumps", "not_below": 4}}
"""Another sheet than `SECRET`, of another length, with other kinds of lines."""
NOBODY_ELSE = ("Ben", "Eve", "nobody")
"""Another seat than Ada's, a stranger, and an anonymous reader."""

_DIGESTS = [
    re.compile(r"()[0-9a-f]{64}(?:[0-9a-f]{64})?"),
    re.compile(r"(\"salt\":\")[0-9a-f]{32}"),
    re.compile(r"(-)[0-9a-f]{16}\b"),
    re.compile(r"(mcm_)[\w-]{43}"),
]
"""One after the other is much faster than one pattern with alternatives."""
_ALONE = {"x-request-id", "date"}
"""Headers that belong to one request."""
IDLE = 25
"""Turns of the event loop after which a silent stream has nothing more to send: it takes five at most."""


class AtNoon(datetime):
    """A clock that always shows noon."""

    @classmethod
    def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
        return NOON


Play = Callable[[Table], Awaitable[str]]
"""Plays a game with hidden information, and returns its id."""


@asynccontextmanager
async def played(play: Play, seed: bytes) -> AsyncIterator[tuple[Table, str]]:
    """A game on its own server, whose ids and times are always the same."""
    ids = _ids()
    with ExitStack() as patched:
        for name, module in list(sys.modules.items()):
            if name.startswith("mcmulti.") and hasattr(module, "uuid4"):
                patched.enter_context(patch(f"{name}.uuid4", lambda: next(ids)))
        patched.enter_context(patch("mcmulti.events.memory.kept.datetime", AtNoon))
        patched.enter_context(patch("mcmulti.api.service.SteadyClock", lambda: lambda: NOON))
        secrets = SimpleNamespace(token_bytes=lambda count: seed[:count])
        patched.enter_context(patch("mcmulti.referee.opening.secrets", secrets))
        patched.enter_context(patch("resvg_py.svg_to_bytes", _undrawn))
        log = MemoryLog()
        await log.signer(bytes(32))
        app = application(log)
        async with AsyncClient(transport=ASGITransport(app), base_url="http://mcmulti") as client:  # type: ignore[arg-type]
            table = Table(client, log)  # type: ignore[arg-type]
            yield table, await play(table)


def _undrawn(svg_string: str, **_: object) -> bytes:
    """What a picture shows says more than its pixels, and costs less."""
    return svg_string.encode()


def _ids() -> Iterator[UUID]:
    number = 0
    while True:
        number += 1
        yield UUID(int=number, version=4)


def by_post(sheet: Json, rounds: int) -> Play:
    """N rounds are over, in which all sent the same; in the next Ada sent this sheet, and Dan's is missing."""

    async def play(table: Table) -> str:
        game = await table.start(4, ruleset="postal")
        await table.guest("Eve")
        for number in range(1, rounds + 1):
            for guest in table.guests[:4]:
                assert (await guest.send(game, submit(OTHER, number))).status_code == 200
        for guest, sent in zip(table.guests[:3], (sheet, OTHER, OTHER), strict=True):
            assert (await guest.send(game, submit(sent, rounds + 1))).status_code == 200
        return game

    return play


STANDING: Json = {**submit(MODERATE), "type": "SetStanding"}
SECRETLY: dict[str, Json] = {
    "a sheet for a later round": submit(SECRET, 3),
    "standing orders": {**submit(SECRET), "type": "SetStanding"},
    "standing orders from a later round on": {**submit(SECRET, 7), "type": "SetStanding"},
    "a later sheet that is taken back": {"type": "WithdrawOrders", "round": 5},
    "standing orders that end": {"type": "EndStanding", "round": 1},
}
"""Ada's commands that others must not be able to distinguish from another sheet for this round."""


def later(command: Json) -> Play:
    """Ada sent standing orders and a sheet for round 5, then this; Dan's sheet is missing."""

    async def play(table: Table) -> str:
        game = await table.start(4, ruleset="postal")
        await table.guest("Eve")
        ada, *others = table.guests[:3]
        for sent in (STANDING, submit(OTHER, 5), command):
            assert (await ada.send(game, sent)).status_code == 200
        for guest in others:
            assert (await guest.send(game, submit(OTHER))).status_code == 200
        return game

    return play


def inviting(name: str) -> Play:
    """Ada opens an unlisted table for one invited player, and waits."""

    async def play(table: Table) -> str:
        for guest in ("Ada", "Ben", "Cleo", "Dan", "Eve"):
            await table.guest(guest)
        body = {"ruleset": "mcmulti", "setup": {"seats": 3}, "listed": False, "invited": [name]}
        game = str((await table.guests[0].post("/v1/games", json=body)).json()["game"])
        assert (await table.guests[0].post(f"/v1/games/{game}/seats", json={})).status_code == 201
        return game

    return play


def voted(voter: int, *, accept: bool) -> Play:
    """Ada proposes to call the game off, and one of the others answers."""

    async def play(table: Table) -> str:
        game = await table.start(4)
        await table.guest("Eve")
        proposed = await table.guests[0].send(game, {"type": "ProposeEnd", "how": "call_off"})
        assert proposed.status_code == 200
        answer = {"type": "AnswerEnd", "how": "call_off", "accept": accept}
        assert (await table.guests[voter].send(game, answer)).status_code == 200
        return game

    return play


def about_to_start(ruleset: str) -> Play:
    """All sit at the table, and nothing is drawn yet."""

    async def play(table: Table) -> str:
        game = await table.open(4, ruleset=ruleset)
        await table.guest("Eve")
        return game

    return play


def instructed(orders: Json | None) -> Play:
    """In the special purchase round Ada set orders for others' turns, or removed them."""

    async def play(table: Table) -> str:
        game = await table.start(4, instructions=5)
        await table.guest("Eve")
        assert (await table.guests[0].send(game, {"type": "Instruct", "orders": orders})).status_code == 200
        return game

    return play


def bidding_up_to(most: int, *, raised: int | None = None) -> Play:
    """In the first auction Ada set a ceiling, and possibly replaced it. Cleo and Dan are out, Ben is asked."""

    async def play(table: Table) -> str:
        game = await table.start(4, ruleset="marracash")
        await table.guest("Eve")
        put_up = [await guest.send(game, {"type": "PutUp", "shop": "R1", "bid": 100}) for guest in table.guests[:4]]
        assert sorted(answer.status_code for answer in put_up) == [200, 409, 409, 409]
        for ceiling in (most, raised or most):
            assert (await table.guests[0].send(game, {"type": "BidUpTo", "most": ceiling})).status_code == 200
        while True:
            auction = (await table.client.get(f"/v1/games/{game}")).json()["view"]["auction"]
            if auction["asked"] == 1 and {2, 3} <= set(auction["passed"]):
                return game
            more = {"type": "Bid", "bid": auction["bid"] + 25}
            command = more if auction["asked"] == 1 else {"type": "PassBid"}
            assert (await table.guests[auction["asked"]].send(game, command)).status_code == 200

    return play


async def series_running(table: Table) -> str:
    """Ada and Cleo have rolled at the first table of a series; at the second one, Ben and Dan have not begun."""
    for name in ("Ada", "Ben", "Cleo", "Dan", "Eve"):
        await table.guest(name)
    ada, ben, cleo, dan, _ = table.guests
    body = {"ruleset": "mcmulti", "tables": 2, "setup": {"seats": 2, "first_seat": 0}}
    games = [each["game"] for each in (await ada.post("/v1/series", json=body)).json()["tables"]]
    for game, players in zip(games, ((ada, cleo), (ben, dan)), strict=True):
        for player in players:
            assert (await player.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    assert (await ada.send(games[0], {"type": "StartGame"})).status_code == 200
    for go in range(4):
        assert (await (ada, cleo)[go % 2].send(games[0], {"type": "EndPurchases"})).status_code == 200
    assert (await ada.send(games[0], {"type": "RollDice"})).status_code == 200
    return str(games[0])


async def series_left(table: Table) -> str:
    """The same, and Cleo resigned: the table is over, and the series is not."""
    game = await series_running(table)
    assert (await table.guests[2].send(game, {"type": "Resign"})).status_code == 200
    return game


class Hidden(NamedTuple):
    """What is hidden: two versions of the same game, and what others may try to find out."""

    ruleset: str
    one: Play
    other: Play
    seeds: tuple[bytes, bytes] = (b"a" * 32, b"a" * 32)
    tries: tuple[Json, ...] = ()


_BY_POST = (
    submit(OTHER, 1),
    submit(OTHER, 2),
    {"type": "HoldRound", "round": 1, "hold": True},
    {"type": "HoldRound", "round": 2, "hold": True},
    {"type": "WithdrawOrders", "round": 1},
    {"type": "WithdrawOrders", "round": 2},
)
_BIDS: tuple[Json, ...] = (
    {"type": "PassBid"},
    *({"type": "Bid", "bid": bid} for bid in (150, 400, 1200)),
    *({"type": "BidUpTo", "most": most} for most in (150, 400, 1200)),
)
HIDDEN = {
    "another sheet and another seed": Hidden(
        "postal", by_post(SECRET, 0), by_post(MODERATE, 0), (b"a" * 32, b"b" * 32), _BY_POST
    ),
    "another sheet in the second round": Hidden("postal", by_post(SECRET, 1), by_post(MODERATE, 1), tries=_BY_POST),
    **{
        f"another sheet and {name}": Hidden("postal", later(submit(OTHER)), later(command), tries=_BY_POST)
        for name, command in SECRETLY.items()
    },
    "another who agrees to an end": Hidden(
        "mcmulti",
        voted(2, accept=True),
        voted(3, accept=True),
        tries=({"type": "AnswerEnd", "how": "call_off", "accept": True},),
    ),
    "another who is invited": Hidden("mcmulti", inviting("Cleo"), inviting("Dan")),
    "another who refuses an end": Hidden("mcmulti", voted(2, accept=False), voted(3, accept=False)),
    "another ceiling": Hidden("marracash", bidding_up_to(200), bidding_up_to(1100), tries=_BIDS),
    "a ceiling that was raised, and one that was lowered": Hidden(
        "marracash", bidding_up_to(300, raised=900), bidding_up_to(900, raised=300), tries=_BIDS
    ),
    **{
        f"an instruction and {name}": Hidden("mcmulti", instructed({"sell_from": 20, "pump": True}), instructed(other))
        for name, other in (("another", {"refine": True, "after_turn": 9}), ("none anymore", None))
    },
    **{
        f"another seed of a series whose first table {what}": Hidden(
            "mcmulti", play, play, (b"a" * 32, b"b" * 32), ({"type": "RollDice"}, {"type": "EndTurn"})
        )
        for what, play in (("runs", series_running), ("is over", series_left))
    },
    **{
        f"another seed of {ruleset}": Hidden(
            ruleset,
            about_to_start(ruleset),
            about_to_start(ruleset),
            (b"a" * 32, b"b" * 32),
            ({"type": "StartGame"}, {"type": "AgreeToStart"}),
        )
        for ruleset in SHIPPED
        if ruleset not in PLAYED_BY_ORDERS
    },
}
"""With another seed only as long as nothing is drawn, since draws are public, except at tables of a series."""
OFTEN = (
    "another sheet and another seed",
    "another sheet and standing orders",
    "another who agrees to an end",
    "another who is invited",
    "another ceiling",
    "an instruction and another",
    "another seed of mcmulti",
    "another seed of a series whose first table is over",
)
"""One of each kind, which `make test` looks at; `make slow` looks at the others."""


async def _asked(hidden: Hidden, table: Table, game: str) -> AsyncIterator[tuple[str, Request]]:
    """Every operation, and trials, by everybody who may not know; at the end, a player is erased."""
    shown = (await table.guests[0].get(f"/v1/games/{game}")).json()
    seq, series = shown["seq"], shown.get("series", {"series": str(UUID(int=8))})
    ada = (await table.guests[0].get("/v1/players/me")).json()["player"]
    values = {
        "game": game,
        "seq": seq,
        "player": ada,
        "round": 1,
        "ruleset": hidden.ruleset,
        "id": str(UUID(int=7)),
        "series": series["series"],
        "message": 7,
        "token": "t" * 43,
        "text": profile_of(hidden.ruleset).phrase,
    }
    everything = list(requests(hidden.ruleset, values))
    trial = f"/v1/games/{game}/commands?dry_run=true"
    trials = [
        Request("sendCommands", "POST", trial, "application/json", {"commands": [command]}) for command in hidden.tries
    ]
    for last in (False, True):
        for reader in NOBODY_ELSE:
            for request in (*([] if last else trials), *everything):
                if (request.operation == "eraseMe") is last:
                    yield reader, request


async def told_to(table: Table, reader: str, request: Request) -> str:
    """The complete response: status, headers, content; without what belongs to this request alone."""
    headers = {"accept": request.media_type, "accept-encoding": "identity", "host": "mcmulti"}
    for guest in table.guests:
        if guest.name == reader:
            headers["authorization"] = f"Bearer {guest.token}"
    content = b"" if request.body is None else msgspec.json.encode(request.body)
    if content:
        headers |= {"content-type": "application/json", "content-length": str(len(content))}
    status, answered, text = await _answer(table, request, headers, content)
    told = sorted((name, value) for name, value in answered if name not in _ALONE)
    return f"{status} {told}\n{text}"


def without_digests(told: str) -> str:
    for digest in _DIGESTS:
        told = digest.sub(r"\1digest", told)
    return told


async def _answer(
    table: Table, request: Request, headers: dict[str, str], content: bytes
) -> tuple[int, list[tuple[str, str]], str]:
    """The response to a request, without a client, which would cost more than the server. Of an endless stream: what it
    sends before it waits.
    """
    app: Callable[..., Awaitable[None]] = application_behind(table)
    path, _, query = request.target.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("mcmulti", 80),
        "root_path": "",
    }
    sent: asyncio.Queue[Any] = asyncio.Queue()
    left = asyncio.Event()
    asked = iter([{"type": "http.request", "body": content, "more_body": False}])

    async def receive() -> Any:
        if (first := next(asked, None)) is not None:
            return first
        await left.wait()
        return {"type": "http.disconnect"}

    answering = asyncio.ensure_future(app(scope, receive, sent.put))
    start = await sent.get()
    body, idle, more = b"", 0, True
    while more and idle < IDLE:
        if request.endless:
            await asyncio.sleep(0)
            idle += 1
        else:
            await asyncio.wait({answering})
        while not sent.empty():
            said, idle = sent.get_nowait(), 0
            body += said.get("body", b"")
            more = said.get("more_body", False)
    left.set()
    answering.cancel()
    await asyncio.gather(answering, return_exceptions=True)
    told = [(name.decode(), value.decode()) for name, value in start["headers"]]
    return start["status"], told, body.decode("utf-8", "backslashreplace")


async def _all_told(hidden: Hidden, play: Play, seed: bytes) -> list[tuple[str, Request, str]]:
    async with played(play, seed) as (table, game):
        return [
            (reader, request, await told_to(table, reader, request))
            async for reader, request in _asked(hidden, table, game)
        ]


async def assert_same_bytes(hidden: Hidden) -> None:
    """Nobody else gets other bytes in one version of the game than in the other."""
    one = await _all_told(hidden, hidden.one, hidden.seeds[0])
    other = await _all_told(hidden, hidden.other, hidden.seeds[1])
    declared = {request.operation for _, request, _ in one}
    assert {"getGame", "followGames", "replayGame", "sendCommands", "eraseMe"} <= declared
    for (reader, request, told), (reader_again, request_again, told_again) in zip(one, other, strict=True):
        assert (reader, request) == (reader_again, request_again)
        if told != told_again:
            assert without_digests(told) == without_digests(told_again), (reader, request)

"""A handler declares once what its operation takes. What cannot be carried out is refused at start-up."""

from collections.abc import Awaitable, Callable
from copy import copy
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest
from httpx import ASGITransport, AsyncClient
from litestar import Litestar, Router
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from mcmulti.api.app import application
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, Deprecated, answer, operation
from mcmulti.api.http.direct import Direct, refuse_bypassed, without_guests
from mcmulti.api.http.failures import answer_misrouted
from mcmulti.api.http.received import Tags
from mcmulti.api.openapi import document
from mcmulti.api.operations.status import is_alive
from mcmulti.api.telling.wire import Health, Join
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from tests.api.guests import Json, problem


class Unchecked(Struct, frozen=True):
    """A type that ignores unknown fields."""

    at: int = 0


class AtQuery(Unchecked, frozen=True, forbid_unknown_fields=True):
    """The same type, strict."""


def route(handler: Callable[..., Awaitable[Answer]], path: str = "/healthz", **facts: Any) -> HTTPRouteHandler:
    """A route with this handler, which is checked on creation."""
    handler.__name__ = "is_alive"
    return operation("GET", path, tag="service", summary="It lives", answer=Health, **facts)(handler)  # type: ignore[arg-type]


def client(*routes: HTTPRouteHandler) -> AsyncClient:
    """A client of a server with only these operations."""
    transport = ASGITransport(application(MemoryLog(), routes=routes))  # type: ignore[arg-type]
    return AsyncClient(transport=transport, base_url="http://mcmulti")


async def test_who_takes_a_caller_has_one() -> None:
    """The same operation with another signature, which alone says that it needs a token."""

    async def alive(call: Call) -> Answer:
        """It lives."""
        return answer(Health("ok"))

    async def alive_for(call: Call, caller: Player) -> Answer:
        """It lives for players."""
        return answer(Health("ok"))

    async with client(route(alive)) as open_to_all, client(route(alive_for)) as closed:
        assert (await open_to_all.get("/healthz")).status_code == 200
        refused = await closed.get("/healthz")
        problem(refused, 401, "unauthenticated")
        assert refused.headers["www-authenticate"] == "Bearer"
        assert (await closed.head("/healthz")).status_code == 401
    (described,) = msgspec.json.decode(document([route(alive_for)]))["paths"]["/healthz"].values()
    assert described["security"] == [{"token": []}]
    assert "401" in described["responses"]


async def test_what_is_taken_is_given_as_its_type() -> None:
    taken: list[object] = []

    async def taking(
        call: Call, query: AtQuery, caller: Player | None, game: UUID, part: str, if_none_match: Tags
    ) -> Answer:
        """It takes much."""
        taken.extend((query, caller, game, part, if_none_match))
        return answer(Health("ok"))

    game = UUID(int=7)
    async with client(route(taking, "/{game}/{part}")) as asked:
        answered = await asked.get(f"/{game}/x?at=3", headers={"If-None-Match": '"a", W/"b"'})
        assert answered.status_code == 200
        assert (await asked.get(f"/{game}/x?colour=red")).status_code == 400
    assert taken == [AtQuery(3), None, game, "x", ('"a"', '"b"')]


async def nothing(call: Call) -> Answer:
    """A handler that takes nothing."""
    return answer(Health("ok"))


async def color(call: Call, color: str) -> Answer:
    """A handler that takes something that requests do not have."""
    return await nothing(call)


async def test_a_deprecated_operation_says_since_when_and_until_when() -> None:
    """It appears in its responses and in the contract. Other operations do not mention it."""
    notice = Deprecated(datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 7, 1, 12, tzinfo=UTC))
    old = route(nothing, deprecated=notice)
    async with client(old) as asked, client(route(nothing)) as unannounced:
        told = (await asked.get("/healthz")).headers
        assert (told["Deprecation"], told["Sunset"]) == ("@1767225600", "Wed, 01 Jul 2026 12:00:00 GMT")
        assert {"deprecation", "sunset"}.isdisjoint((await unannounced.get("/healthz")).headers)
    contract = msgspec.json.decode(document([old]))
    (described,) = contract["paths"]["/healthz"].values()
    assert described["deprecated"] is True
    assert {"Deprecation", "Sunset"} <= set(described["responses"]["200"]["headers"]) & set(
        contract["components"]["headers"]
    )


async def loose(call: Call, query: Unchecked) -> Answer:
    """A handler whose query ignores unknown parameters."""
    return await nothing(call)


async def text(call: Call, query: str) -> Answer:
    """A handler whose query is not a query."""
    return await nothing(call)


async def who(call: Call, caller: UUID) -> Answer:
    """A handler that takes a caller of the wrong type."""
    return await nothing(call)


async def number(call: Call, game: int) -> Answer:
    """A handler that takes a number from its path."""
    return await nothing(call)


async def key(call: Call, idempotency_key: str) -> Answer:
    """A handler that needs an optional header."""
    return await nothing(call)


async def raw(call: Call, body: bytes) -> Answer:
    """A handler that takes a body without a declared type."""
    return await nothing(call)


async def untyped(call: Call, query) -> Answer:  # type: ignore[no-untyped-def]
    """A handler that does not declare its query."""
    return await nothing(call)


async def silent(call: Call) -> Answer:
    return await nothing(call)


async def uncalled() -> Answer:
    """A handler that does not take the call."""
    return Answer()


@pytest.mark.parametrize(
    ("handler", "path", "facts", "said"),
    [
        (color, "/", {}, "takes `color: str`, which no request gives"),
        (loose, "/", {}, "takes `query: Unchecked`, which no request gives"),
        (text, "/", {}, "takes `query: str`, which no request gives"),
        (who, "/", {}, "takes `caller: UUID`, which no request gives"),
        (number, "/{game}", {}, "takes `game: int`, which no request gives"),
        (key, "/", {}, "takes `idempotency_key: str`, which no request gives"),
        (raw, "/", {}, "takes `body: bytes`, which no request gives"),
        (untyped, "/", {}, "takes `query: None`, which no request gives"),
        (nothing, "/{game}", {}, "does not take `game`"),
        (nothing, "/", {"body": (Join,)}, "does not take `body`"),
        (uncalled, "/", {}, "does not take `call`"),
        (silent, "/", {}, "does not say what it does"),
    ],
)
def test_a_handler_that_takes_what_it_cannot_get_is_refused_when_it_is_made(
    handler: Callable[..., Awaitable[Answer]], path: str, facts: Json, said: str
) -> None:
    with pytest.raises(TypeError) as refused:
        route(handler, path, **facts)
    assert str(refused.value) == f"operation isAlive {said}"


def test_nothing_else_can_be_said_of_an_operation() -> None:
    with pytest.raises(TypeError, match="auth"):
        route(nothing, auth="required")


async def _guard(*_: object) -> None:
    raise AssertionError("nobody asks it")


def _litestar(*routes: Any, **more: Any) -> Litestar:
    ours: Json = {"middleware": [Direct()], "exception_handlers": {Exception: answer_misrouted}}
    return Litestar([*routes], openapi_config=None, logging_config=None, on_app_init=[without_guests], **ours | more)


def _asking_for(**options: Any) -> HTTPRouteHandler:
    handler = copy(is_alive)
    for option, value in options.items():
        setattr(handler, option, value)
    return handler


@pytest.mark.parametrize(
    ("app", "said"),
    [
        (lambda: _litestar(is_alive, guards=[_guard]), "guards of the application"),
        (lambda: _litestar(is_alive, dependencies={"x": _guard}), "dependencies of the application"),
        (lambda: _litestar(is_alive, before_request=_guard), "before_request of the application"),
        (lambda: _litestar(is_alive, after_request=_guard), "after_request of the application"),
        (lambda: _litestar(is_alive, after_exception=[_guard]), "after_exception of the application"),
        (lambda: _litestar(is_alive, allowed_hosts=["mcmulti"]), "allowed_hosts of the application"),
        (
            lambda: _litestar(is_alive, exception_handlers={}),
            "exception_handlers of the application",
        ),
        (lambda: _litestar(is_alive, middleware=[]), "middleware that does not stand before Direct"),
        (lambda: _litestar(Router("/", route_handlers=[is_alive], guards=[_guard])), "guards of the router"),
        (lambda: _litestar(Router("/", route_handlers=[is_alive], middleware=[Direct()])), "middleware of the router"),
        (lambda: _litestar(_asking_for(guards=[_guard])), "guards of the handler"),
        (lambda: _litestar(_asking_for(dependencies={"x": _guard})), "dependencies of the handler"),
        (lambda: _litestar(_asking_for(cache=True)), "cache of the handler"),
        (lambda: _litestar(_asking_for(status_code=418)), "status_code of the handler"),
    ],
)
def test_what_the_short_way_passes_by_is_refused(app: Callable[[], Litestar], said: str) -> None:
    with pytest.raises(RuntimeError) as refused:
        refuse_bypassed(app())
    assert str(refused.value) == (
        f"Litestar would not see to {said} for isAlive: operations are called directly (mcmulti.api.http.direct)."
    )


def test_what_it_does_not_pass_by_is_not() -> None:
    refuse_bypassed(_litestar(is_alive))
    refuse_bypassed(_litestar(is_alive, middleware=[Direct(), Direct()]))
    refuse_bypassed(_litestar(Router("/", route_handlers=[is_alive])))


def test_an_application_with_a_guard_does_not_start() -> None:
    with pytest.raises(RuntimeError, match="guards of the handler for isAlive"):
        application(MemoryLog(), routes=[_asking_for(guards=[_guard])])

"""The client for programs without asyncio."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx

from mcmulti.client.client import Client
from mcmulti.client.transports import BlockingTransport

_Given = ParamSpec("_Given")
_Told = TypeVar("_Told")


def _done(work: Awaitable[_Told]) -> _Told:
    """The result of work that never waits for an event loop."""
    try:
        next(work.__await__())
    except StopIteration as end:
        told: _Told = end.value
        return told
    raise AssertionError("A blocking transport does not suspend its caller.")


def _once(
    method: Callable[Concatenate[Client, _Given], Coroutine[Any, Any, _Told]],
) -> Callable[Concatenate["SyncClient", _Given], _Told]:
    @wraps(method)
    def blocking(self: "SyncClient", /, *args: _Given.args, **named: _Given.kwargs) -> _Told:
        return _done(method(self._client, *args, **named))

    return blocking


def _each(
    method: Callable[Concatenate[Client, _Given], AsyncGenerator[_Told, None]],
) -> Callable[Concatenate["SyncClient", _Given], Generator[_Told, None, None]]:
    @wraps(method)
    def blocking(self: "SyncClient", /, *args: _Given.args, **named: _Given.kwargs) -> Generator[_Told, None, None]:
        items = method(self._client, *args, **named)
        try:
            while True:
                try:
                    item = _done(anext(items))
                except StopAsyncIteration:
                    return
                yield item
        finally:
            _done(items.aclose())

    return blocking


class SyncClient:
    """`Client` with methods that block; a context manager. What it sends and how it retries is the same code.

    Streams and lists are iterators. Leaving a loop over one early ends its request when the iterator is closed or
    deleted. `transport`: another transport for the requests.
    """

    def __init__(
        self,
        server: str,
        *,
        token: str | None = None,
        patience: float = 30.0,
        transport: httpx.BaseTransport | None = None,
        language: str = "en",
    ) -> None:
        through = BlockingTransport(transport)
        self._client = Client(server, token=token, patience=patience, language=language, through=through)

    @property
    def token(self) -> str | None:
        """The token that requests are sent with."""
        return self._client.token

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    register = _once(Client.register)
    me = _once(Client.me)
    tokens = _once(Client.tokens)
    revoke_other_tokens = _once(Client.revoke_other_tokens)
    open_game = _once(Client.open_game)
    take_seat = _once(Client.take_seat)
    change_invitations = _once(Client.change_invitations)
    rematch = _once(Client.rematch)
    view = _once(Client.view)
    offers = _once(Client.offers)
    send = _once(Client.send)
    try_out = _once(Client.try_out)
    forecast = _once(Client.forecast)
    orders = _once(Client.orders)
    events = _once(Client.events)
    games = _each(Client.games)
    pages = _each(Client.pages)
    follow = _each(Client.follow)
    lines = _each(Client.lines)
    lobby = _each(Client.lobby)
    get_object = _once(Client.get_object)
    content = _once(Client.content)
    pieces = _each(Client.pieces)
    close = _once(Client.close)

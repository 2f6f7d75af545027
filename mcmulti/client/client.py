"""A client of the public HTTP API."""

import json
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from functools import partial
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from uuid import uuid4

import httpx
import msgspec

from mcmulti.client.addresses import without_password
from mcmulti.client.json_object import Json
from mcmulti.client.transports import ANSWER_SECONDS, AsyncTransport, Transport

_COME_AGAIN = (429, 502, 503, 504)
_PAUSE = 0.1
_LONGEST_PAUSE = 2.0
_OPENING = 5.0
"""Seconds after which a stream that has sent nothing may be held back on its way: its first bytes come at once."""
_HELD = 600.0
"""Seconds for which a client polls after that, before it tries a stream again."""
_POLL = 5.0
"""Seconds between two requests for the lobby."""
_WAIT = 25
"""Seconds that a request waits for the next event of a game."""
_PAGE, _ROWS = 100, 1000
"""The most tables on a page, and in the lobby."""
_AS_LINES = {"Accept": "application/x-ndjson"}
_SILENT = ("Heartbeat", "Stopping")
_STRANGER = "This server is not an mcmulti server."
_Sent = TypeVar("_Sent")


class HttpProblem(Exception):
    """The server refused. `code` is for programs, `detail` a sentence; `members` is the whole problem+json."""

    def __init__(self, status: int, members: Json) -> None:
        self.status = status
        self.code = str(members.get("code", "unknown"))
        self.detail = str(members.get("detail", f"The server answered with status {status}."))
        self.members = members
        super().__init__(self.detail)


class ServerAway(Exception):
    """The server could not be reached, or did not recover, within the client's patience."""


class Client:
    """One player's connection to a server; an asynchronous context manager.

    Failed connections and responses with status 429, 502, 503, or 504 are retried for up to `patience` seconds. What
    changes something carries an idempotency key, so a retry never does it twice. Every method raises `HttpProblem` and
    `ServerAway`; an invalid address raises `ServerAway` at once. `register` sets `token`. `transport`: another httpx
    transport for the requests. `language`: of offers and refusals. `through`: sends the requests some other way.
    """

    def __init__(
        self,
        server: str,
        *,
        token: str | None = None,
        patience: float = 30.0,
        transport: httpx.AsyncBaseTransport | None = None,
        language: str = "en",
        through: Transport | None = None,
    ) -> None:
        self.server = server.rstrip("/")
        self.token = token
        self.patience = patience
        self.language = language
        self._gets_through = False
        self._held_until = 0.0
        try:
            httpx.URL(self.server)
        except httpx.InvalidURL as error:
            raise self._no_address(error) from error
        self._through = through or AsyncTransport(transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close its connections, as the context manager does."""
        await self._through.end()

    async def register(self, name: str, kind: Literal["human", "bot"] = "human") -> Json:
        """Register a player, with a name of at most 40 characters, and act as this player from now on."""
        body = {"name": name, "kind": kind}
        registered = _needed_members(await self._ask("POST", "/v1/players", json=body, headers=_key()), "token")
        self.token = registered["token"]
        return registered

    async def me(self) -> Json:
        """The player of the token: its ``name`` and more."""
        return _needed_members(await self._ask("GET", "/v1/players/me"), "name")

    async def tokens(self) -> "tuple[HeldToken, ...]":
        """The tokens of the player."""
        return _tokens(await self._ask("GET", "/v1/players/me/tokens"))

    async def revoke_other_tokens(self) -> "tuple[HeldToken, ...]":
        """Revoke all other tokens of the player, except those it comes from and stronger ones. Returns the rest."""
        return _tokens(await self._ask("DELETE", "/v1/players/me/tokens"))

    async def open_game(
        self, /, ruleset: str, *, access: Json | None = None, key: str | None = None, **setup: Any
    ) -> Json:
        """Open a game: its id is the response's ``game``.

        `access`: who can see it and sit down: ``listed``, ``invited``, and ``passcode``; by default everybody. Also
        ``bots``: for how many seats bots are asked. The same `key` opens the same game.
        """
        body = {"ruleset": ruleset, "setup": setup, **(access or {})}
        return _needed_members(await self._ask("POST", "/v1/games", json=body, headers=_key(key)))

    async def take_seat(
        self,
        game: str,
        seat: int | None = None,
        entropy: str = "",
        passcode: str | None = None,
        *,
        name: str | None = None,
        key: str | None = None,
    ) -> Json:
        """Sit down: on the given seat, or on the first that is free; `passcode`: of a table for invited players.

        `name`: of a companion that the token acts for. Repeating it with the same `key` returns the same response.
        """
        body = {"seat": seat, "entropy": entropy, "passcode": passcode, **({} if name is None else {"name": name})}
        return _needed_members(await self._ask("POST", f"/v1/games/{game}/seats", json=body, headers=_key(key)))

    async def change_invitations(
        self,
        game: str,
        *,
        invite: Sequence[str] = (),
        uninvite: Sequence[str] = (),
        passcode: Literal["keep", "new", "none"] = "keep",
    ) -> Json:
        """Invite or uninvite players at your own table, by name. A new passcode is the response's ``passcode``."""
        body = {"invite": invite, "uninvite": uninvite, "passcode": passcode}
        return _needed_members(await self._ask("PATCH", f"/v1/games/{game}/invitations", json=body, headers=_key()))

    async def rematch(self, game: str) -> Json:
        """The table for a rematch of a finished game, which is opened if there is none yet."""
        return _needed_members(await self._ask("POST", f"/v1/games/{game}/rematch", headers=_key()))

    async def view(self, game: str) -> Json:
        """The game as the player can see it, under ``view``; with the ``seq`` of its last event."""
        return _needed_members(await self._ask("GET", f"/v1/games/{game}"))

    async def offers(self, game: str) -> tuple[Json, str]:
        """What the player may do now, and the entity tag for which that holds."""
        answer = await self._ask("GET", f"/v1/games/{game}/offers", params={"language": self.language})
        return _needed_members(answer), answer.headers.get("ETag", "")

    async def send(self, game: str, commands: list[Json], if_match: str | None = None, *, offers: bool = False) -> Json:
        """Send commands, all or nothing; only if the game is still at `if_match`, if given.

        With `offers`, the response has `next`: the view, the offers, and the entity tag for the player's next move.
        """
        return await self._commanded(game, commands, if_match, {"offers": "true"} if offers else {})

    async def try_out(self, game: str, commands: list[Json], if_match: str | None = None) -> Json:
        """What commands would lead to, up to where chance or sealed data decides; nothing is done."""
        return await self._commanded(game, commands, if_match, {"dry_run": "true"})

    async def _commanded(self, game: str, commands: list[Json], if_match: str | None, query: Json) -> Json:
        headers = _key() | ({"If-Match": if_match} if if_match else {})
        path, asked = f"/v1/games/{game}/commands", {**query, "language": self.language}
        return _needed_members(
            await self._ask("POST", path, params=asked, json={"commands": commands}, headers=headers)
        )

    async def forecast(self, game: str, sheet: Any) -> Json:
        """What a sheet of orders would lead to before any dice, and its likely mistakes.

        A text is a sheet in the game's notation.
        """
        path, body = ("/forecast/text", {"text": sheet}) if isinstance(sheet, str) else ("/forecast", sheet)
        query = {"language": self.language}
        return _needed_members(await self._ask("POST", f"/v1/games/{game}{path}", params=query, json=body))

    async def orders(self, game: str) -> Json:
        """Your own pending orders, as data and in the game's notation."""
        return _needed_members(await self._ask("GET", f"/v1/games/{game}/orders"))

    async def events(self, game: str, after: int = 0, *, limit: int = 1000, wait: int = 0) -> bytes:
        """A page of the log after event `after`, as received; waits up to `wait` seconds for the first event."""
        query = {"after": after, "limit": limit, "wait": wait}
        answer = await self._ask("GET", f"/v1/games/{game}/events", params=query, timeout=wait + ANSWER_SECONDS)
        return answer.content

    async def games(self, /, **wanted: Any) -> AsyncGenerator[Json, None]:
        """The tables of all games that the filters of ``listGames`` select, page by page."""
        async with aclosing(self.pages("/v1/games", **wanted)) as pages:
            async for page in pages:
                for table in _listed(page, "games"):
                    yield table

    async def pages(self, /, path: str, **query: Any) -> AsyncGenerator[Json, None]:
        """The list at a path, page by page, to the last: as long as a page has a ``next``, from there on."""
        onward = "before" if path == "/v1/games" else "after"
        while True:
            page = await self.get_object(path, **query)
            yield page
            if (following := page.get("next")) is None or following == query.get(onward):
                return
            query[onward] = following

    async def lobby(self, /, **wanted: Any) -> AsyncGenerator[Json, None]:
        """The stream of the lobby, filtered like lists of games: the items as they come, without heartbeats.

        If it breaks off it starts again with a `LobbyHead`: discard what was sent before. If a proxy holds it back, the
        client polls the list of games.
        """
        polled = partial(self._polled_lobby, wanted)
        async with aclosing(self._streamed("/v1/games/stream", wanted, polled)) as lines:
            async for line in lines:
                if line is not None and (item := stream_item(line))["type"] not in _SILENT:
                    yield item

    async def follow(self, /, game: str, after: int = 0, **wanted: Any) -> AsyncGenerator[Json, None]:
        """What happens in a game after event `after`, to its end: the items of its stream, without heartbeats.

        If the stream breaks off it resumes after the last event, within `patience`: no event is missing, and none comes
        twice. If a proxy holds it back, the client polls: each time, it gets the items of a stream that ends with the
        latest event. After ``WentBack`` it ends: the latest events may be gone. `wanted`: other parameters of the
        stream, such as ``view="whole"`` and ``offers=True`` for a ``YourView`` after each move.
        """
        async with aclosing(self.lines(game, after, **wanted)) as lines:
            async for line in lines:
                if line is not None and (item := stream_item(line))["type"] not in _SILENT:
                    yield item

    async def lines(self, /, game: str, after: int = 0, **wanted: Any) -> AsyncGenerator[str | None, None]:
        """As `follow`, but all items as received. Whenever the stream breaks off, it yields None."""
        query: Json = {**wanted, "after": after}
        is_shown = bool(wanted.get("view") or wanted.get("offers"))
        end: int | None = None
        shown = 0
        polled = partial(self._polled_game, game, query)
        async with aclosing(self._streamed(f"/v1/games/{game}/events", query, polled)) as lines:
            async for line in lines:
                if not line:
                    if end is not None and end <= query["after"] and (not is_shown or end <= shown):
                        return
                    if line is None:
                        yield None
                    continue
                item = _decoded(line, _GameItem)
                if item.rule is not None:
                    query["after"] = item.seq
                elif item.table is not None:
                    end = item.table.seq if item.table.status == "finished" else None
                elif item.type == "YourView":
                    shown = item.seq
                yield line
                if item.type == "WentBack":
                    return

    async def _streamed(
        self, path: str, query: Json, polled: Callable[[], AsyncGenerator[str, None]]
    ) -> AsyncGenerator[str | None, None]:
        """The lines of a stream. If it breaks off it yields None, and is requested again with the current `query`.

        While streams are held back, the lines are those that are `polled`.
        """
        pause = _PAUSE
        while True:
            if self._is_held:
                async with aclosing(polled()) as lines:
                    async for line in lines:
                        yield line
            # At first it only waits for the opening: whether a stream is held back shows in what has not come by then.
            seconds = ANSWER_SECONDS if self._gets_through else _OPENING
            is_heard = False
            try:
                sent: Json = {"params": query, "headers": _AS_LINES, "timeout": seconds}
                answer = await self._ask("GET", path, unread=True, opening=True, **sent)
                async with aclosing(self._through.lines(answer)) as lines:
                    async for line in lines:
                        is_heard = self._gets_through = True
                        pause = _PAUSE
                        yield line
            except httpx.ReadTimeout:
                if not is_heard:
                    self._held_until = time.monotonic() + _HELD
                if not is_heard or seconds == _OPENING:
                    continue
            except (httpx.TransportError, httpx.DecodingError):
                pass
            yield None
            await self._through.pause(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    @property
    def _is_held(self) -> bool:
        """Whether streams are held back, as far as is known."""
        return time.monotonic() < self._held_until

    async def _polled_game(self, game: str, query: Json) -> AsyncGenerator[str, None]:
        """The lines of streams that each end with the latest event of a game, and an empty line after each."""
        path, wait = f"/v1/games/{game}/events", 0
        while self._is_held:
            head = _decoded(await self.events(game, query["after"], limit=1, wait=wait), _LogPage).seq
            if head > query["after"] or not wait:
                told = await self._ask("GET", path, params={**query, "until": head}, headers=_AS_LINES)
                for line in told.iter_lines():
                    yield line
                yield ""
            wait = _WAIT

    async def _polled_lobby(self, wanted: Json) -> AsyncGenerator[str, None]:
        """The lines that the stream of the lobby would have: first its rows, and later what changed among them."""
        known: dict[str, Json] | None = None
        while self._is_held:
            rows: dict[str, Json] = {}
            query = {**wanted, "order": "moved", "limit": _PAGE}
            async with aclosing(self.pages("/v1/games", **query)) as pages:
                async for page in pages:
                    told = {"type": "TableListed", "ratings": page.get("ratings", [])}
                    rows.update((str(table["game"]), {**told, "table": table}) for table in _listed(page, "games"))
                    if len(rows) >= _ROWS:
                        break
            if known is None:
                known = {}
                yield json.dumps({"type": "LobbyHead", "rows": len(rows)})
            for game in known.keys() - rows.keys():
                yield json.dumps({"type": "TableGone", "game": game})
            for game, row in rows.items():
                if game not in known or known[game]["table"] != row["table"]:
                    yield json.dumps(row)
            known = rows
            await self._through.pause(_POLL)

    async def get_object(self, /, path: str, **query: Any) -> Json:
        """The members of the JSON object at a path."""
        return _needed_members(await self._ask("GET", path, params=query))

    async def content(self, /, path: str, **query: Any) -> bytes:
        """The content at a path, as received."""
        return (await self._ask("GET", path, params=query)).content

    async def pieces(self, /, path: str, **query: Any) -> AsyncGenerator[bytes, None]:
        """The lines at a path, in pieces as they come. If the connection breaks, they end."""
        answer = await self._ask("GET", path, params=query, headers=_AS_LINES, unread=True)
        with suppress(httpx.TransportError, httpx.DecodingError):
            async with aclosing(self._through.pieces(answer)) as pieces:
                async for piece in pieces:
                    yield piece

    async def _ask(
        self,
        method: str,
        path: str,
        *,
        params: Json | None = None,
        unread: bool = False,
        opening: bool = False,
        **request: Any,
    ) -> httpx.Response:
        """A successful response. `opening`: that of a stream; a timeout then raises `httpx.ReadTimeout`."""
        address = self.server + path  # httpx parses a complete address once, and a path with parameters three times
        if params:
            address += f"{'&' if '?' in path else '?'}{httpx.QueryParams(params)}"
        if self.token:
            request["headers"] = {**request.get("headers", {}), "Authorization": f"Bearer {self.token}"}
        deadline = time.monotonic() + self.patience
        pause = _PAUSE
        while True:
            try:
                answer = await self._through.send(method, address, unread=unread, **request)
            except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
                raise self._no_address(error) from error
            except httpx.TransportError as error:
                if opening and isinstance(error, httpx.ReadTimeout):
                    raise
                if time.monotonic() + pause > deadline:
                    raise ServerAway(
                        f"The server at {without_password(self.server)} does not answer ({_reason(error)})."
                    ) from error
            else:
                if answer.is_success:
                    return answer
                await self._through.read(answer)
                pause = max(pause, _seconds(answer.headers.get("Retry-After")))
                if answer.status_code not in _COME_AGAIN or time.monotonic() + pause > deadline:
                    raise _problem(answer)
            await self._through.pause(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _no_address(self, error: Exception) -> ServerAway:
        reason = "." if "@" in self.server else f": {str(error).rstrip('.')}."  # which quotes parts of the address
        return ServerAway(f"{without_password(self.server)!r} is not the address of a server{reason}")


def _key(key: str | None = None) -> dict[str, str]:
    return {"Idempotency-Key": key or uuid4().hex}


def _needed_members(answer: httpx.Response, *needed: str) -> Json:
    """The members of a response. Raises `HttpProblem` if it is not a response of an mcmulti server."""
    members = _object(answer)
    if members is None or not all(isinstance(members.get(name), str) for name in needed):
        raise HttpProblem(answer.status_code, {"detail": _STRANGER})
    return members


class HeldToken(msgspec.Struct, frozen=True):
    """A token of a player: its label, its scopes, and its expiration, or None."""

    name: str
    scopes: tuple[str, ...]
    expires: str | None = None


class _Tokens(msgspec.Struct, frozen=True):
    tokens: tuple[HeldToken, ...]


def _tokens(answer: httpx.Response) -> tuple[HeldToken, ...]:
    return _decoded(answer.content, _Tokens).tokens


def _listed(page: Json, name: str) -> list[Json]:
    """The items of a page. Raises `HttpProblem` if it is not one of an mcmulti server."""
    with suppress(msgspec.ValidationError):
        return msgspec.convert(page.get(name), list[Json])
    raise HttpProblem(200, {"detail": _STRANGER})


def stream_item(line: str) -> Json:
    """An item of a stream, of the lobby or of a game. Raises `HttpProblem` if it is not one of an mcmulti server."""
    with suppress(ValueError, RecursionError):
        item = json.loads(line)
        if isinstance(item, dict) and isinstance(item.get("type"), str):
            return item
    raise HttpProblem(200, {"detail": _STRANGER})


class _TableAt(msgspec.Struct, frozen=True):
    status: str
    seq: int


class _GameItem(msgspec.Struct, frozen=True):
    """An item of the stream of a game: an event has a rule."""

    type: str
    seq: int = 0
    rule: str | None = None
    table: _TableAt | None = None


class _LogPage(msgspec.Struct, frozen=True):
    seq: int


def _decoded(content: bytes | str, kind: type[_Sent]) -> _Sent:
    """What a server sent. Raises `HttpProblem` if it is not of an mcmulti server."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (ValueError, RecursionError) as error:
        raise HttpProblem(200, {"detail": _STRANGER}) from error


def _problem(answer: httpx.Response) -> HttpProblem:
    return HttpProblem(answer.status_code, _object(answer) or {})


def _object(answer: httpx.Response) -> Json | None:
    """The members of a response, if it is a JSON object."""
    try:
        members = answer.json()
    except (ValueError, RecursionError):
        return None
    return members if isinstance(members, dict) else None


def _reason(error: httpx.TransportError) -> str:
    return str(error) or type(error).__name__


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isascii() and text.isdigit() else 0.0

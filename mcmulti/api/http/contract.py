"""Operations: the parameters and responses of each are declared once, in its handler's signature, and enforced here.

A handler takes the call and, by name, what else it needs of the request:

- the names in the braces of its path, as text, or as UUID for the id of a game
- `query`: the parameters, as a type that forbids unknown ones; without it there are none. If one is `language`,
  refusals by the rules are in that language
- `caller`: `Player` if it is required, `Player | None` if it is optional, `Holder` if the token matters too
- `if_match`, `if_none_match`, `idempotency_key`, `last_event_id`: these headers
- `body`: its type; or bytes of JSON, if its possible types are declared and the game decides

Declarations are checked in this order, whether or not the handler uses them: ``Accept``, query, caller, headers, body,
path, quota. The OpenAPI document is generated from the same declarations.
"""

import re
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterator
from datetime import datetime
from email.utils import format_datetime
from functools import partial
from inspect import isclass, signature
from operator import eq
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, Required, TypedDict, Unpack, cast, get_type_hints
from uuid import UUID

import msgspec
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from mcmulti.api.admission.quotas import address_of
from mcmulti.api.admission.series import ID_VERSION, VERSION_BIT
from mcmulti.api.caching.tags import etag
from mcmulti.api.http.answers import HTML, Answer, StreamAnswer, encoded
from mcmulti.api.http.direct import READ, STATUS
from mcmulti.api.http.problems import PROBLEMS, Quota
from mcmulti.api.http.received import (
    AnyRequest,
    accepted,
    body_sent,
    game_id,
    header,
    idempotency_key,
    if_match,
    if_none_match,
    last_event_id,
    read_body,
    read_query,
)
from mcmulti.api.logging import note
from mcmulti.api.service import Service, identified
from mcmulti.api.telling.refusals import refusal
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Holder, Player, Scope
from mcmulti.referee.ruling import Refused

Takes = ParamSpec("Takes")
Tag = Literal["players", "rulesets", "games", "play", "log", "service"]
Readers = Literal["each", "sealed", "all"]
Cost = int | Callable[[Any, str], int]
"""How many requests one counts as; a function of its query and of the media type of its response."""
DEAR = 10
"""The cost of reading and folding a whole game."""

_PATH: dict[Any, Callable[[str], Any]] = {UUID: game_id, str: str}
_AUTH: dict[Any, Literal["required", "optional"]] = {
    Player: "required",
    Holder: "required",
    Player | None: "optional",
}
_ACCOUNT = "/v1/players/me/"
_NAMED = ("game", "ruleset", "player", "series", "chart", "round", "message")
_UNKNOWN = {**{part: f"unknown_{part}" for part in _NAMED}, "token": "unknown_link"}
"""The codes for names in a path that lead nowhere."""
_HEADERS: dict[str, tuple[str, Callable[[AnyRequest], Any]]] = {
    "if_match": ("If-Match", if_match),
    "if_none_match": ("If-None-Match", if_none_match),
    "idempotency_key": ("Idempotency-Key", idempotency_key),
    "last_event_id": ("Last-Event-ID", last_event_id),
}


class Call(Struct, frozen=True, eq=False):
    """A request to an operation: what all of them share. `media_type`: that of the response.

    `varies`: the headers that the response depends on, in addition to the content coding. `parameters`: the whole
    query. `path`: the path parameters other than the game. `caller`: the authenticated player, None if anonymous.
    """

    request: AnyRequest
    service: Service
    media_type: str
    varies: str
    operation: "Operation"
    parameters: Struct
    path: tuple[str, ...]
    caller: Player | None


class Beside(NamedTuple):
    """What a response shows although its moment in the log does not determine it: the `value`, and a `key` that changes
    with it; None if there is nothing.
    """

    value: Any = None
    key: Hashable = None


NOTHING = Beside()


class Deprecated(NamedTuple):
    """Notice that an operation will go: deprecated `since` then, and not gone before `sunset`, if that is known."""

    since: datetime
    sunset: datetime | None = None

    @property
    def headers(self) -> dict[str, str]:
        """What its responses say: RFC 9745, and RFC 8594."""
        since = {"Deprecation": f"@{int(self.since.timestamp())}"}
        return since if self.sunset is None else {**since, "Sunset": format_datetime(self.sunset, usegmt=True)}


class Facts(TypedDict, total=False):
    """What a signature cannot express about an operation. `problems`: the codes it may respond with, in addition to
    those of every operation and those that follow from its path, its query, and the fields of its body. `etag`: whether
    its response has an entity tag; by default, if it takes ``If-None-Match``.

    `streams`: the items it can stream, by media type, in addition to the JSON response if there is one (`json`).
    `answer`: its JSON response, if there is one (`json`, by default if there is an `answer`). `texts`: media types of
    responses that are neither JSON nor streams; their schema is a string. `binary`: those that are not text. A client
    that accepts anything gets the first media type. `body`: the possible types of a body of bytes. `cost`: how many
    requests one counts as, 1 by default. `quota`: other limits that it counts against. `tag`: by default the first word
    of its path. `scope`: the scope that a token needs; by default account for a player's own account, read for other
    GET, and play otherwise. `deprecated`: that it will go.

    What a response about a game depends on, in addition to the game, the moment, and the request: `readers`: whether
    `each` seat gets one of its own, only seats in games that hide something `sealed` from the others, or `all` get the
    same. `named`: whether it has the names of players. `beside`: what else it shows, given the call, the position, and
    whether a past moment was requested.
    """

    tag: Tag
    summary: Required[str]
    answer: type[Struct]
    status: int
    etag: bool
    problems: tuple[str, ...]
    json: bool
    texts: tuple[str, ...]
    binary: tuple[str, ...]
    streams: dict[str, tuple[type[Struct], ...]]
    body: tuple[type[Struct], ...]
    cost: Cost
    quota: Quota
    scope: Scope
    deprecated: Deprecated
    readers: Readers
    named: bool
    beside: Callable[[Call, Position, bool], Coroutine[Any, Any, Beside]]


class LanguageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`language`: of sentences, including refusals by the rules."""

    language: Language = "en"


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """No query parameters."""


class Operation(Struct, frozen=True, kw_only=True):
    """An operation of the API: its `Facts`, and the parameters in its handler's signature.

    `path` has the names of its `parts` in braces; `description` is the handler's docstring. `unasked` is the query of a
    request without parameters.
    """

    id: str
    tag: str
    summary: str
    description: str
    path: str
    parts: tuple[str, ...]
    answer: type[Struct] | None = None
    status: int = 200
    etag: bool = False
    problems: tuple[str, ...] = ()
    json: bool = True
    texts: tuple[str, ...] = ()
    binary: tuple[str, ...] = ()
    streams: dict[str, tuple[type[Struct], ...]] = {}
    query: type[Struct]
    unasked: Struct
    auth: Literal["required", "optional", "none"]
    headers: tuple[str, ...]
    body: tuple[type[Struct], ...]
    cost: Cost = 1
    quota: Quota | None = None
    scope: Scope
    deprecated: Deprecated | None = None
    readers: Readers = "each"
    named: bool = False
    beside: Callable[[Call, Position, bool], Coroutine[Any, Any, Beside]] | None = None

    @property
    def media_types(self) -> tuple[str, ...]:
        """The possible media types of a successful response."""
        return (*(["application/json"] if self.json else []), *self.texts, *self.binary, *self.streams)

    @property
    def large(self) -> bool:
        """Whether every response needs room in memory, as it can be large."""
        return self.cost != 1


def operation(
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"], path: str, **facts: Unpack[Facts]
) -> Callable[[Callable[Concatenate[Call, Takes], Coroutine[Any, Any, Answer]]], HTTPRouteHandler]:
    """The route of an operation, completed by its handler's signature and docstring. Its id is its handler's name.

    Raises TypeError, which names the operation, for a signature that no request can fill.
    """

    def route(handler: Callable[Concatenate[Call, Takes], Coroutine[Any, Any, Answer]]) -> HTTPRouteHandler:
        first, *words = handler.__name__.split("_")
        id_ = "".join((first, *map(str.capitalize, words)))
        hints = get_type_hints(handler)
        takes: dict[str, Any] = {name: hints.get(name) for name in signature(handler).parameters}
        parts = tuple(re.findall(r"{(\w+)}", path))
        misfits = [*_misfits(takes, parts, facts), *([] if handler.__doc__ else ["does not say what it does"])]
        if misfits:
            raise TypeError(f"operation {id_} {', '.join(misfits)}")
        query: type[Struct] = takes.get("query", NoQuery)
        told: Facts = {
            "tag": cast(Tag, path.removeprefix("/v1/").partition("/")[0]),
            "scope": "account" if path.startswith(_ACCOUNT) else "read" if method == "GET" else "play",
            "etag": "if_none_match" in takes,
            "json": "answer" in facts or facts.keys().isdisjoint(("texts", "binary", "streams")),
            **facts,
            "body": facts.get("body") or ((takes["body"],) if "body" in takes else ()),
        }
        told["problems"] = (
            *facts.get("problems", ()),
            *_of_fields(told["body"]),
            *(code for part, code in _UNKNOWN.items() if part in parts),
            *(["unknown_moment"] if "at" in query.__struct_fields__ else []),
        )
        declared = Operation(
            id=id_,
            description=" ".join((handler.__doc__ or "").split()),
            path=path,
            parts=parts,
            query=query,
            unasked=query(),
            auth=_AUTH[takes["caller"]] if "caller" in takes else "none",
            headers=tuple(_HEADERS[name][0] for name in takes if name in _HEADERS),
            **told,
        )
        address = re.sub(r"{(\w+)}", r"{\1:str}", path)
        answered = _carried_out(declared, handler, takes)
        if declared.deprecated is not None:
            answered = _announced(answered, declared.deprecated.headers)
        handle = HTTPRouteHandler(
            address,
            http_method=READ if method == "GET" else method,
            status_code=STATUS.get(method),
            opt={"operation": declared},
        )
        return handle(answered)

    return route


def _misfits(takes: dict[str, Any], parts: tuple[str, ...], facts: Facts) -> Iterator[str]:
    """The faults of a handler's parameters: types by name."""
    fits: dict[str, Callable[[Any], bool]] = {
        "call": lambda type_: type_ is Call,
        "query": _strict,
        "caller": lambda type_: type_ in _AUTH,
        "body": _strict if "body" not in facts else lambda type_: type_ is bytes,
        **{name: partial(eq, get_type_hints(read)["return"]) for name, (_, read) in _HEADERS.items()},
        **dict.fromkeys(parts, lambda type_: type_ in _PATH),
    }
    for name, type_ in takes.items():
        if name not in fits or not fits[name](type_):
            yield f"takes `{name}: {getattr(type_, '__name__', type_)}`, which no request gives"
    for name in ("call", *parts, *(["body"] if "body" in facts else [])):
        if name not in takes:
            yield f"does not take `{name}`"


def _of_fields(types: tuple[type[Struct], ...]) -> Iterator[str]:
    """The codes that the fields of these types declare."""
    waiting: list[Any] = [*msgspec.json.schema_components(types)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield from node.get(PROBLEMS, ())
            node = list(node.values())
        if isinstance(node, (list, tuple)):
            waiting.extend(node)


def _strict(type_: Any) -> bool:
    return isclass(type_) and issubclass(type_, Struct) and type_.__struct_config__.forbid_unknown_fields


def _carried_out(
    declared: Operation, handler: Callable[..., Awaitable[Answer]], takes: dict[str, Any]
) -> Callable[[AnyRequest], Awaitable[Answer]]:
    """Handle a request to an operation: check all declarations, and pass the handler what it takes."""
    media_types, auth = declared.media_types, declared.auth
    varies = "Accept, Authorization" if len(media_types) > 1 else "Authorization"
    headers = [(name, _HEADERS[name][1]) for name in takes if name in _HEADERS]
    parts = [(name, _PATH[takes[name]]) for name in declared.parts]
    others = [name for name in declared.parts if takes[name] is not UUID]
    guarded = takes.get("game") is UUID
    asks, reads, decodes = "query" in takes, "body" in takes, takes.get("body") is not bytes
    large = declared.large

    async def carried_out(request: AnyRequest) -> Answer:
        service: Service = request.app.state["service"]
        media_type = accepted(request, media_types)
        given: dict[str, Any] = {}
        # Shared links collect tracking parameters on the way, which is not the fault of the visitor.
        parameters = declared.query() if media_type == HTML else read_query(request, declared.query)
        if asks:
            given["query"] = parameters
        holder = None if auth == "none" else await service.holder(request, declared.scope)
        if auth != "none":
            given["caller"] = _caller(holder, takes["caller"])
        for name, read in headers:
            given[name] = read(request)
        if reads:
            sent = await body_sent(request)
            given["body"] = read_body(sent, *declared.body) if decodes else sent
        for name, part in parts:
            given[name] = part(request.scope["path_params"][name])
        series = guarded and given["game"].int >> VERSION_BIT & 15 == ID_VERSION
        if series:
            await service.series.let_in(given["game"], holder and holder.player, declared.id)
        call = Call(
            request,
            service,
            media_type,
            varies,
            declared,
            parameters,
            tuple([given[name] for name in others]) if others else (),
            holder and holder.player,
        )
        quota = {} if declared.quota is None else await service.count(declared.quota, request, given.get("caller"))
        try:
            if large:
                answered = await service.unsent.answered(address_of(request.scope), partial(handler, call, **given))
            else:
                answered = await handler(call, **given)
            answered.headers |= quota
        except Refused as refused:
            language: Language = getattr(parameters, "language", "en")
            raise refusal(refused.position.ruleset, refused.rejection, language, refused.index) from None
        if isinstance(answered, StreamAnswer):
            if holder is not None:
                answered.until.append(partial(service.callers.gone, header(request, b"authorization") or ""))
            if series:
                answered.until.append(partial(service.series.shut, given["game"], call.caller))
        return answered

    return carried_out


def _announced(
    answered: Callable[[AnyRequest], Awaitable[Answer]], headers: dict[str, str]
) -> Callable[[AnyRequest], Awaitable[Answer]]:
    """The same, with headers that announce the end of the operation."""

    async def announced(request: AnyRequest) -> Answer:
        found = await answered(request)
        found.headers = {**found.headers, **headers}
        return found

    return announced


def _caller(holder: Holder | None, wanted: Any) -> Holder | Player | None:
    """The caller as the handler's type; raises a problem if it is required and missing."""
    if _AUTH[wanted] == "optional":
        return holder and holder.player
    return identified(holder) if wanted is Holder else identified(holder).player


def answer(
    content: Struct | bytes,
    status: int = 200,
    head: Head | None = None,
    media_type: str = "application/json",
    **headers: str,
) -> Answer:
    """A response, by default in JSON, with the entity tag of the head it depends on."""
    if head is not None:
        headers["ETag"] = etag(head)
        note(seq=head.seq)
    return Answer(
        content if isinstance(content, bytes) else encoded(content),
        status,
        media_type,
        {name.replace("_", "-"): value for name, value in headers.items()},
    )


def private(content: Struct) -> Answer:
    """A private response that must not be cached."""
    return answer(content, Cache_Control="no-store", Vary="Authorization")

"""What an operation takes and gives: strict decoding, and the facts that the OpenAPI document is made of."""

import json
import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Any, Literal, TypeVar, Union, cast
from uuid import UUID

import msgspec
from litestar import Request
from litestar.datastructures.headers import MediaTypeHeader
from litestar.exceptions import ClientException
from msgspec import Struct

from mcmulti.api.answers import Answer
from mcmulti.api.logging import note
from mcmulti.api.problems import ApiError
from mcmulti.api.tags import ANY, etag, listed, position
from mcmulti.api.wording import said
from mcmulti.events.envelope import Head

T = TypeVar("T", bound=Struct)
AnyRequest = Request[Any, Any, Any]

BODY_LIMIT = 1_000_000
"""Bytes of a request body."""

_encode = msgspec.json.Encoder().encode
_PLAIN_KEYS = re.compile(rb'"(\w+)"\s*:').findall
_KEY = re.compile(r"^[\x21-\x7e]{1,255}$")


class Operation(Struct, frozen=True, kw_only=True):
    """An operation of the API. `problems` are the codes it may answer with, besides those every operation may.

    `streams`: what it may send one by one, by media type, besides the answer in JSON, if there is that (`json`).
    `answer` is what it says in JSON, if it does so (`json`).
    `texts`: media types of answers that are neither JSON nor streams; their schema is a string.
    A client that accepts anything gets the first media type.
    """

    id: str
    tag: Literal["players", "rulesets", "games", "play", "log", "service"]
    summary: str
    answer: type[Struct] | None = None
    status: int = 200
    body: tuple[type[Struct], ...] = ()
    query: type[Struct] | None = None
    auth: Literal["required", "optional", "none"] = "none"
    headers: tuple[Literal["If-Match", "Idempotency-Key", "If-None-Match", "Last-Event-ID"], ...] = ()
    etag: bool = False
    problems: tuple[str, ...] = ()
    json: bool = True
    texts: tuple[str, ...] = ()
    streams: dict[str, tuple[type[Struct], ...]] = {}

    @property
    def media_types(self) -> tuple[str, ...]:
        """What a successful answer may be."""
        return (*(["application/json"] if self.json else []), *self.texts, *self.streams)


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """No query parameters."""


def header(request: AnyRequest, name: bytes) -> str | None:
    """The first header of this name, in lower case, if there is one."""
    state = request.scope["state"]
    headers: dict[bytes, bytes] | None = state.get("headers")
    if headers is None:
        headers = state["headers"] = dict(reversed([*request.scope["headers"]]))  # the first stays
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")


def accepted(request: AnyRequest) -> str:
    """The media type of the operation that the client likes best; raises a problem if it accepts none of several."""
    offered: tuple[str, ...] = request.route_handler.opt["operation"].media_types
    if len(offered) == 1:  # RFC 9110, 12.5.1: many clients do not list it, and can read it
        return offered[0]
    accept = b",".join([value for name, value in request.scope["headers"] if name == b"accept"])
    media_type = _negotiated(accept.decode("latin-1"), offered)
    if media_type is None:
        raise ApiError("not_acceptable", f"This address answers with {' or '.join(offered)}.")
    return media_type


@lru_cache(maxsize=256)
def _negotiated(accept: str, offered: tuple[str, ...]) -> str | None:
    """RFC 9110, 12.5.1: the most specific range that fits a media type decides its quality."""
    ranges = [MediaTypeHeader(text.strip()) for text in accept.split(",") if text.strip()]
    if not ranges:
        return offered[0]

    def quality(media_type: str) -> int:
        fitting = [range_.priority for range_ in ranges if MediaTypeHeader(media_type).match(range_)]
        return max(fitting, key=lambda priority: priority[1], default=(0, 0))[0]

    try:
        best = max(offered, key=quality)
        return best if quality(best) > 0 else None
    except OverflowError:
        raise ApiError("invalid_header", "Accept holds a quality that is none.") from None


async def body(request: AnyRequest, *types: type[Struct]) -> Any:
    """The body as one of the types. JSON is decoded strictly: no coercion, no unknown fields."""
    media_type = (header(request, b"content-type") or "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise ApiError("unsupported_media_type", f"The body is {media_type or 'of no type'}, not application/json.")
    coding = header(request, b"content-encoding")
    if coding is not None and coding.strip().lower() != "identity":
        detail = f"The body is sent as {coding or 'nothing'}, and is taken as it is only."
        raise ApiError("unsupported_media_type", detail, {"Accept-Encoding": "identity"})
    sent = await content(request)
    value = decoded(sent, *types)
    _unambiguous(sent)
    return value


async def content(request: AnyRequest) -> bytes:
    """The body as it was sent; raises a problem for one that is too large.

    Litestar's own way to it looks at all headers and takes longer than decoding it.
    """
    state = request.scope["state"]
    if "content" not in state:
        announced = int(header(request, b"content-length") or 0)
        sent = b""
        more = True
        while more:
            if max(announced, len(sent)) > BODY_LIMIT:
                raise ApiError("body_too_large", f"The body is larger than {BODY_LIMIT} bytes.")
            message: Any = await request.receive()
            if message["type"] == "http.disconnect":
                raise ClientException("The client left before its request was whole.")
            sent += message["body"]
            more = message["more_body"] or len(sent) > BODY_LIMIT
        state["content"] = sent
    kept: bytes = state["content"]
    return kept


def decoded(content: bytes, *types: type[Struct], at: str = "") -> Any:
    """JSON as one of the types, strictly. `at` is where it stands in the body."""
    try:
        return _decoder(types).decode(content)
    except msgspec.ValidationError as error:
        raise ApiError("invalid_body", f"{said(error, at)}.") from None
    except UnicodeDecodeError as error:
        raise ApiError("malformed_json", f"The body is not UTF-8: {error.reason}.") from None
    except RecursionError:
        raise ApiError("malformed_json", "The body is nested too deeply.") from None
    except msgspec.DecodeError as error:
        raise ApiError("malformed_json", f"{error}.") from None


def _unambiguous(content: bytes) -> None:
    """Refuse a key that an object has twice: some readers take its first value, msgspec takes the last."""
    if len(set(_PLAIN_KEYS(content))) == content.count(b":"):
        return  # each key needs a colon of its own: there are as many colons as different keys
    try:
        _members_once(content.decode())
    except ValueError as error:
        raise ApiError("malformed_json", f"{error}.") from None
    except RecursionError:
        raise ApiError("malformed_json", "The body is nested too deeply.") from None


def _once(members: list[tuple[str, Any]]) -> None:
    keys = set()
    for key, _ in members:
        if key in keys:
            raise ValueError(f"The key {key[:40]!r} is given twice")
        keys.add(key)


_members_once = json.JSONDecoder(object_pairs_hook=_once, parse_int=str, parse_float=str).decode


@cache
def _decoder(types: tuple[type[Struct], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[types])  # noqa: UP007


def query(request: AnyRequest, into: type[T]) -> T:
    """The query parameters; unknown, repeated and misfit ones are refused."""
    sent = request.query_params.multi_items() if request.scope["query_string"] else ()
    return cast(T, _parameters(tuple(sent), into))


@lru_cache(maxsize=1024)
def _parameters(sent: tuple[tuple[str, str], ...], into: type[Struct]) -> Struct:
    given: dict[str, str] = {}
    for name, value in sent:
        if name in given:
            raise ApiError("invalid_query", f"The parameter {name!r} is given twice.")
        if value.endswith("\n"):  # which the `$` of a pattern lets pass in Python, and in no other language
            raise ApiError("invalid_query", f"The parameter {name!r} ends with a line break.")
        given[name] = value
    try:
        return msgspec.convert(given, into, strict=False)
    except msgspec.ValidationError as error:
        detail = said(error).partition(", got ")[0]  # a parameter is text, whatever it holds
        raise ApiError("invalid_query", f"{detail}.") from None


@lru_cache(maxsize=4096)
def game_id(text: str) -> UUID:
    """The id of a game, from the path."""
    try:
        return UUID(text)
    except ValueError:
        raise ApiError("unknown_game", f"There is no game {text[:40]!r}.") from None


def tags(request: AnyRequest, name: str) -> tuple[str, ...] | None:
    """The entity tags that all headers of this name list, or `ANY` alone; None if there is no such header."""
    key = name.lower().encode()
    if header(request, key) is None:
        return None
    sent = [value for each, value in request.scope["headers"] if each == key]
    return listed(name, b",".join(sent).decode("latin-1"))


def if_match(request: AnyRequest) -> Collection[Head] | None:
    """The positions that the client decided on, from ``If-Match``; None if any will do.

    Tags are compared without regard to weakness and representation: what they name is the position, not the bytes.
    """
    named = tags(request, "If-Match")
    if named is None or named == (ANY,):
        return None
    return [head for head in map(position, named) if head is not None]


def idempotency_key(request: AnyRequest) -> str | None:
    """The client's key for this request, from ``Idempotency-Key``."""
    key = header(request, b"idempotency-key")
    if key is not None and not _KEY.match(key):
        raise ApiError("invalid_header", "Idempotency-Key must be 1 to 255 visible ASCII characters.")
    return key


def answer(
    content: Struct | bytes,
    status: int = 200,
    head: Head | None = None,
    media_type: str = "application/json",
    tag: str | None = None,
    **headers: str,
) -> Answer:
    """An answer, in JSON unless told, with the entity tag of the head it depends on, or the one given."""
    if head is not None:
        headers["ETag"] = tag or etag(head)
        note(seq=head.seq)
    return Answer(
        content if isinstance(content, bytes) else _encode(content),
        status,
        media_type,
        {name.replace("_", "-"): value for name, value in headers.items()},
    )


def encoded(content: Struct) -> bytes:
    """JSON as it is sent."""
    return _encode(content)

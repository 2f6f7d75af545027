"""Parts of a request, read strictly: invalid ones are refused with a problem that names the fault."""

import re
from collections.abc import Collection
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeVar, Union, cast, get_args, get_type_hints
from urllib.parse import parse_qsl
from uuid import UUID

import msgspec
from litestar import Request
from litestar.datastructures.headers import MediaTypeHeader
from litestar.exceptions import ClientException
from msgspec import Struct, UnsetType

from mcmulti.api.caching.tags import ANY, listed, position
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.wording import said
from mcmulti.events.log.envelope import Head
from mcmulti.events.store.names import can_be_shown, is_reserved, of_one_script

T = TypeVar("T", bound=Struct)
V = TypeVar("V")
D = TypeVar("D")
AnyRequest = Request[Any, Any, Any]
Tags = tuple[str, ...]
"""Entity tags in a header, or only `ANY`."""
Heads = Collection[Head]
"""Positions of games."""

BODY_LIMIT = 1_000_000
"""The most bytes of a request body."""
LONGEST_LIST = 2_000
"""The most characters in ``Accept``: parsing a longer one takes more time than most responses."""
LONGEST_KEPT = 500
"""The most characters of a query whose parsed form is cached."""

_ESCAPED_COLONS = re.compile(rb"\\u003[aA]").findall
_untyped = msgspec.json.Decoder(float_hook=str).decode  # converting a float such as 1e300 takes 8 microseconds
_encoded = msgspec.json.Encoder().encode
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", re.ASCII)
_DATE = re.compile("[0-9]{4}-", re.ASCII)
_KEY = re.compile(r"^[\x21-\x7e]{1,255}$")
_ID = re.compile(r"([0-9]{1,13})(?:-([0-9a-f]{64}))?")


def given(value: V | UnsetType, default: D) -> V | D:
    """The value of a parameter, or what is meant if it was left out."""
    return default if isinstance(value, UnsetType) else value


def header(request: AnyRequest, name: bytes) -> str | None:
    """The first header with this name, in lower case, if there is one."""
    state = request.scope["state"]
    headers: dict[bytes, bytes] | None = state.get("headers")
    if headers is None:
        headers = state["headers"] = dict(reversed([*request.scope["headers"]]))  # the first one wins
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")


def shown_name(name: str) -> str:
    """A name as it is stored, without spaces around it. Raises a problem for one that cannot be displayed."""
    if not can_be_shown(name):
        raise ApiError("unprintable_name", "name: contains unprintable characters.")
    return name.strip()


def player_name(name: str) -> str:
    """The name of a player as it is stored. Raises a problem for one that players may not have."""
    shown = shown_name(name)
    if not of_one_script(shown):
        raise ApiError("mixed_scripts", "name: mixes scripts, such as Latin and Cyrillic. Use letters of one script.")
    if is_reserved(shown):
        raise ApiError(
            "reserved_name",
            f"name: {shown!r} could be mistaken for a seat, a house bot, or an operator. Choose another name.",
        )
    return shown


def name_taken(name: str) -> ApiError:
    """The problem for a name that is taken."""
    return ApiError("name_taken", f"The name {name!r} is taken, or looks too much like one that is.")


def accepted(request: AnyRequest, offered: tuple[str, ...]) -> str:
    """The media type that the client prefers. Raises a problem if it accepts none of several."""
    if len(offered) == 1:  # RFC 9110, 12.5.1: many clients can read it without listing it
        return offered[0]
    accept = b",".join([value for name, value in request.scope["headers"] if name == b"accept"])
    if len(accept) > LONGEST_LIST:
        raise ApiError("invalid_header", f"Accept must be at most {LONGEST_LIST} characters long.")
    media_type = _negotiated(accept.decode("latin-1"), offered)
    if media_type is None:
        raise ApiError("not_acceptable", f"Available media types: {', '.join(offered)}.")
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
        raise ApiError("invalid_header", "Accept contains an invalid quality value.") from None


JSON = "application/json"


async def body_sent(request: AnyRequest) -> bytes:
    """The body as it was sent, if its media type is JSON."""
    media_type = header(request, b"content-type") or ""
    if media_type != JSON:  # which most clients write exactly like this
        media_type = media_type.partition(";")[0].strip().lower()
        if media_type != JSON:
            raise ApiError(
                "unsupported_media_type", f"Content-Type must be {JSON}, and the request has {media_type or 'none'}."
            )
    coding = header(request, b"content-encoding")
    if coding is not None and coding.strip().lower() != "identity":
        detail = f"Content-Encoding {coding!r} is not supported. Send the body uncompressed."
        raise ApiError("unsupported_media_type", detail, {"Accept-Encoding": "identity"})
    return await content(request)


async def content(request: AnyRequest) -> bytes:
    """The body as it was sent. Raises a problem if it is too large.

    Litestar's own method reads all headers and takes longer than decoding.
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
                raise ClientException("The client disconnected before sending the complete request.")
            sent += message["body"]
            more = message["more_body"] or len(sent) > BODY_LIMIT
        state["content"] = sent
    kept: bytes = state["content"]
    return kept


def read_body(content: bytes, *types: type[Struct]) -> Any:
    """A body as one of the types. JSON is decoded strictly: no coercion, no unknown fields, no duplicate keys."""
    value = decoded(content, *types)
    _unambiguous(content)
    return value


def decoded(content: bytes, *types: type[Struct], at: str = "") -> Any:
    """JSON as one of the types, strictly. `at`: its place in the body."""
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
    """Refuse duplicate keys in an object: some parsers use the first value, msgspec uses the last.

    Encoded again, the JSON has a colon for each member and for each in a text; fewer if a member was lost.
    """
    try:
        kept = _encoded(_untyped(content)).count(b":")
    except msgspec.ValidationError as error:  # a number out of any range; its type is reported later
        raise ApiError("invalid_body", f"{said(error)}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ApiError("malformed_json", f"{error}.") from None
    except RecursionError:
        raise ApiError("malformed_json", "The body is nested too deeply.") from None
    sent = content.count(b":")
    if b"\\u003" in content:
        sent += len(_ESCAPED_COLONS(content.replace(b"\\\\", b"")))
    if kept != sent:
        raise ApiError("malformed_json", "An object has the same key twice.")


@cache
def _decoder(types: tuple[type[Struct], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[types])  # noqa: UP007


def read_query(request: AnyRequest, into: type[T]) -> T:
    """The query parameters. Unknown, repeated, and invalid ones are refused."""
    query = request.scope["query_string"]
    if len(query) <= LONGEST_KEPT:
        return cast(T, _parameters(query, into))
    return cast(T, _parameters.__wrapped__(query, into))


@lru_cache(maxsize=1024)
def _parameters(query: bytes, into: type[Struct]) -> Struct:
    given: dict[str, str] = {}
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name in given:
            raise ApiError("invalid_query", f"The parameter {name!r} appears twice.")
        if value.endswith("\n"):  # which Python's `$` matches before, unlike other languages
            raise ApiError("invalid_query", f"The parameter {name!r} ends with a line break.")
        given[name] = value
    for name in _moments(into):
        if name in given and not _DATE.match(given[name]):  # a number would be taken for seconds since 1970
            raise ApiError("invalid_query", f"{name}: Expected a date and time such as 2026-01-31T18:00:00Z.")
    try:
        return msgspec.convert(given, into, strict=False)
    except msgspec.ValidationError as error:
        detail = said(error).partition(", got ")[0]  # parameters are always text
        raise ApiError("invalid_query", f"{detail}.") from None


@cache
def _moments(into: type[Struct]) -> tuple[str, ...]:
    """The parameters that are dates and times."""
    return tuple([name for name, type_ in get_type_hints(into).items() if datetime in (type_, *get_args(type_))])


def game_id(text: str) -> UUID:
    """The id of a game, from the path."""
    if not _UUID.fullmatch(text):
        raise ApiError("unknown_game", f"There is no game {text[:40]!r}.")
    return _uuid(text)


def player_id(text: str) -> UUID:
    """The id of a player, from the path."""
    if not _UUID.fullmatch(text):
        raise ApiError("unknown_player", f"There is no player {text[:40]!r}.")
    return UUID(text)


_uuid = lru_cache(maxsize=4096)(UUID)


def _tags(request: AnyRequest, name: str, key: bytes) -> Tags:
    if header(request, key) is None:
        return ()
    sent = [value for each, value in request.scope["headers"] if each == key]
    return listed(name, b",".join(sent).decode("latin-1"))


def if_none_match(request: AnyRequest) -> Tags:
    """The entity tags that the client has, from ``If-None-Match``."""
    return _tags(request, "If-None-Match", b"if-none-match")


def if_match(request: AnyRequest) -> Heads | None:
    """The positions that the client decided on, from ``If-Match``; None if any is accepted.

    Weakness and representation of tags are ignored: they name the position, not the bytes.
    """
    named = _tags(request, "If-Match", b"if-match")
    if named in ((), (ANY,)):
        return None
    return [head for head in map(position, named) if head is not None]


def idempotency_key(request: AnyRequest) -> str | None:
    """The client's key for this request, from ``Idempotency-Key``."""
    key = header(request, b"idempotency-key")
    if key is not None and not _KEY.match(key):
        raise ApiError("invalid_header", "Idempotency-Key must be 1 to 255 visible ASCII characters.")
    return key


class EventId(NamedTuple):
    """Where a client resumes a stream: after the event with this number, and this hash if it has one."""

    number: int
    hash: bytes | None = None

    def __str__(self) -> str:
        return str(self.number) if self.hash is None else f"{self.number}-{self.hash.hex()}"


def last_event_id(request: AnyRequest) -> EventId | None:
    """Where the client resumes a stream, from ``Last-Event-ID``."""
    value = header(request, b"last-event-id")
    if value is None:
        return None
    found = _ID.fullmatch(value)
    if not found:
        raise ApiError("invalid_header", "Last-Event-ID must be an id that this stream sent.")
    number, hash_ = found.groups()
    return EventId(int(number), bytes.fromhex(hash_) if hash_ else None)

"""Why parts of Litestar are not used (docs/decisions/beside-litestar.md): each test shows what it does, and what we do.

If one of them fails in Litestar's half, a newer Litestar may do it right. Then measure it again, and hand the part
back.
"""

from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient, Response
from litestar import Litestar, asgi, get, post
from litestar import Response as LitestarResponse
from litestar.config.compression import CompressionConfig
from litestar.config.cors import CORSConfig
from litestar.connection import Request
from litestar.datastructures.headers import Accept
from litestar.params import FromQuery, JSONBody
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Struct

from mcmulti.api.http.answers import Answer, not_modified
from mcmulti.api.http.browsers import for_browsers
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import accepted, if_none_match, read_body, read_query

ORIGIN = "https://example.org"
LARGE = b'"told"' * 1000
TAG = '"1-ab"'


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """The class of a query, and of a body."""

    number: int = 0


@get("/told")
async def told() -> LitestarResponse[bytes]:
    return LitestarResponse(LARGE, media_type="application/json", headers={"ETag": TAG, "Vary": "Authorization"})


@post("/asked")
async def asked(data: JSONBody[Asked], number: FromQuery[int] = 0) -> Asked:
    return data


@asgi("/told", copy_scope=False)
async def told_by_us(scope: Scope, receive: Receive, send: Send) -> None:
    request: Request[Any, Any, Any] = Request(scope)
    found = not_modified(scope, if_none_match(request), TAG, "Authorization, Accept-Encoding")
    await (found or Answer(LARGE, headers={"ETag": TAG, "Vary": "Authorization"}))(scope, receive, send)


def litestar(*handlers: Any, **more: Any) -> Litestar:
    return Litestar([*handlers], openapi_config=None, logging_config=None, **more)


async def sent(app: ASGIApp, method: str, path: str, content: str = "", **headers: str) -> Response:
    """The response to a request, with these headers and no others."""
    async with AsyncClient(transport=ASGITransport(app), base_url="http://mcmulti") as client:  # type: ignore[arg-type]
        client.headers.clear()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await client.request(method, path, content=content, headers=named)


@pytest.mark.parametrize(
    ("accept", "right"),
    [("application/json;q=0, */*", "text/csv"), ("*/*;q=0.9, application/json;q=0.1", "text/csv")],
    ids=["refused", "specific"],
)
def test_negotiation(accept: str, right: str) -> None:
    """RFC 9110, 12.5.1: quality 0 refuses, and the most specific range decides."""
    offered = ("application/json", "text/csv")
    assert Accept(accept).best_match([*offered]) == "application/json"
    scope: Any = {"type": "http", "headers": [(b"accept", accept.encode())]}
    assert accepted(Request(scope), offered) == right


async def test_compression() -> None:
    """RFC 9110, 12.5.3 and 8.8.3: quality 0 refuses a coding, and each coding has its own tag, announced by `Vary`."""
    theirs, ours = litestar(told, compression_config=CompressionConfig(backend="gzip")), litestar(told_by_us)
    refused = [await sent(app, "GET", "/told", accept_encoding="gzip;q=0") for app in (theirs, ours)]
    assert [one.headers.get("content-encoding") for one in refused] == ["gzip", None]
    packed = [await sent(app, "GET", "/told", accept_encoding="gzip") for app in (theirs, ours)]
    assert [one.headers["etag"] for one in packed] == [TAG, '"1-ab;gzip"']
    plain = [await sent(app, "GET", "/told") for app in (theirs, ours)]
    assert [one.headers["vary"] for one in plain] == ["Authorization", "Authorization, Accept-Encoding"]


async def test_conditional_requests() -> None:
    """RFC 9110, 13.1.2: Litestar does not compare the tags of a handler."""
    known = [await sent(app, "GET", "/told", if_none_match=TAG) for app in (litestar(told), litestar(told_by_us))]
    assert [one.status_code for one in known] == [200, 304]


async def test_cors() -> None:
    """The response varies by caller and origin. A page of another origin gets what everybody gets."""
    theirs = litestar(told, cors_config=CORSConfig(allow_origins=[ORIGIN]))
    ours = for_browsers(litestar(told_by_us), (ORIGIN,))
    vary = [(await sent(app, "GET", "/told", origin=ORIGIN)).headers["vary"] for app in (theirs, ours)]
    assert vary == ["Origin", "Authorization, Accept-Encoding, Origin"]
    preflight = {"origin": "https://other.example", "access_control_request_method": "GET"}
    strange = [await sent(app, "OPTIONS", "/told", **preflight) for app in (theirs, ours)]
    assert [one.status_code for one in strange] == [400, 204]
    assert "access-control-allow-origin" not in strange[1].headers


async def test_binding() -> None:
    """An unknown parameter, or a member that is given twice, is a mistake of the client."""
    theirs = litestar(asked)
    unknown = await sent(theirs, "POST", "/asked?nmber=1", '{"number": 1}', content_type="application/json")
    twice = await sent(theirs, "POST", "/asked", '{"number": 1, "number": 2}', content_type="application/json")
    assert [unknown.status_code, twice.status_code, twice.json()] == [201, 201, {"number": 2}]
    scope: Any = {"type": "http", "query_string": b"nmber=1"}
    with pytest.raises(ApiError, match="nmber: unknown field"):
        read_query(Request(scope), Asked)
    with pytest.raises(ApiError, match="twice"):
        read_body(b'{"number": 1, "number": 2}', Asked)

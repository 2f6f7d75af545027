"""HTTP on the wire: what clients offer and send with requests, and what only looks like a request."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.api.connection import answers, said

H2C = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n"
WEBSOCKET = (
    b"Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
async def address() -> AsyncIterator[str]:
    """One server for all tests, with a log in memory."""
    with bound("127.0.0.1", 0) as listener:
        async with answering(MemoryLog(), listener) as address:
            yield address


def registering(name: str, more: bytes = b"", *, chunked: bool = False) -> tuple[bytes, bytes]:
    """The head and the body of a request that registers a player."""
    body = json.dumps({"name": name}).encode()
    length = b"Transfer-Encoding: chunked\r\n" if chunked else b"Content-Length: %d\r\n" % len(body)
    head = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + more + length + b"\r\n"
    if chunked:
        body = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    return head, body


@pytest.mark.parametrize("offer", [H2C, WEBSOCKET, b"Upgrade: tls/1.2\r\nConnection: upgrade\r\n"])
@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("apart", ["together", "body apart", "every byte apart"])
async def test_an_offered_protocol_is_ignored(address: str, offer: bytes, chunked: bool, apart: str) -> None:
    name = f"{len(offer)} {chunked} {apart}"
    head, body = registering(name, offer, chunked=chunked)
    pieces = {"together": [head + body], "body apart": [head, body]}.get(apart, [bytes([byte]) for byte in head + body])
    registered, alive = answers(await said(address, *pieces, HEALTH))
    assert (registered.status_code, registered.json()["name"]) == (201, name)
    assert alive.status_code == 200


async def test_what_follows_a_body_is_a_request_and_what_is_in_it_is_not(address: str) -> None:
    """The body contains a request: it is not JSON, and is not carried out."""
    smuggled = b"".join(registering("Smuggled"))
    head = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + H2C
    head += b"Content-Length: %d\r\n\r\n" % len(smuggled)
    for pieces in ([head + smuggled + HEALTH], [head, smuggled, HEALTH]):
        refused, alive = answers(await said(address, *pieces))
        assert refused.json()["code"] == "malformed_json"
        assert alive.status_code == 200
    honest = answers(await said(address, *registering("Smuggled"), HEALTH))[0]
    assert honest.status_code == 201, "the smuggled request registered the player"


async def test_requests_in_a_row_that_all_offer(address: str) -> None:
    row = [b"".join(registering(f"In a row {number}", H2C, chunked=number % 2 == 0)) for number in range(40)]
    found = answers(await said(address, b"".join(row) + HEALTH))
    assert [answer.status_code for answer in found] == [201] * 40 + [200]
    assert [answer.json()["name"] for answer in found[:-1]] == [f"In a row {number}" for number in range(40)]


async def test_an_offer_without_a_body(address: str) -> None:
    found = answers(await said(address, b"GET /v1/rulesets HTTP/1.1\r\nHost: x\r\n" + H2C + b"\r\n" + HEALTH))
    assert [answer.status_code for answer in found] == [200, 200]


@pytest.mark.parametrize("offer", [b"", H2C])
async def test_a_client_that_asks_before_it_sends_the_body(address: str, offer: bytes) -> None:
    head, body = registering(f"Asks {len(offer)}", b"Expect: 100-continue\r\n" + offer)
    before, registered, _ = answers(await said(address, head, body, HEALTH))
    assert (before.status_code, registered.status_code) == (100, 201)


def post(more: bytes, body: bytes = b"") -> bytes:
    return b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + more + b"\r\n" + body


BODY = b'{"name": "Mallory"}'
CHUNKED = b"13\r\n" + BODY + b"\r\n0\r\n\r\n"
TE = b"Transfer-Encoding: chunked\r\n"


async def test_a_body_may_have_little_around_its_chunks_and_not_more(address: str) -> None:
    """The size and the number of extensions make no difference."""
    head = post(TE)
    small = head + b"13;a=" + b"b" * 1000 + b"\r\n" + BODY.replace(b"Mallory", b"Carolyn") + b"\r\n0\r\n\r\n"
    registered, _ = answers(await said(address, small, HEALTH))
    assert registered.status_code == 201, registered.text
    huge = [b"b" * 100_000] * 7
    many = [b"1;a=" + b"b" * 40_000 + b"\r\n \r\n"] * 20
    for pieces in ([head, b"13;a=", *huge], [head, *many]):
        (refused,) = answers(await said(address, *pieces))
        assert (refused.status_code, refused.json()["code"]) == (400, "bad_request")
        assert "chunk framing" in refused.json()["detail"]


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(post(b"Content-Length: 19\r\n" + TE, CHUNKED), id="length and chunks"),
        pytest.param(post(TE + b"Content-Length: 19\r\n", CHUNKED), id="chunks and length"),
        pytest.param(post(b"Content-Length: 19\r\nContent-Length: 19\r\n", BODY), id="the same length twice"),
        pytest.param(post(b"Content-Length: 19\r\nContent-Length: 0\r\n", BODY), id="two lengths"),
        pytest.param(post(b"Content-Length: 19, 19\r\n", BODY), id="a list of lengths"),
        pytest.param(post(b"Content-Length: +19\r\n", BODY), id="a length with a sign"),
        pytest.param(post(b"Content-Length : 19\r\n", BODY), id="a space before the colon"),
        pytest.param(post(b"Content-Length:\r\n 19\r\n", BODY), id="a folded length"),
        pytest.param(post(b"X: a\r\n b\r\nContent-Length: 19\r\n", BODY), id="a folded header"),
        pytest.param(post(b"Transfer-Encoding: xchunked\r\n", CHUNKED), id="an unknown coding"),
        pytest.param(post(b"Transfer-Encoding: gzip, chunked\r\n", CHUNKED), id="two codings"),
        pytest.param(post(b"Transfer-Encoding: gzip\r\n" + TE, CHUNKED), id="two lines of codings"),
        pytest.param(post(TE + b"Transfer-Encoding: identity\r\n", CHUNKED), id="chunked and identity"),
        pytest.param(post(TE, CHUNKED.replace(b"13\r\n", b"13\n")), id="a chunk size with a bare line feed"),
        pytest.param(post(TE, CHUNKED.replace(b"13\r\n", b"13;\n")), id="an extension with a bare line feed"),
        pytest.param(post(TE, CHUNKED.replace(b"13", b"0x13")), id="a chunk size that is none"),
        pytest.param(post(TE, CHUNKED.replace(b"y", b"yy")), id="a chunk longer than it says"),
        pytest.param(post(TE, CHUNKED).replace(b"/1.1", b"/1.0"), id="chunks in HTTP/1.0"),
        pytest.param(post(H2C + b"Content-Length: 19\r\n" + TE, CHUNKED), id="an offer, a length and chunks"),
        pytest.param(post(b"Content-Length: 19\r\n", BODY).replace(b"\r\n", b"\n"), id="bare line feeds"),
        pytest.param(post(b"X: a\nContent-Length: 19\r\n", BODY), id="one bare line feed"),
        pytest.param(post(b"X: a\rY: b\r\nContent-Length: 19\r\n", BODY), id="a bare carriage return"),
        pytest.param(post(b"X: \x00\r\nContent-Length: 19\r\n", BODY), id="a null byte"),
        pytest.param(post(b"Host: y\r\nContent-Length: 19\r\n", BODY), id="two hosts"),
        pytest.param(post(b"Content-Type: a/b\r\nContent-Length: 19\r\n", BODY), id="two types"),
        pytest.param(post(H2C + b"Host: y\r\nContent-Length: 19\r\n", BODY), id="an offer and two hosts"),
        pytest.param(post(b"Content-Length: 19\r\n", BODY).replace(b"Host: x\r\n", b""), id="no host"),
        pytest.param(post(b"Content-Length: 19\r\n", BODY).replace(b"/1.1", b"/2.0"), id="another version"),
        pytest.param(b"GET /\r\n\r\n", id="no version"),
        pytest.param("GET /v1/games/ü HTTP/1.1\r\nHost: x\r\n\r\n".encode(), id="a target that is not ASCII"),
        pytest.param(b"GET http://x:99999/ HTTP/1.1\r\nHost: x\r\n\r\n", id="a port that is none"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="HTTP/2 at once"),
    ],
)
async def test_what_can_be_read_in_two_ways_is_refused(address: str, sent: bytes) -> None:
    """One problem, and then the connection is closed: what follows is never a request."""
    (refused,) = answers(await said(address, sent + HEALTH))
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_request")
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.headers["connection"] == "close"
    (apart,) = answers(await said(address, sent, HEALTH))
    assert apart.status_code == 400
    assert answers(await said(address, HEALTH))[0].status_code == 200


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
        (b"get /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
        (b"CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n", 405, "method_not_allowed"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", 400, "bad_request"),
        (b"GET /%b HTTP/1.1\r\nHost: x\r\n\r\n" % (b"x" * 8_192), 414, "target_too_long"),
        (b"GET /%b HTTP/1.1\r\nHost: x\r\n\r\n" % (b"x" * 2_000_000), 414, "target_too_long"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: %b\r\n\r\n" % (b"x" * 2_000_000), 431, "head_too_large"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n%b\r\n" % (b"X: y\r\n" * 300_000), 431, "head_too_large"),
    ],
    ids=lambda value: str(value)[:20],
)
async def test_other_requests_that_are_none_get_a_problem_too(
    address: str, sent: bytes, status: int, code: str
) -> None:
    (refused,) = answers(await said(address, sent))
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert refused.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("method", ["PROPFIND", "TRACE", "PATCH"])
async def test_methods_that_no_address_takes(address: str, method: str) -> None:
    sent = f"{method} /v1/players HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    (refused,) = answers(await said(address, sent.encode()))
    assert (refused.status_code, refused.json()["code"]) == (405, "method_not_allowed")
    assert refused.headers["content-type"] == "application/problem+json"


async def test_requests_before_one_that_is_none_are_answered_first(address: str) -> None:
    row = b"".join(b"".join(registering(f"Before {number}")) for number in range(3))
    *done, refused = answers(await said(address, row + b"nonsense\r\n\r\n" + HEALTH))
    assert [answer.status_code for answer in done] == [201] * 3
    assert refused.status_code == 400


async def test_a_broken_body_behind_requests_that_wait(address: str) -> None:
    row = b"".join(b"".join(registering(f"Waits {number}")) for number in range(3))
    *done, refused = answers(await said(address, row + post(TE, b"zz\r\n") + HEALTH))
    assert [answer.status_code for answer in done] == [201] * 3
    assert refused.json()["code"] == "bad_request"


async def test_a_body_that_breaks_behind_its_answer_gets_no_second_one(address: str) -> None:
    head = b"POST /v1/nowhere HTTP/1.1\r\nHost: x\r\n" + TE + b"\r\n"
    (refused,) = answers(await said(address, head, b"zz\r\n", HEALTH))
    assert refused.json()["code"] == "not_found"


async def test_trailers_are_no_headers(address: str) -> None:
    """A trailer after the body never changes whose request it is."""
    head, body = registering("Trailed", chunked=True)
    token = answers(await said(address, head + body + HEALTH))[0].json()["token"]
    sent = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + TE + b"\r\n"
    trailer = b"2\r\n{}\r\n0\r\nAuthorization: Bearer %b\r\n\r\n" % token.encode()
    refused, _ = answers(await said(address, sent + trailer, HEALTH))
    assert refused.json()["code"] == "unauthenticated"


@pytest.mark.needs("curl")
async def test_curl_that_prefers_http_2(address: str) -> None:
    for number in range(2):
        shown, code = await run(
            *("curl", "-s", "--http2", "-w", "\n%{http_code} %{http_version}", f"{address}/v1/players"),
            *("-H", "Content-Type: application/json", "-d", json.dumps({"name": f"Curl {number}"})),
        )
        assert code == 0
        body, _, version = shown.rpartition("\n")
        assert (json.loads(body)["name"], version) == (f"Curl {number}", "201 1.1")


@pytest.mark.needs("java", "javac")
async def test_javas_own_client_as_it_is(address: str, tmp_path: Path) -> None:
    """It offers h2c with every request, and sends the body separately."""
    (tmp_path / "Registering.java").write_text(JAVA)
    shown, code = await run("java", str(tmp_path / "Registering.java"), address)
    assert (shown, code) == ("201 HTTP_1_1 Java 0\n201 HTTP_1_1 Java 1\n201 HTTP_1_1 Java 2\n", 0)


JAVA = """
import java.net.URI;
import java.net.http.*;

public class Registering {
    public static void main(String[] arguments) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        for (int number = 0; number < 3; number++) {
            String name = "Java " + number;
            HttpRequest request = HttpRequest.newBuilder(URI.create(arguments[0] + "/v1/players"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\\"name\\": \\"" + name + "\\"}"))
                .build();
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            System.out.println(answer.statusCode() + " " + answer.version() + " "
                + (answer.body().contains("\\"name\\":\\"" + name + "\\"") ? name : answer.body()));
        }
    }
}
"""


async def run(*command: str) -> tuple[str, int | None]:
    """What a program prints, and how it ends."""
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    shown, _ = await process.communicate()
    return shown.decode(), process.returncode

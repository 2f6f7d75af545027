"""Requests that no honest client sends, to a real server: a clear problem, nothing appended, and the server
survives.
"""

import asyncio
import gzip
import random
import struct
from collections.abc import AsyncIterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest
from httpx import AsyncClient, Response

from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.process import answering, bound
from tests.api.guests import Guest, Table, problem
from tests.conftest import new_database

JSON = {"Content-Type": "application/json"}
LIMIT = 1_000_000
DEEP = 100_000
MOST_QUERY = 8_000
"""A target may be 8 KiB long."""


class Server(NamedTuple):
    """A server with a game in which Ada is to move."""

    address: str
    table: Table
    game: str
    seq: int

    @property
    def ada(self) -> Guest:
        return self.table.guests[0]

    @property
    def commands(self) -> str:
        return f"/v1/games/{self.game}/commands"

    async def raw(self, sent: bytes, *, close: bool = False) -> bytes:
        """What the server sends in response to these bytes until it closes the connection, or for two seconds."""
        parts = urlsplit(self.address)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        said = b""
        try:
            writer.write(sent)
            if close:
                writer.write_eof()
            async with asyncio.timeout(2):
                while chunk := await reader.read(65536):
                    said += chunk
        except (TimeoutError, ConnectionError):
            pass
        finally:
            writer.transport.abort()
        return said


@pytest.fixture(scope="module")
async def unhurt(postgres: EmbeddedPostgres, migrated: str) -> AsyncIterator[Server]:
    """One server for all tests: each of them must leave it as it was."""
    with new_database(postgres, template=migrated) as name, bound("127.0.0.1", 0) as listener:
        async with (
            PostgresLog.open(postgres.url(database=name)) as log,
            answering(log, listener) as address,
            AsyncClient(base_url=address, timeout=30) as client,
        ):
            table = Table(client, log)
            game = await table.market_phase()
            seq = (await client.get(f"/v1/games/{game}")).json()["seq"]
            yield Server(address, table, game, seq)


@pytest.fixture
async def server(unhurt: Server) -> AsyncIterator[Server]:
    """The server. Afterward, nothing was appended, and Ada can still move."""
    yield unhurt
    view = await unhurt.table.client.get(f"/v1/games/{unhurt.game}")
    assert view.json()["seq"] == unhurt.seq
    tried = await unhurt.ada.send(unhurt.game, {"type": "RollDice"}, dry_run=True)
    assert tried.status_code == 200, tried.text


async def sent(server: Server, content: Any, **headers: str) -> Response:
    """Send a body to the commands of the game."""
    return await server.ada.post(server.commands, content=content, headers={**JSON, **headers})


def around(command: bytes) -> bytes:
    """A body with one command."""
    return b'{"commands": [' + command + b"]}"


ROLL = around(b'{"type": "RollDice"}')
BUY = b'{"type": "BuyBarrels", "market": "domestic", "good": "crude", "quantity": %b}'


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"[" * DEEP, id="brackets"),
        pytest.param(b"[" * DEEP + b"]" * DEEP, id="closed brackets"),
        pytest.param(b'{"a":' * DEEP, id="objects"),
        pytest.param(around(b"[" * DEEP + b"]" * DEEP), id="in a command"),
        pytest.param(around(b'{"type":' * DEEP + b"1" + b"}" * DEEP), id="in the type of a command"),
        pytest.param(around(b"[" * 900 + b"]" * 900), id="not too deep for JSON"),
    ],
)
async def test_deep_nesting(server: Server, content: bytes) -> None:
    answered = await sent(server, content)
    problem(answered, 400, answered.json()["code"])
    assert answered.json()["code"] in {"malformed_json", "invalid_body"}


@pytest.mark.parametrize(
    "content",
    [
        b'{"commands": [{"type": "EndTurn"}], "commands": [{"type": "RollDice"}]}',
        b'{"commands": [{"type": "EndTurn"}], "comm\\u0061nds": [{"type": "RollDice"}]}',
        around(b'{"type": "EndTurn", "type": "RollDice"}'),
        around(b'{"type":"BuyAsset","kind":"rig","site":{"quadrant":0,"row":1,"row":1,"column":1}}'),
    ],
)
async def test_a_key_given_twice(server: Server, content: bytes) -> None:
    assert "twice" in problem(await sent(server, content), 400, "malformed_json")["detail"]


async def test_a_key_given_twice_with_a_value_that_does_not_fit(server: Server) -> None:
    content = b'{"commands": [], "commands": [{"type": "RollDice"}]}'
    problem(await sent(server, content), 400, "invalid_body")


async def test_a_key_given_twice_in_other_bodies(server: Server) -> None:
    for path, content in (
        ("/v1/players", b'{"name": "Eve", "name": "Mallory"}'),
        ("/v1/games", b'{"ruleset": "mcmulti", "setup": {"seats": 2, "seats": 4}}'),
        (f"/v1/games/{server.game}/seats", b'{"seat": 0, "seat": 1}'),
    ):
        problem(await server.ada.post(path, content=content, headers=JSON), 400, "malformed_json")


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (b"1" + b"0" * 400, "invalid_body"),
        (b"1" + b"0" * 5000, "invalid_body"),
        (b"-" + b"9" * 100_000, "invalid_body"),
        (b"9223372036854775808", "invalid_body"),
        (b"1e400", "invalid_body"),
        (b"1e-400", "invalid_body"),
        (b"1e0", "invalid_body"),
        (b"-0.0", "invalid_body"),
        (b"-0", "invalid_body"),
        (b"NaN", "malformed_json"),
        (b"Infinity", "malformed_json"),
        (b"-Infinity", "malformed_json"),
        (b"0x10", "malformed_json"),
        (b"01", "malformed_json"),
        (b"1_000", "malformed_json"),
        (b"+1", "malformed_json"),
    ],
    ids=lambda value: str(value[:20]),
)
async def test_numbers_that_are_none_or_too_large(server: Server, number: bytes, code: str) -> None:
    problem(await sent(server, around(BUY % number)), 400, code)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + ROLL,
        ROLL.decode().encode("utf-16"),
        ROLL.decode().encode("utf-16-le"),
        ROLL.decode().encode("utf-32"),
        around(b'{"type": "Roll\xffDice"}'),
        around(b'{"type": "Roll\xed\xa0\x80Dice"}'),
        around(b'{"type": "Roll\xc0\xaeDice"}'),
        around(b'{"type": "Roll\xe2\x82"}'),
        around(b'{"type": "Roll\\ud800Dice"}'),
        around(b'{"type": "Roll\\udc00\\ud800Dice"}'),
        around(b'{"type": "Roll\nDice"}'),
        b"\x00" + ROLL,
        ROLL + b"\x00",
        ROLL + ROLL,
        b'{"commands": [{"type": "RollDice"},]}',
        b'{"commands": [/* roll */ {"type": "RollDice"}]}',
        b"commands=RollDice",
        b"<commands/>",
        b"\x1f\x8b\x08\x00",
    ],
)
async def test_bytes_that_are_not_json(server: Server, content: bytes) -> None:
    problem(await sent(server, content), 400, "malformed_json")


@pytest.mark.parametrize("name", [r"a\u0000b", r"\ud800", r"a\udfff", r"\ud83d", "a\x00b", r"\u202eeve", r"\u0085a"])
async def test_names_with_characters_that_are_none(server: Server, name: str) -> None:
    answered = await server.ada.post("/v1/players", content=f'{{"name": "{name}"}}'.encode(), headers=JSON)
    assert answered.json()["code"] in {"malformed_json", "invalid_body", "unprintable_name"}
    problem(answered, answered.status_code, answered.json()["code"])
    assert answered.status_code in {400, 422}


@pytest.mark.parametrize("entropy", ["a\x00b", "é", "a b", "x" * 65, "x" * 100_000, "\n", "a\n"])
async def test_entropy_that_does_not_fit(server: Server, entropy: str) -> None:
    answered = await server.ada.post(f"/v1/games/{server.game}/seats", json={"entropy": entropy})
    problem(answered, 400, "invalid_body")


async def test_names_that_are_far_too_long(server: Server) -> None:
    for length in (41, 1000, 900_000):
        answered = await server.ada.post("/v1/players", json={"name": "x" * length})
        problem(answered, 400, "invalid_body")


async def test_what_is_told_back_is_short(server: Server) -> None:
    long = "x" * 50_000
    for answered in (
        await server.ada.get(f"/v1/games/{long}"),
        await server.ada.get(f"/v1/rulesets/{long}"),
        await server.ada.get(f"/v1/games?{long}=1"),
        await server.ada.get(f"/v1/games?{long}=1&{long}=1"[:MOST_QUERY]),
        await server.ada.post("/v1/players", json={"name": "Eve", long: 1}),
        await server.ada.post("/v1/players", content=b"{}", headers={"Content-Type": f"text/{long}"}),
        await server.ada.post("/v1/players", content=f'{{"name": "a", "{long}": 1, "{long}": 2}}', headers=JSON),
    ):
        assert 400 <= answered.status_code < 500, answered.text
        problem(answered, answered.status_code, answered.json()["code"])
        assert len(answered.json()["detail"]) <= 1000


@pytest.mark.parametrize(
    "media_type",
    [
        "",
        "application/json2",
        "application",
        "application/jsonp; application/json",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/json, text/plain",
        "application/*",
        "*/*",
        ";",
        "\x01",
        "application/json\xff",
    ],
)
async def test_content_types_that_are_not_json(server: Server, media_type: str) -> None:
    answered = await server.ada.client.post(
        server.commands,
        content=ROLL,
        headers=[
            (b"Content-Type", media_type.encode("latin-1")),
            (b"Authorization", f"Bearer {server.ada.token}".encode()),
        ],
    )
    if media_type == "\x01":  # not HTTP: the application never sees it
        assert answered.status_code == 400
    else:
        problem(answered, 415, "unsupported_media_type")


async def test_content_types_that_are_json(server: Server) -> None:
    for media_type in ("application/json; charset=utf-8", "Application/JSON;charset=UTF-8", "application/json ;x=y"):
        answered = await server.ada.post(
            f"{server.commands}?dry_run=true", content=ROLL, headers={"Content-Type": media_type}
        )
        assert answered.status_code == 200, answered.text


@pytest.mark.parametrize("charset", ["utf-16", "latin-1", "none"])
async def test_a_charset_is_not_believed(server: Server, charset: str) -> None:
    """JSON is UTF-8; anything else is refused, whatever its label says."""
    content = around(b'{"type": "\xe4"}')
    answered = await sent(server, content, **{"Content-Type": f"application/json; charset={charset}"})
    problem(answered, 400, "malformed_json")


async def test_a_compressed_body_is_not_unpacked(server: Server) -> None:
    for coding in ("gzip", "br", "gzip, identity", "x", ""):
        refused = await sent(server, gzip.compress(ROLL), **{"Content-Encoding": coding})
        problem(refused, 415, "unsupported_media_type")
        assert refused.headers["accept-encoding"] == "identity"
    taken = await server.ada.post(
        f"{server.commands}?dry_run=true", content=ROLL, headers={**JSON, "Content-Encoding": "Identity"}
    )
    assert taken.status_code == 200


async def test_bodies_of_more_than_a_megabyte(server: Server) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b" " * 50_000

    problem(await sent(server, b" " * (LIMIT + 1)), 413, "body_too_large")
    problem(await sent(server, chunks()), 413, "body_too_large")
    problem(await sent(server, ROLL.ljust(LIMIT)[:-1] + b"x"), 400, "malformed_json")


async def test_a_body_that_is_shorter_than_it_says_or_never_comes(server: Server) -> None:
    start = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    for rest in (b'Content-Length: 50\r\n\r\n{"name": "Mallory"}', b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n'):
        assert b"201 Created" not in await server.raw(start + rest, close=True)
    registered = await server.ada.post("/v1/players", json={"name": "Mallory"})
    assert registered.status_code == 201, "the half body registered the player"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/games?limit=1&limit=1", "invalid_query"),
        ("/v1/games?limit=1&%6cimit=1", "invalid_query"),
        ("/v1/games?Limit=1", "invalid_query"),
        ("/v1/games?limit[]=1", "invalid_query"),
        ("/v1/games?ruleset=mcmulti%0a", "invalid_query"),
        ("/v1/games?limit=%31%00", "invalid_query"),
        ("/v1/games?limit=%D9%A1", "invalid_query"),
        (f"/v1/games?limit=1{'0' * 400}", "invalid_query"),
        (f"/v1/games?limit=1{'0' * 5000}", "invalid_query"),
        ("/v1/games?limit=1e400", "invalid_query"),
        ("/v1/games?limit=NaN", "invalid_query"),
        ("/v1/games?ruleset=%ff", "invalid_query"),
        ("/v1/games?%ff=%ff", "invalid_query"),
        ("/v1/games?%00", "invalid_query"),
        ("/v1/games?before=%00", "invalid_query"),
        ("/v1/games?__proto__=1", "invalid_query"),
        ("/v1/games?" + "&".join(f"k{i}=1" for i in range(900)), "invalid_query"),
        ("/v1/games?before=" + "x" * 8_000, "invalid_query"),
        ("/v1/games/%00", "unknown_game"),
        ("/v1/games/%ff", "unknown_game"),
        ("/v1/games/%ed%a0%80", "unknown_game"),
        ("/v1/games/0%0d%0aSet-Cookie:%20a=b", "unknown_game"),
        ("/v1/games/" + "x" * 8_000, "unknown_game"),
        ("/v1/games/1'%20OR%201=1--", "unknown_game"),
        ("/v1/rulesets/%00", "unknown_ruleset"),
        ("/v1/rulesets/%ff%fe", "unknown_ruleset"),
        ("/v1/rulesets/" + "x" * 8_000, "unknown_ruleset"),
        ("/v1/games/%2e%2e/%2e%2e/etc/passwd", "not_found"),
        ("/v1/../../etc/passwd", "not_found"),
        ("/%2e%2e%2f%2e%2e%2fetc/passwd", "not_found"),
        ("/..\\..\\windows", "not_found"),
        ("/v1/rulesets/..%2f..%2fpyproject.toml", "not_found"),
        ("/" + "/".join("a" * 4_000), "not_found"),
        ("/openapi", "not_found"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_addresses(server: Server, path: str, code: str) -> None:
    """Sent unchanged: httpx would normalize paths with `..`."""
    answered = parsed(await server.raw(asking(path)))
    problem(answered, {"invalid_query": 400}.get(code, 404), code)
    assert "set-cookie" not in answered.headers


def asking(path: str) -> bytes:
    """A request for a path as it stands."""
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()


def parsed(said: bytes) -> Response:
    """The only answer in what the server said."""
    top, _, content = said.partition(b"\r\n\r\n")
    status, *headers = top.split(b"\r\n")
    pairs = [(name, value) for name, _, value in (header.partition(b": ") for header in headers)]
    return Response(int(status.split()[1]), headers=pairs, content=content)


async def test_a_slash_too_many_leads_to_the_same_place_or_nowhere(server: Server) -> None:
    for path in ("/v1/rulesets/", "//v1/rulesets", "/v1//rulesets", "/v1/rulesets//"):
        answered = parsed(await server.raw(b"GET %b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % path.encode()))
        if answered.status_code == 200:
            assert answered.json()["rulesets"]
        else:
            problem(answered, 404, "not_found")


async def test_moments_beyond_the_head(server: Server) -> None:
    for moment in (server.seq + 1, 2**31 - 1):
        beyond = problem(await server.ada.get(f"/v1/games/{server.game}?at={moment}"), 404, "unknown_moment")
        assert beyond["seq"] == server.seq
    for nonsense in (2**31, 10**400, -1, "head", "1e400"):
        problem(await server.ada.get(f"/v1/games/{server.game}?at={nonsense}"), 400, "invalid_query")


async def test_tokens(server: Server) -> None:
    token = server.ada.token
    for header in (
        b"Bearer " + token[:-1].encode(),
        b"Bearer " + token.encode() + b"x",
        b"Bearer " + token.upper().encode(),
        b"Bearer \xff\xfe",
        b"Bearer " + b"x" * 30_000,
        b"Bearer " + token.encode() + b", Bearer " + token.encode(),
        b"bearer",
        b"",
        b"Digest " + token.encode(),
    ):
        answered = await server.table.client.post(
            server.commands, content=ROLL, headers=[(b"Authorization", header), (b"Content-Type", b"application/json")]
        )
        problem(answered, 401, "unauthenticated")
        assert answered.headers["www-authenticate"] == "Bearer"
    eve = await server.table.client.post("/v1/players", json={"name": "Eve"})
    foreign = Guest(server.table.client, "Eve", eve.json()["token"])
    problem(await foreign.post(server.commands, content=ROLL, headers=JSON), 403, "no_seat")
    problem(await server.table.guests[1].post(server.commands, content=ROLL, headers=JSON), 409, "out_of_turn")


async def test_headers(server: Server) -> None:
    for name, value in (
        ("If-Match", b"\xff"),
        ("If-Match", b"W/"),
        ("If-Match", b'"' * 4001),
        ("Idempotency-Key", b"\xff"),
        ("Idempotency-Key", b"x" * 30_000),
        ("Idempotency-Key", "schlüssel".encode()),
    ):
        answered = await server.table.client.post(
            server.commands,
            content=ROLL,
            headers=[
                (b"Authorization", f"Bearer {server.ada.token}".encode()),
                (b"Content-Type", b"application/json"),
                (name.encode(), value),
            ],
        )
        problem(answered, 400, "invalid_header")
    for tags in (b"\xff", b'"' * 4001):
        answered = await server.table.client.get(f"/v1/games/{server.game}", headers=[(b"If-None-Match", tags)])
        problem(answered, 400, "invalid_header")
    for seq in ("1", "2147483648", "9" * 20):
        problem(await sent(server, ROLL, **{"If-Match": f'"{seq}-{"0" * 64}"'}), 412, "stale")


@pytest.mark.parametrize(
    "accept",
    ["text/html", "application/xml, text/*", "application/json;q=0", "application/jsonl", "image/png;q=1.0"],
)
async def test_what_is_accepted_where_there_is_one_answer(server: Server, accept: str) -> None:
    for method, path in (("GET", "/v1/games"), ("POST", f"{server.commands}?dry_run=true")):
        answered = await server.table.client.request(
            method,
            path,
            content=ROLL,
            headers={**JSON, "Accept": accept, "Authorization": f"Bearer {server.ada.token}"},
        )
        assert answered.status_code == 200, answered.text


@pytest.mark.parametrize("accept", ["", ",", ";", "/", "*", "a", "*/*;q=x", "a/b;q=1e999", "a/b;q=nan", "\xff/\xff"])
async def test_an_accept_header_that_is_none(server: Server, accept: str) -> None:
    """Whatever it means: a response or a problem."""
    answered = await server.table.client.get("/v1/rulesets", headers=[(b"Accept", accept.encode("latin-1"))])
    if answered.status_code != 200:
        problem(answered, answered.status_code, answered.json()["code"])
        assert answered.status_code in {400, 406}


async def test_an_accept_header_without_end(server: Server) -> None:
    answered = await server.table.client.get("/v1/rulesets", headers={"Accept": ",".join(["a/b;q=0.1"] * 3000)})
    assert answered.status_code == 200
    answered = await server.ada.get(
        f"/v1/games/{server.game}/events", headers={"Accept": ",".join(["a/b;q=0.1"] * 3000)}
    )
    problem(answered, 400, "invalid_header")
    answered = await server.ada.get(f"/v1/games/{server.game}/events", headers={"Accept": "a/b;q=0.1," * 190})
    problem(answered, 406, "not_acceptable")


@pytest.mark.parametrize("method", ["TRACE", "PUT", "PATCH", "DELETE", "PROPFIND"])
async def test_methods_that_an_address_does_not_take(server: Server, method: str) -> None:
    for path, allowed in (
        ("/v1/games", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("/v1/players", {"POST", "OPTIONS"}),
        (f"/v1/games/{server.game}", {"GET", "HEAD", "OPTIONS"}),
        (server.commands, {"POST", "OPTIONS"}),
        ("/healthz", {"GET", "HEAD", "OPTIONS"}),
    ):
        answered = await server.table.client.request(
            method, path, headers={"Authorization": f"Bearer {server.ada.token}"}
        )
        assert answered.status_code == 405
        assert set(answered.headers["allow"].split(", ")) == allowed
        problem(answered, 405, "method_not_allowed")
        told = await server.table.client.options(path)
        assert told.status_code == 204
        assert set(told.headers["allow"].split(", ")) == allowed


async def test_methods_that_there_are_not(server: Server) -> None:
    for method in (b"FOO", b"get", b"G\x00T", b"X" * 10_000):
        said = await server.raw(b"%b /v1/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % method)
        assert said.startswith((b"HTTP/1.1 400", b"HTTP/1.1 405")), said


async def test_a_client_that_asks_before_it_sends(server: Server) -> None:
    head = f"POST {server.commands}?dry_run=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.ada.token}\r\n"
    said = await server.raw(
        f"{head}Content-Type: application/json\r\nContent-Length: {len(ROLL)}\r\nConnection: close\r\n"
        f"Expect: 100-continue\r\n\r\n".encode()
        + ROLL
    )
    assert said.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"), said
    nonsense = await server.raw(b"GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n")
    assert nonsense.startswith((b"HTTP/1.1 200", b"HTTP/1.1 4"))


async def test_two_thousand_headers(server: Server) -> None:
    many = b"".join(b"X-%d: %d\r\n" % (i, i) for i in range(2000))
    said = await server.raw(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + many + b"\r\n")
    assert said.startswith((b"HTTP/1.1 200", b"HTTP/1.1 4")), said


@pytest.mark.parametrize(
    "garbage",
    [
        pytest.param(b"\x00" * 1000, id="zeros"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100), id="TLS"),
        pytest.param(b"SSH-2.0-OpenSSH_9.0\r\n\r\n", id="SSH"),
        pytest.param(b"GET / HTTP/9.9\r\n\r\n", id="version"),
        pytest.param(b"GET\r\n\r\n", id="no address"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n", id="no colon"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n", id="NUL in a header"),
        pytest.param(b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n", id="NUL in the address"),
        pytest.param(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", id="negative length"),
        pytest.param(
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", id="two lengths"
        ),
        pytest.param(
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            id="length and chunks",
        ),
        pytest.param(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", id="chunk size"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="HTTP/2"),
        pytest.param(struct.pack("<1000I", *range(1000)), id="numbers"),
    ],
)
async def test_what_is_not_http(server: Server, garbage: bytes) -> None:
    """On a fresh connection, and after a valid request."""
    said = await server.raw(garbage)
    assert said.startswith(b"HTTP/1.1 4"), said
    said = await server.raw(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" + garbage)
    assert b"HTTP/1.1 500" not in said, said
    assert said.startswith((b"HTTP/1.1 200", b"HTTP/1.1 400")), said


async def test_garbage_from_all_sides(server: Server) -> None:
    """Two hundred connections at once, while an honest client gets its answers."""
    dice = random.Random(7)

    def mangled() -> bytes:
        request = bytearray(
            f"POST {server.commands}?dry_run=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.ada.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(ROLL)}\r\nConnection: close\r\n\r\n".encode()
            + ROLL
        )
        for _ in range(dice.randint(1, 12)):
            request[dice.randrange(len(request))] = dice.randrange(256)
        return bytes(request)

    async def honest() -> None:
        for _ in range(20):
            answered = await server.ada.get(f"/v1/games/{server.game}/offers")
            assert answered.status_code == 200

    *garbage, _ = await asyncio.gather(*(server.raw(mangled(), close=True) for _ in range(200)), honest())
    for said in garbage:
        assert b"HTTP/1.1 5" not in (said or b""), said


async def test_clients_that_hang_up(server: Server) -> None:
    """In the middle of a body, and without waiting for the response."""

    async def hang_up() -> None:
        with pytest.raises(httpx.TimeoutException):
            await server.ada.get(f"/v1/games/{server.game}/events?after={server.seq}&wait=60", timeout=0.05)

    await asyncio.gather(*(hang_up() for _ in range(20)))

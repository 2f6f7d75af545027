"""What the document says about an operation is enforced: every token, parameter, header, body, and path."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from httpx import ASGITransport, AsyncClient, Response
from msgspec.structs import force_setattr

from mcmulti.api.app import ROUTES, application
from mcmulti.api.http.contract import Operation
from mcmulti.api.openapi import document
from mcmulti.api.openapi.references import written_out
from mcmulti.events.memory.log import MemoryLog
from tests.api.guests import Guest, Json, Table, problem

DOCUMENT: Json = written_out(msgspec.json.decode(document(ROUTES)))
OPERATIONS: dict[str, tuple[str, str, Json]] = {
    described["operationId"]: (method.upper(), path, described)
    for path, methods in DOCUMENT["paths"].items()
    for method, described in methods.items()
}
BAD_TOKEN = {"Authorization": "Bearer nobody"}
BAD = "two words, and many more than any of them takes; " * 21 + "and no end"
"""A value that fits no parameter of a query, and no header."""


def auth(described: Json) -> str:
    """Whether the document says that a token is required, optional, or ignored."""
    if {} in described["security"]:
        return "optional"
    return "required" if described["security"] else "none"


def having(*wanted: str) -> list[str]:
    """The operations of these kinds of authentication."""
    return [name for name, (_, _, described) in OPERATIONS.items() if auth(described) in wanted]


def parameters(place: str) -> list[tuple[str, str]]:
    """Every operation, with every parameter that it has in this place."""
    return [
        (name, each["name"])
        for name, (_, _, described) in OPERATIONS.items()
        for each in described["parameters"]
        if each["in"] == place
    ]


OF_LINKS = ("confirmEmail", "unsubscribeEmail")
"""Operations of links in emails: anybody with the link may use it."""
BODIES = [name for name, (_, _, described) in OPERATIONS.items() if "requestBody" in described]


def example(name: str) -> bytes:
    """The body of an operation as the document shows it."""
    content = OPERATIONS[name][2]["requestBody"]["content"]["application/json"]
    shown = content["examples"]["recorded"]["$ref"].rpartition("/")[2]
    return msgspec.json.encode(DOCUMENT["components"]["examples"][shown]["value"])


class Asking:
    """A server on which Ada has a game, and a client that calls operations by name."""

    def __init__(self, client: AsyncClient, game: str, ada: Guest, player: str) -> None:
        self._client = client
        places = {"game": game, "chart": "cash", "round": "1", "ruleset": "mcmulti", "player": player}
        self._parts = {**places, "id": "x", "message": "1", "token": "x", "series": "x"}
        self.token = {"Authorization": f"Bearer {ada.token}"}
        self.as_json = {**self.token, "Content-Type": "application/json"}

    async def ask(self, name: str, headers: Json | None = None, parts: Json | None = None, **more: Any) -> Response:
        """Call an operation, with other parts of its path if given."""
        method, path, _ = OPERATIONS[name]
        target = path.format(**self._parts | (parts or {}))
        return await self._client.request(method, target, headers=headers, **more)

    async def refused(self, name: str, status: int, code: str, headers: Json | None = None, **more: Any) -> Response:
        """The same call, which must fail with a problem that the document lists for this operation."""
        answered = await self.ask(name, headers, **more)
        problem(answered, status, code)
        _, _, described = OPERATIONS[name]
        assert f"`{code}`" in described["responses"][str(status)]["description"]
        return answered


@pytest.fixture(scope="module")
async def asking() -> AsyncIterator[Asking]:
    log = MemoryLog()
    transport = ASGITransport(application(log))  # type: ignore[arg-type]
    async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
        table = Table(client, log)  # type: ignore[arg-type]
        game = await table.start()
        player = (await table.guests[0].get("/v1/players/me")).json()["player"]
        yield Asking(client, game, table.guests[0], player)


def test_the_document_has_operations_of_every_kind() -> None:
    assert min(len(having(kind)) for kind in ("required", "optional", "none")) >= 3
    assert {header for _, header in parameters("header")} == {
        "If-Match",
        "If-None-Match",
        "Idempotency-Key",
        "Last-Event-ID",
    }
    places = {"game", "chart", "round", "ruleset", "player"}
    assert {part for _, part in parameters("path")} == places | {"id", "message", "token", "series"}


def test_exactly_operations_without_a_token_are_public_to_the_linter() -> None:
    """Otherwise `make lint-openapi`, which needs node and a minute, fails."""
    overrides = yaml.safe_load((Path(__file__).parents[3] / "openapi" / "spectral.yaml").read_text())["overrides"]
    public = next(each for each in overrides if "owasp:api8:2023-define-error-responses-401" in each["rules"])
    pointed = {
        f"*.{{json,yaml}}#/paths/{path.translate({47: '~1', 123: '%7B', 125: '%7D'})}/{method.lower()}"
        for method, path, described in OPERATIONS.values()
        if auth(described) == "none"
    }
    assert set(public["files"]) == pointed


@pytest.mark.parametrize("name", having("required"))
async def test_a_token_that_is_required_must_be_sent(asking: Asking, name: str) -> None:
    answered = await asking.refused(name, 401, "unauthenticated")
    assert answered.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("name", having("required", "optional"))
async def test_a_token_that_is_sent_must_be_somebodys(asking: Asking, name: str) -> None:
    answered = await asking.refused(name, 401, "unauthenticated", BAD_TOKEN)
    assert answered.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("name", having("optional"))
async def test_a_token_that_is_optional_may_be_left_out(asking: Asking, name: str) -> None:
    answered = await asking.ask(name, params={"limit": 1} if name == "followLobby" else None)  # it has no end
    if "round" in name.lower():  # in which the game of this test is not played
        problem(answered, 404, "no_rounds")
    elif name == "getReview":  # of a game that is not over
        problem(answered, 409, "unfinished")
    else:
        assert answered.status_code == 200, answered.text


@pytest.mark.parametrize("name", having("none"))
async def test_no_token_is_looked_at_where_none_is_asked_for(asking: Asking, name: str) -> None:
    if name in OF_LINKS:  # whose secret is in the request
        body = example(name) if name in BODIES else None
        await asking.refused(name, 404, "unknown_link", asking.as_json | BAD_TOKEN, content=body)
        return
    if name == "getSeries":  # there is none
        await asking.refused(name, 404, "unknown_series", BAD_TOKEN)
        return
    answered = await asking.ask(name, BAD_TOKEN, json={"name": "Eve"} if name in BODIES else None)
    assert answered.status_code in (200, 201), answered.text


@pytest.mark.parametrize("name", OPERATIONS)
async def test_a_parameter_that_is_not_there_is_refused(asking: Asking, name: str) -> None:
    answered = await asking.refused(name, 400, "invalid_query", asking.token, params={"colour": "red"})
    assert "colour" in answered.json()["detail"]


@pytest.mark.parametrize(("name", "parameter"), parameters("query"))
async def test_a_parameter_that_does_not_fit_is_refused(asking: Asking, name: str, parameter: str) -> None:
    answered = await asking.refused(name, 400, "invalid_query", asking.token, params={parameter: BAD})
    assert answered.json()["detail"].startswith(f"{parameter}: ")


@pytest.mark.parametrize(("name", "header"), parameters("header"))
async def test_a_header_that_does_not_fit_is_refused(asking: Asking, name: str, header: str) -> None:
    answered = await asking.refused(name, 400, "invalid_header", {**asking.token, header: BAD})
    assert header in answered.json()["detail"]


@pytest.mark.parametrize("name", BODIES)
async def test_a_body_must_be_json_of_a_size(asking: Asking, name: str) -> None:
    body = example(name)
    for headers in (asking.token, asking.token | {"Content-Type": "text/html"}):
        await asking.refused(name, 415, "unsupported_media_type", headers, content=body)
    packed = asking.as_json | {"Content-Encoding": "gzip"}
    await asking.refused(name, 415, "unsupported_media_type", packed, content=body)
    await asking.refused(name, 413, "body_too_large", asking.as_json, content=b" " * 1_000_001)


@pytest.mark.parametrize("name", BODIES)
async def test_a_body_must_fit(asking: Asking, name: str) -> None:
    """What the body must be can depend on the game. The game of this test accepts no orders, and reports that first."""
    for body, code in (
        (b"", "malformed_json"),
        (b"{", "malformed_json"),
        (b"\xff", "malformed_json"),
        (b"[]", "invalid_body"),
        (b'{"colour":1,' + example(name)[1:], "invalid_body"),
    ):
        found = (404, "no_orders") if name == "forecastOrders" else (400, code)
        await asking.refused(name, *found, asking.as_json, content=body)


@pytest.mark.parametrize("name", [name for name, part in parameters("path") if part == "game"])
@pytest.mark.parametrize("game", ["nonsense", "1", "00000000-0000-0000-0000-000000000000"])
async def test_a_game_that_is_not_there(asking: Asking, name: str, game: str) -> None:
    body = example(name) if name in BODIES else None
    await asking.refused(name, 404, "unknown_game", asking.as_json, parts={"game": game}, content=body)


@pytest.mark.parametrize(
    ("name", "part", "code"),
    [
        ("getRuleset", "ruleset", "unknown_ruleset"),
        ("drawChart", "chart", "unknown_chart"),
        ("getRoundReport", "round", "no_rounds"),
        ("getPlayer", "player", "unknown_player"),
        ("getSeries", "series", "unknown_series"),
        ("revokeToken", "id", "unknown_token"),
    ],
)
async def test_what_else_a_path_may_lack(asking: Asking, name: str, part: str, code: str) -> None:
    await asking.refused(name, 404, code, asking.token, parts={part: "weather"})


@pytest.mark.parametrize("name", OPERATIONS)
async def test_what_is_wrong_is_told_in_one_order(asking: Asking, name: str) -> None:
    """Everything is wrong at first, and fixed one by one: ``Accept``, query, token, headers, body, path."""
    _, _, described = OPERATIONS[name]
    wrong = {header: BAD for each, header in parameters("header") if each == name}
    headers = {**BAD_TOKEN, **wrong, "Accept": "image/png", "Content-Type": "text/html"}
    more: Json = {"params": {"colour": "red"}, "parts": {"game": "nonsense"}}
    if "406" in described["responses"]:
        await asking.refused(name, 406, "not_acceptable", headers, **more)
        del headers["Accept"]
    await asking.refused(name, 400, "invalid_query", headers, **more)
    del more["params"]
    if auth(described) != "none":
        await asking.refused(name, 401, "unauthenticated", headers, **more)
        headers |= asking.token
    for header in wrong:
        answered = await asking.refused(name, 400, "invalid_header", headers, **more)
        assert header in answered.json()["detail"]
        del headers[header]
    if name in BODIES:
        await asking.refused(name, 415, "unsupported_media_type", headers, **more)
        headers |= asking.as_json
        more["content"] = example(name)
    if (name, "game") in parameters("path"):
        await asking.refused(name, 404, "unknown_game", headers, **more)


KEPT: dict[str, Operation] = {
    declared.id: declared
    for declared in (route.opt["operation"] for route in ROUTES)
    if declared.etag and "If-None-Match" in declared.headers
}
"""Operations whose responses are cached, by clients and by the server."""


@pytest.mark.parametrize("name", KEPT)
async def test_a_parameter_that_an_operation_gains_tells_its_answers_apart(asking: Asking, name: str) -> None:
    """Without a line in its handler: a request for another shade never gets the cached response of this one."""
    declared = KEPT[name]
    query, unasked = declared.query, declared.unasked
    more = msgspec.defstruct(
        "WithShade", [("shade", str, "none")], bases=(query,), frozen=True, forbid_unknown_fields=True
    )
    force_setattr(declared, "query", more)
    force_setattr(declared, "unasked", more())
    try:
        plain, red, blue = [
            await asking.ask(name, asking.token, params=params) for params in ({}, {"shade": "red"}, {"shade": "blue"})
        ]
        if plain.status_code != 200:  # for what this game lacks, such as orders by post
            assert plain.status_code == 404, plain.text
            return
        tags = {answered.headers["etag"] for answered in (plain, red, blue)}
        assert len(tags) == 3
        known = {**asking.token, "If-None-Match": red.headers["etag"]}
        assert (await asking.ask(name, known, params={"shade": "red"})).status_code == 304
        assert (await asking.ask(name, known, params={"shade": "blue"})).status_code == 200
    finally:
        force_setattr(declared, "query", query)
        force_setattr(declared, "unasked", unasked)

"""The server's log lines about a request."""

import json
import re
from typing import Any

import pytest
import structlog
from httpx import AsyncClient
from litestar.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs

from mcmulti.api.logging import RequestLog, configure, note
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.process import answering, bound
from tests.api.guests import Guest, Table

GAME = "6c0a3c1e-8f0e-4a63-9d7c-0d7a5c5b1f11"


async def _ask(path: str) -> str:
    """Send a request for which something unusual happens. Returns the id in the response."""
    sent: list[Message] = []

    async def odd(scope: Scope, receive: Receive, send: Send) -> None:
        note(seq=7)
        structlog.get_logger().warning("odd", reason="it is full")
        await send({"type": "http.response.start", "status": 503, "headers": []})

    async def receive() -> Any:
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Any = {"type": "http", "method": "POST", "path": path, "path_params": {"game": GAME}}
    await RequestLog(every=True).handle(scope, receive, send, odd)
    ((name, value),) = sent[0]["headers"]  # type: ignore[typeddict-item]
    assert name == b"x-request-id"
    return str(value, "ascii")


async def test_every_line_of_a_request_tells_which_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    configure(json=True, worker=3)
    asked = await _ask("/v1/games")
    structlog.get_logger().info("later")
    odd, request, later = map(json.loads, capsys.readouterr().err.splitlines())
    about = {"request_id": asked, "game_id": GAME, "seq": 7, "worker": 3}
    for line in (odd, request, later):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", line.pop("timestamp"))
    assert request.pop("milliseconds") >= 0
    assert odd == {**about, "event": "odd", "level": "warning", "reason": "it is full"}
    assert request == {
        **about,
        "event": "request",
        "level": "info",
        "method": "POST",
        "path": "/v1/games",
        "status": 503,
    }
    assert later == {"event": "later", "level": "info", "worker": 3}


async def test_for_people_what_would_look_like_another_line_is_in_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    configure(json=False)
    asked = await _ask("/v1\n2026 status=200")
    odd, request = (line[25:] for line in capsys.readouterr().err.splitlines())
    of = f"game_id={GAME}"
    assert odd == f"[warning ] {'odd':<30} {of} reason='it is full' request_id={asked} seq=7"
    assert re.sub(r"milliseconds=[0-9.]+", "milliseconds=?", request) == (
        f"[info    ] {'request':<30} {of} method=POST milliseconds=? path='/v1\\n2026 status=200'"
        f" request_id={asked} seq=7 status=503"
    )


async def test_lines_below_the_level_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    configure(json=True, level="warning")
    asked = await _ask("/v1/games")
    (odd,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert (odd["event"], odd["request_id"]) == ("odd", asked)


def test_what_cannot_be_encoded_is_told_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """A file's name can contain half a surrogate pair."""
    for form in (True, False):
        configure(json=form)
        structlog.get_logger().error("failed", file="\udc80")
    as_json, as_text = capsys.readouterr().err.splitlines()
    assert json.loads(as_json)["file"] == "\udc80"
    assert as_text.endswith(r"file='\udc80'")


async def test_a_database_that_is_away_is_a_line_and_no_trace(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Otherwise every request during an outage would log a traceback."""
    configure(json=True)
    structlog.configure(cache_logger_on_first_use=False)  # the server's own loggers must not keep this test's output

    async def away(*_: object, **__: object) -> None:
        raise LogUnavailable("the database does not answer: refused")

    monkeypatch.setattr(PostgresLog, "games", away)
    assert (await table.client.get("/v1/games")).status_code == 503
    (line,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert (line["level"], line["event"], line["code"]) == ("warning", "failed", "database_away")
    assert line["reason"] == "the database does not answer: refused"
    assert "exception" not in line


async def test_only_a_request_that_appended_events_has_a_line_of_itself(table: Table) -> None:
    """Ada registers, opens a game, sits down, and looks at it: one line for each request that led to events."""
    with capture_logs() as logged:
        ada = await table.guest("Ada")
        opened = await ada.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2}})
        game = opened.json()["game"]
        await ada.post(f"/v1/games/{game}/seats", json={})
        await ada.get(f"/v1/games/{game}")
    told = [(line["path"], line.get("seq"), line.get("events")) for line in logged]
    assert told == [
        ("/v1/games", 1, ["GameOpened"]),
        (f"/v1/games/{game}/seats", 2, ["SeatTaken"]),
    ]
    assert logged[0]["game_id"] == game
    assert [len(line.get("command_id", [])) for line in logged] == [0, 1]


async def test_a_line_has_the_player_and_a_digest_in_place_of_the_address(database: str) -> None:
    """Two requests from one address have the same digest, which is not the address, even after a restart of
    the server.
    """
    found = []
    for name in ("Ada", "Ben"):
        with capture_logs() as logged, bound("127.0.0.1", 0) as listener:
            async with (
                PostgresLog.open(database) as log,
                answering(log, listener) as address,
                AsyncClient(base_url=address) as client,
            ):
                registered = (await client.post("/v1/players", json={"name": name})).json()
                guest = Guest(client, name, registered["token"])
                game = (await guest.post("/v1/games", json={"ruleset": "mcmulti"})).json()["game"]
                await guest.post(f"/v1/games/{game}/seats", json={})
        opened, seated = (line for line in logged if line["event"] == "request")
        assert seated["player"] == registered["player"]
        assert opened["address"] == seated["address"]
        assert re.fullmatch("[0-9a-f]{16}", seated["address"])
        assert "127.0.0.1" not in str(seated)
        assert "trace_id" not in seated
        found.append(seated["address"])
    assert found[0] == found[1]

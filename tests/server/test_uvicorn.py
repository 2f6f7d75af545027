"""The protocol is written for one version of uvicorn and refuses others, and that version is unchanged."""

import asyncio
import inspect
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from mcmulti.cli import cli
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.http_protocol import UVICORN, check_uvicorn
from mcmulti.server.process import answering, bound
from mcmulti.server.running import ServerError

ROOT = Path(__file__).parents[2]
SAID = "This build speaks HTTP through uvicorn 0.54, and uvicorn {} is installed: pip install 'uvicorn==0.54.*'."


def test_the_package_asks_for_the_uvicorn_that_the_protocol_is_written_for() -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    major, minor = UVICORN.split(".")
    assert [one for one in asked if one.startswith("uvicorn")] == [f"uvicorn>={UVICORN},<{major}.{int(minor) + 1}"]


def test_a_patch_of_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    check_uvicorn()
    monkeypatch.setattr(uvicorn, "__version__", f"{UVICORN}.99")
    check_uvicorn()


@pytest.mark.parametrize("version", ["0.53.0", "0.55.0", "0.540.0", "1.54.0", "0.55.0rc1"])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_serve_refuses_another_in_a_sentence_before_it_makes_anything(
    version: str, workers: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(uvicorn, "__version__", version)
    folder = tmp_path / "games"
    done = CliRunner().invoke(cli, ["serve", "--folder", str(folder), "--port", "0", "--workers", workers])
    assert done.exit_code == 1
    assert done.output == f"Error: {SAID.format(version)}\n"
    assert not folder.exists()


async def test_nothing_answers_on_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn, "__version__", "0.55.0")
    with bound("127.0.0.1", 0) as listener, pytest.raises(ServerError, match=r"uvicorn 0\.55\.0 is installed"):
        async with answering(MemoryLog(), listener):
            raise AssertionError("it answers")


READ_FOR = {
    HttpToolsProtocol.connection_made: "6efb565ff3d3",
    HttpToolsProtocol.connection_lost: "c91a4c9bf2e2",
    HttpToolsProtocol._unset_keepalive_if_required: "00a6a4e47214",
    HttpToolsProtocol.data_received: "010a7ae59a5d",
    HttpToolsProtocol.on_message_begin: "96d377fdc7c2",
    HttpToolsProtocol.on_header: "65d62c044f61",
    HttpToolsProtocol.on_headers_complete: "1ea8589acfad",
    HttpToolsProtocol.on_body: "dba9c32aeba3",
    HttpToolsProtocol.on_message_complete: "1fbad42dc31f",
    HttpToolsProtocol.on_response_complete: "64e254f28e38",
    HttpToolsProtocol._start_asgi_task: "9c08c2571ae9",
    RequestResponseCycle.__init__: "4d2f220910c3",
    RequestResponseCycle.run_asgi: "0f33f2449a44",
    RequestResponseCycle.send: "abdd8601b326",
    RequestResponseCycle.receive: "8124ae006be7",
}
"""What the protocol overrides, calls, or relies on, with the digest of the source that it was written for."""

ATTRIBUTES = {
    *("access_logger", "cycle", "flow", "headers", "logger", "loop", "parser", "pipeline", "scope", "server_state"),
    *("timeout_keep_alive_task", "transport"),
}
CYCLE = ("disconnected", "message_event", "more_body", "response_complete", "response_started", "scope")


class Wire:
    """A transport that records what is written to it."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def get_extra_info(self, _: str) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        assert name in ("close", "is_closing", "pause_reading", "resume_reading")
        return lambda: False


async def plain(requests: bytes) -> tuple[HttpToolsProtocol, Wire, list[bytes]]:
    """uvicorn's own protocol after these bytes: what it sent, and the bodies that the application got."""
    bodies = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        bodies.append(message["body"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        await send({"type": "http.response.body", "body": b"told"})

    config = uvicorn.Config(app, http="httptools", ws="none", lifespan="off", log_config=None)
    config.load()
    state, wire = ServerState(), Wire()
    protocol = HttpToolsProtocol(config, state, {}, asyncio.get_running_loop())
    protocol.connection_made(wire)  # type: ignore[arg-type]
    protocol.data_received(requests)
    while state.tasks:
        await asyncio.gather(*state.tasks)
    protocol._unset_keepalive_if_required()
    return protocol, wire, bodies


@pytest.mark.parametrize("read", READ_FOR, ids=lambda read: read.__qualname__)
def test_uvicorn_is_as_it_was_read(read: Any) -> None:
    digest = sha256(inspect.getsource(read).encode()).hexdigest()[:12]
    assert digest == READ_FOR[read], (
        f"uvicorn {uvicorn.__version__} changed {read.__qualname__}: compare it with mcmulti/server/http_protocol.py, "
        f"and write {digest} here when that fits"
    )


async def test_uvicorn_has_what_the_protocol_takes() -> None:
    protocol, _, _ = await plain(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert ATTRIBUTES - vars(protocol).keys() == set()
    assert [name for name in CYCLE if not hasattr(protocol.cycle, name)] == []
    assert isinstance(protocol.server_state.default_headers, list)


async def test_uvicorn_still_sends_head_and_body_apart() -> None:
    """If this fails, uvicorn does by itself what `Gathering` is for: remove that."""
    _, wire, _ = await plain(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert [sent[-4:] for sent in wire.sent] == [b"\r\n\r\n", b"told"]


async def test_uvicorn_still_loses_the_body_behind_an_offer_to_upgrade() -> None:
    """If this fails, uvicorn ignores such offers: remove `_continued` and `_should_upgrade`."""
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    _, _, bodies = await plain(head + b"body")
    assert bodies == [b""]

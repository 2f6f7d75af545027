"""`mcmulti serve --otlp-endpoint`: spans of requests, decisions, and appends reach a collector, and no secrets do."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from mcmulti.cli import cli
from tests.cli.command import PATIENCE, running, until


class Collector(ThreadingHTTPServer):
    """Receives spans by OTLP over HTTP, at ``/v1/traces``."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Receiving)
        self.bodies: list[bytes] = []
        self.services: set[str] = set()
        self.spans: list[Span] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def named(self, name: str) -> list[dict[str, Any]]:
        """The attributes of the spans of a name."""
        return [facts(span) for span in self.spans if span.name == name]


class _Receiving(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200 if self.path == "/v1/traces" else 404)
        self.end_headers()
        self.server.bodies.append(body)
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            names = {fact.key: fact.value.string_value for fact in resource.resource.attributes}
            self.server.services.add(names["service.name"])
            for scope in resource.scope_spans:
                self.server.spans.extend(scope.spans)

    def log_message(self, *_: object) -> None:
        pass


def facts(span: Span) -> dict[str, Any]:
    """The attributes of a span."""
    return {fact.key: fact.value.string_value or fact.value.int_value for fact in span.attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    with Collector() as collector:
        thread = threading.Thread(target=collector.serve_forever)
        thread.start()
        try:
            yield collector
        finally:
            collector.shutdown()
            thread.join()


def _play(address: str) -> tuple[str, list[str]]:
    """A game by post with its first sheet: its id, and the secrets in the sheet."""
    secrets = ["an-entropy-of-mine", "a-key-of-mine-0123456789abcdef"]
    with httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False) as client:
        tokens = [client.post("/v1/players", json={"name": name}).json()["token"] for name in ("A", "B", "C", "D")]
        players = [{"Authorization": f"Bearer {token}"} for token in tokens]
        game = str(client.post("/v1/games", json={"ruleset": "postal"}, headers=players[0]).json()["game"])
        for player in players:
            entropy = {"entropy": secrets[0]}
            assert client.post(f"/v1/games/{game}/seats", json=entropy, headers=player).status_code == 201
        for command in ({"type": "StartGame"}, {"type": "SubmitOrders", "round": 1, "sheet": {}}):
            sent = client.post(
                f"/v1/games/{game}/commands",
                json={"commands": [command]},
                headers={**players[0], "Idempotency-Key": f"{secrets[1]}{command['type']}"},
            )
            assert sent.status_code == 200, sent.text
        client.get("/no-such-place/secret-path?query=secret")
        client.get("/v1/games/secret-path")
        refused = client.post(
            f"/v1/games/{game}/commands", json={"commands": [{"type": "StartGame"}]}, headers=players[1]
        )
        assert refused.status_code == 409
    return game, [*tokens, *secrets, "secret-path"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_requests_decisions_and_appends_are_told_and_nothing_that_is_secret(workers: str, tmp_path: Path) -> None:
    options = ("--port", "0", "--workers", workers, "--folder", str(tmp_path / "data"))
    with collecting() as collector:
        telling = ("--otlp-endpoint", f"{collector.url}/")
        with running("serve", *options, *telling, temporary=tmp_path, OTEL_BSP_SCHEDULE_DELAY="100") as server:
            game, secrets = _play(server.line("Serving at "))
            assert server.interrupt(signal.SIGTERM) == 0
            said = server.said
        assert collector.services == {"mcmulti"}
        sent = collector.named("sendCommands")
        assert sorted(span["http.response.status_code"] for span in sent) == [200, 200, 409]
        for span in sent:
            assert (span["http.route"], span["http.request.method"]) == ("/v1/games/{game}/commands", "POST")
            assert span["mcmulti.game_id"] == game
            assert len(span["mcmulti.request_id"]) == 32
        traces = {span.trace_id.hex() for span in collector.spans if span.name == "sendCommands"}
        assert sum(f"trace_id={trace}" in said for trace in traces) == 2  # a refusal is not logged
        appended = collector.named("append")
        assert len(appended) == 6
        assert {span["mcmulti.game_id"] for span in appended} == {game}
        assert sorted(span["mcmulti.seq"] for span in appended)[0] > 1
        assert [span["error.type"] for span in collector.named("decide") if "error.type" in span] == ["Refused"]
        of_requests = {span.span_id: span for span in collector.spans if span.name in ("sendCommands", "takeSeat")}
        for span in collector.spans:
            if span.name in ("append", "decide"):
                assert of_requests[span.parent_span_id].trace_id == span.trace_id
            assert not span.events
        told = b"".join(collector.bodies)
        for secret in secrets:
            assert secret.encode() not in told


def test_what_a_client_says_of_its_own_spans_is_not_believed(tmp_path: Path) -> None:
    trace = "0af7651916cd43dd8448eb211c80319c"
    with collecting() as collector:
        with running(
            *("serve", "--port", "0", "--folder", str(tmp_path / "data")),
            temporary=tmp_path,
            OTEL_EXPORTER_OTLP_ENDPOINT=collector.url,
            OTEL_SERVICE_NAME="referee",
        ) as server:
            address = server.line("Serving at ")
            said = {"traceparent": f"00-{trace}-b7ad6b7169203331-01"}
            httpx.get(f"{address}/healthz", headers=said, timeout=PATIENCE, trust_env=False)
            assert server.interrupt(signal.SIGTERM) == 0
        (span,) = collector.spans
        assert (span.name, span.parent_span_id) == ("isAlive", b"")
        assert span.trace_id.hex() != trace
        assert collector.services == {"referee"}


def test_a_collector_that_is_gone_holds_nobody_up(tmp_path: Path) -> None:
    with collecting() as collector:
        gone = collector.url
    options = ("--port", "0", "--folder", str(tmp_path / "data"), "--otlp-endpoint", gone)
    with running("serve", *options, temporary=tmp_path, OTEL_BSP_SCHEDULE_DELAY="100") as server:
        address = server.line("Serving at ")
        for _ in range(20):
            assert httpx.get(f"{address}/healthz", timeout=60, trust_env=False).status_code == 200
        until(lambda: "opentelemetry" in server.said or "export" in server.said)
        assert server.interrupt(signal.SIGTERM) == 0
        assert server.said.endswith("Stopped.\n")


def test_nothing_is_imported_that_is_not_asked_for() -> None:
    code = (
        "import sys, mcmulti.server.workers, mcmulti.server.worker; print([n for n in sys.modules if 'telemetry' in n])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_an_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("mcmulti.server.spans.find_spec", lambda _: None)
    options = ["serve", "--folder", str(tmp_path), "--otlp-endpoint", "http://127.0.0.1:4318"]
    run = CliRunner().invoke(cli, options)
    assert run.exit_code == 1
    assert run.output == "Error: Sending spans needs more packages: pip install 'mcmulti[otel]'.\n"


@pytest.mark.parametrize("url", ["127.0.0.1:4318", "ftp://host", "http://", "http://[", "grpc://me:pass@host"])
def test_a_url_that_is_none_is_refused_and_not_repeated(url: str) -> None:
    run = CliRunner().invoke(cli, ["serve", "--otlp-endpoint", url])
    assert run.exit_code == 2
    assert "must be a URL such as http://127.0.0.1:4318" in run.output
    assert "pass" not in run.output

"""`mcmulti serve`, `bot`, and `migrate`, in processes of their own."""

import asyncio
import json
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.cli.command import COUNTED, PATIENCE, polls, processes, running


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_with_a_folder_stops_soon_though_somebody_waits(number: signal.Signals, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with running("serve", "--folder", str(folder), "--port", "0", *COUNTED, temporary=tmp_path) as server:
        address = server.line("Serving at ")
        assert httpx.get(f"{address}/readyz", timeout=30).json() == {"status": "ok", "away": [], "failing": []}
        token = httpx.post(f"{address}/v1/players", json={"name": "Ada"}).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        game = httpx.post(f"{address}/v1/games", json={"ruleset": "mcmulti"}, headers=headers).json()["game"]
        with ThreadPoolExecutor() as threads:
            waiting = threads.submit(
                httpx.get, f"{address}/v1/games/{game}/events", params={"after": 1, "wait": 60}, timeout=PATIENCE
            )
            deadline = time.monotonic() + PATIENCE
            while not polls(server):
                assert time.monotonic() < deadline
                time.sleep(0.02)
            assert server.interrupt(number) == 0
            cut_short = waiting.result()
        assert (cut_short.status_code, cut_short.headers["Retry-After"]) == (503, "1")
        assert cut_short.json()["code"] == "stopping"
        assert json.loads(server.said.splitlines()[-1])["event"] == "stopped"
        assert "Traceback" not in server.said + server.printed
    assert processes(folder) == []


def test_a_port_in_use_is_told_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with running("serve", "--folder", str(tmp_path / "data"), "--port", port, temporary=tmp_path) as server:
            assert server.code() == 1
            assert server.said == f"Error: Port {port} of 127.0.0.1 is in use. Choose another one with --port.\n"
    assert not (tmp_path / "data").exists()


async def test_bots_play_at_a_server_with_another_database(empty_database: str, tmp_path: Path) -> None:
    await asyncio.to_thread(_bots_play, empty_database, tmp_path)


def _bots_play(database: str, tmp_path: Path) -> None:
    with running("migrate", "--database-url", database, temporary=tmp_path) as migrate:
        assert migrate.code() == 0
        assert migrate.printed.startswith("0001")
    with running("serve", "--port", "0", "--log-format", "json", temporary=tmp_path, DATABASE_URL=database) as server:
        address = server.line("Serving at ")
        with running("bot", "--server", address, "--players", "2", "--name", "Ada", temporary=tmp_path) as ada:
            game = ada.line("Ada sits on seat 1 of game ")
            with running("bot", "--server", address, "--game", game, temporary=tmp_path) as other:
                assert (other.code(), other.said) == (0, "")
                assert "seat 2 of game" in other.printed
                assert "Ada with " in other.printed
            assert ada.code() == 0
        with running("bot", "--server", address, "--game", game, temporary=tmp_path) as late:
            assert (late.code(), late.said) == (1, "Error: The game is over.\n")
        with running("bot", "--server", address, "--game", "nonsense", temporary=tmp_path) as lost:
            assert (lost.code(), lost.said) == (1, "Error: There is no game 'nonsense'.\n")
        assert httpx.get(f"{address}/v1/games/{game}").json()["view"]["status"] == "finished"
        assert server.interrupt(signal.SIGTERM) == 0


def test_a_log_in_json_is_json_from_its_first_line_to_its_last(tmp_path: Path) -> None:
    """This includes errors, and servers that cannot start because their port is taken."""
    options = ("--log-format", "json", "--log-level", "error")
    with running("serve", "--folder", str(tmp_path / "data"), "--port", "0", *options, temporary=tmp_path) as server:
        address = server.line("Serving at ")
        assert httpx.get(f"{address}/healthz", timeout=30).status_code == 200
        port = address.rpartition(":")[2]
        for workers in ("1", "2"):
            second = ("--folder", str(tmp_path / "b"), "--port", port, "--workers", workers)
            with running("serve", *second, *options, temporary=tmp_path) as other:
                assert other.code() == 1
                (refused,) = map(json.loads, other.said.splitlines())
            assert (refused["event"], refused["level"]) == ("the server ended", "error")
            assert refused["reason"].startswith(f"Port {port} of 127.0.0.1 is in use")
        assert server.interrupt(signal.SIGTERM) == 0
        told = [json.loads(line) for line in server.said.splitlines()]
    assert [(line["event"], line["level"]) for line in told] == [("serving", "info"), ("stopped", "info")]
    assert told[0]["address"] == address


@pytest.mark.parametrize(("workers", "asked"), [("1", False), ("1", True), ("2", False)])
def test_requests_are_logged_where_they_move_a_game_and_others_when_asked(
    workers: str, asked: bool, tmp_path: Path
) -> None:
    """Every line is JSON. Two workers log every request in tests/cli/test_workers.py."""
    logged = ["/readyz", "/v1/players", "/v1/games", "/v1/games"] if asked else ["/v1/games"]
    options = ("--port", "0", "--workers", workers, "--log-format", "json", *(["--access-log"] if asked else []))
    with running("serve", "--folder", str(tmp_path / "data"), *options, temporary=tmp_path) as server:
        address = server.line("Serving at ")
        httpx.get(f"{address}/readyz", timeout=30)
        token = httpx.post(f"{address}/v1/players", json={"name": "Ada"}).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        httpx.post(f"{address}/v1/games", json={"ruleset": "mcmulti"}, headers=headers)
        httpx.get(f"{address}/v1/games")
        assert server.interrupt(signal.SIGTERM) == 0
        lines = [json.loads(line) for line in server.said.splitlines()]
    assert [line["path"] for line in lines if line["event"] == "request"] == logged
    (opened,) = [line for line in lines if "events" in line]
    assert opened["events"] == ["GameOpened"]

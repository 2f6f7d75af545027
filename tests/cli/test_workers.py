"""`mcmulti serve --workers`: several processes, one port, one database."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from mcmulti.bots.seats.player import play
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.cli.bench.load import UNLIMITED
from mcmulti.client.client import Client
from mcmulti.client.sources import fetched
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.projections.proof.proof import verify
from mcmulti.server import workers
from mcmulti.server.database import pool_share
from mcmulti.server.process import Serving, bound_alike
from mcmulti.server.running import ServerError
from tests.cli.command import COUNTED, PATIENCE, Command, polls, processes, running, until

Json = dict[str, Any]


@contextmanager
def _two(temporary: Path, database: str | None = None) -> Iterator[tuple[Command, str]]:
    """A server with two workers, and its address."""
    options = (
        "serve",
        "--workers",
        "2",
        "--port",
        "0",
        *COUNTED,
        *UNLIMITED,
        "--access-log",
    )
    where = ("--folder", str(temporary / "data")) if database is None else ("--database-url", database)
    with running(*options, *where, temporary=temporary) as server:
        yield server, server.line("Serving at ")


def _told(server: Command, event: str) -> list[Json]:
    lines = [json.loads(line) for line in server.said.splitlines(keepends=True) if line[0] == "{" and line[-1] == "\n"]
    return [line for line in lines if line["event"] == event]


class _Everywhere(Client):
    """Sends each request over a new connection, so that the workers take turns. Keeps its receipts."""

    def __init__(self, server: str) -> None:
        limits = httpx.Limits(max_keepalive_connections=0)
        super().__init__(server, patience=PATIENCE, transport=httpx.AsyncHTTPTransport(limits=limits))
        self.receipts: list[Json] = []
        self.under_way = asyncio.Event()

    async def send(self, game: str, commands: list[Json], *more: Any, **asked: Any) -> Json:
        answer = await super().send(game, commands, *more, **asked)
        self.receipts.append(answer)
        if len(self.receipts) == 10:
            self.under_way.set()
        return answer


def test_a_game_goes_on_though_a_worker_is_killed(tmp_path: Path) -> None:
    with _two(tmp_path) as (server, address):
        game, receipts, first = asyncio.run(_played(server, address))
        killed, *others = [line for line in _told(server, "a worker serves") if line["worker"] == first]
        assert [line["worker"] for line in _told(server, "a worker ended")] == [first]
        until(lambda: len(_told(server, "a worker serves")) == 3)
        replaced = _told(server, "a worker serves")[2]
        assert (replaced["worker"], replaced["pid"] != killed["pid"]) == (first, True)
        until(lambda: _asked(address, server) == first)
        commands = [line for line in _told(server, "request") if line["path"] == f"/v1/games/{game}/commands"]
        assert {line["worker"] for line in commands} == {1, 2}
        events = asyncio.run(_events(address, game))
        assert verify(events).fault is None
        assert len(receipts) > 20
        assert [events[receipt["seq"] - 1].hash.hex() for receipt in receipts] == [
            receipt["hash"] for receipt in receipts
        ]
        assert server.interrupt(signal.SIGTERM) == 0
    assert len(others) <= 1


async def _played(server: Command, address: str) -> tuple[str, list[Json], int]:
    """Play a game to its end and kill a worker halfway. Return what was acknowledged, and that worker's number."""
    async with _Everywhere(address) as one, _Everywhere(address) as two:
        await one.register("One")
        await two.register("Two")
        game = str((await one.open_game("mcmulti", seats=2))["game"])
        await one.take_seat(game, 0)
        await two.take_seat(game, 1)
        playing = asyncio.gather(play(one, game, tycoon), play(two, game, tycoon))
        await one.under_way.wait()
        victim = _told(server, "a worker serves")[0]
        os.kill(victim["pid"], signal.SIGKILL)
        views = await playing
        assert [view["status"] for view in views] == ["finished", "finished"]
        return game, one.receipts + two.receipts, victim["worker"]


async def _events(address: str, game: str) -> Any:
    async with Client(address) as client:
        return await fetched(client, game)


def _asked(address: str, server: Command) -> int:
    """The worker that serves a new connection."""
    return _answering(httpx.get(f"{address}/healthz", timeout=PATIENCE, trust_env=False), server)


def _answering(answer: httpx.Response, server: Command) -> int:
    asked = answer.headers["X-Request-Id"]
    until(lambda: asked in server.said)
    (worker,) = [int(line["worker"]) for line in _told(server, "request") if line["request_id"] == asked]
    return worker


async def test_what_one_worker_did_the_other_knows(empty_database: str, tmp_path: Path) -> None:
    await asyncio.to_thread(_each_other, empty_database, tmp_path)


def _each_other(database: str, tmp_path: Path) -> None:
    with _two(tmp_path, database) as (server, address), ExitStack() as stack:
        at: dict[int, httpx.Client] = {}
        while set(at) != {1, 2}:  # a connection stays with its worker
            client = stack.enter_context(httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False))
            at.setdefault(_answering(client.get("/healthz"), server), client)
        one, two = at[1], at[2]
        for path in ("/v1/keys", "/openapi.json"):
            assert one.get(path).content == two.get(path).content
        ada, ben = (_player(one, name) for name in ("Ada", "Ben"))
        game = two.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2}}, headers=ada).json()["game"]
        for client, player in ((one, ada), (two, ben)):
            assert client.post(f"/v1/games/{game}/seats", json={}, headers=player).status_code == 201
        seq = one.get(f"/v1/games/{game}").json()["seq"]
        with ThreadPoolExecutor() as threads:
            query = {"after": seq, "wait": 60}
            polled = threads.submit(two.get, f"/v1/games/{game}/events", params=query)
            begun = Event()
            streamed = threads.submit(_next_event, address, game, seq, server, 2, begun)
            until(lambda: polls(server) == 1 and begun.is_set())
            start = {"commands": [{"type": "StartGame"}]}
            started = one.post(f"/v1/games/{game}/commands", json=start, headers=ada)
            assert started.status_code == 200
            assert polled.result().json()["events"][0]["seq"] == seq + 1
            assert streamed.result() == seq + 1
        for client in (one, two):
            assert client.get(f"/v1/games/{game}").json()["seq"] == started.json()["seq"]
        assert {line["worker"] for line in _told(server, "request") if "events" in line} == {1, 2}
        assert server.interrupt(signal.SIGINT) == 0


def _player(client: httpx.Client, name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {client.post('/v1/players', json={'name': name}).json()['token']}"}


def _next_event(address: str, game: str, after: int, server: Command, worker: int, begun: Event) -> int:
    """The number of the next event, as that worker streams it."""
    while True:
        with httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False) as client:
            if _answering(client.get("/healthz"), server) != worker:
                continue
            headers = {"Accept": "text/event-stream"}
            with client.stream("GET", f"/v1/games/{game}/events", params={"after": after}, headers=headers) as stream:
                items = (line.removeprefix("data:") for line in stream.iter_lines() if line.startswith("data:"))
                assert json.loads(next(items))["type"] == "StreamHead"
                begun.set()
                return int(json.loads(next(items))["seq"])


def test_all_stop_in_order_though_somebody_waits(tmp_path: Path) -> None:
    """With SIGHUP. The two tests above end their servers with the other signals."""
    with _two(tmp_path) as (server, address):
        ada = {"Authorization": f"Bearer {_token(address)}"}
        game = httpx.post(f"{address}/v1/games", json={"ruleset": "mcmulti"}, headers=ada).json()["game"]
        url, query = f"{address}/v1/games/{game}/events", {"after": 1, "wait": 60}
        with ThreadPoolExecutor(8) as threads:
            waiting = [threads.submit(httpx.get, url, params=query, timeout=PATIENCE) for _ in range(8)]
            until(lambda: polls(server) == len(waiting))
            assert server.interrupt(signal.SIGHUP) == 0
            cut_short = [wait.result() for wait in waiting]
        assert [(answer.status_code, answer.json()["code"]) for answer in cut_short] == [(503, "stopping")] * 8
        assert server.stopped
        assert "Traceback" not in server.said
        assert _told(server, "a worker ended") == []
    assert processes(tmp_path) == []


def _token(address: str) -> str:
    return str(httpx.post(f"{address}/v1/players", json={"name": "Ada"}).json()["token"])


def test_a_worker_that_ends_is_replaced_and_none_outlives_a_parent_that_is_killed(tmp_path: Path) -> None:
    """One worker is terminated properly, although nobody asked its parent to."""
    with _two(tmp_path) as (server, address):
        first = _told(server, "a worker serves")[0]
        os.kill(first["pid"], signal.SIGTERM)
        until(lambda: len(_told(server, "a worker serves")) == 3)
        assert [line["worker"] for line in _told(server, "a worker ended")] == [first["worker"]]
        replaced = _told(server, "a worker serves")[2]
        assert (replaced["worker"], replaced["pid"] != first["pid"]) == (first["worker"], True)
        until(lambda: _asked(address, server) == first["worker"])
        assert len([process for process in processes(tmp_path) if "python" in process]) >= 3
        assert server.interrupt(signal.SIGKILL) == -signal.SIGKILL
        until(lambda: processes(tmp_path) == [])


async def test_workers_that_cannot_work_are_given_up(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    monkeypatch.setattr(workers, "PAUSE", 0.01)
    announced: list[str] = []
    how = Serving(host="127.0.0.1", port=0, workers=2, json_lines=True)
    with pytest.raises(ServerError, match=r"^Worker [12] ended 5 times in a row, the last time with code 1; "):
        await workers.serve(database, how, announced.append)
    assert announced == []


async def test_workers_share_what_connections_the_database_has(postgres: EmbeddedPostgres) -> None:
    """Of 100 connections, 10 are reserved for others, and each worker uses two outside its pool."""
    url = postgres.url(database="postgres")
    assert [await pool_share(url, number, None) for number in (2, 7, 8, 9, 22)] == [10, 10, 9, 8, 2]
    assert await pool_share(url, 2, 43) == 43
    with pytest.raises(ServerError, match=r"^44 connections for each worker, of 2, are more than .* takes: 100, "):
        await pool_share(url, 2, 44)
    with pytest.raises(ServerError, match=r"^2 connections for each worker, of 23, are more"):
        await pool_share(url, 23, None)


def test_sockets_of_one_server_share_a_port_and_no_other_server_joins_them() -> None:
    with bound_alike("127.0.0.1", 0, 2) as listeners, ExitStack() as stack:
        (address,) = {listener.getsockname() for listener in listeners}
        for _ in range(64):
            stack.enter_context(socket.create_connection(address))
        for listener in listeners:
            listener.settimeout(PATIENCE)
            stack.enter_context(listener.accept()[0])
        with pytest.raises(ServerError, match=f"^Port {address[1]} of 127.0.0.1 is in use"):
            stack.enter_context(bound_alike("127.0.0.1", address[1], 2))

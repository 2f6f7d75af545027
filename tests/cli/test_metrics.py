"""`mcmulti serve --metrics-address`: a scrape covers all workers, and no counter drops when a worker is replaced."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from mcmulti.cli import cli
from tests.cli.command import PATIENCE, Command, left_behind, running, until
from tests.server.readings import Samples, scraped, value

NAME = "mcmulti_request_duration_seconds_count"
ALIVE = {"operation": "isAlive", "status": "2xx"}


def _told(server: Command, event: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in server.said.splitlines() if line.startswith("{") and line.endswith("}")]
    return [line for line in lines if line["event"] == event]


def _ask(address: str, times: int) -> None:
    for _ in range(times):  # over a new connection each time, so that the workers take turns
        assert httpx.get(f"{address}/healthz", timeout=PATIENCE, trust_env=False).status_code == 200


def _steady(samples: Samples) -> Samples:
    """The counters that must never drop."""
    growing = ("_total", "_count", "_sum", "_bucket")
    return {key: number for key, number in samples.items() if key[0].endswith(growing)}


def test_workers_are_counted_together_and_nothing_goes_back_when_one_is_replaced(tmp_path: Path) -> None:
    options = ("--workers", "2", "--port", "0", "--metrics-address", "127.0.0.1:0", "--log-format", "json")
    where = ("--folder", str(tmp_path / "data"))
    with running("serve", *options, *where, temporary=tmp_path) as server:
        address = server.line("Serving at ")
        (metrics,) = [line["address"] for line in _told(server, "serving metrics")]
        _ask(address, 40)
        until(lambda: value(scraped(metrics), NAME, **ALIVE) == 40)
        until(lambda: value(scraped(metrics), "mcmulti_pool_connections", state="idle") > 10)
        before = scraped(metrics)
        assert value(before, "mcmulti_cached_games_limit") == 2048
        for worker in ("0", "1", "2"):
            assert value(before, "process_resident_memory_bytes", worker=worker) > 2**20
        assert not [key for key in before if "pid" in dict(key[1])]
        victim = _told(server, "a worker serves")[0]
        os.kill(victim["pid"], signal.SIGKILL)
        until(lambda: len(_told(server, "a worker serves")) == 3)
        after = scraped(metrics)
        for key, number in _steady(before).items():
            assert after[key] >= number, key
        _ask(address, 40)
        until(lambda: value(scraped(metrics), "mcmulti_cached_games_limit") == 2048)
        until(lambda: value(scraped(metrics), NAME, **ALIVE) == 80)
        assert httpx.get(f"{address}/metrics", timeout=PATIENCE, trust_env=False).status_code == 404
        assert server.interrupt(signal.SIGTERM) == 0
    assert left_behind(tmp_path) == [str(tmp_path / "data")]


def test_one_process_tells_of_itself(tmp_path: Path) -> None:
    options = ("--port", "0", "--metrics-address", "127.0.0.1:0", "--log-format", "json")
    with running("serve", *options, "--folder", str(tmp_path / "data"), temporary=tmp_path) as server:
        address = server.line("Serving at ")
        (metrics,) = [line["address"] for line in _told(server, "serving metrics")]
        _ask(address, 3)
        until(lambda: value(scraped(metrics), NAME, **ALIVE) == 3)
        assert value(scraped(metrics), "process_resident_memory_bytes", worker="1") > 2**20
        assert server.interrupt(signal.SIGTERM) == 0
        assert server.stopped


@pytest.mark.parametrize("address", ["9100", "localhost", ":9100", "127.0.0.1:x", "127.0.0.1:65536", "[]:1"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    run = CliRunner().invoke(cli, ["serve", "--metrics-address", address])
    assert run.exit_code == 2
    assert f"{address!r} must look like 127.0.0.1:9100." in run.output

"""The demo, in a process of its own."""

import re
import signal
import socket
import time
from pathlib import Path

import psycopg
import pytest

from mcmulti.bots.seats.trouble import read_trouble
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.projections.proof.proof import verify
from tests.bots.minds import program, strategies
from tests.cli.command import PATIENCE, TYPED, left_behind, processes, running


def test_the_demo_ends_with_standings_balance_and_proof(tmp_path: Path) -> None:
    with running("demo", "--strategy", "tycoon,random", "--seed", "7", temporary=tmp_path) as demo:
        assert (demo.code(), demo.said) == (0, "")
        printed = demo.printed
    assert re.search(r"1 +(Amber|Basalt) ★ +(tycoon|random) +\d+", printed)
    assert re.search(r"^ +sum( +0){3,7} *$", printed, re.MULTILINE)
    assert printed.count("✓") == 7
    assert "✗" not in printed
    assert f"{TYPED} demo --folder" in printed
    assert max(map(len, printed.splitlines())) <= 100
    assert left_behind(tmp_path) == []


def test_a_bot_leaves_in_the_middle_and_another_plays_on(tmp_path: Path) -> None:
    with running("demo", "--players", "3", "--leave", "3", temporary=tmp_path) as demo:
        assert (demo.code(), demo.said) == (0, "")
        printed = demo.printed
    assert "Cobalt / Garnet" in printed
    assert "✗" not in printed
    assert left_behind(tmp_path) == []


def test_strategies_of_ones_own_play_a_demo(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    own = f"{strategies(tmp_path)}:Plain,random,{program(tmp_path, 'good')}"
    with running("demo", "--ruleset", "marracash", "--strategy", own, temporary=temporary) as demo:
        assert (demo.code(), demo.said) == (0, "")
        printed = demo.printed
    assert all(name in printed for name in (" minds.py:Plain ", " random ", " good.run "))
    assert "✗" not in printed
    assert (tmp_path / "ended").exists()
    assert left_behind(temporary) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("raises", "KeyError: 'comand'"),
        ("hangs", "within 1.0 seconds"),
        ("not_offered", "The server refused its command"),
    ],
)
def test_a_strategy_that_fails_ends_the_demo_and_its_position_is_kept(
    name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    own = f"random,{strategies(tmp_path)}:{name}"
    arguments = ("--ruleset", "marracash", "--players", "3", "--time-limit", "1", "--strategy", f"{own},random")
    with running("demo", *arguments, temporary=temporary) as demo:
        assert demo.code() == 1
        said = demo.said
    assert why in said
    [kept] = (tmp_path / "strategy-troubles").iterdir()
    assert read_trouble(kept).strategy == own.rpartition(",")[2]
    assert str(kept.relative_to(tmp_path)) in said
    assert left_behind(temporary) == []


async def test_a_game_interrupted_in_a_folder_is_kept_in_whole_events(tmp_path: Path) -> None:
    folder, temporary = tmp_path / "kept", tmp_path / "temporary"
    temporary.mkdir()
    with running("demo", "--folder", str(folder), temporary=temporary) as demo:
        demo.line("Turn ")
        assert demo.interrupt() == 130
        assert demo.said == "Interrupted. Everything has stopped.\n"
    assert processes(folder) == left_behind(temporary) == []
    with EmbeddedPostgres(folder) as server:
        async with PostgresLog.open(server.url()) as log:
            [game] = await log.games(10)
            events = await log.read(game.game_id)
        with psycopg.connect(server.url()) as connection:
            assert connection.execute("SELECT count(*) FROM event").fetchone() == (len(events),)
    proof = verify(events)
    assert (events[-1].seq, events[-1].hash) == game.head
    assert (game.status, proof.fault, proof.seed_revealed) == ("running", None, False)


@pytest.mark.parametrize("moment", ["initdb", "start", "ready"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_leaves_nothing_at_any_moment(number: signal.Signals, moment: str, tmp_path: Path) -> None:
    with running("demo", temporary=tmp_path) as demo:
        if moment == "ready":
            demo.line("Server at")
        else:
            awaited = "*/pgdata.new" if moment == "initdb" else "*/pgdata"
            deadline = time.monotonic() + PATIENCE
            while not list(tmp_path.glob(awaited)):
                assert time.monotonic() < deadline
                time.sleep(0.002)
        assert demo.interrupt(number) == 128 + number
        assert demo.said == "Interrupted. Everything has stopped.\n"
    assert left_behind(tmp_path) == []


def test_output_that_cannot_be_written_ends_in_one_sentence(tmp_path: Path) -> None:
    with running("demo", temporary=tmp_path, out="/dev/full") as demo:
        assert demo.code() == 1
        assert demo.said == "Error: No space left on device.\n"
    assert left_behind(tmp_path) == []


def test_a_port_in_use_is_told_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with running("demo", "--port", port, temporary=tmp_path) as demo:
            assert demo.code() == 1
            assert demo.said == f"Error: Port {port} of 127.0.0.1 is in use. Choose another one with --port.\n"
    assert left_behind(tmp_path) == []

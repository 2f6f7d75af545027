"""`mcmulti arena` is killed in the middle of its games, here and at a server, and continues them."""

import os
import signal
import subprocess
import time
from pathlib import Path

import httpx
from click.testing import CliRunner

from mcmulti.cli.commands.records.arena import arena
from mcmulti.cli.commands.records.verify import verify
from tests.arena.arena import command, reported, until_all_ended
from tests.cli.command import PATIENCE, running


def test_an_arena_that_is_killed_is_gone_on_with_and_nothing_counts_twice(tmp_path: Path) -> None:
    asked = ("--ruleset", "marracash", "--games", "30", "--folder", tmp_path / "kept", "merchant", "random", "random")
    games = tmp_path / "kept" / "games"
    killed = subprocess.Popen(command(*asked), stdout=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + PATIENCE
    while len(list(games.glob("*.jsonl"))) < 4:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    until_all_ended(killed.pid)
    before = {path.name: path.read_bytes() for path in games.glob("[0-9]*.jsonl")}
    assert 4 <= len(before) < 30
    report = reported(*asked)
    assert report["played"] == 30 - len(before)
    assert [result["number"] for result in report["results"]] == list(range(1, 31))
    assert {name: (games / name).read_bytes() for name in before} == before
    whole = reported(*asked[:-4], tmp_path / "whole", *asked[-3:])
    assert whole["standings"] == report["standings"]
    assert reported(*asked)["played"] == 0


def test_an_arena_at_a_server_that_is_killed_goes_on_with_its_games_and_keeps_them(tmp_path: Path) -> None:
    """The interrupted game is the same one at the server. All games are files, from which the result is computed."""
    folder, key = tmp_path / "kept", tmp_path / "key"
    with running("serve", "--port", "0", "--folder", str(tmp_path / "data"), temporary=tmp_path) as serve:
        server = serve.line("Serving at ")
        asked = ("--ruleset", "marracash", "--games", "9", "--folder", folder, "--server", server)
        strategies = ("merchant", "random", "random")
        killed = subprocess.Popen(command(*asked, *strategies), stdout=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + 60
        while len(list(folder.glob("games/*.jsonl"))) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        assert (folder / ".players.json").stat().st_mode & 0o777 == 0o600
        before = {path.name: path.read_bytes() for path in folder.glob("games/[0-9]*.jsonl")}
        report = reported(*asked, *strategies)
        listed = httpx.get(f"{server}/v1/games", params={"limit": 100}).json()["games"]
        lost = CliRunner().invoke(
            arena, [*map(str, asked), "--sign", str(key), "--lost-by", "random", *strategies], catch_exceptions=False
        )
        refused = CliRunner().invoke(arena, [*map(str, asked), "merchant", "merchant", "random"])
        assert "has games of another arena" in " ".join(refused.output.split())
    assert (report["played"], len(report["results"])) == (9 - len(before), 9)
    assert [table["status"] for table in listed] == ["finished"] * 9
    assert {name: (folder / "games" / name).read_bytes() for name in before} == before
    files = [word for word in lost.output.split() if word.endswith(".jsonl")]
    assert len(files) == sum(
        1 not in [result["seats"][seat] for seat in result["winners"]] for result in report["results"]
    )
    for path in (folder / "games").iterdir():
        assert CliRunner().invoke(verify, [str(path)]).exit_code == 0
    again = reported("--verify", folder)
    assert (again["results"], again["plan"]) == (report["results"], report["plan"])
    assert report["plan"]["server"]["address"] == server
    games = sorted((folder / "games").iterdir())
    first = games[0].read_bytes()
    games[0].write_bytes(games[3].read_bytes())
    assert CliRunner().invoke(arena, ["--verify", str(folder)]).exit_code == 1
    games[0].write_bytes(first)

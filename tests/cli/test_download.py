"""``mcmulti download``: every finished game once, no matter how often the connection or the program breaks off."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from uuid import UUID

import httpx
import pytest

from mcmulti.cli.proof.downloading import Selection, download_all
from mcmulti.client import downloads
from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.client.downloads import finished_games
from mcmulti.client.sources import SourceError
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.store.game_file import read
from mcmulti.server.process import answering, bound
from tests.api.ended_games import NAMES, put
from tests.cli.command import running, until
from tests.docs.manual import page
from tests.docs.transcript import as_printed, commands, run


@asynccontextmanager
async def two_behind_a_proxy(log: MemoryLog, cut: Random | None) -> AsyncIterator[str]:
    """The address of a proxy that sends connections to two servers in turn, and cuts some of them at random."""
    with bound("127.0.0.1", 0) as one, bound("127.0.0.1", 0) as other:
        async with answering(log, one) as first, answering(log, other) as second:
            ports = [int(address.rpartition(":")[2]) for address in (first, second)]

            async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                ports.append(ports.pop(0))
                left = cut.randrange(60_000) if cut is not None and cut.random() < 0.7 else sys.maxsize
                from_server, to_server = await asyncio.open_connection("127.0.0.1", ports[0])
                asking = asyncio.create_task(_copied(reader, to_server, sys.maxsize))
                await _copied(from_server, writer, left)
                asking.cancel()
                to_server.close()

            async with await asyncio.start_server(forward, "127.0.0.1", 0) as proxy:
                yield f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: int) -> None:
    with suppress(OSError):
        while left > 0 and (piece := await reader.read(min(left, 4096))):
            writer.write(piece)
            await writer.drain()
            left -= len(piece)
    writer.close()


def files(folder: Path) -> dict[str, bytes]:
    """The game files in a folder, by game."""
    return {file.name.partition(".")[0]: file.read_bytes() for file in folder.glob("*.mcmulti.jsonl")}


async def test_every_game_is_downloaded_once_although_connections_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First everything through two servers, then only the game that has ended since."""
    monkeypatch.setattr(downloads, "_PAUSE", 0.0)
    log, folder = MemoryLog(), tmp_path / "games"
    games = [await put(log, name, minute) for minute, name in enumerate(NAMES[:3])]
    async with two_behind_a_proxy(log, Random(3)) as address:
        found = await download_all(Selection(address), None, folder)
        assert found == (3, ())
        assert set(files(folder)) == set(games)
        for game, content in files(folder).items():
            assert str(read(content.splitlines(keepends=True)).file.game) == game
        assert await download_all(Selection(address), None, folder) == (0, ())
        before = {file: file.stat().st_mtime_ns for file in folder.glob("*.mcmulti.jsonl")}
        games.append(await put(log, NAMES[3], 7))
        assert await download_all(Selection(address), None, folder) == (1, ())
        assert set(files(folder)) == set(games)
        assert {file: file.stat().st_mtime_ns for file in before} == before


async def test_after_a_kill_it_goes_on(tmp_path: Path) -> None:
    """Complete files stay, and an incomplete one leaves no game file."""
    log, folder = MemoryLog(), tmp_path / "games"
    games = [await put(log, name, minute) for minute, name in enumerate(NAMES)]
    async with two_behind_a_proxy(log, None) as address:
        await asyncio.to_thread(
            _killed_in_between, ("download", "--server", address, "--folder", str(folder)), tmp_path
        )
        assert set(files(folder)) <= set(games)
        await download_all(Selection(address), None, folder)
    assert set(files(folder)) == set(games)
    for content in files(folder).values():
        read(content.splitlines(keepends=True))


def _killed_in_between(arguments: tuple[str, ...], tmp_path: Path) -> None:
    with running(*arguments, temporary=tmp_path) as command:
        until(lambda: any((tmp_path / "games").glob("*.jsonl")))
        with suppress(ProcessLookupError):
            os.kill(command.pid, signal.SIGKILL)


async def test_damaged_games_are_named_and_filters_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    games = [await put(log, name, minute) for minute, name in enumerate(NAMES)]
    log._games[UUID(games[1])].events.pop(7)
    async with two_behind_a_proxy(log, None) as address:
        wanted = Selection(address, since="2026-02-01T00:01:00Z", until="2026-02-01T00:03:00Z")
        assert await download_all(wanted, None, tmp_path) == (1, (UUID(games[1]),))
        assert list(files(tmp_path)) == [games[2]]
        assert await download_all(Selection(address, ruleset="mcmulti"), None, tmp_path / "box") == (1, ())
        assert list(files(tmp_path / "box")) == [games[3]]


async def test_what_cannot_be_downloaded_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another download in the folder, a broken state file, a file as the folder, and servers that send nonsense."""
    here = Selection("http://127.0.0.1:1")
    (tmp_path / "download.json").write_text('{"wanted": {"server": "https://example.org"}}')
    with pytest.raises(SourceError, match="belongs to another download"):
        await download_all(here, None, tmp_path)
    (tmp_path / "download.json").write_text("{")
    with pytest.raises(SourceError, match="cannot be read"):
        await download_all(here, None, tmp_path)
    (tmp_path / "download.json").unlink()
    (tmp_path / "file").touch()
    with pytest.raises(SourceError, match="cannot be read: Not a directory"):
        await download_all(here, None, tmp_path / "file")
    answers = {
        b"{}": (HttpProblem, "cannot be read"),
        b'{"type":"FileEnd"}': (HttpProblem, "without the id of its game"),
        b'{"type":"FileEnd","game":"%b","next":"1"}' % str(UUID(int=1)).encode(): (HttpProblem, "line 1"),
        b'{"type":"DownloadEnd","more":true}': (ServerAway, "breaks off"),
        b'{"type":"Stopping"}': (ServerAway, "breaks off"),
    }
    monkeypatch.setattr(downloads, "_PAUSE", 0.0)
    for content, (kind, reason) in answers.items():

        def answer(_: httpx.Request, content: bytes = content) -> httpx.Response:
            return httpx.Response(200, content=content + b"\n")

        async with Client("http://x", patience=0, transport=httpx.MockTransport(answer)) as client:
            with pytest.raises(kind, match=reason):
                await anext(finished_games(client))


async def test_the_guide_works_as_printed(tmp_path: Path) -> None:
    """At a server on which a game of the box and a game by post have ended."""
    log = MemoryLog()
    for minute, name in enumerate(NAMES):
        await put(log, name, minute)
    async with two_behind_a_proxy(log, None) as address:
        transcript = commands(page("how-to/download-games").replace("http://127.0.0.1:8000", address))
        assert len(transcript) == 6
        environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(tmp_path),
        }
        printed = await asyncio.to_thread(run, transcript, tmp_path, environment)
    for command, output in zip(transcript, printed, strict=True):
        assert as_printed(command.prints, output), f"$ {command.typed}\n{output}\ninstead of\n{command.prints}"

"""Finished games in bulk: a download that goes on after any interruption, from either of two servers."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from httpx import Response

from mcmulti.api.readings import files as downloads
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.signing import is_signed
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.game_file import read
from mcmulti.projections.proof.proof import verify
from tests.api.ended_games import NAMES, put
from tests.api.guests import Json, problem
from tests.api.two_servers import TwoServers, two_servers

PATH = "/v1/games/finished"


class Files(NamedTuple):
    """A response: the games in it, in order, each with its file; the `marks` behind them; and the last item."""

    games: dict[str, bytes]
    marks: list[str]
    end: Json | None


def files(content: bytes) -> Files:
    """The complete files in a response, or in the part of it that arrived, as the reference says."""
    games, marks, end, lines = dict[str, bytes](), list[str](), None, list[bytes]()
    for line in content.splitlines(keepends=True):
        if not line.endswith(b"\n"):
            break
        item = json.loads(line)
        if item["type"] == "FileEnd":
            assert item["game"] not in games
            games[item["game"]] = b"".join(lines)
            marks.append(item["next"])
            lines = []
        elif item["type"] in ("DownloadEnd", "Stopping"):
            end = item
        else:
            lines.append(line)
    return Files(games, marks, end)


@asynccontextmanager
async def _on(log: Log, other: Log) -> AsyncIterator[tuple[TwoServers, Log]]:
    async with two_servers((log, other)) as servers:
        yield servers, log


@pytest.fixture(params=["PostgreSQL", "memory"])
async def at(request: pytest.FixtureRequest, database: str) -> AsyncIterator[tuple[TwoServers, Log]]:
    """Two servers on one log."""
    if request.param == "memory":
        log = MemoryLog()
        async with _on(log, log) as found:
            yield found
    else:
        async with PostgresLog.open(database) as one, PostgresLog.open(database) as two, _on(one, two) as found:
            yield found


async def ask(servers: TwoServers, at_server: int = 0, **query: Any) -> Response:
    answered = await servers.clients[at_server].get(PATH, params=query)
    assert answered.status_code == 200, answered.text
    return answered


async def test_each_game_comes_as_its_file_and_in_the_order_of_their_ends(at: tuple[TwoServers, Log]) -> None:
    """Two of them ended at the same moment."""
    servers, log = at
    minutes = dict(zip(NAMES, (3, 1, 2, 2), strict=True))
    games = {name: await put(log, name, minute) for name, minute in minutes.items()}
    found = files((await ask(servers)).content)
    same = sorted(games[name] for name in NAMES[2:])
    assert list(found.games) == [games["marracash-undo"], *same, games["by-post-substitute"]]
    for game, file in found.games.items():
        assert file == (await servers.client.get(f"/v1/games/{game}/file")).content
        record = read(file.splitlines(keepends=True))
        assert is_signed(str(record.file.key), str(record.file.signature), record.file.game, record.file.head)
        assert all(event.payload is None for event in record.events)
        assert verify(record.events).fault is None
    assert found.end == {"type": "DownloadEnd", "next": found.marks[-1], "more": False}


async def test_wherever_it_breaks_off_it_goes_on_without_a_gap(at: tuple[TwoServers, Log]) -> None:
    """Each part is from the other server, and cut somewhere. Meanwhile other games end, one at the same moment."""
    servers, log = at
    random, late = Random(7), [("two-players", 2), ("called-off", 2), ("marracash-three-players", 9)]
    for name, minute in zip(NAMES[:3], (0, 1, 2), strict=True):
        await put(log, name, minute)
    got, after, tries, server = dict[str, bytes](), dict[str, Any](), 0, 0
    while True:
        server, tries = 1 - server, tries + 1
        content = (await ask(servers, server, limit=random.choice((1, 2, 100)), **after)).content
        whole = files(content)
        part = files(content[: random.randrange(len(content))]) if tries < 12 else whole
        assert got.keys().isdisjoint(part.games)
        got |= part.games
        if part.marks:
            after = {"after": part.marks[-1]}
        if late and len(got) == 2:
            for name, minute in late:
                await put(log, name, minute)
            late = []
        if part.end is not None and not part.end["more"] and not late:
            break
    assert got == files((await ask(servers)).content).games
    assert len(got) == 6
    assert files((await ask(servers, **after)).content) == (
        {},
        [],
        {"type": "DownloadEnd", "next": after["after"], "more": False},
    )


async def test_only_what_is_over_and_public_comes(at: tuple[TwoServers, Log]) -> None:
    servers, log = at
    public = await put(log, "two-players", 0)
    await put(log, "called-off", 1, listed=False)
    await put(log, "marracash-undo", 2, practice=True)
    await put(log, "by-post-substitute", 3, status="running")
    assert list(files((await ask(servers)).content).games) == [public]


async def test_it_is_narrowed_by_rule_set_and_time(at: tuple[TwoServers, Log]) -> None:
    servers, log = at
    games = [await put(log, name, minute) for minute, name in enumerate(NAMES)]

    async def found(**query: Any) -> list[str]:
        return list(files((await ask(servers, **query)).content).games)

    assert await found(ruleset="marracash") == [games[1]]
    assert await found(since="2026-02-01T00:01:00Z") == games[1:]
    assert await found(until="2026-02-01T00:02:00Z") == games[:2]
    assert await found(since="2026-02-01T02:01:00+02:00", until="2026-02-01T00:02:00Z", ruleset="mcmulti") == []
    [mark] = files((await ask(servers, limit=1)).content).marks
    assert await found(after=mark, since="2026-01-01T00:00:00Z") == games[1:]
    assert await found(after=mark, since="2026-02-01T00:03:00Z") == games[3:]
    nothing = files((await ask(servers, ruleset="postal", until="2026-01-01T00:00:00Z")).content)
    assert nothing == ({}, [], {"type": "DownloadEnd", "next": None, "more": False})


async def test_a_game_that_ends_is_ready_when_no_earlier_one_can_appear(
    at: tuple[TwoServers, Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An append may take a minute, so that games become visible in another order than they ended."""
    servers, log = at
    game = await put(log, "two-players", 0, status="running")
    now = await log.game(UUID(game))
    await log.append(UUID(game), now.head, [], TableRow("finished"))
    assert files((await ask(servers)).content).games == {}
    monkeypatch.setattr(downloads, "LATE", timedelta(0))
    assert list(files((await ask(servers)).content).games) == [game]


async def test_a_damaged_game_is_left_out_and_named(
    at: tuple[TwoServers, Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is wrong with it: nothing of its file is sent."""
    servers, log = at
    games = [await put(log, name, minute) for minute, name in enumerate(NAMES)]
    read_on = type(log).read

    async def missing(self: Log, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        events = await read_on(self, game_id, after, limit)
        return [event for event in events if (str(game_id), event.seq) != (games[1], 100)]

    monkeypatch.setattr(type(log), "read", missing)
    content = (await ask(servers)).content
    found = files(content)
    assert [game for game, file in found.games.items() if not file] == [games[1]]
    assert list(found.games) == games
    ends = [item for line in content.splitlines() if (item := json.loads(line))["type"] == "FileEnd"]
    assert [end["damaged"] for end in ends] == [False, True, False, False]


async def test_a_response_ends_when_it_has_many_events(
    at: tuple[TwoServers, Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So its cost has a bound. The client goes on as after any other."""
    servers, log = at
    monkeypatch.setattr(downloads, "MOST_EVENTS", 500)
    games = [await put(log, name, minute) for minute, name in enumerate(NAMES)]  # of 391, 334, 277, and 748 events
    first = files((await ask(servers)).content)
    assert list(first.games) == games[:2]
    assert first.end == {"type": "DownloadEnd", "next": first.marks[-1], "more": True}
    second = files((await ask(servers, after=first.marks[-1])).content)
    assert list(second.games) == games[2:]
    assert second.end is not None
    assert not second.end["more"]


async def test_a_server_that_stops_and_a_database_that_is_away_end_it_without_a_gap(
    at: tuple[TwoServers, Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    servers, log = at
    games = [await put(log, name, minute) for minute, name in enumerate(NAMES[:2])]
    read_on = type(log).read

    async def away(self: Log, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        if str(game_id) == games[1]:
            raise LogUnavailable
        return await read_on(self, game_id, after, limit)

    with monkeypatch.context() as patched:
        patched.setattr(type(log), "read", away)
        found = files((await ask(servers)).content)
    assert (list(found.games), found.end) == (games[:1], {"type": "Stopping"})
    rest = files((await ask(servers, at_server=1, after=found.marks[-1])).content)
    assert list(rest.games) == games[1:]


async def test_what_is_asked_for_wrongly(at: tuple[TwoServers, Log]) -> None:
    servers, _ = at
    problem(await servers.client.get(PATH, params={"ruleset": "chess"}), 404, "unknown_ruleset")
    for query in (
        {"after": "yesterday"},
        {"since": "2026-01-01"},
        {"until": "0.5"},
        {"until": "1767225600"},
        {"limit": "0"},
        {"limit": "1001"},
        {"practice": "true"},
    ):
        problem(await servers.client.get(PATH, params=query), 400, "invalid_query")

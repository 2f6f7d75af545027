"""Faults that random input once found, each as a test of its own."""

import asyncio
from datetime import UTC, datetime

import click
import httpx
import msgspec
import pytest
from click.testing import CliRunner

from mcmulti.api.telling.wire import Events
from mcmulti.cli.commands.operator.serve import serve
from mcmulti.cli.proof.verdict import noted_keys
from mcmulti.cli.replay.story import Story, Unplayable
from mcmulti.cli.seating import new_game
from mcmulti.client.client import Client, HttpProblem
from mcmulti.client.sources import SourceError, fetched
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.digests import SIZE
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.item import item
from mcmulti.events.log.signing import distrust
from mcmulti.events.log.snapshot import Snapshot, sealed_snapshot, shape, taken
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.addresses import NoAddress, connecting
from mcmulti.referee.reading import GameReader
from tests.golden.forging import rehashed
from tests.pure.fuzz.decoders import FUZZED, games

DEEP = b'{"type":' * 50_000 + b"1" + b"}" * 50_000


def test_an_event_that_is_nested_too_deeply_opens_no_game_and_is_not_told() -> None:
    first, *others = games("mcmulti")[0][:3]
    with pytest.raises(ValueError, match="nested too deeply"):
        opened_with(first._replace(data=DEEP))
    with pytest.raises(ValueError, match="nested too deeply"):
        fold(CURRENT["mcmulti"], [first._replace(data=DEEP)])
    with pytest.raises(Unplayable):
        Story(rehashed([first, others[0]._replace(data=DEEP)]))


async def test_a_snapshot_with_bytes_that_are_no_text_is_thrown_away() -> None:
    events = games("mcmulti")[0][:20]
    ruleset, log, head = CURRENT["mcmulti"], MemoryLog(), Head(events[9].seq, events[9].hash)
    await log.create(events[0].game_id, "mcmulti", ruleset.version, TableRow("running"), bytes(32), events)
    game_id, key = events[0].game_id, await log.digest_key()
    kept = taken(key, game_id, ruleset, fold(ruleset, events[:10]), head).state[SIZE:]
    spoiled = kept.replace(str(events[0].game_id).encode(), b"\xff" * 36)
    assert spoiled != kept
    await log.keep_snapshots(game_id, [sealed_snapshot(key, game_id, Snapshot(head, shape(ruleset), spoiled))])
    position = await GameReader(log).position(events[0].game_id)
    assert position.state == fold(ruleset, events)


def client(status: int, content: bytes, headers: dict[bytes, bytes] | None = None) -> Client:
    """A client of a server that always sends the same response."""
    answer = httpx.MockTransport(lambda request: httpx.Response(status, content=content, headers=headers))
    return Client("http://elsewhere", patience=0.0, transport=answer)


async def test_a_log_that_leads_back_to_its_beginning_is_not_read_for_ever() -> None:
    first = games("mcmulti")[0][0]
    page = msgspec.json.encode(Events(first.game_id, 1, first.hash.hex(), (item(first),), 0))
    async with client(200, page) as reader, asyncio.timeout(60):
        with pytest.raises(SourceError, match="endless log"):
            await fetched(reader, str(first.game_id))


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b"{}", b'{"token":1}', b"[" * 100_000])
async def test_what_answers_like_no_server_of_ours_is_called_so(content: bytes) -> None:
    async with client(200, content) as asking:
        with pytest.raises(HttpProblem, match=r"not an mcmulti server"):
            await asking.register("Ada")
        if content:
            with pytest.raises(SourceError):
                await fetched(asking, "a-game")


async def test_seconds_to_wait_are_digits() -> None:
    async with client(429, b"{}", {b"Retry-After": b"\xb2"}) as asking:
        with pytest.raises(HttpProblem):
            await asking.view("a-game")


def test_an_address_that_is_no_text_is_none_and_is_not_repeated() -> None:
    with pytest.raises(NoAddress) as refused:
        connecting("postgresql://ada:s3cr3t\udca0@host/games")
    assert "s3cr3t" not in str(refused.value)


@pytest.mark.parametrize("setting", ["seats=" + "[" * 100_000, "seats=\udca0"])
def test_settings_that_are_nothing_are_refused(setting: str) -> None:
    with pytest.raises(click.BadParameter):
        new_game("mcmulti", None, None, [setting])


@pytest.mark.parametrize("option", ["--metrics-address=a:", "--open-games="])
def test_a_number_that_is_too_long_for_python_is_refused(option: str) -> None:
    refused = CliRunner().invoke(serve, [option + "1" * 5000])
    assert refused.exit_code == 2, refused.exception


@pytest.mark.parametrize("moment", [b"0001-01-01T00:00:00+14:00", b"9999-12-31T23:59:59-14:00"])
def test_a_key_of_the_ends_of_time_is_not_trusted(moment: bytes) -> None:
    listed = FUZZED["keys as a server lists them"].valid()[0]
    statements = noted_keys(listed.replace(b"2026-01-01T00:00:00Z", moment))
    asked = statements[0].public
    assert distrust(statements, statements[-1].public, asked, datetime(2026, 2, 1, tzinfo=UTC)) is not None


def test_keys_that_are_nested_too_deeply_are_none() -> None:
    with pytest.raises(ValueError, match="not keys"):
        noted_keys(b'{"x":' * 50_000)

"""``mcmulti verify``: what it proves, and from which sources."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest

from mcmulti.client.sources import record_in, records_in
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.game_file import lines, record_of
from mcmulti.server.process import answering, bound
from tests.cli.command import running
from tests.cli.proving import GAME, ID, KEY, address_of, run
from tests.golden.forging import rehashed
from tests.golden.games import FILES, load

BY_POST = [file for file in FILES if file.stem.startswith("by-post-")]
HEAD = f"{len(GAME)}-{GAME[-1].hash.hex()}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A finished game, signed."""
    path = tmp_path / "game.mcmulti.jsonl"
    path.write_bytes(b"".join(lines(record_of(GAME, KEY))))
    return path


def test_a_file_is_proven_without_the_server_s_imports(file: Path) -> None:
    """They would take twice as long as the proof and everything it needs."""
    code = """
import sys
from mcmulti.cli import cli
cli(["verify", sys.argv[1]], standalone_mode=False)
print(sorted({"litestar", "mcmulti.server.process", "psycopg", "uvicorn"} & sys.modules.keys()))
"""
    proven = subprocess.run([sys.executable, "-c", code, file], capture_output=True, text=True, check=True, timeout=600)
    assert proven.stdout.endswith("Proven.\n[]\n")


def test_a_whole_game_is_proven(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", str(file), "--key", KEY.public, "--head", HEAD) == 0
    printed = capsys.readouterr().out
    assert printed.count("✓") == 7
    assert "✗" not in printed
    assert f"head {HEAD}" in printed
    assert f"signed by key {KEY.id}" in printed
    assert printed.endswith("Proven.\n")


@pytest.mark.parametrize("golden", BY_POST, ids=lambda golden: golden.stem)
def test_a_game_by_post_is_proven(golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All lines except the one about a noted head: nobody noted one."""
    events = load(golden)
    path = tmp_path / "game.mcmulti.jsonl"
    path.write_bytes(b"".join(lines(record_of(events, KEY))))
    assert run("verify", str(path)) == 0
    printed = capsys.readouterr().out
    assert "rule set postal" in printed
    assert f"{len(events)} events" in printed
    assert "✗" not in printed
    assert printed.endswith("Proven.\n")


def test_it_is_told_in_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", str(file), "--json") == 0
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["game"], verdict["sound"], verdict["proven"]) == (ID, True, True)
    assert verdict["proof"]["events"] == len(GAME)
    assert verdict["signed"] == {
        "key": KEY.id,
        "public": KEY.public,
        "valid": True,
        "fault": None,
        "asked": None,
    }
    assert verdict["witnessed"] is None


def test_the_first_wrong_event_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index = next(index for index, event in enumerate(GAME) if event.type == "AssetBought")
    cheaper = GAME[index]._replace(data=re.sub(rb'"price":\d+', b'"price":1', GAME[index].data))
    path = tmp_path / "game"
    path.write_bytes(b"".join(lines(record_of(rehashed([*GAME[:index], cheaper, *GAME[index + 1 :]])))))
    assert run("verify", str(path)) == 1
    printed = capsys.readouterr().out
    assert f"event {index + 1} is not what its command leads to" in printed
    assert f"Proven only up to event {index}." in printed
    assert run("verify", str(path), "--json") == 1
    assert json.loads(capsys.readouterr().out)["proof"]["wrong"] == index + 1


def test_a_game_that_is_played_is_sound_and_not_proven_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    end = next(index for index in range(300, len(GAME)) if GAME[index].command is not None)
    path = tmp_path / "game"
    path.write_bytes(b"".join(lines(record_of(GAME[:end]))))
    assert run("verify", str(path)) == 0
    printed = capsys.readouterr().out
    assert "· the head is not signed" in printed
    assert "taken as recorded, because the seed is not revealed yet" in printed
    assert "✗" not in printed
    assert run("verify", str(path), "--key", KEY.id) == 1


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (("--key", SigningKey(b"x" * 32).public), "it is not that of the key asked for"),
        (("--key", "0" * 16), "it is not that of the key asked for"),
        (("--head", f"57-{'0' * 64}"), "✗ the log does not hold the event that was noted"),
        (("--head", f'W/"749-{GAME[-1].hash.hex()}"'), "✗ the log does not hold the event that was noted"),
    ],
)
def test_another_key_or_head_is_not_what_was_asked_for(
    file: Path, option: tuple[str, str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("verify", str(file), *option) == 1
    assert sentence in capsys.readouterr().out


def test_a_moment_that_a_witness_noted_is_found(file: Path) -> None:
    assert run("verify", str(file), "--head", f'"57-{GAME[56].hash.hex()}"') == 0
    assert run("verify", str(file), "--head", f'W/"57-{GAME[56].hash.hex()};seat-0;gzip"') == 0


def test_a_signature_of_another_head_is_none(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = record_of(GAME[:700], KEY).file.signature
    file.write_bytes(re.sub(rb'"signature":"\w+"', f'"signature":"{other}"'.encode(), file.read_bytes(), count=1))
    assert run("verify", str(file)) == 1
    assert "✗ the signature is invalid" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["nowhere"], 1, "nowhere is not a folder with games, a game file, or an address"),
        (["http://127.0.0.1:8000/games"], 1, "is not the address of a server or of a game on it"),
        (["{file}", "--game", "00000000-0000-4000-8000-000000000001"], 1, "holds game 00000000-0000-4000-8000-000000"),
        (["{empty}"], 1, "is not a game file: line 1: "),
        (["{file}", "--key", "AA"], 2, "must be a public key"),
        (["{file}", "--head", "57"], 2, "must look like an ETag"),
        (["{file}", "--game", "x"], 2, "not a valid UUID"),
    ],
)
def test_what_cannot_be_read_is_told(
    arguments: list[str], code: int, sentence: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = file.with_name("empty")
    empty.touch()
    assert run("verify", *(text.format(file=file, empty=empty) for text in arguments)) == code
    assert sentence in capsys.readouterr().err


def test_a_game_file_comes_by_standard_input(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with file.open() as content:
        monkeypatch.setattr("sys.stdin", content)
        assert run("verify", "-") == 0
    assert capsys.readouterr().out.endswith("Proven.\n")
    with Path("/dev/null").open() as content:
        monkeypatch.setattr("sys.stdin", content)
        assert run("verify", "-") == 1
    assert "standard input is not a game file" in capsys.readouterr().err


@pytest.fixture
async def server() -> AsyncIterator[str]:
    """The address of a server with the game."""
    log = MemoryLog()
    await log.create(GAME[0].game_id, RULESET.name, RULESET.version, TableRow("finished"), bytes(32), GAME)
    await log.signer(b"k" * 32)
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener) as address:
            yield address


async def test_a_server_hands_out_the_signed_game(server: str) -> None:
    """The proof of the game at an address, or of the newest game at a server."""
    for source in (server, f"{server}/v1/games/{ID}"):
        assert await record_in(source) == record_of(GAME, KEY)
    assert await record_in(server, GAME[0].game_id) == record_of(GAME, KEY)


async def test_a_database_hands_out_the_game_with_its_own_key(database: str) -> None:
    async with PostgresLog.open(database) as log:
        await log.create(GAME[0].game_id, RULESET.name, RULESET.version, TableRow("finished"), bytes(32), GAME)
        await log.signer(b"k" * 32)
    assert await record_in(address_of(database)) == record_of(GAME, KEY)


async def verify_all(source: str, folder: Path, *options: str) -> tuple[int, list[str]]:
    """The exit code and the lines of the command, in a process of its own."""
    with running("verify", "--all", *options, source, temporary=folder) as verify:
        return await asyncio.to_thread(verify.code), verify.printed.splitlines()


async def test_all_games_of_a_database_are_proven_a_line_each(database: str, tmp_path: Path) -> None:
    """One game is over, one is running, and in one, an event was changed by somebody with the rights to."""
    games = [GAME, load(next(file for file in FILES if file.stem == "three-players"))]
    end = next(index for index in range(300, len(games[1])) if games[1][index].command is not None)
    changed = load(next(file for file in FILES if file.stem == "four-players"))
    async with PostgresLog.open(database) as log:
        await log.create(games[0][0].game_id, RULESET.name, RULESET.version, TableRow("finished"), bytes(32), games[0])
        await log.create(
            games[1][0].game_id, RULESET.name, RULESET.version, TableRow("running"), bytes(32), games[1][:end]
        )
    source = address_of(database)
    code, printed = await verify_all(source, tmp_path)
    assert code == 0
    assert sorted(printed[:2]) == sorted(
        [
            f"✓ {ID} (mcmulti 1, {len(GAME)} events): proven",
            f"· {games[1][0].game_id} (mcmulti 1, {end} events): sound so far",
        ]
    )
    assert printed[2:] == ["2 games: 1 proven, 1 sound so far, 0 wrong."]

    async with PostgresLog.open(database) as log:
        await log.create(changed[0].game_id, RULESET.name, RULESET.version, TableRow("finished"), bytes(32), changed)
    with psycopg.connect(database) as owner:
        owner.execute("UPDATE event SET rule = 'x' WHERE seq = 7 AND game_id = %s", (changed[0].game_id,))
    code, printed = await verify_all(source, tmp_path)
    assert code == 1
    assert [line for line in printed if line.startswith("✗") and "event 7" in line]
    assert printed[-1] == "3 games: 1 proven, 1 sound so far, 1 wrong."
    _, printed = await verify_all(source, tmp_path, "--json")
    verdicts = [json.loads(line) for line in printed]
    assert sorted(verdict["sound"] for verdict in verdicts) == [False, True, True]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)", f"event {len(GAME)} is missing"),
        (
            "UPDATE game SET head_seq = 100, head_hash = (SELECT hash FROM event WHERE seq = 100)",
            "event 101 comes after",
        ),
        ("UPDATE game SET head_hash = sha256(head_hash)", f"event {len(GAME)} does not have the head's hash"),
        ("DELETE FROM event", "the log is empty"),
        ("DELETE FROM event WHERE seq = 1", "event 1 is missing"),
    ],
)
async def test_the_head_that_the_database_names_is_where_the_events_must_end(
    damage: str, said: str, database: str, tmp_path: Path
) -> None:
    """A faulty game is not signed. If its end is faulty, no file of it is written."""
    async with PostgresLog.open(database) as log:
        await log.create(GAME[0].game_id, RULESET.name, RULESET.version, TableRow("finished"), bytes(32), GAME)
    with psycopg.connect(database) as owner:
        owner.execute(damage)
    code, printed = await verify_all(address_of(database), tmp_path)
    assert code == 1
    assert said in printed[0]
    assert (await record_in(address_of(database))).file.signature is None


async def test_all_games_of_a_server_are_proven(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert [record async for record in records_in(server)] == [record_of(GAME, KEY)]
    assert [record async for record in records_in(f"{server}/v1/games/{ID}")] == [record_of(GAME, KEY)]


def test_all_games_and_one_game_are_not_asked_for_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", "--all", "--game", ID, "x") == 2
    assert "--all covers every game" in capsys.readouterr().err

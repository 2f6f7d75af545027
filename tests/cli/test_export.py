"""``mcmulti export`` and ``mcmulti import``: a game moves between servers without a change."""

import csv
import os
import re
import stat
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from mcmulti.cli.proof.importing import ImportRefused, bring_in
from mcmulti.client.sources import record_in
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.ports.game_index import GamesWanted, TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.game_file import GameRecord, lines, record_of
from tests.cli.proving import GAME, ID, KEY, address_of, run
from tests.games import random_game, recorded_games
from tests.golden.forging import rehashed
from tests.golden.games import FILES, load


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A finished game, signed."""
    path = tmp_path / "game"
    path.write_bytes(b"".join(lines(record_of(GAME, KEY))))
    return path


def test_a_file_is_named_by_its_game(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("export", "game") == 0
    exported = tmp_path / f"{ID}.mcmulti.jsonl"
    assert exported.read_bytes() == file.read_bytes()
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(exported.stat().st_mode) == 0o666 & ~mask


def test_nothing_is_written_over_unless_forced(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = file.with_name("there")
    there.write_text("precious")
    assert run("export", str(file), "--output", str(there)) == 1
    assert "already exists. Use --force to overwrite it" in capsys.readouterr().err
    assert there.read_text() == "precious"
    assert run("export", str(file), "--output", str(there), "--force") == 0
    assert there.read_bytes() == file.read_bytes()
    assert sorted(path.name for path in file.parent.iterdir()) == ["game", "there"]


def test_it_goes_to_standard_output(file: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("export", str(file), "--output", "-") == 0
    assert capfdbinary.readouterr().out == file.read_bytes()


def test_a_folder_that_is_not_there_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", str(file), "--output", str(file.with_name("no") / "game")) == 1
    assert "Cannot write to" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wanted", "suffix", "beginning"),
    [("hledger", ".journal", "; "), ("beancount", ".beancount", "; "), ("csv", ".csv", '"')],
)
def test_the_books_are_exported(
    wanted: str, suffix: str, beginning: str, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All events that move anything are in the file: in each of these formats, cash itself changes hands."""
    monkeypatch.chdir(tmp_path)
    assert run("export", str(file), "--format", wanted) == 0
    content = (tmp_path / f"{ID}{suffix}").read_text("utf-8")
    assert content.startswith(beginning)
    if wanted == "csv":
        rows = list(csv.DictReader(content.splitlines()))
        sold = {event.seq for event in GAME if event.type == "BarrelsSold"}
        assert sold <= {int(row["seq"]) for row in rows}
        assert sum(int(row["amount"]) for row in rows) == 0


async def test_a_game_is_the_same_on_another_server(database: str, tmp_path: Path) -> None:
    """Events, hashes, and times are the same to the byte. Its players find the game, and its age stays the same."""
    assert await bring_in(record_of(GAME, KEY), database) == f"Imported game {ID}: {len(GAME)} events."
    again = await record_in(address_of(database))
    assert list(lines(again))[1:] == list(lines(record_of(GAME)))[1:]
    async with PostgresLog.open(database) as log:
        game = await log.game(GAME[0].game_id)
        assert (game.status, game.created_at) == ("finished", GAME[0].recorded_at)
        assert b'"%b"' % (await log.secret(game.game_id)).hex().encode() in GAME[-1].data
        seated = re.findall(rb'"type":"TakeSeat","player":"(.*?)"', b"".join(event.command or b"" for event in GAME))
        assert len(seated) == 2
        for player in seated:
            assert await log.games(10, wanted=GamesWanted(player_ids=(UUID(player.decode()),))) == [game]


async def test_a_game_is_imported_once(database: str) -> None:
    await bring_in(record_of(GAME, KEY), database)
    assert "already exists, identical" in await bring_in(record_of(GAME), database)
    async with PostgresLog.open(database) as log:
        assert await log.read(GAME[0].game_id) == GAME


async def test_another_game_of_the_same_id_is_refused(database: str) -> None:
    """The database has the same game, not yet played to its end."""
    async with PostgresLog.open(database) as log:
        await log.create(GAME[0].game_id, "mcmulti", 1, TableRow("running"), bytes(32), GAME[:300])
        with pytest.raises(ImportRefused, match="already exists, at event 300"):
            await bring_in(record_of(GAME), database)
        assert len(await log.read(GAME[0].game_id)) == 300


def _tampered() -> list[Recorded]:
    index = next(index for index, event in enumerate(GAME) if event.type == "AssetBought")
    cheaper = GAME[index]._replace(data=re.sub(rb'"price":\d+', b'"price":1', GAME[index].data))
    return rehashed([*GAME[:index], cheaper, *GAME[index + 1 :]])


def _signed_by_another() -> GameRecord:
    file = record_of(GAME, KEY).file
    other = record_of(GAME, SigningKey(b"x" * 32)).file
    return GameRecord(replace(file, signature=other.signature), GAME)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (record_of(_tampered()), "is not what its command leads to"),
        (record_of(GAME[:-1]), f"event {GAME[-1].seq} is missing"),
        (record_of(GAME[: next(i for i in range(300, 400) if GAME[i].command)]), "the game is not finished"),
        (_signed_by_another(), "its signature does not match"),
    ],
    ids=["tampered", "cut", "unfinished", "badly signed"],
)
async def test_what_is_not_proven_is_not_imported(record: GameRecord, reason: str, database: str) -> None:
    with pytest.raises(ImportRefused, match=reason):
        await bring_in(record, database)
    async with PostgresLog.open(database) as log:
        assert await log.games(10) == []


def test_the_command_imports_and_refuses_in_a_sentence(
    file: Path, database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    assert run("import", str(file)) == 0
    assert capsys.readouterr().out == f"Imported game {ID}: {len(GAME)} events.\n"
    assert run("import", str(file)) == 0
    bad = file.with_name("bad")
    bad.write_bytes(b"".join(lines(record_of(_tampered()))))
    capsys.readouterr()
    assert run("import", str(bad)) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"Error: {bad} was not imported: event ")
    assert said.count("\n") == 1


async def test_a_game_by_post_goes_the_same_way(database: str) -> None:
    """Its rounds ended by deadline, and its sheets were sealed for a while."""
    events = load(next(file for file in FILES if file.stem == "by-post-deadline"))
    await bring_in(record_of(events), database)
    async with PostgresLog.open(database) as log:
        game = await log.game(events[0].game_id)
    assert (game.ruleset, game.status, game.deadline) == ("postal", "finished", None)
    assert (await record_in(address_of(database))).events == events


@pytest.mark.parametrize("ruleset", CURRENT)
async def test_a_game_of_every_rule_set_goes_the_same_way(ruleset: str, database: str) -> None:
    events = recorded_games(ruleset, 1)[0]
    await bring_in(record_of(events), database)
    async with PostgresLog.open(database) as log:
        game = await log.game(events[0].game_id)
    assert (game.ruleset, game.status) == (ruleset, "finished")
    assert (await record_in(address_of(database))).events == events


async def test_a_game_of_four_with_entropy_goes_the_same_way(database: str) -> None:
    events = random_game(4, 11)
    await bring_in(record_of(events), database)
    assert (await record_in(address_of(database))).events == events


@pytest.mark.parametrize("wanted", ["html", "hledger", "beancount", "csv"])
@pytest.mark.parametrize(
    ("index", "changes", "said"),
    [
        (40, {"data": b'{"type":"Nothing"}'}, "Cannot show event 41: "),
        (40, {"rule": "no/such"}, "Event 41 names an unknown rule: no/such."),
        (0, {"data": b"{}"}, "Cannot show the game: "),
    ],
)
def test_a_game_that_cannot_be_told_is_refused_with_the_event(
    wanted: str, index: int, changes: dict[str, Any], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = rehashed([*GAME[:index], GAME[index]._replace(**changes), *GAME[index + 1 : 60]])
    game = tmp_path / "game"
    heading = replace(record_of(GAME[:60]).file, hash=events[-1].hash.hex())
    game.write_bytes(b"".join(lines(GameRecord(heading, events))))
    for output in ("-", str(tmp_path / "out")):
        assert run("export", str(game), "--format", wanted, "--output", output) == 1
        told = capsys.readouterr()
        assert f"Error: {said}" in told.err
        assert told.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["game"]

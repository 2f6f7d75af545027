"""``mcmulti import`` of a whole installation: what continues in the other one, and what is refused."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from mcmulti.cli.proof import merging
from mcmulti.cli.proof.importing import ImportRefused
from mcmulti.cli.proof.merging import Merged, merge
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.projections.proof.proof import verify
from tests.api.owner import Owner
from tests.api.rated_games import begun, come, lost
from tests.api.stream_server import served
from tests.cli.backing_up import hold
from tests.cli.proving import GAME, address_of, run
from tests.conftest import new_database

DEED = {"type": "EndPurchases"}


@pytest.fixture
def other(postgres: EmbeddedPostgres, migrated: str) -> Iterator[str]:
    """The database of another installation."""
    with new_database(postgres, migrated) as name:
        yield postgres.url(database=name)


def stop(*databases: str) -> None:
    """Let their servers have stopped an hour ago."""
    for database in databases:
        Owner(database).do("UPDATE heartbeat SET at = now() - interval '1 hour'")


def players(database: str) -> list[str]:
    """The names of all players."""
    with psycopg.connect(database) as owner:
        return [name for (name,) in owner.execute("SELECT name FROM player ORDER BY name").fetchall()]


async def test_games_go_on_in_the_other_installation(database: str, other: str) -> None:
    """Players keep their tokens and their remaining time, and can repeat a request there."""
    key = {"Idempotency-Key": "the-last-one"}
    async with served(other) as (_, there):
        ann, ben = await come(there, "Ann", "Ben")
        over, game = await lost(ann, ben), await begun(ann, ben)
        path, body = f"/v1/games/{game}/commands", {"commands": [DEED]}
        answered = await ann.post(path, json=body, headers={**key})
        assert answered.status_code == 200
        events = (await ben.get(f"/v1/games/{game}/events")).json()["events"]
        rated = (await ben.get(f"/v1/games/{over}/rating")).json()
    async with served(database) as (_, here):
        (cid,) = await come(here, "Cid")
    stop(database, other)
    Owner(other).do(
        "UPDATE game SET deadline_at = (SELECT at FROM heartbeat) + interval '7 minutes' WHERE status = 'running'"
    )

    assert await merge(other, database, {}) == Merged(2, 2, 1, 0)
    assert await merge(other, database, {}) == Merged(0, 0, 0, 2)
    async with served(database) as (_, here):
        for guest in (ann, ben, cid):
            guest.client = here.client
        assert (await cid.get(f"/v1/games/{game}/events")).json()["events"] == events
        repeated = await ann.post(path, json=body, headers={**key})
        first, again = answered.json(), repeated.json()
        assert {name for name in first if first[name] != again.get(name)} <= {"table"}  # presence, and its expiry
        sent = await ben.send(game, DEED)
        assert sent.status_code == 200, sent.text
        assert (await cid.get(f"/v1/games/{over}/rating")).json() == rated
        assert verify(await here.log.read(UUID(game))).fault is None
        taken = await here.client.post("/v1/players", json={"name": "Ann"})
        assert taken.json()["code"] == "name_taken"
    stop(database)
    assert await merge(other, database, {}) == Merged(0, 0, 0, 2)


async def test_who_is_asked_has_the_time_that_was_left(database: str, other: str) -> None:
    async with served(other) as (_, there):
        game = await begun(*await come(there, "Ann", "Ben"))
    stop(database, other)
    Owner(other).do("UPDATE game SET deadline_at = (SELECT at FROM heartbeat) + interval '7 minutes'")
    await merge(other, database, {})
    async with served(database) as (_, here):
        await here.log.keep_time()
        now, left = await here.log.now(), (await here.log.game(UUID(game))).deadline
        assert left is not None
        assert timedelta(minutes=4) < left - now <= timedelta(minutes=7, seconds=1)


async def test_players_whose_names_are_taken_get_others(database: str, other: str) -> None:
    async with served(other) as (_, there):
        ann, ben = await come(there, "Ann", "Ben")
        game = await begun(ann, ben)
    async with served(database) as (_, here):
        await come(here, "ann", "Cid")
    stop(database, other)
    for names, why in (
        ({}, "these names are taken, or look too much like others: Ann. Use --rename OLD=NEW."),
        ({"Ann": "Cid"}, "too much like others: Cid"),
        ({"Ann": "Ben"}, "these names look too much alike: Ben, Ben"),
        ({"Ann": "Seat 2"}, "the name 'Seat 2' is reserved"),
        ({"Ann": "A\u0000"}, "cannot be the name of a player"),
        ({"Zoe": "Zora"}, "there is no player 'Zoe' to rename"),
    ):
        with pytest.raises(ImportRefused, match=why):
            await merge(other, database, names)
        assert players(database) == ["Cid", "ann"]
    assert await merge(other, database, {"Ann": "Ann of Kiel"}) == Merged(2, 1, 1, 0)
    assert await merge(other, database, {"Ann": "Ann of Kiel"}) == Merged(0, 0, 0, 1)
    async with served(database) as (_, here):
        ann.client = here.client
        assert (await ann.get("/v1/players/me")).json()["name"] == "Ann of Kiel"
        assert (await ann.send(game, DEED)).status_code == 200


async def test_nothing_is_imported_while_a_server_runs(database: str, other: str) -> None:
    async with served(other) as (_, there):
        await come(there, "Ann")
        with pytest.raises(ImportRefused, match=r"a server is running on the installation to import\. Stop it first"):
            await merge(other, database, {})
        stop(database)
        with pytest.raises(ImportRefused, match="a server is running on the one to import into"):
            await merge(database, other, {})
    assert players(database) == []


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE secret SET seed = sha256(seed)", "its seed does not match the commitment in its first event"),
        ("DELETE FROM secret", "its seed is missing"),
        ("DELETE FROM event WHERE seq = 7", "event 7 is missing"),
        ("DELETE FROM event WHERE seq = (SELECT head_seq FROM game)", "is missing: the command of event"),
        ("DELETE FROM event", "event 1 is missing"),
    ],
)
async def test_nothing_is_imported_if_a_game_is_damaged(damage: str, why: str, database: str, other: str) -> None:
    await hold(other, GAME)
    stop(database, other)
    Owner(other).do("INSERT INTO player (id, name, kind) VALUES (gen_random_uuid(), 'Ann', 'human')", damage)
    with pytest.raises(ImportRefused, match=why):
        await merge(other, database, {})
    assert players(database) == []


async def test_a_game_that_went_on_in_both_is_refused(database: str, other: str) -> None:
    await hold(other, GAME)
    await hold(database, GAME)
    stop(database, other)
    Owner(database).take_back(str(GAME[0].game_id), 300)
    with pytest.raises(ImportRefused, match=f"a different game {GAME[0].game_id} already exists, at event 300"):
        await merge(other, database, {})


async def test_an_import_that_was_interrupted_is_finished_by_the_next(
    database: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(other) as (_, there):
        ann, ben = await come(there, "Ann", "Ben")
        games = [await begun(ann, ben) for _ in range(2)]
    stop(database, other)
    bring, brought = merging._bring, list[Any]()

    async def once(*arguments: Any) -> None:
        if brought:
            raise KeyboardInterrupt
        brought.append(arguments)
        await bring(*arguments)

    with monkeypatch.context() as interrupted:
        interrupted.setattr(merging, "_bring", once)
        with pytest.raises(KeyboardInterrupt):
            await merge(other, database, {})
    assert await merge(other, database, {}) == Merged(0, 1, 1, 1)
    async with served(database) as (_, here):
        ann.client = here.client
        for game in games:
            assert (await ann.send(game, DEED)).status_code == 200


def test_the_command_says_what_it_did(database: str, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    stop(database, other)
    assert run("import", address_of(other), "--database-url", address_of(database)) == 0
    assert capsys.readouterr().out == "Imported 0 players and 0 games, 0 of them unfinished.\n"
    assert run("import", address_of(other), "--database-url", address_of(database), "--rename", "Ann=Zoe") == 1
    assert "the database was not imported: there is no player 'Ann' to rename." in capsys.readouterr().err
    for wrong in ("Ann", "=Zoe", "Ann="):
        assert run("import", address_of(other), "--rename", wrong) == 2
        assert "is not OLD=NEW" in capsys.readouterr().err


def test_a_folder_without_games_is_refused(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("import", str(tmp_path), "--folder", str(tmp_path / "here")) == 1
    assert "was not imported: there are no games in" in capsys.readouterr().err
    assert run("import", str(tmp_path / "nowhere"), "--folder", str(tmp_path / "here")) == 2
    assert not (tmp_path / "here").exists()

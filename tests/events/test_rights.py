"""The role of servers and its rights: missing in restored backups, and repaired."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.migrate import migrate
from mcmulti.events.postgres.rights import SERVER_ROLE, MigrationError
from tests.events.backups import dump, restore
from tests.events.log_contract import next_events, open_game
from tests.events.logins import FORBIDDEN, login, play, refused, run

ROLE = f"create role {SERVER_ROLE}"
ALL = (
    "announcement, assessment, chat, chat_flag, chat_message, checked, digest_key, event, game, heartbeat, ladder, "
    "last_announcement, mail_count, migration, notice, player, preference, probe, question, receipt, review, "
    "review_job, seat, secret, signing_key, snapshot, tenure, token, visitor, webhook"
)
GRANTED = f"grant {SERVER_ROLE} its rights on " + ", ".join(f'"{table}"' for table in ALL.split(", "))
READABLE = "let everybody read what was applied"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """The connection string of a PostgreSQL that never had a server of ours."""
    with EmbeddedPostgres(tmp_path / "pg") as server:
        yield server.url()


async def test_a_backup_is_as_good_in_a_new_cluster(database: str, cluster: str, tmp_path: Path) -> None:
    """Roles belong to a cluster: the backup has neither the role nor, restored without errors, any grant to it."""
    async with PostgresLog.open(database, pool_size=1) as log:
        game_id = await open_game(log)
        backed_up = await log.read(game_id)
    dump(database, tmp_path / "games.dump")
    restore(tmp_path / "games.dump", cluster, "--no-owner", "--no-privileges", "--exit-on-error")

    assert await migrate(cluster) == [ROLE, GRANTED, READABLE]
    assert await migrate(cluster) == []

    async with PostgresLog.open(cluster, pool_size=1) as log:
        assert await log.read(game_id) == backed_up
        head = (await log.game(game_id)).head
        await log.append(game_id, head, await next_events(log, game_id), TableRow("running"))
    await play(cluster)
    for statement in FORBIDDEN:
        refused(cluster, statement)


async def test_a_restore_that_stumbled_over_the_missing_role_is_put_right(
    database: str, cluster: str, tmp_path: Path
) -> None:
    dump(database, tmp_path / "games.dump")
    restore(tmp_path / "games.dump", cluster, code=1)

    assert await migrate(cluster) == [ROLE, GRANTED, READABLE]
    await play(cluster)


async def test_a_backup_in_the_same_cluster_lacks_grants_only(
    database: str, empty_database: str, tmp_path: Path
) -> None:
    dump(database, tmp_path / "games.dump", "--no-privileges", "--no-owner")
    restore(tmp_path / "games.dump", empty_database)

    assert await migrate(empty_database) == [GRANTED, READABLE]
    await play(empty_database)


async def test_several_servers_may_put_right_at_once(database: str) -> None:
    run(database, f"REVOKE ALL ON event, game FROM {SERVER_ROLE}")

    done = await asyncio.gather(*(migrate(database) for _ in range(5)))

    assert sorted(done) == [[]] * 4 + [[f'grant {SERVER_ROLE} its rights on "event", "game"']]
    await play(database)


@pytest.mark.parametrize(
    ("grant", "done", "statement"),
    [
        ("UPDATE ON event TO {}", 'revoke UPDATE on "event" from {}', "UPDATE event SET data = '{{}}'"),
        ("UPDATE (data) ON event TO {}", 'revoke UPDATE on "event" from {}', "UPDATE event SET data = '{{}}'"),
        ("DELETE ON event TO PUBLIC", 'revoke DELETE on "event" from {}', "DELETE FROM event"),
        ("TRUNCATE ON secret TO {}", 'revoke TRUNCATE on "secret" from {}', "TRUNCATE secret"),
        ("UPDATE ON game TO {}", 'revoke UPDATE on "game" from {}', "UPDATE game SET ruleset = 'x'"),
    ],
)
async def test_rights_that_are_too_much_are_taken(database: str, grant: str, done: str, statement: str) -> None:
    run(database, f"GRANT {grant.format(SERVER_ROLE)}")

    assert await migrate(database) == [done.format(SERVER_ROLE)]

    refused(database, statement.format())
    await play(database)


async def test_a_schema_that_is_closed_to_the_role_is_opened(database: str) -> None:
    run(database, "REVOKE USAGE ON SCHEMA public FROM PUBLIC")

    assert await migrate(database) == [f'grant {SERVER_ROLE} its rights on SCHEMA "public"']
    await play(database)


async def test_a_login_that_owns_nothing_is_told_who_may_put_right(database: str) -> None:
    run(database, f"REVOKE INSERT ON event FROM {SERVER_ROLE}; GRANT DELETE ON event TO {SERVER_ROLE}")
    with login(database, f"IN ROLE {SERVER_ROLE}") as restricted:
        with pytest.raises(MigrationError) as refusal:
            await migrate(restricted)
        assert str(refusal.value) == (
            f'this must be done: revoke DELETE on "event" from {SERVER_ROLE}; grant {SERVER_ROLE} its rights on '
            '"event"; let the owner of the tables run mcmulti migrate'
        )
        await migrate(database)

        assert await migrate(restricted) == []
        await play(restricted)


async def test_a_login_that_cannot_see_what_was_applied_is_told_who_may_put_right(database: str) -> None:
    run(database, "REVOKE SELECT ON migration FROM PUBLIC")
    with login(database) as restricted, pytest.raises(MigrationError, match="let the owner of the tables run mcmulti"):
        await migrate(restricted)

    assert await migrate(database) == [READABLE]


async def test_an_owner_that_may_not_create_roles_restores_with_an_administrator(
    database: str, cluster: str, tmp_path: Path
) -> None:
    dump(database, tmp_path / "games.dump")
    with login(cluster) as owner:
        run(cluster, f'GRANT CREATE ON SCHEMA public TO "{psycopg.conninfo.conninfo_to_dict(owner)["user"]}"')
        restore(tmp_path / "games.dump", owner, "--no-owner", "--no-privileges", "--exit-on-error")
        with pytest.raises(MigrationError) as refusal:
            await migrate(owner)
        statements, _, then = str(refusal.value).partition("administrator run: ")[2].rpartition(";")
        assert statements.startswith(f"CREATE ROLE {SERVER_ROLE} NOLOGIN; GRANT {SERVER_ROLE} TO ")
        assert then == " Then let the owner of the tables run mcmulti migrate"
        run(cluster, statements)

        assert await migrate(owner) == [GRANTED, READABLE]
        await play(owner)


@pytest.mark.parametrize(
    ("too_much", "reason"),
    [
        ("ALTER ROLE {} SUPERUSER", "or a superuser"),
        ("GRANT mcmulti TO {}", "a member of its owner"),
        ("GRANT pg_write_all_data TO {}", "the grants of mcmulti do not reach so far"),
        ("ALTER TABLE event OWNER TO {}", "it owns the table event"),
    ],
)
async def test_a_role_that_could_change_events_all_the_same_is_refused(
    too_much: str, reason: str, cluster: str
) -> None:
    await migrate(cluster)
    run(cluster, too_much.format(SERVER_ROLE))

    with pytest.raises(MigrationError, match=reason):
        await migrate(cluster)

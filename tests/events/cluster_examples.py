"""What a cluster accepts and refuses: statements with the reasons of Citus, and how to ask a database."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

import psycopg

from tests.events.cluster_sql import PRINT, Catalog, printed

PARAMETERS = {
    "game": UUID(int=1),
    "hash": bytes(32),
    "moment": datetime(2024, 2, 29, 12, tzinfo=UTC),
    "time": timedelta(hours=1),
    "status": "finished",
}


class Example(NamedTuple):
    """A statement, and why a cluster refuses it, by our rules and in the cluster's own words.

    None means that it does not.
    """

    statement: str
    refusals: tuple[str, ...] = ()
    said: str | None = None


_IN_CONDITION = "non-IMMUTABLE functions are not allowed in CASE or COALESCE statements"
_OF_COLUMN = "STABLE functions used in UPDATE queries cannot be called with column references"
_VOLATILE = "functions used in UPDATE queries on distributed tables must not be VOLATILE"

_TENURE = """
    INSERT INTO tenure (game_id, player_id, ruleset, began_at, substitute, against, missed, resigned, vacated)
    VALUES (%(game)s, %(game)s, 'mcmulti', now(), true, '{}', 0, 0, 0)
"""

EXAMPLES = [
    # Former statements of mcmulti. With them, nobody could take a seat on a cluster, or no deadline was kept.
    Example(
        """
        UPDATE game SET status = %(status)s,
            ended_at = CASE WHEN %(status)s = 'finished' THEN coalesce(ended_at, now()) END WHERE id = %(game)s
        """,
        ("game: ended_at: not IMMUTABLE, in CASE: now()",),
        _IN_CONDITION,
    ),
    Example(
        "UPDATE game SET deadline_at = deadline_at + %(time)s WHERE deadline_at > %(moment)s",
        ("game: deadline_at: STABLE, of a column: timestamptz_pl_interval(timestamp with time zone,interval)",),
        _OF_COLUMN,
    ),
    Example(
        "INSERT INTO signing_key (seed) VALUES (%(hash)s) ON CONFLICT DO NOTHING",
        ("signing_key: ON CONFLICT: the role of servers may not take the lock",),
        "permission denied for table signing_key",
    ),
    Example(
        "SELECT pg_advisory_xact_lock(hashtextextended(%(status)s, 0))",
        ("a lock that other nodes do not know: pg_advisory_xact_lock(bigint)",),
        None,  # it is accepted, but does not lock other nodes out
    ),
    # Other statements that are refused.
    Example(
        "UPDATE token SET revoked_at = coalesce(revoked_at, now()) WHERE player_id = %(game)s",
        ("token: revoked_at: not IMMUTABLE, in COALESCE: now()",),
        _IN_CONDITION,
    ),
    Example(
        "UPDATE token SET revoked_at = coalesce(revoked_at, CURRENT_TIMESTAMP) WHERE player_id = %(game)s",
        ("token: revoked_at: not IMMUTABLE, in COALESCE: a keyword such as CURRENT_TIMESTAMP",),
        _IN_CONDITION,
    ),
    Example(
        "UPDATE token SET used_at = clock_timestamp() WHERE id = %(game)s",
        ("token: used_at: VOLATILE: clock_timestamp()",),
        _VOLATILE,
    ),
    Example(
        "UPDATE game SET ended_by = deadline_at::text WHERE id = %(game)s",
        ("game: ended_by: STABLE, of a column: timestamptz_out(timestamp with time zone)",),
        _OF_COLUMN,
    ),
    Example(
        "UPDATE game SET status = status WHERE id = %(game)s AND deadline_at + %(time)s > %(moment)s",
        ("game: WHERE: STABLE, of a column: timestamptz_pl_interval(timestamp with time zone,interval)",),
        _OF_COLUMN,
    ),
    Example(
        "DELETE FROM snapshot WHERE seq > random()",
        ("snapshot: WHERE: VOLATILE: random()",),
        "functions used in the WHERE/ON/WHEN clause of modification queries on distributed tables must not be VOLATILE",
    ),
    Example(
        "UPDATE game SET deadline_at = now() WHERE id = %(game)s RETURNING now()",
        ("game: RETURNING: not IMMUTABLE: now()",),
        "non-IMMUTABLE functions are not allowed in the RETURNING clause",
    ),
    Example(
        f"{_TENURE} ON CONFLICT (game_id, player_id) DO UPDATE SET missed = extract(minute FROM now())::integer",
        (
            'tenure: ON CONFLICT: not IMMUTABLE: "extract"(text,timestamp with time zone)',
            "tenure: ON CONFLICT: not IMMUTABLE: now()",
        ),
        "functions used in the DO UPDATE SET clause of INSERTs on distributed tables must be marked IMMUTABLE",
    ),
    Example(
        "SELECT id FROM game WHERE status = 'open' FOR UPDATE",
        ("game: FOR UPDATE of several games",),
        "could not run distributed query with FOR UPDATE/SHARE commands",
    ),
    Example(
        "SELECT id FROM game WHERE id = ANY (ARRAY[%(game)s, '00000000-0000-0000-0000-000000000002']) FOR UPDATE",
        ("game: FOR UPDATE of several games",),
        "could not run distributed query with FOR UPDATE/SHARE commands",
    ),
    # Statements that are accepted, although they look like refused ones.
    Example(
        """
        UPDATE game SET ended_at = CASE WHEN %(status)s = 'finished' THEN coalesce(ended_at, clock.at) END
        FROM (SELECT now() AS at) AS clock WHERE id = %(game)s
        """
    ),
    Example(
        """
        UPDATE game SET deadline_at = (deadline_at AT TIME ZONE 'UTC' + %(time)s) AT TIME ZONE 'UTC'
        WHERE deadline_at > %(moment)s
        """
    ),
    Example("UPDATE game SET deadline_at = now() WHERE id = %(game)s"),
    Example("UPDATE game SET status = status WHERE id = %(game)s AND created_at > now() - %(time)s"),
    Example("DELETE FROM tenure WHERE began_at < now() - %(time)s"),
    Example("SELECT coalesce(ended_at, now()) + %(time)s FROM game WHERE id = %(game)s"),
    Example("SELECT id FROM game WHERE status = 'open' AND %(game)s = id FOR UPDATE"),
    Example("SELECT FROM player WHERE id = %(game)s FOR NO KEY UPDATE"),
    Example(f"{_TENURE} ON CONFLICT (game_id, player_id) DO UPDATE SET missed = excluded.missed"),
    Example(f"{_TENURE} ON CONFLICT DO NOTHING"),
]
"""Run a statement in the role of servers, with `PARAMETERS`."""


def judged(database: str, statement: str, parameters: Mapping[str, object] | None = None, *, role: str) -> list[str]:
    """The findings about a statement that runs on one PostgreSQL."""
    understood: list[str | None] = []
    with psycopg.connect(database) as connection:
        connection.execute(f"SET ROLE {role}")
        connection.execute(PRINT)
        connection.add_notice_handler(lambda notice: understood.append(printed(notice)))
        connection.execute(statement.encode(), parameters)
    catalog = Catalog.of(database)
    return [refusal for one in understood if one is not None for refusal in catalog.refusals(one)]

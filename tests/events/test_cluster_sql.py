"""The rules for SQL on a cluster, applied to statements that it accepts and to those that it refuses.

`test_real_citus.py` lets a cluster judge the same statements, and `test_spread_log.py` applies the rules to every
statement that the log sends.
"""

import psycopg
import pytest

from mcmulti.events.embedded.watchdog import OWNER
from mcmulti.events.postgres.rights import SERVER_ROLE
from tests.events.cluster_examples import EXAMPLES, PARAMETERS, Example, judged


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: " ".join(example.statement.split())[:60])
def test_it_is_told_what_a_cluster_takes(example: Example, database: str) -> None:
    assert judged(database, example.statement, PARAMETERS, role=SERVER_ROLE) == [*example.refusals]


def test_statements_inside_functions_are_judged_too(database: str) -> None:
    statement = "DO $$ BEGIN UPDATE game SET deadline_at = deadline_at + interval '1 day'; END $$"
    assert judged(database, statement, role=OWNER) == [
        "game: deadline_at: STABLE, of a column: timestamptz_pl_interval(timestamp with time zone,interval)"
    ]


def test_several_commands_at_a_time_are_refused_by_postgresql_itself(database: str) -> None:
    """With parameters, or as a prepared statement."""
    with psycopg.connect(database) as connection, pytest.raises(psycopg.errors.SyntaxError, match="multiple commands"):
        connection.execute("SELECT %s::integer; SELECT 2", (1,))

"""The guides for operators tell owners of databases the right commands and settings."""

import re
from uuid import uuid4

import psycopg
import pytest

from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.embedded.watchdog import OWNER
from tests.docs.manual import page
from tests.events.cluster_examples import judged

GUIDE = page("how-to/choose-a-database", "how-to/back-up-and-restore", "explanation/deadlines")


def blocks(language: str) -> list[str]:
    """The code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("statement", blocks("sql"), ids=lambda statement: " ".join(statement.split()[:3]))
async def test_its_statements_run(statement: str, database: str) -> None:
    with psycopg.connect(database) as owner:
        owner.execute(statement.replace("…", str(uuid4())).encode())


@pytest.mark.parametrize("statement", blocks("sql"), ids=lambda statement: " ".join(statement.split()[:3]))
def test_its_statements_run_on_a_cluster_too(statement: str, database: str) -> None:
    """Commands are sent one by one, as psql does."""
    for command in statement.replace("…", str(uuid4())).split(";")[:-1]:
        assert judged(database, command, role=OWNER) == []


def test_its_settings_are_settings_of_postgres(postgres: EmbeddedPostgres) -> None:
    """No setting takes effect yet: the server must read them first."""
    (block,) = blocks("ini")
    settings = dict(line.split(" = ") for line in block.splitlines())
    assert len(settings) > 5
    with psycopg.connect(postgres.url(), autocommit=True) as owner:
        try:
            for name, value in settings.items():
                owner.execute(f"ALTER SYSTEM SET {name} = '{value}'".encode())
        finally:
            owner.execute("ALTER SYSTEM RESET ALL")

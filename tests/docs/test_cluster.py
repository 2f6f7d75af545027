"""The guide to clusters, followed from empty databases on the nodes of a real cluster, and back to one PostgreSQL."""

import asyncio
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from mcmulti.events.cluster.spread import SpreadLog, open_log
from mcmulti.events.embedded.server import EmbeddedPostgres, binaries
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.rights import SERVER_ROLE
from tests.cli.proving import address_of
from tests.docs.manual import page
from tests.docs.transcript import as_printed, commands, run
from tests.events.log_contract import open_game
from tests.needs import found
from tests.slow.cluster.nodes import Cluster, databases_of

GUIDE = page("how-to/run-on-a-cluster")
_BLOCK = re.compile(r"^ *<!-- on (?P<where>[^>]*) -->\n *```sql\n(?P<statements>.*?)^ *```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """Statements of the guide: where they run, and after which part of the guide."""

    where: str
    statements: list[str]
    at: int


def blocks() -> list[Block]:
    """In their order."""
    return [
        Block(match["where"], [part.strip() for part in match["statements"].split(";")[:-1]], match.start())
        for match in _BLOCK.finditer(GUIDE)
    ]


def test_every_block_says_where_it_is_run() -> None:
    found_blocks = blocks()
    assert len(found_blocks) == GUIDE.count("```sql") >= 10
    assert {block.where for block in found_blocks} == {
        "every node",
        "every node, in postgres",
        "the coordinator",
    }


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """The nodes, without any database of ours."""
    with databases_of(found("CITUS_URL")) as cluster:
        yield cluster


class Reader:
    """Follows the guide, with the addresses and names of this cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.login = f"login_{uuid4().hex[:12]}"
        self.environment = {
            **os.environ,
            "OWNER_URL": address_of(cluster.url(0)),
            "PATH": f"{Path(sys.executable).parent}:{binaries()}:{os.environ['PATH']}",
        }

    def run(self, block: Block) -> None:
        """Run a block where the guide says to."""
        database = "postgres" if block.where.endswith("postgres") else None
        every = range(len(self.cluster.nodes)) if block.where.startswith("every node") else (0,)
        for node in every:
            self.cluster.sql(node, *map(self._here, block.statements), database=database)

    def possible(self, block: Block) -> bool:
        """Whether there are enough nodes."""
        last = max([int(number) for one in block.statements for number in re.findall(r"10\.0\.0\.(\d)", one)] or [1])
        return last <= len(self.cluster.nodes)

    def _here(self, statement: str) -> str:
        for number, (host, port) in enumerate(self.cluster.nodes, start=1):
            statement = statement.replace(f"'10.0.0.{number}', 5432", f"'{host}', {port}")
        statement = re.sub(r"\bDATABASE games\b", f"DATABASE {self.cluster.name}", statement)
        return statement.replace("mcmulti_login", self.login).replace("…", str(uuid4()))


@pytest.mark.needs("CITUS_URL")
@pytest.mark.timeout(600)
async def test_who_follows_the_guide_has_a_cluster(
    cluster: Cluster, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    reader = Reader(cluster)
    transcript, at = commands(re.sub("^   ", "", GUIDE, flags=re.MULTILINE)), GUIDE.index("```console")
    try:
        before = [block for block in blocks() if block.at < at]
        for block in before:
            await asyncio.to_thread(reader.run, block)
        printed = await asyncio.to_thread(run, transcript, tmp_path, reader.environment)
        for command, output in zip(transcript, printed, strict=True):
            assert as_printed(command.prints, output), output
        for block in blocks()[len(before) :]:
            if reader.possible(block):
                await asyncio.to_thread(reader.run, block)
        login = make_conninfo(cluster.url(1), user=reader.login, password="a long secret")
        async with open_log(login, pool_size=2) as log:
            assert isinstance(log, SpreadLog)
            games = [await open_game(log) for _ in range(8)]
        await _back_to_one_postgresql(reader, postgres, tmp_path, games)
    finally:
        await asyncio.to_thread(cluster.sql, 0, f"DROP ROLE IF EXISTS {reader.login}")


async def _back_to_one_postgresql(
    reader: Reader, postgres: EmbeddedPostgres, folder: Path, games: Sequence[UUID]
) -> None:
    name = f"back_{uuid4().hex[:12]}"
    (script,) = [
        block for block in re.findall(r"^```sh\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE) if "pg_dump" in block
    ]
    script = re.sub(r"\bgames$", name, script, flags=re.MULTILINE)
    reader.environment |= {"NEW_POSTGRESQL": postgres.url(), "NEW_URL": address_of(postgres.url(database=name))}
    try:
        done = await asyncio.create_subprocess_exec(
            "bash", "-euc", script, cwd=folder, env=reader.environment, stderr=asyncio.subprocess.PIPE
        )
        _, said = await done.communicate()
        assert done.returncode == 0, said.decode()
        async with open_log(postgres.url(database=name), pool_size=2) as log:
            assert type(log) is PostgresLog
            assert {game.game_id for game in await log.games(100)} == set(games)
            assert await log.keep_time() is not None
    finally:
        with psycopg.connect(postgres.url(), autocommit=True) as owner:
            owner.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
            with suppress(psycopg.errors.UndefinedObject):
                owner.execute(f"ALTER ROLE {SERVER_ROLE} NOLOGIN")

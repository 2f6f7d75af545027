"""A folder as an installation with an older PostgreSQL left it."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.embedded.watchdog import HOLDERS, PGDATA
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.migrate import migrate
from tests.events.other_postgres import account
from tests.golden.games import FILES, load

GAMES = tuple(load(next(file for file in FILES if file.stem == name)) for name in ("two-players", "four-players"))
ADA = Player(UUID(int=7), "Ada")


TOKEN, TOKEN_HASH = first_token(datetime(2024, 2, 29, tzinfo=UTC)), bytes(range(32))


async def old_folder(folder: Path, programs: Path) -> None:
    """Let programs of an older version make a folder, with two games, a player, and a key."""
    _initialized(folder, programs)
    with EmbeddedPostgres(folder, programs) as postgres:
        await migrate(postgres.url())
        async with PostgresLog.open(postgres.url(), pool_size=2) as log:
            for events in GAMES:
                await log.create(
                    events[0].game_id, RULESET.name, RULESET.version, TableRow("finished"), bytes(32), events
                )
            await log.add_player(ADA, TOKEN, TOKEN_HASH)
            await log.signer(b"k" * 32)


def _initialized(folder: Path, programs: Path) -> None:
    (folder / PGDATA).mkdir(parents=True, mode=0o700)
    (folder / HOLDERS).touch()
    owner = account()
    if owner:
        os.chown(folder / PGDATA, owner["user"], owner["group"])
    options = ("--username=mcmulti", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--data-checksums")
    here: dict[str, Any] = {"cwd": folder / PGDATA, "env": {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, **owner}
    subprocess.run([programs / "initdb", *options, "-D", "/proc/self/cwd"], check=True, capture_output=True, **here)

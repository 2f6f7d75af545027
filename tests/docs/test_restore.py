"""The guide to backups backs a database up, and restores it into an empty PostgreSQL."""

import asyncio
import os
import re
import sys
from pathlib import Path

import httpx

from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.embedded.server import EmbeddedPostgres, binaries
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.standing import retraced, tenures
from tests.cli.command import running
from tests.cli.proving import address_of
from tests.docs.backups import of_backups
from tests.docs.manual import page
from tests.docs.transcript import as_printed, commands, run
from tests.golden.games import FILES, load, seed_of

GUIDE = page("how-to/back-up-and-restore")


async def test_a_backup_is_restored_and_served_as_printed(database: str, tmp_path: Path) -> None:
    over, whole = (load(next(file for file in FILES if file.stem == name)) for name in ("two-players", "long-game"))
    going_on = whole[: next(seq for seq in range(300, len(whole)) if whole[seq].command is not None)]
    async with PostgresLog.open(database, pool_size=1) as log:
        for events, seed in ((over, seed_of(over)), (going_on, seed_of(whole))):
            stands, played = retraced(RULESET, events), tenures(RULESET, events)
            game_id = events[0].game_id
            await log.create(game_id, RULESET.name, RULESET.version, stands, seed, events, tenures=played)
    with EmbeddedPostgres(tmp_path / "new") as server:
        await asyncio.to_thread(_restored_and_served, database, server, tmp_path)
        async with PostgresLog.open(server.url(database="games"), pool_size=1) as log:
            assert await log.read(over[0].game_id) == over
            assert await log.read(going_on[0].game_id) == going_on


def _restored_and_served(database: str, server: EmbeddedPostgres, folder: Path) -> None:
    new_url = address_of(server.url(database="games"))
    environment = {
        **os.environ,
        "OWNER_URL": database,
        "NEW_POSTGRESQL": server.url(),
        "NEW_URL": new_url,
        "PATH": f"{Path(sys.executable).parent}:{binaries()}:{os.environ['PATH']}",
    }
    sections = [section for section in re.split("^(?=## )", GUIDE, flags=re.MULTILINE) if of_backups(section)]
    assert len(sections) == 2
    transcript = commands("".join(sections))
    assert len(transcript) == 6  # backup, drill, createdb, restore, doctor, verify
    for command, output in zip(transcript, run(transcript, folder, environment), strict=True):
        assert as_printed(command.prints, output), output
    (serve,) = re.findall(r"^mcmulti (serve .*)$", sections[1], re.MULTILINE)
    arguments = [argument.replace('"$NEW_URL"', new_url) for argument in serve.split()]
    with running(*arguments, "--port", "0", temporary=folder) as served:
        address = served.line("Serving at ")
        assert httpx.get(f"{address}/readyz", timeout=30).json()["status"] == "ok"
        assert len(httpx.get(f"{address}/v1/games").json()["games"]) == 2
        assert httpx.post(f"{address}/v1/players", json={"name": "Ada"}).status_code == 201

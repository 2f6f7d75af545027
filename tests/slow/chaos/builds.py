"""Servers that are replaced by those of a later build, one by one, and by those of this build again."""

import random
import shutil
import signal
from pathlib import Path

import httpx

import mcmulti
from mcmulti.events.postgres.migrate import COMPATIBLE, known_migrations
from tests.slow.chaos.stage import Server, Stage, until

VERSION = "99.0.0"
"""Of the later build."""
TESTS = Path(__file__).resolve().parents[3] / "tests"
COLUMN = f"{COMPATIBLE}\nALTER TABLE game ADD COLUMN later text;\n"


def later_build(folder: Path) -> Path:
    """A copy of this build with another version, one more migration, and another way to compute ratings."""
    if folder.exists():
        return folder
    package = Path(mcmulti.__file__).parent
    shutil.copytree(package, folder / "mcmulti")
    (folder / "tests").symlink_to(TESTS)
    metadata = folder / f"mcmulti-{VERSION}.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.1\nName: mcmulti\nVersion: {VERSION}\n")
    migrations = folder / "mcmulti" / "events" / "postgres" / "migrations"
    (migrations / f"{len(known_migrations()) + 1:04}_later.sql").write_text(COLUMN)
    with (folder / "mcmulti" / "projections" / "statistics" / "ratings.py").open("a") as ratings:
        ratings.write("# A later build.\n")
    return folder


async def upgrade_and_go_back(stage: Stage, dice: random.Random) -> None:
    """Each server is replaced while the other one serves, and commands are acknowledged with one of each."""
    folder = later_build(stage.folder.parent / "later")
    for build in (folder, None):
        for server in dice.sample(stage.servers, len(stage.servers)):
            if status := await server.end(signal.SIGTERM):
                stage.complain(f"{server.log.stem} was to end in order, and did so with status {status}")
            server.build = build
            await server.start()
            if ((version := await _version(server)) == VERSION) != (build is not None):
                stage.complain(f"{server.log.stem} is of version {version}")
            acknowledged = stage.history.number("ok")
            await until(lambda: stage.history.number("ok") > acknowledged)  # noqa: B023 - awaited here


async def _version(server: Server) -> str:
    async with httpx.AsyncClient(base_url=server.address, trust_env=False, timeout=30) as client:
        answered = await client.get("/", headers={"Accept": "application/json"})
        return str(answered.raise_for_status().json()["version"])


FAULTS = {"an upgrade under load, and back": upgrade_and_go_back}

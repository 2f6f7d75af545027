"""Programs in TypeScript on generated clients: they play whole games, every seat of them, and tell what they played."""

import asyncio
import json
import shutil
from pathlib import Path

from mcmulti.client.client import Client
from tests.needs import found
from tests.profiles import profile_of
from tests.slow.clients.conftest import GENERATED
from tests.slow.clients.tools import run, standings

HERE = Path(__file__).parent


def prepared(source: Path, here: Path) -> None:
    """Fill a folder with what npm installs for one generator, whose lock file lies in the source."""
    shutil.copytree(source, here, dirs_exist_ok=True, ignore=shutil.ignore_patterns("client", "*.ts", *GENERATED))
    run(found("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=here)


def copied(name: str, ruleset: str, prepared: Path, *more: str) -> Path:
    """A folder in there with the program that plays a rule set, without the client. A generator may have its own.

    `more`: files that only this generator has.
    """
    here = prepared / ruleset
    here.mkdir()
    for program in ("play.ts", "choices.ts", "player.ts", f"{ruleset}.ts", "tsconfig.json", *more):
        own = HERE.parent / name / program
        shutil.copy(own if own.exists() else HERE / program, here)
    return here


async def assert_played(server: str, ruleset: str, folder: Path) -> None:
    """A program plays a game to its end, reads all kinds of choices, and has all kinds of commands carried out."""
    program = folder / "build" / f"{ruleset}.js"
    told = json.loads(await asyncio.to_thread(run, found("node"), program, server, folder=folder))
    async with Client(server) as client:
        view = (await client.view(told["game"]))["view"]
    assert (view["ruleset"], view["status"]) == (ruleset, "finished")
    assert told["places"] == standings(view)
    profile = profile_of(ruleset)
    assert set(told["read"]) - {profile.seldom} == profile.read
    assert set(told["sent"]) >= profile.sent | {"StartGame"}

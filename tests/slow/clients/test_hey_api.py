"""The client that @hey-api/openapi-ts generates, and whole games on it."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from mcmulti.client.client import Client
from tests.docs.manual import page
from tests.needs import found
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.contracts import contract
from tests.slow.clients.generator import PLAYED
from tests.slow.clients.tools import once, run
from tests.slow.clients.typescript import assert_played, copied, prepared

FOLLOWING = """import type { EventItem, Heartbeat, StreamHead, TableMoved } from "./client/index.js";
import { items } from "./items.js";
%s
const [server, game, token] = process.argv.slice(2) as [string, string, string];
const told: string[] = [];
for await (const item of events(server, game, token)) if (told.push(`${item.seq} ${item.type}`) === 2) break;
console.log(JSON.stringify(told));
process.exit();
"""

pytestmark = pytest.mark.needs("node", "npm")


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the generator."""
    source = ROOT / "tests" / "slow" / "clients" / "hey_api"
    return once(tmp_path_factory, "hey_api", lambda folder: prepared(source, folder))


def generate(packages: Path, name: str, folder: Path) -> None:
    """Write the client of a contract into a folder."""
    options = ("--input", contract(name), "--output", folder / "client")
    run(found("npm"), "run", "generate", "--", *options, folder=packages)


@pytest.mark.parametrize("ruleset", PLAYED["hey_api"])
async def test_a_whole_game_is_played(packages: Path, server: str, ruleset: str) -> None:
    here = copied("hey_api", ruleset, packages)
    generate(packages, ruleset, here)
    run(found("npm"), "run", "build", "--", "--project", here, folder=packages)
    await assert_played(server, ruleset, here)


async def test_the_function_of_the_guide_reads_a_stream_with_types(packages: Path, server: str) -> None:
    """With the client of the whole contract."""
    here = packages / "whole"
    generate(packages, "openapi", here)
    guide = page("how-to/follow-games")
    (script,), (typed,) = (re.findall(rf"```{language}\n(.*?)```", guide, re.DOTALL) for language in ("js", "ts"))
    (here / "items.js").write_text(f"export {script}")
    (here / "follow.ts").write_text(FOLLOWING % typed)
    (here / "tsconfig.json").write_text(
        '{"extends": "../tsconfig.json", "compilerOptions": {"allowJs": true, "outDir": "build"}, "include": ["*.ts"]}'
    )
    run(found("npm"), "run", "build", "--", "--project", here, folder=packages)
    async with Client(server) as client:
        await client.register("Ada")
        game = (await client.open_game("mcmulti", seats=2))["game"]
        await client.take_seat(game)
        command = (found("node"), here / "build" / "follow.js", server, game, str(client.token))
        told = json.loads(await asyncio.to_thread(run, *command, folder=here))
    assert told == ["1 GameOpened", "2 SeatTaken"]

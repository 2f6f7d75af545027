"""The client that @hey-api/openapi-ts generates, and whole games on it."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from mcmulti.client.client import Client
from tests.clients.conftest import ROOT
from tests.clients.tools import run
from tests.clients.typescript import assert_played_by_post, assert_played_on_the_board, copied
from tests.needs import found

FOLLOWING = """import type { EventItem, Heartbeat, StreamHead } from "./client/index.js";
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
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what the compiler made of the programs and of the client."""
    here = copied("hey_api", tmp_path_factory.mktemp("hey_api"))
    run(found("npm"), "run", "generate", folder=here)
    run(found("npm"), "run", "build", folder=here)
    return here / "build"


async def test_two_players_play_a_whole_game_on_the_board(programs: Path, server: str) -> None:
    await assert_played_on_the_board(server, programs / "play.js")


async def test_four_players_play_a_whole_game_by_post(programs: Path, server: str) -> None:
    await assert_played_by_post(server, programs / "post.js")


async def test_the_function_of_the_guide_reads_a_stream_with_types(programs: Path, server: str) -> None:
    here = programs.parent
    guide = (ROOT / "docs" / "api.md").read_text("utf-8")
    (script,), (typed,) = (re.findall(rf"```{language}\n(.*?)```", guide, re.DOTALL) for language in ("js", "ts"))
    (here / "items.js").write_text(f"export {script}")
    (here / "follow.ts").write_text(FOLLOWING % typed)
    (here / "tsconfig.follow.json").write_text(
        '{"extends": "./tsconfig.json", "compilerOptions": {"allowJs": true}, "files": ["follow.ts"]}'
    )
    run(here / "node_modules" / ".bin" / "tsc", "--project", "tsconfig.follow.json", folder=here)
    async with Client(server) as client:
        await client.register("Ada")
        game = (await client.open_game(seats=2))["game"]
        await client.take_seat(game)
        command = (found("node"), here / "build" / "follow.js", server, game, str(client.token))
        told = json.loads(await asyncio.to_thread(run, *command, folder=here))
    assert told == ["1 GameOpened", "2 SeatTaken"]

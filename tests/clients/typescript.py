"""Programs in TypeScript on generated clients: they play whole games, every seat of them, and tell what they played."""

import asyncio
import json
import shutil
from pathlib import Path

from mcmulti.client.client import Client
from tests.clients.conftest import GENERATED, ROOT
from tests.clients.tools import run, standings
from tests.needs import found


def copied(name: str, root: Path) -> Path:
    """A folder with the programs of one generator and their packages, and the document where they look for it."""
    here = root / "tests" / "clients" / name
    shutil.copytree(ROOT / "tests" / "clients" / name, here, ignore=shutil.ignore_patterns("client", *GENERATED))
    (root / "openapi").mkdir()
    shutil.copy(ROOT / "openapi" / "openapi.json", root / "openapi")
    run(found("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=here)
    return here


async def assert_played(server: str, program: Path, choices: set[str], commands: set[str]) -> None:
    """A program plays a game to its end, reads these kinds of choices, and has at least these commands carried out."""
    told = json.loads(await asyncio.to_thread(run, found("node"), program, server, folder=program.parent))
    async with Client(server) as client:
        view = (await client.view(told["game"]))["view"]
    assert view["status"] == "finished"
    assert told["standings"] == standings(view)
    assert set(told["read"]) == choices
    assert set(told["sent"]) >= commands


async def assert_played_on_the_board(server: str, program: Path) -> None:
    """Play a whole game of the box with a program, and look whether it read and sent what there is."""
    commands = {"StartGame", "BuyAsset", "BuyBarrels", "EndPurchases", "RollDice", "EndProduction", "EndTurn"}
    await assert_played(server, program, {"TextChoice", "SiteChoice", "Range"}, commands)


async def assert_played_by_post(server: str, program: Path) -> None:
    """The same of a whole game by post."""
    commands = {"StartGame", "HoldRound", "SubmitOrders", "WithdrawOrders"}
    await assert_played(server, program, {"NumberChoice", "FlagChoice"}, commands)

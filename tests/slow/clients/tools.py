"""Running generators, compilers and the bots that are written on generated clients."""

import asyncio
import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from mcmulti.bots.seats.seat import Invitation, take_part
from mcmulti.client.client import Client
from mcmulti.server.database import opened_log
from mcmulti.server.process import answering, bound
from tests.release.artifacts import NPM_PACKAGE
from tests.slow.clients.contracts import contract

ROOT = Path(__file__).parents[3]
CLIENT = "mcmulti/web/static/client"
"""The modules that the npm package shares with the pages."""
PATIENCE = 1500
"""Seconds, long enough for a busy machine."""


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """Run a program to its end, and return what it printed; it must succeed."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


@asynccontextmanager
async def serving(database: str) -> AsyncIterator[str]:
    """The address of a server that runs for the block."""
    with bound("127.0.0.1", 0) as listener:
        async with opened_log(database) as log, answering(log, listener) as address:
            yield address


def prepare(author: Path, bot: str) -> Path:
    """Do what the examples' README tells authors to do before they run a bot; returns the bot's folder."""
    readme = (author / "examples" / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    (block,) = (block for block in blocks if block.startswith(f"cd examples/{bot}\n"))
    *commands, last = block.replace("\\\n", "").splitlines()
    assert "--game GAME" in last
    run("bash", "-euc", "\n".join(commands), folder=author)
    return author / "examples" / bot


def copy_package(folder: Path) -> Path:
    """Copy what the npm package is built from into a folder, laid out as in the checkout. Returns its own folder."""
    generated = shutil.ignore_patterns("node_modules", "dist", "contract.ts", "*.js", "LICENSE")
    shutil.copytree(ROOT / NPM_PACKAGE, folder / NPM_PACKAGE, ignore=generated)
    shutil.copytree(ROOT / CLIENT, folder / CLIENT)
    shutil.copy(contract("openapi"), folder / "openapi")
    shutil.copy(ROOT / "LICENSE", folder)
    return folder / NPM_PACKAGE


def install(requirements: Path, *options: str | Path) -> None:
    """Install locked packages."""
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "--requirement", requirements, *options, folder=requirements.parent)


def once(factory: pytest.TempPathFactory, name: str, fill: Callable[[Path], object]) -> Path:
    """A folder that the first worker of a session to come fills, and that all workers use."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"shared-{name}"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)  # what an interrupted worker left
            folder.mkdir()
            fill(folder)
            (folder / "ready").touch()
    return folder


async def assert_plays(server: str, *command: str | Path, folder: Path) -> None:
    """A bot opens a game for two, plays it to its end against the tycoon, and prints the standings."""
    bot = await asyncio.create_subprocess_exec(
        *command, server, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(PATIENCE):
            assert bot.stdout is not None
            opened = re.fullmatch(r"Plays game (\S+)\n", (await bot.stdout.readline()).decode())
            if opened:
                await take_part(server, Invitation(str(UUID(opened[1]))), "Tycoon", "tycoon", 0, lambda _: None)
            printed, failure = await bot.communicate()
    finally:
        if bot.returncode is None:
            bot.kill()
            await bot.wait()
    assert (opened is not None, bot.returncode, failure.decode()) == (True, 0, "")
    assert opened is not None
    async with Client(server) as client:
        view = (await client.view(opened[1]))["view"]
    assert view["status"] == "finished"
    assert printed.decode().splitlines() == standings(view)


def standings(view: dict[str, Any]) -> list[str]:
    """A line for each player of a game that is over; where a game has no ranks, for each who won."""
    seats = view["seats"]
    amount = "money" if "money" in seats[0] else "cash"
    ranks = [(each["rank"], each["seat"], each["cash"]) for each in view.get("standings", ())]
    ranks = ranks or [(1, seat, seats[seat][amount]) for seat in view["winners"]]
    return [f"{rank}. {seats[seat]['name']}: {owned}" for rank, seat, owned in ranks]

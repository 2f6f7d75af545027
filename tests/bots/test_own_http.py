"""Users' own strategies at a real server."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from mcmulti.bots.seats.seat import Invitation, take_part
from mcmulti.bots.seats.trouble import StrategyFailed, read_trouble
from mcmulti.client.client import Client
from tests.bots.minds import program, strategies


async def test_a_program_and_a_file_play_a_whole_game(server: str, tmp_path: Path) -> None:
    names = (str(program(tmp_path, "plays")), f"{strategies(tmp_path)}:Plain", "merchant")
    said: list[str] = []
    async with Client(server) as host:
        await host.register("Host")
        game = str((await host.open_game("marracash", seats=3))["game"])
    playing = (take_part(server, Invitation(game), None, name, n, said.append, 60) for n, name in enumerate(names))
    await asyncio.gather(*playing)
    assert sum("plays.run" in line and "sits on seat" in line for line in said) == 1
    assert sum("with" in line and "dirham" in line for line in said) == 9
    assert (tmp_path / "ended").read_text() == "yes"


async def _table_with_a_free_seat(server: str) -> str:
    """A table by post with three players who do nothing."""
    async with Client(server) as host:
        await host.register("Host")
        game = str((await host.open_game("postal"))["game"])
    for number in range(3):
        async with Client(server) as guest:
            await guest.register(f"Guest {number}")
            await guest.take_seat(game)
    return game


async def test_what_the_server_refuses_again_and_again_is_told_with_the_position(server: str, tmp_path: Path) -> None:
    name, said = f"{strategies(tmp_path)}:not_offered", list[str]()
    game = await _table_with_a_free_seat(server)
    with pytest.raises(StrategyFailed) as raised:
        await take_part(server, Invitation(game), None, name, 0, said.append, 60)
    trouble = raised.value.trouble
    assert (trouble.kind, trouble.answer, trouble.view["ruleset"]) == ("refused", [{"type": "StartGame"}], "postal")
    assert trouble.error.startswith("The server refused its command: ")


async def test_the_command_keeps_the_position_that_a_strategy_failed_in(server: str, tmp_path: Path) -> None:
    game = await _table_with_a_free_seat(server)
    asked = ("--server", server, "--game", game, "--strategy", f"{strategies(tmp_path)}:raises")
    command = (sys.executable, "-m", "mcmulti", "bot", *asked)
    bot = await asyncio.create_subprocess_exec(*command, cwd=tmp_path, stdout=PIPE, stderr=PIPE)
    _, errors = await asyncio.wait_for(bot.communicate(), 60)
    assert bot.returncode == 1
    assert "KeyError: 'comand'" in errors.decode()
    (kept,) = (tmp_path / "strategy-troubles").iterdir()
    assert f"The position is in strategy-troubles/{kept.name}" in errors.decode()
    assert read_trouble(kept).ruleset == "postal"

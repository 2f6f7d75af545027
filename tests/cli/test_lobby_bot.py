"""`mcmulti bot --lobby` at real servers. Several games at a time, and kills in between, are tested in tests/slow."""

import asyncio
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mcmulti.bots.seats.lobby import LobbyBot, LobbyWishes
from mcmulti.bots.seats.lobby_file import LobbyPlayer
from mcmulti.bots.seats.lobby_seat import SeatEnded
from mcmulti.bots.seats.trouble import read_trouble
from mcmulti.cli.commands.player.bot import bot
from mcmulti.server.running import run
from tests.bots.minds import strategies
from tests.cli.command import running
from tests.cli.lobby import DUEL, TOWN, is_left, kept, lobby_bot, opened, plays_nothing, serving, table, wait


def test_of_two_bots_one_gets_the_seat_and_the_other_when_that_is_left(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, person), lobby_bot(str(person.base_url), tmp_path, "one") as one:
        address = str(person.base_url)
        with lobby_bot(address, tmp_path, "two") as two:
            alone, closed = opened(person, TOWN), opened(person, TOWN, bots=1, invited=[])
            game = opened(person, TOWN, bots=1)
            wait(lambda: not table(person, game)["bots"])
            bots = {kept(tmp_path, name)["player"]: (name, bot) for name, bot in (("one", one), ("two", two))}
            name, first = bots.pop(table(person, game)["seats"][2]["player"])
            ((other, second),) = bots.values()
            assert kept(tmp_path, name)["games"] == {game: "marracash"}
            assert not [line for bot in (one, two) for line in bot.printed.splitlines() if closed in line]
            wait(lambda: not kept(tmp_path, other)["games"])  # it may have tried
            assert first.interrupt() == 0, first.said  # at once: the table has not begun
            wait(lambda: kept(tmp_path, other)["games"])
            assert wait(lambda: table(person, game)["seats"][2]["player"]) == kept(tmp_path, other)["player"]
            for untouched in (alone, closed):
                assert [seat["player"] for seat in table(person, untouched)["seats"]] == [None] * 3
            assert second.interrupt(signal.SIGTERM) == 0
            assert kept(tmp_path, other)["games"] == {}


def test_who_is_told_to_stop_ends_its_games_and_twice_keeps_them(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, person):
        address = str(person.base_url)
        game = opened(person, DUEL, bots=1)
        person.post(f"/v1/games/{game}/seats", json={})
        with lobby_bot(address, tmp_path, "bot", "--strategy", "tycoon") as looking:
            wait(lambda: table(person, game)["status"] == "running")
            looking.signal(signal.SIGINT)
            looking.line(f"{kept(tmp_path, 'bot')['name']} finishes its games")
            opened(person, DUEL, bots=1)
            looking.signal(signal.SIGTERM)
            assert looking.code() == 128 + signal.SIGTERM
        assert kept(tmp_path, "bot")["games"] == {game: "mcmulti"}
        with lobby_bot(address, tmp_path, "bot") as looking:
            looking.signal(signal.SIGTERM)
            looking.line(f"{kept(tmp_path, 'bot')['name']} finishes its games")
            person.post(f"/v1/games/{game}/commands", json={"commands": [{"type": "Resign"}]})
            assert looking.code() == 0
        assert kept(tmp_path, "bot")["games"] == {}


def test_a_strategy_that_fails_resigns_and_the_bot_looks_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with serving(tmp_path) as (_, person):
        duel = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 1}}
        for mind, said in (("raises", "KeyError"), ("hangs", "did not respond"), ("Broken", "no dice")):
            game = opened(person, duel, bots=1)
            person.post(f"/v1/games/{game}/seats", json={})
            strategy = ("--strategy", f"{strategies(tmp_path)}:{mind}", "--rules", "mcmulti", "--time-limit", "0.5")
            with lobby_bot(str(person.base_url), tmp_path, mind, *strategy) as looking:
                assert said in looking.line(f"{game}: ")
                wait(partial(is_left, person, game, 1))
                wait(partial(plays_nothing, tmp_path, mind))
                assert looking.interrupt() == 0
        kept = [read_trouble(path) for path in (tmp_path / "strategy-troubles").iterdir()]
        assert sorted(trouble.kind for trouble in kept) == ["late", "raised"]  # the third was never asked


def test_a_bot_whose_token_is_revoked_ends_with_a_sentence(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, person):
        address = str(person.base_url)
        with lobby_bot(address, tmp_path, "bot") as looking:
            assert looking.interrupt() == 0
        token = {"Authorization": f"Bearer {kept(tmp_path, 'bot')['token']}"}
        person.post("/v1/players/me/pending", json={"action": "erase"}, headers=token)
        assert person.delete("/v1/players/me", headers=token).status_code == 204
        with lobby_bot(address, tmp_path, "bot") as looking:
            assert looking.code() == 1
            assert "To start as a new bot" in looking.said
        with running("register", "Owner's", "--bot", "--server", address, temporary=tmp_path, HOME=str(tmp_path)) as me:
            assert me.code() == 0
        asked = ("bot", "--lobby", "--server", address, "--keep", str(tmp_path / "own.json"))
        with running(*asked, temporary=tmp_path, HOME=str(tmp_path)) as looking:
            assert looking.line("Owner's is at ") == f"{address}."
            with running(*asked, temporary=tmp_path, HOME=str(tmp_path)) as twice:
                assert twice.code() == 1
                assert "Another bot is using" in twice.said
        (tmp_path / "own.json").chmod(0o644)
        with running(*asked, temporary=tmp_path, HOME=str(tmp_path)) as open_to_all:
            assert open_to_all.code() == 1
            assert "Run chmod 600" in open_to_all.said
        (tmp_path / "own.json").chmod(0o600)
        with running(*asked, "--name", "Another", temporary=tmp_path, HOME=str(tmp_path)) as other:
            assert other.code() == 1
            assert "belongs to Owner's at" in other.said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--games", "2"], "need --lobby"),
        (["--rules", "mcmulti"], "need --lobby"),
        (["--lobby", "--game", "x"], "finds its own seats"),
        (["--lobby", "--substitute"], "finds its own seats"),
        (["--lobby", "--seat", "1"], "finds its own seats"),
        (["--lobby", "--strategy", "tycoon", "--rules", "marracash"], "does not play marracash"),
        (["--lobby", "--strategy", "clever"], "'clever' plays nothing"),
        (["--lobby", "--strategy", "my.py:Mine"], "List with --rules"),
        (["--lobby", "--rules", "chess"], "'chess' is not one of"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], said: str) -> None:
    refused = CliRunner().invoke(bot, arguments)
    assert refused.exit_code == 2
    assert said in " ".join(refused.output.split())


def test_a_seat_whose_process_ends_before_it_gets_its_game_ends_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal may interrupt the process between its start and its session."""
    start = asyncio.create_subprocess_exec

    async def ended(*_: str, **how: Any) -> asyncio.subprocess.Process:
        process = await start("true", **how)
        await process.wait()
        return process

    async def played() -> SeatEnded | None:
        player = LobbyPlayer("http://127.0.0.1:1", "id", "Bot", "mcm_none", {"game": "mcmulti"})
        wishes = LobbyWishes({"mcmulti": "random"}, games=1, seed=1, seconds=1.0, troubles=tmp_path)
        return await LobbyBot(tmp_path / "bot.json", player, wishes, said.append)._ended("game")

    said = list[str]()
    monkeypatch.setattr(asyncio, "create_subprocess_exec", ended)
    assert run(played()) is None
    assert said == []

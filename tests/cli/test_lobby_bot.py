"""`mcmulti bot --lobby` at real servers: several games at a time, whatever is killed meanwhile."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from mcmulti.bots.trouble import read_trouble
from mcmulti.cli.commands.bot import bot
from tests.bots.minds import strategies
from tests.cli.command import PATIENCE, Command, processes, running

DUEL = {"ruleset": "mcmulti", "setup": {"seats": 2}}
TOWN = {"ruleset": "marracash", "setup": {"seats": 3}}


@contextmanager
def _serving(folder: Path, port: str = "0") -> Iterator[tuple[Command, httpx.Client]]:
    """A server, and a person there."""
    with running("serve", "--port", port, "--folder", str(folder / "data"), temporary=folder) as serve:
        address = serve.line("Serving at ")
        with httpx.Client(base_url=address, timeout=30) as person:
            registered = person.post("/v1/players", json={"name": f"Ada {time.monotonic_ns()}"}).json()
            person.headers["Authorization"] = f"Bearer {registered['token']}"
            yield serve, person


@contextmanager
def _looking(server: str, folder: Path, name: str, *more: str) -> Iterator[Command]:
    """A bot that looks for games, under a name."""
    asked = ("bot", "--lobby", "--server", server, "--keep", str(folder / f"{name}.json"), *more)
    with running(*asked, temporary=folder, XDG_CONFIG_HOME=str(folder)) as command:
        command.line("bot ")
        yield command


def _opened(person: httpx.Client, what: dict[str, Any], **more: Any) -> str:
    told = person.post("/v1/games", json={**what, **more})
    assert told.status_code == 201, told.text
    return str(told.json()["game"])


def _table(person: httpx.Client, game: str) -> dict[str, Any]:
    return dict(person.get(f"/v1/games/{game}").json()["table"])


def _listed(person: httpx.Client, **wanted: str) -> list[str]:
    return [table["game"] for table in person.get("/v1/games", params=wanted).json()["games"]]


def _is_left(person: httpx.Client, game: str, seat: int) -> bool:
    return bool(_table(person, game)["seats"][seat]["player"] is None)


def _plays_nothing(folder: Path, name: str) -> bool:
    return not _kept(folder, name)["games"]


def _wait(until: Callable[[], Any], patience: float = PATIENCE) -> Any:
    deadline = time.monotonic() + patience
    while not (found := until()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found


def _played_on(folder: Path) -> list[str]:
    """The processes of seats that are left; others end while they are looked at."""
    found = []
    for line in processes(folder):
        with suppress(OSError):
            found.append(Path(f"/proc/{line.split()[0]}/cmdline").read_text())
    return [command for command in found if "lobby_seat" in command]


def _kept(folder: Path, name: str) -> dict[str, Any]:
    path = folder / f"{name}.json"
    assert path.stat().st_mode & 0o777 == 0o600
    return dict(json.loads(path.read_bytes()))


def test_three_games_at_a_time_go_on_though_bot_and_server_are_killed(tmp_path: Path) -> None:
    """Four tables for a bot that plays three at a time: the fourth has to wait."""
    with _serving(tmp_path) as (serve, person):
        address, port = str(person.base_url), str(person.base_url.port)
        games = [_opened(person, DUEL, bots=2) for _ in range(4)]
        with _looking(address, tmp_path, "patient", "--games", "4") as patient:
            with _looking(address, tmp_path, "killed", "--games", "3") as killed:
                _wait(lambda: len(_listed(person, status="running")) == 3)
                killed.interrupt(signal.SIGKILL)
            before = _kept(tmp_path, "killed")
            assert len(before["games"]) == 3
            with _looking(address, tmp_path, "killed", "--games", "3") as again:
                for game in before["games"]:
                    again.line(f"{before['name']} goes on with game {game}.")
                seats = {game: _table(person, game)["seats"] for game in before["games"]}
                serve.interrupt(signal.SIGKILL)
                with _serving(tmp_path, port) as (_, other):
                    _wait(lambda: sorted(_listed(other, status="finished")) == sorted(games), 4 * PATIENCE)
                    for game in before["games"]:
                        over = _table(other, game)
                        assert [seat["player"] for seat in over["seats"]] == [seat["player"] for seat in seats[game]]
                        assert over["outcome"]["winners"] != []
                    _wait(lambda: not _kept(tmp_path, "killed")["games"])
                    assert [command.interrupt(signal.SIGTERM) for command in (again, patient)] == [0, 0]
    _wait(lambda: not _played_on(tmp_path))


def test_of_two_bots_one_gets_the_seat_and_the_other_when_that_is_left(tmp_path: Path) -> None:
    with _serving(tmp_path) as (_, person), _looking(str(person.base_url), tmp_path, "one") as one:
        address = str(person.base_url)
        with _looking(address, tmp_path, "two") as two:
            alone, closed = _opened(person, TOWN), _opened(person, TOWN, bots=1, invited=[])
            game = _opened(person, TOWN, bots=1)
            _wait(lambda: not _table(person, game)["bots"])
            bots = {_kept(tmp_path, name)["player"]: (name, bot) for name, bot in (("one", one), ("two", two))}
            name, first = bots.pop(_table(person, game)["seats"][2]["player"])
            ((other, second),) = bots.values()
            assert _kept(tmp_path, name)["games"] == {game: "marracash"}
            assert not [line for bot in (one, two) for line in bot.printed.splitlines() if closed in line]
            _wait(lambda: not _kept(tmp_path, other)["games"])  # it may have tried
            assert first.interrupt() == 0  # at once: the table has not begun
            _wait(lambda: _kept(tmp_path, other)["games"])
            assert _wait(lambda: _table(person, game)["seats"][2]["player"]) == _kept(tmp_path, other)["player"]
            for untouched in (alone, closed):
                assert [seat["player"] for seat in _table(person, untouched)["seats"]] == [None] * 3
            assert second.interrupt(signal.SIGTERM) == 0
            assert _kept(tmp_path, other)["games"] == {}


def test_who_is_told_to_stop_ends_its_games_and_twice_keeps_them(tmp_path: Path) -> None:
    with _serving(tmp_path) as (_, person):
        address = str(person.base_url)
        game = _opened(person, DUEL, bots=1)
        person.post(f"/v1/games/{game}/seats", json={})
        with _looking(address, tmp_path, "bot", "--strategy", "tycoon") as looking:
            _wait(lambda: _table(person, game)["status"] == "running")
            looking.signal(signal.SIGINT)
            looking.line(f"{_kept(tmp_path, 'bot')['name']} ends its games")
            _opened(person, DUEL, bots=1)
            looking.signal(signal.SIGTERM)
            assert looking.code() == 128 + signal.SIGTERM
        assert _kept(tmp_path, "bot")["games"] == {game: "mcmulti"}
        with _looking(address, tmp_path, "bot") as looking:
            looking.signal(signal.SIGTERM)
            looking.line(f"{_kept(tmp_path, 'bot')['name']} ends its games")
            person.post(f"/v1/games/{game}/commands", json={"commands": [{"type": "Resign"}]})
            assert looking.code() == 0
        assert _kept(tmp_path, "bot")["games"] == {}


def test_a_strategy_that_fails_resigns_and_the_bot_looks_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with _serving(tmp_path) as (_, person):
        duel = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 1}}
        for mind, said in (("raises", "KeyError"), ("hangs", "has not answered"), ("Broken", "no dice")):
            game = _opened(person, duel, bots=1)
            person.post(f"/v1/games/{game}/seats", json={})
            strategy = ("--strategy", f"{strategies(tmp_path)}:{mind}", "--rules", "mcmulti", "--time-limit", "0.5")
            with _looking(str(person.base_url), tmp_path, mind, *strategy) as looking:
                assert said in looking.line(f"{game}: ")
                _wait(partial(_is_left, person, game, 1))
                _wait(partial(_plays_nothing, tmp_path, mind))
                assert looking.interrupt() == 0
        kept = [read_trouble(path) for path in (tmp_path / "strategy-troubles").iterdir()]
        assert sorted(trouble.kind for trouble in kept) == ["late", "raised"]  # the third was never asked


def test_a_bot_whose_token_is_revoked_ends_with_a_sentence(tmp_path: Path) -> None:
    with _serving(tmp_path) as (_, person):
        address = str(person.base_url)
        with _looking(address, tmp_path, "bot") as looking:
            assert looking.interrupt() == 0
        token = {"Authorization": f"Bearer {_kept(tmp_path, 'bot')['token']}"}
        assert person.delete("/v1/players/me", headers=token).status_code == 204
        with _looking(address, tmp_path, "bot") as looking:
            assert looking.code() == 1
            assert "bot is another one" in looking.said
        with running("register", "Owner's", "--bot", "--server", address, temporary=tmp_path, HOME=str(tmp_path)) as me:
            assert me.code() == 0
        asked = ("bot", "--lobby", "--server", address, "--keep", str(tmp_path / "own.json"))
        with running(*asked, temporary=tmp_path, HOME=str(tmp_path)) as looking:
            assert looking.line("Owner's is at ") == f"{address}."
            with running(*asked, temporary=tmp_path, HOME=str(tmp_path)) as twice:
                assert twice.code() == 1
                assert "Another bot plays with" in twice.said
        (tmp_path / "own.json").chmod(0o644)
        with running(*asked, temporary=tmp_path, HOME=str(tmp_path)) as open_to_all:
            assert open_to_all.code() == 1
            assert "chmod 600 it first" in open_to_all.said
        (tmp_path / "own.json").chmod(0o600)
        with running(*asked, "--name", "Another", temporary=tmp_path, HOME=str(tmp_path)) as other:
            assert other.code() == 1
            assert "is that of Owner's at" in other.said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--games", "2"], "are for --lobby"),
        (["--rules", "mcmulti"], "are for --lobby"),
        (["--lobby", "--game", "x"], "leave out what is about that"),
        (["--lobby", "--substitute"], "leave out what is about that"),
        (["--lobby", "--seat", "0"], "leave out what is about that"),
        (["--lobby", "--strategy", "tycoon", "--rules", "marracash"], "does not play marracash"),
        (["--lobby", "--strategy", "clever"], "'clever' plays nothing"),
        (["--lobby", "--strategy", "my.py:Mine"], "Say by --rules"),
        (["--lobby", "--rules", "chess"], "'chess' is not one of"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], said: str) -> None:
    refused = CliRunner().invoke(bot, arguments)
    assert refused.exit_code == 2
    assert said in " ".join(refused.output.split())

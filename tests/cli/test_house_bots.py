"""`mcmulti serve --house-bots`: a process that takes over for players who left, and how it survives failures."""

import hmac
import json
import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import psycopg
import pytest

from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.domain.core.table import HOUSE
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.rulesets import CURRENT, DEFAULT, SHIPPED
from mcmulti.events.log.codec import fold
from mcmulti.events.store.game_file import read
from tests.cli.command import processes
from tests.cli.houses import Guests, house, serving, told, until
from tests.pure.properties.random_games import seats_of


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "games")


def test_a_house_bot_plays_on_until_who_left_is_back(tmp_path: Path, folder: str) -> None:
    with serving(tmp_path, "--folder", folder) as (server, guests):
        game = guests.start("Ada", "Ben", "Cleo")
        guests.send("Ben", game, type="Resign")
        until(lambda: guests.states(game) == ["taken", "house", "taken"])
        seat = guests.table(game)["seats"][1]
        assert (seat["player"] in HOUSE, seat["name"], seat["kind"]) == (True, "House bot", "bot")
        guests.play_until(game, 5)
        moved = [event["type"] for event in guests.http.get(f"/v1/games/{game}/events?limit=1000").json()["events"]]
        assert "MovedUnasked" not in moved[moved.index("SubstituteSatDown") :]
        back = guests.ask("Ben", "POST", f"/v1/games/{game}/seats")
        assert [event["type"] for event in back["events"]][:2] == ["SeatVacated", "SubstituteSatDown"]
        until(lambda: told(server, "a house bot made room"))
        assert guests.states(game) == ["taken", "taken", "taken"]
        command_line = Path(f"/proc/{house(server)}/cmdline").read_bytes()
        environment = Path(f"/proc/{house(server)}/environ").read_bytes()
        for secret in (b"mcm_", b"DATABASE_URL"):
            assert secret not in command_line + environment
        assert "mcm_" not in server.said
        assert server.interrupt(signal.SIGTERM) == 0
        assert "Traceback" not in server.said
    assert processes(tmp_path) == []


def test_two_seats_have_a_bot_each_which_get_up_for_the_last_player(tmp_path: Path, folder: str) -> None:
    with serving(tmp_path, "--folder", folder, "--workers", "2", games=1) as (_, guests):
        game = guests.start("Ada", "Ben", "Cleo", "Dan")
        guests.send("Ben", game, type="Resign")
        guests.send("Cleo", game, type="Resign")
        until(lambda: guests.states(game) == ["taken", "house", "house", "taken"])
        further = guests.start("Ada", "Ben", "Cleo")
        guests.send("Ben", further, type="Resign")
        time.sleep(3)
        assert guests.states(further) == ["taken", "reserved", "taken"]  # it plays one game at a time
        guests.send("Ada", game, type="Resign")
        assert guests.table(game)["outcome"] == {"winners": [3], "rule": "table/last"}
        until(lambda: guests.states(further) == ["taken", "house", "taken"])


def test_another_process_goes_on_when_one_is_killed_or_loses_its_token(empty_database: str, tmp_path: Path) -> None:
    with (
        serving(tmp_path, DATABASE_URL=empty_database) as (server, guests),
        psycopg.connect(empty_database, autocommit=True) as owner,
    ):
        held = "SELECT count(*) FROM token WHERE name = 'House bot' AND revoked_at IS NULL"

        def holding() -> int:
            return int(owner.execute(held).fetchall()[0][0])

        game = guests.start("Ada", "Ben", "Cleo")
        guests.send("Ben", game, type="Resign")
        until(lambda: guests.states(game)[1] == "house")
        first = house(server)
        os.kill(first, signal.SIGKILL)
        until(lambda: house(server) != first)
        second = house(server)
        until(lambda: holding() == len(HOUSE))
        owner.execute("UPDATE token SET revoked_at = now() WHERE name = 'House bot'")
        owner.execute("SELECT pg_notify('mcmulti_token_revoked', encode(hash, 'hex')) FROM token")
        until(lambda: house(server) != second)
        turn = guests.table(game)["turn"]
        guests.play_until(game, turn + 4)
        assert holding() == len(HOUSE)
        assert server.interrupt(signal.SIGTERM) == 0
        assert holding() == 0


def test_house_bots_go_on_when_the_database_was_gone(tmp_path: Path, folder: str) -> None:
    with serving(tmp_path, "--folder", folder) as (server, guests):
        game = guests.start("Ada", "Ben", "Cleo")
        guests.send("Ben", game, type="Resign")
        until(lambda: guests.states(game)[1] == "house")
        for process in processes(tmp_path):
            if process.endswith(" postgres"):
                with suppress(ProcessLookupError):
                    os.kill(int(process.split()[0]), signal.SIGKILL)
        until(lambda: all(guests.http.get(path).is_success for path in ("/readyz", f"/v1/games/{game}")))
        turn = guests.table(game)["turn"]
        guests.play_until(game, turn + 4)
        assert guests.states(game)[1] == "house"
        assert server.interrupt(signal.SIGTERM) == 0
    assert processes(tmp_path) == []


def test_no_house_bot_outlives_a_server_that_is_killed(tmp_path: Path, empty_database: str) -> None:
    with serving(tmp_path, DATABASE_URL=empty_database) as (server, _):
        assert house(server)
        assert server.interrupt(signal.SIGKILL) == -signal.SIGKILL
        until(lambda: processes(tmp_path) == [])


def test_the_house_of_one_server_plays_on_at_another(tmp_path: Path, empty_database: str) -> None:
    """Both look after all games of the database. If both move, one of them learns that the game has moved on."""
    with (
        serving(tmp_path, DATABASE_URL=empty_database) as (first, guests),
        serving(tmp_path, DATABASE_URL=empty_database) as (second, others),
    ):
        game = guests.start("Ada", "Ben", "Cleo")
        guests.send("Ben", game, type="Resign")
        until(lambda: guests.states(game)[1] == "house")
        others.tokens = guests.tokens
        guests.play_until(game, 5)
        assert first.interrupt(signal.SIGTERM) == 0
        turn = others.table(game)["turn"]
        others.play_until(game, turn + 4)
        events = others.http.get(f"/v1/games/{game}/events?limit=1000").json()["events"]
        assert sum(event["type"] == "SubstituteSatDown" for event in events) == 1
        assert "Traceback" not in first.said + second.said


def test_what_a_house_bot_wrote_can_be_checked_when_the_game_is_over(tmp_path: Path, folder: str) -> None:
    """Nobody can compute its sheet beforehand. Afterward, the revealed seed determines which one it was."""
    with serving(tmp_path, "--folder", folder) as (_, guests):
        game = guests.start("Ada", "Ben", "Cleo", "Dan", ruleset="postal")
        guests.send("Ada", game, type="Resign")
        until(lambda: guests.http.get(f"/v1/games/{game}").json()["view"]["orders"][0]["submitted"])
        for name in ("Ben", "Cleo"):
            guests.send(name, game, type="Resign")
        events = read(guests.http.get(f"/v1/games/{game}/file").content.splitlines(keepends=True)).events
    [at] = [index for index, event in enumerate(events) if event.type == "OrdersSubmitted"]
    seed = bytes.fromhex(json.loads(events[-1].data)["seed"])
    block = hmac.new(seed, f"{game}:bot:0".encode(), "sha256").digest()
    strategy = strategy_for("postal", strategies_of("postal")[0])(int.from_bytes(block[:8], "big") // 2)
    postal = CURRENT["postal"]
    view = json.loads(msgspec.json.encode(postal.view(fold(postal, events[:at]), 0)))
    [chosen] = strategy(view, [])
    written = json.loads(events[at].data)["sheet"]
    assert msgspec.convert(chosen["sheet"], OrderSheet) == msgspec.convert(written, OrderSheet)


def test_house_bots_play_every_game(tmp_path: Path, folder: str) -> None:
    with serving(tmp_path, "--folder", folder) as (server, guests):
        for ruleset in (name for name in SHIPPED if name != DEFAULT):
            seats = max(3, seats_of(ruleset)[0])
            _one_house_bot_moves(guests, ruleset, ("Ada", "Ben", "Cleo", "Dan")[:seats])
            assert not told(server, "a house bot is at a loss"), ruleset
            assert not told(server, "a house bot cannot go on"), ruleset


def _one_house_bot_moves(guests: Guests, ruleset: str, names: Sequence[str]) -> None:
    """The first player leaves a new game, and the others move as bots do, until the house bot has moved."""
    game = guests.start(*names, ruleset=ruleset)
    guests.send(names[0], game, type="Resign")
    until(lambda: guests.states(game)[0] == "house")
    mind = strategy_for(ruleset, strategies_of(ruleset)[0])(0)
    left = guests.table(game)["seq"]

    def acted() -> bool:
        for name in names[1:]:
            asked = guests.ask(name, "GET", f"/v1/games/{game}/offers")
            if asked["seat"] in asked["to_move"]:
                view = guests.ask(name, "GET", f"/v1/games/{game}")["view"]
                commands = mind(view, asked["offers"])
                if commands:
                    guests.ask(name, "POST", f"/v1/games/{game}/commands", commands=commands)
        events = guests.http.get(f"/v1/games/{game}/events?after={left}&limit=1000").json()["events"]
        return any(event["actor"] == 0 for event in events)

    until(acted)

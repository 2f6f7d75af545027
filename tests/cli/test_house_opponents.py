"""`mcmulti serve` has bots that play against people: by default, in the background, and after any kill."""

import asyncio
import json
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.client.client import Client
from mcmulti.client.sources import fetched
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.postal import RULESET as POSTAL
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.rulesets import CURRENT, PLAYED_BY_ORDERS, SHIPPED
from mcmulti.events.log.codec import event_decoder
from tests.cli.command import Command, processes, running
from tests.cli.houses import PATIENCE, Guests, house, serving, told, until

Json = dict[str, Any]
SHEETS = tuple[SubmitOrders]
LEVELS = {name: CURRENT[name].bots[:2][-1] for name in SHIPPED}
"""The weakest bots that do not play at random."""


def against(guests: Guests, name: str, *levels: str, ruleset: str = "mcmulti", **wish: Any) -> str:
    """A game of one person against bots of these levels."""
    wish = {"setup": {"seats": len(levels) + 1}, "listed": False, "house_bots": levels, **wish}
    game = str(guests.ask(name, "POST", "/v1/games", ruleset=ruleset, **wish)["game"])
    guests.ask(name, "POST", f"/v1/games/{game}/seats")
    return game


def names(guests: Guests, game: str) -> list[str | None]:
    """The players at a table."""
    return [seat["name"] for seat in guests.table(game)["seats"]]


def plays(guests: Guests, name: str, game: str, turns: int | None = None) -> None:
    """Play for a person as bots do, for that many moves or to the end of the game."""
    deadline = time.monotonic() + PATIENCE
    ruleset = guests.table(game)["ruleset"]
    mind = strategy_for(ruleset, strategies_of(ruleset)[0])(0)
    moved = 0
    while moved != turns:
        assert time.monotonic() < deadline
        told = guests.ask(name, "GET", f"/v1/games/{game}")
        if told["table"]["status"] == "finished":
            return
        commands = []
        if told["table"]["status"] == "running" and 0 in told["table"]["to_move"]:
            commands = mind(told["view"], guests.ask(name, "GET", f"/v1/games/{game}/offers")["offers"])
        if commands:
            guests.ask(name, "POST", f"/v1/games/{game}/commands", commands=commands)
            moved += 1
        else:
            guests.after(game, told["seq"])


async def written_by_the_seed(address: str, game: str, seats: set[int], level: str) -> None:
    """Every sheet of these bots is what their strategy writes. Anybody can compute it once the seed is revealed."""
    async with Client(address) as anybody:
        events = await fetched(anybody, game)
    seed = json.loads(events[-1].data)["seed"]
    minds = {
        seat: strategy_for("postal", level)(SeededChance(bytes.fromhex(seed), game).bot_seed(seat)) for seat in seats
    }
    state: Any = None
    written, decode = 0, event_decoder(POSTAL.name, POSTAL.version)
    for event in events:
        if event.command and event.actor in seats and json.loads(event.command)["type"] == "SubmitOrders":
            view = msgspec.to_builtins(POSTAL.view(state, event.actor))
            assert event.command == msgspec.json.encode(msgspec.convert(minds[event.actor](view, []), SHEETS)[0])
            written += 1
        state = POSTAL.evolve(state, decode(event.data))
    assert written >= 3 * 5


def metric(server: Any, name: str) -> float:
    """A figure that a server reports to Prometheus."""
    [line] = told(server, "serving metrics")
    text = httpx.get(line["address"], trust_env=False).text
    [found] = re.findall(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "games")


def test_a_server_has_bots_unless_told_and_they_stand_back_for_everything_else(tmp_path: Path, folder: str) -> None:
    options = ("serve", "--port", "0", "--log-format", "json", "--metrics-address", "127.0.0.1:0", "--folder", folder)
    with (
        running(*options, temporary=tmp_path, MCMULTI_HOUSE_BOTS="") as server,
        httpx.Client(base_url=server.line("Serving at "), timeout=30, trust_env=False) as client,
    ):
        guests = Guests(client)
        game = against(guests, "Ada", "tycoon", "random")
        until(lambda: guests.table(game)["status"] == "running")
        assert names(guests, game) == ["Ada", "Tycoon", "Random"]
        pid = house(server)
        threads = [int(each.name) for each in Path(f"/proc/{pid}/task").iterdir()]
        assert {os.getpriority(os.PRIO_PROCESS, thread) for thread in threads} == {19}
        assert os.getpriority(os.PRIO_PROCESS, server.pid) == os.getpriority(os.PRIO_PROCESS, os.getpid())
        until(lambda: metric(server, 'mcmulti_house_bot_games{role="opposing"}') == 1)
        assert metric(server, "mcmulti_house_bot_games_limit") == 20
        assert metric(server, "mcmulti_house_bot_starts_total") == 1
        until(lambda: metric(server, 'process_cpu_seconds_total{worker="house"}') > 0)
        plays(guests, "Ada", game, turns=3)
        until(lambda: metric(server, "mcmulti_house_bot_decisions_total") > 0)
        assert metric(server, "mcmulti_house_bot_decision_seconds_total") > 0
        assert server.interrupt(signal.SIGTERM) == 0
        assert "Traceback" not in server.said
    assert processes(tmp_path) == []


def test_without_house_bots_nobody_is_asked_in_vain(tmp_path: Path, folder: str) -> None:
    with serving(tmp_path, "--folder", folder, games=0) as (server, guests):
        wish = {"ruleset": "mcmulti", "house_bots": ["tycoon"]}
        guests.ask("Ada", "GET", "/v1/players/me")
        headers = {"Authorization": f"Bearer {guests.tokens['Ada']}"}
        refused = guests.http.post("/v1/games", json=wish, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (409, "no_house_bots")
        assert not told(server, "house bots play")


def test_they_play_at_every_table_of_a_series(tmp_path: Path, folder: str) -> None:
    """They decide the same on the same dice, so nobody has the stronger opponent. Both people resign at once."""
    with serving(tmp_path, "--folder", folder) as (_, guests):
        wish: Json = {"ruleset": "mcmulti", "tables": 2, "setup": {"seats": 2, "first_seat": 0}}
        opened = guests.ask("Ada", "POST", "/v1/series", **wish, house_bots=["tycoon"])
        address = f"/v1/series/{opened['series']}"
        for name, table in zip(("Ada", "Ben"), opened["tables"], strict=True):
            guests.ask(name, "POST", f"/v1/games/{table['game']}/seats")
        until(lambda: all(each["status"] == "running" for each in guests.ask("Ada", "GET", address)["tables"]))
        for name, table in zip(("Ada", "Ben"), opened["tables"], strict=True):
            guests.send(name, table["game"], type="Resign")
        until(lambda: guests.ask("Ada", "GET", address)["status"] == "finished")
        scores = guests.ask("Ada", "GET", address)["scores"]
        found = sorted((each["name"], each["table"], each["won"], each["points"]) for each in scores)
        assert found == [
            ("Ada", 1, False, 0.5),
            ("Ben", 2, False, 0.5),
            ("Tycoon", 1, True, 0.5),
            ("Tycoon", 2, True, 0.5),
        ]


def test_they_play_in_so_many_games_and_those_that_wait_for_people_make_room(tmp_path: Path, folder: str) -> None:
    more = ("--folder", folder, "--metrics-address", "127.0.0.1:0", "--workers", "2")
    with serving(tmp_path, *more, games=1) as (server, guests):
        first, second = (against(guests, name, "random") for name in ("Ada", "Ben"))
        for _ in range(2):
            plays(guests, "Ada", first, turns=1)
            plays(guests, "Ben", second, turns=1)
        until(lambda: metric(server, "mcmulti_house_bot_games_waiting") == 0)
        assert metric(server, 'mcmulti_house_bot_games{role="opposing"}') == 1


def test_they_are_back_on_their_seats_when_they_are_killed_and_when_the_server_starts_again(
    tmp_path: Path, folder: str
) -> None:
    with serving(tmp_path, "--folder", folder) as (server, guests):
        game = against(guests, "Ada", "tycoon", "tycoon")
        plays(guests, "Ada", game, turns=2)
        first = house(server)
        os.kill(first, signal.SIGKILL)
        until(lambda: house(server) != first)
        plays(guests, "Ada", game, turns=3)
        assert server.interrupt(signal.SIGKILL) == -signal.SIGKILL
        until(lambda: processes(tmp_path) == [])
        tokens = guests.tokens
    with serving(tmp_path, "--folder", folder) as (server, guests):
        guests.tokens = tokens
        plays(guests, "Ada", game, turns=3)
        assert names(guests, game) == ["Ada", "Tycoon", "Tycoon 2"]
        assert not told(server, "a house bot is at a loss")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Command, Guests]]:
    """A server on which whole games are played, each by a player of its own."""
    place = tmp_path_factory.mktemp("whole")
    with serving(place, "--folder", str(place / "games")) as served:
        yield served


@pytest.mark.parametrize("ruleset", LEVELS)
def test_whole_games_of_every_rule_set_come_to_their_end(ruleset: str, whole: tuple[Command, Guests]) -> None:
    server, guests = whole
    ada = f"Ada of {ruleset}"
    game = against(guests, ada, *[LEVELS[ruleset]] * 3, ruleset=ruleset)
    plays(guests, ada, game)
    table = guests.table(game)
    assert table["outcome"]["winners"]
    assert not told(server, "a house bot is at a loss")
    record = guests.ask(ada, "GET", "/v1/players/me")["record"]["rulesets"]
    assert [(each["ruleset"], each["with_bots"]["played"]) for each in record] == [(ruleset, 1)]
    if ruleset in PLAYED_BY_ORDERS:
        asyncio.run(written_by_the_seed(str(guests.http.base_url), game, {1, 2, 3}, LEVELS[ruleset]))
    rating = guests.http.get(f"/v1/games/{game}/rating")
    assert rating.status_code == 404 or rating.json()["reason"] == "not_asked"

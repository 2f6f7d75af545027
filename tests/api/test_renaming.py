"""Names are not in the log: players are renamed and erased, and no game changes."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import psycopg
import pytest
from httpx import Response

from mcmulti.events.store.game_file import GameFile, read
from mcmulti.projections.proof.proof import verify
from tests.api.guests import Guest, Json, Table, problem
from tests.api.owner import Owner
from tests.api.stream_server import served

ME = "/v1/players/me"
SAID = (
    "",
    "/board.svg",
    "/board.txt",
    "/replay",
    "/report",
    "/statements",
    "/statistics",
    "/charts/cash",
    "/ledger.journal",
    "/ledger.beancount",
    "/file",
)
"""Parts of a game with names."""
SILENT = ("/events", "/proof", "/ledger", "/balances", "/flows")
"""Parts of a game without names."""


async def rename(guest: Guest, name: str) -> Response:
    return await guest.client.patch(ME, json={"name": name}, headers={"Authorization": f"Bearer {guest.token}"})


async def erase(guest: Guest) -> Response:
    return await guest.erase()


async def seats(reader: Any, game: str) -> list[str | None]:
    view = (await reader.get(f"/v1/games/{game}")).json()["view"]
    return [seat["name"] for seat in view["seats"]]


async def test_a_player_takes_another_name_in_a_game_that_runs(table: Table) -> None:
    game = await table.market_phase()
    ada, ben = table.guests
    renamed = await rename(ada, " Änne ")
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Änne")
    assert (await ada.get(ME)).json()["name"] == "Änne"
    assert await seats(table.client, game) == await seats(ben, game) == ["Änne", "Ben"]
    told = (await table.client.get(f"/v1/games/{game}/replay")).json()["frames"]
    assert told[1]["happened"][0]["sentence"] == "Änne sits down."
    assert (await rename(ada, "Änne")).status_code == 200, "sent again"
    assert (await ada.send(game, {"type": "RollDice"})).status_code == 200


@pytest.mark.parametrize("path", SAID)
async def test_what_says_names_says_the_new_ones_under_another_tag(table: Table, path: str) -> None:
    """An old tag gets the new response; the head in it has not changed."""
    game = await table.market_phase()
    address = f"/v1/games/{game}{path}"
    before = await table.client.get(address)
    tag = before.headers["etag"]
    assert "Ada" in before.text
    for name in ("Zoe", "Yves"):
        assert (await rename(table.guests[0], name)).status_code == 200
        after = await table.client.get(address, headers={"If-None-Match": tag})
        assert after.status_code == 200
        assert name in after.text
        assert "Ada" not in after.text
        assert after.headers["etag"] != tag
        assert after.headers["etag"].split(";")[0] == tag.split(";")[0]
        tag = after.headers["etag"]


@pytest.mark.parametrize("path", [path for path in SAID if path not in ("/replay", "/file", "/ledger.journal")])
async def test_no_cache_keeps_a_name_of_the_past(table: Table, path: str) -> None:
    game = await table.market_phase()
    answered = await table.client.get(f"/v1/games/{game}{path}", params={"at": 7})
    assert answered.status_code == 200
    assert answered.headers["cache-control"] == "public, no-cache"


@pytest.mark.parametrize("path", SILENT)
async def test_what_says_no_names_is_the_same_as_before(table: Table, path: str) -> None:
    """A player who left the game is erased later."""
    game = await table.market_phase(3)
    assert (await table.guests[1].send(game, {"type": "Resign"})).status_code == 200
    before = await table.client.get(f"/v1/games/{game}{path}")
    assert "Ada" not in before.text
    assert (await rename(table.guests[0], "Zoe")).status_code == 200
    assert (await erase(table.guests[1])).status_code == 204
    known = await table.client.get(f"/v1/games/{game}{path}", headers={"If-None-Match": before.headers["etag"]})
    assert known.status_code == 304
    assert (await table.client.get(f"/v1/games/{game}{path}")).content == before.content


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("BEN", 409, "name_taken"),
        ("B\u0435n", 422, "mixed_scripts"),
        ("Ben.", 409, "name_taken"),
        ("Seat 2", 422, "reserved_name"),
        ("H0use bot", 422, "reserved_name"),
        ("bo\u202et", 422, "unprintable_name"),
        ("\u3164", 422, "unprintable_name"),
        ("a\x1b[2J", 422, "unprintable_name"),
        ("", 400, "invalid_body"),
        ("   ", 400, "invalid_body"),
        ("x" * 41, 400, "invalid_body"),
        (None, 400, "invalid_body"),
    ],
)
async def test_a_new_name_has_to_fit_as_at_registration(table: Table, name: Any, status: int, code: str) -> None:
    ada, _ = await table.guest("Ada"), await table.guest("Ben")
    problem(await rename(ada, name), status, code)
    assert (await ada.get(ME)).json()["name"] == "Ada"
    if name is not None:
        problem(await table.client.post("/v1/players", json={"name": name}), status, code)


async def test_the_old_name_is_free_and_ones_own_may_be_written_otherwise(table: Table) -> None:
    ada = await table.guest("Ada")
    assert (await rename(ada, "ADA")).json()["name"] == "ADA"
    assert (await rename(ada, "Zoe")).status_code == 200
    assert (await table.guest("Ada")).name == "Ada"
    problem(await rename(ada, "Ada"), 409, "name_taken")


async def test_of_two_who_want_a_name_one_gets_it(table: Table) -> None:
    guests = [await table.guest(name) for name in ("Ada", "Ben", "Cleo")]
    answers = await asyncio.gather(*(rename(guest, "Zoe") for guest in guests))
    assert sorted(answered.status_code for answered in answers) == [200, 409, 409]


async def test_who_is_erased_has_no_name_and_no_token_and_the_game_goes_on(table: Table) -> None:
    game = await table.market_phase(3)
    ada, ben, _ = table.guests
    player = (await ben.get(ME)).json()["player"]
    spare = (await ben.post(f"{ME}/tokens", json={"name": "spare", "scopes": ["play"]})).json()["token"]
    answered = await erase(ben)
    assert (answered.status_code, answered.content) == (204, b"")
    for token in (ben.token, spare):
        problem(await Guest(table.client, "Ben", token).get(ME), 401, "unauthenticated")
    problem(await erase(ben), 401, "unauthenticated")
    assert (await table.client.get(f"/v1/players/{player}")).json() == {
        "player": player,
        "name": None,
        "kind": "human",
        "record": None,
        "ratings": [],
    }
    assert await seats(ada, game) == ["Ada", None, "Cleo"]
    left = (await ada.get(f"/v1/games/{game}/events?limit=100")).json()["events"][-1]
    assert (left["type"], left["data"]["why"], left["actor"]) == ("SeatVacated", "resigned", 1)
    for language, seat in (("en", "Seat 2"), ("de", "Platz 2")):
        told = (await ada.get(f"/v1/games/{game}/replay?language={language}")).text
        assert seat in told
    assert (await ada.send(game, {"type": "RollDice"})).status_code == 200
    assert (await table.guest("Ben")).name == "Ben"
    assert await seats(ada, game) == ["Ada", None, "Cleo"], "another Ben"


async def test_seats_at_tables_that_have_not_started_are_left(table: Table) -> None:
    running = await table.start()
    ada, ben = table.guests
    opened = await table.open()
    assert (await erase(ben)).status_code == 204
    assert await seats(ada, opened) == ["Ada", None]
    events = (await ada.get(f"/v1/games/{opened}/events")).json()["events"]
    assert (events[-1]["type"], events[-1]["actor"]) == ("SeatLeft", 1)
    given_up = (await ada.get(f"/v1/games/{running}")).json()["table"]
    assert (given_up["status"], given_up["outcome"]["winners"]) == ("finished", [0])
    cleo = await table.guest("Cleo")
    assert (await cleo.post(f"/v1/games/{opened}/seats", json={})).status_code == 201
    assert await seats(ada, opened) == ["Ada", "Cleo"]


@pytest.mark.parametrize("began", [True, False])
async def test_games_that_take_long_are_left_as_well(table: Table, database: str, began: bool) -> None:
    game = await (table.start() if began else table.open())
    ada, ben = table.guests
    assert await seats(ada, game) == ["Ada", "Ben"]
    for name, moment in (("game", "created_at"), ("seat", "taken_at")):
        Owner(database).do(f"UPDATE {name} SET {moment} = {moment} - interval '100 days'")
    assert (await erase(ben)).status_code == 204
    seat = (await ada.get(f"/v1/games/{game}")).json()["table"]["seats"][1]
    assert (seat["player"], seat["state"]) == (None, "closed" if began else "free")


async def test_nothing_of_who_was_erased_stays_in_the_database(table: Table, database: str) -> None:
    """Not in players, tokens, events, or stored states."""
    game = await table.market_phase()
    ada, _ = table.guests
    await rename(ada, "Wilhelmine")
    await ada.post(f"{ME}/tokens", json={"name": "Wilhelmines Bot", "scopes": ["play"]})
    await table.client.get(f"/v1/games/{game}/report")
    assert (await erase(ada)).status_code == 204
    with psycopg.connect(database) as owner:
        for table_name in ("player", "visitor", "token", "event", "snapshot", "receipt", "seat", "game"):
            rows = owner.execute(f"SELECT * FROM {table_name}").fetchall()
            assert "Wilhelmine" not in repr(rows), table_name
            assert "Ada" not in repr(rows), table_name


async def test_a_token_that_is_made_at_the_same_moment_lets_nobody_in(table: Table) -> None:
    """Whatever comes first: afterward no token of the player is valid."""
    ada = await table.guest("Ada")
    making = [ada.post(f"{ME}/tokens", json={"name": "bot", "scopes": ["account"]}) for _ in range(4)]
    *made, erased = await asyncio.gather(*making, erase(ada))
    assert erased.status_code == 204
    for answered in made:
        if answered.status_code == 201:
            problem(await Guest(table.client, "Ada", answered.json()["token"]).get(ME), 401, "unauthenticated")


async def file_of(reader: Any, game: str) -> bytes:
    found: bytes = (await reader.get(f"/v1/games/{game}/file")).content
    return found


async def test_a_file_has_names_above_the_game_and_is_proven_with_any(table: Table) -> None:
    """Ben left the game before he was erased."""
    game = await table.market_phase(3)
    ada, ben, _ = table.guests
    await ben.send(game, {"type": "Resign"})
    before = await file_of(table.client, game)
    await rename(ada, "Zoe")
    await erase(ben)
    after = await file_of(table.client, game)
    named = read(before.splitlines()).file.names
    assert sorted(named.values()) == ["Ada", "Ben", "Cleo"]
    assert sorted(read(after.splitlines()).file.names.values()) == ["Cleo", "Zoe"]
    assert before.splitlines()[1:] == after.splitlines()[1:]
    first = msgspec.structs.replace(read(after.splitlines()).file, names=dict.fromkeys(named, "Anybody"))
    changed = read([msgspec.json.encode(first), *after.splitlines()[1:]])
    assert changed.file.signature == read(before.splitlines()).file.signature
    assert verify(changed.events).fault is None


@pytest.fixture
async def two(database: str) -> AsyncIterator[list[Table]]:
    """Two servers on one database."""
    async with served(database) as (_, first), served(database) as (_, second):
        yield [first, second]


async def test_another_server_says_the_new_name_at_once(two: list[Table]) -> None:
    """Both have responded with the old one; one learns the new one from the other, through the database."""
    here, there = two
    game = await here.market_phase()
    ada, ben = here.guests
    elsewhere = [Guest(there.client, guest.name, guest.token) for guest in here.guests]
    for path in ("", "?at=7"):
        assert "Ada" in (await elsewhere[1].get(f"/v1/games/{game}{path}")).text
    assert (await elsewhere[0].get(ME)).json()["name"] == "Ada"
    assert (await rename(ada, "Zoe")).status_code == 200
    async with asyncio.timeout(60):
        for path in ("", "?at=7", "/statistics"):
            while "Zoe" not in (text := (await elsewhere[1].get(f"/v1/games/{game}{path}")).text):
                assert "Ada" in text
        while (await elsewhere[0].get(ME)).json()["name"] != "Zoe":
            pass
        assert (await erase(ben)).status_code == 204
        while (await elsewhere[1].get(ME)).status_code == 200:
            pass
        while await seats(there.client, game) != ["Zoe", None]:
            pass


def hostile(first: Json, **changes: Any) -> bytes:
    return msgspec.json.encode({**first, **changes})


@pytest.mark.parametrize(
    "names",
    [
        {"00000000-0000-4000-9000-000000000001": "\u202eevil"},
        {"00000000-0000-4000-9000-000000000001": "\x1b[2J"},
        {"00000000-0000-4000-9000-000000000001": ""},
        {"00000000-0000-4000-9000-000000000001": " Ada"},
        {"00000000-0000-4000-9000-000000000001": "x" * 41},
        {"00000000-0000-4000-9000-00000000000A": "Ada"},
        {"nobody": "Ada"},
        {"00000000-0000-4000-9000-000000000001": 1},
        [],
    ],
)
async def test_a_file_with_names_that_nobody_can_have_is_none(table: Table, names: Any) -> None:
    game = await table.start()
    first, *rest = (await file_of(table.client, game)).splitlines()
    with pytest.raises(ValueError, match="line 1"):
        read([hostile(msgspec.json.decode(first), names=names), *rest])
    fitting = {"00000000-0000-4000-9000-000000000001": "Zoë"}
    found = read([hostile(msgspec.json.decode(first), names=fitting), *rest])
    assert isinstance(found.file, GameFile)
    assert found.file.names == fitting

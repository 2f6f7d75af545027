"""Tables that ask for bots of the server as opponents."""

from collections.abc import AsyncIterator
from hashlib import sha256
from typing import cast
from uuid import uuid4

import pytest
from httpx import AsyncClient

from mcmulti.api.admission.house import LEVELS, OPPONENTS, opponent, opponents
from mcmulti.api.admission.open_games import OpenGames
from mcmulti.api.http.problems import ApiError
from mcmulti.bots.strategies.registry import STRATEGIES, strategies_of
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player, Token
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.children.house import registered
from mcmulti.server.process import bound
from tests.api.applications import answering_again
from tests.api.guests import Guest, Json, Table, problem
from tests.profiles import profile_of


@pytest.fixture
async def house() -> AsyncIterator[Table]:
    """A server that runs house bots, none of which plays."""
    log = MemoryLog()
    with bound("127.0.0.1", 0) as listener:
        async with answering_again(log, listener, house_bots=True) as address, AsyncClient(base_url=address) as client:
            yield Table(client, cast(PostgresLog, log))


async def bot(table: Table, level: str, number: int) -> Guest:
    """One of the opponents."""
    player, token, now = opponent(level, number), f"{level} {number}", await table.log.now()
    await registered(table.log, player, level.capitalize(), number)
    made = Token(uuid4(), "test", ("read", "play"), now)
    await table.log.add_token(player, made, sha256(token.encode()).digest())
    return Guest(table.client, level, token)


async def opens(guest: Guest, **wish: object) -> Json:
    """The table of a new game."""
    answered = await guest.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 4}, **wish})
    assert answered.status_code == 201, answered.text
    table: Json = answered.json()["table"]
    return table


def test_the_levels_are_the_strategies_that_there_are_and_random_is_the_weakest() -> None:
    """A game that is plugged in without strategies has the weakest alone."""
    assert {name: sorted(LEVELS[name]) for name in SHIPPED} == {
        name: sorted(strategies) for name, strategies in STRATEGIES.items()
    }
    assert all(LEVELS[name][0] == "random" for name in CURRENT)
    assert strategies_of("another") == ("random",)


def test_every_table_can_be_filled_with_bots_of_one_level() -> None:
    """At most five sit at a table of any game; one of them is a person."""
    assert set(CURRENT) == set(LEVELS)
    assert OPPONENTS == 4
    levels = {level for name in CURRENT for level in profile_of(name).levels}
    assert len({*opponents()}) == len(opponents()) == OPPONENTS * len(levels)
    assert opponents()[opponent("tycoon", 2)] == ("tycoon", 2)


async def test_rule_sets_say_at_which_levels_the_server_plays(house: Table, table: Table) -> None:
    levels = {name: [*profile_of(name).levels] for name in SHIPPED}
    for server, expected in ((house, levels), (table, {ruleset: [] for ruleset in levels})):
        told = (await server.client.get("/v1/rulesets")).json()["rulesets"]
        assert {each["name"]: each["house_bots"] for each in told if each["name"] in SHIPPED} == expected
        assert {each["name"] for each in told} == CURRENT.keys()


async def test_the_last_seats_are_for_bots_of_the_server_and_those_before_for_any(house: Table) -> None:
    ada = await house.guest("Ada")
    shown = await opens(ada, house_bots=["random", "magnate"], bots=1)
    assert shown["bots"] == [1]
    assert shown["house_bots"] == [{"seat": 2, "level": "random"}, {"seat": 3, "level": "magnate"}]
    magnate, tycoon = await bot(house, "magnate", 1), await bot(house, "tycoon", 1)
    game = shown["game"]
    taken = await magnate.post(f"/v1/games/{game}/seats", json={"seat": 3})
    shown = taken.json()["table"]
    assert shown["house_bots"] == [{"seat": 2, "level": "random"}]
    assert (shown["seats"][3]["name"], shown["seats"][3]["kind"], shown["seats"][3]["state"]) == (
        "Magnate",
        "bot",
        "taken",
    )
    for guest, seat in ((ada, 0), (tycoon, 2)):
        assert (await guest.post(f"/v1/games/{game}/seats", json={"seat": seat})).status_code == 201
    await ada.send(game, {"type": "StartGame"})
    shown = (await ada.get(f"/v1/games/{game}")).json()["table"]
    assert (shown["status"], shown["bots"], shown["house_bots"]) == ("running", [], [])


async def test_bots_of_the_server_leave_the_seat_free_that_somebody_wants(house: Table) -> None:
    ada = await house.guest("Ada")
    shown = await opens(ada, house_bots=["random", "magnate", "tycoon"], seat=2)
    assert shown["house_bots"] == [
        {"seat": 0, "level": "random"},
        {"seat": 1, "level": "magnate"},
        {"seat": 3, "level": "tycoon"},
    ]
    shown = await opens(ada, house_bots=["random"], seat=0)  # which they leave free anyway
    assert shown["house_bots"] == [{"seat": 3, "level": "random"}]
    wish = {"ruleset": "mcmulti", "setup": {"seats": 2}, "house_bots": ["random"], "seat": 2}
    assert problem(await ada.post("/v1/games", json=wish), 409, "out_of_range")["limit"] == 1


async def test_house_bots_find_every_table_that_asked_for_them_until_the_game_is_over(house: Table) -> None:
    ada, zoe = await house.guest("Ada"), await house.guest("Zoe")
    tycoon = await bot(house, "tycoon", 1)
    hidden = (await opens(ada, house_bots=["tycoon"], listed=False, setup={"seats": 2}))["game"]
    closed = (await opens(ada, house_bots=["tycoon"], invited=[]))["game"]
    await opens(ada, bots=1)

    async def listed(guest: Guest) -> list[str]:
        rows = (await guest.get("/v1/games?house_bots=true&order=moved")).json()["games"]
        return [row["game"] for row in rows]

    assert (await listed(tycoon), await listed(zoe)) == ([closed, hidden], [closed])
    for game in (closed, hidden):
        assert (await tycoon.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    problem(await zoe.post(f"/v1/games/{closed}/seats", json={}), 403, "not_invited")
    await ada.post(f"/v1/games/{hidden}/seats", json={})
    await ada.send(hidden, {"type": "StartGame"})
    assert await listed(tycoon) == [hidden, closed]
    await ada.send(hidden, {"type": "Resign"})
    assert await listed(tycoon) == [closed]


async def test_what_cannot_be_had_is_refused_and_opens_no_table(house: Table, table: Table) -> None:
    ada, ben = await house.guest("Ada"), await table.guest("Ben")

    async def refused(guest: Guest, code: str, status: int = 422, **wish: object) -> str:
        told: Json = problem(await guest.post("/v1/games", json={"ruleset": "mcmulti", **wish}), status, code)
        return str(told["detail"])

    assert "runs no bots of its own" in await refused(ben, "no_house_bots", 409, house_bots=["tycoon"])
    assert "random, tycoon, magnate" in await refused(ada, "unknown_level", house_bots=["gambler"])
    three = {"seats": 3}
    full = await refused(ada, "too_many_house_bots", house_bots=["tycoon"] * 3, setup=three)
    assert full == "At a table with 3 seats, ask for 2 or fewer: one seat is for somebody else."
    for wrong in (["tycoon"] * 5, "tycoon", [""], ["Tycoon"], [1], None):
        await refused(ada, "invalid_body", 400, house_bots=wrong)
    for guest in (ada, ben):
        assert (await guest.get("/v1/games")).json()["games"] == []


async def test_other_levels_under_the_same_key_are_another_request(house: Table) -> None:
    ada = await house.guest("Ada")
    key = {"Idempotency-Key": "k"}
    body = {"ruleset": "mcmulti", "house_bots": ["tycoon"]}
    first = await ada.post("/v1/games", json=body, headers=key)
    again = await ada.post("/v1/games", json=body, headers=key)
    assert (again.json()["game"], again.headers["Idempotent-Replayed"]) == (first.json()["game"], "true")
    problem(await ada.post("/v1/games", json={**body, "house_bots": ["magnate"]}, headers=key), 422, "key_reused")


async def test_a_rematch_is_for_the_people_and_asks_for_the_same_bots(house: Table) -> None:
    ada, tycoon = await house.guest("Ada"), await bot(house, "tycoon", 1)
    game = (await opens(ada, house_bots=["tycoon"], setup={"seats": 2}))["game"]
    for guest in (ada, tycoon):
        await guest.post(f"/v1/games/{game}/seats", json={})
    await ada.send(game, {"type": "StartGame"})
    await ada.send(game, {"type": "Resign"})
    rematch = (await ada.post(f"/v1/games/{game}/rematch")).json()["table"]
    assert rematch["house_bots"] == [{"seat": 1, "level": "tycoon"}]
    invited = (await ada.get(f"/v1/games/{rematch['game']}/invitations")).json()["invited"]
    assert [each["name"] for each in invited] == ["Ada"]


async def test_a_house_bot_may_sit_at_any_number_of_tables(house: Table) -> None:
    """People abandon games; that must not lock out those who come after them."""
    ada, tycoon = Player(uuid4(), "Ada", "bot"), Player(opponent("tycoon", 1), "Tycoon", "bot")
    full = OpenGames(house.log, 0)
    with pytest.raises(ApiError, match="games that are not over"):
        async with full.room(ada, None):
            pass
    async with full.room(tycoon, None):
        pass


async def test_a_name_that_somebody_bears_gets_the_next_number(house: Table) -> None:
    await house.guest("Tycoon")
    for number in (1, 2):
        await registered(house.log, opponent("tycoon", number), "Tycoon", number)
    called = [await house.log.player(opponent("tycoon", number)) for number in (1, 2)]
    assert called == [Player(opponent("tycoon", n), f"Tycoon {n + 1}", "bot") for n in (1, 2)]


async def test_a_branch_leaves_the_seat_free_that_somebody_wants(house: Table) -> None:
    """Of four seats, the last three are for bots. If seat 2 must be free, they are 0, 1, and 3, in this order."""
    game = await house.start(4)
    at = (await house.client.get(f"/v1/games/{game}")).json()["seq"]
    for guest in house.guests[1:4]:
        assert (await guest.send(game, {"type": "Resign"})).status_code == 200

    async def asked(levels: list[str], **more: int) -> list[tuple[int, str]]:
        body = {"at": at, "house_bots": levels, **more}
        opened = await house.guests[0].post(f"/v1/games/{game}/branches", json=body)
        assert opened.status_code == 201, opened.text
        return [(each["seat"], each["level"]) for each in opened.json()["table"]["house_bots"]]

    levels = ["random", "tycoon", "magnate"]
    assert await asked(levels) == [(1, "random"), (2, "tycoon"), (3, "magnate")]
    assert await asked(levels, seat=0) == [(1, "random"), (2, "tycoon"), (3, "magnate")]
    assert await asked(levels, seat=2) == [(0, "random"), (1, "tycoon"), (3, "magnate")]
    assert await asked(["tycoon"], seat=3) == [(2, "tycoon")]
    refused = await house.guests[0].post(f"/v1/games/{game}/branches", json={"at": at, "seat": 4})
    said = problem(refused, 409, "out_of_range")
    assert (said["rule"], said["field"], said["limit"]) == ("table/join", "seat", 3)

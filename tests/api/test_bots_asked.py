"""Tables that ask for bots."""

from tests.api.guests import problem
from tests.api.two_servers import TwoServers


async def test_a_table_asks_for_bots_only_where_that_was_said(servers: TwoServers) -> None:
    ada = await servers.guest("Ada")
    plain, asking = await ada.opens(), await ada.opens(bots=1)
    assert (plain["table"]["bots"], asking["table"]["bots"]) == ([], [1])
    assert await ada.lists("bots=true", server=1) == [asking["game"]]
    for wrong in (-1, 17, 1.5, True, "1"):
        problem(await ada.post("/v1/games", {"ruleset": "mcmulti", "bots": wrong}), 400, "invalid_body")


async def test_it_asks_until_the_seats_are_taken_or_it_begins(servers: TwoServers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    game = (await ada.opens(bots=2))["game"]
    await ada.sits(game)
    assert (await ada.get(f"/v1/games/{game}")).json()["table"]["bots"] == [1]
    taken = await ben.post(f"/v1/games/{game}/seats", {"seat": 0})
    problem(taken, 409, "seat_taken")
    assert (await ben.post(f"/v1/games/{game}/seats", {"seat": 1}, server=1)).status_code == 201
    assert await ada.lists("bots=true") == []
    await ben.sends(game, "LeaveSeat")
    assert await ada.lists("bots=true", server=1) == [game]
    await ben.sits(game)
    await ada.sends(game, "StartGame")
    await ben.sends(game, "Resign")
    assert (await ada.get(f"/v1/games/{game}")).json()["table"]["bots"] == []


async def test_more_bots_than_seats_are_all_of_them(servers: TwoServers) -> None:
    ada = await servers.guest("Ada")
    assert (await ada.opens(bots=16))["table"]["bots"] == [0, 1]


async def test_another_number_of_bots_is_another_request(servers: TwoServers) -> None:
    ada = await servers.guest("Ada")
    first = await ada.opens(key="k", bots=1)
    assert (await ada.opens(key="k", bots=1))["game"] == first["game"]
    body = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0}, "bots": 2}
    problem(await ada.post("/v1/games", body, Idempotency_Key="k"), 422, "key_reused")


async def test_who_is_not_invited_finds_no_table_that_is_not_listed_by_what_it_asks(servers: TwoServers) -> None:
    ada, bot = await servers.guest("Ada"), await servers.guest("Bot")
    game = (await ada.opens(bots=1, listed=False))["game"]
    assert (await ada.lists("bots=true"), await bot.lists("bots=true")) == ([game], [])
    closed = (await ada.opens(bots=1, invited=[]))["game"]
    problem(await bot.post(f"/v1/games/{closed}/seats", {"seat": 1}), 403, "not_invited")

"""Companions: one player holds several seats at a practice table, for people who share a device."""

from typing import Any
from uuid import UUID

from tests.api.guests import Guest, Json, Table, problem

SETUP = {"seats": 3, "first_seat": 0, "practice": True}


def companion(guest: Guest, number: int) -> Guest:
    """Who shares a guest's device: the same token, and a number behind it."""
    return Guest(guest.client, f"{number} of {guest.name}", f"{guest.token}~{number}")


async def opened(guest: Guest, **more: Any) -> str:
    answer = await guest.post("/v1/games", json={"ruleset": "mcmulti", "setup": SETUP, **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["game"])


async def sits(guest: Guest, game: str, **more: Any) -> Json:
    answer = await guest.post(f"/v1/games/{game}/seats", json=more)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def test_one_player_holds_several_seats_and_each_sees_and_moves_its_own(table: Table) -> None:
    ada = await table.guest("Ada")
    ben, cleo = companion(ada, 1), companion(ada, 2)
    game = await opened(ada, listed=False, invited=[])
    path = f"/v1/games/{game}"
    assert [(await sits(ada, game))["seat"], (await sits(ben, game, name=" Ben "))["seat"]] == [0, 1]
    shown = (await sits(cleo, game, name="Cleo"))["table"]
    assert [(seat["name"], seat["state"]) for seat in shown["seats"]] == [
        ("Ada", "taken"),
        ("Ben", "companion"),
        ("Cleo", "companion"),
    ]
    assert [seat["player"][-1] for seat in shown["seats"][1:]] == ["1", "2"]
    assert (shown["practice"], shown["rated"]) == (True, False)
    assert (await ben.send(game, {"type": "StartGame"})).status_code == 200
    first = (await ada.get(path)).json()
    assert [(await guest.get(path)).json()["view"]["you"] for guest in (ada, ben, cleo)] == [0, 1, 2]
    assert first["table"]["to_move"] == [0]
    problem(await ben.send(game, {"type": "EndPurchases"}), 409, "out_of_turn")
    assert (await ada.send(game, {"type": "EndPurchases"})).status_code == 200
    offered = (await ben.get(f"{path}/offers")).json()
    assert (offered["seat"], "EndPurchases" in [offer["command"] for offer in offered["offers"]]) == (1, True)
    assert (await ben.send(game, {"type": "EndPurchases"})).status_code == 200
    log = (await ada.get(f"{path}/events?limit=100")).json()["events"]
    assert [event["actor"] for event in log if event["type"] == "PurchasesEnded"] == [0, 1]


async def test_a_game_that_waits_for_a_companion_is_among_those_that_wait_for_the_opener(table: Table) -> None:
    ada, eve = await table.guest("Ada"), await table.guest("Eve")
    ben = companion(ada, 1)
    game = await opened(ada, setup={**SETUP, "seats": 2})
    await sits(ada, game)
    await sits(ben, game, name="Ben")

    async def waiting(guest: Guest) -> list[str]:
        return [each["game"] for each in (await guest.get("/v1/games?my_turn=true")).json()["games"]]

    assert await waiting(ada) == []
    assert (await ada.send(game, {"type": "StartGame"})).status_code == 200
    assert await waiting(ada) == [game]
    moved = (await ada.send(game, {"type": "EndPurchases"})).json()
    assert moved["table"]["to_move"] == [1]
    assert await waiting(ada) == [game]
    assert await waiting(eve) == []
    async with ada.client.stream(
        "GET", "/v1/games/stream?my_turn=true&limit=1", headers={"Authorization": f"Bearer {ada.token}"}
    ) as stream:
        told = (await stream.aread()).decode()
    assert game in told


async def test_only_the_opener_of_a_practice_table_brings_companions(table: Table) -> None:
    ada, eve = await table.guest("Ada"), await table.guest("Eve")
    game = await opened(ada)
    seats = f"/v1/games/{game}/seats"
    problem(await companion(eve, 1).post(seats, json={"name": "Ben"}), 403, "no_companions")
    serious = await table.open(2)
    problem(await companion(ada, 1).post(f"/v1/games/{serious}/seats", json={"name": "Ben"}), 403, "no_companions")
    problem(await companion(ada, 1).get(f"/v1/games/{serious}/offers"), 403, "no_seat")
    problem(await companion(ada, 1).post(seats, json={}), 400, "invalid_body")
    problem(await ada.post(seats, json={"name": "Ann"}), 403, "no_companions")
    await sits(ada, game)
    problem(await companion(ada, 1).post(seats, json={"name": "ADA"}), 409, "name_taken")
    problem(await companion(ada, 1).post(seats, json={"name": "Seat 2"}), 422, "reserved_name")
    await sits(companion(ada, 1), game, name="Ben")
    problem(await companion(ada, 1).post(seats, json={"name": "Ben"}), 409, "already_seated")
    for suffix in ("0", "6", "11", "x", "", "1~1"):
        wrong = Guest(ada.client, "nobody", f"{ada.token}~{suffix}")
        problem(await wrong.get(f"/v1/games/{game}"), 401, "unauthenticated")
    for path in ("/v1/players/me", "/v1/games?mine=true"):
        problem(await companion(ada, 1).get(path), 403, "only_at_table")
    problem(await companion(ada, 1).get(f"/v1/games/{game}/invitations"), 403, "not_opener")


async def test_what_is_practice_is_neither_rated_nor_kept_of_anybody(table: Table) -> None:
    ada, eve = await table.guest("Ada"), await table.guest("Eve")
    clock = {"move_seconds": 3600}
    rated = {"ruleset": "mcmulti", "setup": {**SETUP, "clock": clock}, "rated": True}
    problem(await ada.post("/v1/games", json=rated), 422, "rated_practice")
    game = await opened(ada)
    ben = companion(ada, 1)
    await sits(ada, game)
    await sits(ben, game, name="Ben")
    await sits(eve, game)
    await ada.send(game, {"type": "StartGame"})
    for guest in (ben, eve):
        assert (await guest.send(game, {"type": "Resign"})).status_code == 200
    shown = (await eve.get(f"/v1/games/{game}")).json()["table"]
    assert shown["status"] == "finished"
    for guest, player in ((ada, shown["opened_by"]), (eve, (await eve.get("/v1/players/me")).json()["player"])):
        assert (await guest.get(f"/v1/players/{player}")).json()["record"]["rulesets"] == []
    problem(await ben.post(f"/v1/games/{game}/rematch"), 403, "no_seat")
    again = (await ada.post(f"/v1/games/{game}/rematch")).json()
    assert again["table"]["practice"]
    await sits(companion(ada, 1), again["game"], name="Ben")


async def test_companions_are_forgotten_with_their_player(table: Table) -> None:
    ada, eve = await table.guest("Ada"), await table.guest("Eve")
    game = await opened(ada)
    await sits(ada, game)
    shown = (await sits(companion(ada, 1), game, name="Ben"))["table"]
    ben = UUID(shown["seats"][1]["player"])
    assert await table.log.names([ben]) == {ben: "Ben"}
    await ada.erase()
    assert await table.log.names([ben]) == {}
    seats = (await eve.get(f"/v1/games/{game}")).json()["table"]["seats"]
    assert [seat["name"] for seat in seats] == [None, None, None]

"""Rematch: one table, whoever asks, for the same players."""

import asyncio
from typing import Any
from uuid import UUID, uuid4, uuid5

from tests.api.guests import problem
from tests.api.two_servers import TwoServers, Visitor


async def played(ada: Visitor, ben: Visitor, **access: Any) -> str:
    """A finished game of two: Ben resigned."""
    game = str((await ada.opens(**access))["game"])
    for guest in (ada, ben):
        assert (await guest.sits(game)).status_code == 201
    await ada.sends(game, "StartGame")
    await ben.sends(game, "Resign")
    return game


async def test_those_who_played_sit_down_again(servers: TwoServers) -> None:
    ada, ben, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Eve")]
    old = await played(ada, ben)
    before = await ada.get(f"/v1/games/{old}")
    assert before.json()["table"]["rematch"] is None
    opened = await ben.post(f"/v1/games/{old}/rematch")
    assert opened.status_code == 201, opened.text
    table, new = opened.json()["table"], opened.json()["game"]
    assert new == str(uuid5(UUID(old), "rematch"))
    assert opened.headers["location"] == f"/v1/games/{new}"
    assert (table["status"], table["opened_by"], table["rematch_of"], table["closed"]) == ("open", ben.id, old, True)
    assert [seat["player"] for seat in table["seats"]] == [None, None]
    assert opened.json()["view"]["setup"] == before.json()["view"]["setup"]
    problem(await eve.sits(new), 403, "not_invited")
    assert await ada.lists("invited=true", 1) == [new]
    for guest in (ada, ben):
        assert (await guest.sits(new)).status_code == 201
    await ada.sends(new, "StartGame")


async def test_the_old_table_names_the_new_one_on_every_server(servers: TwoServers) -> None:
    """Though the game has not moved: its entity tag is another one."""
    ada, ben, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Eve")]
    old = await played(ada, ben)
    path = f"/v1/games/{old}"
    tags = [(await guest.get(path, server)).headers["etag"] for guest in (ada, eve) for server in (0, 1)]
    assert (await eve.get(path, 1, headers={"If-None-Match": tags[3]})).status_code == 304
    new = (await ada.post(f"{path}/rematch")).json()["game"]
    for (guest, server), tag in zip([(ada, 0), (ada, 1), (eve, 0), (eve, 1)], tags, strict=True):
        told = await guest.get(path, server, headers={"If-None-Match": tag})
        assert told.status_code == 200
        assert told.json()["table"]["rematch"] == new
        assert (await guest.get(path, server, headers={"If-None-Match": told.headers["etag"]})).status_code == 304
        rows = (await guest.get("/v1/games", server)).json()["games"]
        assert [(row["game"], row["rematch"], row["rematch_of"]) for row in rows] == [
            (new, None, old),
            (old, new, None),
        ]
    last = (await ada.get(path)).json()["seq"]
    assert (await ada.get(f"{path}?at={last}")).json()["table"]["rematch"] is None


async def test_who_asks_at_once_gets_the_same_table(servers: TwoServers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    old = await played(ada, ben)
    asked = [ada.post(f"/v1/games/{old}/rematch", server=0), ben.post(f"/v1/games/{old}/rematch", server=1)]
    done = await asyncio.gather(*asked)
    assert sorted(answered.status_code for answered in done) == [200, 201]
    assert len({answered.json()["game"] for answered in done}) == 1
    assert (await ada.sits(done[0].json()["game"])).status_code == 201
    later = await ben.post(f"/v1/games/{old}/rematch")
    assert (later.status_code, later.json()["table"]["seats"][0]["player"]) == (200, ada.id)


async def test_a_request_that_is_repeated_gets_its_answer_again(servers: TwoServers) -> None:
    ada, ben, key = await servers.guest("Ada"), await servers.guest("Ben"), uuid4().hex
    old = await played(ada, ben)
    first = await ada.post(f"/v1/games/{old}/rematch", Idempotency_Key=key)
    assert (await ben.sits(first.json()["game"])).status_code == 201
    again = await ada.post(f"/v1/games/{old}/rematch", server=1, Idempotency_Key=key)
    assert (again.status_code, again.content) == (201, first.content)
    assert (first.headers.get("idempotent-replayed"), again.headers["idempotent-replayed"]) == (None, "true")
    other = await ben.post(f"/v1/games/{old}/rematch", Idempotency_Key=key)
    assert (other.status_code, other.headers.get("idempotent-replayed")) == (200, None)


async def test_it_follows_a_game_that_is_over_for_those_who_played_it(servers: TwoServers) -> None:
    ada, ben, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Eve")]
    game = (await ada.opens())["game"]
    for guest in (ada, ben):
        assert (await guest.sits(game)).status_code == 201
    problem(await ada.post(f"/v1/games/{game}/rematch"), 409, "unfinished")
    await ada.sends(game, "StartGame")
    problem(await ada.post(f"/v1/games/{game}/rematch"), 409, "unfinished")
    await ben.sends(game, "Resign")
    problem(await eve.post(f"/v1/games/{game}/rematch"), 403, "no_seat")
    problem(await ada.post(f"/v1/games/{uuid4()}/rematch"), 404, "unknown_game")
    assert await eve.lists() == [game]


async def test_who_sat_down_and_left_before_the_start_did_not_play(servers: TwoServers) -> None:
    ada, ben, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Eve")]
    game = (await ada.opens())["game"]
    assert (await eve.sits(game)).status_code == 201
    await eve.sends(game, "LeaveSeat")
    for guest in (ada, ben):
        assert (await guest.sits(game)).status_code == 201
    await ada.sends(game, "StartGame")
    await ben.sends(game, "Resign")
    problem(await eve.post(f"/v1/games/{game}/rematch"), 403, "no_seat")


async def test_what_was_not_listed_stays_so(servers: TwoServers) -> None:
    ada, ben, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Eve")]
    old = await played(ada, ben, listed=False, invited=["Ben"])
    new = (await ada.post(f"/v1/games/{old}/rematch")).json()["game"]
    assert await eve.lists() == []
    assert await ben.lists() == await ada.lists() == [new, old]


async def test_who_was_erased_is_not_invited(servers: TwoServers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    old = await played(ada, ben)
    await ben.erases_itself()
    new = (await ada.post(f"/v1/games/{old}/rematch")).json()["game"]
    invited = (await ada.get(f"/v1/games/{new}/invitations")).json()["invited"]
    assert [one["player"] for one in invited] == [ada.id]


async def test_there_is_a_rematch_of_a_rematch(servers: TwoServers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    games = [await played(ada, ben)]
    for _ in range(2):
        games.append((await ben.post(f"/v1/games/{games[-1]}/rematch")).json()["game"])
        for guest in (ada, ben):
            assert (await guest.sits(games[-1])).status_code == 201
        await ada.sends(games[-1], "StartGame")
        await ben.sends(games[-1], "Resign")
    tables = [(await ada.get(f"/v1/games/{game}")).json()["table"] for game in games]
    assert [table["rematch"] for table in tables] == [*games[1:], None]
    assert [table["rematch_of"] for table in tables] == [None, *games[:-1]]

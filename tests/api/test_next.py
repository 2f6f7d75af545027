"""What a seat decides on next, in the response to its commands and in the stream of its games: the same as in reads."""

from typing import Any

import pytest

from tests.api.guests import Guest, Json, Table, problem
from tests.api.sealed_game import SECRET, submit
from tests.api.stream_client import NDJSON, SSE, StreamClient
from tests.api.stream_server import served


async def looked(guest: Guest, game: str, language: str = "en") -> Json:
    """The same by two requests."""
    offers = await guest.get(f"/v1/games/{game}/offers", params={"language": language})
    view = (await guest.get(f"/v1/games/{game}")).json()["view"]
    return {"view": view, "offers": offers.json(), "etag": f'"{offers.json()["seq"]}-{offers.json()["hash"]}"'}


async def sent(guest: Guest, game: str, command: Json, key: str | None = None, **query: Any) -> Json:
    headers = {} if key is None else {"Idempotency-Key": key}
    body = {"commands": [command]}
    answered = await guest.post(f"/v1/games/{game}/commands", json=body, params=query, headers=headers)
    assert answered.status_code == 200, answered.text
    told: Json = answered.json()
    return told


async def test_an_answer_says_what_comes_next_if_it_is_asked_to(table: Table) -> None:
    game = await table.start(2)
    ada = table.guests[0]
    plain = await sent(ada, game, {"type": "EndPurchases"})
    assert "next" not in plain
    ben = table.guests[1]
    told = await sent(ben, game, {"type": "EndPurchases"}, offers=True, language="de")
    assert told["next"] == await looked(ben, game, "de")
    assert told["next"]["offers"]["hash"] == told["hash"]


async def test_what_comes_next_is_decided_on_by_its_tag(table: Table) -> None:
    game = await table.start(2)
    ada, ben = table.guests[:2]
    now = (await sent(ada, game, {"type": "EndPurchases"}, offers=True))["next"]
    await sent(ben, game, {"type": "EndPurchases"})
    late = {"json": {"commands": [{"type": "Resign"}]}, "headers": {"If-Match": now["etag"]}}
    problem(await ada.post(f"/v1/games/{game}/commands", **late), 412, "stale")
    again = await looked(ada, game)
    resigned = await ada.post(
        f"/v1/games/{game}/commands",
        json={"commands": [{"type": "Resign"}]},
        headers={"If-Match": again["etag"]},
        params={"offers": True},
    )
    assert resigned.status_code == 200
    assert resigned.json()["table"]["status"] == "finished"
    assert resigned.json().get("next", {"offers": {"offers": []}})["offers"]["offers"] == []


async def test_a_request_that_is_repeated_says_how_it_stands_now(table: Table) -> None:
    game = await table.start(2)
    ada, ben = table.guests[:2]
    key = "a" * 32
    first = await sent(ada, game, {"type": "EndPurchases"}, key, offers=True)
    await sent(ben, game, {"type": "EndPurchases"})
    again = await sent(ada, game, {"type": "EndPurchases"}, key, offers=True)
    assert again["seq"] == first["seq"]
    assert again["next"] == await looked(ada, game)
    assert again["next"]["offers"]["seq"] > first["next"]["offers"]["seq"]


async def test_a_trial_says_nothing_of_what_comes_next(table: Table) -> None:
    game = await table.start(2)
    told = await sent(table.guests[0], game, {"type": "EndPurchases"}, offers=True, dry_run=True)
    assert "next" not in told


async def test_only_ones_own_sheet_is_in_it(table: Table) -> None:
    game = await table.start(4, ruleset="postal")
    for guest in table.guests[:2]:
        told = await sent(guest, game, submit(SECRET), offers=True)
        assert told["next"] == await looked(guest, game)


@pytest.mark.parametrize("accept", [SSE, NDJSON])
async def test_the_stream_of_a_player_says_it_with_each_turn_if_it_is_asked_to(database: str, accept: str) -> None:
    async with served(database) as (address, table):
        game = await table.start(2)
        ada, ben = table.guests[:2]
        await sent(ada, game, {"type": "EndPurchases"})
        async with (
            StreamClient.open(address, "/v1/stream?offers=true&language=de", accept, ben.token) as to_ben,
            StreamClient.open(address, "/v1/stream", accept, ben.token) as plainly,
        ):
            turn = await to_ben.next()
            assert turn["type"] == "YourTurn"
            assert turn["next"] == await looked(ben, game, "de")
            assert "next" not in await plainly.next()
            await ada.send(game, {"type": "Resign"})
            over = await to_ben.next()
            assert (over["type"], "next" in over) == ("GameOver", False)

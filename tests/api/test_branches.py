"""Branches: a finished game goes on from any of its moments, a running one as far as its players know it."""

from typing import Any
from uuid import uuid4

import msgspec

from mcmulti.events.store.game_file import read
from mcmulti.projections.proof.proof import verify
from tests.api.guests import Guest, Json, Table, problem
from tests.api.rated_games import begun, come
from tests.api.sealed_game import OTHER, submit
from tests.pure.library.random_games import middle

RESIGN = {"type": "Resign"}


async def branched(guest: Guest, game: str, at: int, **more: Any) -> Json:
    answered = await guest.post(f"/v1/games/{game}/branches", json={"at": at, **more})
    assert answered.status_code == 201, answered.text
    found: Json = answered.json()
    return found


async def events_of(guest: Guest, game: str) -> list[Json]:
    found: list[Json] = (await guest.get(f"/v1/games/{game}/events?limit=1000")).json()["events"]
    return found


async def seated(game: str, *guests: Guest) -> Json:
    """The guests sit down and start; what the start led to."""
    for guest in guests:
        assert (await guest.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    started = await guests[0].send(game, {"type": "StartGame"})
    assert started.status_code == 200, started.text
    found: Json = started.json()
    return found


async def test_a_finished_game_goes_on_from_any_moment_and_stays_as_it_was(table: Table) -> None:
    game = await table.market_phase()
    ada, ben = table.guests
    bought = await ada.send(game, {"type": "BuyBarrels", "market": "domestic", "good": "crude", "quantity": 2})
    assert bought.status_code == 200, bought.text
    at = bought.json()["seq"]
    then = (await ada.get(f"/v1/games/{game}")).json()
    problem(await (await table.guest("Eve")).post(f"/v1/games/{game}/branches", json={"at": at}), 403, "no_seat")
    assert (await ben.send(game, RESIGN)).status_code == 200
    before = await events_of(ada, game)

    eve = table.guests[2]  # who did not sit there: anybody may try what else could have been
    opened = await branched(eve, game, at)
    branch = opened["game"]
    moment = {"game": game, "seq": at, "hash": then["hash"]}
    assert (opened["branch_of"], opened["table"]["practice"], opened["table"]["listed"]) == (moment, True, False)
    assert (await events_of(eve, branch))[0]["data"]["origin"]["branch_of"] == moment
    # Adding a player's token is not enough to see unlisted tables in lists, but who sits there does.
    started = await seated(branch, eve, ada)
    [set_up] = [event for event in started["events"] if event["type"] == "PositionSetUp"]
    assert set_up["data"]["branch_of"] == moment
    now = (await eve.get(f"/v1/games/{branch}")).json()
    for name in ("cash", "crude", "gasoline"):
        assert [seat[name] for seat in now["view"]["seats"]] == [seat[name] for seat in then["view"]["seats"]], name
    assert now["branch_of"] == moment
    replayed = (await eve.get(f"/v1/games/{branch}/replay?limit=100")).text
    assert f"goes on from event {at} of another game, with new dice" in replayed
    assert (await eve.send(branch, {"type": "RollDice"})).status_code == 200
    file = await eve.get(f"/v1/games/{branch}/file")
    assert verify(read(file.content.splitlines(keepends=True)).events).fault is None

    # A branch of a branch that is over names the branch, and the game is as it was.
    assert (await ada.send(branch, RESIGN)).status_code == 200
    again = await branched(ada, branch, 4)
    assert again["branch_of"]["game"] == branch
    assert await events_of(ada, game) == before
    for player in (ada, eve):
        assert (await player.get("/v1/players/me")).json()["record"]["with_people"]["games"] == (player is ada)


async def test_in_the_middle_of_what_a_command_led_to_the_position_is_that_before_it(table: Table) -> None:
    game = await table.market_phase()
    ada, ben = table.guests
    at = (await ada.get(f"/v1/games/{game}")).json()["seq"]
    rolled = await ada.send(game, {"type": "RollDice"})
    assert rolled.status_code == 200
    assert (await ben.send(game, RESIGN)).status_code == 200
    assert len(rolled.json()["events"]) > 1
    assert (await branched(ada, game, at + 1))["branch_of"]["seq"] == at
    assert (await branched(ada, game, at))["branch_of"]["seq"] == at
    told = await ada.get(f"/v1/games/{game}/position?at={at + 1}")
    assert told.json() == (await ada.get(f"/v1/games/{game}/position?at={at}")).json()
    request = {name: told.json()[name] for name in ("ruleset", "setup", "position")}
    assert (await ada.post("/v1/games", json=request)).status_code == 201


async def test_what_cannot_be_branched_says_why_and_opens_nothing(table: Table) -> None:
    ann, ben = await come(table, "Ann", "Ben")
    rated = await begun(ann, ben)
    head = (await ann.get(f"/v1/games/{rated}")).json()["seq"]

    async def refused(game: object, at: object, status: int, code: str) -> Json:
        return problem(await ann.post(f"/v1/games/{game}/branches", json={"at": at}), status, code)

    assert "rated" in (await refused(rated, head, 409, "unfinished"))["detail"]
    await ben.send(rated, RESIGN)
    over = (await ann.get(f"/v1/games/{rated}")).json()["seq"]
    assert "over" in (await refused(rated, over, 409, "no_position"))["detail"]
    assert "begun" in (await refused(rated, 2, 409, "no_position"))["detail"]
    await refused(rated, over + 1, 404, "unknown_moment")
    assert (await refused(rated, 0, 404, "unknown_moment"))["title"] == "There is no such event"
    await refused(rated, 10**30, 400, "invalid_body")
    await refused(uuid4(), 3, 404, "unknown_game")
    problem(
        await ann.post(f"/v1/games/{rated}/branches", json={"at": head, "house_bots": ["random"]}), 409, "no_house_bots"
    )
    games = (await ann.get("/v1/games?mine=true")).json()["games"]
    assert [each["game"] for each in games] == [rated]
    assert (await ann.post(f"/v1/games/{rated}/branches", json={"at": head, "rated": True})).status_code == 400


async def test_a_running_game_is_branched_without_what_was_sealed(table: Table) -> None:
    game = await table.start(4, ruleset="postal")
    ada, ben, *_ = table.guests
    for guest in (ada, ben):
        assert (await guest.send(game, submit(OTHER))).status_code == 200
    at = (await ada.get(f"/v1/games/{game}")).json()["seq"]
    opened = await branched(ada, game, at)
    position = (await events_of(ada, opened["game"]))[0]["data"]["origin"]["position"]
    assert (position["sheets"], position["later"], position["standing"]) == ([None] * 4, [[]] * 4, [None] * 4)
    told = (await table.client.get(f"/v1/games/{game}/position")).json()
    assert told["position"] == position
    assert (await ada.get(f"/v1/games/{game}")).json()["seq"] == at


async def test_a_branch_that_is_asked_for_again_is_opened_once(table: Table) -> None:
    document = middle("marracash").position()
    request = {"ruleset": "marracash", "setup": document["setup"], "position": document["position"]}
    guests = [await table.guest(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    game = (await guests[0].post("/v1/games", json=request)).json()["game"]
    at = (await seated(game, *guests))["seq"]
    key = {"Idempotency-Key": "what-if-i-had-bid"}
    first = await guests[0].post(f"/v1/games/{game}/branches", json={"at": at}, headers=dict(key))
    again = await guests[0].post(f"/v1/games/{game}/branches", json={"at": at}, headers=dict(key))
    assert msgspec.json.decode(first.content)["game"] == again.json()["game"]
    assert again.headers["Idempotent-Replayed"] == "true"
    other = await guests[0].post(f"/v1/games/{game}/branches", json={"at": at, "listed": True}, headers=dict(key))
    problem(other, 422, "key_reused")

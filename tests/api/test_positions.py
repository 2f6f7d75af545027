"""Positions games over the API: opened from a position, marked everywhere, and counted nowhere."""

from typing import Any

import msgspec

from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.store.game_file import read
from mcmulti.projections.proof.proof import verify
from tests.api.guests import Json, Table, problem
from tests.pure.library.random_games import middle


def body(name: str, **more: Any) -> Json:
    """A request for a game of this rule set, from the middle of another one."""
    document = middle(name).position()
    return {"ruleset": name, "setup": document["setup"], "position": document["position"], **more}


async def test_a_game_of_every_rule_set_begins_from_a_position_and_says_everywhere_that_it_is_practice(
    table: Table,
) -> None:
    guests = [await table.guest(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    for name in SHIPPED:
        request = body(name)
        opened = await guests[0].post("/v1/games", json=request)
        assert opened.status_code == 201, opened.text
        game = opened.json()["game"]
        assert opened.json()["table"]["practice"] is True
        for guest in guests[:3]:
            assert (await guest.post(f"/v1/games/{game}/seats", json={})).status_code == 201
        # A position has a player on every seat: with one seat free, nobody may start.
        problem(await guests[0].send(game, {"type": "StartGame"}), 409, "too_few_players")
        assert (await guests[3].post(f"/v1/games/{game}/seats", json={})).status_code == 201
        started = await guests[0].send(game, {"type": "StartGame"})
        assert started.status_code == 200, started.text
        assert started.json()["table"]["practice"] is True
        [set_up] = [event for event in started.json()["events"] if event["type"] == "PositionSetUp"]
        assert (set_up["rule"], set_up["data"]["branch_of"]) == ("table/position", None)
        replayed = (await guests[0].get(f"/v1/games/{game}/replay?limit=100")).text
        assert "The practice game begins from the given position." in replayed

        [listed] = [each for each in (await guests[0].get("/v1/games")).json()["games"] if each["game"] == game]
        assert listed["practice"] is True
        first = (await guests[0].get(f"/v1/games/{game}/events?limit=1")).json()["events"][0]
        assert first["data"]["origin"] == {"position": request["position"]}
        file = await guests[0].get(f"/v1/games/{game}/file")
        proof = verify(read(file.content.splitlines(keepends=True)).events)
        assert (proof.fault, proof.commands) == (None, 5)
        for reading in ("statistics", "ledger", "balances", "board.txt", "statements"):
            answered = await guests[0].get(f"/v1/games/{game}/{reading}")
            assert answered.status_code == 200, (reading, answered.text)

        assert (await guests[1].send(game, {"type": "Resign"})).status_code == 200
        told = (await guests[1].get("/v1/players/me")).json()["record"]
        assert (told["rulesets"], told["with_people"]["games"]) == ([], 0)
    ordinary = await guests[0].post("/v1/games", json={"ruleset": "mcmulti"})
    assert ordinary.json()["table"]["practice"] is False
    assert "branch_of" not in ordinary.json()


async def test_a_position_in_which_no_game_can_stand_is_refused_with_field_and_reason(table: Table) -> None:
    ann = await table.guest("Ann")
    request = body("mcmulti")
    good = msgspec.json.encode(request)

    async def refused(**position: Any) -> Json:
        wrong = msgspec.json.decode(good)
        wrong["position"] |= position
        return problem(await ann.post("/v1/games", json=wrong), 422, "bad_position")

    quadrants = request["position"]["quadrants"]
    found = await refused(quadrants=[{**quadrants[0], "rigs": 2**37 - 1, "wells": 0}, *quadrants[1:]])
    assert found["field"] == "position.quadrants[0].rigs"
    assert "36" in found["detail"]
    assert (await refused(owners=[0, 0, 0, 0]))["field"] == "position.owners"
    assert (await refused(phase="over"))["field"] == "position.phase"
    assert (await refused(seed="00"))["detail"] == "seed: there is no such field"
    assert (await refused(**{"Bücher ☃" * 60: 1}))["field"] == "position"
    problem(await ann.post("/v1/games", json={**request, "position": {}}), 422, "bad_position")
    problem(await ann.post("/v1/games", json={**request, "position": []}), 400, "invalid_body")
    problem(await ann.post("/v1/games", json={**request, "setup": {"seats": 2}}), 422, "bad_position")
    wrong = {**request, "position": {**request["position"], "consumer_price": 999, "difference": 99}}
    told = problem(await ann.post("/v1/games?language=de", json=wrong), 422, "bad_position")
    assert told["detail"] == (
        "consumer_price: 999 steht nicht auf der Leiste; difference: 99 liegt nicht zwischen 0 und 7"
    )
    deep: Any = []
    for _ in range(400):
        deep = [deep]
    assert (await refused(quadrants=deep))["field"].startswith("position")
    problem(await ann.post("/v1/games", json={**request, "rated": True}), 422, "rated_practice")
    assert (await ann.get("/v1/games")).json()["games"] == []


async def test_an_opening_that_is_sent_again_opens_nothing_anew_and_another_position_needs_another_key(
    table: Table,
) -> None:
    ann = await table.guest("Ann")
    request, key = body("marracash"), {"Idempotency-Key": "from-a-position-1"}
    first = await ann.post("/v1/games", json=request, headers=dict(key))
    again = await ann.post("/v1/games", json=request, headers=dict(key))
    assert first.json()["game"] == again.json()["game"]
    assert again.headers["Idempotent-Replayed"] == "true"
    other = {**request, "position": {**request["position"], "quiet": request["position"]["quiet"] + 1}}
    problem(await ann.post("/v1/games", json=other, headers=dict(key)), 422, "key_reused")
    problem(await ann.post("/v1/games", json={**request, "position": None}, headers=dict(key)), 422, "key_reused")

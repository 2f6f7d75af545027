"""Undo over the API: what others and old requests receive."""

from tests.api.guests import Table, problem

RIG = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 1, "column": 1}}
BACK = {"type": "TakeBack", "moves": 1}
END = {"type": "EndPurchases"}


async def test_taking_back_is_offered_besides(table: Table) -> None:
    game = await table.start(3, undo="own")
    ada = table.guests[0]
    assert (await ada.send(game, RIG)).status_code == 200
    found = (await ada.get(f"/v1/games/{game}/offers")).json()
    [offer] = [offer for offer in found["besides"] if offer["command"] == "TakeBack"]
    assert (offer["rule"], offer["fields"]["moves"]["max"]) == ("table/undo", 1)
    taken_back = (await ada.send(game, BACK)).json()
    assert [event["type"] for event in taken_back["events"]] == ["MovesTakenBack"]


async def test_others_say_what_they_decided_on_until_they_have_moved(table: Table) -> None:
    """Ada takes moves back and moves on; Ben's command may be based on the earlier position."""
    game = await table.start(3, undo="own")
    ada, ben, cleo = table.guests
    for command in (RIG, BACK, END):
        assert (await ada.send(game, command)).status_code == 200
    refused = await ben.send(game, END)
    told = problem(refused, 428, "unconfirmed")
    assert (told["seq"], refused.headers["etag"].strip('"').split("-")[0]) == (told["seq"], str(told["seq"]))
    tag = refused.headers["etag"]
    assert (await ben.post(f"/v1/games/{game}/commands?dry_run=true", json={"commands": [END]})).status_code == 428
    agreed = await ben.post(f"/v1/games/{game}/commands", json={"commands": [END]}, headers={"If-Match": tag})
    assert agreed.status_code == 200, agreed.text
    assert (await ben.send(game, {"type": "ProposeEnd", "how": "call_off"})).status_code == 200
    problem(await cleo.send(game, END), 428, "unconfirmed")


async def test_a_request_that_was_undone_gets_its_old_answer_and_is_told_so(table: Table) -> None:
    game = await table.start(3, undo="own")
    ada = table.guests[0]
    path, key = f"/v1/games/{game}/commands", {"Idempotency-Key": "the-rig-of-the-first-morning"}
    first = await ada.post(path, json={"commands": [RIG]}, headers=key)
    again = await ada.post(path, json={"commands": [RIG]}, headers=key)
    assert (first.json()["undone"], again.json()["undone"]) == (False, False)
    assert (await ada.send(game, BACK)).status_code == 200
    undone = await ada.post(path, json={"commands": [RIG]}, headers=key)
    assert (undone.status_code, undone.headers["idempotent-replayed"]) == (200, "true")
    assert undone.json() == {**again.json(), "undone": True}
    assert (await ada.send(game, RIG)).status_code == 200
    assert (await ada.post(path, json={"commands": [RIG]}, headers=key)).json()["undone"] is True


async def test_what_was_taken_back_later_does_not_undo_what_was_before(table: Table) -> None:
    game = await table.start(3, undo="own")
    ada = table.guests[0]
    path, key = f"/v1/games/{game}/commands", {"Idempotency-Key": "the-rig-of-the-first-morning"}
    await ada.post(path, json={"commands": [RIG]}, headers=key)
    station = {"type": "BuyAsset", "kind": "station", "site": {"quadrant": 0, "row": 1, "column": 2}}
    for command in (station, BACK, station):
        assert (await ada.send(game, command)).status_code == 200
    assert (await ada.post(path, json={"commands": [RIG]}, headers=key)).json()["undone"] is False
    back = (await ada.send(game, {"type": "TakeBack", "moves": 2})).json()
    assert back["events"][0]["data"]["moves"] == 2
    assert (await ada.post(path, json={"commands": [RIG]}, headers=key)).json()["undone"] is True


async def test_a_past_moment_stays_what_it_was(table: Table) -> None:
    game = await table.start(3, undo="own")
    ada = table.guests[0]
    bought = (await ada.send(game, RIG)).json()
    then = (await ada.get(f"/v1/games/{game}?at={bought['seq']}")).json()
    await ada.send(game, BACK)
    assert (await ada.get(f"/v1/games/{game}?at={bought['seq']}")).json() == then
    assert (await ada.get(f"/v1/games/{game}")).json()["view"]["seats"][0]["cash"] == then["view"]["seats"][0][
        "cash"
    ] + 5

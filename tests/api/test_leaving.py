"""Leaving a running game over the API: who may see and do what, before and after."""

import msgspec

from mcmulti.api.telling.wire import Events
from mcmulti.events.log.item import recorded
from mcmulti.projections.proof.proof import verify
from tests.api.guests import Guest, Json, Table, problem

RESIGN = {"type": "Resign"}
SHEET = {"type": "SubmitOrders", "round": 1, "sheet": {"orders": [{"type": "ConvertRigOrder"}]}}


async def offered(guest: Guest, game: str) -> Json:
    answered = await guest.get(f"/v1/games/{game}/offers")
    assert answered.status_code == 200, answered.text
    found: Json = answered.json()
    return found


async def mine(guest: Guest) -> list[str]:
    return [game["game"] for game in (await guest.get("/v1/games?mine=true")).json()["games"]]


async def test_resigning_is_offered_besides_also_out_of_turn(table: Table) -> None:
    """It is Ada's turn: Ben is asked nothing, but may resign or propose an end."""
    game = await table.start(3)
    found = await offered(table.guests[1], game)
    assert found["offers"] == []
    assert [offer["command"] for offer in found["besides"]] == ["Resign", "ProposeEnd"]
    assert found["besides"][0]["sentence"] == "Leave the game for good."
    german = (await table.guests[1].get(f"/v1/games/{game}/offers?language=de")).json()
    assert german["besides"][0]["sentence"] == "Das Spiel endgültig verlassen."


async def test_who_left_is_an_onlooker_and_the_game_is_not_theirs_any_more(table: Table) -> None:
    game = await table.start(3)
    ben = table.guests[1]
    left = (await ben.send(game, RESIGN)).json()
    assert ([event["type"] for event in left["events"]], left["seat"]) == (["SeatVacated"], None)
    assert left["events"][0]["actor"] == 1
    problem(await ben.send(game, RESIGN), 403, "no_seat")
    problem(await ben.get(f"/v1/games/{game}/offers"), 403, "no_seat")
    view = (await ben.get(f"/v1/games/{game}")).json()["view"]
    assert (view["you"], view["seats"][1]["player"]) == (None, None)
    assert (await mine(ben), await mine(table.guests[0])) == ([], [game])


async def test_a_stranger_takes_the_seat_and_plays_on(table: Table) -> None:
    game = await table.start(3)
    await table.guests[0].send(game, RESIGN)
    zoe = await table.guest("Zoe")
    late = await zoe.post(f"/v1/games/{game}/seats", json={"entropy": "late"})
    assert problem(late, 409, "entropy_late")["rule"] == "table/substitute"
    seated = await zoe.post(f"/v1/games/{game}/seats", json={"seat": 0}, headers={"Idempotency-Key": "sit"})
    assert (seated.status_code, seated.json()["seat"]) == (201, 0)
    assert seated.json()["events"][0]["actor"] == 0
    again = await zoe.post(f"/v1/games/{game}/seats", json={"seat": 0}, headers={"Idempotency-Key": "sit"})
    assert again.content == seated.content
    problem(await table.guests[0].post(f"/v1/games/{game}/seats", json={}), 409, "game_started")
    assert await mine(zoe) == [game]
    assert [offer["command"] for offer in (await offered(zoe, game))["besides"]] == ["Resign", "ProposeEnd"]


async def test_of_two_who_want_the_seat_one_gets_it(table: Table) -> None:
    game = await table.start(3)
    await table.guests[2].send(game, RESIGN)
    zoe, yan = await table.guest("Zoe"), await table.guest("Yan")
    first = await zoe.post(f"/v1/games/{game}/seats", json={"seat": 2})
    second = await yan.post(f"/v1/games/{game}/seats", json={"seat": 2})
    assert first.status_code == 201
    problem(second, 409, "game_started")


async def test_where_house_bots_play_on_the_seat_is_kept_for_who_left_it(table: Table) -> None:
    game = await table.start(3, if_left="bot", clock={"move_seconds": 3600})
    ben = table.guests[1]
    await ben.send(game, RESIGN)
    zoe = await table.guest("Zoe")
    refused = problem(await zoe.post(f"/v1/games/{game}/seats", json={}), 403, "reserved")
    assert refused["rule"] == "table/house"
    assert (
        refused["detail"]
        == "This seat is reserved for the player who left it. A house bot plays until that player returns."
    )
    back = await ben.post(f"/v1/games/{game}/seats", json={})
    assert (back.status_code, back.json()["seat"]) == (201, 1)


async def test_a_trial_of_resigning_leaves_nobody_and_tells_no_dice(table: Table) -> None:
    """Ada's own dice would be rolled for her: there the trial stops."""
    game = await table.market_phase(3)
    tried = (await table.guests[0].send(game, RESIGN, dry_run=True)).json()
    assert (tried["events"], tried["undecided"]) == ([], 0)
    assert (await offered(table.guests[0], game))["seat"] == 0


async def test_by_post_a_substitute_reads_the_sheets_of_the_seat_and_who_left_does_not(table: Table) -> None:
    """The sheet that Ada sent belongs to the seat: once she has left, it is sealed for her, and open to Zoe, who plays
    on.
    """
    game = await table.start(4, ruleset="postal")
    ada = table.guests[0]
    await ada.send(game, SHEET)
    await ada.send(game, RESIGN)
    zoe = await table.guest("Zoe")
    for guest, may_read in ((ada, False), (zoe, False)):
        assert (await sheet_of(guest, game)) is may_read
    assert (await zoe.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    for guest, may_read in ((ada, False), (zoe, True), (table.guests[1], False)):
        assert (await sheet_of(guest, game)) is may_read


async def sheet_of(guest: Guest, game: str) -> bool:
    """Whether a guest may read the one sheet that was sent."""
    events = (await guest.get(f"/v1/games/{game}/events")).json()["events"]
    [sent] = [event for event in events if event["type"] == "OrdersSubmitted"]
    return "data" in sent


async def test_every_way_to_end_a_game_is_proven_and_reports_name_both_who_played_a_seat(table: Table) -> None:
    """Ben leaves, Zoe takes over, then all agree to call it off."""
    game = await table.start(3)
    ada, ben, cleo = table.guests
    await ben.send(game, RESIGN)
    zoe = await table.guest("Zoe")
    await zoe.post(f"/v1/games/{game}/seats", json={})
    assert (await ada.send(game, {"type": "ProposeEnd", "how": "call_off"})).is_success
    for guest in (zoe, cleo):
        answered = await guest.send(game, {"type": "AnswerEnd", "how": "call_off", "accept": True})
        assert answered.is_success, answered.text
    view = (await ada.get(f"/v1/games/{game}")).json()["view"]
    assert (view["status"], view["winners"]) == ("finished", [])
    assert view["seed"] is not None
    page = msgspec.json.decode((await ada.get(f"/v1/games/{game}/events?limit=1000")).content, type=Events)
    proof = verify([recorded(page.game, event) for event in page.events])
    assert (proof.fault, proof.seed_revealed) == (None, True)
    counted = (await ada.get(f"/v1/games/{game}/statements")).json()
    assert counted["names"] == ["Ada", "Ben / Zoe", "Cleo"]
    report = await ada.get(f"/v1/games/{game}/report", headers={"Accept": "text/plain"})
    told = " ".join(report.text.split())
    assert "Played by Ada, Ben / Zoe and Cleo" in told
    assert "The game was called off: nobody won. Ben left seat 2 in turn 0. Zoe took seat 2 in turn 0." in told
    statistics = (await ada.get(f"/v1/games/{game}/statistics")).json()["statistics"]
    assert (statistics["decided_by"], statistics["names"]) == ("called_off", ["Ada", "Ben / Zoe", "Cleo"])
    parts = [(part["seat"], part["name"], part["began"], part["left"]) for part in statistics["tenures"]]
    assert parts == [(0, "Ada", None, None), (1, "Ben", None, 0), (1, "Zoe", 0, None), (2, "Cleo", None, None)]


async def test_the_last_one_wins(table: Table) -> None:
    game = await table.start(2)
    left = (await table.guests[0].send(game, RESIGN)).json()
    assert [event["type"] for event in left["events"]][:2] == ["SeatVacated", "LastRemained"]
    assert left["table"]["to_move"] == []
    view = (await table.guests[1].get(f"/v1/games/{game}")).json()["view"]
    assert (view["status"], view["winners"]) == ("finished", [1])

"""Rated games: who agrees, what a game changes, the ladder, and what is not rated, and why."""

from typing import Any
from uuid import uuid4

import pytest
from httpx import ASGITransport, AsyncClient

from mcmulti.api.app import application
from mcmulti.projections.statistics.ratings import AGAIN
from tests.api.guests import Guest, Json, Table, problem
from tests.api.rated_games import CLOCK, RESIGN, RIGS, begun, come, decided, lost, opened

RANK = {"type": "ProposeEnd", "how": "rank"}


async def rating(guest: Guest, game: str, **query: str) -> Json:
    answered = await guest.get(f"/v1/games/{game}/rating", params=query)
    assert answered.status_code == 200, answered.text
    found: Json = answered.json()
    return found


async def ladder(guest: Guest, **query: object) -> Json:
    answered = await guest.get("/v1/ratings", params={"ruleset": "mcmulti", **query})
    assert answered.status_code == 200, answered.text
    found: Json = answered.json()
    return found


async def names(guest: Guest, **query: object) -> list[str]:
    return [player["name"] for player in (await ladder(guest, **query))["players"]]


async def test_a_rated_game_changes_what_its_players_are_told_of_everywhere(table: Table) -> None:
    ann, ben = await come(table, "Ann", "Ben")
    game = await decided(ann, ben)
    assert (await ann.get(f"/v1/games/{game}")).json()["table"]["rated"] is True
    assert await rating(ann, game) == {
        "game": game, "asked": True, "state": "open", "reason": None, "sentence": None, "seats": []
    }  # fmt: skip
    assert (await ladder(ann))["players"] == []

    await ann.send(game, RESIGN)
    told = await rating(ann, game)
    assert (told["state"], told["reason"]) == ("rated", None)
    lost, won = told["seats"]
    assert (lost["seat"], lost["player"], lost["before"]) == (0, ann.player, 1500.0)
    assert lost["after"] < 1500 < won["after"]
    assert lost["change"] == pytest.approx(lost["after"] - lost["before"], abs=0.11)
    newcomer = {"reason": "newcomer", "sentence": "This player had fewer than ten rated games."}
    assert (lost["weight"], lost["reduced"]) == (0.01, [newcomer])
    (german,) = (await rating(ann, game, language="de"))["seats"][1]["reduced"]
    assert german["sentence"] == "Dieser Spieler hatte weniger als zehn gewertete Partien."

    listed = (await ladder(ann))["players"]
    assert [player["name"] for player in listed] == ["Ben", "Ann"]
    assert listed[0]["rating"] == {
        "ruleset": "mcmulti",
        "rating": won["after"],
        "uncertainty": listed[0]["rating"]["uncertainty"],
        "score": pytest.approx(won["after"] - 2 * listed[0]["rating"]["uncertainty"], abs=0.3),
        "games": 1,
        "wins": 1,
        "provisional": True,
    }
    assert 0 < listed[0]["rating"]["uncertainty"] < 500
    ratings = [listed[0]["rating"]]
    assert (await ann.get(f"/v1/players/{ben.player}")).json()["ratings"] == ratings
    assert (await ben.get("/v1/players/me")).json()["ratings"] == ratings

    waiting = await opened(ben)
    await ben.post(f"/v1/games/{waiting}/seats", json={})
    page = (await ann.get("/v1/games?free=true")).json()
    assert page["ratings"] == [{"player": ben.player, "rating": ratings[0]}]


async def test_a_game_is_rated_where_its_opener_asked_for_that(table: Table) -> None:
    ann, ben = await come(table, "Ann", "Ben")
    game = await lost(ann, ben, rated=False)
    told = await rating(ann, game)
    assert (told["asked"], told["state"], told["reason"]) == (False, "not_rated", "not_asked")
    assert told["sentence"] == "The table was not opened as rated."
    german = await rating(ann, game, language="de")
    assert german["sentence"] == "Der Tisch wurde nicht als gewerteter eröffnet."
    assert await names(ann) == []


async def test_a_table_that_is_not_listed_is_not_rated(table: Table) -> None:
    (ann,) = await come(table, "Ann")
    body = {"ruleset": "mcmulti", "rated": True, "listed": False}
    problem(await ann.post("/v1/games", json=body), 422, "unlisted")


async def test_a_key_opens_one_table_rated_or_not(table: Table) -> None:
    (ann,), key = await come(table, "Ann"), {"Idempotency-Key": str(uuid4())}
    body = {"ruleset": "mcmulti", "rated": True, "setup": {"clock": CLOCK}}
    first = await ann.post("/v1/games", json=body, headers=key)
    again = await ann.post("/v1/games", json=body, headers=key)
    assert (first.status_code, again.json()["game"]) == (201, first.json()["game"])
    problem(await ann.post("/v1/games", json={**body, "rated": False}, headers=key), 422, "key_reused")


async def test_a_game_that_is_called_off_changes_nothing(table: Table) -> None:
    ann, ben = await come(table, "Ann", "Ben")
    game = await begun(ann, ben)
    await ann.send(game, {"type": "ProposeEnd", "how": "call_off"})
    assert (await ben.send(game, {"type": "AnswerEnd", "how": "call_off", "accept": True})).status_code == 200
    assert (await rating(ann, game))["reason"] == "no_winner"


async def test_a_ranking_is_agreed_on_after_three_rounds_by_post_and_not_before(table: Table) -> None:
    """Three rounds are as many decisions as others need to gain from a defeat."""
    players = await come(table, "Ann", "Ben", "Cid", "Dan")
    game = await begun(*players, ruleset="postal", setup={})
    ann, *others = players
    for number in (1, 2, 3):
        told = problem(await ann.send(game, RANK), 409, "ranked_too_early")
        assert (told["rule"], told["field"]) == ("table/propose-end", "how")
        assert (await _ends(ann, game)) == ["call_off"]
        text = "buy rig A1" if number == 1 else ""
        for guest in others:
            await guest.send(game, {"type": "WriteOrders", "round": number, "text": text})
        sent = await ann.send(game, {"type": "WriteOrders", "round": number, "text": ""})
        assert sent.status_code == 200, sent.text
    assert (await _ends(ann, game)) == ["rank", "call_off"]
    assert (await ann.send(game, RANK)).status_code == 200
    for guest in others:
        assert (await guest.send(game, {**RANK, "type": "AnswerEnd", "accept": True})).status_code == 200
    told = await rating(ann, game)
    assert (told["state"], [seat["change"] > 0 for seat in told["seats"]]) == ("rated", [True, False, False, False])


async def test_no_turns_are_enough_for_a_ranking_in_the_purchase_round(table: Table) -> None:
    """Ten decisions each, and not one turn."""
    ann, ben = await come(table, "Ann", "Ben")
    game = await decided(ann, ben)
    problem(await ben.send(game, RANK), 409, "ranked_too_early")
    assert await _ends(ben, game) == ["call_off"]


async def _ends(guest: Guest, game: str) -> list[str]:
    """How a guest may propose to end a game."""
    besides = (await guest.get(f"/v1/games/{game}/offers")).json()["besides"]
    [offer] = [offer for offer in besides if offer["command"] == "ProposeEnd"]
    found: list[str] = offer["fields"]["how"]["options"]
    return found


async def test_nobody_gains_from_opponents_who_resign_at_once(table: Table) -> None:
    """Ann makes ten decisions, and Ben makes none: he still loses."""
    ann, ben = await come(table, "Ann", "Ben")
    game = await begun(ann, ben)
    await ann.send(game, *({**rig, "site": {"quadrant": 0, **rig["site"]}} for rig in RIGS))  # type: ignore[dict-item]
    await ben.send(game, RESIGN)
    told = await rating(ann, game)
    assert [seat["change"] > 0 for seat in told["seats"]] == [False, False]
    assert told["seats"][0]["change"] == 0 > told["seats"][1]["change"]


@pytest.mark.parametrize(
    ("sheets", "rounds", "reason"),
    [("SetStanding", 3, None), ("SetStanding", 2, "too_short"), ("SubmitOrders", 1, "too_short")],
)
async def test_by_post_rounds_with_orders_of_their_own_are_decisions_and_not_how_often_they_were_sent(
    table: Table, sheets: str, rounds: int, reason: str | None
) -> None:
    """Three players send one standing sheet each, and Dan a sheet a round; or all of them send three in one round."""
    players = await come(table, "Ann", "Ben", "Cid", "Dan")
    game = await begun(*players, ruleset="postal", setup={})
    *others, dan = players
    for guest in others:
        for _ in range(1 if sheets == "SetStanding" else 3):
            sent = await guest.send(game, {"type": sheets, "round": 1, "sheet": {}})
            assert sent.status_code == 200, sent.text
    for number in range(1, rounds + 1):
        await dan.send(game, {"type": "SubmitOrders", "round": number, "sheet": {}})
    assert (await dan.get(f"/v1/games/{game}")).json()["view"]["round"] == rounds + 1
    for guest in others:
        assert (await guest.send(game, RESIGN)).status_code == 200
    told = await rating(dan, game)
    assert told["reason"] == reason
    assert [seat["change"] > 0 for seat in told["seats"]] == ([False, False, False, True] if reason is None else [])


async def test_a_rated_table_needs_a_clock_where_moves_have_one(table: Table) -> None:
    (ann,) = await come(table, "Ann")
    problem(await ann.post("/v1/games", json={"ruleset": "mcmulti", "rated": True}), 422, "rated_without_clock")
    assert (await ann.post("/v1/games", json={"ruleset": "postal", "rated": True})).status_code == 201


@pytest.mark.parametrize(("clock", "days"), [((86_400, 28), 31), ((86_400, 27), 30)])
async def test_by_the_clock_of_a_rated_table_nobody_puts_off_a_defeat_for_more_than_a_month(
    table: Table, clock: tuple[int, int], days: int
) -> None:
    """A day a move, three days in the bank, and 28 or 27 misses."""
    (ann,) = await come(table, "Ann")
    seconds, misses = clock
    setup = {"clock": {"move_seconds": seconds, "bank_seconds": 3 * seconds, "misses": misses}}
    answered = await ann.post("/v1/games", json={"ruleset": "mcmulti", "rated": True, "setup": setup})
    if days > 30:
        assert problem(answered, 422, "rated_too_slow")["limit"] == 30 * 86_400
    else:
        assert answered.status_code == 201
    assert (await ann.post("/v1/games", json={"ruleset": "mcmulti", "setup": setup})).status_code == 201


async def test_who_leaves_has_lost_and_a_substitute_is_not_rated(table: Table) -> None:
    ann, ben, cid, dan = await come(table, "Ann", "Ben", "Cid", "Dan")
    game = await decided(ann, ben, cid)
    await ann.send(game, RESIGN)
    assert (await dan.post(f"/v1/games/{game}/seats", json={"seat": 0})).status_code == 201
    await ben.send(game, RESIGN)
    await cid.send(game, RESIGN)
    told = await rating(ann, game)
    assert [seat["player"] for seat in told["seats"]] == [ann.player, ben.player, cid.player]
    assert [seat["change"] for seat in told["seats"]] == [0.0, 0.0, 0.0]  # all of them left
    assert sorted(await names(ann)) == ["Ann", "Ben", "Cid"]


async def test_people_and_bots_stand_on_lists_of_their_own_and_are_not_rated_together(table: Table) -> None:
    ann, ben = await come(table, "Ann", "Ben")
    hal, eve = await come(table, "Hal", "Eve", kind="bot")
    assert (await rating(ann, await lost(ann, hal)))["reason"] == "mixed"
    assert (await rating(ann, await lost(ann, ben)))["state"] == "rated"
    assert (await rating(ann, await lost(hal, eve)))["state"] == "rated"
    assert (await names(ann), await names(ann, kind="bots")) == (["Ben", "Ann"], ["Eve", "Hal"])


async def test_friends_cannot_pump_each_other(table: Table) -> None:
    ann, ben = await come(table, "Ann", "Ben")
    states = [(await rating(ann, await lost(ann, ben)))["reason"] for _ in range(AGAIN["human"] + 1)]
    assert states == [None] * AGAIN["human"] + ["repeated"]
    assert (await ladder(ann))["players"][0]["rating"]["games"] == AGAIN["human"]


async def test_nothing_changes_a_game_that_is_over(table: Table) -> None:
    """Neither its last move nor its end can be taken back, so no rating ever must be."""
    ann, ben = await come(table, "Ann", "Ben")
    game = await decided(ann, ben, setup={"seats": 2, "first_seat": 0, "undo": "agreed", "clock": CLOCK})
    await ann.send(game, RESIGN)
    before = await rating(ann, game)
    for command in ({"type": "TakeBack", "moves": 1}, {"type": "AskTakeBack", "moves": 1}):
        assert (await ben.send(game, command)).status_code in (403, 409)
        assert (await ann.send(game, command)).status_code in (403, 409)
    assert await rating(ann, game) == before


async def test_who_is_erased_is_on_no_list_and_takes_nobodys_points_along(table: Table) -> None:
    """Players who won against Ann keep their gains; players who lost to her have lost nothing."""
    ann, ben, cid = await come(table, "Ann", "Ben", "Cid")
    beaten, lost_to = await lost(ann, ben), await lost(cid, ann)
    won = (await rating(ben, beaten))["seats"][1]
    cost = (await rating(cid, lost_to))["seats"][0]
    assert (cost["change"] < 0, cost["refund"], won["refund"]) == (True, None, None)
    assert (await ann.erase()).status_code == 204
    async with AsyncClient(transport=ASGITransport(_app(table)), base_url="http://other") as other:
        there = Guest(other, "Ben", ben.token)
        assert sorted(await names(there)) == ["Ben", "Cid"]
        assert (await rating(there, beaten))["seats"] == [won]
        [given_back] = (await rating(there, lost_to))["seats"]
        assert (given_back["player"], given_back["change"], given_back["refund"]) == (
            cid.player,
            0.0,
            {
                "reason": "erased",
                "sentence": "A player at this table has since been erased. Points lost to that player were given back.",
            },
        )
        [german] = (await rating(there, lost_to, language="de"))["seats"]
        assert german["refund"]["sentence"].startswith("Jemand von diesem Tisch ist inzwischen gelöscht.")
        assert (await there.get(f"/v1/players/{ann.player}")).json()["ratings"] == []


async def test_a_page_follows_on_the_other(table: Table) -> None:
    guests = await come(table, *(f"Guest {number}" for number in range(6)))
    for loser, winner in zip(guests[::2], guests[1::2], strict=True):
        await lost(loser, winner)
    assert (await guests[5].erase()).status_code == 204
    whole = await names(guests[0], limit=100)
    assert sorted(whole) == [f"Guest {number}" for number in range(5)]
    told, after = [], None
    while True:
        page = await ladder(guests[0], limit=2, **({} if after is None else {"after": after}))
        told += [player["name"] for player in page["players"]]
        after = page["next"]
        if after is None:
            break
        assert len(page["players"]) == 2
    assert told == whole


async def test_what_does_not_fit_is_refused(table: Table) -> None:
    (ann,) = await come(table, "Ann")
    problem(await ann.get("/v1/ratings?ruleset=chess"), 404, "unknown_ruleset")
    problem(await ann.get("/v1/ratings?kind=cats"), 400, "invalid_query")
    problem(await ann.get("/v1/ratings?ruleset=mcmulti&after=1"), 400, "invalid_query")
    problem(await ann.get(f"/v1/games/{uuid4()}/rating"), 404, "unknown_game")


async def test_a_rematch_is_rated_as_the_game_was(table: Table) -> None:
    ann, ben = await come(table, "Ann", "Ben")
    for rated in (True, False):
        again = await ann.post(f"/v1/games/{await lost(ann, ben, rated=rated)}/rematch")
        assert again.json()["table"]["rated"] is rated


def _app(table: Table) -> Any:
    """Another server on the same log."""
    return application(table.log)


async def test_another_server_tells_the_same_and_so_does_one_that_starts_anew(table: Table) -> None:
    """Nothing is stored, so nothing is lost with a server: any server can compute the ratings from the log."""
    ann, ben = await come(table, "Ann", "Ben")

    async def elsewhere(other: AsyncClient) -> Json:
        return await ladder(Guest(other, "Ann", ann.token))

    async with AsyncClient(transport=ASGITransport(_app(table)), base_url="http://other") as other:
        await elsewhere(other)
        game = await lost(ann, ben)
        told = await rating(ann, game)
        assert await rating(Guest(other, "Ann", ann.token), game) == told
        again = await lost(ben, ann)
        assert await rating(Guest(other, "Ann", ann.token), again) == await rating(ann, again)
        assert await elsewhere(other) == await ladder(ann)
    async with AsyncClient(transport=ASGITransport(_app(table)), base_url="http://new") as new:
        assert await elsewhere(new) == await ladder(ann)
        assert await rating(Guest(new, "Ann", ann.token), game) == told

"""Players' results, as everybody sees them: by rule set, against people and bots, and reliability."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from mcmulti.api.telling.records import GAMES, LAST, record
from mcmulti.domain.core.course.standing import GameResult
from mcmulti.events.ports.game_index import TenureRow
from tests.api.guests import Guest, Json, Table

ME = "/v1/players/me"
RESIGN = {"type": "Resign"}
ADA, BEN, BOT = (UUID(int=number) for number in (1, 2, 3))
NOBODY = {"games": 0, "missed": 0, "resigned": 0, "vacated": 0}
NONE = {"played": 0, "won": 0, "shared": 0, "lost": 0, "left": 0}


def played(result: GameResult | None = None, *against: UUID, ruleset: str = "mcmulti", **told: Any) -> TenureRow:
    return TenureRow(ADA, ruleset, against or (BEN,), datetime(2024, 2, 29, tzinfo=UTC), result=result, **told)


async def recorded(guest: Guest) -> Json:
    """The record that everybody sees of a guest; the guest sees the same."""
    player = (await guest.get(ME)).json()
    told = (await guest.client.get(f"/v1/players/{player['player']}")).json()["record"]
    assert told == player["record"]
    found: Json = told
    return found


async def test_who_has_not_played_has_an_empty_record(table: Table) -> None:
    assert await recorded(await table.guest("Zoe")) == {
        "rulesets": [],
        "with_people": NOBODY,
        "with_bots": NOBODY,
        "incomplete": False,
    }


async def test_who_resigns_has_left_and_who_stays_has_won(table: Table) -> None:
    """Ada resigns from a game of two, which Ben wins: it counts for both at once."""
    game = await table.start(2)
    ada, ben = table.guests
    (running,) = (await recorded(ada))["rulesets"]
    assert (running["ruleset"], running["running"], running["with_people"]) == ("mcmulti", 1, NONE)
    assert (await ada.send(game, RESIGN)).status_code == 200
    for guest, result, resigned in ((ada, "left", 1), (ben, "won", 0)):
        told = await recorded(guest)
        assert told["rulesets"][0]["running"] == 0
        assert told["rulesets"][0]["with_people"] == {**NONE, "played": 1, result: 1}
        assert told["with_people"] == {"games": 1, "missed": 0, "resigned": resigned, "vacated": 0}


async def test_a_game_with_bots_alone_is_told_apart(table: Table) -> None:
    told = await table.client.post("/v1/players", json={"name": "Deep", "kind": "bot"})
    bot = Guest(table.client, "Deep", told.json()["token"])
    ada = await table.guest("Ada")
    opened = await ada.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2}})
    game = opened.json()["game"]
    for guest in (ada, bot):
        assert (await guest.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    await ada.send(game, {"type": "StartGame"})
    await ada.send(game, RESIGN)
    mine, its = await recorded(ada), await recorded(bot)
    assert mine["rulesets"][0]["with_bots"] == {**NONE, "played": 1, "left": 1}
    assert (mine["with_bots"]["resigned"], mine["with_people"]) == (1, NOBODY)
    assert its["rulesets"][0]["with_people"] == {**NONE, "played": 1, "won": 1}


async def test_a_substitute_has_its_games_apart(table: Table) -> None:
    game = await table.start(3)
    await table.guests[1].send(game, RESIGN)
    zoe = await table.guest("Zoe")
    assert (await zoe.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    for guest in (table.guests[0], table.guests[2]):
        await guest.send(game, RESIGN)
    (told,) = (await recorded(zoe))["rulesets"]
    assert (told["as_substitute"], told["with_people"]) == ({**NONE, "played": 1, "won": 1}, NONE)


async def test_a_game_called_off_counts_for_nobody(table: Table) -> None:
    game = await table.start(2)
    ada, ben = table.guests
    await ada.send(game, {"type": "ProposeEnd", "how": "call_off"})
    answered = await ben.send(game, {"type": "AnswerEnd", "how": "call_off", "accept": True})
    assert answered.json()["table"]["status"] == "finished"
    for guest in table.guests:
        assert (await recorded(guest))["rulesets"] == []


async def test_who_is_erased_has_no_record_and_others_keep_theirs(table: Table) -> None:
    """Also of games from which the player resigns by being erased."""
    for _ in range(2):
        await table.start(2)
    ada, ben = table.guests[-2:]
    player = (await ada.get(ME)).json()["player"]
    assert (await ada.erase()).status_code == 204
    told = (await table.client.get(f"/v1/players/{player}")).json()
    assert (told["name"], told["record"]) == (None, None)
    assert await table.log.tenures_of(UUID(player), 10) == []
    assert (await recorded(ben))["rulesets"][0]["with_people"]["won"] >= 1


def test_of_the_latest_games_no_more_are_told_than_said() -> None:
    """The API says how many: earlier games do not count."""
    began = datetime(2024, 1, 1, tzinfo=UTC)
    some = [
        TenureRow(ADA, "mcmulti", (BEN,), began - timedelta(days=day), result="lost", missed=1) for day in range(GAMES)
    ]
    told = record(some, ())
    assert (told.rulesets[0].with_people.played, told.with_people.games, told.with_people.missed) == (GAMES, LAST, LAST)


def test_a_game_with_a_bot_and_a_person_is_one_with_people() -> None:
    told = record([played("won", BEN, BOT), played("lost", BOT), played("won", BOT, substitute=True)], {BOT})
    assert told.rulesets[0].with_people.played == 1
    assert (told.rulesets[0].with_bots.won, told.rulesets[0].with_bots.lost) == (1, 1)
    assert told.rulesets[0].as_substitute.played == 0


def test_each_rule_set_has_its_own_record_and_games_called_off_none() -> None:
    told = record([played("shared", ruleset="postal"), played("off"), played(), played("left", vacated=1)], ())
    assert [(each.ruleset, each.running, each.with_people.played) for each in told.rulesets] == [
        ("mcmulti", 1, 1),
        ("postal", 0, 1),
    ]
    assert (told.with_people.games, told.with_people.vacated) == (3, 1)

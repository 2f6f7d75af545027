"""When a game goes on without those it waits for, as the API shows it."""

from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID

from mcmulti.events.postgres.log import PostgresLog
from tests.api.applications import application_behind
from tests.api.guests import Json, Table

SHEET = {"type": "SubmitOrders", "round": 1, "sheet": {}}


async def _shown(table: Table, game: str) -> tuple[Any, Any]:
    """The deadline in the game's view, and in the list of games."""
    view = (await table.client.get(f"/v1/games/{game}")).json()
    (listed,) = (each for each in (await table.client.get("/v1/games")).json()["games"] if each["game"] == game)
    return view["table"]["deadline"], listed["deadline"]


async def _began(table: Table, game: str) -> list[datetime]:
    """When each round began."""
    log = (await table.client.get(f"/v1/games/{game}/events?limit=1000")).json()
    return [datetime.fromisoformat(each["recorded_at"]) for each in log["events"] if each["type"] == "RoundBegan"]


async def test_a_game_by_post_shows_when_its_round_ends(table: Table) -> None:
    """Two hours plus one hour of grace after the round began; a new round has a new deadline."""
    game = await table.open(4, ruleset="postal", round_hours=2, grace_hours=1)
    assert await _shown(table, game) == (None, None)
    await table.guests[0].send(game, {"type": "StartGame"})
    in_view, in_list = await _shown(table, game)
    first = (await _began(table, game))[0] + timedelta(hours=3)
    assert datetime.fromisoformat(in_view) == datetime.fromisoformat(in_list) == first
    await table.guests[0].send(game, SHEET)
    assert await _shown(table, game) == (in_view, in_list)
    for guest in table.guests[1:]:
        assert (await guest.send(game, SHEET)).status_code == 200
    in_view, in_list = await _shown(table, game)
    second = (await _began(table, game))[1] + timedelta(hours=3)
    assert datetime.fromisoformat(in_view) == datetime.fromisoformat(in_list) == second
    assert second > first


async def test_the_past_has_no_deadline(table: Table) -> None:
    game = await table.start(4, ruleset="postal")
    now: Json = (await table.client.get(f"/v1/games/{game}")).json()
    then: Json = (await table.client.get(f"/v1/games/{game}?at={now['seq']}")).json()
    assert now["table"]["deadline"] is not None
    assert then == {**now, "table": {**now["table"], "deadline": None}}


async def test_a_game_without_a_pace_has_no_deadline_and_asks_for_none(table: Table) -> None:
    """Without additional queries: the log is not asked for the game's row."""
    game = await table.start()
    with patch.object(PostgresLog, "game", side_effect=AssertionError("the row is not needed")) as asked:
        assert (await table.client.get(f"/v1/games/{game}")).json()["table"]["deadline"] is None
    asked.assert_not_called()
    assert await _shown(table, game) == (None, None)


async def test_a_game_that_moves_while_it_is_read_is_shown_with_the_deadline_of_that_moment(table: Table) -> None:
    """The round is refereed between the two queries: view and deadline are both those of the new one."""
    game = await table.start(4, ruleset="postal")
    for guest in table.guests[:3]:
        await guest.send(game, SHEET)
    read = PostgresLog.game
    rounds: list[int] = []

    async def late(self: PostgresLog, *args: Any) -> Any:
        if not rounds:
            rounds.append(1)
            await table.guests[3].send(game, SHEET)
        return await read(self, *args)

    service = application_behind(table).state["service"]
    service.referee._games.get(UUID(game)).logged = None  # as if another server had moved it
    with patch.object(PostgresLog, "game", late):
        shown = (await table.client.get(f"/v1/games/{game}")).json()
    assert shown["view"]["round"] == 2
    assert datetime.fromisoformat(shown["table"]["deadline"]) == (await _began(table, game))[1] + timedelta(hours=72)

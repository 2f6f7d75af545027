"""Which messages players want, over the API."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import pytest

from mcmulti.api.messages.notifications import MOST_GAMES
from mcmulti.events.ports.notices import TOPICS, GamePreferences
from mcmulti.events.postgres.log import PostgresLog
from tests.api.guests import Guest, Json, Table, problem
from tests.api.hooks import URL, added, served

PATH = "/v1/players/me/notifications"
PLAIN = {
    "topics": ["game.turn", "game.deadline", "game.over", "game.invitation"],
    "reminder": 120,
    "time_zone": "UTC",
    "quiet": None,
    "digest": None,
    "games": [],
}
OWN = {
    "topics": ["game.over", "chat.message"],
    "reminder": 60,
    "time_zone": "Europe/Berlin",
    "quiet": {"begin": "22:30", "end": "07:00"},
    "digest": "18:05",
}


@pytest.fixture
async def table(database: str) -> AsyncIterator[Table]:
    async with PostgresLog.open(database) as log, served(log) as table:
        yield table


async def settings(guest: Guest) -> Json:
    answered = await guest.get(PATH)
    assert answered.headers["cache-control"] == "no-store"
    told: Json = answered.json()
    return told


async def opened(guest: Guest, **more: Any) -> str:
    """The id of a new table."""
    body = {"ruleset": "mcmulti", "setup": {"seats": 2}, **more}
    return str((await guest.post("/v1/games", json=body)).json()["game"])


async def id_of(guest: Guest) -> UUID:
    return UUID((await guest.get("/v1/players/me")).json()["player"])


async def due(table: Table) -> list[tuple[str, str]]:
    """The kinds of the messages that wait, and whose they are."""
    waiting = await table.log.notices_due(await table.log.now(), 100, 9)
    later = await table.log.notices_due((await table.log.now()).replace(year=2100), 100, 9)
    assert waiting == [], "nothing is sent at once"
    return sorted((notice.kind, str(notice.player_id)) for notice in later)


async def test_settings_are_those_of_their_player_and_replaced_as_a_whole(table: Table) -> None:
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    assert await settings(ada) == PLAIN
    answered = await ada.put(PATH, json={**OWN, "topics": ["chat.message", "game.over", "game.over"]})
    assert answered.status_code == 200, answered.text
    assert answered.json() == {**OWN, "games": []} == await settings(ada)
    assert await settings(ben) == PLAIN
    assert (await ada.put(PATH, json={"topics": []})).json() == {**PLAIN, "topics": [], "reminder": None}


async def test_a_game_has_settings_of_its_own_until_they_are_reset(table: Table) -> None:
    ada = await table.guest("Ada")
    game = await opened(ada)
    await ada.put(PATH, json=OWN)
    muted: Json = {"game": game, "topics": [], "reminder": None}
    assert (await ada.put(f"{PATH}/{game}", json={"topics": []})).json() == {**OWN, "games": [muted]}
    told = (await ada.put(f"{PATH}/{game}", json={"topics": ["game.turn"], "reminder": 5})).json()
    assert told["games"] == [{"game": game, "topics": ["game.turn"], "reminder": 5}]
    for _ in range(2):
        assert (await ada.delete(f"{PATH}/{game}")).json() == {**OWN, "games": []}
    problem(await ada.put(f"{PATH}/{uuid4()}", json={"topics": []}), 404, "unknown_game")
    mine, own = await id_of(ada), GamePreferences(TOPICS, None)
    for _ in range(MOST_GAMES):
        assert await table.log.set_game_preferences(mine, uuid4(), own, MOST_GAMES)
    problem(await ada.put(f"{PATH}/{game}", json={"topics": []}), 409, "too_many_settings")
    assert len((await settings(ada))["games"]) == MOST_GAMES


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"time_zone": "Europe/Atlantis"}, 422, "unfit_settings"),
        ({"time_zone": "../../etc/passwd"}, 400, "invalid_body"),
        ({"time_zone": ""}, 400, "invalid_body"),
        ({"quiet": {"begin": "22:00", "end": "22:00"}}, 422, "unfit_settings"),
        ({"quiet": {"begin": "24:00", "end": "07:00"}}, 400, "invalid_body"),
        ({"quiet": {"begin": "22:00"}}, 400, "invalid_body"),
        ({"digest": "18:60"}, 400, "invalid_body"),
        ({"digest": "18:00\n"}, 400, "invalid_body"),
        ({"digest": "8:00"}, 400, "invalid_body"),
        ({"reminder": 0}, 400, "invalid_body"),
        ({"reminder": 10081}, 400, "invalid_body"),
        ({"topics": ["test"]}, 400, "invalid_body"),
        ({"topics": None}, 400, "invalid_body"),
        ({"games": []}, 400, "invalid_body"),
    ],
    ids=str,
)
async def test_settings_that_mean_nothing_are_refused(
    table: Table, wrong: dict[str, Any], status: int, code: str
) -> None:
    ada = await table.guest("Ada")
    problem(await ada.put(PATH, json={**OWN, **wrong}), status, code)
    assert await settings(ada) == PLAIN


async def test_whoever_is_invited_is_told_once(table: Table) -> None:
    """When the table is opened, and when an invitation follows."""
    ada, ben, cleo = [await table.guest(name) for name in ("Ada", "Ben", "Cleo")]
    for guest in (ada, ben, cleo):
        await added(guest)
    game = await opened(ada, invited=["Ben", "Ada"])
    assert await due(table) == [("game.invitation", str(await id_of(ben)))]
    for _ in range(2):
        body, headers = {"invite": ["Cleo", "Ben"]}, {"Authorization": f"Bearer {ada.token}"}
        changed = await table.client.patch(f"/v1/games/{game}/invitations", json=body, headers=headers)
        assert changed.status_code == 200, changed.text
    told = sorted([str(await id_of(ben)), str(await id_of(cleo))])
    assert await due(table) == [("game.invitation", each) for each in told]


async def test_players_take_what_is_kept_about_them_and_nothing_of_others(table: Table) -> None:
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    game = await opened(ada, chat=["players"])
    for guest in (ada, ben):
        await guest.post(f"/v1/games/{game}/seats", json={})
        made = await added(guest)
        for text in ("first", "second"):
            said = await guest.post(f"/v1/games/{game}/chat", json={"room": "players", "text": f"{guest.name}: {text}"})
    await ada.put(PATH, json=OWN)
    taken = (await ada.get("/v1/players/me/data")).json()
    assert [(each["text"], each["game"], each["room"]) for each in taken["said"]] == [
        ("Ada: second", game, "players"),
        ("Ada: first", game, "players"),
    ]
    assert (taken["name"], taken["player"], taken["more"]) == ("Ada", str(await id_of(ada)), False)
    assert taken["notifications"] == {**OWN, "games": []}
    assert [each["url"] for each in taken["webhooks"]] == [URL]
    assert made["secret"] not in str(taken)
    assert "Ben" not in str(taken)
    assert said.status_code == 201
    await ben.delete(f"/v1/games/{game}/chat/{said.json()['id']}")
    assert [each["text"] for each in (await ben.get("/v1/players/me/data")).json()["said"]] == [None, "Ben: first"]


async def test_players_who_want_it_are_told_of_chat_and_authors_are_not(table: Table) -> None:
    """A quarter of an hour of chat is one message, and the text is not in it."""
    ada, ben, cleo = [await table.guest(name) for name in ("Ada", "Ben", "Cleo")]
    game = await opened(ada, chat=["players", "spectators"])
    for guest in (ada, ben):
        await guest.post(f"/v1/games/{game}/seats", json={})
    for guest in (ada, ben, cleo):
        await added(guest)
        await guest.put(PATH, json={"topics": ["chat.message"]})
    chat = f"/v1/games/{game}/chat"
    assert (await cleo.post(chat, json={"room": "spectators", "text": "Hello"})).status_code == 201
    assert await due(table) == []
    for text in ("Hello", "again"):
        assert (await ada.post(chat, json={"room": "players", "text": text})).status_code == 201
    assert await due(table) == [("chat.message", str(await id_of(ben)))]

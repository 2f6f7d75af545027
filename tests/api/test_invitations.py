"""Unlisted tables, and tables for invited players: who finds them, and who may sit down."""

import asyncio
import json
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from mcmulti.api.admission.gate import Admission
from tests.api.guests import Json, problem
from tests.api.two_servers import BOX, TwoServers, two_on_a_database


async def test_only_invited_players_and_the_opener_sit_down(servers: TwoServers) -> None:
    ada, ben, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Eve")]
    opened = await ada.opens(invited=["BEN"])
    game = opened["game"]
    assert (opened["table"]["closed"], opened["table"]["listed"], opened["passcode"]) == (True, True, None)
    problem(await eve.sits(game), 403, "not_invited")
    problem(await eve.sits(game, code="A" * 16), 403, "not_invited")
    assert (await ben.sits(game, server=1)).status_code == 201
    assert (await ada.sits(game)).status_code == 201
    await ada.sends(game, "StartGame")


async def test_who_knows_the_code_sits_down(servers: TwoServers) -> None:
    ada, ben, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Eve")]
    one, two = await ada.opens(passcode=True), await ada.opens(passcode=True)
    game, code = one["game"], one["passcode"]
    assert len({one["passcode"], two["passcode"]}) == 2
    for wrong in (two["passcode"], code[::-1], "A" * 16, None):
        problem(await ben.sits(game, code=wrong), 403, "not_invited")
    for malformed in (code.lower(), code[1:], f"{code}\n", ""):
        problem(await ben.sits(game, code=malformed), 400, "invalid_body")
    assert (await ben.sits(game, server=1, code=code)).status_code == 201
    problem(await ben.sits(game), 409, "already_seated")
    problem(await eve.sits(game), 403, "not_invited")
    assert (await eve.sits(game, code=code)).status_code == 201


async def test_a_code_is_told_once(servers: TwoServers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    opened = await ada.opens(passcode=True)
    game, code = opened["game"], opened["passcode"]
    assert (await ben.sits(game, code=code)).status_code == 201
    paths = ["", "/invitations", "/events", "/replay", "/proof", "/log"]
    answers = [await ada.get(f"/v1/games/{game}{path}") for path in paths]
    answers += [await ada.get("/v1/games"), await ada.get("/v1/games?mine=true")]
    assert [answered.text for answered in answers if code in answered.text] == []
    assert answers[1].json()["has_passcode"] is True


async def test_a_code_stands_nowhere_in_the_database(database: str) -> None:
    async with two_on_a_database(database) as servers:
        ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
        opened = await ada.opens(passcode=True, key=uuid4().hex)
        game, code = opened["game"], opened["passcode"]
        assert (await ben.sits(game, code=code, Idempotency_Key=uuid4().hex)).status_code == 201
    with psycopg.connect(database) as connection:
        tables = connection.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        kept = [
            str(row)
            for (table,) in tables.fetchall()
            for row in connection.execute(sql.SQL("SELECT t::text FROM {} AS t").format(sql.Identifier(table)))
        ]
    assert any(game in row for row in kept)
    assert [row for row in kept if code in row or code.encode().hex() in row] == []


async def test_no_line_of_the_log_has_a_code(servers: TwoServers, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    opened = await ada.opens(passcode=True)
    await ben.sits(opened["game"], code="A" * 16)
    assert (await ben.sits(opened["game"], code=opened["passcode"])).status_code == 201
    made = (await ada.invites(opened["game"], {"passcode": "new"})).json()["passcode"]
    written = b"".join(capfdbinary.readouterr())
    assert not [code for code in (opened["passcode"], made, "A" * 16) if code.encode() in written]


async def test_an_unlisted_table_is_found_by_those_who_belong_there(servers: TwoServers) -> None:
    ada, ben, cleo, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Cleo", "Eve")]
    opened = await ada.opens(listed=False, passcode=True, invited=["Ben"])
    game = opened["game"]
    assert (await cleo.sits(game, code=opened["passcode"])).status_code == 201
    queries = ["", "free=true", f"player={cleo.id}", "status=open", "ruleset=mcmulti", f"free=true&player={cleo.id}"]
    queries += ["named=cleo", "named=CL", f"named={game}", f"named={game[:6].upper()}", "order=moved&named=cleo"]
    for query in queries:
        for server in (0, 1):
            assert [await eve.lists(query, server), await servers_list(servers, query)] == [[], []], query
            for guest in (ada, ben, cleo):
                assert await guest.lists(query, server) == [game], (query, guest.name)
    assert (await ada.lists("mine=true"), await cleo.lists("mine=true")) == ([], [game])
    assert (await eve.get(f"/v1/games/{game}")).json()["table"]["listed"] is False  # anybody with the id may look


async def servers_list(servers: TwoServers, query: str) -> list[str]:
    listed = await servers.client.get(f"/v1/games?{query}")
    return [game["game"] for game in listed.json()["games"]]


async def test_an_unlisted_table_need_not_be_closed(servers: TwoServers) -> None:
    ada, eve = await servers.guest("Ada"), await servers.guest("Eve")
    opened = await ada.opens(listed=False)
    assert opened["table"]["closed"] is False
    assert (await eve.sits(opened["game"])).status_code == 201
    assert await eve.lists() == [opened["game"]]
    problem(await ada.invites(opened["game"], {"passcode": "new"}), 409, "open_to_all")


async def test_a_name_that_nobody_bears_is_refused(servers: TwoServers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    await ben.erases_itself()
    for names in (["Nobody"], ["Ada", "Ben"], ["\0Ada"]):
        told = problem(await ada.post("/v1/games", {**BOX, "invited": names}), 422, "unknown_name")
        assert repr(names[-1]) in told["detail"]
    assert await ada.lists() == []
    game = (await ada.opens(invited=[]))["game"]
    problem(await ada.invites(game, {"invite": ["Nobody"]}), 422, "unknown_name")
    problem(await ada.invites(game, {"uninvite": ["Nobody"]}), 422, "unknown_name")


async def test_an_opening_that_is_repeated_tells_the_code_again_to_nobody_else(servers: TwoServers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    key = uuid4().hex
    access: Json = {"passcode": True, "invited": ["Ben"]}
    first = await ada.post("/v1/games", {**BOX, **access}, Idempotency_Key=key)
    again = await ada.post("/v1/games", {**BOX, **access}, 1, Idempotency_Key=key)
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["idempotent-replayed"] == "true"
    others = await ben.opens(key=key, **access)
    assert {others["game"], others["passcode"]}.isdisjoint({first.json()["game"], first.json()["passcode"]})
    for other in ({}, {"passcode": True}, {"listed": False, **access}, {"invited": ["Ben"]}, {**access, "invited": []}):
        problem(await ada.post("/v1/games", {**BOX, **other}, Idempotency_Key=key), 422, "key_reused")
    for name, value in (("invite", ["Ada"]), ("passcode", "new")):
        assert (await ada.invites(first.json()["game"], {name: value})).status_code == 200
    late = await ada.opens(key=key, **access)
    assert late == {**first.json(), "passcode": None}  # which is another one by now


async def test_an_opening_is_repeated_though_who_was_invited_has_another_name(servers: TwoServers) -> None:
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    key = uuid4().hex
    first = await ada.opens(key=key, invited=["Ben"])
    await ben.erases_itself()
    assert await ada.opens(key=key, invited=["Ben"]) == first


async def test_the_opener_invites_more_and_uninvites(servers: TwoServers) -> None:
    ada, ben, cleo, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Cleo", "Eve")]
    game = (await ada.opens(invited=["Ben"]))["game"]
    told = {}
    for _ in range(2):
        told = (await ada.invites(game, {"invite": ["Cleo"], "uninvite": ["Ben"]}, server=1)).json()
        assert told == {
            "game": game,
            "closed": True,
            "invited": [{"player": cleo.id, "name": "Cleo", "kind": "human"}],
            "has_passcode": False,
            "passcode": None,
        }
    assert (await ada.get(f"/v1/games/{game}/invitations")).json() == told
    problem(await ben.sits(game), 403, "not_invited")
    assert (await cleo.sits(game)).status_code == 201
    problem(await ada.invites(game, {"uninvite": ["Cleo"]}), 409, "sits_there")
    for guest in (ben, cleo, eve):
        problem(await guest.get(f"/v1/games/{game}/invitations"), 403, "not_opener")
        problem(await guest.invites(game, {"invite": ["Eve"]}), 403, "not_opener")
    assert (await eve.get(f"/v1/games/{game}")).text.count(ben.id) == 0
    nowhere = f"/v1/games/{uuid4()}/invitations"
    problem(await ada.get(nowhere), 404, "unknown_game")


async def test_a_new_code_ends_the_old_one(servers: TwoServers) -> None:
    ada, ben, key = await servers.guest("Ada"), await servers.guest("Ben"), uuid4().hex
    opened = await ada.opens(passcode=True, key=key)
    game = opened["game"]
    made, again = [await ada.invites(game, {"passcode": "new"}, Idempotency_Key=key) for _ in range(2)]
    assert made.json() == again.json()
    assert (made.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")) == (None, "true")
    code = made.json()["passcode"]
    assert code != opened["passcode"]
    problem(await ben.sits(game, code=opened["passcode"]), 403, "not_invited")
    kept = (await ada.invites(game, {})).json()
    assert (kept["has_passcode"], kept["passcode"]) == (True, None)
    other = (await ada.invites(game, {"passcode": "new"})).json()["passcode"]
    problem(await ben.sits(game, server=1, code=code), 403, "not_invited")
    assert (await ada.invites(game, {"passcode": "none"})).json()["has_passcode"] is False
    problem(await ben.sits(game, code=other), 403, "not_invited")
    assert (await ada.invites(game, {"passcode": "new"}, Idempotency_Key=key)).json()["passcode"] == code
    assert (await ben.sits(game, code=code)).status_code == 201


async def test_invitations_that_change_at_once_are_all_kept(servers: TwoServers) -> None:
    ada = await servers.guest("Ada")
    names = [f"Guest {number}" for number in range(6)]
    for name in names:
        await servers.guest(name)
    game = (await ada.opens(invited=[]))["game"]
    done = await asyncio.gather(
        *(ada.invites(game, {"invite": [name]}, number % 2) for number, name in enumerate(names))
    )
    sure = {name for name, answered in zip(names, done, strict=True) if answered.status_code == 200}
    assert len(sure) >= 5  # one that was overtaken each time must try again
    kept = (await ada.get(f"/v1/games/{game}/invitations")).json()["invited"]
    assert {one["name"] for one in kept} == sure


async def test_a_seat_that_was_taken_is_told_again_though_its_code_does_not_do_any_more(servers: TwoServers) -> None:
    ada, ben, key = await servers.guest("Ada"), await servers.guest("Ben"), uuid4().hex
    opened = await ada.opens(passcode=True)
    game = opened["game"]
    first = await ben.sits(game, code=opened["passcode"], Idempotency_Key=key)
    await ben.sends(game, "LeaveSeat")
    await ada.invites(game, {"passcode": "none"})
    again = await ben.sits(game, 1, code=opened["passcode"], Idempotency_Key=key)
    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
    assert again.json()["events"] == first.json()["events"]
    problem(await ben.sits(game, code="A" * 16, Idempotency_Key=key), 422, "key_reused")
    problem(await ben.sits(game, code=opened["passcode"], Idempotency_Key=uuid4().hex), 403, "not_invited")
    assert (await ada.get(f"/v1/games/{game}")).json()["table"]["seats"][0]["player"] is None


async def test_my_invitations_are_found(servers: TwoServers) -> None:
    ada, ben, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Eve")]
    game = (await ada.opens(listed=False, invited=["Ben"]))["game"]
    open_to_all = (await ada.opens())["game"]
    assert await ben.lists("invited=true") == [game]
    assert await eve.lists("invited=true") == await ada.lists("invited=true") == []
    await ada.invites(open_to_all, {"invite": ["Eve"]})
    assert await eve.lists("invited=true", 1) == [open_to_all]
    assert (await ben.sits(game)).status_code == 201
    assert await ben.lists("invited=true") == []
    problem(await servers.client.get("/v1/games?invited=true"), 401, "unauthenticated")


async def test_a_seat_that_was_left_is_taken_by_the_invited_alone(servers: TwoServers) -> None:
    ada, ben, cleo, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Cleo", "Eve")]
    opened = await ada.opens(passcode=True, invited=["Ben", "Cleo"], setup={"seats": 3, "first_seat": 0})
    game = opened["game"]
    for guest in (ada, ben, cleo):
        assert (await guest.sits(game)).status_code == 201
    await ada.sends(game, "StartGame")
    await cleo.sends(game, "Resign")
    problem(await eve.sits(game), 403, "not_invited")
    assert (await eve.sits(game, code=opened["passcode"])).status_code == 201
    assert (await eve.get(f"/v1/games/{game}")).json()["table"]["seats"][2]["player"] == eve.id


async def test_who_left_a_running_game_needs_no_code_to_come_back(servers: TwoServers) -> None:
    ada, ben, cleo = [await servers.guest(name) for name in ("Ada", "Ben", "Cleo")]
    opened = await ada.opens(passcode=True, setup={"seats": 3, "first_seat": 0})
    game = opened["game"]
    for guest in (ada, ben, cleo):
        assert (await guest.sits(game, code=opened["passcode"])).status_code == 201
    await ada.sends(game, "StartGame")
    await cleo.sends(game, "Resign")
    await ada.invites(game, {"passcode": "none"})
    assert (await cleo.sits(game, 1)).status_code == 201


async def test_who_guesses_codes_is_slowed_down_like_who_guesses_tokens(database: str) -> None:
    async with two_on_a_database(database, Admission(rate_limit="12/hour")) as servers:
        ada = await servers.guest("Ada")
        game = (await ada.opens(passcode=True))["game"]
        ben = await servers.guest("Ben")
        guesses = [(await ben.sits(game, code="A" * 16)).status_code for _ in range(20)]
    assert set(guesses) == {403, 429}
    assert guesses.count(403) <= 13  # the first one counts for the address


async def test_only_so_many_are_invited(servers: TwoServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcmulti.api.operations.invitations.MOST_INVITED", 2)
    ada = await servers.guest("Ada")
    for name in ("Ben", "Cleo", "Dan"):
        await servers.guest(name)
    game = (await ada.opens(invited=["Ben", "Cleo", "ben"]))["game"]
    assert problem(await ada.invites(game, {"invite": ["Dan"]}), 409, "too_many_invited")["limit"] == 2
    assert (await ada.invites(game, {"invite": ["Dan"], "uninvite": ["Ben"]})).status_code == 200


async def test_the_game_file_says_nothing_of_who_was_invited(servers: TwoServers) -> None:
    """Nor do the events of a game that was open to all differ in kind from those of one that was not."""
    ada, ben = await servers.guest("Ada"), await servers.guest("Ben")
    await servers.guest("Cleo")
    ways: tuple[Json, Json] = {}, {"listed": False, "invited": ["Ben", "Cleo"]}
    games = [(await ada.opens(**access))["game"] for access in ways]
    shapes = []
    for game in games:
        for guest in (ada, ben):
            assert (await guest.sits(game)).status_code == 201
        page = (await ada.get(f"/v1/games/{game}/events")).json()["events"]
        for event in page:
            for told in ("hash", "prev_hash", "recorded_at", "command_id"):
                event.pop(told)
        page[0]["data"].pop("commitment")
        shapes.append(json.loads(json.dumps(page).replace(game, "the game")))
    assert shapes[0] == shapes[1]
    assert UUID(games[0]) != UUID(games[1])

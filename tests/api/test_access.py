"""Who may do what: every operation of the contract, by every kind of caller.

The operations come from the OpenAPI document, and its security declarations must be what they do. An operation without
a line here fails.
"""

from typing import NamedTuple

import pytest

from tests.api.guests import Guest, Json, Table
from tests.api.readings import PATHS
from tests.api.sealed_game import OTHER, submit

OPERATIONS: dict[str, tuple[str, str, Json]] = {
    declared["operationId"]: (method, path, declared)
    for path, methods in PATHS.items()
    for method, declared in methods.items()
}


class Answers(NamedTuple):
    """The status for each caller.

    `stranger` is registered and sits elsewhere; `forged` sends a token that nobody was given, `mangled` a player's own
    in the wrong scheme.
    """

    nobody: int
    stranger: int
    seated: int
    other_seat: int
    forged: int
    mangled: int


PUBLIC = Answers(200, 200, 200, 200, 200, 200)
"""Needs no token, and ignores any."""
READ = Answers(200, 200, 200, 200, 401, 401)
"""Anybody may read it, each with its own view; an invalid token is never treated as anonymous."""
ACCOUNT = Answers(401, 200, 200, 200, 401, 401)
"""Every registered player, for its own account."""
TABLE = Answers(401, 403, 200, 200, 401, 401)
"""Only those at the table."""

MATRIX: dict[str, Answers] = {
    "getIndex": PUBLIC,
    "isAlive": PUBLIC,
    "isReady": PUBLIC,
    "listKeys": PUBLIC,
    "getPlayer": PUBLIC,
    "registerPlayer": PUBLIC._replace(**dict.fromkeys(Answers._fields, 201)),
    "getMe": ACCOUNT,
    "renameMe": ACCOUNT,
    "eraseMe": Answers(401, 409, 409, 409, 401, 401),
    "announceAction": ACCOUNT,
    "cancelAction": Answers(401, 204, 204, 204, 401, 401),
    "replaceOwnerToken": ACCOUNT,
    "revokeOtherTokens": ACCOUNT,
    "listTokens": ACCOUNT,
    "makeToken": Answers(401, 201, 201, 201, 401, 401),
    "revokeToken": Answers(401, 404, 404, 404, 401, 401),
    "listWebhooks": ACCOUNT,
    "addWebhook": Answers(401, 409, 409, 409, 401, 401),
    "removeWebhook": Answers(401, 404, 404, 404, 401, 401),
    "rotateWebhookSecret": Answers(401, 404, 404, 404, 401, 401),
    "testWebhook": Answers(401, 409, 409, 409, 401, 401),
    "getMyData": ACCOUNT,
    "getNotifications": ACCOUNT,
    "setNotifications": ACCOUNT,
    "setGameNotifications": ACCOUNT,
    "resetGameNotifications": ACCOUNT,
    "confirmEmail": Answers(*[404] * 6),
    "unsubscribeEmail": Answers(*[404] * 6),
    "listRatings": PUBLIC,
    "listRulesets": PUBLIC,
    "getRuleset": PUBLIC,
    "getGuide": PUBLIC,
    "drawExample": PUBLIC,
    "listPuzzles": PUBLIC,
    "drawPuzzle": Answers(*[404] * 6),
    "openGame": Answers(401, 201, 201, 201, 401, 401),
    "openSeries": Answers(401, 201, 201, 201, 401, 401),
    "getSeries": Answers(*[404] * 6),
    "listGames": READ,
    "downloadGames": PUBLIC,
    "getGame": READ,
    "getRating": READ,
    "listInvitations": Answers(401, 403, 200, 403, 401, 401),
    "changeInvitations": Answers(401, 403, 200, 403, 401, 401),
    "openRematch": Answers(401, 403, 409, 409, 401, 401),
    "openBranch": Answers(401, 403, 201, 201, 401, 401),
    "askForReview": Answers(401, 409, 409, 409, 401, 401),
    "askForHint": Answers(401, 403, 409, 409, 401, 401),
    "getReview": Answers(409, 409, 409, 409, 401, 401),
    "readChat": READ,
    "say": Answers(401, 403, 403, 403, 401, 401),
    "removeMessage": Answers(401, 404, 404, 404, 401, 401),
    "flagMessage": Answers(401, 404, 404, 404, 401, 401),
    "takeSeat": Answers(401, 201, 409, 409, 401, 401),
    "listOffers": TABLE,
    "readPhrase": TABLE,
    "sendCommands": TABLE,
    "forecastOrders": TABLE,
    "forecastText": TABLE,
    "listOrders": TABLE,
    "listEvents": READ,
    "followGames": Answers(401, 200, 200, 200, 401, 401),
    "followLobby": READ,
    "listBoards": READ,
    "drawBoard": READ,
    "writeBoard": READ,
    "shareBoard": READ,
    "getProof": READ,
    "getGameFile": READ,
    "getLedger": READ,
    "getBalances": READ,
    "getStatements": READ,
    "getFlows": READ,
    "getHledgerJournal": READ,
    "getBeancountJournal": READ,
    "replayGame": READ,
    "getGameReport": READ,
    "listRounds": READ,
    "getRoundReport": READ,
    "drawChart": READ,
    "getStatistics": READ,
    "getPosition": READ,
}

READING = [name for name, (method, _, _) in OPERATIONS.items() if method == "get"]
"""Read-only operations."""
SCOPED = [name for name, told in MATRIX.items() if told.forged == 401]

BODIES: dict[str, Json] = {
    "addWebhook": {"url": "https://example.org/hook"},
    "confirmEmail": {"token": "c" * 64},
    "setNotifications": {"topics": ["game.over"]},
    "setGameNotifications": {"topics": []},
    "openGame": {"ruleset": "postal", "setup": {}},
    "changeInvitations": {"invite": ["Eve"]},
    "openBranch": {"at": 7},
    "openSeries": {"ruleset": "postal", "tables": 2},
    "askForReview": {"seconds": 60},
    "askForHint": {"seconds": 3},
    "say": {"room": "players", "text": "Hello"},
    "flagMessage": {},
    "takeSeat": {},
    "sendCommands": {"commands": [submit(OTHER, 2)]},
    "forecastOrders": OTHER,
    "forecastText": {"text": "pumps: hold"},
    "makeToken": {"name": "bot", "scopes": ["account"]},
    "announceAction": {"action": "erase"},
}

VALUES = {
    "token": "t" * 43,
    "ruleset": "postal",
    "round": "1",
    "chart": "cash",
    "id": "00000000-0000-0000-0000-000000000000",
    "message": "7",
    "series": "00000000-0000-4000-8000-000000000000",
}


def test_every_operation_has_a_line() -> None:
    assert set(OPERATIONS) == set(MATRIX)


@pytest.mark.parametrize("operation", MATRIX)
def test_the_contract_declares_what_the_matrix_says(operation: str) -> None:
    """A token is required if the matrix refuses anonymous callers, and checked if it refuses a forged one."""
    told = MATRIX[operation]
    security = OPERATIONS[operation][2].get("security") or []
    assert (told.nobody == 401) == (security == [{"token": []}])
    assert (told.forged == 401) == ({"token": []} in security)
    assert ("x-scope" in OPERATIONS[operation][2]) == ({"token": []} in security)
    assert told.forged == told.mangled
    assert ("401" in OPERATIONS[operation][2]["responses"]) == (told.forged == 401)


class House(NamedTuple):
    """A game by post in its second round, a table with two seats taken, and the callers."""

    table: Table
    game: str
    free: str
    player: str
    callers: dict[str, dict[str, str]]


@pytest.fixture
async def house(table: Table) -> House:
    return await _house(table)


@pytest.fixture(scope="module")
async def read_house(module_table: Table) -> House:
    """One for all operations that change nothing."""
    return await _house(module_table)


async def _house(table: Table) -> House:
    game = await table.start(4, ruleset="postal")
    for guest in table.guests:
        assert (await guest.send(game, submit(OTHER))).status_code == 200
    ada, ben = table.guests[:2]
    opened = await ada.post("/v1/games", json={"ruleset": "postal", "setup": {}})
    free = str(opened.json()["game"])
    for guest in (ada, ben):
        assert (await guest.post(f"/v1/games/{free}/seats", json={})).status_code == 201
    eve = await table.guest("Eve")
    await eve.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2}})
    callers = {
        "nobody": {},
        "stranger": _token(eve),
        "seated": _token(ada),
        "other_seat": _token(ben),
        "forged": {"Authorization": f"Bearer mcm_{'A' * 43}"},
        "mangled": {"Authorization": f"Basic {ada.token}"},
    }
    player = (await table.client.post("/v1/players", json={"name": "Finn", "kind": "bot"})).json()["player"]
    return House(table, game, free, player, callers)


def _token(guest: Guest) -> dict[str, str]:
    return {"Authorization": f"Bearer {guest.token}"}


async def _status(house: House, operation: str, caller: str) -> tuple[int, str]:
    method, path, _ = OPERATIONS[operation]
    game = house.free if operation == "takeSeat" else house.game
    for name, value in {**VALUES, "game": game, "player": house.player}.items():
        path = path.replace(f"{{{name}}}", value)
    body = {"name": f"New {caller}"} if operation in ("registerPlayer", "renameMe") else BODIES.get(operation)
    verb = "HEAD" if operation in ("followGames", "followLobby") else method.upper()  # its body is endless
    answered = await house.table.client.request(verb, path, headers=house.callers[caller], json=body)
    return answered.status_code, answered.text


@pytest.mark.parametrize("operation", READING)
async def test_every_caller_reads_what_the_matrix_says(read_house: House, operation: str) -> None:
    await _all_callers(read_house, operation)


@pytest.mark.parametrize("operation", [name for name in MATRIX if name not in READING])
async def test_every_caller_does_what_the_matrix_says(house: House, operation: str) -> None:
    await _all_callers(house, operation)


async def _all_callers(house: House, operation: str) -> None:
    for caller, status in MATRIX[operation]._asdict().items():
        found, said = await _status(house, operation, caller)
        assert found == status, (operation, caller, said)


@pytest.mark.parametrize("operation", [name for name in SCOPED if name not in READING])
async def test_a_token_must_have_the_scope_that_the_contract_names(house: House, operation: str) -> None:
    """With the two other scopes it is refused; with only this one the operation works for its holder."""
    await _try_scopes(house, operation)


async def test_a_reading_token_must_have_the_scope_that_the_contract_names(read_house: House) -> None:
    """All read-only operations, by one player: tokens are revoked in between."""
    reading = [name for name in SCOPED if name in READING]
    assert len(reading) > 20
    for operation in reading:
        await _try_scopes(read_house, operation)


async def _try_scopes(house: House, operation: str) -> None:
    scope = OPERATIONS[operation][2]["x-scope"]
    others = [one for one in ("read", "play", "account") if one != scope]
    for scopes, status in ((others, 403), ([scope], MATRIX[operation].seated)):
        body = {"name": "bot", "scopes": scopes}
        made = await house.table.client.post("/v1/players/me/tokens", json=body, headers=house.callers["seated"])
        house.callers["with a scope"] = {"Authorization": f"Bearer {made.json()['token']}"}
        found, said = await _status(house, operation, "with a scope")
        if operation == "replaceOwnerToken" and scopes == [scope]:  # of all scopes, since this one alone makes no owner
            assert (found, "exceeds_token" in said) == (403, True)
            continue
        assert found == status, (operation, scopes, said)
        if operation in READING:
            client, ada = house.table.client, house.callers["seated"]
            token = (await client.get("/v1/players/me/tokens", headers=ada)).json()["tokens"][-1]
            assert token["name"] == "bot"
            gone = await client.delete(f"/v1/players/me/tokens/{token['id']}", headers=ada)
            assert gone.status_code == 200, gone.text


async def test_who_is_refused_changes_nothing(house: House) -> None:
    """Whatever an unauthorized caller posts to a game: it does not change."""
    client = house.table.client
    before = [(await client.get(f"/v1/games/{game}")).json() for game in (house.game, house.free)]
    posts = [name for name, (method, path, _) in OPERATIONS.items() if method == "post" and "{game}" in path]
    assert len(posts) >= 3
    for operation in posts:
        for caller, status in MATRIX[operation]._asdict().items():
            if status in (401, 403):
                await _status(house, operation, caller)
    assert [(await client.get(f"/v1/games/{game}")).json() for game in (house.game, house.free)] == before


async def test_my_games_are_asked_for_with_a_token(house: House) -> None:
    found = {}
    for caller, headers in house.callers.items():
        answered = await house.table.client.get("/v1/games?mine=true", headers=headers)
        found[caller] = [game["game"] for game in answered.json().get("games", [])] or answered.status_code
    both = [house.free, house.game]
    assert found == {"nobody": 401, "stranger": 200, "seated": both, "other_seat": both, "forged": 401, "mangled": 401}

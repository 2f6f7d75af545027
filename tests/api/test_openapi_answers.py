"""The server answers as its OpenAPI document says."""

import pytest

from mcmulti.domain.mcmulti import RULESET
from tests.api.guests import Json, Table, problem
from tests.api.published import SCHEMAS, told


async def test_successful_answers(table: Table) -> None:
    game = await table.market_phase()
    ada, here = table.guests[0], f"/v1/games/{game}"
    told("getIndex", await table.client.get("/"))
    told("isAlive", await table.client.get("/healthz"))
    told("isReady", await table.client.get("/readyz"))
    told("registerPlayer", await table.client.post("/v1/players", json={"name": "Eve"}))
    told("listRulesets", await table.client.get("/v1/rulesets"))
    told("getRuleset", await table.client.get(f"/v1/rulesets/{RULESET.name}"))
    told("listGames", await ada.get("/v1/games"))
    opened = told("openGame", await ada.post("/v1/games", json={"ruleset": RULESET.name}))
    told("takeSeat", await ada.post(f"/v1/games/{opened['game']}/seats", json={}))
    told("getGame", await ada.get(here))
    told("getGame", await table.client.get(f"{here}?at=1"))
    told("listOffers", await ada.get(f"{here}/offers"))
    told("listKeys", await table.client.get("/v1/keys"))
    told("getProof", await ada.get(f"{here}/proof?limit=1"))
    told("sendCommands", await ada.send(game, {"type": "RollDice"}, Idempotency_Key="a"))
    again = await ada.send(game, {"type": "RollDice"}, Idempotency_Key="a")
    assert again.headers["Idempotent-Replayed"] == "true"
    told("sendCommands", again)
    told("listEvents", await table.client.get(f"{here}/events"))


async def test_what_the_client_has_already(table: Table) -> None:
    game = await table.market_phase()
    ada, here = table.guests[0], f"/v1/games/{game}"
    for operation, path in (("getGame", here), ("listOffers", f"{here}/offers"), ("getProof", f"{here}/proof")):
        known = (await ada.get(path)).headers["ETag"]
        unchanged = await ada.get(path, headers={"If-None-Match": known})
        assert unchanged.status_code == 304
        told(operation, unchanged)


async def test_problems(table: Table) -> None:
    game = await table.market_phase()
    ada, here = table.guests[0], f"/v1/games/{game}"
    told("getGame", await ada.get(f"{here}?at=x"))
    told("getGame", await ada.get(f"{here}?at=2000"))
    told("getGame", await ada.get(here, headers={"Accept": "text/html"}))
    told("listOffers", await table.client.get(f"{here}/offers"))
    told("getRuleset", await table.client.get("/v1/rulesets/chess"))
    told("registerPlayer", await table.client.post("/v1/players", json={"name": "Ada"}))
    told("registerPlayer", await table.client.post("/v1/players", content=b"x"))
    told("sendCommands", await ada.send(game, {"type": "StartGame"}))
    told("sendCommands", await ada.send(game, {"type": "Cheat"}))
    told("sendCommands", await ada.send(game, {"type": "RollDice"}, If_Match=f'"1-{"0" * 64}"'))
    told("sendCommands", await ada.send(game, {"type": "RollDice"}, If_Match="1"))


@pytest.mark.parametrize(
    ("operation", "schema", "body", "field", "code"),
    [
        ("registerPlayer", "NewPlayer", {"name": "\u0410da"}, "name", "mixed_scripts"),
        ("registerPlayer", "NewPlayer", {"name": "Seat 1"}, "name", "reserved_name"),
        ("registerPlayer", "NewPlayer", {"name": "A\u202eda"}, "name", "unprintable_name"),
        ("renameMe", "NewName", {"name": "\u0410da"}, "name", "mixed_scripts"),
        ("makeToken", "NewToken", {"name": "a\u202eb", "scopes": ["read"]}, "name", "unprintable_name"),
        (
            "makeToken",
            "NewToken",
            {"name": "a", "scopes": ["read"], "expires": "2001-01-01T00:00:00Z"},
            "expires",
            "past_expiry",
        ),
        ("openGame", "NewMcMultiGame", {"ruleset": "mcmulti", "invited": ["Nobody"]}, "invited", "unknown_name"),
        ("openGame", "NewMcMultiGame", {"ruleset": "mcmulti", "rated": True, "listed": False}, "rated", "unlisted"),
        ("openGame", "NewMcMultiGame", {"ruleset": "mcmulti", "rated": True}, "rated", "rated_without_clock"),
    ],
)
async def test_a_field_that_fits_is_refused_as_its_schema_says(
    table: Table, operation: str, schema: str, body: Json, field: str, code: str
) -> None:
    ada = await table.guest("Ada")
    path = {"openGame": "/v1/games", "makeToken": "/v1/players/me/tokens", "renameMe": "/v1/players/me"}
    headers = {"Authorization": f"Bearer {ada.token}"}
    method = "PATCH" if operation == "renameMe" else "POST"
    refused = await table.client.request(method, path.get(operation, "/v1/players"), json=body, headers=headers)
    problem(refused, 422, code)
    told(operation, refused)
    assert code in SCHEMAS[schema]["properties"][field]["x-problems"]

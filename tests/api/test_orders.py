"""Trying orders out over HTTP."""

import pytest
from httpx import ASGITransport, AsyncClient, Response

from mcmulti.api.app import application
from tests.api.guests import Guest, Json, Table, problem

STATION = {"type": "BuyAssetOrder", "kind": "station", "plot": {"row": 1, "column": 1}}
REFINERY = {"type": "BuyAssetOrder", "kind": "refinery", "plot": {"row": 3, "column": 3}}
SHEET: Json = {
    "orders": [STATION, STATION, REFINERY, {**REFINERY, "plot": {"row": 5, "column": 5}}, {**REFINERY}],
    "trades": [{"type": "SellBarrelsOrder", "market": "foreign", "good": "crude", "quantity": 2, "not_below": 27}],
}
"""200 - 48 = 152; the site is taken; 152 - 64 = 88; 88 - 64 = 24; the block is taken; no barrel ever brings 27."""


def told(result: Response) -> Json:
    """The results of commands, without the names of players, which are current ones."""
    found: Json = result.json()
    return {name: value for name, value in found.items() if name != "table"}


async def by_post(table: Table) -> str:
    return await table.start(4, ruleset="postal")


async def test_a_forecast_tells_what_would_happen_and_what_looks_wrong(table: Table) -> None:
    game = await by_post(table)
    answered = await table.guests[1].post(f"/v1/games/{game}/forecast", json=SHEET)
    assert answered.status_code == 200, answered.text
    told = answered.json()
    assert (told["game"], told["seat"]) == (game, 1)
    assert answered.headers["etag"].startswith(f'"{told["seq"]}-{told["hash"]}')
    assert answered.headers["cache-control"] == "no-store"
    assert [event["type"] for event in told["events"]] == [
        "TurnBegan",
        "AssetBought",
        "OrderSkipped",
        "AssetBought",
        "AssetBought",
        "OrderSkipped",
        "OrderSkipped",
    ]
    assert told["events"][1] == {
        "type": "AssetBought",
        "data": {
            "type": "AssetBought",
            "seat": 1,
            "kind": "station",
            "site": {"quadrant": 1, "row": 1, "column": 1},
            "price": 48,
        },
        "sentence": "Ben buys a station for $48M and places it at row 1, column 1 of the north-east.",
        "rule": "postal/prices",
    }
    assert [event["data"]["code"] for event in told["events"] if event["type"] == "OrderSkipped"] == [
        "site",
        "block",
        "price_below",
    ]
    assert told["remarks"] == [{"line": 6, "code": "never_sells", "sentence": "No barrel of crude ever brings $27M."}]
    assert [holding["amounts"]["dollars"] for holding in told["holdings"]] == [200, 24, 200, 200]


async def test_a_forecast_speaks_german(table: Table) -> None:
    game = await by_post(table)
    told = (await table.guests[0].post(f"/v1/games/{game}/forecast?language=de", json=SHEET)).json()
    assert told["remarks"][0]["sentence"] == "Kein Fass Rohöl bringt je 27 Mio. $."
    assert told["events"][2]["sentence"].startswith("Zeile 2 von Ada wird übergangen: dort steht schon etwas")


async def test_a_forecast_appends_nothing_and_tells_nothing_of_other_sheets(table: Table) -> None:
    """It is the same before and after Ben sent a sheet, except for the head; and Ada's own sheet does not matter
    either.
    """
    game = await by_post(table)
    ada, ben = table.guests[:2]
    before = (await ada.post(f"/v1/games/{game}/forecast", json=SHEET)).json()
    assert (await table.client.get(f"/v1/games/{game}")).json()["seq"] == before["seq"]
    sealed = {"orders": [{"type": "BuyAssetOrder", "kind": "rig", "plot": {"row": 6, "column": 6}}]}
    for guest in (ben, ada):
        assert (await guest.send(game, {"type": "SubmitOrders", "round": 1, "sheet": sealed})).status_code == 200
    after = (await ada.post(f"/v1/games/{game}/forecast", json=SHEET)).json()
    assert after["seq"] == before["seq"] + 2
    assert {**after, "seq": 0, "hash": ""} == {**before, "seq": 0, "hash": ""}


@pytest.mark.parametrize(
    "body", [b'{"orders": 1}', b'{"order": []}', b'{"pumps": {"type": "SellAtPumps", "not_below": 0}}', b"[]"]
)
async def test_what_is_no_sheet_is_refused(table: Table, body: bytes) -> None:
    game = await by_post(table)
    headers = {"Content-Type": "application/json"}
    answered = await table.guests[0].post(f"/v1/games/{game}/forecast", content=body, headers=headers)
    problem(answered, 400, "invalid_body")


async def test_a_sheet_that_is_too_large_is_refused_with_the_limit(table: Table) -> None:
    """200 orders and the line for the pumps are 201 lines; 200 are allowed."""
    game = await by_post(table)
    sheet = {"orders": [{"type": "ConvertRigOrder"}] * 200}
    refused = problem(await table.guests[0].post(f"/v1/games/{game}/forecast", json=sheet), 409, "sheet_lines")
    assert (refused["limit"], refused["rule"], refused["field"]) == (200, "postal/sheet", "sheet")


async def test_only_players_of_a_running_game_by_post_forecast(table: Table) -> None:
    waiting = await table.open(4, ruleset="postal")
    problem(await table.guests[0].post(f"/v1/games/{waiting}/forecast", json={}), 409, "not_started")
    eve = await table.guest("Eve")
    problem(await eve.post(f"/v1/games/{waiting}/forecast", json={}), 403, "no_seat")
    problem(await table.client.post(f"/v1/games/{waiting}/forecast", json={}), 401, "unauthenticated")
    box = await table.start(2)
    problem(await table.guests[0].post(f"/v1/games/{box}/forecast", json={}), 404, "no_orders")
    nowhere = "/v1/games/00000000-0000-4000-8000-000000000000/forecast"
    problem(await table.guests[0].post(nowhere, json={}), 404, "unknown_game")
    problem(await table.guests[0].post(f"/v1/games/{waiting}/forecast?language=fr", json={}), 400, "invalid_query")


WORDS = "buy pump A1\nsell 2 crude foreign not below 27\n"
"""27 is more than a barrel of crude ever brings."""


async def test_a_forecast_of_a_text_tells_what_one_of_the_data_does_and_has_both(table: Table) -> None:
    game = await by_post(table)
    address = f"/v1/games/{game}/forecast"
    told = (await table.guests[1].post(f"{address}/text", json={"text": f"# set-up\n{WORDS}"})).json()
    sheet = {
        "orders": [STATION],
        "trades": [{"type": "SellBarrelsOrder", "market": "foreign", "good": "crude", "quantity": 2, "not_below": 27}],
        "pumps": {"type": "SellAtPumps"},
    }
    assert told["command"] == {"type": "SubmitOrders", "round": 1, "sheet": sheet}
    assert told["text"] == f"{WORDS}pumps: sell\n"
    assert told["places"] == [2, 3, 4]
    assert [remark["line"] for remark in told["remarks"]] == [2]
    as_data = (await table.guests[1].post(address, json=sheet)).json()
    assert as_data["places"] == [1, 2, 3]
    assert {**as_data, "places": None} == {**told, "places": None}


async def test_a_forecast_takes_text_in_json_alone_as_the_contract_says(table: Table) -> None:
    """So every accepted body is in the contract, and generated clients can send it."""
    game = await by_post(table)
    ada, address = table.guests[0], f"/v1/games/{game}/forecast"
    plain = {"Content-Type": "text/plain"}
    for path in ("", "/text"):
        answered = await ada.post(f"{address}{path}", content=WORDS.encode(), headers=plain)
        problem(answered, 415, "unsupported_media_type")
    for body in ({}, {"text": 7}, {"text": WORDS, "round": 1}):
        problem(await ada.post(f"{address}/text", json=body), 400, "invalid_body")
    problem(await (await table.guest("Eve")).post(f"{address}/text", json={"text": ""}), 403, "no_seat")


async def test_a_sheet_is_sent_as_text_and_kept_as_data(table: Table) -> None:
    """The sender reads it in both forms, and nobody else reads it in either."""
    game = await by_post(table)
    ada, ben = table.guests[:2]
    assert (await ada.send(game, {"type": "WriteOrders", "round": 1, "text": "if I bought rigs: convert"})).is_success
    seen = (await ada.get(f"/v1/games/{game}")).json()["view"]
    condition = {"type": "AssetDealsAre", "deed": "bought", "kind": "rig", "seat": 0}
    order = {"type": "IfOrder", "condition": condition, "then": [{"type": "ConvertRigOrder"}]}
    assert seen["sheet"]["orders"] == [order]
    event = (await ada.get(f"/v1/games/{game}/events")).json()["events"][-1]
    assert (event["type"], event["command"]["type"]) == ("OrdersSubmitted", "SubmitOrders")
    waiting = (await ada.get(f"/v1/games/{game}/orders")).json()
    [sent] = waiting["orders"]
    text = "convert rig if A bought rigs\npumps: sell\n"
    assert (waiting["seat"], sent["command"]["sheet"], sent["text"]) == (0, seen["sheet"], text)
    in_text = await ada.get(f"/v1/games/{game}/orders", headers={"Accept": "text/plain"})
    assert in_text.text == f"# SubmitOrders, round 1\n{text}"
    assert (await ben.get(f"/v1/games/{game}/orders")).json()["orders"] == []
    problem(await (await table.guest("Eve")).get(f"/v1/games/{game}/orders"), 403, "no_seat")


async def test_a_text_may_name_players_and_is_kept_with_their_seats(table: Table) -> None:
    game = await by_post(table)
    ada, ben = table.guests[:2]
    text = 'if "Ben" has no rigs: convert'
    condition = {"type": "AssetsAre", "kind": "rig", "seat": 1, "at_most": 0}
    for guest in (ada, ben):
        told = (await guest.post(f"/v1/games/{game}/forecast/text", json={"text": text})).json()
        assert told["text"] == "convert rig if rigs of B at most 0\npumps: sell\n"
        assert (await guest.send(game, {"type": "WriteOrders", "round": 1, "text": text})).is_success
        [order] = (await guest.get(f"/v1/games/{game}")).json()["view"]["sheet"]["orders"]
        assert order["condition"] == condition
    token = {"Authorization": f"Bearer {ben.token}"}
    assert (await table.client.patch("/v1/players/me", json={"name": "Benjamin"}, headers=token)).is_success
    refused = await ada.send(game, {"type": "WriteOrders", "round": 1, "text": text})
    assert problem(refused, 422, "unread_orders")["column"] == 4


@pytest.mark.parametrize("others", [{}, {"Cleo": "Ben"}], ids=["nobody has the name", "somebody else has the name"])
async def test_a_text_that_is_sent_again_gets_the_first_answer_whatever_its_players_are_called_by_then(
    table: Table, others: dict[str, str]
) -> None:
    """The sheet means the players it named; even a server that never saw the first request gives the same response."""
    game = await by_post(table)
    ada = table.guests[0]
    command = {"type": "WriteOrders", "round": 1, "text": 'if "Ben" has no rigs: convert'}
    first = await ada.send(game, command, Idempotency_Key="the-same")
    assert first.status_code == 200, first.text
    for name, called in {"Ben": "Zoe", **others}.items():
        guest = next(guest for guest in table.guests if guest.name == name)
        token = {"Authorization": f"Bearer {guest.token}"}
        assert (await table.client.patch("/v1/players/me", json={"name": called}, headers=token)).is_success
    seq = (await ada.get(f"/v1/games/{game}")).json()["seq"]
    async with AsyncClient(transport=ASGITransport(application(table.log)), base_url="http://other") as other:  # type: ignore[arg-type]
        for client in (table.client, other):
            again = await Guest(client, "Ada", ada.token).send(game, command, Idempotency_Key="the-same")
            assert (again.status_code, again.headers.get("idempotent-replayed")) == (200, "true"), again.text
            assert told(again) == told(first)
            otherwise = {**command, "text": 'if "Nobody" has no rigs: convert'}
            refused = await Guest(client, "Ada", ada.token).send(game, otherwise, Idempotency_Key="the-same")
            problem(refused, 422, "key_reused")
    view = (await ada.get(f"/v1/games/{game}")).json()
    assert (view["seq"], view["view"]["sheet"]["orders"][0]["condition"]["seat"]) == (seq, 1)


async def test_sheets_for_later_rounds_and_standing_ones_are_sent_as_text_too(table: Table) -> None:
    game = await by_post(table)
    ada = table.guests[0]
    for command in (
        {"type": "WriteOrders", "round": 1, "text": "buy rig A1", "standing": True},
        {"type": "WriteOrders", "round": 3, "text": "pumps: hold"},
    ):
        assert (await ada.send(game, command)).is_success
    in_text = await ada.get(f"/v1/games/{game}/orders", headers={"Accept": "text/plain"})
    assert in_text.text == (
        "# SubmitOrders, round 1\nbuy rig A1\npumps: sell\n\n"
        "# SubmitOrders, round 3\npumps: hold\n\n"
        "# SetStanding, round 1\nbuy rig A1\npumps: sell\n"
    )


async def test_a_text_that_is_no_sheet_is_refused_at_its_place(table: Table) -> None:
    game = await by_post(table)
    ada = table.guests[0]
    text = "buy pump A1\nbuy rig A9"
    forecast = await ada.post(f"/v1/games/{game}/forecast/text?language=de", json={"text": text})
    refused = problem(forecast, 422, "unread_orders")
    assert (refused["line"], refused["column"]) == (2, 9)
    assert refused["detail"] == "Zeile 2, Spalte 9: erwartet wird ein Feld wie B3, da steht 'a9'."
    sent = await ada.send(
        game, {"type": "HoldRound", "round": 1, "hold": True}, {"type": "WriteOrders", "round": 1, "text": text}
    )
    refused = problem(sent, 422, "unread_orders")
    assert (refused["line"], refused["column"], refused["command"]) == (2, 9, 1)
    assert refused["detail"] == "Line 2, column 9: expected a site such as B3, found 'a9'."
    problem(await ada.send(game, {"type": "WriteOrders", "round": 1, "text": 7}), 400, "invalid_body")
    problem(await ada.send(game, {"type": "WriteOrders", "round": 9, "text": ""}), 409, "this_round_first")
    longest = "#".ljust(150_000)
    assert (await ada.post(f"/v1/games/{game}/forecast/text", json={"text": longest})).is_success
    assert (await ada.send(game, {"type": "WriteOrders", "round": 1, "text": longest})).is_success
    problem(await ada.post(f"/v1/games/{game}/forecast/text", json={"text": f"{longest} "}), 400, "invalid_body")
    problem(await ada.send(game, {"type": "WriteOrders", "round": 1, "text": f"{longest} "}), 400, "invalid_body")
    many = {"text": "convert\n" * 200}
    refused = problem(await ada.post(f"/v1/games/{game}/forecast/text", json=many), 409, "sheet_lines")
    assert refused["limit"] == 200
    box = await table.start(2)
    problem(await ada.post(f"/v1/games/{box}/forecast/text", json={"text": ""}), 404, "no_orders")
    problem(await ada.send(box, {"type": "WriteOrders", "round": 1, "text": ""}), 409, "other_ruleset")
    problem(await ada.get(f"/v1/games/{box}/orders"), 404, "no_orders")

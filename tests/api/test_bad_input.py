"""Bad input always gets a clear problem, and nothing is appended."""

from typing import Any

import pytest

from tests.api.guests import Table, problem

ROLL = {"type": "RollDice"}


def buying(**fields: Any) -> dict[str, Any]:
    return {"type": "BuyBarrels", "market": "domestic", "good": "crude", "quantity": 1, **fields}


def rig(row: int, column: int, kind: str = "rig", quadrant: int = 0) -> dict[str, Any]:
    return {"type": "BuyAsset", "kind": kind, "site": {"quadrant": quadrant, "row": row, "column": column}}


async def head(table: Table, game: str) -> int:
    return int((await table.client.get(f"/v1/games/{game}")).json()["seq"])


@pytest.mark.parametrize(
    ("body", "code", "detail"),
    [
        (b"", "malformed_json", "truncated"),
        (b'{"commands":', "malformed_json", "truncated"),
        (b"{'commands': []}", "malformed_json", "malformed"),
        (b'{"commands": [{"type": "RollDice"}]} x', "malformed_json", "trailing"),
        (b'{"commands": [{"type": "Roll\xff"}]}', "malformed_json", ""),
        (b"[]", "invalid_body", "object"),
        (b"{}", "invalid_body", "commands"),
        (b'{"commands": []}', "invalid_body", "length"),
        (b'{"commands": [{"type": "RollDice"}], "dice": [6, 6]}', "invalid_body", "dice"),
        (b'{"commands": [{}]}', "invalid_body", "commands[0].type: required."),
        (
            b'{"commands": [{"type": "RollDice"}, {"type": "Cheat"}]}',
            "invalid_body",
            "commands[1].type: unknown value ",
        ),
        (b'{"commands": [{"type": "RollDice", "red": 6}]}', "invalid_body", "red"),
        (b'{"commands": [{"type": "TakeSeat", "player": "x", "name": "x"}]}', "invalid_body", "TakeSeat"),
    ],
)
async def test_a_body_that_does_not_fit(table: Table, body: bytes, code: str, detail: str) -> None:
    game = await table.market_phase()
    before = await head(table, game)
    answered = await table.guests[0].post(
        f"/v1/games/{game}/commands", content=body, headers={"Content-Type": "application/json"}
    )
    assert detail in problem(answered, 400, code)["detail"]
    assert await head(table, game) == before


@pytest.mark.parametrize("quantity", ["1", 1.0, 1.5, True, None, [1], 0, -1, 145, 10**30])
async def test_nothing_is_coerced(table: Table, quantity: Any) -> None:
    game = await table.market_phase()
    answered = await table.guests[0].send(game, buying(quantity=quantity))
    assert "commands[0].quantity: expected integer" in problem(answered, 400, "invalid_body")["detail"]


@pytest.mark.parametrize(
    "site",
    [
        {"quadrant": 4, "row": 1, "column": 1},
        {"quadrant": 0, "row": 0, "column": 1},
        {"quadrant": 0, "row": 1, "column": 7},
        {"quadrant": 0, "row": 1},
        "1-1",
    ],
)
async def test_a_site_off_the_board(table: Table, site: Any) -> None:
    game = await table.start()
    answered = await table.guests[0].send(game, {"type": "BuyAsset", "kind": "rig", "site": site})
    problem(answered, 400, "invalid_body")


@pytest.mark.parametrize(("media_type", "status"), [("text/plain", 415), ("application/xml", 415), ("", 415)])
async def test_a_body_of_another_type(table: Table, media_type: str, status: int) -> None:
    game = await table.open()
    answered = await table.guests[0].post(
        f"/v1/games/{game}/commands",
        content=b'{"commands":[{"type":"RollDice"}]}',
        headers={"Content-Type": media_type},
    )
    problem(answered, status, "unsupported_media_type")


async def test_a_body_that_is_too_large(table: Table) -> None:
    game = await table.open()
    answered = await table.guests[0].post(
        f"/v1/games/{game}/commands", content=b" " * 1_000_001, headers={"Content-Type": "application/json"}
    )
    problem(answered, 413, "body_too_large")


async def test_a_move_out_of_turn(table: Table) -> None:
    game = await table.market_phase()
    refused = problem(await table.guests[1].send(game, ROLL), 409, "out_of_turn")
    assert refused["rule"] == "turn/phases"


async def test_a_move_out_of_phase(table: Table) -> None:
    game = await table.market_phase()
    problem(await table.guests[0].send(game, {"type": "EndTurn"}), 409, "out_of_phase")
    problem(await table.guests[0].send(game, rig(1, 1)), 409, "out_of_phase")


async def test_a_quantity_over_the_limit_names_it(table: Table) -> None:
    """A market has 25 barrels of crude; 300 in cash pay for 19 of them: 6 + 7 + ... + 24 = 285."""
    game = await table.market_phase()
    refused = problem(await table.guests[0].send(game, buying(quantity=20)), 409, "cash")
    assert (refused["rule"], refused["field"], refused["limit"]) == ("purchase/cash-only", "quantity", 19)
    assert refused["command"] == 0
    refused = problem(
        await table.guests[0].send(game, {**buying(), "type": "SellBarrels", "quantity": 3}), 409, "barrels"
    )
    assert (refused["rule"], refused["limit"]) == ("market/sell", 2)


async def test_buying_on_the_second_market(table: Table) -> None:
    game = await table.market_phase()
    assert (await table.guests[0].send(game, buying())).status_code == 200
    refused = problem(await table.guests[0].send(game, buying(market="foreign")), 409, "other_market")
    assert refused["rule"] == "market/one-per-turn"


async def test_a_full_quadrant(table: Table) -> None:
    """36 rigs at 5 cost 180 of the 300 a player has in a game of two."""
    game = await table.start()
    everywhere = [rig(row, column) for row in range(1, 7) for column in range(1, 7)]
    assert (await table.guests[0].send(game, *everywhere)).status_code == 200
    assert problem(await table.guests[0].send(game, rig(1, 1)), 409, "quadrant_full")["rule"] == "site/one-asset"


async def test_a_refinery_without_a_free_block(table: Table) -> None:
    """Rigs on rows 2, 4, and 6 leave no two adjacent free rows."""
    game = await table.start()
    rows = [rig(row, column) for row in (2, 4, 6) for column in range(1, 7)]
    assert (await table.guests[0].send(game, *rows)).status_code == 200
    refused = problem(await table.guests[0].send(game, rig(1, 1, "refinery")), 409, "no_block")
    assert refused["rule"] == "site/refinery"


async def test_a_site_that_is_taken_or_in_another_quadrant(table: Table) -> None:
    game = await table.start()
    assert (await table.guests[0].send(game, rig(1, 1))).status_code == 200
    assert problem(await table.guests[0].send(game, rig(1, 1)), 409, "site")["field"] == "site"
    problem(await table.guests[0].send(game, rig(2, 2, quadrant=2)), 409, "site")
    problem(await table.guests[0].send(game, rig(6, 6, "refinery")), 409, "block")


async def test_a_token_of_nobody_and_of_somebody_else(table: Table) -> None:
    game = await table.market_phase()
    answered = await table.client.post(f"/v1/games/{game}/commands", json={"commands": [ROLL]})
    problem(answered, 401, "unauthenticated")
    assert answered.headers["www-authenticate"] == "Bearer"
    for header in ("Bearer nobody", "Basic YTpi", "Bearer", table.guests[0].token):
        answered = await table.client.get(f"/v1/games/{game}/offers", headers={"Authorization": header})
        problem(answered, 401, "unauthenticated")
    stranger = await table.guest("Eve")
    problem(await stranger.send(game, ROLL), 403, "no_seat")
    problem(await stranger.get(f"/v1/games/{game}/offers"), 403, "no_seat")
    problem(await table.guests[1].send(game, ROLL), 409, "out_of_turn")


async def test_an_unknown_game(table: Table) -> None:
    guest = await table.guest("Ada")
    for game in ("00000000-0000-0000-0000-000000000000", "nonsense"):
        problem(await guest.get(f"/v1/games/{game}"), 404, "unknown_game")
        problem(await guest.get(f"/v1/games/{game}/offers"), 404, "unknown_game")
        problem(await guest.get(f"/v1/games/{game}/events"), 404, "unknown_game")
        problem(await guest.send(game, ROLL), 404, "unknown_game")
        problem(await guest.post(f"/v1/games/{game}/seats", json={}), 404, "unknown_game")


async def test_a_game_that_has_not_started(table: Table) -> None:
    game = await table.open()
    assert problem(await table.guests[0].send(game, ROLL), 409, "not_started")["rule"] == "table/start"
    one_seat_left = await table.guest("Eve")
    problem(await one_seat_left.post(f"/v1/games/{game}/seats", json={}), 409, "table_full")
    problem(await table.guests[0].post(f"/v1/games/{game}/seats", json={}), 409, "already_seated")


async def test_a_table_that_is_not_full(table: Table) -> None:
    game = await table.open(seats=2)
    assert (await table.guests[1].send(game, {"type": "LeaveSeat"})).status_code == 200
    problem(await table.guests[0].send(game, {"type": "StartGame"}), 409, "too_few_players")
    game = await table.open(seats=3)
    assert (await table.guests[1].send(game, {"type": "LeaveSeat"})).status_code == 200
    problem(await table.guests[2].send(game, {"type": "StartGame"}), 409, "seats_empty")


@pytest.mark.parametrize(
    ("setup", "detail"),
    [
        ({"seats": 1}, "seats"),
        ({"seats": 5}, "seats"),
        ({"seats": "4"}, "seats"),
        ({"target": 800}, "target"),
        ({"house_rules": True}, "house_rules"),
    ],
)
async def test_a_setup_that_does_not_fit(table: Table, setup: dict[str, Any], detail: str) -> None:
    guest = await table.guest("Ada")
    answered = await guest.post("/v1/games", json={"ruleset": "mcmulti", "setup": setup})
    assert detail in problem(answered, 400, "invalid_body")["detail"]


async def test_a_first_seat_that_the_table_does_not_have(table: Table) -> None:
    guest = await table.guest("Ada")
    answered = await guest.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 2}})
    assert problem(answered, 409, "first_seat_unknown")["limit"] == 1


async def test_a_rule_set_that_is_not_there(table: Table) -> None:
    guest = await table.guest("Ada")
    problem(await guest.post("/v1/games", json={"ruleset": "chess"}), 400, "invalid_body")
    assert "ruleset" in problem(await guest.post("/v1/games", json={}), 400, "invalid_body")["detail"]
    problem(await guest.get("/v1/rulesets/chess"), 404, "unknown_ruleset")


@pytest.mark.parametrize("name", ["", " ", "x" * 41])
async def test_a_name_that_does_not_fit(table: Table, name: str) -> None:
    problem(await table.client.post("/v1/players", json={"name": name}), 400, "invalid_body")


@pytest.mark.parametrize(
    "name", ["a\nb", "a\x00b", "\u202eevil", "f\x91x", "a\u200db", "\u200d", "👩\u200d", "\u200d👩"]
)
async def test_a_name_that_cannot_be_shown(table: Table, name: str) -> None:
    problem(await table.client.post("/v1/players", json={"name": name}), 422, "unprintable_name")


@pytest.mark.parametrize(
    "name",
    [
        "\u2800",
        "Ada\u2800",
        "\u2800\u200d\u2800",
        "\u3164",
        "Ada\u3164",
        "A\uffa0da",
        "\u115f\u1160",
        "\U0001d159",
        "\U00016fe4",
        "\ufffc",
        "\u0301\u0302",
        "\ufe0f",
        "A\u200bda",
        "Ada\ufeff",
        "Ada\u2066",
        "\u202aAda\u202c",
        "Ada\u061c",
        "Ada\U000e0041",
        "A\u00adda",
    ],
    ids=ascii,
)
async def test_a_name_of_which_something_cannot_be_seen(table: Table, name: str) -> None:
    """Blanks other than spaces, marks without a letter, and marks of text direction."""
    problem(await table.client.post("/v1/players", json={"name": name}), 422, "unprintable_name")


@pytest.mark.parametrize(
    "name", ["👩\u200d💻", "Ada 🏳\ufe0f\u200d🌈", "👩🏽\u200d🚒", "Zoë 李", "Zoe\u0308", "葛\U000e0100城", "नमस्ते", "?!"]
)
async def test_a_name_with_emoji_of_several_parts(table: Table, name: str) -> None:
    registered = await table.client.post("/v1/players", json={"name": name})
    assert (registered.status_code, registered.json()["name"]) == (201, name)


async def test_a_name_that_is_taken(table: Table) -> None:
    await table.guest("Ada")
    problem(await table.client.post("/v1/players", json={"name": "ADA"}), 409, "name_taken")


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("/v1/games?limit=0", "limit"),
        ("/v1/games?limit=101", "limit"),
        ("/v1/games?limit=ten", "limit"),
        ("/v1/games?limit=1&limit=2", "twice"),
        ("/v1/games?status=lost", "lost"),
        ("/v1/games?before=yesterday", "before"),
        ("/v1/games?ruleset=%00", "ruleset"),
        ("/v1/games?colour=red", "colour"),
        ("/v1/rulesets?colour=red", "colour"),
        ("/healthz?colour=red", "colour"),
    ],
)
async def test_query_parameters_that_do_not_fit(table: Table, path: str, detail: str) -> None:
    assert detail in problem(await table.client.get(path), 400, "invalid_query")["detail"]


@pytest.mark.parametrize("query", ["at=-1", "at=2147483648", "at=1.5", "at=", "after=1"])
async def test_a_moment_that_does_not_fit(table: Table, query: str) -> None:
    game = await table.open()
    problem(await table.client.get(f"/v1/games/{game}?{query}"), 400, "invalid_query")


async def test_a_moment_beyond_the_head(table: Table) -> None:
    game = await table.open()
    for moment in (0, 4, 2147483647):
        beyond = problem(await table.client.get(f"/v1/games/{game}?at={moment}"), 404, "unknown_moment")
        assert beyond["seq"] == 3


async def test_an_address_or_method_that_is_not_there(table: Table) -> None:
    problem(await table.client.get("/v2/games"), 404, "not_found")
    answered = await table.client.delete("/v1/games")
    problem(answered, 405, "method_not_allowed")
    assert set(answered.headers["allow"].split(", ")) == {"GET", "HEAD", "POST", "OPTIONS"}


async def test_headers_that_do_not_fit(table: Table) -> None:
    game = await table.market_phase()
    for tag in ("12", '"1-abc'):
        problem(await table.guests[0].send(game, ROLL, If_Match=tag), 400, "invalid_header")
    for key in ("", "two words", "x" * 256):
        problem(await table.guests[0].send(game, ROLL, Idempotency_Key=key), 400, "invalid_header")


async def test_a_command_of_another_rule_set_is_refused(table: Table) -> None:
    """It matches the document, which has the commands of all games; this game does not have it."""
    game = await table.market_phase()
    answered = await table.guests[0].send(game, {"type": "HoldRound", "round": 1, "hold": True})
    problem(answered, 409, "other_ruleset")
    assert "has no command HoldRound" in answered.json()["detail"]


async def test_what_games_by_post_do_not_have_is_refused(table: Table) -> None:
    """No table can agree on it; in the box game all can."""
    ada = await table.guest("Ada")
    for option, value in {"undo": "no", "clock": None, "instructions": None}.items():
        body = {"ruleset": "postal", "setup": {option: value}}
        assert option in problem(await ada.post("/v1/games", json=body), 400, "invalid_body")["detail"]
        assert (await ada.post("/v1/games", json={**body, "ruleset": "mcmulti"})).status_code == 201

"""Moves in words over HTTP: interpreted by the offers, and never sent."""

from tests.api.guests import Table, problem


async def test_a_phrase_becomes_a_command_that_can_be_sent_as_it_is(table: Table) -> None:
    game = await table.market_phase()
    ada, here = table.guests[0], f"/v1/games/{game}"
    read = await ada.get(f"{here}/phrase", params={"text": "sell cr dom 2"})
    assert read.status_code == 200, read.text
    told = read.json()
    move = told["move"]
    assert move["command"] == {"type": "SellBarrels", "market": "domestic", "good": "crude", "quantity": 2}
    assert (move["phrase"], told["fault"], told["following"]) == ("sell barrels domestic crude 2", None, ["1..2"])
    assert read.headers["etag"].startswith(f'"{told["seq"]}-{told["hash"]}')

    sent = await ada.post(
        f"{here}/commands", json={"commands": [move["command"]]}, headers={"If-Match": read.headers["etag"]}
    )
    assert sent.status_code == 200, sent.text
    again = await ada.get(f"{here}/phrase", params={"text": "sell cr dom 2"})
    assert again.headers["etag"] != read.headers["etag"]


async def test_what_fits_is_told_of_a_phrase_that_is_no_command(table: Table) -> None:
    game = await table.market_phase()
    address = f"/v1/games/{game}/phrase"
    told = (await table.guests[0].get(address, params={"text": "sell crude domestic 9"})).json()
    assert (told["move"], told["fault"]) == (None, {"code": "unfit", "word": "9", "fits": ["1..2"]})
    told = (await table.guests[0].get(address, params={"text": "sell crude "})).json()
    assert told["fault"]["code"] == "missing"
    assert {"domestic", "foreign"} <= set(told["following"])


async def test_nobody_reads_the_offers_of_another_by_phrases(table: Table) -> None:
    game = await table.market_phase()
    address = f"/v1/games/{game}/phrase"
    assert (await table.guests[1].get(address, params={"text": "sell crude domestic 2"})).json()["move"] is None
    assert (await table.client.get(address)).status_code == 401
    problem(await (await table.guest("Eve")).get(address), 403, "no_seat")


async def test_a_phrase_has_a_length(table: Table) -> None:
    game = await table.market_phase()
    refused = await table.guests[0].get(f"/v1/games/{game}/phrase", params={"text": "x" * 1001})
    problem(refused, 400, "invalid_query")

"""Reports of games, rounds and their reports over HTTP."""

import pytest

from tests.api.guests import Json, Table, problem

RIG = {"type": "BuyAssetOrder", "kind": "rig", "plot": {"row": 2, "column": 3}}
SHEET: Json = {"orders": [RIG, RIG]}
EMPTY: Json = {}


async def two_rounds(table: Table) -> tuple[str, int]:
    """A game whose first round was refereed, and whose second has a sheet of Ada's; the seq of its first event."""
    game = await table.start(4, ruleset="postal")
    for sheet, guest in zip((SHEET, EMPTY, EMPTY, EMPTY), table.guests, strict=False):
        sent = await guest.send(game, {"type": "SubmitOrders", "round": 1, "sheet": sheet})
        assert sent.status_code == 200, sent.text
    second = sent.json()["seq"]
    assert (await table.guests[0].send(game, {"type": "SubmitOrders", "round": 2, "sheet": SHEET})).status_code == 200
    return game, second


async def test_the_report_of_a_game_says_who_is_ahead_before_it_ends(table: Table) -> None:
    """Ada paid 5 for a rig, the others still have 200. Sheets of the second round are sealed, and add nothing."""
    game, _ = await two_rounds(table)
    asked = f"/v1/games/{game}/report"
    told = (await table.client.get(asked)).json()
    assert (told["status"], told["winners"]) == ("running", [])
    assert told["headline"] == "The game goes on: Ben, Cleo and Dan are ahead with 200 each."
    assert told["tables"][0]["rows"][-1][:2] == ["Ada", 195]
    before = (await table.client.get(asked, params={"at": 1})).json()
    assert (before["status"], before["headline"]) == ("open", "The game has not begun.")
    unknown = await table.client.get(asked, params={"at": 1000})
    problem(unknown, 404, "unknown_moment")


async def test_the_report_of_a_game_comes_as_text_and_markdown_in_both_languages_and_once(table: Table) -> None:
    game, _ = await two_rounds(table)
    asked = f"/v1/games/{game}/report"
    text = await table.client.get(asked, params={"language": "de"}, headers={"Accept": "text/plain"})
    assert "wer vorn liegt, und warum\n===" in text.text
    markdown = await table.client.get(asked, headers={"Accept": "text/markdown"})
    assert markdown.text.startswith("# McMulti by post")
    again = await table.client.get(
        asked, headers={"Accept": "text/markdown", "If-None-Match": markdown.headers["ETag"]}
    )
    assert again.status_code == 304
    assert len({each.headers["ETag"] for each in (text, markdown, await table.client.get(asked))}) == 3


async def test_rounds_are_listed_with_their_events(table: Table) -> None:
    """Opening, four seats, and the start are events 1 to 6: round 1 begins with event 7."""
    game, second = await two_rounds(table)
    listed = (await table.client.get(f"/v1/games/{game}/rounds")).json()
    assert listed["seq"] == second + 1
    assert listed["rounds"] == [
        {"round": 1, "first": 7, "last": second - 1, "status": "refereed"},
        {"round": 2, "first": second, "last": second + 1, "status": "open"},
    ]
    assert listed["next"] is None


async def test_the_list_comes_in_pages(table: Table) -> None:
    game, _ = await two_rounds(table)
    first = (await table.client.get(f"/v1/games/{game}/rounds?limit=1")).json()
    assert ([each["round"] for each in first["rounds"]], first["next"]) == ([1], 1)
    rest = (await table.client.get(f"/v1/games/{game}/rounds?limit=1&after={first['next']}")).json()
    assert ([each["round"] for each in rest["rounds"]], rest["next"]) == ([2], None)


async def test_a_report_tells_lines_that_were_carried_out_and_skipped(table: Table) -> None:
    """In recovery a rig costs 5; the second one would be on the site of the first."""
    game, second = await two_rounds(table)
    answered = await table.client.get(f"/v1/games/{game}/rounds/1")
    assert answered.headers["content-type"] == "application/json"
    report = answered.json()
    entries = [entry for section in report["sections"] for entry in section["entries"]]
    assert [entry["seq"] for entry in entries] == list(range(7, second))
    ada = report["sections"][1]
    assert (ada["title"], ada["seat"]) == ("Ada", 0)
    of_lines = [(entry["line"], entry["outcome"], entry["sentence"]) for entry in ada["entries"] if entry["line"]]
    assert of_lines == [
        (1, "done", "Ada buys a rig for $5M and places it at row 2, column 3 of the north-west."),
        (2, "skipped", "Skipped: buy a rig for row 2, column 3; something stands there."),
    ]
    assert report["tables"][0]["columns"][:3] == ["Player", "Cash before", "Cash"]


@pytest.mark.parametrize(
    ("media_type", "begins"), [("text/plain", "McMulti per Post, Runde 1\n=="), ("text/markdown", "# McMulti per Post")]
)
async def test_a_report_is_a_letter_by_accept(table: Table, media_type: str, begins: str) -> None:
    game, _ = await two_rounds(table)
    address = f"/v1/games/{game}/rounds/1?language=de"
    answered = await table.client.get(address, headers={"Accept": media_type})
    assert answered.headers["content-type"] == f"{media_type}; charset=utf-8"
    assert answered.headers["vary"] == "Accept, Authorization, Accept-Encoding"
    assert answered.text.startswith(begins)
    assert "Hallo Ada, Ben, Cleo und Dan," in answered.text


async def test_a_report_that_the_client_has_is_not_sent_again(table: Table) -> None:
    """By form and language; until a player is renamed."""
    game, _ = await two_rounds(table)
    address = f"/v1/games/{game}/rounds/1"
    first = await table.client.get(address)
    known = {"If-None-Match": first.headers["ETag"]}
    again = await table.client.get(address, headers=known)
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    other = [
        await table.client.get(address, headers={**known, "Accept": "text/plain"}),
        await table.client.get(f"{address}?language=de", headers=known),
    ]
    assert [each.status_code for each in other] == [200, 200]
    assert len({each.headers["ETag"] for each in (first, *other)}) == 3
    problem(await table.client.get(f"/v1/games/{game}/rounds/2", headers={"If-None-Match": "*"}), 409, "open_round")

    ada = {"Authorization": f"Bearer {table.guests[0].token}"}
    await table.client.patch("/v1/players/me", json={"name": "Countess"}, headers=ada)

    renamed = await table.client.get(address, headers=known)
    assert renamed.status_code == 200
    assert "Countess" in renamed.text


async def test_a_round_that_is_open_or_was_never_played_has_no_report(table: Table) -> None:
    game, _ = await two_rounds(table)
    problem(await table.client.get(f"/v1/games/{game}/rounds/2"), 409, "open_round")
    for number in ("0", "3", "2147483648", "-1", "1.0", "one", "01", "1%0A", "%D9%A1", "9" * 30):
        problem(await table.client.get(f"/v1/games/{game}/rounds/{number}"), 404, "unknown_round")


async def test_a_game_without_rounds_says_so(table: Table) -> None:
    game = await table.start(2)
    for path in ("rounds", "rounds/1"):
        told = problem(await table.client.get(f"/v1/games/{game}/{path}"), 404, "no_rounds")
        assert told["detail"].endswith("is not played in rounds.")


async def test_before_the_start_there_are_no_rounds_yet(table: Table) -> None:
    game = await table.open(4, ruleset="postal")
    assert (await table.client.get(f"/v1/games/{game}/rounds")).json()["rounds"] == []
    problem(await table.client.get(f"/v1/games/{game}/rounds/1"), 404, "unknown_round")


async def test_what_does_not_fit_is_refused(table: Table) -> None:
    game, _ = await two_rounds(table)
    problem(await table.client.get(f"/v1/games/{game}/rounds?limit=0"), 400, "invalid_query")
    problem(await table.client.get(f"/v1/games/{game}/rounds/1?language=fr"), 400, "invalid_query")
    nowhere = "/v1/games/00000000-0000-4000-8000-000000000000/rounds"
    problem(await table.client.get(nowhere), 404, "unknown_game")
    problem(await table.client.get(f"{nowhere}/1"), 404, "unknown_game")
    refused = await table.client.get(f"/v1/games/{game}/rounds/1", headers={"Accept": "image/png"})
    problem(refused, 406, "not_acceptable")


async def test_the_sheet_of_the_open_round_is_in_no_report(table: Table) -> None:
    """Ada's second sheet is the last event; neither the list nor the report of round 1 reaches that far."""
    game, second = await two_rounds(table)
    report = (await table.client.get(f"/v1/games/{game}/rounds/1")).json()
    seqs = [entry["seq"] for section in report["sections"] for entry in section["entries"]]
    assert max(seqs) == second - 1

"""The board as a picture over HTTP."""

from xml.etree import ElementTree

from httpx import Response
from rich.cells import cell_len

from tests.api.guests import Table, problem

TYPE = "image/svg+xml"


def written(answered: Response) -> set[str]:
    """All texts in a picture; the response must be one."""
    assert answered.status_code == 200, answered.text
    assert answered.headers["content-type"].partition(";")[0] == TYPE
    root = ElementTree.fromstring(answered.content)
    return {element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")}


async def test_everybody_may_look_at_the_board_now_and_at_any_moment(table: Table) -> None:
    """The third event sits the second player down: before it the second seat is free."""
    game = await table.market_phase()
    here = f"/v1/games/{game}/board.svg"
    assert {"Turn 1 · market phase", "Ada · north-west", "Ada", "Ben", "300"} <= written(await table.client.get(here))
    before = written(await table.client.get(f"{here}?at=2"))
    assert {"Seating", "Ada", "free seat"} <= before
    assert "Ben" not in before


async def test_the_picture_follows_the_game(table: Table) -> None:
    """One rig for 5 of 300."""
    game = await table.start()
    here = f"/v1/games/{game}/board.svg"
    assert "295" not in written(await table.client.get(here))
    site = {"quadrant": 0, "row": 1, "column": 1}
    assert (await table.guests[0].send(game, {"type": "BuyAsset", "kind": "rig", "site": site})).is_success
    answered = await table.client.get(here)
    assert "295" in written(answered)
    assert "<title>rig, row 1, column 1</title>" in answered.text


async def test_the_board_in_letters_is_the_one_that_terminals_show(table: Table) -> None:
    """At most 80 columns, without colors; the third event seats the second player."""
    game = await table.market_phase()
    here = f"/v1/games/{game}/board.txt"
    answered = await table.client.get(here)
    assert answered.headers["content-type"] == "text/plain; charset=utf-8"
    lines = answered.text.split("\n")
    assert lines[0] == "Turn 1 · market phase · Ada · north-west"
    assert max(map(cell_len, lines)) <= 80
    assert "\x1b" not in answered.text
    assert lines[-1] == ""
    assert "Zug 1 · Marktphase" in (await table.client.get(f"{here}?language=de")).text
    before = (await table.client.get(f"{here}?at=2")).text
    assert before.startswith("Seating")
    assert "Ben" not in before


async def test_the_board_in_letters_is_plain_whatever_people_are_called(table: Table) -> None:
    eve = await table.guest("<b>Eve &amp; co")
    opened = await eve.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2}})
    game = opened.json()["game"]
    assert (await eve.post(f"/v1/games/{game}/seats", json={})).is_success
    answered = await table.client.get(f"/v1/games/{game}/board.txt", headers={"Accept": "text/html, */*"})
    assert "<b>Eve" in answered.text  # as she wrote it, escaped so that no browser takes it for markup
    assert answered.headers["content-type"] == "text/plain; charset=utf-8"
    assert answered.headers["X-Content-Type-Options"] == "nosniff"


async def test_the_language_is_asked_for(table: Table) -> None:
    here = f"/v1/games/{await table.market_phase()}/board.svg"
    assert {"Zug 1 · Marktphase", "Ada · Nordwesten", "Bargeld"} <= written(
        await table.client.get(f"{here}?language=de")
    )
    assert {"Turn 1 · market phase", "cash"} <= written(await table.client.get(f"{here}?language=en"))


async def test_what_may_be_kept_and_what_the_client_has_already(table: Table) -> None:
    game = await table.market_phase()
    here = f"/v1/games/{game}/board.svg"
    now, past = await table.client.get(here), await table.client.get(f"{here}?at=3")
    assert now.headers["Cache-Control"] == "public, no-cache"
    assert past.headers["Cache-Control"] == "public, no-cache"
    assert (await table.guests[0].get(here)).headers["Cache-Control"] == "private, no-cache"
    known = {"If-None-Match": now.headers["ETag"]}
    unchanged = await table.client.get(here, headers=known)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert (await table.guests[0].send(game, {"type": "RollDice"})).is_success
    assert (await table.client.get(here, headers=known)).status_code == 200


async def test_a_picture_can_neither_load_nor_run_anything(table: Table) -> None:
    """Not even for a player whose name is a script."""
    eve = await table.guest("<script>alert(1)</script>")
    opened = await eve.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2}})
    game = opened.json()["game"]
    assert (await eve.post(f"/v1/games/{game}/seats", json={})).is_success
    answered = await table.client.get(f"/v1/games/{game}/board.svg")
    assert any(text.startswith("<script>") for text in written(answered))
    assert "<script" not in answered.text
    assert answered.headers["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert answered.headers["X-Content-Type-Options"] == "nosniff"


async def test_what_is_asked_wrongly(table: Table) -> None:
    game = await table.start()
    here = f"/v1/games/{game}/board.svg"
    problem(await table.client.get(f"{here}?language=fr"), 400, "invalid_query")
    problem(await table.client.get(f"{here}?size=3"), 400, "invalid_query")
    problem(await table.client.get(f"{here}?at=x"), 400, "invalid_query")
    problem(await table.client.get(f"{here}?at=0"), 404, "unknown_moment")
    problem(await table.client.get(f"{here}?at=2000"), 404, "unknown_moment")
    problem(await table.client.get(f"/v1/games/{'0' * 8}/board.svg"), 404, "unknown_game")
    assert (await table.client.get(here, headers={"Accept": "application/json"})).status_code == 200
    problem(await table.client.get(here, headers={"Authorization": "Bearer x"}), 401, "unauthenticated")
    assert (await table.client.get(here, headers={"Accept": "image/*"})).status_code == 200


async def test_the_picture_for_links_has_a_size_of_its_own_and_is_kept_until_something_changes(table: Table) -> None:
    game = await table.market_phase()
    here = f"/v1/games/{game}/board.png"
    answered = await table.client.get(here)
    assert answered.headers["content-type"] == "image/png"
    assert answered.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(answered.content[place : place + 4]) for place in (16, 20)] == [600, 315]
    assert answered.headers["Cache-Control"] == "public, no-cache"
    known = {"If-None-Match": answered.headers["ETag"]}
    assert (await table.client.get(here, headers=known)).status_code == 304
    german = await table.client.get(f"{here}?language=de", headers=known)
    assert (german.status_code, german.content != answered.content) == (200, True)
    assert (await table.guests[0].send(game, {"type": "RollDice"})).is_success
    assert (await table.client.get(here, headers=known)).status_code == 200

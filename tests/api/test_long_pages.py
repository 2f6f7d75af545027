"""Pages of a game by post end with the event that makes them a mebibyte, of what their reader may see."""

from typing import Any

import msgspec

from tests.api.guests import Json, Table

MEBIBYTE = 1024 * 1024
ORDER = {"type": "BuyAssetOrder", "kind": "refinery", "plot": {"row": 3, "column": 6}}
SHEET = {"type": "SubmitOrders", "round": 1, "sheet": {"orders": [ORDER] * 190}}
SENT = 80


async def written(table: Table) -> str:
    """A game in which Ada sent the longest sheet of plain orders again and again: 14 KB, and 14 KB in its command."""
    game = await table.start(4, "postal")
    for _ in range(SENT):
        sent = await table.guests[0].send(game, SHEET)
        assert sent.status_code == 200, sent.text[-300:]
    return f"/v1/games/{game}"


async def pages(table: Table, address: str, items: str, reader: int | None) -> list[list[Json]]:
    """What a player, or a stranger, gets page by page."""
    found: list[list[Json]] = []
    after: int | None = 0
    while after is not None:
        ask: Any = table.client.get if reader is None else table.guests[reader].get
        page = (await ask(f"{address}after={after}&limit=1000")).json()
        found.append(page[items])
        after = page["next"]
    return found


def size(parts: list[Any]) -> int:
    return sum(len(msgspec.json.encode(part)) for part in parts)


async def test_a_page_of_the_log_ends_with_the_event_that_makes_it_a_mebibyte(table: Table) -> None:
    """As others cannot see the sheets, their pages do not show how long these are, either."""
    game = await written(table)
    length = (await table.client.get(game)).json()["seq"]
    told = await pages(table, f"{game}/events?", "events", 0)
    assert [event["seq"] for page in told for event in page] == list(range(1, length + 1))
    parts = [[event[part] for event in page for part in ("data", "command") if part in event] for page in told]
    whole = [size(page) for page in parts]
    assert len(told) == 3
    assert all(each >= MEBIBYTE for each in whole[:-1])
    assert all(each < MEBIBYTE + 30_000 for each in whole)
    for reader in (1, None):
        assert [len(page) for page in await pages(table, f"{game}/events?", "events", reader)] == [length]


async def test_a_page_of_the_replay_ends_with_the_frame_of_the_event_that_makes_it_a_mebibyte(table: Table) -> None:
    game = await written(table)
    length = (await table.client.get(game)).json()["seq"]
    told = await pages(table, f"{game}/replay?", "frames", 0)
    assert [frame["seq"] for page in told for frame in page] == list(range(1, length + 1))
    whole = [size([each["data"] for frame in page for each in frame["happened"] if "data" in each]) for page in told]
    assert len(told) == 2
    assert MEBIBYTE <= whole[0] < MEBIBYTE + 15_000
    for reader in (1, None):
        assert [len(page) for page in await pages(table, f"{game}/replay?", "frames", reader)] == [length]
    turns = await pages(table, f"{game}/replay?by=turn&", "frames", 0)
    assert [[len(frame["happened"]) for frame in page] for page in turns] == [[len(page)] for page in told]

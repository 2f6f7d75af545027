"""The boards of many moments: the drawings of `drawBoard`, to the byte, for every reader."""

from typing import Any

import msgspec
import pytest

from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.log.codec import opened_with
from mcmulti.events.ports.game_index import TableRow
from tests.api.guests import Table, problem
from tests.golden.games import FILES, load, seed_of
from tests.projections.mutants import changed_file

GAMES = [file.stem for file in map(changed_file, SHIPPED)]
"""A game of each rule set."""


async def finished(table: Table, file: str) -> tuple[str, int]:
    """A finished golden game in the log: its address, and its length."""
    events = load(next(each for each in FILES if each.stem == file))
    ruleset = opened_with(events[0])
    game = events[0].game_id
    await table.log.create(game, ruleset.name, ruleset.version, TableRow("finished"), seed_of(events), events)
    return f"/v1/games/{game}", len(events)


def joined(page: Any) -> dict[int, str]:
    """The drawings of a page by event, put together as the guide says."""
    shown, found = list[int](), dict[int, str]()
    for board in page["boards"]:
        for change in board["changes"]:
            shown[change["at"] : change["at"] + change["removed"]] = change["added"]
        found[board["seq"]] = "".join(page["pieces"][number] for number in shown)
    return found


@pytest.mark.parametrize("file", GAMES)
async def test_each_board_of_a_page_is_the_drawing_of_that_moment(table: Table, file: str) -> None:
    here, length = await finished(table, file)
    for language, after in (("en", 0), ("de", length // 2), ("en", length - 7)):
        page = (await table.client.get(f"{here}/boards?after={after}&limit=20&language={language}")).json()
        found = joined(page)
        assert [*found] == [*range(after + 1, min(after + 20, length) + 1)]
        assert page["next"] == (after + 20 if after + 20 < length else None)
        for seq in (*[*found][:3], *[*found][::17], *[*found][-2:]):
            drawn = await table.client.get(f"{here}/board.svg?at={seq}&language={language}")
            assert found[seq] == drawn.text


@pytest.mark.parametrize("file", GAMES)
async def test_boards_that_follow_each_other_share_most_of_their_pieces(table: Table, file: str) -> None:
    here, length = await finished(table, file)
    answered = await table.client.get(f"{here}/boards?after={length // 2}&limit=25")
    whole = sum(map(len, joined(answered.json()).values()))
    assert len(answered.content) < whole / 5


async def test_a_page_begins_anywhere_and_the_last_one_says_so(table: Table) -> None:
    here, length = await finished(table, "three-players")
    seen = list[int]()
    after: int | None = 0
    while after is not None:
        page = (await table.client.get(f"{here}/boards?after={after}&limit=25")).json()
        seen += [board["seq"] for board in page["boards"]]
        after = page["next"]
    assert seen == [*range(1, length + 1)]
    empty = (await table.client.get(f"{here}/boards?after={length}")).json()
    assert (empty["boards"], empty["pieces"], empty["next"]) == ([], [], None)
    problem(await table.client.get(f"{here}/boards?after={length + 1}"), 404, "unknown_moment")
    problem(await table.client.get(f"{here}/boards?limit=26"), 400, "invalid_query")


async def test_nobody_gets_anything_of_sealed_sheets(table: Table) -> None:
    """A game by post, while the first sheets are sealed: everyone gets the same bytes, and no order is in them."""
    events = load(next(each for each in FILES if each.stem == "by-post-sales"))
    ruleset = opened_with(events[0])
    sheets = [index for index, event in enumerate(events) if event.type == "OrdersSubmitted"]
    log = events[: sheets[1] + 1]
    await table.log.create(log[0].game_id, ruleset.name, ruleset.version, TableRow("running"), seed_of(events), log)
    here = f"/v1/games/{log[0].game_id}"
    answered = await table.client.get(f"{here}/boards?after={sheets[0] - 1}")
    assert answered.status_code == 200
    sealed = [msgspec.json.decode(log[index].data) for index in sheets[:2]]
    assert all(sheet["salt"] not in answered.text for sheet in sealed)
    assert "OrdersSubmitted" not in answered.text
    found = joined(answered.json())
    for seq in range(sheets[0], len(log) + 1):
        assert found[seq] == (await table.client.get(f"{here}/board.svg?at={seq}")).text


async def test_what_a_client_has_already_is_not_sent_again(table: Table) -> None:
    here, _ = await finished(table, "marracash-three-players")
    first = await table.client.get(f"{here}/boards?after=20&limit=5")
    tag = first.headers["etag"]
    again = await table.client.get(f"{here}/boards?after=20&limit=5", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    other = await table.client.get(f"{here}/boards?after=21&limit=5", headers={"If-None-Match": tag})
    assert other.status_code == 200

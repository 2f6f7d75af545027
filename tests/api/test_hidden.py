"""Who may not see what is hidden gets the same bytes whatever it is. tests/slow/api looks at more that is hidden."""

import pytest

from tests.api.all_operations import Request
from tests.api.hidden import HIDDEN, MODERATE, OFTEN, assert_same_bytes, by_post, played, told_to, without_digests
from tests.api.sealed_game import OTHER, SECRET, submit


@pytest.mark.parametrize("what", OFTEN)
async def test_nobody_else_gets_other_bytes(what: str) -> None:
    await assert_same_bytes(HIDDEN[what])


async def test_her_own_answers_tell_them_apart() -> None:
    """To show that the compared responses can differ at all: Ada's view and her events do."""
    answers = []
    for sheet in (SECRET, MODERATE):
        async with played(by_post(sheet, 0), b"a" * 32) as (table, game):
            paths = (f"/v1/games/{game}", f"/v1/games/{game}/events?until=99")
            asked = [Request("", "GET", path, "application/json") for path in paths]
            answers.append([await told_to(table, "Ada", request) for request in asked])
    for one, other in zip(*answers, strict=True):
        assert without_digests(one) != without_digests(other)


async def test_what_is_over_tells_them_apart_for_everybody() -> None:
    """Once the round is refereed, the reached lines of a sheet are open: then the same requests find the difference."""
    answers = []
    for sheet in (SECRET, MODERATE):
        async with played(by_post(sheet, 0), b"a" * 32) as (table, game):
            assert (await table.guests[3].send(game, submit(OTHER))).status_code == 200
            round_1 = Request("", "GET", f"/v1/games/{game}/rounds/1", "application/json")
            answers.append(await told_to(table, "nobody", round_1))
    assert without_digests(answers[0]) != without_digests(answers[1])

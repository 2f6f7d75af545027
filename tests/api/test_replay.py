"""The replay over HTTP."""

from typing import Any

import msgspec
import pytest
from jsonpatch import apply_patch

from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.envelope import Recorded
from tests.api.guests import Json, Table, problem
from tests.api.stream_server import finished_game

NDJSON = {"Accept": "application/x-ndjson"}


async def finished(table: Table, ruleset: str = "mcmulti") -> tuple[str, list[Recorded]]:
    """The address of the replay of a finished game, and the game's log."""
    game = await finished_game(table.log, ruleset=ruleset)
    return f"/v1/games/{game}/replay", await table.log.read(game)


async def get(table: Table, address: str) -> Json:
    answered = await table.client.get(address)
    assert answered.status_code == 200, answered.text
    found: Json = answered.json()
    return found


@pytest.mark.parametrize("ruleset", CURRENT)
async def test_pages_follow_on_each_other_without_a_gap(table: Table, ruleset: str) -> None:
    replay, log = await finished(table, ruleset)
    seqs: list[int] = []
    after: int | None = 0
    while after is not None:
        page = await get(table, f"{replay}?after={after}&limit=300")
        seqs += [frame["seq"] for frame in page["frames"]]
        after = page["next"]
    assert seqs == [event.seq for event in log]


@pytest.mark.parametrize("ruleset", CURRENT)
async def test_line_by_line_up_to_five_hundred_events_are_told(table: Table, ruleset: str) -> None:
    """The whole game, if one goes on after the last line until there is none."""
    replay, log = await finished(table, ruleset)
    told: list[Json] = []
    lines: list[Json] = []
    while lines or not told:
        after = told[-1]["seq"] if told else 0
        answered = await table.client.get(f"{replay}?after={after}", headers=NDJSON)
        assert answered.headers["content-type"].startswith("application/x-ndjson")
        lines = [msgspec.json.decode(line) for line in answered.content.splitlines()]
        assert len(lines) == min(500, len(log) - after)
        told += lines
    assert [frame["happened"][0]["seq"] for frame in told] == [event.seq for event in log]
    assert told[:100] == (await get(table, replay))["frames"]


async def test_turn_by_turn_a_page_is_so_many_turns(table: Table) -> None:
    """Turn 0 is everything before the first turn; three frames are turns 0, 1, and 2, and the next page begins with
    turn 3.
    """
    replay, _ = await finished(table)
    page = await get(table, f"{replay}?by=turn&limit=3")
    assert [frame["turn"] for frame in page["frames"]] == [0, 1, 2]
    following = await get(table, f"{replay}?by=turn&limit=1&after={page['next']}")
    assert [frame["turn"] for frame in following["frames"]] == [3]
    assert following["frames"][0]["happened"][0]["seq"] == page["next"] + 1


async def test_a_page_of_many_turns_ends_with_the_turn_of_its_five_hundredth_event(table: Table) -> None:
    """The game has some 1,500 events, which all fit in a few pages without a gap."""
    replay, log = await finished(table)
    told: list[Json] = []
    after: int | None = 0
    while after is not None:
        page = await get(table, f"{replay}?by=turn&limit=1000&after={after}")
        last = page["frames"][-1]["happened"]
        if page["next"] is not None:
            assert last[0]["seq"] <= after + 500 <= last[-1]["seq"] == page["next"]
        told += page["frames"]
        after = page["next"]
    assert [each["seq"] for frame in told for each in frame["happened"]] == [event.seq for event in log]
    assert [frame["turn"] for frame in told] == list(range(len(told)))


async def test_a_page_of_many_events_ends_with_the_five_hundredth(table: Table) -> None:
    replay, _ = await finished(table)
    page = await get(table, f"{replay}?after=100&limit=1000")
    assert [frame["seq"] for frame in page["frames"]] == list(range(101, 601))
    assert page["next"] == 600


async def test_the_patches_lead_from_one_view_to_a_later_one(table: Table) -> None:
    """From the view at event 100, over the patches of 101 to 150, to the view at event 150."""
    replay, _ = await finished(table)
    view: Any = (await get(table, replay.replace("/replay", "?at=100")))["view"]
    for frame in (await get(table, f"{replay}?after=100&until=150"))["frames"]:
        view = apply_patch(view, frame["patch"])
    assert view == (await get(table, replay.replace("/replay", "?at=150")))["view"]


async def test_a_german_replay_quotes_german_rules(table: Table) -> None:
    replay, _ = await finished(table)
    english, german = [
        (await get(table, f"{replay}?limit=1&language={language}"))["frames"][0]["happened"][0]
        for language in ("en", "de")
    ]
    assert english["rule"] == german["rule"]
    assert english["rule_text"] != german["rule_text"]
    assert english["sentence"] != german["sentence"]


async def test_a_running_game_is_told_up_to_now(table: Table) -> None:
    game = await table.start()
    page = await get(table, f"/v1/games/{game}/replay")
    assert page["next"] is None
    assert page["frames"][-1]["seq"] == page["seq"]
    assert (await get(table, f"/v1/games/{game}/replay?after={page['seq']}"))["frames"] == []


async def test_what_does_not_fit_is_refused(table: Table) -> None:
    replay, log = await finished(table)
    problem(await table.client.get(f"{replay}?after={len(log) + 1}"), 404, "unknown_moment")
    problem(await table.client.get(f"{replay}?by=week"), 400, "invalid_query")
    problem(await table.client.get(f"{replay}?language=fr"), 400, "invalid_query")
    problem(await table.client.get(f"{replay}?limit=0"), 400, "invalid_query")
    problem(await table.client.get(f"{replay}x"), 404, "not_found")
    assert (await get(table, f"{replay}?after=10&until=5"))["frames"] == []

"""Hints in practice games: for the caller's own seat, without anything it cannot know, bounded, and charged."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from mcmulti.api.admission.gate import Admission
from mcmulti.api.service import Service
from mcmulti.projections.reviews import ChargeHint, HintedMove, HintTask
from mcmulti.server.children import reviews
from tests.api.applications import application_behind
from tests.api.guests import Guest, Json, Table, problem
from tests.api.sealed_game import PRICE, SECRET, submit

END = {"type": "EndPurchases"}


@pytest.fixture
async def table(table: Table, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """A server that gives hints, for ten seconds in all."""
    monkeypatch.setattr(reviews, "NICENESS", 0)
    service = application_behind(table).state["service"] = Service(table.log, Admission(review_seconds="10/hour"))
    service.hints = reviews.Hints()
    yield table
    service.stop()


def recorded(service: Service) -> list[HintTask]:
    """All tasks from now on. None of them is computed."""
    tasks: list[HintTask] = []

    async def noted(task: HintTask, charge: ChargeHint) -> tuple[HintedMove, ...]:
        await charge()
        tasks.append(task)
        return ()

    service.hints = noted
    return tasks


async def test_the_player_to_move_gets_moves_in_words_and_both_languages(table: Table) -> None:
    game = await table.start(practice=True)
    ada, _ = table.guests
    seq = (await ada.get(f"/v1/games/{game}")).json()["seq"]
    told: dict[str, Json] = {}
    for language in ("en", "de"):
        answered = await ada.post(f"/v1/games/{game}/hint?language={language}", json={"seconds": 1})
        assert answered.status_code == 200, answered.text
        assert answered.headers["cache-control"] == "no-store"
        told[language] = answered.json()
    assert (told["en"]["seq"], told["en"]["seat"]) == (seq, 0)
    moves = told["en"]["moves"]
    assert 1 < len(moves) <= 3
    assert [move["chance"]["value"] for move in moves] == sorted((m["chance"]["value"] for m in moves), reverse=True)
    assert moves[0]["loss"]["value"] == 0
    assert all(move["said"].startswith("Ada ") and "⟦" not in move["said"] for move in moves)
    assert any("$" in move["said"] for move in moves)
    assert any("kauft" in move["said"] for move in told["de"]["moves"])
    assert (await ada.get(f"/v1/games/{game}")).json()["seq"] == seq


async def test_nobody_gets_a_hint_at_other_tables_for_others_or_out_of_turn(table: Table) -> None:
    service: Service = application_behind(table).state["service"]
    tasks = recorded(service)
    serious = await table.start()
    ada, ben = table.guests
    problem(await ada.post(f"/v1/games/{serious}/hint", json={}), 409, "no_hints")
    practice = await table.start(practice=True)
    problem(await ben.post(f"/v1/games/{practice}/hint", json={}), 409, "no_hints")
    eve = await table.guest("Eve")
    problem(await eve.post(f"/v1/games/{practice}/hint", json={}), 403, "no_seat")
    problem(await table.client.post(f"/v1/games/{practice}/hint", json={}), 401, "unauthenticated")
    for wrong in ({"seconds": 0}, {"seconds": 11}, {"seat": 1}):
        problem(await ada.post(f"/v1/games/{practice}/hint", json=wrong), 400, "invalid_body")
    assert tasks == []

    setup = {"seats": 2, "first_seat": 0, "practice": True}
    shared = (await ada.post("/v1/games", json={"ruleset": "mcmulti", "setup": setup})).json()["game"]
    ben_here = Guest(ada.client, "a companion of Ada", f"{ada.token}~1")
    assert (await ada.post(f"/v1/games/{shared}/seats", json={})).status_code == 201
    assert (await ben_here.post(f"/v1/games/{shared}/seats", json={"name": "Benjamin"})).status_code == 201
    assert (await ada.send(shared, {"type": "StartGame"})).status_code == 200
    problem(await ben_here.post(f"/v1/games/{shared}/hint", json={}), 409, "no_hints")
    problem(await ben_here.post(f"/v1/games/{practice}/hint", json={}), 403, "no_seat")
    assert (await ada.send(shared, END)).status_code == 200
    assert (await ben_here.post(f"/v1/games/{shared}/hint", json={"seconds": 10})).status_code == 200
    assert [task.player for task in tasks] == [1]
    over = problem(await ada.post(f"/v1/games/{practice}/hint", json={"seconds": 1}), 429, "too_many_requests")
    assert over["quota"] == "review_seconds"  # what a companion asks for is charged to the player who acts for it
    service.hints = None
    problem(await ada.post(f"/v1/games/{practice}/hint", json={}), 409, "no_hints")


async def test_a_hint_knows_no_sealed_sheet_and_no_seed(table: Table) -> None:
    tasks = recorded(application_behind(table).state["service"])
    game = await table.start(4, ruleset="postal", practice=True)
    ada, ben = table.guests[:2]
    without = await ben.post(f"/v1/games/{game}/hint", json={"seconds": 1})
    assert without.status_code == 200, without.text
    assert (await ada.send(game, submit(SECRET))).status_code == 200
    assert (await ben.post(f"/v1/games/{game}/hint", json={"seconds": 1})).status_code == 200
    before, after = (msgspec.json.encode(task) for task in tasks)
    assert before == after
    assert str(PRICE).encode() not in after
    problem(await ada.post(f"/v1/games/{game}/hint", json={"seconds": 1}), 409, "no_hints")


async def test_hints_are_computed_one_at_a_time_and_a_killed_process_is_not_waited_for(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "QUEUE", 0.3)
    game = await table.start(practice=True)
    ada, _ = table.guests
    first = asyncio.create_task(ada.post(f"/v1/games/{game}/hint", json={"seconds": 5}))
    async with asyncio.timeout(60):
        while not (found := _hinting()):  # noqa: ASYNC110 - a process that starts rings no bell
            await asyncio.sleep(0.02)
    second = await ada.post(f"/v1/games/{game}/hint", json={"seconds": 1})
    problem(second, 503, "busy")
    assert second.headers["retry-after"] == "1"
    assert _hinting() == found
    os.kill(found[0], signal.SIGKILL)
    problem(await first, 503, "busy")
    assert (await ada.post(f"/v1/games/{game}/hint", json={"seconds": 1})).status_code == 200


def _hinting() -> list[int]:
    """The processes of this one that compute hints."""
    children = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    pids = [int(pid) for child in children for pid in child.read_text().split()]
    return [pid for pid in pids if reviews.HINTER.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()]

"""Reviews of finished games over HTTP: asked for, computed in a process of their own, followed, and read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta
from uuid import UUID, uuid4

import msgspec
import pytest

from mcmulti.api.admission.gate import Admission
from mcmulti.api.service import Service
from mcmulti.events.ports.game_index import Access, TableRow
from mcmulti.events.store.history import History
from mcmulti.library.record import Record
from mcmulti.projections.reviews import restored_review, shape
from mcmulti.server.children import reviews
from tests.api.applications import application_behind
from tests.api.guests import Guest, Json, Table, problem
from tests.golden.games import seed_of
from tests.pure.evaluation.blunder import game_with_a_blunder

RESIGN = {"type": "Resign"}
SECONDS = 2
"""Less than anybody can ask for, so that the tests are cheap."""


@pytest.fixture(scope="module")
def blundered() -> tuple[Record, int, int]:
    return game_with_a_blunder(seed=1)


@pytest.fixture
async def table(table: Table, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """A server that makes reviews, as fast as everything else here."""
    monkeypatch.setattr(reviews, "NICENESS", 0)
    admission = Admission(review_seconds="120/hour")
    service = application_behind(table).state["service"] = Service(table.log, admission, reviews=True)
    yield table
    service.stop()


async def put(table: Table, record: Record) -> str:
    """A recorded game in the log of a server."""
    events, game = record.events, record.state().game
    row = TableRow("finished")
    await table.log.create(
        events[0].game_id, game.name, game.version, row, seed_of(list(events)), events, None, Access()
    )
    return str(events[0].game_id)


async def asked_of(guest: Guest, game: str, **more: int) -> Json:
    answered = await guest.post(f"/v1/games/{game}/review", json=more)
    assert answered.status_code == 200, answered.text
    found: Json = answered.json()
    return found


async def read(table: Table, game: str, language: str = "en") -> Json:
    found: Json = (await table.client.get(f"/v1/games/{game}/review?language={language}")).json()
    return found


async def cheaper(table: Table, game: str, seconds: int = SECONDS) -> None:
    """Make the review of a game a short one."""
    job = await table.log.review_job(UUID(game))
    assert job is not None
    await table.log.end_review(job.game_id)
    await table.log.ask_review(job._replace(seconds=seconds))


async def frames_of(table: Table, replayed: str) -> list[Json]:
    """All frames of a replay, page by page."""
    found: list[Json] = []
    after: int | None = 0
    while after is not None:
        page = (await table.client.get(f"{replayed}&after={after}")).json()
        found += page["frames"]
        after = page["next"]
    return found


async def test_a_review_is_asked_for_followed_and_read(table: Table, blundered: tuple[Record, int, int]) -> None:
    record, _, _ = blundered
    ann, ben = await table.guest("Ada"), await table.guest("Ben")
    game = await put(table, record)
    none = await read(table, game)
    assert (none["state"], none["done"], none["seconds"], none["review"]) == ("none", 0, None, None)
    assert (none["seq"], none["hash"]) == (len(record.events), record.events[-1].hash.hex())
    without = await table.client.get(f"/v1/games/{game}/replay?review=true&limit=1000")
    assert all("reviewed" not in frame for frame in without.json()["frames"])
    waiting = await asked_of(ann, game, seconds=60)
    assert (waiting["state"], waiting["done"], waiting["seconds"]) == ("waiting", 0, 60)
    assert await asked_of(ben, game, seconds=30) == waiting  # that of Ann is more thorough, and costs Ben nothing
    await cheaper(table, game)

    counts = reviews.ReviewCounts()
    stream = asyncio.create_task(
        table.client.get(f"/v1/games/{game}/review", headers={"Accept": "application/x-ndjson"})
    )
    begun = asyncio.create_task(reviews.step(table.log, History(table.log), counts))
    async with asyncio.timeout(60):
        while counts.seconds == 0:  # noqa: ASYNC110 - counts ring no bell
            await asyncio.sleep(0.05)
    assert (counts.running, counts.waiting) == (1, 0)
    assert await begun
    assert (counts.running, counts.outcomes) == (0, {"finished": 1, "failed": 0, "interrupted": 0})
    assert SECONDS <= counts.seconds < 60
    items = [msgspec.json.decode(line) for line in (await stream).content.splitlines()]
    assert {item["type"] for item in items} == {"ReviewProgress"}
    assert items[-1] == {"type": "ReviewProgress", "state": "done", "done": 1.0}
    assert [item["done"] for item in items] == sorted(item["done"] for item in items)

    done = await read(table, game)
    found = done["review"]
    assert (done["state"], done["done"], done["seconds"], done["reason"]) == ("done", 1, SECONDS, None)
    assert 1 <= len(found["turning_points"]) <= 3
    assert 1 <= found["examined"] <= found["commands"]
    assert all(chance["error"] is not None for chance in found["moves"][0]["chances"])
    assert found["players"][0]["result"] + found["players"][1]["result"] == 1
    replayed = f"/v1/games/{game}/replay?review=true&limit=1000"
    paged = await table.client.get(replayed)
    frames = await frames_of(table, replayed)
    assert frames[: len(paged.json()["frames"])] == paged.json()["frames"]
    assert [move for frame in frames for move in frame["reviewed"]] == found["moves"]
    assert all(move["seq"] == frame["seq"] for frame in frames for move in frame["reviewed"])
    plain = await table.client.get(f"/v1/games/{game}/replay?limit=1000")
    assert all("reviewed" not in frame for frame in plain.json()["frames"])
    assert paged.headers["etag"] not in (plain.headers["etag"], without.headers["etag"])
    turns = await frames_of(table, f"{replayed}&by=turn")
    assert [move for frame in turns for move in frame["reviewed"]] == found["moves"]
    german = (await read(table, game, "de"))["review"]
    assert [move["chances"] for move in german["moves"]] == [move["chances"] for move in found["moves"]]
    assert "Chance von Platz" in german["turning_points"][0]["said"]
    assert not await reviews.step(table.log, History(table.log), reviews.ReviewCounts())
    assert (await asked_of(ben, game, seconds=10))["state"] == "waiting"  # more thorough than what there is
    assert (await read(table, game))["review"] == found


async def test_names_are_those_of_today_and_are_not_stored(table: Table) -> None:
    game = await table.market_phase()
    ada, ben = table.guests
    assert (await ben.send(game, RESIGN)).status_code == 200
    await asked_of(ada, game)
    await cheaper(table, game, 1)
    assert await reviews.step(table.log, History(table.log), reviews.ReviewCounts())
    found = (await read(table, game))["review"]
    assert [player["name"] for player in found["players"]] == ["Ada", "Ben"]
    assert found["moves"][-1]["said"].startswith("Ben ")
    head = (await table.log.game(UUID(game))).head
    stored = await table.log.review(UUID(game), shape(head))
    assert stored is not None
    assert b"Ben" not in stored.review
    assert restored_review(await table.log.digest_key(), stored)[0] is not None
    assert (await ben.erase()).status_code == 204
    again = await read(table, game)
    assert "Ben" not in str(again)
    assert [player["name"] for player in again["review"]["players"]] == ["Ada", "a player who left"]

    # Whoever can write to this table alone cannot make anybody believe what it says.
    await table.log.keep_review(stored._replace(review=stored.review.replace(b"Resign", b"resign") + b" "))
    assert (await read(table, game))["state"] == "none"
    assert (await asked_of(ada, game))["state"] == "waiting"


async def test_whoever_comes_next_goes_on_from_what_was_kept(
    table: Table, blundered: tuple[Record, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "LEASE", timedelta(seconds=1))
    monkeypatch.setattr(reviews, "NEWS", 0.3)
    ada, game = await table.guest("Ada"), await put(table, blundered[0])
    await asked_of(ada, game)
    head = (await table.log.game(UUID(game))).head

    async def work() -> bytes:
        stored = await table.log.review(UUID(game), shape(head))
        return b"" if stored is None else restored_review(await table.log.digest_key(), stored)[1]

    first = asyncio.create_task(reviews.step(table.log, History(table.log), reviews.ReviewCounts()))
    while True:
        going = await table.log.review_job(UUID(game))
        if going is not None and going.done > 0:
            break
        assert not first.done(), first
        await asyncio.sleep(0.05)
    before = await work()
    first.cancel()  # as if the server were gone: nothing is put in order
    with suppress(asyncio.CancelledError):
        await first
    told = await read(table, game)
    assert (told["state"], 0 < told["done"] < 1, told["review"]) == ("running", True, None)
    job = await table.log.review_job(UUID(game))
    assert job is not None
    assert job.seconds == 60
    short = job._replace(seconds=int(60 * job.done) + 1, claimed_until=None)
    await table.log.end_review(job.game_id)
    await table.log.ask_review(short)
    assert await reviews.step(table.log, History(table.log), reviews.ReviewCounts())
    assert (await read(table, game))["state"] == "done"
    kept, after = (msgspec.msgpack.decode(each) for each in (before, await work()))
    assert kept["used"] < after["used"]
    for earlier, later in zip(kept["chances"], after["chances"], strict=True):
        assert later[: len(earlier)] == earlier


async def test_a_review_whose_process_always_ends_fails_with_the_reason(
    table: Table, blundered: tuple[Record, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "WORKER", "mcmulti.nowhere")
    ada, game = await table.guest("Ada"), await put(table, blundered[0])
    await asked_of(ada, game)
    counts = reviews.ReviewCounts()
    for _ in range(reviews.TRIES + 1):
        assert await reviews.step(table.log, History(table.log), counts)
    assert counts.outcomes == {"finished": 0, "failed": 1, "interrupted": reviews.TRIES}
    failed = await read(table, game)
    assert (failed["state"], failed["review"], "ended" in failed["reason"]) == ("failed", None, True)
    assert (await asked_of(ada, game))["state"] == "waiting"


async def test_what_cannot_be_reviewed_is_refused_with_the_reason(
    table: Table, blundered: tuple[Record, int, int]
) -> None:
    running = await table.market_phase()
    ada, ben = table.guests
    for answered in (
        await ada.get(f"/v1/games/{running}/review"),
        await ada.post(f"/v1/games/{running}/review", json={}),
    ):
        assert "not over" in problem(answered, 409, "unfinished")["detail"]
    problem(await ada.post(f"/v1/games/{uuid4()}/review", json={}), 404, "unknown_game")
    problem(await ada.get(f"/v1/games/{uuid4()}/review"), 404, "unknown_game")
    game = await put(table, blundered[0])
    problem(await table.client.post(f"/v1/games/{game}/review", json={}), 401, "unauthenticated")
    for wrong in ({"seconds": 9}, {"seconds": 181}, {"seconds": "60"}, {"passes": 3}):
        problem(await ada.post(f"/v1/games/{game}/review", json=wrong), 400, "invalid_body")

    assert (await ben.send(running, RESIGN)).status_code == 200
    await asked_of(ada, running)
    going = problem(await ada.post(f"/v1/games/{game}/review", json={}), 409, "review_going")
    assert running in going["detail"]
    await table.log.end_review(UUID(running))
    await asked_of(ada, running)
    await table.log.end_review(UUID(running))
    over = problem(await ada.post(f"/v1/games/{game}/review", json={}), 429, "too_many_requests")
    assert (over["quota"], over["retry_after"] > 0) == ("review_seconds", True)
    assert await table.log.review_job(UUID(game)) is None

    application_behind(table).state["service"].reviews = False
    problem(await ada.post(f"/v1/games/{game}/review", json={}), 409, "no_reviews")
    assert (await read(table, game))["state"] == "none"

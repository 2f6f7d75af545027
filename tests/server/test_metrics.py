"""Each metric moves when the event that it counts happens."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from uuid import UUID

import httpx
import pytest
from prometheus_client import generate_latest
from structlog.testing import capture_logs

from mcmulti import supervision
from mcmulti.api import readiness
from mcmulti.api.admission.gate import Admission
from mcmulti.api.admission.unsent import EACH, Unsent
from mcmulti.api.app import ROUTES, application
from mcmulti.api.http.answers import Answer
from mcmulti.events.log.snapshot import taken
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.notices import NO_GAME, Notification, Webhook
from mcmulti.events.ports.timekeeping import DueGame
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.expiry import ReceiptExpiry
from mcmulti.events.store.history import History
from mcmulti.metrics import REGISTRY
from mcmulti.notify.courier import Courier
from mcmulti.notify.outbound import Outbound
from mcmulti.notify.settings import Notify
from mcmulti.notify.watch import GameWatch
from mcmulti.referee.clock import SteadyClock
from mcmulti.referee.reading import GAMES
from mcmulti.referee.scheduler import time_out
from mcmulti.referee.scrubber import Scrubber
from mcmulti.server import sampling
from mcmulti.server.exposition import CountedTogether, registry_of
from mcmulti.server.process import Address, answering, bound, telling
from mcmulti.server.running import ServerError
from tests.api.guests import Table
from tests.api.owner import DAMAGES, Owner
from tests.api.stream_client import NDJSON, StreamClient
from tests.api.stream_server import served
from tests.needs import found
from tests.notify.receiver import receiving, status
from tests.scripted_clock import HOUR, NOON, SECOND, Clock, Server
from tests.server.readings import Watched, parsed, scraped, value

TESTED: set[str] = set()
END = {"type": "EndPurchases"}


def of(*names: str) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Marks the test of these metrics."""
    TESTED.update(names)
    return lambda test: test


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - metrics ring no bell
            await asyncio.sleep(0.02)


@pytest.fixture(autouse=True)
def looking_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "PERIOD", 0.02)


@pytest.fixture
async def server(database: str) -> AsyncIterator[tuple[str, Table]]:
    async with served(database) as server:
        yield server


@of("mcmulti_request_duration_seconds")
async def test_an_answer_is_measured_by_its_operation_and_what_became_of_it(server: tuple[str, Table]) -> None:
    _, table = server
    name = "mcmulti_request_duration_seconds_count"
    good = Watched(name, operation="getGame", status="2xx")
    bad = Watched(name, operation="getGame", status="4xx")
    nowhere = Watched(name, operation="none", status="4xx")
    game = await table.open()
    await table.client.get(f"/v1/games/{game}")
    await table.client.head(f"/v1/games/{game}")
    await table.client.get("/v1/games/no-game")
    await table.client.get(f"/v1/gmaes/{game}")
    await until(lambda: (good.more, bad.more, nowhere.more) == (2, 1, 1))


async def test_labels_are_of_the_contract_and_never_what_a_client_wrote(server: tuple[str, Table]) -> None:
    _, table = server
    measured = Watched("mcmulti_request_duration_seconds_count", operation="none", status="4xx")
    for path in ("/secret-path", "/v1/games/secret-path", "/v1/rulesets/secret-path"):
        await table.client.get(path)
    await until(lambda: measured.more == 1)
    operations = {
        sample.labels["operation"]
        for family in REGISTRY.collect()
        for sample in family.samples
        if "operation" in sample.labels
    }
    assert operations <= {"none", *(route.opt["operation"].id for route in ROUTES)}


@of("mcmulti_readers", "mcmulti_requests_under_way")
async def test_who_waits_for_news_is_a_reader_and_makes_no_request_slow(server: tuple[str, Table]) -> None:
    address, table = server
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    readers = {kind: Watched("mcmulti_readers", kind=kind) for kind in ("game_stream", "player_stream", "poll")}
    under_way = Watched("mcmulti_requests_under_way")
    slow = Watched("mcmulti_request_duration_seconds_sum", operation="listEvents", status="2xx")
    events = f"/v1/games/{game}/events"
    polling = asyncio.create_task(table.client.get(events, params={"after": seq, "wait": 60}))
    async with (
        StreamClient.open(address, f"{events}?after={seq}", NDJSON) as stream,
        StreamClient.open(address, "/v1/stream", NDJSON, table.guests[0].token) as turns,
    ):
        await stream.next()
        await turns.next()
        await until(lambda: [reader.more for reader in readers.values()] == [1, 1, 1])
        await asyncio.sleep(0.5)
        assert under_way.value == 0
        await table.guests[0].send(game, END)
        assert (await polling).json()["events"][0]["seq"] == seq + 1
    await until(lambda: [reader.more for reader in readers.values()] == [0, 0, 0])
    counted = Watched("mcmulti_request_duration_seconds_count", operation="listEvents", status="2xx")
    await until(lambda: counted.value >= 2)
    assert slow.more < 0.4


@of("mcmulti_requests_under_way")
async def test_a_request_whose_answer_has_not_begun_is_under_way() -> None:
    answers = asyncio.Event()

    class Slow(MemoryLog):
        async def writable(self) -> None:
            await answers.wait()

    under_way = Watched("mcmulti_requests_under_way")
    with bound("127.0.0.1", 0) as listener:
        async with (
            answering(Slow(), listener) as address,
            httpx.AsyncClient(base_url=address, trust_env=False) as client,
        ):
            asking = asyncio.create_task(client.get("/readyz"))
            await until(lambda: under_way.value == 1)
            answers.set()
            assert (await asking).status_code == 200
            await until(lambda: under_way.value == 0)


@of("mcmulti_connections", "mcmulti_connections_refused_total")
async def test_connections_are_counted_and_those_that_are_too_many() -> None:
    open_now = Watched("mcmulti_connections")
    refused = Watched("mcmulti_connections_refused_total", reason="address")
    with bound("127.0.0.1", 0) as listener:
        async with answering(MemoryLog(), listener, Admission(connections=2)) as address:
            host, port = address.removeprefix("http://").split(":")
            writers = [(await asyncio.open_connection(host, port))[1] for _ in range(5)]
            await until(lambda: (open_now.more, refused.more) == (2, 3))
            for writer in writers:
                writer.close()
            await until(lambda: open_now.more == 0)


@of("mcmulti_quota_refusals_total")
async def test_who_is_over_a_limit_is_counted_by_the_limit() -> None:
    quotas = ("requests", "registrations", "open_games")
    refused = {quota: Watched("mcmulti_quota_refusals_total", quota=quota) for quota in quotas}
    with bound("127.0.0.1", 0) as listener:
        admission = Admission("6/hour", registrations="1/hour", open_games=1)
        async with (
            answering(MemoryLog(), listener, admission) as address,
            httpx.AsyncClient(base_url=address, trust_env=False) as client,
        ):
            ada = (await client.post("/v1/players", json={"name": "Ada"})).json()["token"]
            await client.post("/v1/players", json={"name": "Ben"})
            for _ in range(2):
                asked = {"ruleset": "mcmulti"}, {"Authorization": f"Bearer {ada}"}
                await client.post("/v1/games", json=asked[0], headers=asked[1])
            for _ in range(9):
                await client.get("/v1/rulesets")
    told = {quota: watched.more for quota, watched in refused.items()}
    assert (told["registrations"], told["open_games"], told["requests"] > 0) == (1, 1, True)


@of("mcmulti_events_appended_total", "mcmulti_commit_batch_size", "mcmulti_commit_duration_seconds")
async def test_appends_are_counted_by_rule_set_and_batches_by_their_size(server: tuple[str, Table]) -> None:
    _, table = server
    appended = {name: Watched("mcmulti_events_appended_total", ruleset=name) for name in ("mcmulti", "postal")}
    batches = Watched("mcmulti_commit_batch_size_count")
    together = Watched("mcmulti_commit_batch_size_sum")
    timed = Watched("mcmulti_commit_duration_seconds_count")
    game = await table.market_phase()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    assert (appended["mcmulti"].more, appended["postal"].more) == (seq, 0)
    assert batches.more == together.more == timed.more > 0


@of("mcmulti_conflicts_total")
async def test_what_two_servers_decide_at_once_is_decided_again(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    conflicts = Watched("mcmulti_conflicts_total")
    async with PostgresLog.open(database) as one, PostgresLog.open(database) as two:
        servers = [Server(log, Clock()) for log in (one, two)]
        game = await servers[0].start()
        await servers[1].referee.position(game)
        clock_goes, both = HOUR * 24 * 30, asyncio.Barrier(2)
        for server in servers:
            server.referee.clock.now += clock_goes  # type: ignore[attr-defined]

            async def decided(*about: Any, decide: Callable[..., Any] = server.referee.decide) -> Any:
                ruling = await decide(*about)
                await both.wait()  # neither appends before the other has decided
                return ruling

            monkeypatch.setattr(server.referee, "decide", decided)
        await asyncio.gather(*(time_out(server.referee, game) for server in servers))
    assert conflicts.more == 1


@of("mcmulti_cached_games", "mcmulti_cached_games_limit")
async def test_games_at_hand_are_counted(server: tuple[str, Table]) -> None:
    _, table = server
    for _ in range(3):
        await table.open()
    await until(lambda: Watched("mcmulti_cached_games").value == 3)
    assert Watched("mcmulti_cached_games_limit").value == GAMES


@of("mcmulti_unsent_bytes")
async def test_the_memory_of_large_responses_is_counted_until_they_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    unsent, counted = Unsent(), Watched("mcmulti_unsent_bytes")
    monkeypatch.setattr("mcmulti.api.service.Unsent", lambda: unsent)

    async def large() -> Answer:
        return Answer(bytes(EACH))

    with bound("127.0.0.1", 0) as listener:
        async with answering(MemoryLog(), listener):
            sized = (await unsent.answered("192.0.2.1", large)).sized
            assert sized is not None
            sized(EACH)
            await until(lambda: counted.value == EACH)
            sized(0)
            await until(lambda: counted.value == 0)


@of("mcmulti_damaged_game_loads_total")
async def test_a_damaged_game_is_counted_when_it_is_met(server: tuple[str, Table], database: str) -> None:
    _, table = server
    game = await table.start()
    damaged = Watched("mcmulti_damaged_game_loads_total")
    Owner(database).do(next(iter(DAMAGES.values())), game=UUID(game))
    async with served(database) as (_, fresh):
        assert (await fresh.client.get(f"/v1/games/{game}")).status_code == 409
    assert damaged.more == 1


@of("mcmulti_damaged_snapshots_total")
async def test_a_snapshot_that_is_not_what_was_kept_is_counted() -> None:
    damaged = Watched("mcmulti_damaged_snapshots_total")
    log = MemoryLog()
    server = Server(log, Clock())
    now = await server.referee.position(await server.begin())
    of_another_key = taken(b"k" * 32, now.game_id, now.ruleset, now.state, now.head)
    await log.keep_snapshots(now.game_id, [of_another_key])
    assert await History(log).at(now, now.head.seq) == now
    assert damaged.more == 1


@of("mcmulti_checked_events_total", "mcmulti_quarantined_games")
async def test_what_is_checked_in_the_background_and_found_damaged_is_counted(database: str) -> None:
    checked, quarantined = Watched("mcmulti_checked_events_total"), Watched("mcmulti_quarantined_games")
    change = "UPDATE event SET data = replace(data::text, {}, {})::json WHERE game_id = %(game)s AND seq = 2"
    async with PostgresLog.open(database) as log:
        server = Server(log, Clock())
        game, _ = await server.start(), await server.start()
        scrubber = Scrubber(server.referee, log, share=1)
        await scrubber.step()
        assert (checked.more, quarantined.value) == (sum(game.head.seq for game in await log.games(3)), 0)
        Owner(database).do(change.format("'}'", "' }'"), game=game)
        assert await scrubber.check(game) is not None
        assert quarantined.value == 1
        Owner(database).do(change.format("' }'", "'}'"), game=game)
        await scrubber.step()
        assert quarantined.value == 0


@of("mcmulti_expired_receipts_total")
async def test_receipts_that_expire_are_counted(database: str) -> None:
    """A game that ended long ago has one. A running game keeps its own."""
    expired = Watched("mcmulti_expired_receipts_total")
    async with PostgresLog.open(database) as log:
        server = Server(log, Clock())
        game, running = await server.start(), await server.start()
        Owner(database).do(
            "UPDATE game SET status = 'finished', ended_at = created_at - interval '1 day' WHERE id = %(game)s",
            game=game,
        )
        for one in (game, running):
            Owner(database).do(
                """INSERT INTO receipt (game_id, player_id, key, request_hash, after_seq, seq, digest)
                VALUES (%(game)s, %(game)s, 'a key', sha256(''), 1, 2, substr(sha256(''), 1, 16))""",
                game=one,
            )
        await ReceiptExpiry(log, timedelta()).step()
        assert expired.more == 1


@of("mcmulti_notices_total", "mcmulti_notices_waiting")
async def test_messages_to_players_are_counted_by_what_became_of_them() -> None:
    log, player = MemoryLog(), UUID(int=7)
    await log.add_player(Player(player, "Ada"), first_token(NOON), bytes(32))
    sent, failed = (Watched("mcmulti_notices_total", outcome=outcome) for outcome in ("sent", "failed"))
    waiting = Watched("mcmulti_notices_waiting")
    async with receiving() as receiver, Outbound(private=True) as outbound:
        receiver.answers = [status("500 Internal Server Error")]
        hook = Webhook(UUID(int=8), player, receiver.url, "standard", ("game.over",), "en", bytes(32), NOON)
        assert await log.add_webhook(hook, 1)
        await log.post_notices(NO_GAME, [Notification(NO_GAME, hook.webhook_id, player, "test", 1, UUID(int=9), NOON)])
        await GameWatch(log).step()
        assert waiting.value == 1
        courier = Courier(log, outbound, Notify("http://127.0.0.1:8000", private=True))
        for _ in range(2):
            await courier.step()
            await courier.idle()
            for notice in await log.notices_due(datetime.max.replace(tzinfo=UTC), 1, 1):
                await log.postpone_notice(notice, NOON)
        assert (failed.more, sent.more) == (1, 1)
        await GameWatch(log).step()
        assert waiting.value == 0


@of("mcmulti_chat_messages_total")
async def test_what_is_said_removed_and_reported_is_counted_once() -> None:
    """However often a request is repeated."""
    said, removed, reported = (
        Watched("mcmulti_chat_messages_total", what=what) for what in ("said", "removed", "reported")
    )
    transport = httpx.ASGITransport(application(MemoryLog()))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://mcmulti") as client:
        table = Table(client, cast(PostgresLog, None))
        ada, ben = await table.guest("Ada"), await table.guest("Ben")
        new: Any = {"ruleset": "mcmulti", "setup": {"seats": 2}, "chat": ["spectators"]}
        chat = f"/v1/games/{(await ada.post('/v1/games', json=new)).json()['game']}/chat"
        for _ in range(2):
            headers, body = {"Idempotency-Key": '"once"'}, {"room": "spectators", "text": "Hello"}
            told = await ada.post(chat, json=body, headers=headers)
            assert told.status_code == 201, told.text
        for _ in range(2):
            assert (await ben.post(f"{chat}/{told.json()['id']}/flags", json={})).status_code == 201
        for _ in range(2):
            assert (await ada.delete(f"{chat}/{told.json()['id']}")).status_code == 200
    assert (said.more, removed.more, reported.more) == (1, 1, 1)


@of("mcmulti_task_restarts_total", "mcmulti_tasks_failing")
async def test_a_background_task_that_fails_is_counted_until_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "FIRST_PAUSE", 0.02)
    begun, broken = 0, True

    async def work() -> None:
        nonlocal begun
        begun += 1
        if broken:
            raise RuntimeError("nobody expected this")
        await asyncio.Event().wait()

    restarts, failing = Watched("mcmulti_task_restarts_total", task="of a test"), Watched("mcmulti_tasks_failing")
    async with supervision.running("of a test", work):
        await until(lambda: failing.value == 1)
        broken = False
        await until(lambda: failing.value == 0)
        await until(lambda: restarts.more == begun - 1 > 0)


@of("mcmulti_log_went_back_total")
async def test_a_log_that_went_back_is_counted(server: tuple[str, Table], database: str) -> None:
    _, table = server
    game = await table.start()
    went_back = Watched("mcmulti_log_went_back_total")
    await table.guests[0].send(game, END)
    Owner(database).take_back(game, 2)
    assert (await table.client.get(f"/v1/games/{game}")).json()["seq"] == 2
    assert went_back.more == 1


@of("mcmulti_deadlines_kept_total", "mcmulti_deadlines_overdue", "mcmulti_deadline_overdue_seconds")
async def test_deadlines_that_have_come_are_told_with_how_late_they_are() -> None:
    clock = Clock()
    server = Server(MemoryLog(), clock)
    await server.start()
    kept = Watched("mcmulti_deadlines_kept_total")
    due, late = Watched("mcmulti_deadlines_overdue"), Watched("mcmulti_deadline_overdue_seconds")
    await server.look()
    assert (kept.more, due.value, late.value) == (0, 0, 0)
    (deadline,) = [game.deadline for game in await server.referee.log.games(1)]
    assert deadline is not None
    clock.now = deadline + 7 * SECOND
    await server.look()
    assert (kept.more, due.value, late.value) == (1, 1, 7)
    await server.look()
    assert (kept.more, due.value, late.value) == (1, 0, 0)


@of("mcmulti_seats_vacated_total", "mcmulti_moves_unasked_total", "mcmulti_deadlines_missed_total")
async def test_seats_that_their_clocks_vacate_are_counted_with_the_moves_made_for_them() -> None:
    """One miss vacates the seat. Its player's purchases are ended as often as the log says."""
    clock, log = Clock(), MemoryLog()
    server = Server(log, clock)
    await server.begin(misses=1)
    (game,) = await log.games(1)
    vacated, resigned = (
        Watched("mcmulti_seats_vacated_total", ruleset=game.ruleset, why=why) for why in ("missed", "resigned")
    )
    unasked = Watched("mcmulti_moves_unasked_total", ruleset=game.ruleset, why="time")
    missed = Watched("mcmulti_deadlines_missed_total", ruleset=game.ruleset)
    clock.now += 60 * SECOND
    await server.look()
    events = await log.read(game.game_id, game.head.seq)
    moves = sum(event.type == "MovedUnasked" and b'"time"' in event.data for event in events)
    assert moves > 0
    assert (vacated.more, resigned.more, unasked.more, missed.more) == (1, 0, moves, 1)


@of("mcmulti_time_given_back_seconds_total")
async def test_time_that_was_given_back_is_counted() -> None:
    class Resumed(MemoryLog):
        async def keep_time(self, game_id: UUID | None = None) -> timedelta:
            return timedelta(seconds=90)

    given = Watched("mcmulti_time_given_back_seconds_total")
    await Server(Resumed(), Clock()).look()
    assert given.more == 90


@of("mcmulti_clock_skew_seconds")
def test_how_far_the_machine_s_clock_is_from_the_database_s_is_told() -> None:
    skew, wrong = Watched("mcmulti_clock_skew_seconds"), 0
    clock = SteadyClock(lambda: NOON + wrong * SECOND, lambda: 0.0)
    with capture_logs() as logged:
        for wrong in (0, 7, 7, -3, 0):
            clock.hear(NOON)
            assert skew.value == abs(wrong)
    assert [line["log_level"] for line in logged] == ["warning", "info"]


@of("mcmulti_database_away")
async def test_a_database_that_is_away_is_told_until_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcmulti.referee.scheduler.PERIOD", 0.02)

    class Shaky(MemoryLog):
        away = False

        async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
            if self.away:
                raise LogUnavailable("the database does not answer")
            return []

    log, away = Shaky(), Watched("mcmulti_database_away")
    async with Server(log, Clock()).scheduler.running():
        await until(lambda: away.value == 0)
        log.away = True
        await until(lambda: away.value == 1)
        log.away = False
        await until(lambda: away.value == 0)


@of("mcmulti_database_failures_total")
async def test_calls_that_the_database_does_not_answer_are_counted(database: str) -> None:
    failures = Watched("mcmulti_database_failures_total")
    async with PostgresLog.open(database, pool_size=1, patience=0.2) as log, log._pool.connection():
        with pytest.raises(LogUnavailable):
            await log.ready()
    assert failures.more == 1


@of("mcmulti_writes_fail")
async def test_a_database_that_takes_no_writes_is_told_though_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "AGE", 0.0)
    monkeypatch.setattr(readiness, "PERIOD", 0.02)

    class Full(MemoryLog):
        full = False

        async def writable(self) -> None:
            if self.full:
                raise LogUnavailable("the disk is full")

    log, fail = Full(), Watched("mcmulti_writes_fail")
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener):
            await until(lambda: fail.value == 0)
            log.full = True
            await until(lambda: fail.value == 1)
            log.full = False
            await until(lambda: fail.value == 0)


@of("mcmulti_pool_connections", "mcmulti_pool_waiting")
async def test_the_pool_tells_what_is_used_and_who_waits(database: str) -> None:
    used, waiting = Watched("mcmulti_pool_connections", state="used"), Watched("mcmulti_pool_waiting")
    async with PostgresLog.open(database, pool_size=2) as log:
        with bound("127.0.0.1", 0) as listener:
            async with answering(log, listener):
                await until(lambda: used.value == 0 and Watched("mcmulti_pool_connections", state="idle").value == 2)
                async with log._pool.connection(), log._pool.connection():
                    asking = asyncio.create_task(log.ready())
                    await until(lambda: used.value == 2 and waiting.value >= 1)
                await asking


def test_each_metric_has_a_test() -> None:
    declared = {family.name + ("_total" if family.type == "counter" else "") for family in REGISTRY.collect()}
    assert declared == TESTED


async def test_they_are_told_where_the_operator_says_and_nowhere_else(server: tuple[str, Table]) -> None:
    _, table = server
    await table.open()
    registry = registry_of(REGISTRY, lambda: {"1": 1})
    async with telling(registry, Address("127.0.0.1", 0)) as metrics:
        opened = Watched("mcmulti_request_duration_seconds_count", operation="openGame", status="2xx")
        await until(lambda: opened.value >= 1)
        samples = await asyncio.to_thread(scraped, metrics)
        assert value(samples, "mcmulti_request_duration_seconds_count", operation="openGame", status="2xx") >= 1
        assert value(samples, "process_resident_memory_bytes", worker="1") > 0
        assert not [name for name, _ in samples if name.endswith("_created")]
        async with httpx.AsyncClient(base_url=metrics.removesuffix("/metrics"), trust_env=False) as client:
            assert (await client.get("/")).status_code == 404
            assert (await client.get("/v1/games")).status_code == 404
            assert (await client.post("/metrics")).status_code == 405
            head = await client.head("/metrics")
            assert (head.status_code, head.content) == (200, b"")
            assert head.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        with pytest.raises(ServerError, match="Choose another one with --metrics-address"):
            async with telling(registry, Address("127.0.0.1", int(metrics.split(":")[2].split("/")[0]))):
                pass
    assert (await table.client.get("/metrics")).status_code == 404


def test_what_ended_processes_counted_is_kept_in_as_many_files_as_that_of_one() -> None:
    code = (
        "from mcmulti import metrics\n"
        "metrics.CONFLICTS.inc(3); metrics.BATCH_SIZE.observe(2); metrics.CACHED_GAMES.set(5)\n"
        "metrics.tally('getGame', '2xx').counts[1] += 1; metrics.settle()\n"
        "import os; print(os.getpid())"
    )
    with CountedTogether.in_folder() as together:
        registry = registry_of(together, dict)
        for ended in range(1, 4):
            run = [sys.executable, "-c", code]
            said = subprocess.run(run, env={**os.environ, **together.environment}, capture_output=True, check=True)
            at_work = parsed(generate_latest(registry).decode())
            assert value(at_work, "mcmulti_cached_games") == 5
            together.ended(int(said.stdout))
            told = parsed(generate_latest(registry).decode())
            assert value(told, "mcmulti_conflicts_total") == value(at_work, "mcmulti_conflicts_total") == 3 * ended
            assert value(told, "mcmulti_commit_batch_size_bucket", le="2.0") == ended
            assert value(told, "mcmulti_commit_batch_size_bucket", le="1.0") == 0
            durations = {"operation": "getGame", "status": "2xx"}
            assert value(told, "mcmulti_request_duration_seconds_count", **durations) == ended
            assert value(told, "mcmulti_request_duration_seconds_bucket", le="0.0025", **durations) == ended
            assert value(told, "mcmulti_cached_games") == 0
            assert len([*together.folder.iterdir()]) <= 4
    assert not together.folder.exists()


@pytest.mark.needs("promtool")
async def test_prometheus_finds_nothing_wrong_with_them(server: tuple[str, Table]) -> None:
    _, table = server
    await table.start()
    async with telling(registry_of(REGISTRY, lambda: {"1": 1}), Address("127.0.0.1", 0)) as metrics:
        told = await asyncio.to_thread(httpx.get, metrics, trust_env=False)
    assert len(parsed(told.text)) > 100
    checked = await asyncio.to_thread(_checked, told.text)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def _checked(text: str) -> "subprocess.CompletedProcess[str]":
    command = [found("promtool"), "check", "metrics"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False)

"""Series: the same dice at several tables, which nobody can see before the last one is over."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from mcmulti.cli.proof.verdict import SeriesTables, judged
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.store.game_file import read
from mcmulti.projections.proof.proof import verify
from mcmulti.projections.proof.series import series_fault
from tests.api.guests import Guest, Json, Table, problem
from tests.api.rated_games import come
from tests.api.stream_client import NDJSON, StreamClient
from tests.api.stream_server import served
from tests.api.two_servers import TwoServers
from tests.pure.properties.random_games import seats_of

RESIGN = {"type": "Resign"}
TWO = {"ruleset": "mcmulti", "tables": 2, "setup": {"seats": 2, "first_seat": 0}}


async def opened(guest: Guest, **wish: Any) -> Json:
    answered = await guest.post("/v1/series", json={**TWO, **wish})
    assert answered.status_code == 201, answered.text
    found: Json = answered.json()
    assert answered.headers["Location"] == f"/v1/series/{found['series']}"
    return found


async def seat(game: str, *guests: Guest) -> None:
    for guest in guests:
        taken = await guest.post(f"/v1/games/{game}/seats", json={})
        assert taken.status_code == 201, taken.text


async def start(game: str, *guests: Guest) -> None:
    """Take the seats, start, and buy nothing: it is the first one's turn."""
    await seat(game, *guests)
    assert (await guests[0].send(game, {"type": "StartGame"})).status_code == 200
    for go in range(4):
        ended = await guests[go % 2].send(game, {"type": "EndPurchases"})
        assert ended.status_code == 200, ended.text


async def rolled(game: str, guest: Guest) -> list[tuple[int, int]]:
    """The dice of the first roll: sides and values."""
    answered = await guest.send(game, {"type": "RollDice"})
    assert answered.status_code == 200, answered.text
    return [(draw["sides"], draw["value"]) for event in answered.json()["events"] for draw in draws_in(event["data"])]


def draws_in(data: Any) -> list[Json]:
    if isinstance(data, dict):
        here = [data] if data.keys() == {"number", "sides", "value"} else []
        return [*here, *(found for value in data.values() for found in draws_in(value))]
    return [found for value in data for found in draws_in(value)] if isinstance(data, list) else []


async def test_two_tables_have_the_same_dice_and_the_series_reveals_them_when_both_are_over(table: Table) -> None:
    ada, ben, cleo, dan = await come(table, "Ada", "Ben", "Cleo", "Dan")
    series = await opened(ada)
    one, other = (each["game"] for each in series["tables"])
    assert (series["status"], series["seed"], series["scores"]) == ("open", None, [])
    for game in (one, other):
        first = (await ada.get(f"/v1/games/{game}/events?limit=1")).json()["events"][0]["data"]
        assert first["commitment"] == series["commitment"]
        assert first["series"]["series"] == series["series"]
    await start(one, ada, ben)
    await start(other, cleo, dan)
    dice = await rolled(one, ada)
    assert dice
    assert dice == await rolled(other, cleo)

    # Ben gives up his seat, so Ada wins with it. Her table is over, but not the series.
    assert (await ben.send(one, RESIGN)).status_code == 200
    running = (await table.client.get(f"/v1/series/{series['series']}")).json()
    assert (running["status"], running["seed"], running["scores"]) == ("running", None, [])
    assert (await ada.get(f"/v1/games/{one}/proof")).json()["seed"] is None
    assert (await ada.get(f"/v1/games/{one}")).json()["view"]["seed"] is None
    assert "SeedRevealed" not in (await ada.get(f"/v1/games/{one}/events?limit=1000")).text
    assert '"seed"' not in (await ada.get(f"/v1/games/{one}/file")).text

    # Dan wins the other table: with her seat, Cleo made less of the same dice than Ada.
    assert (await cleo.send(other, RESIGN)).status_code == 200
    over = (await table.client.get(f"/v1/series/{series['series']}")).json()
    assert over["status"] == "finished"
    assert [(score["table"], score["seat"], score["points"], score["comparisons"]) for score in over["scores"]] in (
        [(1, 0, 1.0, 1), (2, 1, 1.0, 1), (1, 1, 0.0, 1), (2, 0, 0.0, 1)],
        [(2, 1, 1.0, 1), (1, 0, 1.0, 1), (1, 1, 0.0, 1), (2, 0, 0.0, 1)],
        [(1, 0, 1.0, 1), (2, 1, 1.0, 1), (2, 0, 0.0, 1), (1, 1, 0.0, 1)],
        [(2, 1, 1.0, 1), (1, 0, 1.0, 1), (2, 0, 0.0, 1), (1, 1, 0.0, 1)],
    )
    assert [(score["won"], score["left"]) for score in over["scores"]] == [(True, False)] * 2 + [(False, True)] * 2
    assert [score["name"] for score in over["scores"] if score["won"]] in (["Ada", "Dan"], ["Dan", "Ada"])
    for game in (one, other):
        proof = (await table.client.get(f"/v1/games/{game}/proof")).json()
        assert (proof["seed"], proof["commitment"]) == (over["seed"], series["commitment"])
        record = read((await table.client.get(f"/v1/games/{game}/file")).content.splitlines(keepends=True))
        assert record.file.seed == over["seed"]
        found = verify(record.events, record.file.seed)
        assert (found.fault, found.seed_revealed) == (None, True)
        assert not verify(record.events).seed_revealed
        assert "commitment" in (verify(record.events, "00" * 32).fault or "")
    records = [
        read((await table.client.get(f"/v1/games/{game}/file")).content.splitlines(keepends=True))
        for game in (one, other)
    ]
    tables = SeriesTables()
    for record in records:
        tables.collect(record, judged(record))
    [proof_of_both] = tables.proofs()
    assert (proof_of_both.present, proof_of_both.proven, proof_of_both.fault) == (2, True, None)
    assert "the same dice at every table" in proof_of_both.marked
    assert series_fault([records[0].events, records[0].events]) == "two games are table 1"
    chance = SeededChance(bytes.fromhex(over["seed"]), one, series["series"])
    first_draw = draws_in((await ada.get(f"/v1/games/{one}/events?limit=1000")).json()["events"])[0]
    assert chance.value(1, first_draw["sides"], ",") == first_draw["value"]


READ = ("", "/events", "/proof", "/file", "/replay", "/position", "/board.svg", "/boards", "/ledger", "/statistics",
        "/charts/dice", "/board.png", "/report", "/review", "/chat", "/rating", "/statements")  # fmt: skip


async def test_only_its_players_see_a_table_that_has_started(table: Table) -> None:
    ada, ben, cleo, eve = await come(table, "Ada", "Ben", "Cleo", "Eve")
    series = await opened(ada)
    one, other = (each["game"] for each in series["tables"])
    assert (await eve.get(f"/v1/games/{one}")).status_code == 200  # nothing has been rolled
    await start(one, ada, ben)
    await seat(other, cleo)
    await rolled(one, ada)
    for reader in (cleo, eve):
        for part in READ:
            problem(await reader.get(f"/v1/games/{one}{part}"), 403, "series_running")
        problem(await reader.post(f"/v1/games/{one}/branches", json={"at": 5}), 403, "series_running")
        problem(await reader.get(f"/v1/games/{one}/events?until=4"), 403, "series_running")
        problem(await reader.get(f"/v1/games/{one}?at=3"), 403, "series_running")
    problem(await table.client.get(f"/v1/games/{one}"), 403, "series_running")
    # Who plays there sees everything, but cannot open a table at which others see how it stands.
    assert (await ben.get(f"/v1/games/{one}/replay")).status_code == 200
    seq = (await ada.get(f"/v1/games/{one}")).json()["seq"]
    problem(await ada.post(f"/v1/games/{one}/branches", json={"at": seq}), 403, "series_running")
    # Nor does a finished table show anything, or go into downloads.
    assert (await ben.send(one, RESIGN)).status_code == 200
    problem(await cleo.get(f"/v1/games/{one}/replay"), 403, "series_running")
    problem(await ada.post(f"/v1/games/{one}/branches", json={"at": seq}), 403, "series_running")
    assert one not in (await table.client.get("/v1/games/finished")).text
    assert one not in (await table.client.get("/v1/games?limit=100")).text
    assert (await ben.get(f"/v1/games/{one}/file")).status_code == 200


async def test_nobody_plays_the_same_dice_twice(table: Table) -> None:
    ada, ben, cleo = await come(table, "Ada", "Ben", "Cleo")
    series = await opened(ada, tables=3)
    one, other, third = (each["game"] for each in series["tables"])
    await seat(one, ada, ben)
    problem(await ada.post(f"/v1/games/{other}/seats", json={}), 409, "series_seated")
    # Before the start nothing has been rolled, so Ben can change his mind. Afterward even leaving does not help.
    assert (await ben.send(one, {"type": "LeaveSeat"})).status_code == 200
    await seat(other, ben)
    await seat(one, cleo)
    assert (await ada.send(one, {"type": "StartGame"})).status_code == 200
    assert (await cleo.send(one, RESIGN)).status_code == 200
    for guest in (ada, cleo):
        problem(await guest.post(f"/v1/games/{third}/seats", json={}), 409, "series_seated")
    [dan] = await come(table, "Dan")
    sat = await dan.post(f"/v1/games/{third}/seats", json={"entropy": "of-my-own"})
    assert sat.json()["events"][0]["data"]["entropy"] == ""  # it would change the dice of this table


async def test_a_table_starts_only_with_all_its_players(table: Table) -> None:
    ada, ben = await come(table, "Ada", "Ben")
    series = await opened(ada, setup={"seats": 3})
    game = series["tables"][0]["game"]
    await seat(game, ada, ben)
    for command in ("StartGame", "AgreeToStart"):
        problem(await ada.send(game, {"type": command}), 409, "too_few_players")


async def test_tables_of_two_series_do_not_prove_each_other(table: Table) -> None:
    """Another commitment, and another setup."""
    [ada] = await come(table, "Ada")
    firsts: list[Sequence[Recorded]] = []
    wishes: tuple[Json, ...] = ({}, {"setup": {"seats": 3, "first_seat": 0}})
    for wish in wishes:
        game = (await opened(ada, **wish))["tables"][len(firsts)]["game"]
        firsts.append(read((await ada.get(f"/v1/games/{game}/file")).content.splitlines(keepends=True)).events)
    assert series_fault(firsts) == "table 2 has another commitment than table 1"
    same = firsts[1][0]._replace(data=firsts[1][0].data.replace(commitment(firsts[1]), commitment(firsts[0])))
    assert series_fault([firsts[0], [same]]) == "table 2 has another setup than table 1"


def commitment(events: Sequence[Recorded]) -> bytes:
    found: bytes = msgspec.json.decode(events[0].data)["commitment"].encode()
    return found


async def test_of_two_requests_at_once_only_one_gets_a_seat(servers: TwoServers) -> None:
    """At two servers, it may be that none does, since both are undone; but never both."""
    registered = (await servers.client.post("/v1/players", json={"name": "Ada"})).json()
    ada, again = (Guest(client, "Ada", registered["token"]) for client in servers.clients)
    for _ in range(5):
        series = await opened(ada)
        games = [each["game"] for each in series["tables"]]
        answers = await asyncio.gather(
            ada.post(f"/v1/games/{games[0]}/seats", json={}), again.post(f"/v1/games/{games[1]}/seats", json={})
        )
        assert 409 in [answered.status_code for answered in answers]
        shown = (await ada.get(f"/v1/series/{series['series']}")).json()
        taken = [seat["player"] for each in shown["tables"] for seat in each["seats"] if seat["player"]]
        assert len(taken) <= 1


async def test_a_series_that_is_asked_for_again_is_opened_once(table: Table) -> None:
    [ada] = await come(table, "Ada")
    key = {"Idempotency-Key": "our-club-evening-1"}
    answers = [await ada.post("/v1/series", json=TWO, headers=dict(key)) for _ in range(2)]
    assert answers[0].json()["series"] == answers[1].json()["series"]
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    assert len((await ada.get("/v1/games?mine=true")).json()["games"]) == 0
    problem(await ada.post("/v1/series", json={**TWO, "tables": 3}, headers=dict(key)), 422, "key_reused")
    practice = {**TWO, "setup": {"seats": 2, "practice": True}}
    problem(await ada.post("/v1/series", json=practice), 422, "series_practice")
    problem(await ada.post("/v1/series", json={**TWO, "tables": 1}), 400, "invalid_body")
    problem(await table.client.get(f"/v1/series/{uuid4()}"), 404, "unknown_series")
    problem(await table.client.get("/v1/series/none"), 404, "unknown_series")


async def test_two_series_under_one_key_at_once_are_one_series(table: Table) -> None:
    """The tables of the second would belong to no series."""
    [ada] = await come(table, "Ada")
    wanted = [TWO, {**TWO, "tables": 4}]
    answers = await asyncio.gather(
        *(ada.post("/v1/series", json=each, headers={"Idempotency-Key": "our-club-evening-2"}) for each in wanted)
    )
    assert sorted(answered.status_code for answered in answers) == [201, 422]
    [(body, opened_first)] = [pair for pair in zip(wanted, answers, strict=True) if pair[1].status_code == 201]
    assert len(opened_first.json()["tables"]) == body["tables"]


async def test_a_stream_that_was_opened_before_the_start_ends_there(database: str) -> None:
    """Somebody who looks on, and somebody who sat there, are shown nothing that was rolled; the players are."""
    async with served(database) as (address, table):
        ada, ben, cleo = await come(table, "Ada", "Ben", "Cleo")
        game = (await opened(ada))["tables"][0]["game"]
        path = f"/v1/games/{game}/events?after=0"
        await seat(game, cleo)
        async with (
            StreamClient.open(address, path, NDJSON) as anybody,
            StreamClient.open(address, path, NDJSON, cleo.token) as left,
            StreamClient.open(address, path, NDJSON, ben.token) as plays,
        ):
            assert (await cleo.send(game, {"type": "LeaveSeat"})).status_code == 200
            await start(game, ada, ben)
            for stream in (anybody, left):
                items = await asyncio.wait_for(_all(stream), 60)
                assert items
            assert (await ada.send(game, {"type": "RollDice"})).status_code == 200
            assert any([draws_in(item) async for item in _until_a_draw(plays)])
            for token in (None, cleo.token):
                async with StreamClient.open(address, path, NDJSON, token) as refused:
                    assert (refused.status, await refused.problem()) == (403, "series_running")


async def _all(stream: StreamClient) -> list[Json]:
    return [item async for item in stream.items()]


async def _until_a_draw(stream: StreamClient) -> AsyncIterator[Json]:
    async for item in stream.items():
        yield item
        if draws_in(item):
            return


@pytest.mark.parametrize("ruleset", [name for name in SHIPPED if 4 in seats_of(name)])
async def test_every_game_can_be_played_as_a_series(table: Table, ruleset: str) -> None:
    guests = await come(table, *"ABCDEFGH")
    series = await opened(guests[0], ruleset=ruleset, setup={"seats": 4})
    for number, each in enumerate(series["tables"]):
        players = guests[4 * number : 4 * number + 4]
        await seat(each["game"], *players)
        assert (await players[0].send(each["game"], {"type": "StartGame"})).status_code == 200
        for player in players[:3]:
            assert (await player.send(each["game"], RESIGN)).status_code == 200
    over = (await table.client.get(f"/v1/series/{series['series']}")).json()
    assert over["status"] == "finished"
    assert {score["comparisons"] for score in over["scores"]} == {1}
    assert all(score["points"] == 0.5 for score in over["scores"])
    assert {score["player"] for score in over["scores"]} == {guest.player for guest in guests}
    for each in over["tables"]:
        record = read((await table.client.get(f"/v1/games/{each['game']}/file")).content.splitlines(keepends=True))
        proof = verify(record.events, record.file.seed)
        assert (proof.fault, proof.seed_revealed) == (None, True)

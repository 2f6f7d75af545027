"""Sealed orders: every address of a game by post, for every reader, before the round is refereed and at the end."""

from hashlib import sha256
from itertools import product
from uuid import UUID

import msgspec
import pytest
from structlog.testing import capture_logs

from mcmulti.api.streams.game import EventRange, batches
from mcmulti.api.telling.wire import Events
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.postal.state import PostalSetup
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.envelope import Recorded, broken_link
from mcmulti.events.log.item import EventItem, open_data, recorded
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.proof.proof import verify
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Ruling
from tests.api.guests import Table, problem
from tests.api.readings import PATHS, moments, read, readings
from tests.api.readings import SEATED as FOR_PLAYERS
from tests.api.sealed_game import OTHER, PRICE, READERS, SEATED, SECRET, SealedGame, is_sealed, stand_still, submit
from tests.golden.forging import chain_hash

OWN = {"", "/events", "/file", "/replay"}
"""Where the sender of a sheet reads it before the round is refereed: the view, and wherever there are events."""


@pytest.fixture
async def sealed(table: Table) -> SealedGame:
    return await SealedGame.open(table)


async def _log(sealed: SealedGame, reader: str) -> Events:
    """The whole log as a reader gets it in JSON."""
    status, content = await read(sealed.table, f"{sealed.address}/events?limit=1000", "application/json", reader)
    assert status == 200
    return msgspec.json.decode(content, type=Events)


async def test_a_sealed_sheet_is_in_no_answer_that_others_get(sealed: SealedGame) -> None:
    """Neither now nor in a view of the past, in any media type; Ada finds it wherever there are events."""
    seq = await sealed.seq()
    found: set[str] = set()
    read_at_all = 0
    for (path, media_type), reader in product(readings(), READERS):
        own = path.removeprefix("/v1/games/{game}")
        past = [f"?at={at}" for at in sealed.sheets] if "?at" in "".join(moments(path, seq)) else []
        for query in (*moments(path, seq), *past):
            status, content = await read(sealed.table, path.replace("{game}", sealed.game) + query, media_type, reader)
            where = (path, query, media_type, reader)
            if path in FOR_PLAYERS and reader not in SEATED:
                assert status in (401, 403), where
            elif status != 200:
                code = "unfinished" if own == "/review" else "open_round"
                assert (status, msgspec.json.decode(content)["code"]) == (409, code), where
            if reader != "Ada":
                assert not sealed.tells(content), where
            elif sealed.tells(content):
                found.add(own)
            read_at_all += 1
    assert found == OWN
    assert read_at_all > len(READERS) * 20


async def test_all_is_open_once_the_game_is_over(sealed: SealedGame) -> None:
    """All readers get the same events, with Ada's sheet and salt in them, and every other address is read by all."""
    await sealed.referee()
    await stand_still(sealed.table, sealed.game)
    last = await sealed.seq()
    logs = [await _log(sealed, reader) for reader in READERS]
    assert not any(is_sealed(item) for log in logs for item in log.events)
    assert len({msgspec.json.encode(log) for log in logs}) == 1
    for reader, path in product(READERS, ("/events?limit=1000", "/file", "/replay?limit=1000")):
        media_type = "application/x-ndjson" if path == "/file" else "application/json"
        status, content = await read(sealed.table, sealed.address + path, media_type, reader)
        assert status == 200
        assert sealed.tells(content)
        assert all(salt.encode() in content for salt in sealed.salts)
    for (path, media_type), reader in product(readings(), READERS):
        if path not in FOR_PLAYERS:
            status, content = await read(
                sealed.table,
                # After the end, there is no position to play on from, only before.
                path.replace("{game}", sealed.game) + moments(path, last)[-1 if path.endswith("/position") else 0],
                media_type,
                reader,
            )
            assert status == 200, (path, media_type, reader, content)


async def test_the_chain_verifies_for_every_reader_from_the_json_alone(sealed: SealedGame) -> None:
    """Sealed or not, every hash follows from the item; and all readers reach the same head."""
    first, second = sealed.sheets
    heads = set()
    for reader in READERS:
        log = await _log(sealed, reader)
        events = [recorded(log.game, item) for item in log.events]
        assert broken_link(events) is None
        assert all(event.hash == chain_hash(event) for event in events)
        heads.add((events[-1].seq, events[-1].hash, log.seq, log.hash))
        hidden = [item.seq for item in log.events if is_sealed(item)]
        own = {"Ada": {first, second}, "Ben": {second + 1}, "Cleo": {second + 2}}.get(reader, set())
        assert hidden == sorted({first, second, second + 1, second + 2} - own)
        proof = verify(events)
        assert (proof.fault, proof.sealed, proof.seq) == (None, hidden[0], log.seq)
    assert len(heads) == 1


async def test_the_hash_of_a_sealed_sheet_is_that_of_what_is_opened_later(sealed: SealedGame) -> None:
    """Nobody can replace the sheet: the digest that others saw is that of the opened event's bytes."""
    before = {item.seq: item for item in (await _log(sealed, "nobody")).events}
    await sealed.referee()
    await stand_still(sealed.table, sealed.game)
    for item in (await _log(sealed, "nobody")).events:
        if item.seq in sealed.sheets:
            seen = before[item.seq]
            assert seen.payload == sha256(b"\n".join((open_data(item), _command(item)))).hexdigest()
            assert seen.hash == item.hash
            assert (seen.type, seen.actor, seen.recorded_at) == (item.type, 0, item.recorded_at)


def _command(item: EventItem) -> bytes:
    return recorded(UUID(int=0), item).command or b""


async def test_the_same_sheet_twice_has_two_digests(sealed: SealedGame) -> None:
    """Because of the salt: otherwise a sheet could be guessed, or recognized from the round before."""
    digests = {item.payload for item in (await _log(sealed, "nobody")).events if is_sealed(item)}
    assert len(digests) == 4


async def test_a_trial_opens_no_sheet(sealed: SealedGame) -> None:
    """Neither by what would complete the round, nor by what would end the hold, nor by closing it."""
    ben, cleo, dan = sealed.table.guests[1:4]
    before = await sealed.seq()
    release = {"type": "HoldRound", "round": 1, "hold": False}
    held = await dan.send(sealed.game, submit(OTHER), dry_run=True)
    assert [event["type"] for event in held.json()["events"]] == ["OrdersSubmitted"]
    assert held.json()["events"][0]["data"]["salt"] == "0" * 32
    tried = [held, await cleo.send(sealed.game, release, dry_run=True)]
    assert (await cleo.send(sealed.game, release)).status_code == 200
    completing = await dan.send(sealed.game, submit(OTHER), dry_run=True)
    assert (completing.json()["events"], completing.json()["undecided"]) == ([], 0)
    hold = {"type": "HoldRound", "round": 1, "hold": True}
    tried += [completing, await dan.send(sealed.game, hold, submit(OTHER), dry_run=True)]
    assert (await dan.send(sealed.game, hold, submit(OTHER))).status_code == 200
    releasing = await dan.send(sealed.game, release, dry_run=True)
    assert (releasing.json()["events"], releasing.json()["undecided"]) == ([], 0)
    tried.append(releasing)
    for number, dry_run in product((0, 1, 2), (True, False)):
        closed = await ben.send(sealed.game, {"type": "CloseRound", "round": number}, dry_run=dry_run)
        problem(closed, 400, "invalid_body")
        tried.append(closed)
    assert not any(sealed.tells(answered.content) for answered in tried)
    assert await sealed.seq() == before + 3
    assert (await sealed.table.client.get(sealed.address)).json()["view"]["round"] == 1


async def test_answers_to_commands_say_nothing_of_what_others_sealed(sealed: SealedGame) -> None:
    """Nor do refusals, nor responses that are repeated with an idempotency key, which is each player's own."""
    ada, ben, cleo, dan, eve = sealed.table.guests[:5]
    own = await ada.send(sealed.game, submit(SECRET), Idempotency_Key="sheet")
    assert own.headers["idempotent-replayed"] == "true"
    assert sealed.tells(own.content)
    answers = [
        await ben.send(sealed.game, submit(OTHER), Idempotency_Key="sheet"),
        await ben.send(sealed.game, submit(SECRET | {"trades": []}), Idempotency_Key="sheet"),
        await dan.send(sealed.game, submit(OTHER), Idempotency_Key="sheet"),
        await cleo.send(sealed.game, {"type": "HoldRound", "round": 1, "hold": True}),
        await dan.send(sealed.game, {"type": "StartGame"}),
        await eve.send(sealed.game, submit(OTHER)),
        await eve.post(f"{sealed.address}/seats", json={}),
        await ben.post(f"{sealed.address}/forecast", json=OTHER),
        await eve.post(f"{sealed.address}/forecast", json=OTHER),
    ]
    assert [answered.status_code for answered in answers] == [200, 422, 200, 409, 409, 403, 409, 200, 403]
    assert not any(sealed.tells(answered.content) for answered in answers)
    assert (await cleo.send(sealed.game, {"type": "HoldRound", "round": 1, "hold": False})).status_code == 200
    again = await ada.send(sealed.game, submit(SECRET), Idempotency_Key="sheet")
    assert again.content == own.content


async def test_the_view_of_the_past_stays_what_it_was(sealed: SealedGame) -> None:
    """When all is open, Ben's view of the moment before the round is the same to the byte, and Ada's has her sheet."""
    address = f"{sealed.address}?at={sealed.sheets[1]}"
    before = {reader: await read(sealed.table, address, "application/json", reader) for reader in READERS}
    await sealed.referee()
    await stand_still(sealed.table, sealed.game)
    for reader in READERS:
        after = await read(sealed.table, address, "application/json", reader)
        assert after == before[reader]
        sheet = msgspec.json.decode(after[1])["view"]["sheet"]
        assert sheet == (SECRET if reader == "Ada" else None)


async def test_the_operators_log_says_nothing_of_what_is_sealed(sealed: SealedGame) -> None:
    with capture_logs() as logged:
        await sealed.table.guests[0].send(sealed.game, submit(SECRET))
        await sealed.table.guests[0].send(sealed.game, submit(SECRET), dry_run=True)
        await sealed.table.guests[0].send(sealed.game, submit(SECRET), submit({"orders": [{"type": "CashIs"}]}))
        await read(sealed.table, f"{sealed.address}/events", "application/json", "Ada")
    said = sealed.logged + repr(logged)
    assert said.count("'events': ") == 5
    assert not sealed.tells(said)


async def test_a_price_like_the_secret_one_is_found_where_it_is(sealed: SealedGame) -> None:
    """To show that the tests above could find it, in whatever notation."""
    assert sealed.tells(msgspec.json.encode(SECRET))
    assert sealed.tells(f"sell at not less than {PRICE}")
    assert not sealed.tells(f"0.{PRICE}Z a{PRICE}b")
    assert all(path in {key.removeprefix("/v1/games/{game}") for key in PATHS} for path in OWN)


async def test_a_stream_does_not_run_ahead_of_what_the_server_knows() -> None:
    """Another server referees the round and accepts a sheet for the next one, while a stream reads old events here.

    This server's state of the game does not include that sheet yet: it must not be sent unsealed.
    """
    log = MemoryLog()
    here, there = Referee(log), Referee(log)
    players = [Player(UUID(int=number + 1), name) for number, name in enumerate(SEATED)]
    ruleset = CURRENT["postal"]
    game = (await there.open(ruleset, PostalSetup())).position.game_id
    for player in players:
        await there.command(game, player, [TakeSeat(str(player.player_id))])
    await there.command(game, players[0], [StartGame()])
    seen: list[Recorded] = []
    reading = batches(here, game, players[1], EventRange(0, 10_000, 10_000), 5, page=3)
    seen += (await anext(reading)).events
    for player in players:
        await there.command(game, player, [SubmitOrders(1, OrderSheet())])
    sent = await there.command(game, players[0], [SubmitOrders(2, OrderSheet())])
    assert isinstance(sent, Ruling)
    last = sent.position.head.seq
    async for _, events in reading:
        seen += events
        if seen[-1].seq == last:
            break
    await reading.aclose()
    assert [event.seq for event in seen] == list(range(1, last + 1))
    assert (seen[-1].type, seen[-1].data, seen[-1].payload is None) == ("OrdersSubmitted", b"", False)
    assert broken_link(seen) is None

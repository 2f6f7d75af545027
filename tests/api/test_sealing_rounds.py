"""What a refereed round opens: a malicious reader looks for the rest, wherever a game can be read."""

import re
from hashlib import sha256
from itertools import product
from uuid import UUID

import msgspec
import pytest

from mcmulti.api.telling.wire import Events
from mcmulti.events.log.envelope import broken_link
from mcmulti.events.log.item import recorded
from mcmulti.projections.proof.proof import verify
from tests.api.guests import Json, Table
from tests.api.readings import SEATED as FOR_PLAYERS
from tests.api.readings import moments, read, readings
from tests.api.sealed_game import READERS, SEATED, is_sealed, stand_still, submit

REPLACED, WITHDRAWN, BRANCH, CONDITION, PUMPS, WAITING = 971, 972, 973, 974, 976, 978
"""Prices in a replaced draft, a withdrawn sheet, a branch not taken, a condition in it, orders for pumps that were not
hit, and a sheet for the waiting round.
"""
REACHED = 975
"""In a line that was reached."""
NOT_TOLD = {REPLACED, WITHDRAWN, BRANCH, CONDITION, PUMPS, WAITING}
FOUND = re.compile(rb"(?<![0-9A-Za-z.])(97[1-8])(?![0-9A-LN-Za-z])")
"""They must not match inside a hash, or the fraction of a second; letters have them as in $975M."""


def sale(price: int) -> Json:
    return {"type": "SellBarrelsOrder", "market": "foreign", "good": "crude", "quantity": 1, "not_below": price}


def asking(price: int, then: list[Json], otherwise: list[Json]) -> Json:
    condition = {"type": "PriceIs", "deal": "sell", "market": "foreign", "good": "crude", "at_least": price}
    return {"type": "IfTrade", "condition": condition, "then": then, "else": otherwise}


OF_ADA = {
    "trades": [asking(1, [sale(REACHED)], [sale(BRANCH), asking(CONDITION, [], [])])],
    "pumps": {"type": "SellAtPumps", "not_below": PUMPS},
}


def found(content: bytes) -> set[int]:
    """Which of the prices are in the content."""
    return set(map(int, FOUND.findall(content)))


@pytest.fixture(scope="module")
async def going_on(module_table: Table) -> str:
    """The game in which nobody does anything more."""
    return await _opened(module_table)


async def _opened(table: Table) -> str:
    """Ada sent two sheets, Ben took one back, the round was refereed; in the next one Ada has sent a sheet."""
    game = await table.start(4, ruleset="postal")
    await table.guest("Eve")
    ada, ben, cleo, dan = table.guests[:4]
    for guest, sheet in ((ada, {"trades": [sale(REPLACED)]}), (ada, OF_ADA), (ben, {"trades": [sale(WITHDRAWN)]})):
        assert (await guest.send(game, submit(sheet))).status_code == 200
    assert (await ben.send(game, {"type": "WithdrawOrders", "round": 1})).status_code == 200
    for guest in (ben, cleo):
        assert (await guest.send(game, submit({}))).status_code == 200
    done = await dan.send(game, submit({}))
    assert found(done.content) == {REACHED}
    assert (await ada.send(game, submit({"trades": [sale(WAITING)]}, 2))).status_code == 200
    return game


async def log_of(table: Table, game: str, reader: str) -> Events:
    """The whole log as a reader gets it."""
    status, content = await read(table, f"/v1/games/{game}/events?limit=1000", "application/json", reader)
    assert status == 200
    return msgspec.json.decode(content, type=Events)


@pytest.mark.parametrize(("path", "media_type"), list(readings()))
async def test_nothing_but_what_was_reached_is_read_while_the_game_goes_on(
    module_table: Table, going_on: str, path: str, media_type: str
) -> None:
    """In any response, of any moment. The sender of a sheet finds it."""
    table, game = module_table, going_on
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    queries = moments(path, seq)
    if len(queries) > 1:
        queries += [f"?at={at}" for at in range(7, seq)]
    images: dict[str, bytes] = {}
    for reader, query in product(READERS, queries):
        status, content = await read(table, path.replace("{game}", game) + query, media_type, reader)
        if path in FOR_PLAYERS and reader not in SEATED:
            assert status in (401, 403)
            continue
        if path.endswith("/review"):
            assert (status, msgspec.json.decode(content)["code"], found(content)) == (409, "unfinished", set())
            continue
        assert status == 200, (query, reader, content)
        if media_type == "image/png":  # compressed bytes may look like any number, but all see the same board
            assert content == images.setdefault(query, content), (query, reader)
            continue
        own = {"Ada": NOT_TOLD - {WITHDRAWN}, "Ben": {WITHDRAWN}}.get(reader, set())
        assert found(content) <= {REACHED} | own, (query, reader)
        if path.endswith(("/events", "/file", "/replay")):
            assert found(content) == {REACHED} | own, (query, reader)
        if path.endswith("/rounds/1"):
            assert found(content) == {REACHED}


async def test_trials_and_forecasts_tell_nothing_of_it_either(module_table: Table, going_on: str) -> None:
    table, game = module_table, going_on
    _, ben, cleo, _ = table.guests[:4]
    answers = [
        await ben.send(game, submit({}, 2), dry_run=True),
        await ben.send(game, {"type": "WithdrawOrders", "round": 2}),
        await cleo.send(game, submit({}, 1)),
        await cleo.post(f"/v1/games/{game}/forecast", json={}),
        await cleo.get(f"/v1/games/{game}/offers"),
    ]
    assert [answered.status_code for answered in answers] == [200, 409, 409, 200, 200]
    assert not any(found(answered.content) for answered in answers)


async def test_when_the_game_is_over_everybody_reads_everything_and_the_digests_fit(table: Table) -> None:
    game = await _opened(table)
    before = {reader: await log_of(table, game, reader) for reader in READERS}
    _, ben, cleo, dan = table.guests[:4]
    for guest in (ben, cleo, dan):
        assert (await guest.send(game, submit({}, 2))).status_code == 200
    await stand_still(table, game)
    logs = {reader: await log_of(table, game, reader) for reader in READERS}
    assert len({msgspec.json.encode(log) for log in logs.values()}) == 1
    log = logs["nobody"]
    assert found(msgspec.json.encode(log)) == NOT_TOLD | {REACHED}
    events = [recorded(log.game, item) for item in log.events]
    assert verify(events).fault is None
    assert verify(events).seed_revealed
    for reader, earlier in before.items():
        hidden = [item for item in earlier.events if is_sealed(item)]
        assert {item.type for item in hidden} == {"OrdersSubmitted"}
        assert len(hidden) == {"Ada": 4, "Ben": 5, "Cleo": 6, "Dan": 6}.get(reader, 7)
        for item in hidden:
            opened = events[item.seq - 1]
            assert item.payload == sha256(b"%b\n%b" % (opened.data, opened.command or b"")).hexdigest()
            assert item.hash == opened.hash.hex()


async def test_the_log_of_a_game_that_goes_on_is_one_chain_and_sound_so_far(module_table: Table, going_on: str) -> None:
    for reader in READERS:
        log = await log_of(module_table, going_on, reader)
        events = [recorded(UUID(going_on), item) for item in log.events]
        assert broken_link(events) is None
        proof = verify(events)
        first = next(item.seq for item in log.events if is_sealed(item))
        assert (proof.fault, proof.sealed, proof.seq) == (None, first, log.seq)

"""A sequence of keys: introducing a new one, revoking an old one, and the trust in each."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg
import pytest

from mcmulti.events.log.envelope import Head
from mcmulti.events.log.signing import (
    LAG,
    KeyStatement,
    Revocation,
    SigningKey,
    distrust,
    key_id,
    revocation,
    succession,
)
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.stores.keys import KeyRefused, revoke, rotate
from tests.events.logins import login

FIRST, SECOND, THIRD, THIEF = (bytes([n]) * 32 for n in range(1, 5))
GAME, HEAD = UUID(int=24), Head(950, b"\xab" * 32)
START = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


async def signer(database: str) -> SigningKey:
    async with PostgresLog.open(database, pool_size=1) as log:
        return await log.signer(FIRST)


async def test_a_new_key_signs_and_of_the_old_one_only_the_public_part_is_left(database: str) -> None:
    before = await signer(database)
    assert [each.public for each in before.statements] == [SigningKey(FIRST).public]
    now = await rotate(database, SECOND)
    assert (now.public, now.seed) == (SigningKey(SECOND).public, SECOND)
    assert [each.public for each in now.statements] == [before.public, now.public]
    found = await signer(database)
    assert (found.public, found.statements) == (now.public, now.statements)
    with psycopg.connect(database, autocommit=True) as owner:
        assert owner.execute("SELECT seed FROM signing_key ORDER BY number").fetchall() == [(None,), (SECOND,)]
        owner.execute("CHECKPOINT")
        in_file = "SELECT position(%s::bytea IN pg_read_binary_file(pg_relation_filepath('signing_key'))) > 0"
        assert [owner.execute(in_file, [seed]).fetchone() for seed in (FIRST, SECOND)] == [(False,), (True,)]


async def test_who_knows_one_key_trusts_those_before_and_after_it(database: str) -> None:
    await signer(database)
    await rotate(database, SECOND)
    now = await rotate(database, THIRD)
    ids = [each.public for each in now.statements]
    for asked in (*ids, *map(key_id, ids)):
        assert distrust(now.statements, now.public, asked, now.statements[-1].since + DAY) is None
        assert distrust(now.statements, ids[0], asked, now.statements[0].since) is None
    assert distrust(now.statements, now.public, SigningKey(THIEF).public, START) is not None
    assert distrust(now.statements, SigningKey(THIEF).public, ids[0], START) is not None
    assert distrust((), now.public, ids[0], START) is not None


async def test_of_two_who_take_a_new_key_at_once_one_is_refused_or_comes_after(database: str) -> None:
    await signer(database)
    done = await asyncio.gather(rotate(database, SECOND), rotate(database, THIRD), return_exceptions=True)
    now = await signer(database)
    taken = [each for each in done if isinstance(each, SigningKey)]
    assert len(taken) == len(now.statements) - 1 >= 1
    assert all(isinstance(each, SigningKey | KeyRefused) for each in done), done
    assert distrust(now.statements, now.public, SigningKey(FIRST).public, now.statements[-1].since) is None


async def test_a_revoked_key_signs_nothing_from_then_on_and_passes_nothing_on(database: str) -> None:
    first = await signer(database)
    with pytest.raises(KeyRefused, match="signs: take a new one first"):
        await revoke(database, first.id, START)
    with pytest.raises(KeyRefused, match="there is no key 00"):
        await revoke(database, "00", START)
    second = await rotate(database, SECOND)
    now = await revoke(database, first.id, START)
    assert distrust(now.statements, first.public, None, START - DAY) is None
    assert distrust(now.statements, first.public, None, START) == "its key is revoked since 2026-01-01T00:00:00Z"
    wanted = f"key {first.id} was revoked before another followed on it"
    assert distrust(now.statements, second.public, first.public, START) == wanted
    assert distrust(now.statements, second.public, second.id, START) is None
    third = await rotate(database, THIRD)
    assert distrust(third.statements, first.public, third.id, START) is not None


async def test_a_database_without_a_key(database: str) -> None:
    with pytest.raises(KeyRefused, match="there is no key yet"):
        await rotate(database, SECOND)
    assert (await signer(database)).seed == FIRST


async def test_a_key_follows_on_the_one_before_though_the_clock_went_back(database: str) -> None:
    await signer(database)
    with psycopg.connect(database) as owner:
        owner.execute("UPDATE signing_key SET created_at = now() + interval '1 day'")
    first, second = (await rotate(database, SECOND)).statements
    assert second.since - first.since == timedelta(seconds=1)


async def test_a_server_cannot_take_a_new_key(database: str) -> None:
    await signer(database)
    with (
        login(database, "IN ROLE mcmulti_server") as restricted,
        pytest.raises(KeyRefused, match="let the owner of the tables do this"),
    ):
        await rotate(restricted, SECOND)
    assert (await signer(database)).seed == FIRST


def test_a_head_that_the_old_key_signed_after_the_new_one_is_not_believed() -> None:
    old, new = SigningKey(FIRST), SigningKey(SECOND)
    found = (KeyStatement(old.public, START), followed(old, new, START + DAY))
    assert distrust(found, old.public, new.id, START + DAY + LAG) is None
    late = distrust(found, old.public, new.id, START + DAY + LAG + timedelta(seconds=1))
    assert late == "another key followed on its key on 2026-01-02T00:00:00Z, before what it signed"


def followed(before: SigningKey, key: SigningKey, since: datetime) -> KeyStatement:
    said = succession(before.public, key.public, since)
    return KeyStatement(key.public, since, before.sign_bytes(said), key.sign_bytes(said))


def test_what_a_thief_makes_up_is_not_believed() -> None:
    old, new, thief = SigningKey(FIRST), SigningKey(SECOND), SigningKey(THIEF)
    said = succession(old.public, thief.public, START + DAY)
    for endorsed, accepted in ((thief, thief), (old, old), (thief, old)):
        forged = KeyStatement(thief.public, START + DAY, endorsed.sign_bytes(said), accepted.sign_bytes(said))
        found = (KeyStatement(old.public, START), forged)
        wanted = f"that key {thief.id} followed on key {old.id} is not signed by both"
        assert distrust(found, thief.public, old.public, START + DAY) == wanted
        assert distrust(found, old.public, thief.public, START + DAY) == wanted
    # A time that differs from the signed one, and a revocation by a key that is not a successor.
    moved = followed(old, new, START + DAY)
    for statement in (
        KeyStatement(new.public, START, moved.endorsed, moved.accepted),
        KeyStatement(new.public, moved.since, moved.endorsed, None),
    ):
        assert distrust((KeyStatement(old.public, START), statement), new.public, old.id, START) is not None
    by_thief = Revocation(START, thief.public, thief.sign_bytes(revocation(old.public, START)))
    revoked = KeyStatement(old.public, START, None, None, by_thief)
    assert distrust((revoked, moved), old.public, new.id, START + DAY) is None

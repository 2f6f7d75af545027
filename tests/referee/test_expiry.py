"""Receipts expire some time after the end of a game, and still no request is carried out twice; so do messages and
tokens."""

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import EndPurchases
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.ports.accounts import Player, Token, first_token
from mcmulti.events.ports.chat import ROOMS, ChatBounds, ChatMessage
from mcmulti.events.ports.event_store import signed
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store import expiry
from mcmulti.events.store.expiry import ReceiptExpiry, forget_chat, forget_tokens
from mcmulti.events.store.standing import retraced
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Idempotency, Refused
from tests.golden.games import FILES, load, seed_of

ADA, BEN = (Player(UUID(int=number), name) for number, name in ((1, "Ada"), (2, "Ben")))
KEYED = Idempotency("a key", bytes(32))
OVER = [load(next(file for file in FILES if file.stem == name)) for name in ("two-players", "four-players")]
PLAYER = Player(UUID(int=7), "Cleo")


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    """Two games that ended long ago, with a receipt of Cleo's for their events up to 30."""
    async with PostgresLog.open(database) as log:
        key = await log.digest_key()
        for events in OVER:
            game = events[0].game_id
            await log.create(game, RULESET.name, RULESET.version, retraced(RULESET, events), seed_of(events), events)
            kept = signed(key, game, PLAYER.player_id, *KEYED, 29, 30)
            with psycopg.connect(database) as owner:
                columns = "game_id, player_id, key, request_hash, after_seq, seq, digest"
                query = f"INSERT INTO receipt ({columns}) VALUES (%s, %s, %s, %s, %s, %s, %s)"
                owner.execute(query.encode(), (game, *kept))
        yield log


async def since(log: PostgresLog) -> timedelta:
    """The time since the later game ended."""
    return await log.now() - max(events[-1].recorded_at for events in OVER)


async def test_a_request_is_answered_again_until_its_receipt_expires_and_then_refused(log: PostgresLog) -> None:
    referee, game = Referee(log), OVER[0][0].game_id
    head = (await log.game(game)).head
    await ReceiptExpiry(log, await log.now() - OVER[0][0].recorded_at + timedelta(days=3650)).step()
    again = await referee.command(game, PLAYER, [EndPurchases()], None, KEYED)
    assert (again.repeated, [event.seq for event in again.events]) == (True, [30])
    await ReceiptExpiry(log, await since(log) - timedelta(hours=1)).step()
    with pytest.raises(Refused):
        await referee.command(game, PLAYER, [EndPurchases()], None, KEYED)
    assert (await log.game(game)).head == head


async def test_a_game_that_goes_on_keeps_its_receipts_however_old_they_are(log: PostgresLog, database: str) -> None:
    """Ada ends her purchases.

    The same request a year later ends neither her purchases again nor anything of Ben's turn.
    """
    referee = Referee(log)
    game = (await referee.open(RULESET, Setup(seats=2, first_seat=0))).position.game_id
    for player in (ADA, BEN):
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    await referee.command(game, ADA, [StartGame()])
    first = await referee.command(game, ADA, [EndPurchases()], None, KEYED)
    with psycopg.connect(database) as owner:
        owner.execute("UPDATE receipt SET created_at = now() - interval '1 year'")
    assert await ReceiptExpiry(log, timedelta()).step() == len(OVER)
    again = await Referee(log).command(game, ADA, [EndPurchases()], None, KEYED)
    assert (again.repeated, again.events, again.position.head) == (True, first.events, first.position.head)


async def test_a_look_goes_no_further_than_some_games(log: PostgresLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry, "AT_ONCE", 1)
    ended = sorted(OVER, key=lambda events: events[-1].recorded_at)
    looks = ReceiptExpiry(log, timedelta())
    for left in (1, 0):
        assert await looks.step() == 1
        kept = [await log.receipt(events[0].game_id, PLAYER.player_id, KEYED.key) for events in ended]
        assert [receipt is None for receipt in kept] == [True, left == 0]
    assert await looks.step() == 0


async def test_what_was_said_expires_days_after_it_was_said(log: PostgresLog) -> None:
    game, now = OVER[0][0].game_id, await log.now()
    bounds = ChatBounds(10, timedelta(minutes=1), 10)
    days = [31, 29]
    for ago in days:
        said = ChatMessage(game, "players", ADA.player_id, now - timedelta(days=ago), str(ago))
        await log.say(said, bounds)
    assert [await forget_chat(log, lambda: now, timedelta(days=30)) for _ in range(2)] == [1, 0]
    assert [each.text for each in await log.chat(game, ROOMS, 0, 9)] == ["29"]


async def test_tokens_are_deleted_thirty_days_after_they_were_revoked_or_expired(
    log: PostgresLog, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two that were revoked and two that expired, 31 and 29 days ago, and one that is valid, two go; with a
    thousand others, in steps."""
    monkeypatch.setattr(expiry, "TOKENS_AT_ONCE", 100)
    now, ann = await log.now(), Player(uuid4(), "Ann")
    long_ago = now - timedelta(days=365)
    await log.add_player(ann, first_token(long_ago), b"a" * 32)
    spare = Token(uuid4(), "spare", ("read",), long_ago)
    old, recent = (now - timedelta(days=ago) for ago in (31, 29))
    made = [spare._replace(token_id=uuid4(), expires_at=at) for at in (None, None, old, recent, None)]
    for number, token in enumerate(made):
        await log.add_token(ann.player_id, token, bytes([number]) * 32)
    await log.revoke_tokens(ann.player_id, [token.token_id for token in made[:2]])
    with psycopg.connect(database) as owner:
        for token, at in zip(made, (old, recent), strict=False):
            owner.execute("UPDATE token SET revoked_at = %s WHERE id = %s", (at, token.token_id))
        many = "SELECT gen_random_uuid(), player_id, sha256(n::text::bytea), name, scopes, created_at, %s"
        columns = "id, player_id, hash, name, scopes, created_at, revoked_at"
        query = f"INSERT INTO token ({columns}) {many} FROM token, generate_series(1, 1000) AS n WHERE id = %s"
        owner.execute(query.encode(), (old, made[4].token_id))
    assert [await forget_tokens(log, lambda: now) for _ in range(2)] == [1002, 0]
    with psycopg.connect(database) as owner:
        left = {token_id for (token_id,) in owner.execute("SELECT id FROM token WHERE name = 'spare'")}
    assert left == {made[index].token_id for index in (1, 3, 4)}

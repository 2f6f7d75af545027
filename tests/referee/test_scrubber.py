"""The scrubber: what it finds, that it stops only the damaged game, and that a repaired game continues."""

from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import EndPurchases
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.rulesets import BY_VERSION
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import DamagedGame
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.metrics import QUARANTINED_GAMES
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Idempotency
from mcmulti.referee.scrubber import Scrubber
from tests.api.owner import DAMAGES, Owner

ADA, BEN = (Player(UUID(int=number), name) for number, name in ((1, "Ada"), (2, "Ben")))
KEYED = Idempotency("a key", bytes(32))


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    async with PostgresLog.open(database) as log:
        yield log


async def started(referee: Referee) -> UUID:
    game = (await referee.open(RULESET, Setup(seats=2, first_seat=0))).position.game_id
    for player in (ADA, BEN):
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    await referee.command(game, ADA, [StartGame()])
    return game


async def test_a_game_that_is_damaged_while_it_is_played_takes_no_more_commands(
    log: PostgresLog, database: str
) -> None:
    """The server has cached the game, so nobody reads its events.

    The other game goes on. Another server's referee stops, too, when its scrubber reports it. Both continue once the
    row is repaired.
    """
    first, second = Referee(log), Referee(log)
    game, other = await started(first), await started(first)
    scrubbers = [Scrubber(each, log, share=1) for each in (first, second)]
    await second.position(game)
    await scrubbers[0].step()
    change = "UPDATE event SET data = replace(data::text, {}, {})::json WHERE game_id = %(game)s AND seq = 2"
    owner = Owner(database)
    owner.do(change.format("'}'", "' }'"), game=game)
    assert len((await first.command(game, ADA, [EndPurchases()])).events) > 0  # nobody has looked
    assert await scrubbers[0].check(game) == "event 2 was changed: its hash does not match its content"
    with pytest.raises(DamagedGame, match="event 2"):
        await first.command(game, BEN, [EndPurchases()])
    with pytest.raises(DamagedGame, match="event 2"):
        await first.position(game)
    await second.command(game, BEN, [EndPurchases()])
    await scrubbers[1].step()
    with pytest.raises(DamagedGame, match="event 2"):
        await second.command(game, ADA, [EndPurchases()])
    assert QUARANTINED_GAMES._value.get() == 1
    await first.command(other, ADA, [EndPurchases()])
    owner.do(change.format("' }'", "'}'"), game=game)
    for scrubber in scrubbers:
        await scrubber.step()
    await second.command(game, ADA, [EndPurchases()])
    assert QUARANTINED_GAMES._value.get() == 0


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_each_damage_to_rows_of_a_game_is_found(damage: str, log: PostgresLog, database: str) -> None:
    referee = Referee(log)
    game = await started(referee)
    scrubber = Scrubber(referee, log, share=1)
    assert await scrubber.check(game) is None
    Owner(database).do(damage, game=game)
    assert await scrubber.check(game) is not None


async def test_a_log_that_was_cut_behind_its_last_check_is_found(log: PostgresLog, database: str) -> None:
    """The vandal who cut it also set the head back, so that the chain holds together."""
    referee = Referee(log)
    game = await started(referee)
    scrubber, seq = Scrubber(referee, log, share=1), (await referee.position(game)).head.seq
    assert await scrubber.check(game) is None
    Owner(database).take_back(str(game), seq - 2)
    assert await scrubber.check(game) == f"it ends at event {seq - 2}, but was checked up to event {seq}"


async def test_a_log_that_goes_back_while_it_is_checked_is_not_held_to_that_check(
    log: PostgresLog, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a backup is restored under a running server: what it had read earlier does not count as damage."""
    referee = Referee(log)
    game = await started(referee)
    scrubber, seq = Scrubber(referee, log, share=1), (await referee.position(game)).head.seq

    async def goes_back(events: int, seconds: float) -> None:
        Owner(database).take_back(str(game), seq - 2)

    monkeypatch.setattr(scrubber, "_rest", goes_back)
    assert await scrubber.check(game) is None
    monkeypatch.undo()
    assert await scrubber.check(game) is None


async def test_a_game_that_is_deleted_while_it_is_checked_is_no_fault(
    log: PostgresLog, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is left that could be damaged."""
    referee = Referee(log)
    game = await started(referee)
    scrubber = Scrubber(referee, log, share=1)

    async def goes(events: int, seconds: float) -> None:
        Owner(database).drop(str(game))

    monkeypatch.setattr(scrubber, "_rest", goes)
    assert await scrubber.check(game) is None
    assert await log.checked(game) is None


async def test_a_check_that_somebody_changed_is_no_check(log: PostgresLog, database: str) -> None:
    """Its digest does not match, so the game is checked again, and found sound."""
    referee = Referee(log)
    game = await started(referee)
    scrubber, head = Scrubber(referee, log, share=1), (await referee.position(game)).head
    assert await scrubber.check(game) is None
    Owner(database).do("UPDATE checked SET seq = seq + 5, fault = 'nothing' WHERE game_id = %(game)s", game=game)
    await scrubber.step()
    kept = await log.checked(game)
    assert kept is not None
    assert (kept.head, kept.fault) == (head, None)
    assert await referee.position(game) is not None


async def test_a_seed_that_is_not_the_one_that_was_promised_draws_nothing(log: PostgresLog, database: str) -> None:
    game = await started(Referee(log))
    Owner(database).do("UPDATE secret SET seed = sha256(seed) WHERE game_id = %(game)s", game=game)
    fresh = Referee(log)
    with pytest.raises(DamagedGame, match="its seed does not match"):
        await fresh.command(game, ADA, [EndPurchases()])
    assert await Scrubber(fresh, log, share=1).check(game) is not None
    Owner(database).do("DELETE FROM secret WHERE game_id = %(game)s", game=game)
    with pytest.raises(DamagedGame, match="its seed is missing"):
        await Referee(log).command(game, ADA, [EndPurchases()])


async def test_a_receipt_that_was_changed_is_not_believed(log: PostgresLog, database: str) -> None:
    """It leads to events of another request: the player would get the wrong response."""
    referee = Referee(log)
    game = await started(referee)
    await referee.command(game, ADA, [EndPurchases()], idempotency=KEYED)
    assert (await Referee(log).command(game, ADA, [EndPurchases()], idempotency=KEYED)).repeated
    Owner(database).do("UPDATE receipt SET after_seq = after_seq - 1 WHERE game_id = %(game)s", game=game)
    with pytest.raises(DamagedGame, match="receipt"):
        await Referee(log).command(game, ADA, [EndPurchases()], idempotency=KEYED)


async def test_what_is_checked_again_and_again_is_looked_at_once_a_day(log: PostgresLog) -> None:
    """Nothing has happened in the game since, so its check remains valid."""
    referee = Referee(log)
    game = await started(referee)
    scrubber = Scrubber(referee, log, share=1)
    await scrubber.step()
    before = await log.checked(game)
    await scrubber.step()
    assert await log.checked(game) == before
    done = await referee.command(game, ADA, [EndPurchases()])
    await scrubber.step()
    after = await log.checked(game)
    assert after is not None
    assert after.head == Head(done.events[-1].seq, done.events[-1].hash)


async def test_a_game_of_a_later_version_is_left_to_servers_that_know_it(
    log: PostgresLog, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During an upgrade, servers of the version before run beside those of the next one. If a row is damaged as well,
    they report it.
    """
    referee = Referee(log)
    game = await started(referee)
    with monkeypatch.context() as before:
        before.delitem(BY_VERSION, (RULESET.name, RULESET.version))
        assert await Scrubber(Referee(log), log, share=1).check(game) is None
        assert await log.checked(game) is None
        with pytest.raises(DamagedGame, match=f"there is no version {RULESET.version} of rule set"):
            await Referee(log).position(game)
        Owner(database).do("UPDATE event SET rule = 'x' WHERE game_id = %(game)s AND seq = 1", game=game)
        assert await Scrubber(Referee(log), log, share=1).check(game) is not None

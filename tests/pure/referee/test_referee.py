"""The referee: two of them on one log, stale caches, and what the log proves afterward."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import Struct

from mcmulti.domain.core.commands import LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import (
    BuyAsset,
    EndPurchases,
    EndTurn,
    RollDice,
    SellBarrels,
    SellGasoline,
    StrikeOil,
)
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.oil.names import Site
from mcmulti.events.log.codec import fold
from mcmulti.events.log.envelope import broken_link
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import LogUnavailable, UnknownGame
from mcmulti.projections.proof.proof import verify
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Idempotency, KeyReused, Refused, Ruling, Stale, UnknownMoment

ADA = Player(uuid4(), "Ada")
BEN = Player(uuid4(), "Ben")
RIG = BuyAsset("rig", Site(0, 1, 1))


async def seated(referee: Referee, **setup: object) -> UUID:
    """A table for two with Ada and Ben; Ada begins."""
    opened = await referee.open(RULESET, Setup(seats=2, first_seat=0, **setup))  # type: ignore[arg-type]
    game = opened.position.game_id
    for player in (ADA, BEN):
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    return game


async def started(referee: Referee) -> UUID:
    """A game of Ada and Ben in the special purchase round."""
    game = await seated(referee)
    await referee.command(game, ADA, [StartGame()])
    return game


async def test_a_command_on_a_stale_cache_is_decided_again_on_the_new_head() -> None:
    """The second referee saw the game before the first one sold Ada's rig its site. The conflict tells it."""
    log = MemoryLog()
    first, second = Referee(log), Referee(log)
    game = await started(first)
    await second.position(game)
    await first.command(game, ADA, [RIG])
    done = await second.command(game, ADA, [BuyAsset("rig", Site(0, 2, 2))])
    assert isinstance(done, Ruling)
    assert done.position.state.quadrants[0].rigs.bit_count() == 2
    assert broken_link(await log.read(game)) is None


async def test_a_refusal_on_a_stale_cache_is_looked_at_again() -> None:
    """In the second referee's cache, it is still the purchase round. In the log, Ada's dice may be rolled."""
    log = MemoryLog()
    first, second = Referee(log), Referee(log)
    game = await started(first)
    await second.position(game)
    for player in (ADA, BEN, ADA, BEN):
        await first.command(game, player, [EndPurchases()])
    done = await second.command(game, ADA, [RollDice()])
    assert isinstance(done, Ruling)
    assert done.events[0].type == "DiceRolled"


async def test_with_if_match_a_stale_command_is_not_decided_again() -> None:
    log = MemoryLog()
    first, second = Referee(log), Referee(log)
    game = await started(first)
    seen = (await second.position(game)).head
    moved = await first.command(game, ADA, [RIG])
    assert isinstance(moved, Ruling)
    with pytest.raises(Stale) as stale:
        await second.command(game, ADA, [EndPurchases()], if_match=[seen])
    assert stale.value.head == moved.position.head
    assert (await second.position(game)).head == moved.position.head


async def test_two_referees_racing_lose_nothing_and_double_nothing() -> None:
    """Each sells Ada's two barrels, ten times. They can be sold only once."""
    log = MemoryLog()
    referees = [Referee(log), Referee(log)]
    game = await started(referees[0])
    for player in (ADA, BEN, ADA, BEN):
        await referees[0].command(game, player, [EndPurchases()])
    sale = SellBarrels("domestic", "crude", 2)
    done = await asyncio.gather(
        *(referees[number % 2].command(game, ADA, [sale]) for number in range(20)), return_exceptions=True
    )
    assert sum(isinstance(one, Ruling) for one in done) == 1
    assert all(isinstance(one, Ruling | Refused) for one in done)
    state = fold(RULESET, await log.read(game))
    assert (state.players[0].crude, state.players[0].cash) == (0, 300 + 5 + 4)


async def test_all_commands_of_a_request_or_none() -> None:
    referee = Referee(MemoryLog())
    game = await started(referee)
    before = await referee.position(game)
    with pytest.raises(Refused) as refused:
        await referee.command(game, ADA, [RIG, RIG])
    assert (refused.value.index, refused.value.rejection.code) == (1, "site")
    assert await referee.position(game) == before


async def test_a_trial_ends_where_dice_are_needed_and_leaves_no_trace() -> None:
    referee = Referee(MemoryLog())
    game = await started(referee)
    for player in (ADA, BEN, ADA, BEN):
        await referee.command(game, player, [EndPurchases()])
    before = await referee.position(game)
    tried = await referee.dry_run(game, ADA, [SellBarrels("domestic", "crude", 1), RollDice()])
    assert tried.undecided == 1
    assert [event.type for event in tried.events] == ["BarrelsSold"]
    assert await referee.position(game) == before


async def test_a_table_where_somebody_left_can_be_proven_too() -> None:
    """Nobody knows the seed yet, so this proves the chain, the fold, and the books."""
    log = MemoryLog()
    referee = Referee(log)
    game = await seated(referee)
    await referee.command(game, BEN, [LeaveSeat()])
    cleo = Player(uuid4(), "Cleo")
    await referee.command(game, cleo, [TakeSeat(str(cleo.player_id))])
    await referee.command(game, cleo, [StartGame()])
    proof = verify(await log.read(game))
    assert (proof.fault, proof.seed_revealed) == (None, False)


async def test_somebody_who_sits_cannot_sit_down_again() -> None:
    referee = Referee(MemoryLog())
    opened = await referee.open(RULESET, Setup(seats=3))
    game = opened.position.game_id
    await referee.command(game, ADA, [TakeSeat(str(ADA.player_id))])
    with pytest.raises(Refused) as refused:
        await referee.command(game, ADA, [TakeSeat(str(ADA.player_id))])
    assert refused.value.rejection.code == "already_seated"


async def test_games_and_moments_that_are_not_there() -> None:
    referee = Referee(MemoryLog())
    with pytest.raises(UnknownGame):
        await referee.position(uuid4())
    with pytest.raises(UnknownGame):
        await referee.command(uuid4(), ADA, [RollDice()])
    game = await seated(referee)
    for seq in (0, 4):
        with pytest.raises(UnknownMoment) as unknown:
            await referee.position_at(game, seq)
        assert unknown.value.head.seq == 3
    assert (await referee.position_at(game, 1)).state.chairs == (None, None)


async def ready_to_roll(referee: Referee) -> UUID:
    """A game in which Ada may deal on a market, or roll."""
    game = await started(referee)
    for player in (ADA, BEN, ADA, BEN):
        await referee.command(game, player, [EndPurchases()])
    return game


async def test_what_follows_on_a_roll_in_one_request_is_refused_before_the_dice_fall() -> None:
    """Whatever else the request contains, it is refused, and so is a dry run: the result would reveal the roll."""
    log = MemoryLog()
    referee = Referee(log)
    game = await ready_to_roll(referee)
    before = await referee.position(game)
    follow_ups: list[list[Struct]] = [
        [RollDice()],
        [EndTurn()],
        [StrikeOil(Site(0, 1, 1)), StartGame()],
        [SellGasoline(1), StartGame()],
    ]
    for ask in (referee.command, referee.dry_run):
        for follow_up in follow_ups:
            for first in ([], [SellBarrels("domestic", "crude", 1)]):
                with pytest.raises(Refused) as refused:
                    await ask(game, ADA, [*first, RollDice(), *follow_up])
                rejection = refused.value.rejection
                assert (rejection.code, rejection.rule) == ("one_draw", "chance/one-draw")
                assert refused.value.index == len(first)
    assert await referee.position(game) == before
    assert (await log.game(game)).head == before.head


class Failing(MemoryLog):
    """A log that fails as often as told, before or after it has stored an append."""

    def __init__(self) -> None:
        super().__init__()
        self.failures: list[tuple[bool, BaseException]] = []

    async def append(self, *what: Any, **more: Any) -> None:
        kept, error = self.failures.pop(0) if self.failures else (True, None)
        if kept:
            await super().append(*what, **more)
        if error is not None:
            raise error


@pytest.mark.parametrize("kept", [False, True], ids=["lost", "kept"])
@pytest.mark.parametrize("error", [LogUnavailable("the disk is full"), asyncio.CancelledError()], ids=["full", "cut"])
async def test_a_roll_that_did_not_reach_the_log_is_recorded_before_anything_else(
    kept: bool, error: BaseException
) -> None:
    """Ada's roll fails. The error may reveal how it fell, if only by its length, so she cannot deal on a market now."""
    log = Failing()
    referee = Referee(log)
    game = await ready_to_roll(referee)
    log.failures = [(kept, error)]
    with pytest.raises(type(error)):
        await referee.command(game, ADA, [RollDice()])
    with pytest.raises(Refused) as refused:
        await referee.command(game, ADA, [SellBarrels("domestic", "crude", 1)])
    assert refused.value.rejection.code in ("out_of_phase", "out_of_turn")
    types = [event.type for event in await log.read(game)]
    assert types.count("DiceRolled") == 1
    assert broken_link(await log.read(game)) is None


async def test_a_roll_is_owed_for_as_long_as_the_log_is_away() -> None:
    log = Failing()
    referee = Referee(log)
    game = await ready_to_roll(referee)
    log.failures = [(False, LogUnavailable("away"))] * 3
    for command in (RollDice(), SellBarrels("domestic", "crude", 1), SellBarrels("foreign", "crude", 1)):
        with pytest.raises(LogUnavailable):
            await referee.command(game, ADA, [command])
    key = Idempotency("again", bytes(32))
    await referee.position(game)
    with pytest.raises(Refused):
        await referee.command(game, ADA, [RollDice()], idempotency=key)
    assert [event.type for event in await log.read(game)].count("DiceRolled") == 1


async def test_a_roll_that_is_owed_is_found_under_its_key() -> None:
    """Ada repeats the same request, as clients do, and gets the result."""
    log = Failing()
    referee = Referee(log)
    game = await ready_to_roll(referee)
    key = Idempotency("roll", bytes(32))
    log.failures = [(False, LogUnavailable("away"))]
    with pytest.raises(LogUnavailable):
        await referee.command(game, ADA, [RollDice()], idempotency=key)
    again = await referee.command(game, ADA, [RollDice()], idempotency=key)
    assert again.repeated
    assert again.events[0].type == "DiceRolled"


async def test_a_request_that_is_sent_again_is_answered_without_another_try() -> None:
    """As long as this server remembers. With her key, nobody else gets the result, and no other request passes."""
    log = Failing()
    referee = Referee(log)
    game = await ready_to_roll(referee)
    key, sale = Idempotency("sale", bytes(32)), SellBarrels("domestic", "crude", 1)
    done = await referee.command(game, ADA, [sale], idempotency=key)
    log.failures = [(False, LogUnavailable("would be tried"))]
    again = await referee.command(game, ADA, [sale], idempotency=key)
    assert (again.repeated, again.events) == (True, done.events)
    with pytest.raises(KeyReused):
        await referee.command(game, ADA, [sale], idempotency=Idempotency("sale", bytes([1]) * 32))
    with pytest.raises(Refused):
        await referee.command(game, BEN, [sale], idempotency=key)


async def test_a_deal_that_did_not_reach_the_log_is_not_owed() -> None:
    log = Failing()
    referee = Referee(log)
    game = await ready_to_roll(referee)
    log.failures = [(False, LogUnavailable("away"))]
    with pytest.raises(LogUnavailable):
        await referee.command(game, ADA, [SellBarrels("domestic", "crude", 1)])
    done = await referee.command(game, ADA, [SellBarrels("foreign", "crude", 1)])
    assert done.position.state.foreign.crude == done.position.state.domestic.crude - 1

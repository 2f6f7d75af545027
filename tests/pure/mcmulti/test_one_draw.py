"""Nobody sees dice that do not count (`chance/one-draw`)."""

from uuid import uuid4

import pytest

from mcmulti.domain.core.chance import ChanceWithheld, WithheldChance
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import EndPurchases, RollDice, StrikeOil
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.oil.names import Site
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Refused
from tests.pure.mcmulti.situations import situation

ADA, BEN = Player(uuid4(), "Ada"), Player(uuid4(), "Ben")


async def test_chance_one_draw__a_strike_is_not_tried_out_on_dice_that_are_taken_back() -> None:
    """Ada asks for a roll, a strike that would take a double hit, and nonsense.

    Which of the two was refused once revealed the dice. Now the roll is refused, on any site, because something follows
    it.
    """
    log = MemoryLog()
    referee = Referee(log)
    game = (await referee.open(RULESET, Setup(seats=2, first_seat=0))).position.game_id
    for player in (ADA, BEN):
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    await referee.command(game, ADA, [StartGame()])
    for player in (ADA, BEN, ADA, BEN):
        await referee.command(game, player, [EndPurchases()])
    before = await log.game(game)
    told = set()
    for row in range(1, 7):
        with pytest.raises(Refused) as refused:
            await referee.command(game, ADA, [RollDice(), StrikeOil(Site(0, row, row)), StartGame()])
        told.add((refused.value.index, refused.value.rejection.code, refused.value.rejection.rule))
    assert told == {(0, "one_draw", "chance/one-draw")}
    assert await log.game(game) == before


async def test_chance_one_draw__the_start_draws_news_so_nothing_follows_on_it() -> None:
    referee = Referee(MemoryLog())
    game = (await referee.open(RULESET, Setup(seats=2))).position.game_id
    for player in (ADA, BEN):
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    with pytest.raises(Refused) as refused:
        await referee.command(game, ADA, [StartGame(), EndPurchases()])
    assert (refused.value.index, refused.value.rejection.code) == (0, "one_draw")


def test_chance_one_draw__whether_a_roll_is_legal_is_known_without_dice() -> None:
    """Whatever can refuse has no dice to look at, and whatever throws them cannot refuse."""
    state = situation()
    offer = RULESET.admit(state, 0, RollDice())
    assert isinstance(offer, Offer)
    with pytest.raises(ChanceWithheld):
        RULESET.carry_out(state, 0, RollDice(), offer, WithheldChance())

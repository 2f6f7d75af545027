"""Nobody sees a round that does not count (`chance/one-draw`)."""

from uuid import uuid4

import pytest
from msgspec import Struct

from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import HoldRound, SubmitOrders
from mcmulti.domain.postal.state import PostalSetup
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Refused
from tests.pure.postal.situations import NAMES, NOTHING

PLAYERS = [Player(uuid4(), name) for name in NAMES]


async def test_chance_one_draw__the_last_sheet_is_not_tried_out_on_a_round_that_is_taken_back() -> None:
    """Dan's sheet is the last one, so the round is refereed.

    The following command in the request was refused with `hold` if the game went on, and with `game_over` if it was
    won: he could have tried sheets until he won.
    """
    log = MemoryLog()
    referee = Referee(log)
    game = (await referee.open(RULESET, PostalSetup())).position.game_id
    for player in PLAYERS:
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    await referee.command(game, PLAYERS[0], [StartGame()])
    for player in PLAYERS[:3]:
        await referee.command(game, player, [SubmitOrders(1, NOTHING)])
    before = await log.game(game)
    behind: list[Struct] = [HoldRound(1, False), HoldRound(1, True), SubmitOrders(1, NOTHING), StartGame()]
    for command in behind:
        for ask in (referee.command, referee.dry_run):
            with pytest.raises(Refused) as refused:
                await ask(game, PLAYERS[3], [SubmitOrders(1, NOTHING), command])
            rejection = refused.value.rejection
            assert (refused.value.index, rejection.code, rejection.rule) == (0, "one_draw", "chance/one-draw")
    assert await log.game(game) == before

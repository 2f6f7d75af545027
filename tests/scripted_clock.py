"""Servers that keep deadlines by a clock that a test sets."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec

from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.postal.state import PostalSetup
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.log import Log
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Ruling
from mcmulti.referee.scheduler import DeadlineScheduler

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
SHEET = SubmitOrders(1, OrderSheet())
PLAYERS = [Player(UUID(int=number + 1), name) for number, name in enumerate(("Ada", "Ben", "Cleo", "Dan"))]
ADA, BEN, CLEO, DAN = PLAYERS


class Clock:
    """Shows `now`, which the test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


class Server:
    """A server's own parts, with a log that it may share."""

    def __init__(self, log: Log, clock: Callable[[], datetime]) -> None:
        self.referee = Referee(log, clock)
        self.scheduler = DeadlineScheduler(self.referee, log)

    async def look(self) -> int:
        return await self.scheduler.run_due()

    async def send(self, game: UUID, player: Player, *commands: Any) -> Ruling:
        done = await self.referee.command(game, player, commands)
        assert isinstance(done, Ruling)
        return done

    async def begin(self, ruleset: str = "mcmulti", move_seconds: int = 60, players: int = 3, **clock: Any) -> UUID:
        """A game with a clock, which waits for the first move."""
        rules = CURRENT[ruleset]
        setup = msgspec.convert({"seats": players, "clock": {"move_seconds": move_seconds, **clock}}, rules.setup)
        game = (await self.referee.open(rules, setup)).position.game_id
        for player in PLAYERS[:players]:
            await self.send(game, player, TakeSeat(str(player.player_id)))
        await self.send(game, ADA, StartGame())
        return game

    async def asked(self, game: UUID) -> Player:
        """The player for whom a game with a clock waits."""
        position = await self.referee.position(game)
        (seat,) = position.ruleset.to_move(position.state)
        return PLAYERS[seat]

    async def start(self, **setup: Any) -> UUID:
        """A game that waits for the sheets of its first round."""
        game = (await self.referee.open(CURRENT["postal"], PostalSetup(**setup))).position.game_id
        for player in PLAYERS:
            await self.send(game, player, TakeSeat(str(player.player_id)))
        await self.send(game, ADA, StartGame())
        return game


def closings(events: list[Recorded]) -> list[tuple[int, list[int]]]:
    """Every round that was closed, and the seats whose sheets were missing."""
    found = [msgspec.json.decode(event.data) for event in events if event.type == "RoundClosed"]
    return [(closed["round"], closed["missing"]) for closed in found]

"""A server with its log and its clock, and a receiver for what it sends."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import msgspec

from mcmulti.domain.mcmulti.commands import EndPurchases
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.notices import Topic, Webhook, WebhookFormat
from mcmulti.notify.courier import Courier
from mcmulti.notify.outbound import Outbound
from mcmulti.notify.settings import Notify
from mcmulti.notify.watch import GameWatch
from tests.notify.clocked import ClockedLog
from tests.notify.receiver import Receiver, receiving
from tests.scripted_clock import ADA, BEN, NOON, Clock, Server

SITE = Notify("https://play.example.org", private=True)


class Evening:
    """A server with its log and its clock, and a receiver for Ada's webhook."""

    def __init__(self, log: ClockedLog, outbound: Outbound, receiver: Receiver) -> None:
        self.log, self.clock, self.receiver = log, log.clock, receiver
        self.play = Server(log, self.clock)
        self.watch = GameWatch(log)
        self.courier = Courier(log, outbound, SITE, random.Random(1))

    async def hook(
        self,
        player: Player = ADA,
        url: str = "",
        format: WebhookFormat = "standard",
        keys: bytes | None = None,
        topics: tuple[Topic, ...] = ("game.turn", "game.over"),
    ) -> Webhook:
        at, where = self.clock(), url or self.receiver.url
        hook = Webhook(uuid4(), player.player_id, where, format, topics, "en", bytes(32), at, keys=keys)
        assert await self.log.add_webhook(hook, 9)
        return hook

    async def look(self, after: timedelta = timedelta()) -> list[Any]:
        """Look later for games that moved and for due messages. Return the types of all messages so far."""
        await self.send(after)
        return self.types

    async def send(self, after: timedelta) -> None:
        """Look later for games that moved and for due messages."""
        self.clock.now += after
        await self.watch.step()
        await self.courier.step()
        await self.courier.idle()

    @property
    def types(self) -> list[Any]:
        return [msgspec.json.decode(each.body)["type"] for each in self.receiver.received]

    @property
    def ids(self) -> list[str]:
        return [each.headers["webhook-id"] for each in self.receiver.received]


@asynccontextmanager
async def an_evening() -> AsyncIterator[Evening]:
    async with receiving() as receiver, Outbound(private=True, timeout=30) as outbound:
        log = ClockedLog(Clock())
        for number, player in enumerate((ADA, BEN)):
            await log.add_player(player, first_token(NOON), bytes([number]) * 32)
        yield Evening(log, outbound, receiver)


async def ada_to_move(evening: Evening) -> UUID:
    """A game that waits for Ada from now on."""
    game = await evening.play.begin(players=2, move_seconds=86400)
    if await evening.play.asked(game) != ADA:
        await evening.play.send(game, BEN, EndPurchases())
    assert await evening.play.asked(game) == ADA
    return game

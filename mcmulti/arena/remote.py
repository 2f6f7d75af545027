"""One game of an arena at a server, over HTTP: the same strategies on the same seats, but with the server's dice."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, closing
from typing import Any
from uuid import UUID, uuid5

from mcmulti.arena.crashes import Asking
from mcmulti.arena.play import ArenaTask, Contest, Failure, Finished, Mind, key_of, result_in
from mcmulti.arena.schedule import copies
from mcmulti.bots.seats.player import play
from mcmulti.bots.seats.trouble import StrategyFailed, Watched
from mcmulti.bots.strategy import Command, Maker, Offer, View
from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.client.sources import SourceError, record_at
from mcmulti.events.store.game_file import GameRecord

PATIENCE = 60.0
"""Seconds for which requests are retried if the server is down or overloaded."""


class NotPlayed(ConnectionError):
    """The server does not allow the game. The message says why."""


async def play_at(
    server: str, contest: Contest, job: ArenaTask, makers: Sequence[Maker], asking: Asking
) -> tuple[Finished, GameRecord]:
    """Play a game at a server, or continue it if it was started there before. Raises `NotPlayed`."""
    plan, pairing = contest.plan, job.pairing
    try:
        async with AsyncExitStack() as stack:
            seated = []
            for seat, who in enumerate(zip(pairing.seats, copies(pairing.seats), strict=True)):
                client = await stack.enter_async_context(Client(server, token=contest.tokens[who], patience=PATIENCE))
                mind = Mind(contest, job, seat, makers, asking).watched
                seated.append(_Seat(client, stack.enter_context(closing(mind))))
            host, key = seated[0].client, key_of(pairing)
            # Nobody else may sit down, even if they find the table while it is open.
            invited = [(await each.client.me())["name"] for each in seated]
            access = {"invited": invited} | ({} if plan.position is None else {"position": plan.position})
            game = str((await host.open_game(plan.ruleset, access=access, key=key, **plan.setup))["game"])
            for seat, each in enumerate(seated):
                await each.client.take_seat(game, seat, uuid5(UUID(game), str(seat)).hex, key=key)
            failed = await asyncio.gather(*(each.plays(game) for each in seated))
            record = await record_at(host, game)
    except (HttpProblem, ServerAway, SourceError) as error:
        raise NotPlayed(str(error)) from None
    failures = (Failure(pairing.number, seat, each.trouble) for seat, each in enumerate(failed) if each is not None)
    decisions = sum(each.asked for each in seated)
    return Finished(result_in(plan, pairing, record), tuple(failures), decisions), record


class _Seat:
    """A strategy on its seat; `asked`: the number of its decisions."""

    def __init__(self, client: Client, mind: Watched) -> None:
        self.client, self._mind, self.asked = client, mind, 0

    async def plays(self, game: str) -> StrategyFailed | None:
        """Play to the end of the game, or resign if the strategy fails. Returns the failure."""
        try:
            await play(self.client, game, self._choose)
        except StrategyFailed as failure:
            found = failure
        except HttpProblem as problem:
            if problem.code == "no_seat":  # it resigned before an interruption, and the game was resumed
                return None
            refused = self._mind.refused(problem)
            if not isinstance(refused, StrategyFailed):
                raise
            found = refused
        else:
            return None
        await self.client.send(game, [{"type": "Resign"}])
        return found

    def _choose(self, view: View, offers: list[Offer], /) -> list[Command]:
        self.asked += 1
        commands: list[Any] = self._mind(view, offers)
        return commands

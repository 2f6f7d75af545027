"""House bots: they take vacant seats at tables that agreed on it, and seats at tables that ask for them.

A server runs ``python -m mcmulti.bots.seats.house``. The first line of standard input says where and as which players
they play. They play until standard input ends, and report on standard output, one line of JSON per event. The events
`seed` and `token` ask for the seed of a seat and for a token, which the server writes to standard input. The process
ends with code 1 if one of its tokens is no longer accepted, since the server then has another process.
"""

import asyncio
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Any, TypeVar

import msgspec

from mcmulti.bots.seats.crew import PAGE, UNKNOWN, Crew, GameInPlay
from mcmulti.bots.seats.desk import Desk, Say
from mcmulti.bots.seats.opponents import Opponent, Opponents
from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.bots.strategy import Strategy
from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.client.json_object import Json

LOOK = 0.5
"""Seconds between two searches for tables that need them."""
RESUME = 10.0
"""Seconds between two searches for games where they sit but do not play, because a game could not go on, or another
process sat down.
"""
MOVING = 60.0
"""Seconds after which a game without events no longer counts as busy."""
SEATS = 20
"""The most seats, including those in games that do not move, for each game that they may be busy with."""

WorkDone = TypeVar("WorkDone")


class Duty(msgspec.Struct, frozen=True):
    """Where to play, as which players, and in how many games at a time.

    `substitutes` take over for players who left, `opponents` play if tables ask for them. There are several of each
    kind, since a player has at most one seat at a table.
    """

    server: str
    substitutes: tuple[str, ...]
    opponents: dict[str, Opponent]
    games: int


class House(Crew):
    """Players that take vacant seats and play on, in at most N moving games at a time.

    An opener with more of these games than another who waits gives one up: it rests, and the clock answers for the bot
    meanwhile. `others`: how many games other bots play, out of the same `games`.
    """

    def __init__(
        self,
        clients: dict[str, Client],
        games: int,
        say: Say,
        seed: Callable[[str, int], Awaitable[int]],
        clock: Callable[[], float] = time.monotonic,
        others: Callable[[], int] = lambda: 0,
    ) -> None:
        super().__init__(games, say, seed, others, clock)
        self._clients = clients
        self._resumed = float("-inf")
        self._resting: set[str] = set()
        """Games that rest in favor of others, until there is room."""
        self._refused: set[str] = set()
        """Games at which they could not sit down, until the next search for games where they sit."""

    async def look(self, group: asyncio.TaskGroup) -> None:
        """Resume games now and then, and take vacant seats. Raises `HttpProblem` and `ServerAway`."""
        if self._clock() - self._resumed >= RESUME:
            await self._resume(group)
            self._resumed = self._clock()
            self._refused.clear()
        await self._sit_down(group)

    async def _resume(self, group: asyncio.TaskGroup) -> None:
        """Play wherever one of them sits: whatever ended its task, or seated it, nobody else plays the seat."""
        for player, client in self._clients.items():
            for table in [each async for each in client.games(mine=True, status="running", limit=PAGE)]:
                if table["game"] in self._resting and not await self._has_room(table):
                    continue
                self._resting.discard(table["game"])
                [seat] = [seat["seat"] for seat in table["seats"] if seat["player"] == player]
                self._see(table)
                self._play(group, table, player, seat)

    async def _sit_down(self, group: asyncio.TaskGroup) -> None:
        """Take vacant seats, as long as there is room."""
        anyone = next(iter(self._clients.values()))
        waiting = [table async for table in anyone.games(left="bot", limit=PAGE)]
        while waiting:
            table = min(waiting, key=self._share)
            waiting.remove(table)
            if table["game"] in self._refused or not await self._has_room(table):
                continue
            sit = {seat["player"] for seat in table["seats"]}
            absent = [player for player in self._clients if player not in sit]
            empty = [seat["seat"] for seat in table["seats"] if seat["state"] == "reserved"]
            for seat, player in zip(empty, absent, strict=False):
                try:
                    await self._clients[player].take_seat(table["game"], seat)
                except HttpProblem as problem:
                    self._refused.add(table["game"])  # usually the player who left, or another house, was faster
                    self._gave_up(problem, table)
                else:
                    self._say("a house bot sat down", game_id=table["game"], seat=str(seat))
                    self._see(table)
                    self._play(group, table, player, seat)

    @property
    def moving(self) -> int:
        """The number of their games that move."""
        return sum(self._moves(game) for game in self._games)

    def _moves(self, game: str) -> bool:
        """Whether something happened in a game recently."""
        return self._clock() - self._games[game].moved < MOVING

    async def _has_room(self, table: Json) -> bool:
        """Whether they may play there. An opener with two more moving games makes room for it.

        At most `games` games move, and the number of seats in games that do not move is limited.
        """
        if table["game"] in self._games:
            return True
        if len(self._games) >= SEATS * self._most:
            return False
        if self.moving + self._others() < self._most:
            return True
        moving = [game for game in self._games if self._moves(game)]
        shares = Counter(self._games[game].table["opened_by"] for game in moving)
        [(opener, games)] = shares.most_common(1) or [(None, 0)]
        if games < shares[table["opened_by"]] + 2:
            return False
        theirs = (game for game in moving if self._games[game].table["opened_by"] == opener)
        resting = min(theirs, key=lambda game: (self._games[game].moved, game))
        await self._rest(resting)
        self._resting.add(resting)
        return True

    def _see(self, table: Json) -> None:
        """Record the last event of a game, and since when it is the last."""
        known = self._games.get(table["game"])
        if known is None or known.table["seq"] != table["seq"]:
            self._games[table["game"]] = GameInPlay(table, self._clock())

    async def _prepared(self, table: Json, player: str, seed: int) -> tuple[Client, Strategy]:
        ruleset = table["ruleset"]
        return self._clients[player], strategy_for(ruleset, strategies_of(ruleset)[0])(seed)

    def _gave_up(self, error: Exception, table: Json) -> None:
        """Report a failure, which is retried later."""
        if isinstance(error, HttpProblem) and error.code == "no_seat":
            self._say("a house bot made room", game_id=table["game"])
        else:
            super()._gave_up(error, table)


async def until_input_ends(
    work: Coroutine[Any, Any, WorkDone], hear: Callable[[bytes], None] = lambda line: None
) -> WorkDone | None:
    """The result of the work; None if standard input ends first, which cancels it. `hear` receives each
    line of input.
    """
    working = asyncio.ensure_future(work)
    listening = asyncio.ensure_future(_heard(hear))
    await asyncio.wait({working, listening}, return_when=asyncio.FIRST_COMPLETED)
    if working.done():
        listening.cancel()
        return working.result()
    working.cancel()
    await asyncio.wait({working})
    listening.result()
    return None


async def _heard(hear: Callable[[bytes], None]) -> None:
    """Read the lines of standard input until it ends."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    async for line in lines:
        hear(line)


class Staff:
    """All house bots of a server. Connections are made on demand."""

    def __init__(self, duty: Duty, desk: Desk, stack: AsyncExitStack) -> None:
        self._duty = duty
        self._desk = desk
        self._stack = stack
        self._clients: dict[str, asyncio.Task[Client]] = {}
        self._told = ""

    async def run(self) -> None:
        """Sit down and play until canceled. Raises `HttpProblem` if a token is not accepted."""
        duty, seed = self._duty, self._desk.seed
        clients = {player: await self._hired(player) for player in duty.substitutes}
        opponents = Opponents(duty.opponents, self._client, duty.games, _say, seed, lambda: house.moving)
        house = House(clients, duty.games, _say, seed, others=lambda: opponents.games)
        anyone = clients[duty.substitutes[0]]
        async with asyncio.TaskGroup() as group:
            while True:
                for look in (partial(opponents.look, anyone), house.look):
                    try:
                        await look(group)
                    except (HttpProblem, ServerAway) as error:
                        if isinstance(error, HttpProblem) and error.status == UNKNOWN:
                            raise
                        _say("a house bot cannot go on", reason=str(error))
                self._report(house, opponents)
                await asyncio.sleep(LOOK)

    async def _hired(self, player: str) -> Client:
        """The connection of a player, as soon as the server has a token for it. Its database may be down at first."""
        while True:
            try:
                return await self._client(player)
            except ServerAway as error:
                _say("a house bot cannot go on", reason=str(error))
                await asyncio.sleep(LOOK)

    async def _client(self, player: str) -> Client:
        """The connection of a player. Raises `ServerAway`."""
        if player not in self._clients:
            self._clients[player] = asyncio.create_task(self._connected(player))
        try:
            return await asyncio.shield(self._clients[player])
        except ServerAway:
            self._clients.pop(player, None)
            raise

    async def _connected(self, player: str) -> Client:
        client = Client(self._duty.server, token=await self._desk.token(player))
        return await self._stack.enter_async_context(client)

    def _report(self, house: House, opponents: Opponents) -> None:
        """Report what they do, if that changed."""
        thinking = opponents.thinking
        told = {
            "substituting": house.moving,
            "opposing": opponents.games,
            "waiting": opponents.waiting,
            "decisions": thinking.decisions,
            "seconds": thinking.seconds,
        }
        if (said := str(told)) != self._told:
            self._told = said
            _say("playing", **{name: str(number) for name, number in told.items()})


async def _work(duty: Duty, desk: Desk) -> None:
    """Play until canceled."""
    async with AsyncExitStack() as stack:
        await Staff(duty, desk, stack).run()


def _say(event: str, **of: str) -> None:
    with suppress(BrokenPipeError):  # the server is gone, and standard input will end too
        os.write(sys.stdout.fileno(), msgspec.json.encode({"event": event, **of}) + b"\n")


def main() -> None:
    """Play. Exit code 1 if a token is not accepted."""
    duty = msgspec.json.decode(sys.stdin.buffer.readline(), type=Duty)
    desk = Desk(_say)
    try:
        asyncio.run(until_input_ends(_work(duty, desk), desk.hear))
    except ExceptionGroup as group:
        _say("the house bots end", reason=str(group.exceptions[0]))
        sys.exit(1)


if __name__ == "__main__":
    main()

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

from mcmulti.bots.seats.desk import Desk, Say
from mcmulti.bots.seats.opponents import Opponent, Opponents
from mcmulti.bots.seats.player import play
from mcmulti.bots.strategies.registry import strategies_of, strategy_for
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
UNKNOWN = 401
"""The status for a token that is not accepted."""

_PAGE = 100

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


class House:
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
        self._clients = clients
        self._most = games
        self._others = others
        self._say = say
        self._seed = seed
        self._clock = clock
        self._resumed = float("-inf")
        self._playing: dict[tuple[str, str], asyncio.Task[None]] = {}
        """Tasks of games in play, by game and player."""
        self._openers: dict[str, str | None] = {}
        """The openers of the games at which they sit."""
        self._moved: dict[str, tuple[int, float]] = {}
        """The last event of these games, and when it was first seen."""
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
            for table in [each async for each in client.games(mine=True, status="running", limit=_PAGE)]:
                if table["game"] in self._resting and not await self._has_room(table):
                    continue
                self._resting.discard(table["game"])
                [seat] = [seat["seat"] for seat in table["seats"] if seat["player"] == player]
                self._see(table)
                self._play(group, table, player, seat)

    async def _sit_down(self, group: asyncio.TaskGroup) -> None:
        """Take vacant seats, as long as there is room."""
        anyone = next(iter(self._clients.values()))
        waiting = [table async for table in anyone.games(left="bot", limit=_PAGE)]
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
                    self._failed(problem, table)
                else:
                    self._say("a house bot sat down", game_id=table["game"], seat=str(seat))
                    self._see(table)
                    self._play(group, table, player, seat)

    @property
    def _games(self) -> set[str]:
        return {game for game, _ in self._playing}

    @property
    def moving(self) -> int:
        """The number of their games that move."""
        return sum(self._moves(game) for game in self._games)

    def _moves(self, game: str) -> bool:
        """Whether something happened in a game recently."""
        return self._clock() - self._moved[game][1] < MOVING

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
        shares = Counter(self._openers[game] for game in moving)
        [(opener, games)] = shares.most_common(1) or [(None, 0)]
        if games < shares[table["opened_by"]] + 2:
            return False
        theirs = (game for game in moving if self._openers[game] == opener)
        await self._rest(min(theirs, key=lambda game: (self._moved[game][1], game)))
        return True

    async def _rest(self, game: str) -> None:
        """Stop playing a game until there is room again."""
        tasks = [task for (played, _), task in self._playing.items() if played == game]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._resting.add(game)

    def _share(self, table: Json) -> int:
        """How many games of the same opener they sit at already; openers with fewer come first."""
        return sum(self._openers[game] == table["opened_by"] for game in self._games)

    def _see(self, table: Json) -> None:
        """Record the last event of a game, and since when it is the last."""
        game, seq = table["game"], table["seq"]
        self._openers[game] = table["opened_by"]
        if self._moved.get(game, (0, 0.0))[0] != seq:
            self._moved[game] = (seq, self._clock())

    def _play(self, group: asyncio.TaskGroup, table: Json, player: str, seat: int) -> None:
        """Play there, unless a task does so already."""
        key = table["game"], player
        if key not in self._playing:
            task = self._playing[key] = group.create_task(self._played(table, player, seat))
            task.add_done_callback(lambda _: self._played_out(key))

    def _played_out(self, key: tuple[str, str]) -> None:
        del self._playing[key]
        if key[0] not in self._games:
            self._moved.pop(key[0], None)
            self._openers.pop(key[0], None)

    async def _played(self, table: Json, player: str, seat: int) -> None:
        ruleset = table["ruleset"]
        try:
            strategy = strategy_for(ruleset, strategies_of(ruleset)[0])(await self._seed(table["game"], seat))
            await play(self._clients[player], table["game"], strategy)
        except (HttpProblem, ServerAway) as error:
            if isinstance(error, HttpProblem) and error.code == "no_seat":
                self._say("a house bot made room", game_id=table["game"])
            else:
                self._failed(error, table)
        except Exception as error:  # a strategy that fails in one game must not end the others
            self._say("a house bot is at a loss", game_id=table["game"], reason=repr(error))
        else:
            self._say("a house bot played to the end", game_id=table["game"])

    def _failed(self, error: HttpProblem | ServerAway, table: Json | None = None) -> None:
        """Report a failure, which is retried later. Raises the error if a token is not accepted."""
        if isinstance(error, HttpProblem) and error.status == UNKNOWN:
            raise error
        game = {} if table is None else {"game_id": table["game"]}
        self._say("a house bot cannot go on", **game, reason=str(error))


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

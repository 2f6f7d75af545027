"""House bots as opponents: they sit down at tables that ask for them, and play to the end of the game."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from datetime import datetime, timedelta

import msgspec

from mcmulti.bots.seats.crew import PAGE, Crew, GameInPlay
from mcmulti.bots.seats.desk import Say
from mcmulti.bots.strategies.registry import strategy_for
from mcmulti.bots.strategy import Command, Offer, Strategy, View
from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.client.json_object import Json

RESTING = 60.0
"""Seconds after which they leave alone a game that waits for others, at the latest; a move brings them back."""
AGAIN = 10.0
"""Seconds until they retry a game that they could not play."""
OVERLAP = timedelta(seconds=15)
"""How far back each search looks again: if servers share a database, moves become visible late."""


class Opponent(msgspec.Struct, frozen=True):
    """A player: the `number`-th bot, from 1, of those that play this strategy."""

    level: str
    number: int


class Thinking:
    """How many decisions house bots made, and for how many seconds in all."""

    def __init__(self) -> None:
        self.decisions = 0
        self.seconds = 0.0

    def counted(self, strategy: Strategy) -> Strategy:
        """The same strategy, with its decisions counted."""

        def choose(view: View, offers: list[Offer], /) -> list[Command]:
            began = time.perf_counter()
            try:
                return strategy(view, offers)
            finally:
                self.decisions += 1
                self.seconds += time.perf_counter() - began

        return choose


class Opponents(Crew):
    """All opponents of a server, who play in at most N games at a time.

    A game that waits for people is left alone after a while, and at once if another needs its place. A game without
    people goes on only as long as no game with people needs its place. So nobody can keep them busy, not even with any
    number of abandoned games. `client`: the connection of a player. `others`: how many games other bots play, out of
    the same `games`.
    """

    def __init__(
        self,
        players: Mapping[str, Opponent],
        client: Callable[[str], Awaitable[Client]],
        games: int,
        say: Say,
        seed: Callable[[str, int], Awaitable[int]],
        others: Callable[[], int] = lambda: 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(games, say, seed, others, clock)
        self._players = players
        self._client = client
        self._seen: datetime | None = None
        """The time of the last move that was seen."""
        self._heads: dict[str, int] = {}
        """The last event of examined games, as long as they may be listed again."""
        self._waiting: dict[str, Json] = {}
        """The tables of games that need them."""
        self._failed: dict[str, float] = {}
        """Games that they could not play, and when that was."""
        self.thinking = Thinking()

    @property
    def games(self) -> int:
        """The number of games they play now."""
        return len(self._games)

    @property
    def waiting(self) -> int:
        """How many games need them and must wait, because they play the maximum number."""
        return len(self._waiting)

    async def look(self, client: Client, group: asyncio.TaskGroup) -> None:
        """Take seats and resume games that need them, and leave alone those that do not.

        `client`: of a house bot, whose lists have all games. Raises `HttpProblem` and `ServerAway`.
        """
        for table in await self._moved(client):
            self._see(table)
        now = self._clock()
        for game in [game for game, since in self._failed.items() if now - since >= AGAIN]:
            self._failed[game] = now
            self._see((await client.view(game))["table"])
        for game, stands in [*self._games.items()]:
            if now - stands.moved >= RESTING and not self._is_needed(stands.table):
                await self._rest(game)
        while self._waiting:
            waiting = self._next()
            if waiting is not None:
                await self._begin(group, self._waiting.pop(waiting))
            elif not await self._made_room():
                break

    async def _moved(self, client: Client) -> list[Json]:
        """The tables that ask or asked for opponents and moved since the last search; at first, all of them."""
        found: list[Json] = []
        since, latest = None if self._seen is None else self._seen - OVERLAP, self._seen
        async with aclosing(client.games(house_bots=True, order="moved", limit=PAGE)) as tables:
            async for table in tables:
                moved = datetime.fromisoformat(table["moved_at"])
                if since is not None and moved < since:
                    break
                found.append(table)
                latest = moved if latest is None else max(latest, moved)
        self._seen = latest
        fresh = [table for table in found if self._heads.get(table["game"]) != table["seq"]]
        self._heads = {table["game"]: table["seq"] for table in found}
        return [table for table in fresh if since is not None or self._is_needed(table)]

    def _is_needed(self, table: Json) -> bool:
        """Whether a game cannot continue without them."""
        sit = {seat["seat"] for seat in table["seats"] if seat["player"] in self._players}
        if table["status"] == "open":
            return bool(table["house_bots"] or (sit and all(seat["player"] for seat in table["seats"])))
        return not sit.isdisjoint(table["to_move"])

    def _see(self, table: Json) -> None:
        """A game moved, or one of its bots gave up. If nobody plays it, it needs somebody."""
        game = table["game"]
        lacks = self._failed.pop(game, None) is not None or bool(table["house_bots"])
        if game in self._games:
            self._games[game] = GameInPlay(table, self._clock())
        if game not in self._games or lacks:
            self._waiting[game] = table

    def _next(self) -> str | None:
        """The next game to play: one that they play, but not on all of their seats, or another if there is room."""
        is_full = self.games + self._others() >= self._most
        able = [self._waiting[game] for game in self._waiting if game in self._games or not is_full]
        return min(able, key=self._rank, default={"game": None})["game"]

    def _rank(self, table: Json) -> tuple[bool, int]:
        """The sort key of games, least first: games with people, then those of openers with few games."""
        return not _has_people(table), self._share(table)

    async def _made_room(self) -> bool:
        """Leave a game alone for one that waits: the one that has not needed them longest, or one without people, which
        then waits itself. Returns whether there was one.
        """
        idle = [game for game, stands in self._games.items() if not self._is_needed(stands.table)]
        if idle:
            await self._rest(min(idle, key=lambda game: self._games[game].moved))
            return True
        alone = [stands.table for stands in self._games.values() if not _has_people(stands.table)]
        if not alone or not any(map(_has_people, self._waiting.values())):
            return False
        table = max(alone, key=self._share)
        await self._rest(table["game"])
        self._waiting[table["game"]] = table
        return True

    async def _begin(self, group: asyncio.TaskGroup, table: Json) -> None:
        """Take their seats at a table, and play wherever they sit."""
        sit = {seat["player"]: seat["seat"] for seat in table["seats"] if seat["player"] in self._players}
        try:
            for asked in table["house_bots"]:
                player = self._absent(asked["level"], sit)
                if player is None:
                    continue
                await (await self._client(player)).take_seat(table["game"], asked["seat"])
                sit[player] = asked["seat"]
                self._say("a house bot sat down", game_id=table["game"], seat=str(asked["seat"]))
        except (HttpProblem, ServerAway) as error:
            self._gave_up(error, table, 403, 404, 409)
        for player, seat in sit.items():
            self._play(group, table, player, seat)

    def _absent(self, level: str, sit: Mapping[str, int]) -> str | None:
        """The first player of a level that is not yet at a table; None for a level of another version."""
        return next((player for player, who in self._players.items() if who.level == level and player not in sit), None)

    async def _prepared(self, table: Json, player: str, seed: int) -> tuple[Client, Strategy]:
        strategy = strategy_for(table["ruleset"], self._players[player].level)(seed)
        return await self._client(player), self.thinking.counted(strategy)

    def _gave_up(self, error: Exception, table: Json, *final: int) -> None:
        """Report a failure, and retry later; not after the `final` statuses, which remain until the table changes."""
        super()._gave_up(error, table)
        if not isinstance(error, HttpProblem) or error.status not in (final or (403, 404)):
            self._failed[table["game"]] = self._clock()


def _has_people(table: Json) -> bool:
    """Whether people sit at a table."""
    return any(seat["kind"] == "human" for seat in table["seats"])

"""What substitutes and opponents have in common: they play several games at a time, each seat in a task of its own."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from mcmulti.bots.seats.desk import Say
from mcmulti.bots.seats.player import play
from mcmulti.bots.strategy import Strategy
from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.client.json_object import Json

UNKNOWN = 401
"""The status for a token that is not accepted."""
PAGE = 100
"""How many tables are read at a time."""


class GameInPlay(NamedTuple):
    """A game that they play now: its `table` when its last move was seen, and when that was."""

    table: Json
    moved: float


class Crew(ABC):
    """Players who are in at most `games` games at a time. `others`: how many games other bots play, out of these.

    `seed`: the secret of a seat, by game and seat. `clock`: in seconds.
    """

    def __init__(
        self,
        games: int,
        say: Say,
        seed: Callable[[str, int], Awaitable[int]],
        others: Callable[[], int],
        clock: Callable[[], float],
    ) -> None:
        self._most = games
        self._say = say
        self._seed = seed
        self._others = others
        self._clock = clock
        self._games: dict[str, GameInPlay] = {}
        self._playing: dict[tuple[str, str], asyncio.Task[None]] = {}
        """Tasks of games in play, by game and player."""

    @abstractmethod
    async def _prepared(self, table: Json, player: str, seed: int) -> tuple[Client, Strategy]:
        """The connection of a player, and how it plays at a table. Raises `ServerAway`."""

    def _gave_up(self, error: Exception, table: Json) -> None:
        """Report why a game does not go on. Raises the error if a token is not accepted."""
        if isinstance(error, HttpProblem | ServerAway):
            if isinstance(error, HttpProblem) and error.status == UNKNOWN:
                raise error
            self._say("a house bot cannot go on", game_id=table["game"], reason=str(error))
        else:
            self._say("a house bot is at a loss", game_id=table["game"], reason=repr(error))

    def _share(self, table: Json) -> int:
        """How many games of the same opener they play already; openers with fewer come first."""
        return sum(game.table["opened_by"] == table["opened_by"] for game in self._games.values())

    def _play(self, group: asyncio.TaskGroup, table: Json, player: str, seat: int) -> None:
        """Play there, unless a task does so already."""
        key = table["game"], player
        if key not in self._playing:
            self._games.setdefault(table["game"], GameInPlay(table, self._clock()))
            task = self._playing[key] = group.create_task(self._played(table, player, seat))
            task.add_done_callback(lambda _: self._played_out(key))

    async def _played(self, table: Json, player: str, seat: int) -> None:
        try:
            client, strategy = await self._prepared(table, player, await self._seed(table["game"], seat))
            await play(client, table["game"], strategy)
        except Exception as error:  # a strategy that fails in one game must not end the others
            self._gave_up(error, table)
        else:
            self._say("a house bot played to the end", game_id=table["game"])

    def _played_out(self, key: tuple[str, str]) -> None:
        del self._playing[key]
        if not any(game == key[0] for game, _ in self._playing):
            self._games.pop(key[0], None)

    async def _rest(self, game: str) -> None:
        """Leave a game alone: it has no tasks anymore."""
        tasks = [task for (played, _), task in self._playing.items() if played == game]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

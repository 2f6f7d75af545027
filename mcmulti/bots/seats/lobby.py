"""A bot that looks for games: it sits down at open tables that ask for bots, and plays several games at a time."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from random import Random
from uuid import uuid4

import msgspec
from msgspec.structs import replace

from mcmulti.bots.seats.lobby_file import BadLobbyFile, LobbyPlayer, read_lobby_player, write_lobby_player
from mcmulti.bots.seats.lobby_seat import PATIENCE, LobbySeat, SeatEnded
from mcmulti.bots.seats.trouble import keep
from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.client.json_object import Json

PAUSE = 1.0
"""Seconds until a failed request is repeated, at first."""
LONGEST_PAUSE = 60.0
"""The same, after many attempts."""
TIDY = 20.0
"""Seconds between two checks of tables that have not begun."""
WAITS = 900.0
"""Seconds that it waits at a table for others; then it leaves for good."""
DEATHS = 3
"""How often the process of a seat may die before the seat is given up."""
UNKNOWN = 401
"""The status for a token that is not accepted."""


class TokenRevoked(Exception):
    """The server no longer accepts the bot's token."""


class LobbyWishes(msgspec.Struct, frozen=True):
    """What to play: a strategy for each rule set, the most games at a time, and the seconds for a decision.

    Positions in which a strategy fails go into the folder `troubles`.
    """

    strategies: Mapping[str, str]
    games: int
    seed: int
    seconds: float
    troubles: Path


async def lobby_player(server: str, path: Path, name: str | None, token: str | None) -> LobbyPlayer:
    """The player in the file, at this server. Without a file, the bot of the `token`, or a newly registered one.

    Raises `BadLobbyFile`, `HttpProblem`, and `ServerAway`.
    """
    known = read_lobby_player(path)
    if known is not None:
        if known.server != server or name not in (None, known.name):
            raise BadLobbyFile(
                f"{path} belongs to {known.name} at {known.server}. Give each bot its own file with --keep."
            )
        return known
    async with Client(server, token=token, patience=0) as client:
        if token is None:
            me = await client.register(name or f"bot {uuid4().hex[:8]}", "bot")
        else:
            me = {**await client.me(), "token": token}
            if me["kind"] != "bot":
                raise BadLobbyFile(f"{me['name']} is registered as a person. Give the bot another --name.")
    player = LobbyPlayer(server, str(me["player"]), str(me["name"]), str(me["token"]))
    write_lobby_player(path, player)
    return player


class LobbyBot:
    """A player that sits down wherever a bot is asked for, as long as it has room for another game."""

    def __init__(self, path: Path, player: LobbyPlayer, wishes: LobbyWishes, say: Callable[[str], None]) -> None:
        self._path, self._player, self._wishes, self._say = path, player, wishes, say
        self._client = Client(player.server, token=player.token, patience=PATIENCE)
        self._asking: dict[str, Json] = {}
        """The tables that ask for bots, by game."""
        self._sat: dict[str, float] = {}
        """Since when it sits at tables, by the clock of the loop; for earlier ones, since it started."""
        self._avoided: set[str] = set()
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._news = asyncio.Event()
        self._stopping = asyncio.Event()
        self._away = False

    def stop(self) -> None:
        """Sit down no more, leave tables that have not begun, and finish the running games."""
        self._stopping.set()
        self._news.set()

    async def run(self) -> None:
        """Look for games and play them, until stopped. Raises `TokenRevoked` and `BadLobbyFile`."""
        try:
            async with self._client, asyncio.TaskGroup() as group:
                self._say(f"{self._player.name} is at {self._player.server}.")
                for game in self._player.games:
                    self._say(f"{self._player.name} continues game {game}.")
                    self._play(group, game)
                others = [group.create_task(self._follow()), group.create_task(self._tidy(WAITS))]
                await self._sit_down(group)
                for task in others:
                    task.cancel()
                if self._playing:
                    self._say(
                        f"{self._player.name} finishes its games and joins no others. Interrupt again to stop now."
                    )
                    leaving = group.create_task(self._tidy(0))
                    await asyncio.wait(self._playing.values())
                    leaving.cancel()
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None

    async def _follow(self) -> None:
        """Keep track of the tables that ask for bots."""
        pause = PAUSE
        while True:
            try:
                async with aclosing(self._client.lobby(bots=True)) as items:
                    async for item in items:
                        pause = PAUSE
                        self._is_back()
                        if item["type"] == "LobbyHead":
                            self._asking.clear()
                        elif item["type"] == "TableGone":
                            self._asking.pop(item["game"], None)
                        elif item["type"] == "TableListed":
                            self._asking[item["table"]["game"]] = item["table"]
                            self._news.set()
            except (HttpProblem, ServerAway) as error:
                self._failed(error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _sit_down(self, group: asyncio.TaskGroup) -> None:
        """Take seats for bots while there is room, until stopped."""
        while not self._stopping.is_set():
            await self._news.wait()
            self._news.clear()
            for game, table in list(self._asking.items()):
                if self._stopping.is_set() or len(self._player.games) >= self._wishes.games:
                    break
                del self._asking[game]  # the stream sends it again as soon as anything about it changes
                wanted = table["ruleset"] in self._wishes.strategies and game not in self._avoided
                if wanted and game not in self._player.games and await self._may_sit(table):
                    await self._sit(group, table)

    async def _may_sit(self, table: Json) -> bool:
        """Whether a table is open to it, or it is invited."""
        if not table["closed"]:
            return True
        try:
            listed = await self._client.get_object("/v1/games", invited="true", ruleset=table["ruleset"], limit=100)
        except (HttpProblem, ServerAway) as error:
            self._failed(error)
            return False
        return any(invited["game"] == table["game"] for invited in listed["games"])

    async def _sit(self, group: asyncio.TaskGroup, table: Json) -> None:
        """Take one of the seats for bots at a table, if one is still free."""
        game = str(table["game"])
        self._save({**self._player.games, game: str(table["ruleset"])})  # first, so that the game can be resumed
        for seat in table["bots"]:
            try:
                await self._client.take_seat(game, seat, uuid4().hex)
            except HttpProblem as problem:
                if problem.code == "seat_taken":  # another bot was faster
                    continue
                if problem.status != 409:
                    self._failed(problem)
                elif problem.code == "too_many_open_games":
                    self._say(problem.detail)
                break
            except ServerAway as error:  # nobody knows whether it has the seat: playing the seat will show
                self._failed(error)
            else:
                self._say(f"{self._player.name} sits on seat {seat + 1} of game {game} ({table['ruleset']}).")
            self._play(group, game)
            return
        self._drop(game)

    def _play(self, group: asyncio.TaskGroup, game: str) -> None:
        self._sat[game] = asyncio.get_running_loop().time()
        self._playing[game] = group.create_task(self._played(game))

    async def _played(self, game: str) -> None:
        """Play a game to its end, or as long as it has a seat there."""
        for _ in range(DEATHS):
            ended = await self._ended(game)
            if ended is not None:
                break
            await asyncio.sleep(PAUSE)
        else:
            ended = SeatEnded("failed", "The strategy keeps ending its process.")
        if ended.how == "unknown":
            raise TokenRevoked(ended.text)
        lines = [f"{self._player.name} left."] if game in self._avoided else ended.text.splitlines()
        for line in lines[-1:] if ended.how == "failed" else lines:
            self._say(f"{game}: {line}")
        if ended.how == "failed":
            where = None if ended.trouble is None else keep(ended.trouble, self._wishes.troubles)
            self._say(f"{game}: {self._player.name} gives up." + (f" The position is in {where}." if where else ""))
            await self._resign(game)
        del self._playing[game]
        self._drop(game)
        self._news.set()

    async def _ended(self, game: str) -> SeatEnded | None:
        """Play in a separate process. Returns None if that died."""
        ruleset = self._player.games[game]
        seat = LobbySeat(
            self._player.server,
            self._player.token,
            game,
            ruleset,
            self._wishes.strategies[ruleset],
            Random(f"{self._wishes.seed} {game}").getrandbits(31),
            self._wishes.seconds,
        )
        command = (sys.executable, "-m", "mcmulti.bots.seats.lobby_seat")
        # In its own session: a signal from the terminal to this process must not end the game.
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, start_new_session=True)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with suppress(RuntimeError):  # uvloop raises it if the process has already ended
                process.stdin.write(msgspec.json.encode(seat) + b"\n")
            said = await process.stdout.read()
            await process.wait()
            return msgspec.json.decode(said, type=SeatEnded)
        except msgspec.DecodeError:
            return None
        finally:
            if process.returncode is None:
                process.kill()

    async def _resign(self, game: str) -> None:
        """Leave the game, so that nobody waits for the seat."""
        self._avoided.add(game)
        ways = ["LeaveSeat", "Resign"]  # the first one before the game has begun, the second one afterward
        while ways:
            try:
                await self._client.send(game, [{"type": ways[0]}])
            except ServerAway as error:
                self._failed(error)
                await asyncio.sleep(PAUSE)
            except HttpProblem as problem:
                if problem.status != 409:
                    self._failed(problem)
                ways.pop(0)
            else:
                return

    async def _tidy(self, waits: float) -> None:
        """Leave tables that have not begun after waiting there for this many seconds."""
        while True:
            await self._leave(asyncio.get_running_loop().time() - waits)
            await asyncio.sleep(TIDY)

    async def _leave(self, before: float) -> None:
        """Leave tables that have not begun and at which it has sat since before then. The seat's process notices."""
        try:
            tables = (await self._client.get_object("/v1/games", mine="true", status="open", limit=100))["games"]
            for game in [table["game"] for table in tables if self._sat.get(table["game"], before) < before]:
                self._avoided.add(game)
                try:
                    await self._client.send(game, [{"type": "LeaveSeat"}])
                except HttpProblem as problem:
                    self._avoided.discard(game)
                    if problem.status != 409:  # it begins at this moment, and is played
                        raise
        except (HttpProblem, ServerAway) as error:
            self._failed(error)

    def _save(self, games: dict[str, str]) -> None:
        self._player = replace(self._player, games=games)
        write_lobby_player(self._path, self._player)

    def _drop(self, game: str) -> None:
        self._save({other: ruleset for other, ruleset in self._player.games.items() if other != game})

    def _failed(self, error: HttpProblem | ServerAway) -> None:
        """Report an error; if the server is down, only once. Raises `TokenRevoked`."""
        if isinstance(error, HttpProblem) and error.status == UNKNOWN:
            raise TokenRevoked(error.detail)
        if isinstance(error, HttpProblem) or not self._away:
            self._say(str(error))
        self._away = isinstance(error, ServerAway)

    def _is_back(self) -> None:
        if self._away:
            self._say("The server is back.")
        self._away = False

"""All games of a player in one stream: your turn, game over."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple
from uuid import UUID

from mcmulti.api import stream
from mcmulti.api.stream import Format
from mcmulti.api.stream_items import GameOver, YourTurn
from mcmulti.events.envelope import Recorded
from mcmulti.events.log import Log, LogUnavailable
from mcmulti.referee import GLANCE, Referee
from mcmulti.watch import Position

GAMES = 1000
"""How many running games of a player are followed, the youngest."""
ENDED = 100
"""How many games that have ended are kept for readers that were not told yet."""


class Standing(NamedTuple):
    """A game from a player's seat: event number of its head, and what there is to tell the player, if anything."""

    seq: int
    news: YourTurn | GameOver | None


class PlayerWatch:
    """The games of one player. All of the player's streams share it."""

    def __init__(self, player_id: UUID) -> None:
        self.readers = 0
        self.games: dict[UUID, Standing] = {}
        self.waiting: set[UUID] = set()
        """Games that were open at the last look."""
        self._player_id = player_id
        self._bell = asyncio.Event()

    def show(self, position: Position, events: Sequence[Recorded] = ()) -> None:
        """A game stands there now; `events` are the last of those that led there, where they are known."""
        before = self.games.get(position.game_id)
        seat = position.seat_of(self._player_id)
        if seat is None or (before is not None and position.head.seq <= before.seq):
            return
        news = _news(position, seat)
        if before is not None and isinstance(before.news, YourTurn) and isinstance(news, YourTurn):
            known = bool(events) and events[0].seq <= before.seq + 1
            if known and all(event.actor in (None, seat) for event in events if event.seq > before.seq):
                news = before.news  # nobody else moved: it is the same turn still
        self.games.pop(position.game_id, None)  # so that the games that ended stand in the order of their ends
        self.games[position.game_id] = Standing(position.head.seq, news)
        for game_id in self.ended()[:-ENDED]:
            del self.games[game_id]
        self._bell.set()
        self._bell = asyncio.Event()

    def running(self) -> dict[UUID, Standing]:
        """The games that go on."""
        return {game_id: standing for game_id, standing in self.games.items() if not _over(standing)}

    def ended(self) -> list[UUID]:
        """The games that have ended, in the order of their ends."""
        return [game_id for game_id, standing in self.games.items() if _over(standing)]

    async def rung(self, wait: float) -> bool:
        """Whether a game moves within `wait` seconds from now."""
        try:
            async with asyncio.timeout(wait):
                await self._bell.wait()
        except TimeoutError:
            return False
        return True


class Turns:
    """Knows the standings of all players that have a stream open, whichever process appends to their games."""

    def __init__(self, log: Log, referee: Referee) -> None:
        self._log = log
        self._referee = referee
        self._watches: dict[UUID, PlayerWatch] = {}
        self._lookout: asyncio.Task[None] | None = None
        referee.followers.append(self._show)

    @asynccontextmanager
    async def watching(self, player_id: UUID) -> AsyncIterator[PlayerWatch]:
        """Keep an eye on a player's games. Raises `LogUnavailable`."""
        watch = self._watches.setdefault(player_id, PlayerWatch(player_id))
        watch.readers += 1
        try:
            await self._look(player_id, watch)
            if self._lookout is None:
                self._lookout = asyncio.create_task(self._look_out())
            yield watch
        finally:
            watch.readers -= 1
            if watch.readers == 0:
                del self._watches[player_id]

    def _show(self, position: Position, events: Sequence[Recorded]) -> None:
        if self._watches and position.ruleset.status(position.state) != "open":
            for player in position.ruleset.players(position.state):
                watch = None if player is None else self._watches.get(UUID(player))
                if watch is not None:
                    watch.show(position, events)

    async def _look_out(self) -> None:
        """Look after every player, one by one, until nobody is watched."""
        try:
            await asyncio.sleep(GLANCE)
            while self._watches:
                with suppress(LogUnavailable):
                    for player_id, watch in list(self._watches.items()):
                        if watch.readers:
                            await self._look(player_id, watch)
                await asyncio.sleep(GLANCE)
        finally:
            self._lookout = None

    async def _look(self, player_id: UUID, watch: PlayerWatch) -> None:
        """Two queries if no game has moved; games that are neither running nor open any more have ended."""
        known = watch.running()
        waiting = {game.game_id for game in await self._log.games(GAMES, status="open", player_id=player_id)}
        games = await self._log.games(GAMES, status="running", player_id=player_id)
        begun = watch.waiting - waiting - known.keys()  # a game of bots may be over before it is seen to run
        watch.waiting = waiting
        moved = [game.game_id for game in games if game.game_id not in known or known[game.game_id].seq < game.head.seq]
        ended = (known.keys() | begun) - {game.game_id for game in games} if len(games) < GAMES else set()
        for game_id in (*moved, *ended):
            watch.show(await self._referee.position(game_id))


async def chunks(turns: Turns, player_id: UUID, form: Format) -> AsyncGenerator[bytes, None]:
    """A player's stream as it is written: first the games that wait for the player, then what happens.

    While the database is away it goes on with heartbeats.
    """
    yield form.opening or form.heartbeat
    while True:
        try:
            async with turns.watching(player_id) as watch:
                told = {game_id: watch.games[game_id].news for game_id in watch.ended()}
                while True:
                    fresh = {id: standing.news for id, standing in watch.games.items() if told.get(id) != standing.news}
                    told = {id: standing.news for id, standing in watch.games.items()}
                    items = [form.item(news, None) for news in fresh.values() if news is not None]
                    if items:
                        yield b"".join(items)
                    elif not await watch.rung(stream.HEARTBEAT):
                        yield form.heartbeat
        except LogUnavailable:
            yield form.heartbeat
            await asyncio.sleep(GLANCE)


def _news(position: Position, seat: int) -> YourTurn | GameOver | None:
    if position.ruleset.status(position.state) == "finished":
        winners = getattr(position.ruleset.view(position.state, None), "winners", ())
        return GameOver(position.game_id, position.head.seq, winners)
    if seat in position.ruleset.to_move(position.state):
        return YourTurn(position.game_id, position.head.seq, seat)
    return None


def _over(standing: Standing) -> bool:
    return isinstance(standing.news, GameOver)

"""Looks at where games stand: one query answers all who ask meanwhile."""

import asyncio
from uuid import UUID

from mcmulti.events.envelope import Head
from mcmulti.events.log import Log, LogError, UnknownGame


class Glances:
    """Asks a log for heads. Who asks while a query is under way is answered by the next one, with all others who do."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._asked: dict[UUID, asyncio.Future[Head | LogError]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def head(self, game_id: UUID) -> Head:
        """Where a game stands, at this moment or later. Raises `UnknownGame` and `LogUnavailable`."""
        answer = self._asked.get(game_id)
        if answer is None:
            answer = self._asked[game_id] = asyncio.get_running_loop().create_future()
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        found = await asyncio.shield(answer)  # others wait for it, too
        if isinstance(found, LogError):
            raise found
        return found

    async def _ask(self) -> None:
        try:
            while self._asked:
                asked, self._asked = self._asked, {}
                try:
                    heads: dict[UUID, Head] | LogError = await self._log.heads(list(asked))
                except LogError as error:
                    heads = error
                for game_id, answer in asked.items():
                    answer.set_result(
                        heads
                        if isinstance(heads, LogError)
                        else heads.get(game_id, UnknownGame(f"there is no game {game_id}"))
                    )
        finally:
            self._asking = None

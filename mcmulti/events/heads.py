"""Loads heads in batches: one query answers all who ask meanwhile."""

import asyncio
from collections.abc import Mapping
from copy import copy
from uuid import UUID

from mcmulti.events.envelope import Head
from mcmulti.events.log import Log, LogError, LogUnavailable, UnknownGame

TURNS = 3
"""Turns of the event loop between two queries. Who was answered in one and asks again at once comes along in the next:
otherwise those who ask all the time would do so in two halves, with twice as many queries."""
Asked = dict[UUID, list[asyncio.Future[Head]]]
"""Who waits for an answer, by game: each for one of its own, so that who leaves takes nobody else along."""


class HeadLoader:
    """Asks a log for heads. Who asks while a query is under way is answered by the next one, with all others who do."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._asked: Asked = {}
        self._asking: asyncio.Task[None] | None = None

    async def head(self, game_id: UUID) -> Head:
        """Where a game stands, at this moment or later. Raises `UnknownGame` and `LogUnavailable`."""
        answer: asyncio.Future[Head] = asyncio.get_running_loop().create_future()
        waiting = self._asked.get(game_id)
        if waiting is None:
            self._asked[game_id] = [answer]
        else:
            waiting.append(answer)
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        return await answer

    async def _ask(self) -> None:
        asked: Asked = {}
        try:
            while self._asked:
                asked, self._asked = self._asked, {}
                try:
                    heads = await self._log.heads(list(asked))
                except LogError as error:
                    _fail(asked, error)
                else:
                    _answer(asked, heads)
                    for _ in range(TURNS):
                        await asyncio.sleep(0)
        finally:
            self._asking = None
            left, self._asked = self._asked, {}
            for waiting in (asked, left):  # some are left only when this task was cancelled
                _fail(waiting, LogUnavailable("nobody looks into the log any more"))


def _answer(asked: Asked, heads: Mapping[UUID, Head]) -> None:
    for game_id, answers in asked.items():
        head = heads.get(game_id)
        if head is None:
            _fail({game_id: answers}, UnknownGame(f"there is no game {game_id}"))
            continue
        for answer in answers:
            if not answer.done():  # who asked may have left
                answer.set_result(head)


def _fail(asked: Asked, error: LogError) -> None:
    for answers in asked.values():
        for answer in answers:
            if not answer.done():
                answer.set_exception(copy(error))  # each raises its own, with a traceback of its own

"""Loads heads in batches: one query a node answers all who ask meanwhile."""

import asyncio
from collections.abc import Mapping
from copy import copy
from uuid import UUID

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.errors import LogError, LogUnavailable, UnknownGame
from mcmulti.events.ports.game_index import GameIndex

TURNS = 3
"""Turns of the event loop between two queries. Who was answered in one and asks again at once comes along in the next:
otherwise those who ask all the time would do so in two halves, with twice as many queries."""
Asked = dict[UUID, list[asyncio.Future[Head]]]
"""Who waits for an answer, by game: each for one of its own, so that who leaves takes nobody else along."""


class HeadLoader:
    """Asks a log for heads. Who asks while a query is under way is answered by the next one, with all others who do.

    Each node has queries of its own: one that does not answer keeps nobody waiting for the others.
    """

    def __init__(self, log: GameIndex) -> None:
        self._log = log
        self._asked: dict[int, Asked] = {}
        """Of each node that is asked at the moment, who waits for the query after this one."""
        self._asking: dict[int, asyncio.Task[None]] = {}

    async def head(self, game_id: UUID) -> Head:
        """Where a game stands, at this moment or later. Raises `UnknownGame` and `LogUnavailable`."""
        answer: asyncio.Future[Head] = asyncio.get_running_loop().create_future()
        node = self._log.node_of(game_id)
        asked = self._asked.get(node)
        if asked is None:
            self._asked[node] = {game_id: [answer]}
            self._asking[node] = asyncio.create_task(self._ask(node))
        elif game_id in asked:
            asked[game_id].append(answer)
        else:
            asked[game_id] = [answer]
        return await answer

    async def _ask(self, node: int) -> None:
        asked: Asked = {}
        try:
            while asked := self._asked[node]:
                self._asked[node] = {}
                try:
                    heads = await self._log.heads(list(asked))
                except LogError as error:
                    _fail(asked, error)
                else:
                    _answer(asked, heads)
                    for _ in range(TURNS):
                        await asyncio.sleep(0)
        finally:
            left = self._asked.pop(node)
            del self._asking[node]
            if asked:  # this task was cancelled, or the log has a fault
                _fail(asked, LogUnavailable("nobody looks into the log any more"))
                _fail(left, LogUnavailable("nobody looks into the log any more"))


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

"""Loads heads in batches: one query per node answers all callers that wait."""

import asyncio
from collections.abc import Mapping
from copy import copy
from uuid import UUID

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.errors import LogError, LogUnavailable, UnknownGame
from mcmulti.events.ports.game_index import GameIndex

TURNS = 3
"""Turns of the event loop between two queries, so that callers who ask again at once join the next query. Otherwise
steady callers would split into two halves, with twice as many queries.
"""
Asked = dict[UUID, list[asyncio.Future[Head]]]
"""Waiting callers by game, each with its own future, so that canceling one does not affect others."""


class HeadLoader:
    """Queries a log for heads. Callers during a query are answered together by the next one.

    Each node has its own queries, so that one that does not answer does not delay the others.
    """

    def __init__(self, log: GameIndex) -> None:
        self._log = log
        self._asked: dict[int, Asked] = {}
        """For each node with a query in progress, the callers that wait for the next one."""
        self._asking: dict[int, asyncio.Task[None]] = {}

    async def head(self, game_id: UUID) -> Head:
        """The head of a game, at this moment or later. Raises `UnknownGame` and `LogUnavailable`."""
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
                    _deliver(asked, heads)
                    for _ in range(TURNS):
                        await asyncio.sleep(0)
        finally:
            left = self._asked.pop(node)
            del self._asking[node]
            if asked:  # this task was canceled, or the log has a fault
                _fail(asked, LogUnavailable("nobody looks into the log anymore"))
                _fail(left, LogUnavailable("nobody looks into the log anymore"))


def _deliver(asked: Asked, heads: Mapping[UUID, Head]) -> None:
    for game_id, answers in asked.items():
        head = heads.get(game_id)
        if head is None:
            _fail({game_id: answers}, UnknownGame(f"there is no game {game_id}"))
            continue
        for answer in answers:
            if not answer.done():  # the caller may be gone
                answer.set_result(head)


def _fail(asked: Asked, error: LogError) -> None:
    for answers in asked.values():
        for answer in answers:
            if not answer.done():
                answer.set_exception(copy(error))  # each needs its own exception and traceback

"""Follow a game by its stream, which is resumed whenever it breaks off."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import NamedTuple
from uuid import UUID

import msgspec

from mcmulti.client.client import Client, HttpProblem, stream_item
from mcmulti.client.json_object import Json
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import EventItem, recorded


class Moved(NamedTuple):
    """The news: events, in order, and the table after them.

    `away`: the connection is lost, and the client is reconnecting; the next one without it means that it is back.
    `anew`: the log went back, so these events are the complete log.
    """

    events: tuple[Recorded, ...] = ()
    table: Json | None = None
    away: bool = False
    anew: bool = False


async def followed(client: Client, game: UUID, after: int = 0) -> AsyncGenerator[Moved, None]:
    """Follow a game after event `after` to its end. Raises `HttpProblem`, like the client."""
    anew = False
    while True:
        try:
            async with aclosing(_followed(client, game, after, anew)) as stream:
                async for moved in stream:
                    after = moved.events[-1].seq if moved.events else after
                    anew = anew and not moved.events
                    yield moved
            return
        except _WentBack:
            after, anew = 0, True


class _WentBack(Exception):
    """What was received of the log may no longer be true."""


async def _followed(client: Client, game: UUID, after: int, anew: bool) -> AsyncGenerator[Moved, None]:
    came: list[Recorded] = []
    try:
        async with aclosing(client.lines(str(game), after)) as lines:
            async for line in lines:
                if line is None:
                    yield Moved(away=True)
                    continue
                item = stream_item(line)
                if "rule" in item:
                    came.append(_event(game, line))
                elif item["type"] == "WentBack":
                    raise _WentBack
                elif item["type"] in ("StreamHead", "TableMoved"):
                    yield Moved(tuple(came), item.get("table"), anew=anew and bool(came))
                    anew = anew and not came
                    came = []
    except HttpProblem as problem:
        if problem.code == "unknown_moment":
            raise _WentBack from problem
        raise


def _event(game: UUID, line: str) -> Recorded:
    try:
        return recorded(game, msgspec.json.decode(line, type=EventItem))
    except (ValueError, RecursionError) as error:
        raise HttpProblem(200, {"detail": f"The server sent an unreadable event: {error}."}) from error

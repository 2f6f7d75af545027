"""The lobby as a stream: the matching tables, and their changes."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from itertools import islice
from uuid import UUID

from msgspec import Struct

from mcmulti.api.streams import writing as stream
from mcmulti.api.streams.items import LobbyHead, Stopping, TableGone, TableListed
from mcmulti.api.streams.tables import Lobby
from mcmulti.api.streams.writing import Format
from mcmulti.api.telling.ladder import LadderBoard
from mcmulti.api.telling.rated import seated
from mcmulti.api.telling.tables import TableView
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import GamesWanted
from mcmulti.referee.feed import POLL

PAGE = 100
"""The most items sent together."""


def _news(rows: dict[UUID, TableView], told: dict[UUID, TableView], ladder: LadderBoard) -> Iterator[Struct]:
    """The items that bring a reader who has seen `told` up to date with `rows`."""
    for game in [game for game in told if game not in rows]:
        del told[game]
        yield TableGone(game)
    for game, table in rows.items():
        if told.get(game) is not table:
            told[game] = table
            yield TableListed(table, seated(ladder, (table,)))


async def chunks(
    lobby: Lobby, ladder: LadderBoard, wanted: GamesWanted, limit: int, form: Format
) -> AsyncGenerator[bytes, None]:
    """The encoded stream: the number of rows, the rows, and then changes, at most `limit` items after the head.

    While the database is down it goes on with heartbeats.
    """
    told: dict[UUID, TableView] | None = None
    yield form.opening
    await ladder.glance()
    while True:
        try:
            async with lobby.feed(wanted) as feed:
                while True:
                    written = []
                    if told is None:
                        told = {}
                        written.append(form.item(LobbyHead(len(feed.rows)), None))
                    some = islice(_news(feed.rows, told, ladder), min(limit, PAGE))
                    news = [form.item(item, None) for item in some]
                    limit -= len(news)
                    if written or news:
                        yield b"".join([*written, *news])
                    if limit == 0:
                        return
                    if lobby.stopping:
                        yield form.item(Stopping(), None)
                        return
                    if not news and not await feed.rung(stream.HEARTBEAT):
                        yield form.heartbeat
        except LogUnavailable:
            yield form.heartbeat
            await asyncio.sleep(POLL)

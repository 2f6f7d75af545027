"""A spectator that shows a game and its notable events. It uses only the HTTP API."""

import asyncio

import msgspec
from msgspec import UNSET

from mcmulti.api.readings.replay import Replay
from mcmulti.api.telling.wire import Events
from mcmulti.cli.demo.display import Display
from mcmulti.cli.demo.faces.face import Face, Sight
from mcmulti.client.client import Client
from mcmulti.events.log.item import EventItem, open_data

PAUSE = 0.1
"""Seconds between two requests."""


class Onlooker:
    """Follows a game."""

    def __init__(self, client: Client, game: str, face: Face) -> None:
        self._client = client
        self._game = game
        self._face = face
        self._sight = Sight({})

    async def watch(self, display: Display) -> None:
        """Show the game until it is over."""
        seq = 0
        while True:
            page = msgspec.json.decode(await self._client.events(self._game, seq, wait=25), type=Events)
            await self._look(page, display)
            seq = page.events[-1].seq if page.events else seq
            view = (await self._client.view(self._game))["view"]
            display.show(self._sight._replace(view=view))
            if view["status"] == "finished" and not await self._behind(seq):
                return
            await asyncio.sleep(PAUSE)

    async def _behind(self, seq: int) -> bool:
        page = msgspec.json.decode(await self._client.events(self._game, seq, limit=1), type=Events)
        return page.seq > seq

    def _tells(self, event: EventItem) -> bool:
        return event.data is not UNSET and self._face.tells(event.type, msgspec.json.decode(open_data(event)))

    async def _look(self, page: Events, display: Display) -> None:
        """The replay has a sentence for every event. Only the last of the notable ones are requested."""
        worth = [event.seq for event in page.events if self._tells(event)][-display.tells :] if display.tells else []
        wanted = [*worth, *(event.seq for event in page.events[-1:] if self._face.replayed)]
        if not wanted:
            return
        after: int | None = wanted[0] - 1
        while after is not None:
            content = await self._client.content(
                f"/v1/games/{self._game}/replay", after=after, until=wanted[-1], limit=1000
            )
            told = msgspec.json.decode(content, type=Replay)
            for frame in told.frames:
                if frame.seq in worth:
                    display.add_event(frame.happened[0].sentence)
                self._sight = Sight({}, frame.turn, [holding.amounts for holding in frame.holdings])
            after = told.next

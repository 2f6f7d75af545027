"""An onlooker at a game: what it sees, and what it finds worth telling. It knows the game by its HTTP API alone."""

import asyncio
from typing import Any

import msgspec

from mcmulti.api.wire import Events
from mcmulti.bots.client import Client
from mcmulti.demo.display import Display
from mcmulti.server import ServerError

PAUSE = 0.1
"""Seconds between two looks."""
MOST_TURNS = 2000
"""Many times what a game takes: beyond this nobody has anything left to act with."""


class Onlooker:
    """Follows one game."""

    def __init__(self, client: Client, game: str) -> None:
        self._client = client
        self._game = game
        self._names: dict[int, str] = {}

    async def watch(self, display: Display) -> None:
        """Show the game until it is over. Raises `ServerError` if it comes to a standstill."""
        seq = 0
        while True:
            page = await self._client.events(self._game, seq, wait=25)
            seq = await self._tell(page, seq, display)
            view = (await self._client.view(self._game))["view"]
            display.show(view)
            if view["status"] == "finished" and not await self._behind(seq):
                return
            if view["turn"] and view["turn"]["number"] > MOST_TURNS:
                raise ServerError(
                    "The game has come to a standstill: nobody has cash or assets left. Play another one."
                )
            await asyncio.sleep(PAUSE)

    async def _behind(self, seq: int) -> bool:
        page = msgspec.json.decode(await self._client.events(self._game, seq, limit=1), type=Events)
        return page.seq > seq

    async def _tell(self, content: bytes, seq: int, display: Display) -> int:
        for event in msgspec.json.decode(content, type=Events).events:
            seq = event.seq
            data = msgspec.json.decode(event.data)
            if event.type == "SeatTaken":
                self._names[data["seat"]] = data["name"]
            elif sentence := self._sentence(data):
                display.tell(sentence)
        return seq

    def _sentence(self, event: dict[str, Any]) -> str | None:
        """A happening that is worth telling; None for everyday business."""
        name = self._names.get(event.get("seat", -1), "")
        match event["type"]:
            case "OilStruck":
                return f"{name} strikes oil for {event['price']}."
            case "EconomyChanged" if event["before"] != event["after"]:
                return f"The economy turns from {words(event['before'])} to {words(event['after'])}."
            case "NewsTriggered":
                return f"News: {words(event['card'])}."
            case "AssetBought" if event["kind"] == "refinery":
                return f"{name} buys a refinery for {event['price']}."
            case "AssetSold" if event["kind"] in ("refinery", "well"):
                return f"{name} sells a {event['kind']} for {event['price']}."
            case "GasolineSold" if len(event["prices"]) > 2:
                return f"{name} sells {len(event['prices'])} barrels to the consumers for {sum(event['prices'])}."
            case "VictoryDeclared":
                return f"{name} declares victory with {event['cash']}."
        return None


def words(name: str) -> str:
    """A card's name for people."""
    return name.replace("_", " ")

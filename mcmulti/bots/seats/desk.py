"""House bots ask their server for secrets on standard output, and it answers on standard input."""

import asyncio
from collections.abc import Callable

import msgspec

from mcmulti.client.client import ServerAway

Say = Callable[..., None]
"""Receives what happened, and its fields."""


class Answered(msgspec.Struct, frozen=True):
    """A line of standard input: the question, and the answer, or None if the server cannot answer now."""

    asked: str
    answer: int | str | None


class Desk:
    """Asks for seeds and tokens. Each method raises `ServerAway` if the server cannot answer."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._waiting: dict[str, asyncio.Future[int | str | None]] = {}

    async def seed(self, game: str, seat: int) -> int:
        """The seed of a seat: a secret of the game, which everybody can compute once it is over."""
        return int(await self._ask("seed", game_id=game, seat=str(seat)))

    async def token(self, player: str) -> str:
        """A token of one of the house bots."""
        return str(await self._ask("token", player=player))

    def hear(self, line: bytes) -> None:
        """Process an answer of the server."""
        given = msgspec.json.decode(line, type=Answered)
        self._waiting.pop(given.asked).set_result(given.answer)

    async def _ask(self, event: str, **of: str) -> int | str:
        asked = " ".join((event, *of.values()))
        if asked not in self._waiting:
            self._waiting[asked] = asyncio.get_running_loop().create_future()
            self._say(event, **of)
        answer = await asyncio.shield(self._waiting[asked])
        if answer is None:
            raise ServerAway(f"The server cannot provide the {event} at the moment.")
        return answer

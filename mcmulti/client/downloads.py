"""Finished games of a server, one after another, whatever happens to the connection."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import NamedTuple
from uuid import UUID

import msgspec

from mcmulti.client.addresses import without_password
from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.events.store.game_file import read

_PAUSE = 0.5
_PATH = "/v1/games/finished"


class FinishedFile(NamedTuple):
    """A finished game: its file; None if the server's log of it is damaged. `next`: continues after it."""

    game: UUID
    file: bytes | None
    next: str


class _Item(msgspec.Struct, frozen=True):
    """An item of the stream, as far as it matters here."""

    type: str
    game: UUID | None = None
    damaged: bool = False
    next: str | None = None
    more: bool = False


class FileReader:
    """Reads the lines of one response. `is_over`: whether its last one was read, and `more` whether games are left."""

    def __init__(self) -> None:
        self.is_over = False
        self.more = False
        self._lines: list[bytes] = []

    def read_line(self, line: bytes) -> FinishedFile | None:
        """Read a line. Returns the file that it completes. Raises ValueError if it does not belong there."""
        try:
            item = msgspec.json.decode(line, type=_Item)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
        if item.type == "DownloadEnd":
            self.is_over, self.more = True, item.more
        elif item.type != "FileEnd":
            self._lines.append(line)
        elif item.game is None or item.next is None:
            raise ValueError("a file ends without the id of its game")
        elif item.damaged:
            return FinishedFile(item.game, None, item.next)
        else:
            lines, self._lines = self._lines, []
            if (game := read(lines).file.game) != item.game:
                raise ValueError(f"the file of game {game} ends as game {item.game}")
            return FinishedFile(item.game, b"".join(line + b"\n" for line in lines), item.next)
        return None


async def finished_games(client: Client, after: str | None = None, **wanted: str) -> AsyncGenerator[FinishedFile, None]:
    """The finished games that a server publishes, in the order of their ends, from after a `next` on.

    `wanted`: the filters of `downloadGames`. If the connection breaks, it continues after the last complete game.
    Raises `HttpProblem`, and `ServerAway` if no game was completed within the client's patience.
    """
    deadline, server = time.monotonic() + client.patience, without_password(client.server)
    while True:
        begun = {} if after is None else {"after": after}
        reader = FileReader()
        async with aclosing(client.pieces(_PATH, **wanted, **begun)) as pieces:
            async for line in _complete_lines(pieces):
                try:
                    found = reader.read_line(line)
                except ValueError as error:
                    reason = str(error).rstrip(".")
                    raise HttpProblem(
                        200, {"detail": f"{server} sends games that cannot be read: {reason}."}
                    ) from error
                if found is not None:
                    after, deadline = found.next, time.monotonic() + client.patience
                    yield found
        if reader.is_over and not reader.more:
            return
        if not reader.is_over or begun.get("after") == after:
            if time.monotonic() > deadline:
                raise ServerAway(f"The server at {server} breaks off before a game is complete.")
            await asyncio.sleep(_PAUSE)


async def _complete_lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The complete lines in these pieces, without line feeds."""
    rest: list[bytes] = []
    async for piece in pieces:
        first, *others = piece.split(b"\n")
        rest.append(first)
        for other in others:
            yield b"".join(rest)
            rest = [other]

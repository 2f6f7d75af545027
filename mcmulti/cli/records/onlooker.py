"""A spectator that shows a game while it is played: its board on a terminal, elsewhere a line now and then."""

import asyncio
import time
from contextlib import nullcontext
from uuid import UUID

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from mcmulti.cli.replay.live import LiveStory
from mcmulti.cli.replay.printed import moment
from mcmulti.client.client import Client
from mcmulti.client.following import Moved
from mcmulti.client.sources import fetched
from mcmulti.projections.terminal.board import LEAST, fitted

TOLD = 5
"""The most events that are shown below a board."""
PAUSE = 0.1
"""Seconds between two requests."""
PLAIN_SECONDS = 2.0
"""Seconds between two lines without a terminal."""


class Onlooker:
    """Follows a game by the HTTP API alone, as anybody can. `live`: what it has seen."""

    def __init__(self, client: Client, game: str, console: Console) -> None:
        self._client, self._game, self._console = client, game, console
        self.live = LiveStory(client, UUID(game))
        self._next_line = 0.0

    async def watch(self) -> None:
        """Show the game until it is over."""
        screen = Live(console=self._console, auto_refresh=False, transient=True) if self._console.is_terminal else None
        seq, running = 0, True
        with screen or nullcontext():
            while running:
                await self._client.events(self._game, seq, limit=1, wait=25)
                await self.live.receive(Moved(tuple(await fetched(self._client, self._game, seq))))
                story = self.live.story
                seq, running = story.last, story.ruleset.status(story.state(story.last)) != "finished"
                if screen is not None:
                    screen.update(self.picture(), refresh=True)
                elif time.monotonic() >= self._next_line and (line := self.in_a_line()):
                    self._next_line = time.monotonic() + PLAIN_SECONDS
                    self._console.print(line, highlight=False, soft_wrap=True)
                await asyncio.sleep(PAUSE)

    def picture(self) -> RenderableType:
        """The board in the height of the terminal, and the latest events below it."""
        story, room = self.live.story, self._console.height - 2
        picture = story.picture(story.last, "en")
        board = fitted(picture, LEAST, room - 1) if picture else Text("\n".join(moment(story, story.last, "en")))
        told = [line.sentence for line in story.lines("en") if not line.quiet]
        most = min(TOLD, max(room - board.plain.count("\n") - 1, 1))
        news = [Text(f"  {sentence}", "dim", no_wrap=True, overflow="ellipsis") for sentence in told[-most:]]
        return Group(board, *news)

    def in_a_line(self) -> str:
        """The turn, what is in force, and everybody's money, in one line; empty before anybody has any."""
        story = self.live.story
        picture = story.picture(story.last, "en")
        title = f"Turn {story.turn(story.last)}" if picture is None else picture.title
        cards = [card.name for card in picture.cards if card.rows and card.name] if picture else []
        money = ", ".join(f"{row.name} {row.has[0]:,}" for row in story.rows(story.last, "en"))
        return f"{', '.join((title, *cards))}: {money}" if money else ""

"""The replay of a game in progress. It follows the game unless you look back."""

from uuid import UUID

from mcmulti.cli.replay.application import ReplayApp
from mcmulti.cli.replay.live import LiveStory
from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.client.following import Moved, followed
from mcmulti.client.sources import SourceError
from mcmulti.domain.core.wording.telling import Language


class WatchApp(ReplayApp):
    """The replay of a game on a server, which grows with the game. `live` holds what has arrived already.

    `failure`: why it ended, if you did not quit.
    """

    def __init__(self, client: Client, game: UUID, live: LiveStory, language: Language) -> None:
        last = live.story.last
        super().__init__(live.story, 1, last, last, "event", language)
        self._client, self._game, self._live = client, game, live
        self.failure: str | None = None

    def on_mount(self) -> None:
        """Follow the game."""
        super().on_mount()
        self.run_worker(self._follow(), exit_on_error=False)

    async def _follow(self) -> None:
        self._client.patience = float("inf")
        try:
            async for moved in followed(self._client, self._game, self._live.story.last):
                await self._take(moved)
        except (HttpProblem, ServerAway, SourceError) as problem:
            self.failure = str(problem)
            self.exit(None, 1)

    async def _take(self, moved: Moved) -> None:
        before, at_end = self._last, self._seq == self._last
        changed = await self._live.receive(moved)
        if self._live.begun:
            self.show_story(self._live.story)
        if moved.anew or (at_end and self._last > before):
            self._go(self._last)
        if self._live.away:
            self._say(self._labels.away)
        elif moved.anew:
            self._say(self._labels.went_back)
        elif changed == "back":
            self._say(self._labels.back)
        elif self._live.table.get("status") == "finished" and self._last > before:
            self._say(self._labels.over)
        elif not at_end and self._last > before:
            self._say(self._labels.went_on.format(events=self._last - self._seq))

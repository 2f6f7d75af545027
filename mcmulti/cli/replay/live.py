"""The story of a game in progress."""

from typing import Literal
from uuid import UUID

from mcmulti.cli.replay.story import Story
from mcmulti.client.client import Client
from mcmulti.client.following import Moved
from mcmulti.client.json_object import Json
from mcmulti.client.sources import called_at
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.store.game_file import players_in
from mcmulti.events.store.redaction import legible

Connection = Literal["", "away", "back"]
"""How the connection to the server changed: lost, restored, or not at all. The labels of replays have the words."""


class LiveStory:
    """What is known of a game so far, as the client's player can see it. Empty before the first events arrive.

    `table`: the latest version of the table. `away`: the connection is lost, and the client is reconnecting.
    """

    def __init__(self, client: Client, game: UUID) -> None:
        self._client, self._game = client, game
        self._events: list[Recorded] = []
        self._story: Story | None = None
        self.table: Json = {}
        self.away = False

    @property
    def begun(self) -> bool:
        """Whether anything is known."""
        return self._story is not None

    @property
    def story(self) -> Story:
        """The story so far. It is a new object if moves were taken back, or a new player sat down."""
        assert self._story is not None, "nothing received yet"
        return self._story

    async def receive(self, moved: Moved) -> Connection:
        """Add what arrived. Returns how the connection changed. Raises `Unplayable` if it does not continue the
        story.
        """
        changed: Connection = "" if moved.away == self.away else "away" if moved.away else "back"
        self.away = moved.away
        self.table = moved.table or self.table
        if moved.anew:
            self._events, self._story = [], None
        if moved.events:
            self._events += moved.events
            events = legible(self._events)
            if self._story is None or not players_in(moved.events) <= self._story.called.keys():
                self._story = Story(events, await called_at(self._client, str(self._game), events))
            else:
                self._story.go_on(events[self._story.last :])
        return changed

"""Cached games, and their attendants: additional work with commands, at tables whose terms need it, such as clocks."""

import asyncio
from collections import deque
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.standing import NOTHING, Reaction, Standing
from mcmulti.domain.core.course.terms import Terms
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.game_index import Access, Game, TableRow
from mcmulti.referee.ruling import Request, Ruling

ANSWERED = 16
"""The most keys of answered requests cached per game: repetitions come soon."""


class Decided(NamedTuple):
    """The decision on a request, to be appended at the position it was made for: from one standing to another, with the
    additions of capabilities.
    """

    position: Position
    before: Standing
    ruling: Ruling
    after: Standing
    request: Request
    now: datetime
    reaction: Reaction = NOTHING


class Attendant:
    """Takes care of something at some tables that does not follow from rules alone. By default, it does nothing."""

    def attends(self, terms: Terms) -> bool:
        """Whether a table with these terms needs it."""
        raise NotImplementedError

    async def hold(self, game: "GameAtHand", game_id: UUID, request: Request) -> None:
        """Wait until a request may be decided. Others are decided meanwhile. Raises `Refused`."""

    async def admit(
        self, game: "GameAtHand", position: Position, before: Standing, request: Request, now: datetime
    ) -> None:
        """Check a request that is being decided. Raises `Refused`."""

    async def first(self, game: "GameAtHand", decided: Decided) -> Struct | None:
        """The server's own command that must precede the decision; None if there is none."""

    async def note(self, game: "GameAtHand", decided: Decided, stands: TableRow) -> TableRow:
        """Update other data in the log before the append. Returns the row to store for the game."""
        return stands


class GameAtHand:
    """A cached game: its last known position, its dice, and a lock for deciding commands.

    `terms`: the terms of its table. `attendants`: those it needs. `position`: None if nothing is known anymore.
    `owed`: a decision with draws that did not reach the log. `answered`: the idempotency keys of the latest requests
    that were answered here, of any player.
    """

    __slots__ = ("_stands", "answered", "attendants", "chance", "logged", "owed", "position", "terms", "turn")

    def __init__(self, position: Position, attendants: Sequence[Attendant]) -> None:
        self.position: Position | None = position
        self.terms = position.ruleset.terms(position.ruleset.setup_of(position.state))
        self.attendants = tuple(each for each in attendants if each.attends(self.terms))
        self._stands: Standing | None = None
        self.chance: SeededChance | None = None
        self.logged: Game | None = None
        self.owed: Decided | None = None
        self.answered: deque[str] = deque(maxlen=ANSWERED)
        self.turn = asyncio.Lock()

    def stands(self, position: Position) -> Standing:
        """Its standing at this position, computed once."""
        if self._stands is None or self._stands.state is not position.state:
            self._stands = self.terms.standing(position.state, position.head.seq)
        return self._stands

    def deadline_at(self, head: Head) -> datetime | None:
        """The deadline of the game at this head; None if it is not known, or there is none."""
        logged = self.logged
        return logged.standing.deadline or None if logged is not None and logged.head == head else None

    def forget(self) -> None:
        """Forget everything that the log said about this game."""
        self.position = self.chance = self.logged = None

    def opened(self, ruling: Ruling, stands: TableRow, opened_by: UUID | None, access: Access) -> None:
        """It was created in the log, so the log's row is known."""
        (event,), (game_id, ruleset, _, head) = ruling.events, ruling.position
        at = event.recorded_at
        names = game_id, ruleset.name, ruleset.version
        self.logged = Game(*names, stands.behind(None), head, at, at, opened_by, access)

    def moved(self, before: Head, ruling: Ruling, after: Standing, stands: TableRow) -> None:
        """This was appended after `before`. The log's row is now known if it was known before."""
        self._stands, logged = after, self.logged
        if logged is not None and logged.head == before:
            at = ruling.events[-1].recorded_at if ruling.events else logged.moved_at
            stands = stands.behind(logged.standing)
            self.logged = logged._replace(standing=stands, head=ruling.position.head, moved_at=at)

"""Attendants: additional work with commands, at tables whose terms need it, such as clocks and delayed answers."""

from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from msgspec import Struct

from mcmulti.domain.core.course.standing import NOTHING, Reaction, Standing
from mcmulti.domain.core.course.terms import Terms
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.game_index import Game, TableRow
from mcmulti.referee.ruling import Request, Ruling


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


class AtTable(Protocol):
    """What an attendant knows of a game."""

    terms: Terms
    logged: Game | None

    def deadline_at(self, head: Head) -> datetime | None:
        """The deadline of the game at this head; None if it is not known, or there is none."""


class Attendant:
    """Takes care of something at some tables that does not follow from rules alone. By default, it does nothing."""

    def attends(self, terms: Terms) -> bool:
        """Whether a table with these terms needs it."""
        raise NotImplementedError

    async def hold(self, game: AtTable, game_id: UUID, request: Request) -> None:
        """Wait until a request may be decided. Others are decided meanwhile. Raises `Refused`."""

    async def admit(self, game: AtTable, position: Position, before: Standing, request: Request, now: datetime) -> None:
        """Check a request that is being decided. Raises `Refused`."""

    async def first(self, game: AtTable, decided: Decided) -> Struct | None:
        """The server's own command that must precede the decision; None if there is none."""

    async def note(self, game: AtTable, decided: Decided, stands: TableRow) -> TableRow:
        """Update other data in the log before the append. Returns the row to store for the game."""
        return stands

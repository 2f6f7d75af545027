"""What goes on beside a command at tables whose terms need it: for clocks, for answers at a moment of their own."""

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
    """What was decided on a request, and has to be appended where it was decided: from one standing to another, with
    what capabilities add."""

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
        """The deadline that the game has at this head; None where it is not known, or there is none."""


class Attendant:
    """Sees to something at some tables that follows from no rule alone. What it does not do is nothing."""

    def attends(self, terms: Terms) -> bool:
        """Whether a table with these terms needs it."""
        raise NotImplementedError

    async def hold(self, game: AtTable, game_id: UUID, request: Request) -> None:
        """Wait until a request may be decided; others are meanwhile. Raises `Refused`."""

    async def admit(self, game: AtTable, position: Position, before: Standing, request: Request, now: datetime) -> None:
        """Look at a request that is decided now. Raises `Refused`."""

    async def first(self, game: AtTable, decided: Decided) -> Struct | None:
        """The command of the server's own that has to come before what was decided; None if none has."""

    async def note(self, game: AtTable, decided: Decided, stands: TableRow) -> TableRow:
        """See to what the log is told besides, before it is appended; and what it keeps of where the game stands."""
        return stands

"""Deadlines of games, and the time that players used."""

from datetime import datetime, timedelta
from uuid import UUID

import structlog
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.course.standing import Standing
from mcmulti.domain.core.course.terms import Terms
from mcmulti.events.log.positions import Position, seat_among
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from mcmulti.events.store.standing import moved
from mcmulti.metrics import TIME_GIVEN_BACK
from mcmulti.referee.attendant import Attendant, Decided, GameAtHand
from mcmulti.referee.ruling import Refused, Request

SECOND = timedelta(seconds=1)

_log = structlog.get_logger(__name__)


class Timekeeper(Attendant):
    """Keeps the time of games that do not wait forever."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def attends(self, terms: Terms) -> bool:
        return terms.deadlines is not None

    async def keep_time(self, game_id: UUID | None = None) -> None:
        """Record that time is kept, and give back time that was not, which is logged.

        With a `game_id`, time is kept for that game, and perhaps for others.
        """
        given_back = (await self._log.keep_time(game_id)).total_seconds()
        if given_back:
            TIME_GIVEN_BACK.inc(given_back)
            _log.warning("deadlines are moved after an outage", seconds=given_back)

    async def admit(
        self, game: GameAtHand, position: Position, before: Standing, request: Request, now: datetime
    ) -> None:
        """Refuse what comes after the deadline, even if the server has not acted on it yet."""
        deadlines = game.terms.deadlines
        if deadlines is None or not may_be_late(before, request.player):
            return
        deadline = await self._deadline(game, position)
        if deadline is not None and deadline <= now:
            deadline = await self._deadline(game, position, anew=True)
        if deadline is not None and deadline <= now:
            raise Refused(deadlines.late.rejection(), 0, position)

    async def first(self, game: GameAtHand, decided: Decided) -> Struct | None:
        """The server's statement about the time of a player whose stretch ended; None if that was in time."""
        position, before, _, after, request, now, _ = decided
        if not may_be_late(before, request.player):
            return None
        if overrun(before, after, game.deadline_at(position.head), now) is None:
            return None
        return overrun(before, after, await self._deadline(game, position, anew=True), now)

    async def note(self, game: GameAtHand, decided: Decided, stands: TableRow) -> TableRow:
        """Move the deadline. If more time is granted, time lost to outages is given back first."""
        position, due = decided.position, decided.reaction.due
        longer = due is not None and due.longer
        known = await self._deadline(game, position, anew=True) if longer else game.deadline_at(position.head)
        return replace(stands, deadline=moved(known, due, decided.now))

    async def _deadline(self, game: GameAtHand, position: Position, *, anew: bool = False) -> datetime | None:
        """The deadline of the game at this position; `anew`: give back time lost to outages first."""
        logged = game.logged
        if logged is None or logged.head != position.head or anew:
            if anew:
                await self.keep_time(position.game_id)
            logged = game.logged = await self._log.game(position.game_id)  # it may be a later one; the append will show
        return logged.deadline


def may_be_late(before: Standing, player: Player | None) -> bool:
    """Whether a player's command after the deadline is late."""
    deadlines = before.ruleset.deadlines
    if deadlines is None or before.pace is None or player is None:
        return False
    seat = seat_among(before.players, player.player_id)
    return seat is not None and (deadlines.overrun is None or seat in before.to_move)


def overrun(before: Standing, after: Standing, at: datetime | None, now: datetime) -> Struct | None:
    """The server's statement about a stretch that ends now: how much longer it took than it should have.

    `at`: its deadline. Rounded down to whole seconds.
    """
    was, deadlines = before.pace, before.ruleset.deadlines
    if deadlines is None or deadlines.overrun is None or was is None or at is None:
        return None
    if after.pace is not None and after.pace.stretch == was.stretch:
        return None
    over = now - (at - timedelta(seconds=was.closes_after - was.late_after))
    return deadlines.overrun(before.state, over // SECOND) if over >= SECOND else None

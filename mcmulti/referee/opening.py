"""Open games, and try commands out."""

import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from msgspec import Struct

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.course.standing import TenureChange
from mcmulti.domain.core.event import Event, SeriesTable
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.envelope import START, Head
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.game_index import FOR_ALL, Access
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import Notification
from mcmulti.events.store.standing import row
from mcmulti.metrics import DEADLINES_MISSED, HAPPENED, appended
from mcmulti.referee.clock import SteadyClock
from mcmulti.referee.deadlines import Timekeeper
from mcmulti.referee.questions import AnswerKeeper
from mcmulti.referee.receipts import Receipts
from mcmulti.referee.ruling import Request, Ruling, judge, opened


class Opener(Receipts):
    """Opens games, and tries commands out."""

    def __init__(self, log: Log, clock: Callable[[], datetime] | None = None) -> None:
        self.clock = clock or SteadyClock()
        self.time = Timekeeper(log)
        super().__init__(log, (self.time, AnswerKeeper(log, self._now, self.position)))

    async def open(
        self,
        ruleset: Ruleset[Any],
        setup: Struct,
        game_id: UUID | None = None,
        opened_by: UUID | None = None,
        access: Access = FOR_ALL,
        origin: Origin | None = None,
        notices: Sequence[Notification] = (),
        series: SeriesTable | None = None,
        secret: bytes | None = None,
    ) -> Ruling:
        """Open a game, by default with a new id, for the player who asks for it, if any.

        With an `origin`, it is a practice game. `notices`: messages about it. `series`: its place in a series, whose
        tables share a `secret` seed; all other games get one of their own. Raises `Refused` if the rule set refuses the
        setup, `BadPosition` if no game can begin like that, and `Conflict` if there is a game with this id.
        """
        game_id, secret, now = game_id or uuid4(), secret or secrets.token_bytes(32), self.clock()
        ruling = opened(ruleset, setup, game_id, SeededChance(secret, str(game_id)), opened_by, now, origin, series)
        stands = row(ruleset.terms(setup).standing(ruling.position.state), None)
        made = ruleset.name, ruleset.version, stands, secret, ruling.events, opened_by, access
        await self.log.create(game_id, *made, notices=notices)
        count(ruleset.name, ruling.happened, ())
        self._cache_game(ruling.position, ruling.events).opened(ruling, stands, opened_by, access)
        self.history.passed(START, ruling.position)
        return ruling

    async def dry_run(
        self, game_id: UUID, player: Player, commands: Sequence[Any], if_match: Collection[Head] | None = None
    ) -> Ruling:
        """What the commands would lead to, up to the first that draws or reveals sealed data; nothing is appended.

        Raises `Refused`, `Stale`, and `UnknownGame`.
        """
        position, game, now = await self.position(game_id), await self.hand(game_id), self.clock()
        request, before = Request(player, commands, if_match), game.terms.standing(position.state, position.head.seq)
        for attendant in game.attendants:
            await attendant.admit(game, position, before, request, now)
        return judge(position, before, request, None, now)

    def _now(self) -> datetime:
        return self.clock()


def count(ruleset: str, events: Sequence[Event], tenures: Sequence[TenureChange]) -> None:
    """Count events that were appended to a game of this rule set, and their changes in who plays."""
    appended(ruleset).inc(len(events))
    if tenures and (missed := sum(tenure.missed for tenure in tenures)):
        DEADLINES_MISSED.labels(ruleset).inc(missed)
    for event in events:
        if event.counted:
            HAPPENED[event.counted].labels(ruleset, getattr(event, "why")).inc()  # noqa: B009

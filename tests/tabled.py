"""The table of a game, built from its events."""

from collections.abc import Sequence
from uuid import UUID

from msgspec.structs import replace

from mcmulti.api.telling.tables import TableView, table
from mcmulti.domain.core.table import Called
from mcmulti.events.log.codec import opened_with
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.ports.accounts import Kind
from mcmulti.events.ports.game_index import Game
from mcmulti.events.store.standing import retraced


def tabled(
    events: Sequence[Recorded], called: Called, opened_by: UUID | None = None, *, kind: Kind | None, now: bool = True
) -> TableView:
    """The table after these events of a game whose players are all of one kind. It is of the past unless `now`."""
    first, last = events[0], events[-1]
    ruleset = opened_with(first)
    stands = retraced(ruleset, events)
    game = Game(
        first.game_id,
        ruleset.name,
        ruleset.version,
        stands if now else replace(stands, deadline=None),
        Head(last.seq, last.hash),
        first.recorded_at,
        last.recorded_at,
        opened_by,
    )
    return table(game, called, dict.fromkeys(filter(None, stands.players), kind))

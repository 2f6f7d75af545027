"""What a game's stream shows of the present: the reader's view, complete or as changes, and what its seat may do."""

from typing import Any

from msgspec import UNSET, Raw, UnsetType

from mcmulti.api.caching.tags import etag
from mcmulti.api.http.answers import encoded
from mcmulti.api.streams.items import YourView
from mcmulti.api.telling.decisions import offers_of
from mcmulti.api.telling.tables import Tables
from mcmulti.api.telling.wire import Offers, ViewForm
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.reports.patches import patch


class StreamedView:
    """One stream's view of a game. Changes refer to the view that was sent before, so the first one is complete.

    `form`: of the view; unset for none. `offers`: the language of offers; unset for none.
    """

    def __init__(
        self, tables: Tables, player: Player | None, form: ViewForm | UnsetType, offers: Language | UnsetType
    ) -> None:
        self._tables = tables
        self._player = player
        self._form = form
        self._offers = offers
        self._sent: Any = None

    async def at(self, position: Position) -> YourView:
        """The item for a position, which must be sent. Raises `LogUnavailable`."""
        seat = None if self._player is None else position.seat_of(self._player.player_id)
        tag, head = etag(position.head), position.head
        offers: Offers | UnsetType = UNSET
        if seat is not None and not isinstance(self._offers, UnsetType):
            offers = offers_of(position, seat, self._offers)
        if isinstance(self._form, UnsetType):
            return YourView(head.seq, tag, offers=offers)
        shown = position.presented(await self._tables.called(position))
        before, view = self._sent, shown.ruleset.view(shown.state, seat)
        self._sent = view if self._form == "patch" else None
        if before is None:
            return YourView(head.seq, tag, view=Raw(encoded(view)), offers=offers)
        return YourView(head.seq, tag, changes=patch(before, view), offers=offers)

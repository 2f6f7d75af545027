"""Boards of many moments, drawn, in pieces that they share."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct

from mcmulti.api.caching.moments import made_once, moment
from mcmulti.api.caching.representation import Perspective
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import Tags
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import AtMoment, Seq
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.pictures.film import MOST_PIECES, Film, Markup, Splice
from mcmulti.referee.feed import READ_ANEW, LogWentBack
from mcmulti.referee.ruling import UnknownMoment

MOST = 25
"""The most boards of a page: about half a millisecond each, when they are not cached."""
DRAWN = 10
"""Boards drawn at a time, before other requests have their turn."""


class BoardsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: begin after this event. `limit`: the most boards. `language`: of all words in the drawings."""

    after: Seq = 0
    limit: Annotated[int, Meta(ge=1, le=MOST)] = MOST
    language: Language = "en"


class DrawnBoard(Struct, frozen=True):
    """The board after event `seq`: the `changes` of the pieces of the previous board, one after the other."""

    seq: Seq
    changes: Annotated[tuple[Splice, ...], Meta(max_length=MOST_PIECES)]


class Boards(AtMoment, frozen=True):
    """A page of boards. `seq` and `hash` are the head, `boards` the moments in order.

    `pieces`: the pieces of all drawings on the page, by number. The changes of the first board begin with no pieces.
    `next` continues the page as ``after``, null at the end.
    """

    pieces: Annotated[tuple[Markup, ...], Meta(max_length=MOST_PIECES)]
    boards: Annotated[tuple[DrawnBoard, ...], Meta(max_length=MOST)]
    next: Seq | None


def _page_cost(query: BoardsQuery, _: str) -> int:
    """One request per ten boards, which share most of their pieces."""
    return 1 + (query.limit - 1) // 10


@operation(
    "GET",
    "/v1/games/{game}/boards",
    tag="log",
    summary="Get the boards of many moments, drawn, in pieces that they share",
    answer=Boards,
    problems=("unknown_moment", "no_picture"),
    cost=_page_cost,
    readers="all",
    named=True,
)
async def list_boards(call: Call, query: BoardsQuery, caller: Player | None, game: UUID, if_none_match: Tags) -> Answer:
    """Returns the same drawings as `drawBoard`, one for each event. Most of a drawing stays the same, so each board
    lists only its changes. To show one, apply its changes to the pieces of the previous board, and join them.
    """
    at = await moment(call, game)
    ruleset, head = at.position.ruleset, at.position.head
    draw = ruleset.picture
    if draw is None:
        raise ApiError("no_picture", f"{ruleset.title} has no picture of its board.")
    if query.after > head.seq:
        raise UnknownMoment(head)

    async def page() -> Boards:
        state = (await call.service.referee.position_at(game, query.after)).state if query.after else None
        drawing = _Drawing(at, state, lambda now: draw(now, query.language))
        after, last = query.after, min(query.after + query.limit, head.seq)
        shown: list[DrawnBoard] = []
        while after < last:
            events = await call.service.log.read(game, after, min(DRAWN, last - after))
            if not events:
                raise LogWentBack(READ_ANEW)
            after = events[-1].seq
            shown += await call.service.apart(drawing.boards_after, events)
        pieces, more = drawing.film.pieces, last if last < head.seq else None
        return Boards(game, head.seq, head.hash.hex(), pieces, tuple(shown), more)

    return await made_once(call, at, if_none_match, page)


class _Drawing:
    """Draws the board after each event that follows a state; None at the start."""

    def __init__(self, at: Perspective, state: Any, draw: Callable[[Any], Picture]) -> None:
        ruleset = at.position.ruleset
        self._called, self._evolve, self._draw = at.called, ruleset.evolve, draw
        self._decode = event_decoder(ruleset.name, ruleset.version)
        self._state = None if state is None else presented(state, at.called)
        self.film = Film()

    def boards_after(self, events: Sequence[Recorded]) -> list[DrawnBoard]:
        """The boards after these events, the next of the log."""
        shown: list[DrawnBoard] = []
        for event in events:
            self._state = presented(self._evolve(self._state, self._decode(event.data)), self._called)
            shown.append(DrawnBoard(event.seq, self.film.show(self._draw(self._state))))
        return shown

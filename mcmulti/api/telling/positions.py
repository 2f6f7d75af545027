"""Positions of games, as far as readers may know them."""

from uuid import UUID

from mcmulti.api.http.problems import ApiError
from mcmulti.domain.core.capabilities.positions import Positions
from mcmulti.domain.core.capabilities.positions.reading import PositionDocument, document_of
from mcmulti.events.log.positions import Position
from mcmulti.referee.reading import GameReader

_AT_ONCE = 200
"""Events that are read to find where a command began."""


async def at_rest(referee: GameReader, game: UUID, at: int) -> Position:
    """Where a game stood after event `at`, or before the command that this event, but not the last, followed from.

    Raises `UnknownGame` and `UnknownMoment`.
    """
    position = await referee.position_at(game, at)
    after = at + 1
    while after > 1:
        first = max(1, after - _AT_ONCE)
        events = await referee.log.read(game, first - 1, after - first + 1)
        if after == at + 1 and (not events or events[-1].seq == at):
            return position  # the log ends here
        for event in reversed(events):
            if event.command is not None:
                return position if event.seq == at + 1 else await referee.position_at(game, event.seq - 1)
        after = first - 1
    return position


def document(position: Position, *, over: bool) -> PositionDocument:
    """The document of a position of a game: as long as it is not `over`, without what was sealed.

    Raises a problem where no game can be played on from there.
    """
    ruleset, state = position.ruleset, position.state
    positions = ruleset.flow.has(Positions)
    if positions is None:
        raise ApiError("no_position", "No game of this rule set begins from a position.")
    if not over and ruleset.status(state) == "running":
        state = positions.unsealed(state)
    try:
        return document_of(ruleset, state)
    except ValueError as error:
        raise ApiError("no_position", f"No game can be played on from there: {error}.") from None

"""The position of a game, as far as readers may know it, to keep, change, and play on from."""

from uuid import UUID

from msgspec import UnsetType

from mcmulti.api.caching.moments import MomentQuery, made_once, moment
from mcmulti.api.caching.representation import ASKED_ANEW
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Beside, Call, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import Tags
from mcmulti.domain.core.capabilities.positions import PositionDocument, Positions, document_of
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.referee.reading import GameReader

_AT_ONCE = 200
"""Events that are read to find where a command began."""


async def _revealed(call: Call, position: Position, past: bool) -> Beside:
    """Whether the game is over, so that nothing is sealed anymore."""
    over = position.ruleset.status(position.state) == "finished"
    return Beside(over, over)


@operation(
    "GET",
    "/v1/games/{game}/position",
    tag="log",
    summary="Show the position of a game as a document to play on from",
    answer=PositionDocument,
    problems=("no_position",),
    readers="all",
    beside=_revealed,
)
async def get_position(
    call: Call, query: MomentQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """Returns what stands on the table after event `at`, as a document that `POST /v1/games` opens a practice table
    from: send its `ruleset`, `setup`, and `position`. If `at` is in the middle of what a command led to, you get the
    position before that command. As long as the game runs, the document has nothing that a player sealed, such as order
    sheets. It never has players, dice, clocks, or votes.
    """
    at = await moment(call, game)
    if not isinstance(query.at, UnsetType):
        at = at._replace(position=await at_rest(call.service.referee, game, query.at), past=True)
    over: bool = at.beside.value

    async def made() -> PositionDocument:
        return document(at.position, over=over)

    return await made_once(call, at, if_none_match, made, None if over else ASKED_ANEW)


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

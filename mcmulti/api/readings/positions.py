"""The position of a game, to keep, change, and play on from."""

from uuid import UUID

from msgspec import UnsetType

from mcmulti.api.caching.moments import MomentQuery, made_once, moment
from mcmulti.api.caching.representation import ASKED_ANEW
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Beside, Call, operation
from mcmulti.api.http.received import Tags
from mcmulti.api.telling.positions import at_rest, document
from mcmulti.domain.core.capabilities.positions.reading import PositionDocument
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player


async def _revealed(call: Call, position: Position, past: bool) -> Beside:
    """Whether the game is over, so that nothing is sealed anymore."""
    over = position.ruleset.status(position.state) == "finished"
    return Beside(over, over)


@operation(
    "GET",
    "/v1/games/{game}/position",
    id="getPosition",
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

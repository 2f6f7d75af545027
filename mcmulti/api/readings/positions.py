"""The position of a game, to keep, change, and play on from."""

from uuid import UUID

from msgspec import UnsetType

from mcmulti.api.caching.moments import MomentQuery, Perspective, moment, same_for_all
from mcmulti.api.caching.representation import ASKED_ANEW
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, operation
from mcmulti.api.http.received import Tags
from mcmulti.api.telling.positions import at_rest, document
from mcmulti.domain.core.capabilities.positions.reading import PositionDocument
from mcmulti.events.ports.accounts import Player


@operation(
    "GET",
    "/v1/games/{game}/position",
    id="getPosition",
    tag="log",
    summary="Show the position of a game as a document to play on from",
    answer=PositionDocument,
    etag=True,
    problems=("unknown_game", "unknown_moment", "no_position"),
)
async def get_position(
    call: Call, query: MomentQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """Returns what stands on the table after event `at`, as a document that `POST /v1/games` opens a practice table
    from: send its `ruleset`, `setup`, and `position`. If `at` is in the middle of what a command led to, you get the
    position before that command. As long as the game runs, the document has nothing that a player sealed, such as order
    sheets. It never has players, dice, clocks, or votes.
    """
    now = await moment(call, caller, game)
    at = now
    if not isinstance(query.at, UnsetType):
        at = Perspective(await at_rest(call.service.referee, game, query.at), caller, past=True)
    over = now.position.ruleset.status(now.position.state) == "finished"

    async def made() -> PositionDocument:
        return document(at.position, over=over)

    return await same_for_all(call, at, if_none_match, made, keep=None if over else ASKED_ANEW, also=over)

"""Pictures of games."""

from uuid import UUID

from mcmulti.api.answers import Answer
from mcmulti.api.caching import tag_of, unchanged
from mcmulti.api.contract import Call, operation
from mcmulti.api.moments import MomentQuery, Perspective, named_moment, shown
from mcmulti.api.problems import ApiError
from mcmulti.api.received import Tags
from mcmulti.domain.core.telling import Language
from mcmulti.events.log import Player
from mcmulti.projections.board_svg import drawn

SVG = "image/svg+xml"


class PictureQuery(MomentQuery, frozen=True, forbid_unknown_fields=True):
    """`at`: after this event instead of now. `language`: of all words in the picture."""

    language: Language = "en"


@operation(
    "GET",
    "/v1/games/{game}/board.svg",
    id="drawBoard",
    tag="log",
    summary="Look at the board, now or at any moment of the game",
    json=False,
    texts=(SVG,),
    etag=True,
    problems=("unknown_game", "unknown_moment", "no_picture"),
)
async def draw_board(call: Call, query: PictureQuery, caller: Player | None, game: UUID, if_none_match: Tags) -> Answer:
    """Assets, the lines and hits of this turn's dice, markets, cards, cash: 800 pixels wide, for light and dark, with
    the whole position in words for those who cannot see it.
    """
    at = await named_moment(call, caller, game, query.at)
    tag = tag_of(call, at.position.head, language=query.language, names=at.digest)
    known = unchanged(call, if_none_match, tag)
    if known is not None:
        return known
    ruleset, state = at.position.ruleset, at.position.state
    if ruleset.picture is None:
        raise ApiError("no_picture", f"{ruleset.title} has no picture of its board.")
    draw = ruleset.picture
    return pictured(call, at, await call.service.apart(lambda: drawn(draw(state, query.language))), tag)


def pictured(call: Call, at: Perspective, content: bytes, tag: str) -> Answer:
    """An SVG picture as an answer."""
    return shown(call, at, content, tag)

"""Pictures of games."""

import asyncio

from litestar import get
from litestar.params import FromPath

from mcmulti.api.answers import Answer
from mcmulti.api.caching import tag_of, unchanged
from mcmulti.api.contract import AnyRequest, Operation, query
from mcmulti.api.moments import A_DAY, MomentQuery, Perspective, moment, shown
from mcmulti.api.problems import ApiError
from mcmulti.domain.core.telling import Language
from mcmulti.projections.board_svg import drawn

SVG = "image/svg+xml"


class PictureQuery(MomentQuery, frozen=True, forbid_unknown_fields=True):
    """`at`: after this event instead of now. `language`: of all words in the picture."""

    language: Language = "en"


@get(
    "/v1/games/{game:str}/board.svg",
    opt={
        "operation": Operation(
            id="drawBoard",
            tag="log",
            summary="Look at the board, now or at any moment of the game",
            json=False,
            texts=(SVG,),
            query=PictureQuery,
            auth="optional",
            headers=("If-None-Match",),
            etag=True,
            problems=("unknown_game", "unknown_moment", "no_picture"),
        )
    },
)
async def draw_board(request: AnyRequest, game: FromPath[str]) -> Answer:
    wanted = query(request, PictureQuery)
    at = await moment(request, game, wanted.at)
    tag = tag_of(request, at.position.head, language=wanted.language)
    known = unchanged(request, tag)
    if known is not None:
        return known
    ruleset, state = at.position.ruleset, at.position.state
    if ruleset.picture is None:
        raise ApiError("no_picture", f"{ruleset.title} has no picture of its board.")
    draw = ruleset.picture
    return pictured(request, at, await asyncio.to_thread(lambda: drawn(draw(state, wanted.language))), tag)


def pictured(request: AnyRequest, at: Perspective, content: bytes, tag: str) -> Answer:
    """An SVG picture as an answer: it may style itself, and neither load nor run anything."""
    answered = shown(request, at, content, tag, SVG, past=A_DAY)
    answered.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    answered.headers["X-Content-Type-Options"] = "nosniff"
    return answered

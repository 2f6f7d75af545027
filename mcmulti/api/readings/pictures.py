"""Pictures of games."""

from collections.abc import Callable
from uuid import UUID

from mcmulti.api.caching.moments import MomentQuery, made_once, moment
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import DEAR, Call, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import Tags
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.pictures import share_image
from mcmulti.projections.svg import board as board_svg
from mcmulti.projections.terminal import board as board_text

SVG = "image/svg+xml"
PNG = "image/png"
_LETTERS = "text/plain"


class PictureQuery(MomentQuery, frozen=True, forbid_unknown_fields=True):
    """`language`: of all words in the picture."""

    language: Language = "en"


@operation(
    "GET",
    "/v1/games/{game}/board.svg",
    id="drawBoard",
    tag="log",
    summary="Draw the board, now or at any moment of the game",
    json=False,
    texts=(SVG,),
    problems=("no_picture",),
    readers="all",
    named=True,
)
async def draw_board(call: Call, query: PictureQuery, caller: Player | None, game: UUID, if_none_match: Tags) -> Answer:
    """Shows assets, the lines and hits of this turn's dice, markets, cards, and cash. The picture is 800 pixels wide,
    has light and dark colors, and describes the complete position in words for screen readers.
    """
    return await _board_answer(call, query, game, if_none_match, board_svg.drawn)


@operation(
    "GET",
    "/v1/games/{game}/board.txt",
    id="writeBoard",
    tag="log",
    summary="Read the board as text, now or at any moment of the game",
    json=False,
    texts=(_LETTERS,),
    problems=("no_picture",),
    readers="all",
    named=True,
)
async def write_board(
    call: Call, query: PictureQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """The same board as in a terminal: 80 columns of letters and signs, without colors, for screen readers, braille
    displays, and players who type.
    """
    return await _board_answer(call, query, game, if_none_match, _in_letters)


@operation(
    "GET",
    "/v1/games/{game}/board.png",
    id="shareBoard",
    tag="log",
    summary="Draw a preview image for links to the game",
    json=False,
    binary=(PNG,),
    problems=("no_picture", "busy"),
    cost=DEAR,
    readers="all",
    named=True,
)
async def share_board(
    call: Call, query: PictureQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """Shows the board, the players, and the state of the game or who won. The image has 600 by 315 pixels, for sites
    that preview links.
    """
    return await _board_answer(call, query, game, if_none_match, share_image.document)


def _in_letters(picture: Picture) -> bytes:
    return f"{board_text.drawn(picture).plain}\n".encode()


async def _board_answer(
    call: Call,
    query: PictureQuery,
    game: UUID,
    known: Tags,
    drawn: Callable[[Picture], bytes | str],
) -> Answer:
    """`drawn` runs in a thread, and makes the body of the response, or a document to paint it from."""
    at = await moment(call, game, query.at)
    ruleset, state = at.position.ruleset, at.position.state
    if ruleset.picture is None:
        raise ApiError("no_picture", f"{ruleset.title} has no picture of its board.")
    draw = ruleset.picture

    async def picture() -> bytes:
        drawing = await call.service.apart(lambda: drawn(draw(state, query.language)))
        image = drawing if isinstance(drawing, bytes) else await call.service.paint(drawing)
        if image is None:
            raise ApiError("busy", "The image cannot be painted now. Ask again in a moment.", {"Retry-After": "1"})
        return image

    return await made_once(call, at, known, picture)

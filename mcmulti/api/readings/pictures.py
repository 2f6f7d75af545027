"""Pictures of games."""

from collections.abc import Callable
from uuid import UUID

from mcmulti.api.caching.moments import MomentQuery, lasting, named_moment, represented
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
_UNDRAWN = ("unknown_game", "unknown_moment", "no_picture")


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
    problems=_UNDRAWN,
)
async def draw_board(call: Call, query: PictureQuery, caller: Player | None, game: UUID, if_none_match: Tags) -> Answer:
    """Assets, the lines and hits of this turn's dice, markets, cards, cash: 800 pixels wide, for light and dark, with
    the whole position in words for those who cannot see it.
    """
    return await _board(call, query, caller, game, if_none_match, board_svg.drawn)


@operation(
    "GET",
    "/v1/games/{game}/board.txt",
    id="writeBoard",
    tag="log",
    summary="Read the board in letters, now or at any moment of the game",
    json=False,
    texts=(_LETTERS,),
    etag=True,
    problems=_UNDRAWN,
)
async def write_board(
    call: Call, query: PictureQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """The same board as a terminal shows it: 80 columns of letters and signs, without colours, for a screen reader or a
    line of braille, and for whoever plays by typing.
    """
    return await _board(call, query, caller, game, if_none_match, _in_letters)


@operation(
    "GET",
    "/v1/games/{game}/board.png",
    id="shareBoard",
    tag="log",
    summary="Look at the game in a picture for links to it",
    json=False,
    binary=(PNG,),
    etag=True,
    problems=_UNDRAWN,
    cost=DEAR,
)
async def share_board(
    call: Call, query: PictureQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """The board, who plays, and what goes on or who won: 1200 by 630 pixels, for those who show links to a game."""
    return await _board(call, query, caller, game, if_none_match, share_image.drawn)


def _in_letters(picture: Picture) -> bytes:
    return f"{board_text.drawn(picture).plain}\n".encode()


async def _board(
    call: Call, query: PictureQuery, caller: Player | None, game: UUID, known: Tags, drawn: Callable[[Picture], bytes]
) -> Answer:
    at = await named_moment(call, caller, game, query.at)
    told = represented(call, at, for_all=True)
    if found := told.unchanged(known):
        return found
    ruleset, state = at.position.ruleset, at.position.state
    if ruleset.picture is None:
        raise ApiError("no_picture", f"{ruleset.title} has no picture of its board.")
    draw = ruleset.picture

    async def picture() -> bytes:
        return await call.service.apart(lambda: drawn(draw(state, query.language)))

    return told.answer(await told.made(picture), lasting(at))

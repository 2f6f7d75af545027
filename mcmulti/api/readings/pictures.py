"""Pictures of games: boards, and charts."""

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
from mcmulti.projections.charts.charts import chart_image
from mcmulti.projections.charts.names import CHARTS, charts_of
from mcmulti.projections.charts.time_series import Curves
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
    tag="log",
    summary="Draw the board, now or at any moment of the game",
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
    tag="log",
    summary="Read the board as text, now or at any moment of the game",
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
    tag="log",
    summary="Draw a preview image for links to the game",
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


@operation(
    "GET",
    "/v1/games/{game}/charts/{chart}",
    tag="log",
    summary="Draw the course of a game as a chart: cash, net worth, prices, dice, or luck",
    texts=(SVG,),
    cost=DEAR,
    readers="all",
    named=True,
)
async def draw_chart(
    call: Call, query: PictureQuery, caller: Player | None, game: UUID, chart: str, if_none_match: Tags
) -> Answer:
    """Shows one line per player or price over the turns, with the phases of the economy shaded in the background.
    `dice` shows how often each die showed each face, compared with what is expected. `luck` shows what the dice brought
    each player, as a percentage of that. The rule set lists the `charts` of its games. Cash and net worth that multiply
    use a logarithmic scale. The chart is 800 pixels wide, has light and dark colors, and gives the figures in words for
    screen readers.
    """
    name = next((name for name in CHARTS if name == chart), None)
    if name is None:
        raise ApiError("unknown_chart", f"There is no chart {chart[:40]!r}. Available: {', '.join(CHARTS)}.")
    at = await moment(call, game, query.at)
    ruleset = at.position.ruleset
    if name not in charts_of(ruleset):
        has = ", ".join(charts_of(ruleset))
        raise ApiError("unknown_chart", f"Games of {ruleset.title} have no chart {name!r}. Available: {has}.")

    async def made() -> bytes:
        curves = await call.service.folds.reach(at.position, Curves, Curves)
        return await call.service.apart(lambda: chart_image(name, curves.series(at.called), query.language))

    return await made_once(call, at, if_none_match, made)

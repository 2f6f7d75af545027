"""Games: open, list, look at."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID, uuid5

from litestar import get, post
from litestar.params import FromPath
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from mcmulti.api.answers import Answer
from mcmulti.api.caching import FOR_EVER, tag_of, unchanged
from mcmulti.api.contract import (
    AnyRequest,
    NoQuery,
    Operation,
    answer,
    body,
    content,
    decoded,
    encoded,
    game_id,
    idempotency_key,
    query,
)
from mcmulti.api.logging import note
from mcmulti.api.moments import MomentQuery, moment, shown, told
from mcmulti.api.service import Seating, Service, service
from mcmulti.api.wire import NEW_GAMES, Games, GameSummary, GameView
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log import Conflict, Game
from mcmulti.events.positions import Position
from mcmulti.referee.ruling import KeyReused


class GamesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`before`: continue behind this game. `mine`: only games at which the caller sits."""

    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    before: UUID | UnsetType = UNSET
    status: Literal["open", "running", "finished"] | UnsetType = UNSET
    ruleset: Annotated[str, Meta(max_length=40, pattern="^[a-z_]{1,40}$")] | UnsetType = UNSET
    mine: bool = False


class NamesRuleset(Struct, frozen=True):
    """A body that names the rule set: as long as there is one only, msgspec does not ask for it."""

    ruleset: str


@post(
    "/v1/games",
    opt={
        "operation": Operation(
            id="openGame",
            tag="games",
            summary="Open a game",
            body=NEW_GAMES,
            answer=GameView,
            status=201,
            query=NoQuery,
            auth="required",
            headers=("Idempotency-Key",),
            etag=True,
            problems=("refused", "key_reused", "invalid_header"),
        )
    },
)
async def open_game(request: AnyRequest) -> Answer:
    query(request, NoQuery)
    player = await service(request).player(request)
    new: Any = await body(request, *NEW_GAMES)
    decoded(await content(request), NamesRuleset)
    ruleset = CURRENT[new.__struct_config__.tag]
    referee = service(request).referee
    key = idempotency_key(request)
    replayed: dict[str, str] = {}
    try:
        # A key names the game that it opens, so no record is needed to find the game again.
        game = None if key is None else uuid5(player.player_id, key)
        opened = await referee.open(ruleset, new.setup, game)
        position = opened.position
        note(game_id=str(position.game_id), **opened.line())
    except Conflict:
        if game is None:
            raise
        position = await referee.position_at(game, 1)
        if (position.ruleset.name, position.ruleset.setup_of(position.state)) != (ruleset.name, new.setup):
            raise KeyReused(key) from None
        replayed = {"Idempotent_Replayed": "true"}
    return answer(
        _view(position, position.seat_of(player.player_id)),
        201,
        position.head,
        Location=f"/v1/games/{position.game_id}",
        Cache_Control="no-store",
        **replayed,
    )


@get(
    "/v1/games",
    opt={
        "operation": Operation(
            id="listGames",
            tag="games",
            summary="List games, youngest first",
            answer=Games,
            query=GamesQuery,
            auth="optional",
            problems=("unknown_game",),
        )
    },
)
async def list_games(request: AnyRequest) -> Answer:
    wanted = query(request, GamesQuery)
    player = await (service(request).player(request) if wanted.mine else service(request).caller(request))
    games = await service(request).log.games(
        wanted.limit,
        before=_given(wanted.before),
        status=_given(wanted.status),
        ruleset=_given(wanted.ruleset),
        player_id=player.player_id if wanted.mine and player else None,
    )
    more = games[-1].game_id if len(games) == wanted.limit else None
    return answer(Games(tuple(_summary(game) for game in games), more), Cache_Control="no-store")


@get(
    "/v1/games/{game:str}",
    opt={
        "operation": Operation(
            id="getGame",
            tag="games",
            summary="Look at a game, now or at any moment of it",
            answer=GameView,
            query=MomentQuery,
            auth="optional",
            headers=("If-None-Match",),
            etag=True,
            problems=("unknown_game", "unknown_moment"),
        )
    },
)
async def get_game(request: AnyRequest, game: FromPath[str]) -> Answer:
    at = query(request, MomentQuery).at
    if not isinstance(at, UnsetType):
        return await _past(request, game, at)
    now = await moment(request, game)
    tag = tag_of(request, now.position.head, seat=now.seat)
    known = unchanged(request, tag)
    if known is not None:
        return known
    responses = service(request).responses
    body = responses.get(now.position.game_id, "view", now.seat, now.position.head)
    if body is None:
        deadline = None  # which changes with the head only
        if now.position.ruleset.deadlines is not None:
            position, deadline = await _with_deadline(service(request), now.position)
            now = now._replace(position=position)
            tag = tag_of(request, position.head, seat=now.seat)
        position, seat = now.position, now.seat
        body = responses.put(position.game_id, "view", seat, position.head, encoded(_view(position, seat, deadline)))
    return shown(request, now, body, tag)


async def _past(request: AnyRequest, game: str, at: int) -> Answer:
    """The game after event `at`. Where it is at hand, the log is not asked: it says the same for ever."""
    shared = service(request)
    caller = await shared.caller(request)
    asked, kind = (game_id(game), at), f"view at {at}"
    position = None
    then = shared.seatings.get(asked)
    if then is None:
        position = await shared.referee.position_at(*asked)
        then = shared.seatings.put(asked, Seating(position.head, position.ruleset.players(position.state)))
    seat = then.seat_of(caller)
    tag = tag_of(request, then.head, seat=seat)
    known = unchanged(request, tag)
    if known is not None:
        return known
    body = shared.responses.get(asked[0], kind, seat, then.head)
    if body is None:
        position = position or await shared.referee.position_at(*asked)
        body = shared.responses.put(asked[0], kind, seat, then.head, encoded(_view(position, seat)))
    return told(request, body, then.head, tag, caller, FOR_EVER)


async def _with_deadline(service: Service, position: Position) -> tuple[Position, datetime | None]:
    """Where a game stands now, and its deadline then."""
    while True:
        game = await service.log.game(position.game_id)
        if game.head == position.head:
            return position, game.deadline_at
        position = await service.referee.position(position.game_id)


def _view(position: Position, seat: int | None, deadline: datetime | None = None) -> GameView:
    ruleset, head = position.ruleset, position.head
    view = encoded(ruleset.view(position.state, seat))
    return GameView(position.game_id, ruleset.version, head.seq, head.hash.hex(), deadline, Raw(view))


def _summary(game: Game) -> GameSummary:
    return GameSummary(
        game.game_id,
        game.ruleset,
        game.version,
        game.status,  # type: ignore[arg-type]
        game.head.seq,
        game.head.hash.hex(),
        game.created_at,
        game.deadline_at,
    )


def _given(value: Any) -> Any:
    return None if value is UNSET else value

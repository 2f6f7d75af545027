"""Games: open, list, look at."""

from typing import Annotated, Any, Literal
from uuid import UUID, uuid5

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from mcmulti.api.answers import Answer, encoded
from mcmulti.api.caching import tag_of, unchanged
from mcmulti.api.contract import Call, LanguageQuery, answer, operation
from mcmulti.api.logging import note
from mcmulti.api.moments import ASKED_ANEW, MomentQuery, named_moment, shown, told
from mcmulti.api.quotas import address_of
from mcmulti.api.received import Tags, decoded, read_body
from mcmulti.api.service import Seating, identified
from mcmulti.api.tables import Cursor, TableView, bookmark_of, cursor_of
from mcmulti.api.wire import NEW_GAMES, Games, GameView
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log import Conflict, GamesWanted, ListOrder, Player
from mcmulti.events.positions import Position
from mcmulti.referee.ruling import KeyReused


class GamesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`order`: by when games were opened, or by when they moved last. `before`: the `next` of the page before, in the
    same order. `player`: only games at which this player sits; `mine`: the caller. `free`: only tables with a free
    seat, at which the game has not begun. `my_turn`: only running games that wait for the caller.
    """

    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    before: Cursor | UnsetType = UNSET
    order: ListOrder = "opened"
    status: Literal["open", "running", "finished"] | UnsetType = UNSET
    ruleset: Annotated[str, Meta(max_length=40, pattern="^[a-z_]{1,40}$")] | UnsetType = UNSET
    player: UUID | UnsetType = UNSET
    mine: bool = False
    my_turn: bool = False
    free: bool = False


class NamesRuleset(Struct, frozen=True):
    """A body that names the rule set: as long as there is one only, msgspec does not ask for it."""

    ruleset: str


@operation(
    "POST",
    "/v1/games",
    id="openGame",
    tag="games",
    summary="Open a game",
    body=NEW_GAMES,
    answer=GameView,
    status=201,
    etag=True,
    problems=("refused", "key_reused", "invalid_header", "too_many_open_games"),
    quota="new_games",
)
async def open_game(
    call: Call, query: LanguageQuery, caller: Player, idempotency_key: str | None, body: bytes
) -> Answer:
    """Sets up a table. Nobody sits at it yet, not even the caller."""
    new: Any = read_body(body, *NEW_GAMES)
    decoded(body, NamesRuleset)
    ruleset = CURRENT[new.__struct_config__.tag]
    shared, referee, address = call.service, call.service.referee, address_of(call.request.scope)
    replayed: dict[str, str] = {}
    # A key names the game that it opens, so no record is needed to find the game again.
    game = None if idempotency_key is None else uuid5(caller.player_id, idempotency_key)
    try:
        async with shared.open_games.room(caller, game, address):
            opened = await referee.open(ruleset, new.setup, game, caller.player_id)
        position = opened.position
        shared.open_games.opened(caller, address, position.game_id)
        note(game_id=str(position.game_id), **opened.line())
    except Conflict:
        if game is None:
            raise
        position = await referee.position_at(game, 1)
        if (position.ruleset.name, position.ruleset.setup_of(position.state)) != (ruleset.name, new.setup):
            raise KeyReused(idempotency_key) from None
        replayed = {"Idempotent_Replayed": "true"}
    table = await shared.tables.at(position)
    return answer(
        _view(position, position.seat_of(caller.player_id), table),
        201,
        position.head,
        Location=f"/v1/games/{position.game_id}",
        Cache_Control="no-store",
        **replayed,
    )


@operation(
    "GET",
    "/v1/games",
    id="listGames",
    tag="games",
    summary="List games, the youngest first, or those that moved last",
    answer=Games,
)
async def list_games(call: Call, query: GamesQuery, caller: Player | None) -> Answer:
    """A page of games. Games are public; `mine` and `my_turn` need a token. By last move, games that move while one
    reads page by page are at the front of a new list; those that do not are all there, once.
    """
    away: set[str] = set()
    me = identified(caller).player_id if query.mine or query.my_turn else None
    sits = (me if query.mine else None, _given(query.player))
    wanted = GamesWanted(
        _given(query.status),
        _given(query.ruleset),
        tuple(player for player in sits if player is not None),
        query.free,
        me if query.my_turn else None,
        seen_by=None if caller is None else caller.player_id,
    )
    before = None if isinstance(query.before, UnsetType) else bookmark_of(query.before)
    games = await call.service.log.games(query.limit, before, wanted, away, query.order)
    more = cursor_of(games[-1].mark(query.order)) if len(games) == query.limit else None
    tables = await call.service.tables.of(games)
    return answer(Games(tables, more, bool(away)), Cache_Control="no-store")


@operation(
    "GET",
    "/v1/games/{game}",
    id="getGame",
    tag="games",
    summary="Look at a game, now or at any moment of it",
    answer=GameView,
    etag=True,
    problems=("unknown_game", "unknown_moment"),
)
async def get_game(call: Call, query: MomentQuery, caller: Player | None, game: UUID, if_none_match: Tags) -> Answer:
    """Everybody may look. A moment of the past (`at`) never changes, but for the names of players."""
    if not isinstance(query.at, UnsetType):
        return await _past(call, caller, game, query.at, if_none_match)
    now = await named_moment(call, caller, game)
    tag = tag_of(call, now.position.head, seat=now.seat, names=now.digest)
    known = unchanged(call, if_none_match, tag)
    if known is not None:
        return known
    responses = call.service.responses
    body = responses.get(now.position.game_id, "view", now.seat, (now.position.head, now.digest))
    if body is None:
        position, table = await call.service.tables.now(now.position, now.called)
        now = now._replace(position=position.presented(now.called))
        tag, seat = tag_of(call, position.head, seat=now.seat, names=now.digest), now.seat
        said = position.head, now.digest
        body = responses.put(position.game_id, "view", seat, said, encoded(_view(now.position, seat, table)))
    return shown(call, now, body, tag)


async def _past(call: Call, caller: Player | None, game: UUID, at: int, known: Tags) -> Answer:
    """The game after event `at`. Where it is at hand, the log is not asked: but for names it says the same for ever."""
    shared, kind = call.service, f"view at {at}"
    position = None
    then = shared.seatings.get((game, at))
    if then is None:
        position = await shared.referee.position_at(game, at)
        seating = Seating(position.head, position.ruleset.players(position.state), position.state.everybody)
        then = shared.seatings.put((game, at), seating)
    seat, names = then.seat_of(caller), await shared.names.of(then.everybody)
    tag, said = tag_of(call, then.head, seat=seat, names=names.digest), (then.head, names.digest)
    not_new = unchanged(call, known, tag)
    if not_new is not None:
        return not_new
    body = shared.responses.get(game, kind, seat, said)
    if body is None:
        position = position or await shared.referee.position_at(game, at)
        table = await shared.tables.at(position, names.called, past=True)
        body = shared.responses.put(
            game, kind, seat, said, encoded(_view(position.presented(names.called), seat, table))
        )
    return told(call, body, then.head, tag, caller, ASKED_ANEW)


def _view(position: Position, seat: int | None, table: TableView) -> GameView:
    head, view = position.head, encoded(position.ruleset.view(position.state, seat))
    return GameView(position.game_id, head.seq, head.hash.hex(), table, Raw(view))


def _given(value: Any) -> Any:
    return None if value is UNSET else value

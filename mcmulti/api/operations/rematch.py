"""Rematch: the same players sit down at another game like it."""

from uuid import UUID

from mcmulti.api.admission.access import people_of
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, LanguageQuery, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.operations.games import NewTable, game_view, opened_there, table_answer
from mcmulti.api.telling.refusals import refusal
from mcmulti.api.telling.tables import rematch_id
from mcmulti.api.telling.wire import GameView
from mcmulti.domain.core.offers import NO_SEAT
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.game_index import Access
from mcmulti.events.ports.log import Log


@operation(
    "POST",
    "/v1/games/{game}/rematch",
    summary="Play again with the same people",
    answer=GameView,
    status=201,
    etag=True,
    problems=("no_seat", "unfinished", "refused", "too_many_open_games"),
    quota="new_games",
)
async def open_rematch(
    call: Call, query: LanguageQuery, caller: Player, game: UUID, idempotency_key: str | None
) -> Answer:
    """Opens a table with the rule set and setup of a finished game, only for its players. If the first game was listed
    or rated, asked for bots, or had a chat, so does the rematch. It asks for server bots only if the server runs some.
    Nobody sits at it yet. Each game has one rematch: if it already exists, the response shows the table as it is now,
    with status 200. Only its opener, repeating the request with the same `Idempotency-Key`, gets the first response
    again.
    """
    shared, referee = call.service, call.service.referee
    old = await referee.position(game)
    people = people_of(old.state)
    if caller.player_id not in people:
        raise refusal(old.ruleset, NO_SEAT.rejection(), query.language)
    if old.ruleset.status(old.state) != "finished":
        raise ApiError("unfinished", "The game is not over. A rematch is possible once it is.")
    again = rematch_id(game)
    if not await shared.log.heads([again]):
        before, invited = (await shared.log.game(game)).access, await _still_there(shared.log, people)
        wish = before.bots, before.rated, before.house_bots if shared.house_bots else ()
        chat = before.chat if shared.chats else ()
        access = Access(before.listed, True, invited, None, None, game, *wish, chat)
        try:
            table = NewTable(old.ruleset, old.ruleset.setup_of(old.state), access)
            await opened_there(call, caller, again, table)
        except Conflict:
            pass  # somebody else asked at the same moment
        else:
            shared.lobby.touched(game)
            return await _as_opened(call, caller, again)
    if idempotency_key is not None and (await shared.log.game(again)).opened_by == caller.player_id:
        return await _as_opened(call, caller, again, Idempotent_Replayed="true")
    return await _table_shown(call, caller, await referee.position(again), 200)


async def _still_there(log: Log, people: tuple[UUID, ...]) -> tuple[UUID, ...]:
    """The players who were not erased, and are registered here."""
    known = await log.players(people)
    return tuple(player for player in people if player in known and known[player].name)


async def _as_opened(call: Call, caller: Player, game: UUID, **headers: str) -> Answer:
    """The table as it was when it was opened."""
    return await _table_shown(call, caller, await call.service.referee.position_at(game, 1), 201, **headers)


async def _table_shown(call: Call, caller: Player, position: Position, status: int, **headers: str) -> Answer:
    called = (await call.service.names.lookup(position.state.everybody)).called
    position = position.presented(called)
    table = await call.service.tables.at(position, called)
    shown = game_view(position, position.seat_of(caller.player_id), table)
    return table_answer(shown, position.head, status, **headers)

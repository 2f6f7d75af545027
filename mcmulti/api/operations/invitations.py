"""Invitations: who may sit down at a table, as decided by its opener."""

from uuid import UUID

from msgspec.structs import replace

from mcmulti.api.admission.access import hash_of_passcode, new_passcode, players_named
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, operation, private
from mcmulti.api.http.problems import ApiError
from mcmulti.api.telling.wire import MOST_INVITED, Invitations, Invite, KnownPlayer
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.log import Log
from mcmulti.notify.news import notices_of

ATTEMPTS = 5
"""The most attempts to change invitations if others change them at the same moment."""


@operation(
    "GET",
    "/v1/games/{game}/invitations",
    summary="List the invitations to your table",
    answer=Invitations,
    problems=("not_opener",),
)
async def list_invitations(call: Call, caller: Player, game: UUID) -> Answer:
    """Only for the player who opened the table. The passcode is not included, because the server does not keep it."""
    log = call.service.log
    return await _invitations_answer(log, _own_game(await log.game(game), caller))


@operation(
    "PATCH",
    "/v1/games/{game}/invitations",
    summary="Change the invitations to your table, or its passcode",
    answer=Invitations,
    problems=("not_opener", "sits_there", "open_to_all", "too_many_invited", "busy"),
)
async def change_invitations(
    call: Call, caller: Player, game: UUID, idempotency_key: str | None, body: Invite
) -> Answer:
    """Only for the player who opened the table. Repeating the request changes nothing more, except that each request
    for a passcode creates a new one unless you send an `Idempotency-Key`. Seated players cannot be uninvited.
    """
    log = call.service.log
    _own_game(await log.game(game), caller)
    more, less = await players_named(log, body.invite), await players_named(log, body.uninvite)
    passcode = (
        await new_passcode(call.service, f"new passcode of {game}", idempotency_key) if body.passcode == "new" else None
    )
    for _ in range(ATTEMPTS):
        now = _own_game(await log.game(game), caller)
        if passcode is not None and not now.access.closed:
            raise ApiError("open_to_all", "Anyone may sit at this table, so it needs no passcode.")
        if set(less) & set(now.standing.players):
            raise ApiError("sits_there", "You cannot uninvite a player who already sits at the table.")
        invited = tuple(player for player in dict.fromkeys((*now.access.invited, *more)) if player not in less)
        if len(invited) > MOST_INVITED:
            detail = f"A table has {MOST_INVITED} invited players at most."
            raise ApiError("too_many_invited", detail, limit=MOST_INVITED)
        kept = None if body.passcode == "none" else now.access.code_hash
        access = replace(
            now.access,
            invited=invited,
            code_hash=kept if passcode is None else hash_of_passcode(game, passcode),
        )
        try:
            if access != now.access:
                told = set(more) & set(access.invited)
                news = await notices_of("game.invitation", log, call.service.notify, game, told, call.service.clock())
                await log.change_access(game, now.access, access, news)
                call.service.lobby.touched(game)
        except Conflict:
            continue
        repeated = idempotency_key is not None and passcode is not None and access == now.access
        return await _invitations_answer(log, now._replace(access=access), passcode, repeated=repeated)
    raise Conflict(f"invitations to game {game} change too fast")


def _own_game(game: Game, caller: Player) -> Game:
    """The game, if the caller opened it. Raises a problem otherwise."""
    if game.opened_by != caller.player_id:
        raise ApiError("not_opener", "Only the player who opened the table can see and change its invitations.")
    return game


async def _invitations_answer(log: Log, game: Game, passcode: str | None = None, *, repeated: bool = False) -> Answer:
    access = game.access
    found = await log.players(access.invited)
    invited = tuple(
        KnownPlayer(player, found[player].name or None, found[player].kind)
        for player in access.invited
        if player in found
    )
    told = Invitations(game.game_id, access.closed, invited, access.code_hash is not None, passcode)
    answered = private(told)
    answered.headers |= {"Idempotent-Replayed": "true"} if repeated else {}
    return answered

"""Accounts: who calls, and by which tokens."""

from contextlib import suppress
from uuid import UUID, uuid4

from msgspec import Struct

from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, answer, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import name_taken, shown_name
from mcmulti.api.service import Service, identified
from mcmulti.api.telling.rated import ratings_of
from mcmulti.api.telling.records import record_of
from mcmulti.api.telling.wire import Me, NewlyMade, NewName, NewToken, Tokens, TokenView
from mcmulti.domain.core.commands import LeaveSeat
from mcmulti.domain.core.leaving import Resign
from mcmulti.domain.core.table import Status
from mcmulti.events.store.ports import (
    Conflict,
    DamagedGame,
    GamesWanted,
    Holder,
    LastToken,
    NameTaken,
    Player,
    Token,
    UnknownPlayer,
)
from mcmulti.referee.ruling import KeyReused, Refused, Stale

MOST_TOKENS = 20
"""How many tokens a player may have at a time."""
PAGE = 200
"""Games that are looked up at a time where somebody gives up its seats."""
_UNFINISHED: tuple[Status, ...] = ("open", "running")


@operation("GET", "/v1/players/me", id="getMe", tag="players", summary="See who you are", answer=Me)
async def get_me(call: Call, caller: Holder) -> Answer:
    """The player, the token that the request was sent with, and what the latest games came to."""
    return _private(await _me(call.service, *caller))


@operation(
    "PATCH",
    "/v1/players/me",
    id="renameMe",
    tag="players",
    summary="Take another name",
    answer=Me,
    problems=("name_taken", "unprintable_name"),
    scope="account",
)
async def rename_me(call: Call, body: NewName, caller: Holder) -> Answer:
    """All games show it from now on, those that are over too: no log has names. The old name is free for others. Sent
    again, it says the same.
    """
    (player, token), service = caller, call.service
    name = shown_name(body.name)
    try:
        await service.log.rename(player.player_id, name)
    except NameTaken:
        raise name_taken(name) from None
    except UnknownPlayer:  # erased at this moment
        identified(None)
    service.callers.renamed(player.player_id)
    return _private(await _me(service, player._replace(name=name), token))


@operation(
    "DELETE",
    "/v1/players/me",
    id="eraseMe",
    tag="players",
    summary="Erase yourself",
    status=204,
    scope="account",
)
async def erase_me(call: Call, caller: Player) -> Answer:
    """Forgets your name, which is free for others then, and your record, and revokes all your tokens. You leave tables
    that have not started and resign from games that run; those that are over stay, without your name. Nothing brings
    it back. If no answer comes, send it again: once it is done, the token is nobody's, and the answer 401.
    """
    service = call.service
    await give_up_seats(service, caller)
    for token_hash in await service.log.erase(caller.player_id):
        service.callers.revoked(token_hash)
    service.callers.renamed(caller.player_id)
    await give_up_seats(service, caller)  # what was taken meanwhile
    return Answer(status_code=204, headers={"Cache-Control": "no-store", "Vary": "Authorization"})


async def give_up_seats(service: Service, player: Player) -> None:
    """What becomes of the seats of who is erased: it leaves tables that have not started, and resigns from others.

    A game that is damaged, or moves on meanwhile, keeps nobody from going.
    """
    for status in _UNFINISHED:
        before = None
        wanted = GamesWanted(status, player_ids=(player.player_id,))
        while page := await service.log.games(PAGE, before, wanted):
            before = page[-1].mark()
            for game in page:
                await _give_up_seat(service, player, game.game_id)


async def _give_up_seat(service: Service, player: Player, game: UUID) -> None:
    with suppress(DamagedGame, Refused, Stale):
        now = await service.referee.position(game)
        if now.seat_of(player.player_id) is not None:
            command = LeaveSeat() if now.ruleset.status(now.state) == "open" else Resign()
            await service.referee.command(game, player, [command], [now.head])


@operation(
    "GET",
    "/v1/players/me/tokens",
    id="listTokens",
    tag="players",
    summary="List your tokens",
    answer=Tokens,
    scope="account",
)
async def list_tokens(call: Call, caller: Player) -> Answer:
    """Those that were not revoked. What a token is, is not kept."""
    tokens = await call.service.log.tokens(caller.player_id)
    return _private(Tokens(tuple(map(_view, tokens))))


@operation(
    "POST",
    "/v1/players/me/tokens",
    id="makeToken",
    tag="players",
    summary="Make a further token",
    answer=NewlyMade,
    status=201,
    problems=("unprintable_name", "past_expiry", "too_many_tokens", "key_reused"),
    scope="account",
)
async def make_token(call: Call, body: NewToken, caller: Player, idempotency_key: str | None) -> Answer:
    """For a bot, which need not have an account, or as a spare one. It is shown once; with an `Idempotency-Key` the
    same answer comes again.
    """
    shared, player_id = call.service, caller.player_id
    name = shown_name(body.name)
    now, expires = shared.clock(), body.expires
    if expires is not None and expires <= now:
        raise ApiError("past_expiry", "expires: has passed.")
    made = Token(uuid4(), name, tuple(dict.fromkeys(body.scopes)), now, expires)
    if idempotency_key is None:
        token, token_hash = shared.new_token()
    else:
        token, token_hash = await shared.token_of(f"token of {player_id}", idempotency_key)
        if before := await shared.log.holder(token_hash):
            return _again(before.token, made, token, idempotency_key)
    others = await shared.log.tokens(player_id)
    if sum(other.expires_at is None or other.expires_at > now for other in others) >= MOST_TOKENS:
        raise ApiError("too_many_tokens", f"A player has {MOST_TOKENS} tokens at most; revoke one first.")
    try:
        await shared.log.add_token(player_id, made, token_hash)
    except Conflict:
        before = await shared.log.holder(token_hash)  # made at the same moment
        if before is None:  # or revoked since
            raise KeyReused(idempotency_key) from None
        return _again(before.token, made, token, idempotency_key)
    return answer(NewlyMade(token, _view(made)), 201, Cache_Control="no-store")


@operation(
    "DELETE",
    "/v1/players/me/tokens/{id}",
    id="revokeToken",
    tag="players",
    summary="Revoke one of your tokens",
    answer=TokenView,
    problems=("unknown_token", "last_token"),
    scope="account",
)
async def revoke_token(call: Call, caller: Player, id: str) -> Answer:
    """From now on no server takes it, and its streams end. One with the scope `account` that does not expire has to
    stay: make another one before you revoke the last.
    """
    log = call.service.log
    found = {str(one.token_id): one for one in await log.tokens(caller.player_id)}.get(id)
    if found is None:
        raise ApiError("unknown_token", f"You have no token {id[:40]!r}; GET /v1/players/me/tokens lists them.")
    try:
        call.service.callers.revoked(await log.revoke_token(caller.player_id, found.token_id))
    except LastToken:
        detail = "No other token of yours makes tokens and never expires; make one first."
        raise ApiError("last_token", detail) from None
    return _private(_view(found))


async def _me(service: Service, player: Player, token: Token) -> Me:
    record = await record_of(service.log, service.tables, player.player_id)
    await service.ladder.glance()
    return Me(
        player.player_id, player.name, player.kind, _view(token), record, ratings_of(service.ladder, player.player_id)
    )


def _again(before: Token, asked: Token, token: str, key: str | None) -> Answer:
    """The answer to a request that is repeated under its key."""
    if before[1:3] != asked[1:3] or before.expires_at != asked.expires_at:
        raise KeyReused(key)
    return answer(NewlyMade(token, _view(before)), 201, Cache_Control="no-store", Idempotent_Replayed="true")


def _private(content: Struct) -> Answer:
    return answer(content, Cache_Control="no-store", Vary="Authorization")


def _view(token: Token) -> TokenView:
    return TokenView(token.token_id, *token[1:])

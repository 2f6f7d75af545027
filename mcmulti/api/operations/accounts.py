"""Your account and your tokens."""

from collections.abc import Collection
from contextlib import suppress
from uuid import UUID, uuid4

from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, answer, operation, private
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import name_taken, player_name, shown_name
from mcmulti.api.pending import announced, announcement, not_announced, owner, view
from mcmulti.api.service import Service
from mcmulti.api.telling.rated import ratings_of
from mcmulti.api.telling.records import record_of
from mcmulti.api.telling.wire import Me, NewlyMade, NewName, NewToken, Tokens, TokenView
from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.commands import LeaveSeat
from mcmulti.domain.core.table import Status
from mcmulti.events.ports.accounts import Holder, Player, Token
from mcmulti.events.ports.errors import Conflict, DamagedGame, LastToken, NameTaken
from mcmulti.events.ports.game_index import GamesWanted
from mcmulti.referee.ruling import KeyReused, Refused, Stale

MOST_TOKENS = 20
"""The most tokens that a player may have at a time."""
PAGE = 200
"""Games looked up at a time when a player gives up its seats."""
_UNFINISHED: tuple[Status, ...] = ("open", "running")


@operation("GET", "/v1/players/me", summary="Show who you are", answer=Me)
async def get_me(call: Call, caller: Holder) -> Answer:
    """Returns your player, the token that the request was sent with, and the results of your latest games."""
    return private(await _me(call.service, caller))


@operation("PATCH", "/v1/players/me", summary="Change your name", answer=Me, problems=("name_taken",), scope="account")
async def rename_me(call: Call, body: NewName, caller: Holder) -> Answer:
    """All games show the new name from now on, including finished ones: logs contain no names. The old name becomes
    free for others. If you repeat the request, it returns the same.
    """
    player, service = caller.player, call.service
    name = player_name(body.name)
    try:
        await service.log.rename(player.player_id, name)
    except NameTaken:
        raise name_taken(name) from None
    service.callers.renamed(player.player_id)
    return private(await _me(service, caller._replace(player=player._replace(name=name))))


@operation(
    "DELETE",
    "/v1/players/me",
    summary="Erase yourself",
    status=204,
    problems=("not_announced", "too_early"),
    scope="account",
)
async def erase_me(call: Call, caller: Holder) -> Answer:
    """The second of two steps. Announce it with the same token first, and wait until it is due (`announceAction`).

    Deletes your name, which becomes free for others, and your record, and revokes all your tokens. You leave tables
    that have not started and resign from running games. Finished games stay, without your name. This cannot be undone.
    If no response arrives, repeat the request: once you are erased, the token is unknown, and the response is 401.
    """
    service, player = call.service, caller.player
    pending = announced(service, caller, "erase")
    await give_up_seats(service, player)
    try:
        revoked = await service.log.erase(player.player_id, pending)
    except Conflict:  # canceled at this moment, or erased
        raise not_announced("erase") from None
    service.callers.revoked(*revoked)
    service.callers.renamed(player.player_id)
    await give_up_seats(service, player)  # seats taken meanwhile
    return Answer(status_code=204, headers={"Cache-Control": "no-store", "Vary": "Authorization"})


async def give_up_seats(service: Service, player: Player) -> None:
    """Give up the seats of an erased player: leave tables that have not started, and resign from the others.

    A game that is damaged, or moves on meanwhile, is skipped.
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


@operation("GET", "/v1/players/me/tokens", summary="List your tokens", answer=Tokens)
async def list_tokens(call: Call, caller: Player) -> Answer:
    """Lists the tokens that are not revoked, without their secrets, which the server does not keep."""
    return await _token_list(call.service, caller.player_id)


@operation(
    "POST",
    "/v1/players/me/tokens",
    summary="Create a token",
    answer=NewlyMade,
    status=201,
    problems=("exceeds_token", "too_many_tokens", "key_reused"),
)
async def make_token(call: Call, body: NewToken, caller: Holder, idempotency_key: str | None) -> Answer:
    """For a bot without an account of its own, or for another device. The new token allows no more than the token that
    creates it, lasts no longer, and is revoked with it. It is shown once. If you send an `Idempotency-Key`, repeating
    the request returns the same response.
    """
    shared, player_id, maker = call.service, caller.player.player_id, caller.token
    name = shown_name(body.name)
    now, expires = shared.clock(), body.expires
    if expires is not None and expires <= now:
        raise ApiError("past_expiry", "expires: must be in the future.")
    made = Token(uuid4(), name, tuple(dict.fromkeys(body.scopes)), now, expires, parent_id=maker.token_id)
    if not maker.covers(made):
        until = "" if maker.expires_at is None else f", until {maker.expires_at} at the latest"
        raise ApiError("exceeds_token", f"This token can create tokens with {', '.join(maker.scopes)}{until}.")
    token, token_hash = await shared.token_of(f"token of {maker.token_id}", idempotency_key)
    if idempotency_key is not None and (before := await shared.log.holder(token_hash)):
        return _again(before.token, made, token, idempotency_key)
    others = await shared.log.tokens(player_id)
    if sum(other.expires_at is None or other.expires_at > now for other in others) >= MOST_TOKENS:
        raise ApiError("too_many_tokens", f"You have {MOST_TOKENS} tokens, the maximum. Revoke one first.")
    try:
        await shared.log.add_token(player_id, made, token_hash)
    except Conflict:
        before = await shared.log.holder(token_hash)  # created at the same moment
        if before is None:  # or revoked since
            raise KeyReused(idempotency_key) from None
        return _again(before.token, made, token, idempotency_key)
    return answer(NewlyMade(token, _view(made)), 201, Cache_Control="no-store")


@operation(
    "DELETE",
    "/v1/players/me/tokens/{id}",
    summary="Revoke one of your tokens",
    answer=TokenView,
    problems=("unknown_token", "exceeds_token", "last_token"),
)
async def revoke_token(call: Call, caller: Holder, id: str) -> Answer:
    """From now on, no server accepts the token or any token that it created, and their streams end. A token can revoke
    itself and tokens that allow no more and last no longer than it does. The owner token, from which all others come,
    cannot be revoked. Replace it with `replaceOwnerToken`.
    """
    service, player_id = call.service, caller.player.player_id
    found = {str(one.token_id): one for one in await service.log.tokens(player_id)}.get(id)
    if found is None:
        raise ApiError("unknown_token", f"You have no token {id[:40]!r}. GET /v1/players/me/tokens lists yours.")
    if not caller.token.covers(found):
        raise ApiError(
            "exceeds_token",
            "The other token has more scopes or lasts longer than the one you sent. Send one that has at "
            "least as much.",
        )
    try:
        await _revoke(service, player_id, [found.token_id])
    except LastToken:
        detail = (
            "This is the last non-expiring token that can create tokens, so it cannot be revoked. Replace "
            "it: POST /v1/players/me/owner-token."
        )
        raise ApiError("last_token", detail) from None
    return private(_view(found))


@operation("DELETE", "/v1/players/me/tokens", summary="Revoke all your other tokens", answer=Tokens)
async def revoke_other_tokens(call: Call, caller: Holder) -> Answer:
    """Revokes all tokens that allow no more and last no longer than the one you send, except itself and the tokens it
    comes from. The response lists the remaining tokens.
    """
    log, player_id = call.service.log, caller.player.player_id
    tokens = {token.token_id: token for token in await log.tokens(player_id)}
    kept, ancestor = set(), tokens.get(caller.token.token_id)
    while ancestor is not None:
        kept.add(ancestor.token_id)
        ancestor = tokens.get(ancestor.parent_id) if ancestor.parent_id else None
    others = [token_id for token_id, token in tokens.items() if token_id not in kept and caller.token.covers(token)]
    await _revoke(call.service, player_id, others)
    return await _token_list(call.service, player_id)


@operation(
    "POST",
    "/v1/players/me/owner-token",
    summary="Replace the owner token",
    answer=Tokens,
    problems=("exceeds_token", "not_announced", "too_early"),
)
async def replace_owner_token(call: Call, caller: Holder) -> Answer:
    """The second of two steps. Announce it with the same token first, and wait until it is due (`announceAction`).

    The token you send becomes the owner token. All others are revoked, including the one that created it. The token you
    send must have all scopes and must not expire. If you repeat the request, it returns the same.
    """
    service, player_id = call.service, caller.player.player_id
    owner(caller)
    if len(await service.log.tokens(player_id)) > 1:
        pending = announced(service, caller, "replace_owner_token")
        try:
            revoked = await service.log.replace_owner(player_id, pending)
        except Conflict:  # canceled at this moment, or done
            raise not_announced("replace_owner_token") from None
        service.callers.revoked(*revoked)
        service.callers.renamed(player_id)
    return await _token_list(service, player_id)


async def _revoke(service: Service, player_id: UUID, token_ids: Collection[UUID]) -> None:
    service.callers.revoked(*await service.log.revoke_tokens(player_id, token_ids))
    service.callers.renamed(player_id)  # actions announced with them are no longer pending


async def _token_list(service: Service, player_id: UUID) -> Answer:
    return private(Tokens(tuple(map(_view, await service.log.tokens(player_id)))))


async def _me(service: Service, caller: Holder) -> Me:
    player, pending = caller.player, announcement(caller, service.clock())
    record = await record_of(service.log, service.tables, player.player_id)
    await service.ladder.glance()
    return Me(
        player.player_id,
        player.name,
        player.kind,
        _view(caller.token),
        record,
        ratings_of(service.ladder, player.player_id),
        pending and view(pending),
    )


def _again(before: Token, asked: Token, token: str, key: str | None) -> Answer:
    """The response to a request that is repeated with its key."""
    if before[1:3] != asked[1:3] or before.expires_at != asked.expires_at:
        raise KeyReused(key)
    return answer(NewlyMade(token, _view(before)), 201, Cache_Control="no-store", Idempotent_Replayed="true")


def _view(token: Token) -> TokenView:
    return TokenView(token.token_id, *token[1:])

"""Playing: take a seat, see what is offered, send commands."""

from hashlib import sha256
from typing import Any, cast
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import FromPath
from msgspec import Struct

from mcmulti.api.answers import Answer
from mcmulti.api.caching import tag_of, unchanged, varies
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
    if_match,
    query,
)
from mcmulti.api.logging import note
from mcmulti.api.problems import ApiError
from mcmulti.api.service import service
from mcmulti.api.wire import Commands, Join, Offers, Result
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import BY_VERSION
from mcmulti.events.item import item
from mcmulti.events.log import Player
from mcmulti.events.positions import Position
from mcmulti.events.redaction import for_reader
from mcmulti.referee.ruling import Idempotency, Ruling

_PLAYING = ("no_seat", "unknown_game", "refused", "stale", "key_reused", "invalid_header", "busy")
_MOVES = frozenset(move.__name__ for ruleset in BY_VERSION.values() for move in ruleset.commands.moves)
"""The commands there are, in games of whichever rule set."""


class _Typed(Struct):
    type: str


class CommandsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`dry_run`: only try the commands out, up to the last one if that needs dice."""

    dry_run: bool = False


@post(
    "/v1/games/{game:str}/seats",
    opt={
        "operation": Operation(
            id="takeSeat",
            tag="play",
            summary="Take a seat, and add entropy to the dice",
            body=(Join,),
            answer=Result,
            status=201,
            query=NoQuery,
            auth="required",
            headers=("If-Match", "Idempotency-Key"),
            etag=True,
            problems=tuple(code for code in _PLAYING if code != "no_seat"),
        )
    },
)
async def take_seat(request: AnyRequest, game: FromPath[str]) -> Answer:
    query(request, NoQuery)
    player = await service(request).player(request)
    join: Join = await body(request, Join)
    if join.entropy.endswith("\n"):  # which the `$` of a pattern lets pass in Python, and in no other language
        raise ApiError("invalid_body", "entropy: ends with a line break.")
    position = await service(request).referee.known(game_id(game))
    command = position.ruleset.commands.joining(
        player=str(player.player_id), name=player.name, seat=join.seat, entropy=join.entropy
    )
    return await _send(request, position.game_id, player, [command], 201)


@get(
    "/v1/games/{game:str}/offers",
    opt={
        "operation": Operation(
            id="listOffers",
            tag="play",
            summary="See what you may do now",
            answer=Offers,
            query=NoQuery,
            auth="required",
            headers=("If-None-Match",),
            etag=True,
            problems=("no_seat", "unknown_game"),
        )
    },
)
async def list_offers(request: AnyRequest, game: FromPath[str]) -> Answer:
    query(request, NoQuery)
    player = await service(request).player(request)
    position = await service(request).referee.position(game_id(game))
    seat = seated(position, player)
    tag = tag_of(request, position.head, seat=seat)

    def write() -> bytes:
        ruleset, state, head = position.ruleset, position.state, position.head
        offers = ruleset.offers(state, seat)
        return encoded(Offers(position.game_id, head.seq, head.hash.hex(), seat, ruleset.to_move(state), offers))

    return unchanged(request, tag) or answer(
        service(request).responses.body(position.game_id, "offers", seat, position.head, write),
        head=position.head,
        tag=tag,
        Cache_Control="private, no-cache",
        Vary=varies(request),
    )


@post(
    "/v1/games/{game:str}/commands",
    opt={
        "operation": Operation(
            id="sendCommands",
            tag="play",
            summary="Send commands, all or nothing, or try them out",
            body=(Commands,),
            answer=Result,
            query=CommandsQuery,
            auth="required",
            headers=("If-Match", "Idempotency-Key"),
            etag=True,
            problems=(*_PLAYING, "other_ruleset"),
        )
    },
)
async def send_commands(request: AnyRequest, game: FromPath[str]) -> Answer:
    wanted = query(request, CommandsQuery)
    shared = service(request)
    player, referee = await shared.player(request), shared.referee
    sent: Commands = await body(request, Commands)
    position = await referee.known(game_id(game))
    commands = [_move(position.ruleset, bytes(command), index) for index, command in enumerate(sent.commands)]
    if wanted.dry_run:
        ruling = await referee.dry_run(position.game_id, player, commands, if_match(request))
        return answer(_result(ruling, player), head=position.head, Cache_Control="no-store")
    return await _send(request, position.game_id, player, commands, 200)


def _move(ruleset: Ruleset[Any], command: bytes, index: int) -> Struct:
    """A command that seats send in games of this rule set."""
    moves = ruleset.commands.moves
    try:
        return cast(Struct, decoded(command, *moves, at=f".commands[{index}]"))
    except ApiError:
        named = _type_of(command)
        if named not in _MOVES or any(move.__name__ == named for move in moves):
            raise
        raise ApiError("other_ruleset", f"{ruleset.title} has no command {named}.", command=index) from None


def _type_of(command: bytes) -> str | None:
    """What a command that does not fit calls itself."""
    try:
        return msgspec.json.decode(command, type=_Typed).type
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


async def _send(request: AnyRequest, game: UUID, player: Player, commands: list[Any], status: int) -> Answer:
    key = idempotency_key(request)
    idempotency = None
    if key is not None:
        asked = sha256(b"%b\n%b" % (request.scope["path"].encode(), await content(request))).digest()
        idempotency = Idempotency(key, asked)
    done = await service(request).referee.command(game, player, commands, if_match(request), idempotency)
    head, told = done.position.head, _result(done, player)
    if done.repeated:
        return answer(told, status, head, Cache_Control="no-store", Idempotent_Replayed="true")
    note(**done.line())
    return answer(told, status, head, Cache_Control="no-store")


def seated(position: Position, player: Player) -> int:
    """Where the caller sits; raises a problem if it does not."""
    seat = position.seat_of(player.player_id)
    if seat is None:
        raise ApiError("no_seat", "You do not sit at this table.", rule="table/join")
    return seat


def _result(ruling: Ruling, player: Player) -> Result:
    position = ruling.position
    return Result(
        position.game_id,
        position.head.seq,
        position.head.hash.hex(),
        position.seat_of(player.player_id),
        tuple(item(event) for event in for_reader(position, player, ruling.events)),
        position.ruleset.to_move(position.state),
        ruling.undecided,
    )

"""Playing: take a seat, list offers, send commands."""

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, cast
from uuid import UUID

import msgspec
from msgspec import Struct

from mcmulti.api.admission.access import admit
from mcmulti.api.caching.moments import moment
from mcmulti.api.caching.representation import Perspective, Representation
from mcmulti.api.http.answers import Answer, encoded
from mcmulti.api.http.contract import Call, LanguageQuery, answer, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import Heads, Tags, content, decoded
from mcmulti.api.logging import note
from mcmulti.api.telling.decisions import next_move, offers_of
from mcmulti.api.telling.refusals import refusal, unread
from mcmulti.api.telling.wire import Commands, Join, Offers, Result
from mcmulti.domain.core.capabilities.rounds import UnreadOrders
from mcmulti.domain.core.commands import Worded
from mcmulti.domain.core.offers import NO_SEAT
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.rulesets import BY_VERSION
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import item
from mcmulti.events.ports.accounts import Player
from mcmulti.events.store.redaction import for_reader
from mcmulti.metering import metered
from mcmulti.projections.reports.replay import frames
from mcmulti.referee.ruling import Idempotency, Ruling

_PLAYING = ("refused", "stale", "unconfirmed", "key_reused", "busy")
_MOVES = frozenset(
    move.__name__ for ruleset in BY_VERSION.values() for move in (*ruleset.commands.moves, *ruleset.commands.worded)
)
"""All commands, in games of any rule set."""


class _Typed(Struct):
    type: str


class CommandsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`dry_run`: only try the commands out, up to the last one if that needs chance or reveals sealed events.

    `offers`: add what the caller sees and may do afterward (`next`), except in a trial. `language`: of refusals, of a
    trial's sentences, and of offers.
    """

    dry_run: bool = False
    offers: bool = False
    language: Language = "en"


@operation(
    "POST",
    "/v1/games/{game}/seats",
    tag="play",
    summary="Take a seat and add entropy to the dice",
    answer=Result,
    status=201,
    etag=True,
    problems=(
        *_PLAYING,
        "not_invited",
        "no_companions",
        "reserved",
        "too_many_open_games",
        "name_taken",
        "series_seated",
    ),
)
async def take_seat(
    call: Call,
    query: LanguageQuery,
    caller: Player,
    game: UUID,
    if_match: Heads | None,
    idempotency_key: str | None,
    body: Join,
) -> Answer:
    """Takes a free seat before the game starts, or a seat that a player left in a running game, if the table allows
    substitutes. If the table uses house bots, only the player who left can take the seat again. Entropy that you send
    before the start goes into every draw of the game; at a table of a series it is left out. A `closed` table accepts
    only players who were invited by name or send its passcode. At your own `practice` table, people who share your
    device can sit down too: with `~1` to `~5` behind your token, requests come from a companion, whose `name` you give
    here.
    """
    if body.entropy.endswith("\n"):  # which Python's `$` matches before, unlike other languages
        raise ApiError("invalid_body", "entropy: ends with a line break.")
    referee = call.service.referee
    position = await referee.known(game)
    await admit(call.service, position.game_id, caller, body.passcode, idempotency_key, body.name)
    entropy = body.entropy if position.state.series is None else ""  # all tables of a series have the same dice
    command = position.ruleset.commands.joining(player=str(caller.player_id), seat=body.seat, entropy=entropy)
    async with call.service.open_games.room(caller, game), call.service.series.seating(position, caller):
        return await _send(call, position.game_id, caller, [command], if_match, idempotency_key, status=201)


@operation(
    "GET",
    "/v1/games/{game}/offers",
    tag="play",
    summary="List your legal commands",
    answer=Offers,
    problems=("no_seat",),
)
async def list_offers(call: Call, query: LanguageQuery, caller: Player, game: UUID, if_none_match: Tags) -> Answer:
    """Lists every command that is legal for your seat now, with the values of its fields. A command is legal if and
    only if an offer admits it: one of `offers`, which the game is waiting for, or one of `besides`, which are open at
    any time.
    """
    at = await moment(call, game)
    seat, told = seated(at, query.language), Representation(call, at)

    def write() -> bytes:
        return encoded(offers_of(at.position, seat, query.language))

    return told.unchanged(if_none_match) or told.answer(told.written(write))


@operation(
    "POST",
    "/v1/games/{game}/commands",
    tag="play",
    summary="Send commands, all or nothing, or try them out",
    answer=Result,
    etag=True,
    problems=("no_seat", *_PLAYING, "other_ruleset", "unread_orders"),
)
async def send_commands(
    call: Call,
    query: CommandsQuery,
    caller: Player,
    game: UUID,
    if_match: Heads | None,
    idempotency_key: str | None,
    body: Commands,
) -> Answer:
    """Carries out the commands in order, all or nothing. Only the last one may need chance or reveal sealed events.
    With `Idempotency-Key` you can safely retry a request. With `If-Match` the request is refused if the game has moved
    on. `dry_run` appends nothing.
    """
    referee = call.service.referee
    position = await referee.known(game)
    commands = [move_sent(position.ruleset, bytes(command), index) for index, command in enumerate(body.commands)]
    if any(isinstance(command, Worded) for command in commands):
        state = position.presented((await call.service.names.lookup(position.state.everybody)).called).state
        seat = position.seat_of(caller.player_id)
        try:
            commands = await asyncio.to_thread(metered, meant, commands, seat, state.names, query.language)
        except ApiError as unread:
            if query.dry_run:
                raise
            return await _send(call, position.game_id, caller, unread, if_match, idempotency_key, query=query)
    if query.dry_run:
        ruling = await referee.dry_run(position.game_id, caller, commands, if_match)
        told = await _sentences(call, ruling, caller, query.language)
        return answer(await _result(call, ruling, caller, told), head=position.head, Cache_Control="no-store")
    return await _send(call, position.game_id, caller, commands, if_match, idempotency_key, query=query)


def meant(commands: list[Struct], seat: int | None, names: Sequence[str | None], language: Language) -> list[Struct]:
    """The moves of a seat that commands stand for, among players with these names. Raises a problem for words that mean
    none.
    """
    moves: list[Struct] = []
    for index, command in enumerate(commands):
        try:
            moves.append(command.move(seat, names) if isinstance(command, Worded) else command)
        except UnreadOrders as error:
            raise unread(error, language, command=index) from None
    return moves


def move_sent(ruleset: Ruleset[Any], command: bytes, index: int) -> Struct:
    """A JSON command that seats can send in games of this rule set. Raises a problem for anything else.

    `index`: which of several it is, from 0.
    """
    moves = (*ruleset.commands.moves, *ruleset.commands.worded)
    try:
        return cast(Struct, decoded(command, *moves, at=f".commands[{index}]"))
    except ApiError:
        named = _type_of(command)
        if named not in _MOVES or any(move.__name__ == named for move in moves):
            raise
        raise ApiError("other_ruleset", f"{ruleset.title} has no command {named}.", command=index) from None


def _type_of(command: bytes) -> str | None:
    """The type that an invalid command claims to be."""
    try:
        return msgspec.json.decode(command, type=_Typed).type
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


async def _send(
    call: Call,
    game: UUID,
    player: Player,
    commands: list[Any] | ApiError,
    if_match: Heads | None,
    key: str | None,
    *,
    status: int = 200,
    query: CommandsQuery | None = None,
) -> Answer:
    """The results of commands, or those from when they were first sent. Problems of parsing are raised only if they
    were not sent before, since they may name a player whose name has changed; the same holds for the quota of events.
    """
    idempotency = None
    if key is not None:
        asked = sha256(b"%b\n%b" % (call.request.scope["path"].encode(), await content(call.request))).digest()
        idempotency = Idempotency(key, asked)
    referee, done, quota = call.service.referee, None, call.service.events
    payer = player if quota is None else call.service.payer(call.request, player)
    if quota is not None:
        try:
            await quota.room("events", payer.player_id.hex)
        except ApiError as over:
            commands = over
    if not isinstance(commands, ApiError):
        done = await referee.command(game, player, commands, if_match, idempotency)
    elif (done := await referee.answered(game, player, idempotency)) is None:
        raise commands
    head, told = done.position.head, await _result(call, done, player)
    if query is not None and query.offers:
        # A repeated response says what comes next now, not then.
        position = await referee.position(game) if done.repeated else done.position
        shown = await next_move(position, call.service.tables, player.player_id, query.language)
        told = msgspec.structs.replace(told, next=shown)
    if done.repeated:
        return answer(told, status, head, Cache_Control="no-store", Idempotent_Replayed="true")
    note(player=str(player.player_id), **done.line())
    if quota is not None:
        await quota.spend("events", _weight(done.events), payer.player_id.hex)
    return answer(told, status, head, Cache_Control="no-store")


def _weight(events: Sequence[Recorded]) -> int:
    """As how many events these count: each as one, and as one more for every 1,024 bytes of it and its command."""
    return sum([1 + (len(event.data) + len(event.command or b"")) // 1024 for event in events])


def seated(at: Perspective, language: Language) -> int:
    """The caller's seat. Raises a problem if it has none."""
    if at.seat is None:
        raise refusal(at.position.ruleset, NO_SEAT.rejection(), language)
    return at.seat


async def _sentences(call: Call, ruling: Ruling, player: Player, language: Language) -> tuple[str, ...]:
    """The results of a trial, in the replay's sentences."""
    if not ruling.events:
        return ()
    before = await call.service.referee.position_at(ruling.position.game_id, ruling.events[0].seq - 1)
    called = (await call.service.names.lookup(before.state.everybody)).called
    seat = before.seat_of(player.player_id)
    told = frames(before.ruleset, before.state, ruling.events, seat=seat, language=language, called=called)
    return tuple([happened.sentence for frame in told for happened in frame.happened])


async def _result(call: Call, ruling: Ruling, player: Player, told: tuple[str, ...] = ()) -> Result:
    position = ruling.position
    table = await call.service.tables.at(position, events=ruling.events)
    return Result(
        position.game_id,
        position.head.seq,
        position.head.hash.hex(),
        position.seat_of(player.player_id),
        tuple([item(event) for event in for_reader(position, player, ruling.events)]),
        table,
        ruling.undecided,
        ruling.undone,
        told,
    )

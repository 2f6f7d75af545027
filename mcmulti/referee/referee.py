"""The referee: load, decide, append, publish. The only writer of the log."""

import secrets
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from msgspec import Struct

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.course.standing import TenureChange
from mcmulti.domain.core.event import Event, SeriesTable
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import START, Head, Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import Conflict, DamagedGame
from mcmulti.events.ports.event_store import Receipt, signed
from mcmulti.events.ports.game_index import FOR_ALL, Access
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import Notification
from mcmulti.events.store.standing import ending, row, rows
from mcmulti.metrics import CONFLICTS, DEADLINES_MISSED, HAPPENED, appended
from mcmulti.referee.attendant import Decided, GameAtHand
from mcmulti.referee.clock import SteadyClock
from mcmulti.referee.deadlines import Timekeeper
from mcmulti.referee.questions import AnswerKeeper
from mcmulti.referee.reading import GameReader
from mcmulti.referee.ruling import Idempotency, KeyReused, Refused, Request, Ruling, Stale, followed, judge, opened
from mcmulti.tracing import span

ATTEMPTS = 20
"""How often a command is decided again because another writer was faster, before the referee gives up."""
PAGE = 200
"""Events read at a time to see what happened to a request."""


class Referee(GameReader):
    """Opens games, decides commands on cached games, and appends the results; finds the results of earlier requests.

    The cache is a guess that an append verifies: if another process was faster, the log refuses, the tail is loaded,
    and the command is decided again. A referee decides the commands of a game one by one.
    """

    def __init__(self, log: Log, clock: Callable[[], datetime] | None = None) -> None:
        self.clock = clock or SteadyClock()
        self.time = Timekeeper(log)
        super().__init__(log, (self.time, AnswerKeeper(log, self._now, self.position)))

    async def open(
        self,
        ruleset: Ruleset[Any],
        setup: Struct,
        game_id: UUID | None = None,
        opened_by: UUID | None = None,
        access: Access = FOR_ALL,
        origin: Origin | None = None,
        notices: Sequence[Notification] = (),
        series: SeriesTable | None = None,
        secret: bytes | None = None,
    ) -> Ruling:
        """Open a game, by default with a new id, for the player who asks for it, if any.

        With an `origin`, it is a practice game. `notices`: messages about it. `series`: its place in a series, whose
        tables share a `secret` seed; all other games get one of their own. Raises `Refused` if the rule set refuses the
        setup, `BadPosition` if no game can begin like that, and `Conflict` if there is a game with this id.
        """
        game_id, secret, now = game_id or uuid4(), secret or secrets.token_bytes(32), self.clock()
        ruling = opened(ruleset, setup, game_id, SeededChance(secret, str(game_id)), opened_by, now, origin, series)
        stands = row(ruleset.terms(setup).standing(ruling.position.state), None)
        made = ruleset.name, ruleset.version, stands, secret, ruling.events, opened_by, access
        await self.log.create(game_id, *made, notices=notices)
        count(ruleset.name, ruling.happened, ())
        self._cache_game(ruling.position, ruling.events).opened(ruling, stands, opened_by, access)
        self.history.passed(START, ruling.position)
        return ruling

    async def dry_run(
        self, game_id: UUID, player: Player, commands: Sequence[Any], if_match: Collection[Head] | None = None
    ) -> Ruling:
        """What the commands would lead to, up to the first that draws or reveals sealed data; nothing is appended.

        Raises `Refused`, `Stale`, and `UnknownGame`.
        """
        position, game, now = await self.position(game_id), await self.hand(game_id), self.clock()
        request, before = Request(player, commands, if_match), game.terms.standing(position.state, position.head.seq)
        for attendant in game.attendants:
            await attendant.admit(game, position, before, request, now)
        return judge(position, before, request, None, now)

    async def command(
        self,
        game_id: UUID,
        player: Player,
        commands: Sequence[Any],
        if_match: Collection[Head] | None = None,
        idempotency: Idempotency | None = None,
    ) -> Ruling:
        """Decide a player's commands and append the results, all or nothing.

        If the same request was answered before, nothing is appended, and its earlier result is returned.

        Raises `Refused`, `Stale` if the game is at none of `if_match`, `KeyReused`, `UnknownGame`, `DamagedGame`, and
        `Conflict` after too many faster writers.
        """
        game, request = await self.hand(game_id), Request(player, commands, if_match, idempotency)
        for attendant in game.attendants:
            await attendant.hold(game, game_id, request)
            game = await self.hand(game_id)
        async with game.turn:
            await self.settle(game)
            if idempotency is not None and idempotency.key in game.answered:
                earlier = await self.answered(game_id, player, idempotency)
                if earlier is not None:
                    return earlier
            position = game.position or await self.position(game_id)
            for _ in range(ATTEMPTS):
                refusal: Refused | Stale | None = None
                try:
                    return await self.append(game, await self.decide(game, position, request))
                except (Refused, Stale) as error:
                    refusal = error
                except Conflict:
                    CONFLICTS.inc()
                # An earlier answer is looked for only now: if there is one, the command cannot have succeeded.
                earlier = await self.answered(game_id, player, idempotency)
                if earlier is not None:
                    return earlier
                before, position = position, await self.position(game_id)
                if refusal is not None and position.head == before.head:
                    raise refusal
            raise Conflict(
                f"game {game_id} is changing too fast: another command came first {ATTEMPTS} times; try again"
            )

    async def decide(self, game: GameAtHand, position: Position, request: Request) -> Decided:
        """Decide a request now, holding the lock of its game. Raises `Refused` and `Stale`."""
        chance = game.chance or await self.dice(game, position)
        now, before = self.clock(), game.stands(position)
        for attendant in game.attendants:
            await attendant.admit(game, position, before, request, now)
        with span("decide", game_id=position.game_id, seq=position.head.seq):
            ruling = judge(position, before, request, chance, now)
        terms, after = game.terms, game.terms.standing(ruling.position.state, ruling.position.head.seq)
        for attendant in game.attendants:
            if (
                first := await attendant.first(game, Decided(position, before, ruling, after, request, now))
            ) is not None:
                ruling = judge(position, before, request, chance, now, first)
                after = terms.standing(ruling.position.state, ruling.position.head.seq)
        reaction = terms.react(before, after, ruling.happened)
        if reaction.follows is not None:
            ruling = followed(ruling, reaction.follows, chance, now)
            after = terms.standing(ruling.position.state, ruling.position.head.seq)
            reaction = terms.react(before, after, ruling.happened)
        return Decided(position, before, ruling, after, request, now, reaction)

    async def append(self, game: GameAtHand, decided: Decided) -> Ruling:
        """Append a decision, and publish it. Raises `Conflict` if the game has moved on.

        If its outcome is unknown, and it contains draws, it is owed: nothing else is decided in the game before it.
        Otherwise a player could learn the dice from failures, and do something else instead.
        """
        (game_id, ruleset, _, head), before, ruling, after, request, _, reaction = decided
        game.owed = decided if ruling.drawn else None
        stands = row(after, ending(decided.position, ruling.events) if after.status == "finished" else None)
        for attendant in game.attendants:
            stands = await attendant.note(game, decided, stands)
        reseated, key = after.players != before.players, request.idempotency
        tenures = rows(ruleset.name, reaction.tenures, ruling.events) if reaction.tenures else ()
        receipt = None if key is None else await self.receipt(decided)
        try:
            with span("append", game_id=game_id, seq=ruling.position.head.seq, ruleset=ruleset.name):
                await self.log.append(
                    game_id, head, ruling.events, stands, receipt=receipt, reseated=reseated, tenures=tenures
                )
        except Conflict:
            game.owed = None
            raise
        game.owed = None
        if key is not None:
            game.answered.append(key.key)
        game.moved(head, ruling, after, stands)
        count(ruleset.name, ruling.happened, reaction.tenures)
        # While a seat is asked at its own moment, commands reach everybody only through the log: otherwise clients of
        # this server would get them first, and know where the answer was given.
        if before.question is None:
            self._cache_game(ruling.position, ruling.events)
        self.history.passed(head, ruling.position)
        return ruling

    async def settle(self, game: GameAtHand) -> None:
        """Append what is owed, unless it has reached the log or another writer was faster."""
        if game.owed is not None:
            with suppress(Conflict):
                await self.append(game, game.owed)

    async def answered(self, game_id: UUID, player: Player, idempotency: Idempotency | None) -> Ruling | None:
        """The result of the same request before. Raises `KeyReused` if another one was sent with its key."""
        if idempotency is None:
            return None
        receipt = await self.log.receipt(game_id, player.player_id, idempotency.key)
        if receipt is None:
            return None
        if receipt != signed(self.history.key or await self.history.digest_key(), game_id, *receipt[:-1]):
            raise DamagedGame(game_id, f"the receipt of key {idempotency.key!r} is not what was kept")
        if receipt.request_hash != idempotency.request_hash:
            raise KeyReused(idempotency.key)
        position = await self.position_at(game_id, receipt.seq)
        events = await self.log.read(game_id, receipt.after_seq, receipt.seq - receipt.after_seq)
        undone = await self._undone(position, events)
        return Ruling(position, events, repeated=True, undone=undone)

    async def receipt(self, decided: Decided) -> Receipt | None:
        """The receipt that proves later that a request was answered, and its events; None without a key."""
        (game_id, _, _, head), _, ruling, _, request, *_ = decided
        if request.player is None or request.idempotency is None:
            return None
        key = self.history.key or await self.history.digest_key()
        return signed(key, game_id, request.player.player_id, *request.idempotency, head.seq, ruling.position.head.seq)

    def _now(self) -> datetime:
        return self.clock()

    async def _undone(self, position: Position, events: Sequence[Recorded]) -> bool:
        """Whether moves among the events of a request, which led to a position, were taken back since."""
        ruleset, seq = position.ruleset, position.head.seq
        decode = event_decoder(ruleset.name, ruleset.version)
        follow = ruleset.terms(ruleset.setup_of(position.state)).aftermath
        aftermath = None if follow is None else follow([decode(event.data) for event in events])
        if aftermath is None:
            return False
        while aftermath.undone is None and (page := await self.log.read(position.game_id, seq, PAGE)):
            aftermath.read(decode(event.data) for event in page)
            seq = page[-1].seq
        return bool(aftermath.undone)


def count(ruleset: str, events: Sequence[Event], tenures: Sequence[TenureChange]) -> None:
    """Count events that were appended to a game of this rule set, and their changes in who plays."""
    appended(ruleset).inc(len(events))
    if tenures and (missed := sum(tenure.missed for tenure in tenures)):
        DEADLINES_MISSED.labels(ruleset).inc(missed)
    for event in events:
        if event.counted:
            HAPPENED[event.counted].labels(ruleset, getattr(event, "why")).inc()  # noqa: B009

"""The referee: load, decide, append, publish. The only writer of the log."""

import asyncio
import secrets
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import structlog
from msgspec import Struct

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import draft
from mcmulti.events.log.envelope import START, Head, Recorded, seal
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import Conflict, DamagedGame, UnknownGame
from mcmulti.events.ports.event_store import signed
from mcmulti.events.ports.game_index import FOR_ALL, Access, Game, TenureRow
from mcmulti.events.ports.log import Log
from mcmulti.events.store.standing import behind, standing
from mcmulti.events.store.tenures import changed
from mcmulti.metrics import CONFLICTS, TIME_GIVEN_BACK
from mcmulti.referee.clock import SteadyClock
from mcmulti.referee.counting import count
from mcmulti.referee.deadlines import may_be_late, next_deadline, overrun
from mcmulti.referee.questions import EARLY, answers, asked
from mcmulti.referee.reading import GameAtHand, GameReader
from mcmulti.referee.ruling import Decided, Idempotency, KeyReused, Refused, Ruling, Stale, head_of, judge
from mcmulti.referee.undone import Aftermath
from mcmulti.tracing import span

_log = structlog.get_logger(__name__)

PAGE = 200
"""Events that are read at a time to see what became of a request."""
ATTEMPTS = 20
"""How often a command is decided again because somebody else was quicker, before the referee gives up."""


class Referee(GameReader):
    """Decides commands against the games at hand and appends what follows from them.

    What is at hand is a guess that an append checks: if another process was quicker, the log says so, the tail is
    loaded and the command decided again. One referee decides the commands of a game one by one.
    """

    def __init__(self, log: Log, clock: Callable[[], datetime] | None = None) -> None:
        super().__init__(log)
        self.clock = clock or SteadyClock()

    async def open(
        self,
        ruleset: Ruleset[Any],
        setup: Struct,
        game_id: UUID | None = None,
        opened_by: UUID | None = None,
        access: Access = FOR_ALL,
    ) -> Ruling:
        """Open a game, under a new id unless told, for the player who asks for it, if it is one.

        Raises `Refused` when the rule set does not take the setup, and `Conflict` when there is a game of this id.
        """
        game_id = game_id or uuid4()
        secret = secrets.token_bytes(32)
        opener = None if opened_by is None else str(opened_by)
        decision = ruleset.open(str(game_id), setup, SeededChance(secret, str(game_id)), opener)
        if isinstance(decision, Rejection):
            raise Refused(decision, 0, Position(game_id, ruleset, None, START))
        events = seal(game_id, START, draft(decision.facts), self.clock())
        stands = standing(ruleset, decision.state, None)
        await self._log.create(game_id, ruleset.name, ruleset.version, stands, secret, events, opened_by, access)
        ruling = Ruling(Position(game_id, ruleset, decision.state, head_of(events)), events)
        self._publish(Position(game_id, ruleset, None, START), ruling, ())
        opened_at = events[0].recorded_at
        (await self._at_hand(game_id)).logged = Game(
            game_id,
            ruleset.name,
            ruleset.version,
            stands.behind(None),
            head_of(events),
            opened_at,
            opened_at,
            opened_by,
            access,
        )
        return ruling

    async def command(
        self,
        game_id: UUID,
        player: Player,
        commands: Sequence[Any],
        if_match: Collection[Head] | None = None,
        idempotency: Idempotency | None = None,
    ) -> Ruling:
        """Decide a player's commands and append what follows, all or nothing.

        An answer to a question in another's turn may have to wait first (`table/instruct`).
        If the same request was answered before, nothing is appended, and what came of it then is told.

        Raises `Refused`, `Stale` if the game is at none of `if_match`, `KeyReused`, `UnknownGame`, `DamagedGame`, and
        `Conflict` after too many quicker writers.
        """
        game = await self._at_hand(game_id)
        questions = None if game.position is None else game.position.ruleset.questions
        if game.position is None or (questions is not None and questions.after(game.position.state) is not None):
            await self._hold(game_id, player, commands, if_match)
            game = await self._at_hand(game_id)
        async with game.turn:
            if game.owed is not None:
                await self._settle(game, game.owed)
            if idempotency is not None and idempotency.key in game.answered:
                earlier = await self.answered(game_id, player, idempotency)
                if earlier is not None:
                    return earlier
            chance = game.chance or await self._chance(game, game_id)
            position = game.position or await self.position(game_id)
            for _ in range(ATTEMPTS):
                refusal: Refused | Stale | None = None
                try:
                    ruling = await self._decide(game, position, player, commands, if_match, chance)
                    answering = answers(position, player, commands)
                    await self._append(game, Decided(position, ruling, player, idempotency, answering))
                except (Refused, Stale) as error:
                    refusal = error
                except Conflict:
                    CONFLICTS.inc()
                else:
                    return ruling
                # An earlier answer is looked for only now: where there is one, the command cannot have gone through.
                earlier = await self.answered(game_id, player, idempotency)
                if earlier is not None:
                    return earlier
                before, position = position, await self.position(game_id)
                if refusal is not None and position.head == before.head:
                    raise refusal
            raise Conflict(f"game {game_id} moves too fast: {ATTEMPTS} times somebody else was quicker")

    async def _decide(
        self,
        game: GameAtHand,
        position: Position,
        player: Player,
        commands: Sequence[Any],
        if_match: Collection[Head] | None,
        chance: SeededChance,
    ) -> Ruling:
        """What comes of a seat's commands now, with what the server has to say of its time."""
        timed = may_be_late(position, player)
        now = await self._in_time(game, position) if timed else self.clock()
        with span("decide", game_id=position.game_id, seq=position.head.seq):
            ruling = judge(position, player, commands, if_match, chance, now)
        charge = await self._overrun(game, ruling, position, now) if timed else None
        return ruling if charge is None else judge(position, player, commands, if_match, chance, now, charge)

    async def _hold(
        self, game_id: UUID, player: Player, commands: Sequence[Any], if_match: Collection[Head] | None
    ) -> None:
        """Wait until an answer to a question in another's turn may be given; what would be refused does not wait.

        No instruction answers what a person answers. Whoever is held and goes away has answered nothing.
        """
        position = await self.position(game_id)
        if not answers(position, player, commands):
            return
        question = await self._log.question(game_id)
        if question is None or question.answer_at <= self.clock():
            return
        try:
            judge(position, player, commands, if_match, None, self.clock())
        except (Refused, Stale):
            return
        await self._log.close_question(game_id, question)
        await asyncio.sleep((question.answer_at - self.clock()).total_seconds())

    async def answer(self, game_id: UUID) -> Ruling | None:
        """Let an instruction answer the question that a game asks, if one is on; None if none does.

        Raises `UnknownGame`, `DamagedGame` and `LogUnavailable`.
        """
        game = await self._at_hand(game_id)
        async with game.turn:
            if game.owed is not None:
                await self._settle(game, game.owed)
            position = await self.position(game_id)
            question = await self._log.question(game_id)
            if question is None or not question.open or question.answer_at > self.clock() + EARLY:
                return None
            questions, state = position.ruleset.questions, position.state
            asked_seat = None if questions is None else questions.asked(state)
            ruling, command = None, None if questions is None else questions.answer(state)
            if command is not None and asked_seat is not None:
                _, seat = asked_seat
                player = Player(UUID(state.player_ids[seat]), "")
                chance = await self._chance(game, game_id)
                try:
                    ruling = await self._decide(game, position, player, [command], (position.head,), chance)
                    await self._append(game, Decided(position, ruling, answers=True))
                except Refused:  # its time is up
                    ruling = None
                except Conflict:
                    CONFLICTS.inc()
                    return None
            if ruling is None or questions is None or questions.asked(ruling.position.state) is None:
                await self._log.close_question(game_id, question)
            return ruling

    async def keep_time(self) -> None:
        """Note that time is kept, and give back what nobody did; that is told to the operator."""
        given_back = (await self._log.keep_time()).total_seconds()
        if given_back:
            TIME_GIVEN_BACK.inc(given_back)
            _log.warning("nobody kept time; what was to come is moved", seconds=given_back)

    async def time_out(self, game_id: UUID) -> Ruling | None:
        """Let a game whose deadline has come go on without those it waits for.

        Returns None if it need not: another server may have been quicker. Raises `UnknownGame`, and `Refused` if the
        rules do not let it.
        """
        game = await self._at_hand(game_id)
        async with game.turn:
            if game.owed is not None:
                await self._settle(game, game.owed)
            position = await self.position(game_id)
            logged = await self._log.game(game_id)
            deadlines = position.ruleset.deadlines
            over = logged.deadline is not None and logged.deadline <= self.clock()
            if deadlines is None or not over or logged.head != position.head:
                return None
            command = deadlines.timeout(position.state)
            chance = await self._chance(game, game_id)
            with span("decide", game_id=game_id, seq=position.head.seq):
                ruling = judge(position, None, [command], None, chance, self.clock())
            try:
                await self._append(game, Decided(position, ruling))
            except Conflict:
                CONFLICTS.inc()
                return None
            return ruling

    async def dry_run(
        self, game_id: UUID, player: Player, commands: Sequence[Any], if_match: Collection[Head] | None = None
    ) -> Ruling:
        """What the commands would lead to, up to the first that draws or opens what is sealed; nothing is appended.

        Raises `Refused`, `Stale` and `UnknownGame`.
        """
        position = await self.position(game_id)
        answers(position, player, commands)
        game = await self._at_hand(game_id)
        now = await self._in_time(game, position) if may_be_late(position, player) else self.clock()
        return judge(position, player, commands, if_match, None, now)

    async def _in_time(self, game: GameAtHand, position: Position) -> datetime:
        """The moment at which commands are decided that may be late, and which they are recorded with.

        Raises `Refused` after the deadline, though the server has not acted on it yet.
        """
        deadlines = position.ruleset.deadlines
        deadline = await self._deadline(game, position)
        now = self.clock()
        if deadline is not None and deadline <= now:
            deadline = await self._deadline(game, position, anew=True)
        if deadline is not None and deadline <= now and deadlines is not None:
            raise Refused(deadlines.late.rejection(), 0, position)
        return now

    async def _overrun(self, game: GameAtHand, ruling: Ruling, position: Position, now: datetime) -> Struct | None:
        """What the server says of the time that a player took whose stretch ended; None if that was in time."""
        if overrun(position, ruling, game.deadline_at(position.head), now) is None:
            return None
        return overrun(position, ruling, await self._deadline(game, position, anew=True), now)

    async def _deadline(self, game: GameAtHand, position: Position, *, anew: bool = False) -> datetime | None:
        """The deadline of the game at this position; `anew`: what outages took is given back first."""
        logged = game.logged
        if logged is None or logged.head != position.head or anew:
            if anew:
                await self.keep_time()
            logged = game.logged = await self._log.game(position.game_id)  # it may be a later one; the append will tell
        return logged.deadline

    async def answered(self, game_id: UUID, player: Player, idempotency: Idempotency | None) -> Ruling | None:
        """What came of the same request before; raises `KeyReused` if another one was sent under its key."""
        if idempotency is None:
            return None
        receipt = await self._log.receipt(game_id, player.player_id, idempotency.key)
        if receipt is None:
            return None
        if receipt != signed(self.history.key or await self.history.digest_key(), game_id, *receipt[:-1]):
            raise DamagedGame(game_id, f"the receipt of key {idempotency.key!r} is not what was kept")
        if receipt.request_hash != idempotency.request_hash:
            raise KeyReused(idempotency.key)
        position = await self.position_at(game_id, receipt.seq)
        events = await self._log.read(game_id, receipt.after, receipt.seq - receipt.after)
        undone = await self._undone(position, events)
        return Ruling(position, events, repeated=True, undone=undone)

    async def _undone(self, position: Position, events: Sequence[Recorded]) -> bool:
        """Whether moves among the events of a request, which led to a position, were taken back since."""
        aftermath, seq = Aftermath(position.ruleset, events), position.head.seq
        while aftermath.undone is None and (page := await self._log.read(position.game_id, seq, PAGE)):
            aftermath.read(page)
            seq = page[-1].seq
        return bool(aftermath.undone)

    async def _append(self, game: GameAtHand, decided: Decided) -> None:
        """Append what was decided; raises `Conflict` if the game stands elsewhere by now.

        If it is not known to be in the log, and chance had a part in it, it is owed: nothing else is decided in the
        game before. Else a player could learn from what fails how the dice fell, and do something else instead.
        """
        position, ruling, player, idempotency, _ = decided
        ruleset = position.ruleset
        game.owed = decided if ruling.drawn else None
        deadlines, after = ruleset.deadlines, ruling.position.state
        granted = deadlines is not None and deadlines.granted(position.state) != deadlines.granted(after)
        tenures = changed(ruleset, position.state, ruling.events, ruling.position.state)
        known = await self._deadline(game, position, anew=True) if granted else game.deadline_at(position.head)
        stands = behind(position, ruling.events, ruling.position, next_deadline(position, ruling, known))
        if question := asked(decided):
            await self._log.ask(position.game_id, question)
        receipt = None
        if player is not None and idempotency is not None:
            key = self.history.key or await self.history.digest_key()
            between = position.head.seq, ruling.position.head.seq
            receipt = signed(key, position.game_id, player.player_id, *idempotency, *between)
        try:
            with span("append", game_id=position.game_id, seq=ruling.position.head.seq, ruleset=ruleset.name):
                await self._log.append(
                    position.game_id,
                    position.head,
                    ruling.events,
                    stands,
                    receipt=receipt,
                    reseated=ruleset.players(ruling.position.state) != ruleset.players(position.state),
                    tenures=tenures,
                )
        except Conflict:
            game.owed = None
            raise
        game.owed = None
        if idempotency is not None:
            game.answered.append(idempotency.key)
        game.moved(position.head, ruling, stands)
        self._publish(position, ruling, tenures)

    async def _settle(self, game: GameAtHand, owed: Decided) -> None:
        """Append what is owed, unless it had reached the log or somebody else was quicker."""
        with suppress(Conflict):
            await self._append(game, owed)

    def _publish(self, before: Position, ruling: Ruling, tenures: Sequence[TenureRow]) -> None:
        """Count what was appended, keep the new head, and wake who waits for it.

        What is sent while a seat is asked that an instruction may answer for, all come to know from the log alone:
        those whom this server tells at once would know where the answer was given.
        """
        count(before, ruling.events, tenures)
        questions = before.ruleset.questions
        asks = before.state is not None and questions is not None and questions.after(before.state) is not None
        if questions is None or not asks or questions.asked(before.state) is None:
            self._keep(ruling.position, ruling.events)
        self.history.passed(before.head, ruling.position)

    async def _chance(self, game: GameAtHand, game_id: UUID) -> SeededChance:
        """The dice of a game. Raises `DamagedGame` if they are not those that it committed to."""
        if game.chance is None:
            position = game.position or await self.position(game_id)
            chance = SeededChance(await self._secret(game_id), str(game_id))
            if chance.commitment != position.state.commitment:
                raise DamagedGame(game_id, "its seed is not the one that its first event commits to")
            game.chance = chance
        return game.chance

    async def _secret(self, game_id: UUID) -> bytes:
        """The seed of a game that is known."""
        try:
            return await self._log.secret(game_id)
        except UnknownGame:
            await self._log.game(game_id)
            raise DamagedGame(game_id, "its seed is missing") from None

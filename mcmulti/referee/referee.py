"""The referee: load, decide, append, publish. The only writer of the log."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from msgspec import UNSET, Struct, UnsetType

from mcmulti.domain.core.chance import ChanceWithheld, SeededChance, WithheldChance
from mcmulti.domain.core.offers import ONE_DRAW, Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.codec import draft, fold, opened_with
from mcmulti.events.envelope import START, Draft, Head, Recorded, seal
from mcmulti.events.heads import HeadLoader
from mcmulti.events.history import History
from mcmulti.events.log import Conflict, Log, LogUnavailable, Player, Receipt
from mcmulti.events.lru_cache import LruCache
from mcmulti.events.positions import Position, seat_of
from mcmulti.referee.feed import Feed

ATTEMPTS = 20
"""How often a command is decided again because somebody else was quicker, before the referee gives up."""
GAMES = 1024
"""How many games are kept at hand."""
POLL = 1.0
"""Seconds between two polls of the log for what other processes append, while somebody waits."""


class Ruling(NamedTuple):
    """What came of a request: the position after it, and the events it led to.

    `undecided` is the number of the command, counted from 0, at which a trial stopped because it needs dice. `repeated`
    tells that it came of the same request, sent before, `drawn` that chance had a part in it.
    """

    position: Position
    events: Sequence[Recorded]
    undecided: int | None = None
    repeated: bool = False
    drawn: bool = False

    def line(self) -> dict[str, Any]:
        """What was appended, for the operator's log: nothing of what is sealed."""
        return {
            "seq": self.position.head.seq,
            "events": [event.type for event in self.events],
            "command_id": [str(event.command_id) for event in self.events if event.command],
        }


class Refused(Exception):
    """The rules do not allow the request's command number `index`, counted from 0; nothing was appended."""

    def __init__(self, rejection: Rejection, index: int, position: Position) -> None:
        super().__init__(rejection.detail)
        self.rejection = rejection
        self.index = index
        self.position = position


class Stale(Exception):
    """The client decided on an older position than the game is at; nothing was appended."""

    def __init__(self, head: Head) -> None:
        super().__init__(f"the game stands at event {head.seq}")
        self.head = head


class KeyReused(Exception):
    """The idempotency key was used for another request; nothing was appended."""


class UnknownMoment(Exception):
    """The log does not reach that event; `head` is where it ends."""

    def __init__(self, head: Head) -> None:
        super().__init__(f"the game stands at event {head.seq}")
        self.head = head


class Idempotency(NamedTuple):
    """A client's key for a request, and SHA-256 over the request."""

    key: str
    request_hash: bytes


class _Deadline(NamedTuple):
    """Until when a round takes what seats send."""

    round: int
    at: datetime | None


class _Decided(NamedTuple):
    """What was decided on a request, and has to be appended where it was decided."""

    before: Position
    ruling: Ruling
    player: Player | None = None
    idempotency: Idempotency | None = None


class _Game:
    """A game at hand: where it stands as far as is known, its dice, and the turn of who decides a command of it.

    `owed` is what was drawn for and did not reach the log.
    """

    __slots__ = ("chance", "deadline", "owed", "position", "turn")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.chance: SeededChance | None = None
        self.deadline: _Deadline | None = None
        self.owed: _Decided | None = None
        self.turn = asyncio.Lock()


class Referee:
    """Decides commands against cached heads and appends what follows from them.

    The cache is a guess that an append checks: if another process was quicker, the log says so, the tail is
    loaded and the command decided again. One referee decides the commands of a game one by one.
    """

    def __init__(self, log: Log, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._log = log
        self._clock = clock
        self.history = History(log)
        self._heads = HeadLoader(log)
        self._games: LruCache[UUID, _Game] = LruCache(GAMES)
        self._feeds: dict[UUID, Feed] = {}
        self._polling: asyncio.Task[None] | None = None
        self.followers: list[Callable[[Position, Sequence[Recorded]], None]] = []
        """Are told where a game stands whenever it has moved, and the last events before that. They must not wait."""

    async def open(self, ruleset: Ruleset[Any], setup: Struct, game_id: UUID | None = None) -> Ruling:
        """Open a game, under a new id unless told.

        Raises `Refused` when the rule set does not take the setup, and `Conflict` when there is a game of this id.
        """
        game_id = game_id or uuid4()
        secret = secrets.token_bytes(32)
        decision = ruleset.open(str(game_id), setup, SeededChance(secret, str(game_id)))
        if isinstance(decision, Rejection):
            raise Refused(decision, 0, Position(game_id, ruleset, None, START))
        events = seal(game_id, START, draft(decision.facts), self._clock())
        status = ruleset.status(decision.state)
        await self._log.create(game_id, ruleset.name, ruleset.version, status, secret, events)
        ruling = Ruling(Position(game_id, ruleset, decision.state, _head(events)), events)
        self._publish(Position(game_id, ruleset, None, START), ruling)
        return ruling

    async def position(self, game_id: UUID) -> Position:
        """Where a game stands now; raises `UnknownGame`."""
        head = await self._heads.head(game_id)
        game = self._games.get(game_id)
        if game is None:
            return (await self._loaded(game_id, head)).position
        if game.position.head.seq >= head.seq:
            return game.position
        return await self._caught_up(game.position)

    async def known(self, game_id: UUID) -> Position:
        """Where a game stood when last looked at: good for what stays, as who sits there. Raises `UnknownGame`."""
        return (await self._at_hand(game_id)).position

    async def position_at(self, game_id: UUID, seq: int) -> Position:
        """Where a game stood after event `seq`; raises `UnknownGame` and `UnknownMoment`."""
        now = await self.known(game_id)
        if seq >= now.head.seq:
            now = await self.position(game_id)
        if seq == now.head.seq:
            return now
        if not 1 <= seq <= now.head.seq:
            raise UnknownMoment(now.head)
        return await self.history.at(now, seq)

    async def command(
        self,
        game_id: UUID,
        player: Player,
        commands: Sequence[Any],
        if_match: Collection[Head] | None = None,
        idempotency: Idempotency | None = None,
    ) -> Ruling:
        """Decide a player's commands and append what follows, all or nothing.

        If the same request was answered before, nothing is appended, and what came of it then is told. Raises
        `Refused`, `Stale` if the game is at none of `if_match`, `KeyReused`, `UnknownGame`, and `Conflict` after too
        many quicker writers.
        """
        game = await self._at_hand(game_id)
        async with game.turn:
            await self._settle(game)
            position, chance = game.position, await self._chance(game)
            for _ in range(ATTEMPTS):
                refusal: Refused | Stale | None = None
                try:
                    now = await self._in_time(game, position, player)
                    ruling = self._judge(position, player, commands, if_match, chance, now)
                    await self._append(game, _Decided(position, ruling, player, idempotency))
                except (Refused, Stale) as error:
                    refusal = error
                except Conflict:
                    pass
                else:
                    return ruling
                # An earlier answer is looked for only now: where there is one, the command cannot have gone through.
                earlier = await self._answered(game_id, player, idempotency)
                if earlier is not None:
                    return earlier
                before, position = position, await self._caught_up(position)
                if refusal is not None and position.head == before.head:
                    raise refusal
            raise Conflict(f"game {game_id} moves too fast: {ATTEMPTS} times somebody else was quicker")

    async def time_out(self, game_id: UUID) -> Ruling | None:
        """Let a game whose deadline has come go on without those it waits for.

        Returns None if it need not: another server may have been quicker. Raises `UnknownGame`, and `Refused` if the
        rules do not let it.
        """
        game = await self._at_hand(game_id)
        async with game.turn:
            await self._settle(game)
            position = await self.position(game_id)
            logged = await self._log.game(game_id)
            deadlines = position.ruleset.deadlines
            over = logged.deadline_at is not None and logged.deadline_at <= self._clock()
            if deadlines is None or not over or logged.head != position.head:
                return None
            command = deadlines.timeout(position.state)
            ruling = self._judge(position, None, [command], None, await self._chance(game), self._clock())
            try:
                await self._append(game, _Decided(position, ruling))
            except Conflict:
                return None
            return ruling

    async def dry_run(
        self, game_id: UUID, player: Player, commands: Sequence[Any], if_match: Collection[Head] | None = None
    ) -> Ruling:
        """What the commands would lead to, up to the first that needs dice; nothing is appended.

        Raises `Refused`, `Stale` and `UnknownGame`.
        """
        position = await self.position(game_id)
        now = await self._in_time(await self._at_hand(game_id), position, player)
        return self._judge(position, player, commands, if_match, None, now)

    @asynccontextmanager
    async def feed(self, game_id: UUID) -> AsyncIterator[Feed]:
        """Follow a game, through what other processes append to it as well; raises `UnknownGame`."""
        position = await self.position(game_id)
        feed = self._feeds.get(game_id)
        if feed is None:
            feed = self._feeds[game_id] = Feed(position, self._log)
        if self._polling is None:
            self._polling = asyncio.create_task(self._poll())
        feed.readers += 1
        try:
            yield feed
        finally:
            feed.readers -= 1
            if feed.readers == 0:
                del self._feeds[game_id]

    async def _poll(self) -> None:
        """Ask once a second where the games stand that somebody follows, until nobody does: one query for all."""
        try:
            await asyncio.sleep(POLL)
            while self._feeds:
                with suppress(LogUnavailable):
                    waited_for = [game_id for game_id, feed in self._feeds.items() if not feed.finished]
                    for game_id, head in (await self._log.heads(waited_for)).items():
                        feed = self._feeds.get(game_id)
                        if feed is not None and feed.position.head.seq < head.seq:
                            await self._caught_up(feed.position)
                await asyncio.sleep(POLL)
        finally:
            self._polling = None

    async def _in_time(self, game: _Game, position: Position, player: Player) -> datetime:
        """The moment at which a player's commands are decided, and which they are recorded with.

        Raises `Refused` for a seat's after the deadline of the round, though nobody has closed it yet.
        """
        _, ruleset, state, head = position
        deadlines = ruleset.deadlines
        pace = None if deadlines is None else deadlines.pace(state)
        if deadlines is None or pace is None or seat_of(ruleset, state, player.player_id) is None:
            return self._clock()
        deadline = game.deadline
        if deadline is None or deadline.round != pace.round:
            logged = await self._log.game(position.game_id)
            deadline = _Deadline(pace.round, logged.deadline_at)
            if logged.head == head:  # otherwise it may be the deadline of a later round; the append will tell
                game.deadline = deadline
        now = self._clock()
        if deadline.at is not None and deadline.at <= now:
            raise Refused(deadlines.late.rejection(), 0, position)
        return now

    def _judge(
        self,
        position: Position,
        player: Player | None,
        commands: Sequence[Any],
        if_match: Collection[Head] | None,
        chance: SeededChance | None,
        now: datetime,
    ) -> Ruling:
        """What comes of commands; without chance a trial. Raises `Refused` and `Stale`.

        Only the last command may need chance (`chance/one-draw`), and it is known to be legal before anything is drawn.
        So a refusal follows from the position alone.
        """
        if if_match is not None and position.head not in if_match:
            raise Stale(position.head)
        game_id, ruleset, state, head = position
        withheld = chance.withheld() if chance else WithheldChance()
        drafts: list[Draft] = []
        undecided, drawn = None, False
        for index, command in enumerate(commands):
            seat = seat_of(ruleset, state, player.player_id) if player else None
            offer = ruleset.admit(state, seat, command)
            if isinstance(offer, Rejection):
                raise Refused(offer, index, position)
            try:
                decision = ruleset.carry_out(state, seat, command, offer, withheld)
            except ChanceWithheld:
                if index < len(commands) - 1:
                    raise Refused(ONE_DRAW.rejection(), index, position) from None
                if chance is None:
                    undecided = index
                    break
                decision, drawn = ruleset.carry_out(state, seat, command, offer, chance), True
            state = decision.state
            actor = seat_of(ruleset, state, player.player_id) if player and seat is None else seat
            drafts += draft(decision.facts, actor, uuid4(), command)
        events = seal(game_id, head, drafts, now)
        return Ruling(Position(game_id, ruleset, state, _head(events, head)), events, undecided, drawn=drawn)

    async def _answered(self, game_id: UUID, player: Player, idempotency: Idempotency | None) -> Ruling | None:
        """What came of the same request before; raises `KeyReused` if another one was sent under its key."""
        if idempotency is None:
            return None
        receipt = await self._log.receipt(game_id, player.player_id, idempotency.key)
        if receipt is None:
            return None
        if receipt.request_hash != idempotency.request_hash:
            raise KeyReused(idempotency.key)
        position = await self.position_at(game_id, receipt.seq)
        events = await self._log.read(game_id, receipt.after, receipt.seq - receipt.after)
        return Ruling(position, events, repeated=True)

    async def _append(self, game: _Game, decided: _Decided) -> None:
        """Append what was decided; raises `Conflict` if the game stands elsewhere by now.

        If it is not known to be in the log, and chance had a part in it, it is owed: nothing else is decided in the
        game before. Else a player could learn from what fails how the dice fell, and do something else instead.
        """
        position, ruling, player, idempotency = decided
        ruleset = position.ruleset
        seated = ruleset.players(ruling.position.state)
        game.owed = decided if ruling.drawn else None
        try:
            await self._log.append(
                position.game_id,
                position.head,
                ruling.events,
                ruleset.status(ruling.position.state),
                receipt=None
                if player is None or idempotency is None
                else Receipt(player.player_id, *idempotency, position.head.seq, ruling.position.head.seq),
                players=None
                if seated == ruleset.players(position.state)
                else [UUID(player_id) for player_id in seated if player_id],
                deadline=_deadline(position, ruling),
            )
        except Conflict:
            game.owed = None
            raise
        game.owed = None
        self._publish(position, ruling)

    async def _settle(self, game: _Game) -> None:
        """Append what is owed, unless it had reached the log or somebody else was quicker."""
        if game.owed is not None:
            with suppress(Conflict):
                await self._append(game, game.owed)

    def _publish(self, before: Position, ruling: Ruling) -> None:
        """Keep the new head, and wake who waits for it."""
        self._keep(ruling.position, ruling.events)
        self.history.passed(before.head, ruling.position)

    async def _at_hand(self, game_id: UUID) -> _Game:
        """A game, where it stood when last looked at. Raises `UnknownGame`."""
        return self._games.get(game_id) or await self._loaded(game_id, await self._heads.head(game_id))

    async def _loaded(self, game_id: UUID, head: Head) -> _Game:
        """A game that is not at hand, where its head was a moment ago."""
        first = await self._log.read(game_id, limit=1)
        position = await self.history.at(Position(game_id, opened_with(first[0]), None, head), head.seq)
        return self._keep(position, ())

    async def _caught_up(self, known: Position) -> Position:
        """The position with all that the log holds by now."""
        events = await self._log.read(known.game_id, after=known.head.seq)
        if events:
            known = known._replace(state=fold(known.ruleset, events, known.state), head=_head(events))
        self._keep(known, events)
        return known

    def _keep(self, position: Position, events: Sequence[Recorded]) -> _Game:
        """Keep a game at hand, at this position unless a later one is known."""
        if events:
            feed = self._feeds.get(position.game_id)
            if feed is not None:
                feed.publish(position, events)
            for follower in self.followers:
                follower(position, events)
        game = self._games.get(position.game_id)
        if game is None:
            return self._games.put(position.game_id, _Game(position))
        if game.position.head.seq < position.head.seq:
            game.position = position
        return game

    async def _chance(self, game: _Game) -> SeededChance:
        if game.chance is None:
            game_id = game.position.game_id
            game.chance = SeededChance(await self._log.secret(game_id), str(game_id))
        return game.chance


def _deadline(before: Position, ruling: Ruling) -> datetime | UnsetType | None:
    """When the game goes on without those it waits for now; unset if that stays as it was."""
    deadlines, events = before.ruleset.deadlines, ruling.events
    if deadlines is None:
        return UNSET
    was, now = deadlines.pace(before.state), deadlines.pace(ruling.position.state)
    if not events or (was and was.round) == (now and now.round):
        return UNSET
    return None if now is None else events[-1].recorded_at + timedelta(seconds=now.closes_after)


def _head(events: Sequence[Recorded], before: Head = START) -> Head:
    return Head(events[-1].seq, events[-1].hash) if events else before

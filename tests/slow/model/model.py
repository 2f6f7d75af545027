"""What a server must return, as plainly as possible: the log in memory, folded from the first event on.

It has no snapshots, no connections, and no second server. From a real one, it only takes what that drew by chance or
read from its clock: the secrets of games' dice, the ids of commands, and, where nobody sets the clock, the times of
events.
"""

from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple, Protocol, TypeVar, Union
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from mcmulti.api.http.failures import as_problem
from mcmulti.api.http.problems import CODES, ApiError
from mcmulti.api.streams.items import StreamHead, TableMoved
from mcmulti.api.telling.decisions import besides, offered, standing
from mcmulti.api.telling.refusals import refusal
from mcmulti.api.telling.tables import TableView, bookmark_of, cursor_of
from mcmulti.api.telling.wire import Events, Games, GameView, NewlyOpened, Offers, Result
from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.capabilities.undo.trail import DEPTH, MoveClosed, MovesTakenBack
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import LeaveSeat
from mcmulti.domain.core.course.deadlines import next_due
from mcmulti.domain.core.course.standing import Standing
from mcmulti.domain.core.offers import NO_SEAT, Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import Called, presented
from mcmulti.domain.rulesets import BY_VERSION
from mcmulti.events.log.codec import draft, fold, opened_with
from mcmulti.events.log.envelope import START, Draft, Head, Recorded, seal
from mcmulti.events.log.item import item
from mcmulti.events.log.positions import Position
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player, Token, called
from mcmulti.events.ports.errors import LastToken, UnknownGame
from mcmulti.events.ports.game_index import GamesWanted, ListOrder, TableRow
from mcmulti.events.store.redaction import for_reader
from mcmulti.events.store.standing import moved, retraced
from mcmulti.projections.books.ledger import balanced, entries
from mcmulti.projections.reports.replay import frames
from mcmulti.referee.deadlines import may_be_late, overrun
from mcmulti.referee.ruling import KeyReused, Refused, Request, Ruling, Stale, UnknownMoment, head_of, judge
from tests.slow.model.asked import SAID, Answer, Caller, plain, untied
from tests.tabled import tabled

T = TypeVar("T")
UNKNOWN = Answer(401, {"code": "unauthenticated"})
"""The response to any request without a valid token."""
MOVES = tuple(move for ruleset in BY_VERSION.values() for move in ruleset.commands.moves)


class Drawn(NamedTuple):
    """What a server drew for an event, or read from its clock."""

    recorded_at: datetime
    command_id: UUID | None


class Drawing(Protocol):
    """Where to learn what was drawn for a game."""

    def secret(self, game: UUID) -> bytes:
        """The secret that its dice come from."""

    def drawn(self, game: UUID, after: int) -> Sequence[Drawn]:
        """For its events after this one."""


class Sent(NamedTuple):
    """A request to change a game. For taking a seat, `seat` and `entropy` take the place of commands.

    `if_match`: the positions that its header names. None if it has none or accepts any.
    """

    game: UUID
    caller: Caller
    path: str
    body: bytes
    if_match: Collection[Head] | None = None
    key: str | None = None
    dry_run: bool = False


class Outcome(NamedTuple):
    """The result of a request: the response, and what is stored of it."""

    answer: Answer
    before: Position | None = None
    ruling: Ruling | None = None


class _Misfit(Exception):
    """A body of commands that no game of the rule set accepts: the code, and the number of the command."""


def at_once(step: Coroutine[Any, Any, T]) -> T:
    """What a method of the log in memory returns: none of them waits for anything."""
    try:
        step.send(None)
    except StopIteration as done:
        found: T = done.value
        return found
    raise AssertionError("it waits")


class Model:
    """A correct server. `drawing`: returns what a real one drew. `clock`: the time, where it is set."""

    def __init__(self, drawing: Drawing, clock: Callable[[], datetime] | None) -> None:
        self.log = MemoryLog()
        self._drawing = drawing
        self._clock = clock
        self._folded: dict[bytes, Position] = {}
        """The last query: the hash of an event identifies everything up to it."""
        self._answers: dict[tuple[UUID, UUID, str], tuple[str, bytes, Answer]] = {}

    # Reads

    def position(self, game: UUID, at: int | None = None) -> Position:
        """Where a game stands, or stood after event `at`."""
        events = self.events_of(game)
        if not events:
            raise UnknownGame(f"there is no game {game}")
        if at is not None and not 1 <= at <= len(events):
            raise UnknownMoment(head_of(events))
        events = events[:at]
        if events[-1].hash not in self._folded:
            ruleset = opened_with(events[0])
            self._folded = {events[-1].hash: Position(game, ruleset, fold(ruleset, events), head_of(events))}
        return self._folded[events[-1].hash]

    def events_of(self, game: UUID) -> list[Recorded]:
        """All events of a game."""
        return at_once(self.log.read(game))

    def view(self, game: UUID, caller: Caller | None, at: int | None = None) -> Answer:
        """A game as a player may see it."""

        def told() -> Answer:
            now = self.position(game, at)
            return _shown(now, self._view(now, caller, past=at is not None))

        return _answered(told)

    def offers(self, game: UUID, caller: Caller) -> Answer:
        """What a player may do now."""

        def told() -> Answer:
            now = self.position(game)
            seat = _seat(now, caller)
            if seat is None:
                raise refusal(now.ruleset, NO_SEAT.rejection(), "en")
            ruleset, state, (seq, hash_) = now.ruleset, now.state, now.head
            listed, at_any_time = offered(ruleset, state, seat, "en"), besides(ruleset, state, seat, "en")
            instructed = standing(ruleset, state, seat)
            return _shown(
                now, Offers(game, seq, hash_.hex(), seat, ruleset.to_move(state), listed, at_any_time, instructed)
            )

        return _answered(told)

    def events(
        self, game: UUID, caller: Caller | None, after: int = 0, limit: int = 100, until: int | None = None
    ) -> Answer:
        """A page of the log."""

        def told() -> Answer:
            now = self.position(game)
            if after > now.head.seq:
                raise UnknownMoment(now.head)
            last = now.head.seq if until is None else min(now.head.seq, until)
            page = self._readable(now, caller, after, min(last, after + limit))
            end = page[-1].seq if page else after
            listed = tuple(map(item, page))
            return _shown(now, Events(game, *_named(now.head), listed, end if end < last else None))

        return _answered(told)

    def stream(self, game: UUID, caller: Caller | None, after: int, until: int) -> Answer:
        """The items of a stream that ends with an existing event."""
        now = self.position(game)
        status = now.ruleset.status(now.state)
        seat = _seat(now, caller)
        table = self._table(self.events_of(game), self.events_of(game))
        present = () if seat is None else (seat,)  # the reader
        items = [item(event) for event in self._readable(now, caller, after, until)]
        behind = [TableMoved(table)] if items and items[-1].seq == now.head.seq else []
        head = StreamHead(game, *_named(now.head), status, present, table)
        return Answer(200, [plain(each) for each in (head, *items, *behind)])

    def balances(self, game: UUID) -> Answer:
        """The balance of every account."""

        def told() -> Answer:
            now = self.position(game)
            found = balanced(entries(self.events_of(game)))
            rows = [(account, *held) for account, units in found.accounts.items() for held in units.items()]
            return Answer(200, rows, now.head)

        return _answered(told)

    def games(self, caller: Caller | None, limit: int, **asked: Any) -> Answer:
        """A page of the list of games."""
        mine = caller.player.player_id if asked.pop("mine", False) and caller else None

        def told() -> Answer:
            before = bookmark_of(asked.pop("before")) if "before" in asked else None
            order = asked.pop("order", "opened")
            sits = () if mine is None else (mine,)
            found = at_once(self.log.games(limit, before, GamesWanted(player_ids=sits, **asked), None, order))
            listed = tuple(self._table(self.events_of(game.game_id), self.events_of(game.game_id)) for game in found)
            more = cursor_of(found[-1].mark(order)) if len(found) == limit else None
            return Answer(200, plain(Games(listed, more, False, ())))

        return _answered(told)

    def behind(self, game: UUID, order: ListOrder) -> str:
        """Where a list continues after a game."""
        return cursor_of(at_once(self.log.game(game)).mark(order))

    # Callers

    def kept_out(self, caller: Caller, scope: str) -> Answer | None:
        """The response to a caller whose token is invalid, or not sufficient. None if it is valid."""
        holder = at_once(self.log.holder(hash_of(caller)))
        if holder is None:
            return UNKNOWN
        return None if scope in holder.token.scopes else Answer(403, {"code": "missing_scope"})

    def tokens(self, caller: Caller) -> list[Token]:
        """The tokens of a player, the oldest first."""
        return at_once(self.log.tokens(caller.player.player_id))

    def holder(self, caller: Caller) -> Token:
        """The valid token of a caller."""
        holder = at_once(self.log.holder(hash_of(caller)))
        assert holder is not None
        return holder.token

    def make_token(self, caller: Caller, token: Token) -> None:
        """Store a token that a server created. `caller`: its holder."""
        at_once(self.log.add_token(caller.player.player_id, token, hash_of(caller)))

    def revoke(self, caller: Caller, token: Token) -> Answer:
        """Revoke a token of a player."""
        try:
            if not self.holder(caller).covers(token):
                return Answer(CODES["exceeds_token"][0], {"code": "exceeds_token"})
            at_once(self.log.revoke_tokens(caller.player.player_id, [token.token_id]))
        except LastToken:
            return Answer(CODES["last_token"][0], {"code": "last_token"})
        return Answer(200, (str(token.token_id), token.name, list(token.scopes)))

    def erase(self, caller: Caller) -> list[UUID]:
        """Erase a player. Return the games that it left."""
        player, left = caller.player, []
        for game in at_once(self.log.games(1000)):
            before = self.position(game.game_id)
            status, seat = before.ruleset.status(before.state), _seat(before, caller)
            if status != "finished" and seat is not None:
                leaving = LeaveSeat() if status == "open" else Resign()
                with suppress(Refused):  # what comes too late for a round keeps its seat
                    self._in_time(before, caller)
                    self._append(before, self._judged(before, player, [leaving], (before.head,)))
                    left.append(game.game_id)
        at_once(self.log.erase(player.player_id))
        return left

    # Changes

    def open(
        self, caller: Caller, ruleset: Ruleset[Any], setup: Struct, key: str | None, opened: UUID | None
    ) -> Answer:
        """Open a game. `opened`: the id that a server gave it, None if it gave none."""

        def told() -> Answer:
            game = opened or UUID(int=0) if key is None else uuid5(caller.player.player_id, key)
            with_key = self.events_of(game)
            if with_key:
                first = self.position(game, 1)
                if (first.ruleset, first.ruleset.setup_of(first.state)) != (ruleset, setup):
                    raise KeyReused(key)
                return _shown(first, self._opened(first, caller), 201)._replace(replayed=True)
            chance = SeededChance(self._drawing.secret(game), str(game))
            decision = ruleset.open(str(game), setup, chance, str(caller.player.player_id))
            if isinstance(decision, Rejection):
                raise Refused(decision, 0, Position(game, ruleset, None, START))
            events = self._recorded(Position(game, ruleset, None, START), draft(decision.facts))
            secret = self._drawing.secret(game)
            at_once(
                self.log.create(
                    game, ruleset.name, ruleset.version, TableRow("open"), secret, events, caller.player.player_id
                )
            )
            now = self.position(game)
            return _shown(now, self._opened(now, caller), 201)

        return _answered(told)

    def outcome(self, sent: Sent) -> Outcome:
        """The result of a request, if it is the next. Nothing is stored."""
        before: Position | None = None
        ruling: Ruling | None = None

        def told() -> Answer:
            nonlocal before, ruling
            if kept_out := self.kept_out(sent.caller, "play"):
                return kept_out
            before = self.position(sent.game)
            commands = _commands(before, sent)
            earlier = None if sent.key is None or sent.dry_run else self._answers.get(self._named(sent))
            if earlier is not None:
                path, body, answer = earlier
                if (path, body) != (sent.path, sent.body):
                    raise KeyReused(sent.key)
                if answer.said["seq"] < before.head.seq:  # the deadline of that time is not stored anywhere
                    answer = answer._replace(said={**answer.said, "table": {**answer.said["table"], "deadline": None}})
                answer = self._renamed(answer)
                undone = self._taken_back(sent.game, [event["seq"] for event in answer.said["events"]])
                return answer._replace(said={**answer.said, "undone": undone}, replayed=True)
            self._in_time(before, sent.caller)
            if sent.if_match is not None and before.head not in sent.if_match:
                raise Stale(before.head)
            if sent.dry_run:
                request = Request(sent.caller.player, commands, sent.if_match)
                tried = judge(before, _stands(before), request, None, self._now(before))
                told = self._told(before, tried, sent.caller)
                return Answer(200, untied(plain(self._result(tried, sent, told, trial=True))), before.head)
            ruling = self._judged(before, sent.caller.player, commands, sent.if_match)
            status = 201 if sent.path.endswith("/seats") else 200
            return _shown(ruling.position, self._result(ruling, sent), status)

        return Outcome(_answered(told), before, ruling)

    def keep(self, sent: Sent, outcome: Outcome) -> None:
        """Store the result of a request."""
        if outcome.before is not None and outcome.ruling is not None:
            self._append(outcome.before, outcome.ruling)
            if sent.key is not None:
                self._answers[self._named(sent)] = (sent.path, sent.body, outcome.answer)

    def time_out(self, now: datetime) -> list[UUID]:
        """Continue games whose deadline has passed. Return these games."""
        due = [game for _, game in at_once(self.log.due(now, 1000))]
        for game in due:
            before = self.position(game)
            assert before.ruleset.deadlines is not None
            self._append(before, self._judged(before, None, [before.ruleset.deadlines.timeout(before.state)]))
        return due

    def _named(self, sent: Sent) -> tuple[UUID, UUID, str]:
        assert sent.key is not None
        return sent.game, sent.caller.player.player_id, sent.key

    def _now(self, before: Position) -> datetime:
        if self._clock is not None:
            return self._clock()
        drawn = self._drawing.drawn(before.game_id, before.head.seq)
        return drawn[0].recorded_at if drawn else at_once(self.log.now())

    def _in_time(self, before: Position, caller: Caller) -> None:
        deadlines = before.ruleset.deadlines
        until = self._until(before)
        late = may_be_late(_stands(before), caller.player)
        if deadlines and until and until <= self._now(before) and late:
            raise Refused(deadlines.late.rejection(), 0, before)

    def _judged(
        self,
        before: Position,
        player: Player | None,
        commands: Sequence[Any],
        if_match: Collection[Head] | None = None,
    ) -> Ruling:
        """The result of commands, with the ids and at the time that the server gave them."""
        chance = SeededChance(at_once(self.log.secret(before.game_id)), str(before.game_id))
        now = self._now(before)
        request, stands = Request(player, commands, if_match), _stands(before)
        ruling = judge(before, stands, request, chance, now)
        if player is not None and before.seat_of(player.player_id) in before.ruleset.to_move(before.state):
            charge = overrun(stands, _stands(ruling.position), self._until(before), now)
            if charge is not None:
                ruling = judge(before, stands, request, chance, now, charge)
        drafts = [Draft(*event[2:8]) for event in ruling.events]
        events = self._recorded(before, drafts)
        return ruling._replace(position=ruling.position._replace(head=head_of(events, before.head)), events=events)

    def _recorded(self, before: Position, drafts: Iterable[Draft]) -> list[Recorded]:
        """The events of drafts, with the server's ids."""
        drawn = self._drawing.drawn(before.game_id, before.head.seq)
        ids = [each.command_id for each in drawn]
        named = [
            each._replace(command_id=ids[number] if number < len(ids) else None) for number, each in enumerate(drafts)
        ]
        return seal(before.game_id, before.head, named, self._now(before))

    def _until(self, before: Position) -> datetime | None:
        return at_once(self.log.game(before.game_id)).deadline

    def _append(self, before: Position, ruling: Ruling) -> None:
        ruleset = before.ruleset
        due = next_due(_stands(before).pace, _stands(ruling.position).pace)
        at_once(
            self.log.append(
                before.game_id,
                before.head,
                ruling.events,
                replace(
                    retraced(ruleset, [*self.events_of(before.game_id), *ruling.events]),
                    deadline=moved(self._until(before), due, ruling.events[-1].recorded_at),
                ),
                reseated=True,
            )
        )

    def _readable(self, now: Position, caller: Caller | None, after: int, last: int) -> Sequence[Recorded]:
        return for_reader(now, caller and caller.player, self.events_of(now.game_id)[after:last])

    def _view(self, now: Position, caller: Caller | None, *, past: bool = False) -> GameView:
        """A game as a player may see it. If it is `past`, it never changes anymore."""
        shown = presented(now.state, self._called(now.state))
        view = msgspec.json.encode(now.ruleset.view(shown, _seat(now, caller)))
        events = self.events_of(now.game_id)
        return GameView(
            now.game_id,
            *_named(now.head),
            self._table(events[: now.head.seq], () if past else events),
            msgspec.Raw(view),
        )

    def _opened(self, now: Position, caller: Caller | None) -> NewlyOpened:
        return NewlyOpened(**asdict(self._view(now, caller)), passcode=None)

    def _table(self, events: Sequence[Recorded], now: Sequence[Recorded]) -> TableView:
        """The table after events, in a game that has those of `now`."""
        game = at_once(self.log.game(events[0].game_id))
        called = self._called(fold(opened_with(events[0]), events))
        return tabled(events, called, game.opened_by, kind="human", now=len(events) == len(now))

    def called(self, game: UUID) -> Called:
        """The names of everybody who ever sat at a game, in the order in which they sat down."""
        state = self.position(game).state
        names = self._called(state)
        return {player: names[player] for player in state.everybody if player in names}

    def _called(self, state: Any) -> Called:
        return at_once(called(self.log, state.everybody))

    def _taken_back(self, game: UUID, own: Collection[int]) -> bool:
        """Whether a move among these events was taken back by a later one."""
        moves: list[int] = []
        for event in self.events_of(game):
            if event.type == MoveClosed.__name__:
                moves = [] if msgspec.json.decode(event.data)["final"] else [*moves[1 - DEPTH :], event.seq]
            elif event.type == MovesTakenBack.__name__:
                number = msgspec.json.decode(event.data)["moves"]
                if event.seq not in own and not {*moves[-number:]}.isdisjoint(own):
                    return True
                moves = moves[:-number]
        return False

    def _renamed(self, answer: Answer) -> Answer:
        """An earlier response, with current names of players."""
        table = answer.said["table"]
        called_now = at_once(called(self.log, [seat["player"] for seat in table["seats"] if seat["player"]]))
        seats = [{**seat, "name": called_now.get(seat["player"])} for seat in table["seats"]]
        return answer._replace(said={**answer.said, "table": {**table, "seats": seats}})

    def _told(self, before: Position, tried: Ruling, caller: Caller) -> tuple[str, ...]:
        """The result of a dry run, in sentences."""
        names, seat = self._called(before.state), _seat(before, caller)
        told = frames(before.ruleset, before.state, tried.events, seat=seat, called=names)
        return tuple(happened.sentence for frame in told for happened in frame.happened)

    def _result(self, ruling: Ruling, sent: Sent, told: tuple[str, ...] = (), *, trial: bool = False) -> Result:
        after = ruling.position
        before = self.events_of(sent.game)
        events = [*before, *ruling.events]
        return Result(
            sent.game,
            *_named(after.head),
            _seat(after, sent.caller),
            tuple(map(item, for_reader(after, sent.caller.player, ruling.events))),
            self._table(events, before if trial else events),
            ruling.undecided,
            told=told,
        )


def hash_of(caller: Caller) -> bytes:
    """The key under which a caller's token is stored."""
    return sha256(caller.token.encode()).digest()


def _commands(before: Position, sent: Sent) -> list[Any]:
    """What a body asks for in this game."""
    kinds, said = before.ruleset.commands, msgspec.json.decode(sent.body)
    if sent.path.endswith("/seats"):
        if said.keys() - {"seat", "entropy"}:
            raise _Misfit("invalid_body", None)
        player = sent.caller.player
        return [kinds.joining(player=str(player.player_id), **said)]
    found = []
    for index, command in enumerate(said["commands"]):
        try:
            found.append(msgspec.convert(command, Union[tuple(kinds.moves)]))  # noqa: UP007
        except msgspec.ValidationError:
            own, known = ({move.__name__ for move in moves} for moves in (kinds.moves, MOVES))
            foreign = command["type"] in known - own
            raise _Misfit("other_ruleset" if foreign else "invalid_body", index if foreign else None) from None
    return found


def _answered(told: Callable[[], Answer]) -> Answer:
    """A response, or the problem in its place."""
    try:
        return told()
    except _Misfit as misfit:
        code, command = misfit.args
        numbered = {} if command is None else {"command": command}
        return Answer(CODES[code][0], {"code": code, **numbered})
    except ApiError as error:
        problem, head = error.problem, None
    except Refused as refused:
        problem, head = refusal(refused.position.ruleset, refused.rejection, "en", refused.index).problem, None
    except (Stale, UnknownGame, UnknownMoment, KeyReused) as error:
        problem, head = as_problem(error).problem, error.head if isinstance(error, Stale) else None
    return Answer(problem.status, {name: value for name, value in plain(problem).items() if name in SAID}, head)


def _shown(now: Position, content: Struct, status: int = 200) -> Answer:
    return Answer(status, plain(content), now.head)


def _stands(position: Position) -> Standing:
    return position.ruleset.terms(position.ruleset.setup_of(position.state)).standing(position.state)


def _seat(now: Position, caller: Caller | None) -> int | None:
    return now.seat_of(caller.player.player_id) if caller else None


def _named(head: Head) -> tuple[int, str]:
    return head.seq, head.hash.hex()

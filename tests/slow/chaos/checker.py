"""How a history and the final logs must correspond."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.proof.proof import verify
from tests.slow.chaos.history import Followed, History, Request, Rewind, Seen, Span, Spare, Told

Logs = Mapping[str, Sequence[Recorded]]
Places = Mapping[str, set[Told]]
Views = Mapping[Seen, str]
HEARD_WITHIN = 15.0
"""Seconds within which a server that was frozen or cut off when a token was revoked must learn of it."""
ON_ITS_OWN = ("TimeOut", "UseBank")
"""Commands that nobody sends: the server issues them."""


class Verdict(NamedTuple):
    """Faults, each in a sentence. `lost`: acknowledged, and not in the log. `doubled`: carried out twice.

    `invented`: shown to somebody, and not in the log. `unsound`: the log is inconsistent, breaks a rule, closed a round
    or moved for a seat too early, holds a command at another position than it was sent for, or a deadline moved without
    a reason. `misled`: a reader did not learn that the log went back, or whether moves were taken back. `broken`:
    another promise.
    """

    lost: list[str]
    doubled: list[str]
    invented: list[str]
    unsound: list[str]
    misled: list[str]
    broken: list[str]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not any(self)


def check(history: History, logs: Logs, views: Views = MappingProxyType({})) -> Verdict:
    """Compare what clients received with the logs, by game, once all is quiet. Every request is one command.

    `views`: what a restarted server shows of earlier reads. Where the log went back, everything after the backup may be
    gone, including players who registered later.
    """
    places = {game: {Told(event.seq, event.hash.hex()) for event in events} for game, events in logs.items()}
    excuse = _Excuse(history.rewinds)
    return Verdict(
        [*_lost(history, places, excuse), *_tokens(history.spares, excuse)],
        list(_doubled(history, logs, places, excuse)),
        list(_invented(history, places, excuse, views)),
        [*_unsound(logs), *_ill_timed(history, logs), *_misplaced(history, logs, places)],
        [*_misled(history.followed, places, excuse), *_undone(history, logs, places)],
        list(history.complaints),
    )


class _Excuse:
    """What may be gone because the log went back."""

    def __init__(self, rewinds: Sequence[Rewind]) -> None:
        self._rewinds = rewinds

    def gone(self, game: str, told: Told, span: Span) -> bool:
        """Whether an event that was shown in this span may be gone: a log that went back held it, if that is known."""
        return any(
            rewind.may_lose(span) and (rewind.gone is None or (game, told) in rewind.gone) for rewind in self._rewinds
        )

    def between(self, one: Span, other: Span) -> bool:
        """Whether the log may have gone back after one span, and before the other."""
        return any(one.began <= rewind.span.ended and other.ended >= rewind.span.began for rewind in self._rewinds)

    def unknown(self, since: float, span: Span) -> bool:
        """Whether something that was created in one span, and known earlier, may be unknown in another."""
        return self.forgotten(Span(since, span.ended), span)

    def forgotten(self, done: Span, span: Span) -> bool:
        """Whether what was done in one span may be undone in the other."""
        return any(rewind.may_lose(done) and span.ended >= rewind.span.began for rewind in self._rewinds)

    @property
    def ever(self) -> bool:
        """Whether the log went back at all. A server notices this for a game at its next look, however late."""
        return bool(self._rewinds)


def _lost(history: History, places: Places, excuse: _Excuse) -> Iterator[str]:
    for request in history.requests:
        for tried in request.tries:
            told = tried.told
            if told and told not in places.get(request.game, ()) and not excuse.gone(request.game, told, tried.span):
                yield f"request {request.number} was told event {told.seq} of game {request.game}, which is gone"
    for denied in history.denied:
        if not excuse.unknown(denied.since, denied.span):
            yield f"game {denied.game} or its player was refused: {denied.code}"


def _tokens(spares: Sequence[Spare], excuse: _Excuse) -> Iterator[str]:
    for number, spare in enumerate(spares, 1):
        for span, taken, anew in spare.uses:
            asked, revoked = spare.revoking is not None and span.ended >= spare.revoking, spare.revoked
            if not taken and not asked and not excuse.forgotten(Span(spare.since, spare.made), span):
                yield f"token {number} was made, and is refused"
            heard = revoked is not None and span.began > revoked.ended + (0 if anew else HEARD_WITHIN)
            if taken and heard and revoked is not None and not excuse.forgotten(revoked, span):
                yield f"token {number} was revoked, and is taken {span.began - revoked.ended:.1f} s later"


def _doubled(history: History, logs: Logs, places: Places, excuse: _Excuse) -> Iterator[str]:
    there, may_be = Counter[str](), Counter[str]()
    ends = Counter[tuple[str, Told]]()
    for request in history.requests:
        told = [tried for tried in request.tries if tried.told]
        ends.update({(request.game, tried.told) for tried in told if tried.told})
        known = places.get(request.game, set())
        for one, other in combinations(told, 2):
            both = one.told in known and other.told in known
            if one.told != other.told and (both or not excuse.between(one.span, other.span)):
                yield f"request {request.number}, repeated under its key, was told {one.told} and {other.told}"
        in_the_log = any(tried.told in known for tried in told)
        there[request.game] += in_the_log
        may_be[request.game] += not in_the_log and _open(request)
    for (game, end), number in ends.items():
        if number > 1:
            yield f"{number} requests led to event {end.seq} of game {game}"
    for request, again in history.repeated:
        if again.told not in {tried.told for tried in request.tries if tried.told}:
            yield f"request {request.number}, repeated when all was quiet, was told {again.told}"
    for game, events in logs.items():
        commands = sum(event.command is not None and _kind(event) not in ON_ITS_OWN for event in events)
        if commands > there[game] + may_be[game]:
            yield f"game {game} has {commands} commands, and {there[game] + may_be[game]} may be in it"


def _open(request: Request) -> bool:
    """Whether a try may have been carried out without anybody knowing."""
    return any(tried.outcome == "info" for tried in request.tries)


def _invented(history: History, places: Places, excuse: _Excuse, views: Views) -> Iterator[str]:
    for seen in history.seen:
        if seen.view != views.get(seen, seen.view):
            yield f"game {seen.game} was shown after event {seen.told.seq} as it never was"
        if seen.told not in places.get(seen.game, ()) and not excuse.gone(seen.game, seen.told, seen.span):
            yield f"event {seen.told.seq} of game {seen.game} was shown, and is gone"
    for stream in history.followed:
        for told, _, at in stream.events:
            if told not in places.get(stream.game, ()) and not excuse.gone(stream.game, told, Span(stream.began, at)):
                yield f"a stream told event {told.seq} of game {stream.game}, which is gone"


class _Closing(msgspec.Struct):
    missing: list[int]


class _Kind(msgspec.Struct):
    type: str


def _kind(event: Recorded) -> str:
    """The type of the command that led to an event, if it is the first. Empty for all others."""
    return "" if event.command is None else msgspec.json.decode(event.command, type=_Kind).type


def _unsound(logs: Logs) -> Iterator[str]:
    """Deadlines of rounds in a campaign are an hour away: whatever clocks show, none of them passes."""
    for game, events in logs.items():
        fault = verify(events).fault if events else None
        if fault is not None:
            yield f"game {game}: {fault}"
        for event in events:
            if event.type == "RoundClosed" and msgspec.json.decode(event.data, type=_Closing).missing:
                yield f"game {game}: event {event.seq} closed a round before its time"


def _misplaced(history: History, logs: Logs, places: Places) -> Iterator[str]:
    """Whether a command with ``If-Match`` was carried out exactly at the position that it names."""
    for request in history.requests:
        named = None if request.sent is None else request.sent.headers.get("If-Match")
        for told in {tried.told for tried in request.tries if tried.told in places.get(request.game, ())}:
            if named is not None and told is not None and named not in _before(logs[request.game], told):
                yield f"request {request.number} named {named}, and led to event {told.seq} from elsewhere"


def _before(events: Sequence[Recorded], told: Told) -> list[str]:
    """The positions at which a request with its events may have been decided, as headers name them.

    The server's event about the time that a seat took comes first, and may belong to another request.
    """
    first = told.seq - 1
    while first and not _kind(events[first]):
        first -= 1
    starts = [first]
    while first and (not _kind(events[first - 1]) or _kind(events[first - 1]) == "UseBank"):
        first -= 1
        if _kind(events[first]):
            starts.append(first)
            break
    return [f'"{events[start - 1].seq}-{events[start - 1].hash.hex()}"' for start in starts if start]


class _Clock(msgspec.Struct):
    move_seconds: int


class _Setup(msgspec.Struct):
    clock: _Clock | None = None


class _Opening(msgspec.Struct):
    setup: _Setup


def timed_out(events: Sequence[Recorded]) -> list[Recorded]:
    """The first event each time the server moved for a seat whose time ran out."""
    return [event for event in events if _kind(event) == "TimeOut"]


def _ill_timed(history: History, logs: Logs) -> Iterator[str]:
    """No outage ends twice, and each is given back once, to every game."""
    for game, events in logs.items():
        clock = msgspec.json.decode(events[0].data, type=_Opening).setup.clock if events else None
        for before, event in pairwise(timed_out(events)):
            apart = (event.recorded_at - before.recorded_at).total_seconds()
            if clock is None or apart < clock.move_seconds:
                yield f"game {game}: events {before.seq} and {event.seq} end moves, {apart:g} s apart"
    outages = {outage.transaction: outage for outage in history.outages}
    given = Counter((moved.transaction, moved.game) for moved in history.moved)
    for transaction, game, seconds in history.moved:
        outage = outages.get(transaction)
        if outage is None or abs(outage.ended - outage.began - seconds) > 0.001:
            yield f"the deadline of game {game} was moved by {seconds:g} s, for no outage that took as long"
        elif given[transaction, game] > 1:
            yield f"game {game} was given back an outage of {seconds:g} s {given[transaction, game]} times"
    for one, other in pairwise(history.outages):
        if other.began < one.ended and not history.rewinds:
            yield f"what nobody kept of {one.ended - one.began:g} s was noted as kept twice"


def _undone(history: History, logs: Logs, places: Places) -> Iterator[str]:
    """Whether a client that repeats an old request learns that its moves were taken back, exactly if they were."""
    back = {game: taken_back(events) for game, events in logs.items()}
    for request in history.requests:
        for tried in request.tries:
            told = tried.told if tried.undone else None
            if told and told in places.get(request.game, ()) and told.seq not in back[request.game]:
                yield f"request {request.number} was told that its moves were taken back, which they were not"
    for request, again in history.repeated:
        if again.told is not None and again.undone != (again.told.seq in back.get(request.game, ())):
            yield f"request {request.number}, repeated when all was quiet, was told undone: {again.undone}"


class _Back(msgspec.Struct):
    moves: int


class _Closed(msgspec.Struct):
    final: bool


def taken_back(events: Sequence[Recorded]) -> set[int]:
    """The last event of each move that was taken back."""
    moves: list[int] = []
    found: set[int] = set()
    for event in events:
        if event.type == "MoveClosed":
            moves = [] if msgspec.json.decode(event.data, type=_Closed).final else [*moves, event.seq]
        elif event.type == "MovesTakenBack":
            number = msgspec.json.decode(event.data, type=_Back).moves
            moves, gone = moves[:-number], moves[-number:]
            found.update(gone)
    return found


def _misled(streams: Sequence[Followed], places: Places, excuse: _Excuse) -> Iterator[str]:
    for stream in streams:
        told = [stream.first, *(link.told for link in stream.events)]
        for before, link in zip(told, stream.events, strict=False):
            if link.told.seq != before.seq + 1 or (before.seq and link.before != before.hash):
                yield f"a stream of game {stream.game} told event {link.told.seq} behind another than it follows on"
        if stream.end is None and told[-1].seq and told[-1] not in places.get(stream.game, ()):
            yield f"a reader of game {stream.game} was not told that event {told[-1].seq} is gone"
        if stream.end == "WentBack" and not excuse.ever:
            yield f"a reader of game {stream.game} was told that the log went back, which it did not"

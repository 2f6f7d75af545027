"""What a history and the logs at the end must have to do with each other."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from mcmulti.events.envelope import Recorded
from mcmulti.projections.proof import verify
from tests.chaos.history import Followed, History, Request, Rewind, Seen, Span, Told

Logs = Mapping[str, Sequence[Recorded]]
Places = Mapping[str, set[Told]]
Views = Mapping[Seen, str]


class Verdict(NamedTuple):
    """What is wrong, each in a sentence. `lost`: acknowledged, and not in the log. `doubled`: carried out twice.

    `invented`: shown to somebody, and not in the log. `unsound`: the log does not hang together, breaks a rule, or
    closed a round before its time. `misled`: a reader was not told that the log went back. `broken`: another promise.
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
    """Compare what clients were told with the logs, by game, once all is quiet. Every request is one command.

    `views`: what a server that was just started shows of what was read before. Where the log went back, what came after
    the backup may be gone, and with it whoever registered since.
    """
    places = {game: {Told(event.seq, event.hash.hex()) for event in events} for game, events in logs.items()}
    excuse = _Excuse(history.rewinds)
    return Verdict(
        list(_lost(history, places, excuse)),
        list(_doubled(history, logs, places, excuse)),
        list(_invented(history, places, excuse, views)),
        list(_unsound(logs)),
        list(_misled(history.followed, places, excuse)),
        list(history.complaints),
    )


class _Excuse:
    """What may be gone because the log went back."""

    def __init__(self, rewinds: Sequence[Rewind]) -> None:
        self._rewinds = rewinds

    def gone(self, game: str, told: Told, span: Span) -> bool:
        """Whether an event that was told in this time may be gone: a log that went back held it, if that is known."""
        return any(
            rewind.may_lose(span) and (rewind.gone is None or (game, told) in rewind.gone) for rewind in self._rewinds
        )

    def between(self, one: Span, other: Span) -> bool:
        """Whether the log may have gone back after the one, and before the other."""
        return any(one.began <= rewind.span.ended and other.ended >= rewind.span.began for rewind in self._rewinds)

    def unknown(self, since: float, span: Span) -> bool:
        """Whether what was made in that time, and was known before, may be unknown in this."""
        return any(
            rewind.may_lose(Span(since, span.ended)) and span.ended >= rewind.span.began for rewind in self._rewinds
        )

    def ever(self, span: Span) -> bool:
        """Whether the log may have gone back in this time."""
        return any(span.ended >= rewind.span.began and span.began <= rewind.span.ended for rewind in self._rewinds)


def _lost(history: History, places: Places, excuse: _Excuse) -> Iterator[str]:
    for request in history.requests:
        for tried in request.tries:
            told = tried.told
            if told and told not in places.get(request.game, ()) and not excuse.gone(request.game, told, tried.span):
                yield f"request {request.number} was told event {told.seq} of game {request.game}, which is gone"
    for denied in history.denied:
        if not excuse.unknown(denied.since, denied.span):
            yield f"game {denied.game} or its player was refused: {denied.code}"


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
    for game, events in logs.items():
        commands = sum(event.command is not None for event in events)
        if commands > there[game] + may_be[game]:
            yield f"game {game} has {commands} commands, and {there[game] + may_be[game]} may be in it"


def _open(request: Request) -> bool:
    """Whether some try may have been carried out without anybody knowing."""
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


def _unsound(logs: Logs) -> Iterator[str]:
    """Deadlines of games in a campaign are an hour away: whatever clocks say, none of them comes."""
    for game, events in logs.items():
        fault = verify(events).fault if events else None
        if fault is not None:
            yield f"game {game}: {fault}"
        for event in events:
            if event.type == "RoundClosed" and msgspec.json.decode(event.data, type=_Closing).missing:
                yield f"game {game}: event {event.seq} closed a round before its time"


def _misled(streams: Sequence[Followed], places: Places, excuse: _Excuse) -> Iterator[str]:
    for stream in streams:
        told = [stream.first, *(link.told for link in stream.events)]
        for before, link in zip(told, stream.events, strict=False):
            if link.told.seq != before.seq + 1 or (before.seq and link.before != before.hash):
                yield f"a stream of game {stream.game} told event {link.told.seq} behind another than it follows on"
        if stream.end is None and told[-1].seq and told[-1] not in places.get(stream.game, ()):
            yield f"a reader of game {stream.game} was not told that event {told[-1].seq} is gone"
        if stream.end == "WentBack" and not excuse.ever(Span(stream.began, float("inf"))):
            yield f"a reader of game {stream.game} was told that the log went back, which it did not"

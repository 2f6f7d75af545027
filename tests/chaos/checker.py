"""What a history and the logs at the end must have to do with each other."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mcmulti.events.envelope import Recorded
from mcmulti.projections.proof import verify
from tests.chaos.history import History


class Verdict(NamedTuple):
    """What is wrong, each in a sentence. `lost`: acknowledged, and not in the log. `doubled`: carried out twice.

    `invented`: shown to somebody, and not in the log. `unsound`: the log does not hang together, or breaks a rule.
    """

    lost: list[str]
    doubled: list[str]
    invented: list[str]
    unsound: list[str]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not any(self)


def check(history: History, logs: Mapping[str, Sequence[Recorded]]) -> Verdict:
    """Compare what clients were told with the logs, by game, once all is quiet. Every request is one command."""
    heads = {game: {(event.seq, event.hash.hex()) for event in events} for game, events in logs.items()}
    unsound = []
    lost = [
        f"request {request.number} was told event {told.seq} of game {request.game}, which is gone"
        for request in history.requests
        for told in request.told
        if told not in heads.get(request.game, ())
    ]
    doubled = [
        f"request {request.number}, repeated under its key, was told {request.told}"
        for request in history.requests
        if len(set(request.told)) > 1
    ]
    ends = Counter((request.game, request.told[0]) for request in history.requests if request.told)
    for (game, told), number in ends.items():
        if number > 1:
            doubled.append(f"{number} requests led to event {told.seq} of game {game}")
    ok, unknown = Counter[str](), Counter[str]()
    for request in history.requests:
        ok[request.game] += request.outcome == "ok"
        unknown[request.game] += request.outcome == "info"
    for game, events in logs.items():
        commands = sum(event.command is not None for event in events)
        if commands < ok[game]:
            lost.append(f"game {game} has {commands} commands, and {ok[game]} were acknowledged")
        if commands > ok[game] + unknown[game]:
            doubled.append(f"game {game} has {commands} commands, and {ok[game] + unknown[game]} may be in it")
        fault = verify(events).fault
        if fault is not None:
            unsound.append(f"game {game}: {fault}")
    invented = [
        f"event {seen.told.seq} of game {seen.game} was shown, and is gone"
        for seen in history.seen
        if seen.told not in heads.get(seen.game, ())
    ]
    return Verdict(lost, doubled, invented, unsound)
